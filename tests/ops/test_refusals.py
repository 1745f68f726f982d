"""What is refused is refused alike in every mode, and as TensorFlow 1.12 refuses it."""

import re
from pathlib import Path

import pytest

import twinflow as tf
from tests import ways
from tests.support import fuzzing, op_checks, programs_run
from tests.support.op_cases.table import CASES
from twinflow.base import dtypes, op_defs
from twinflow.base.op import registry

TABLE = Path(op_checks.__file__).parent / "data" / "refusals_1_12.txt"
PROGRAM = """\
ARRAYS, SHAPES = [], []
def variables():
    return []
def program():
    t = {}
    return list(t) if isinstance(t, (list, tuple)) else [t]
"""


def _rows():
    """(call, what eager mode does, what a graph does)"""
    text = TABLE.read_text(encoding="utf-8").replace("\n  here ", " HERE ")
    for line in text.splitlines():
        if line[0] != "#":
            call, _, facts = line.partition(" -> ")
            facts = re.sub(r".* HERE (.*?):.*", r"\1", facts)
            yield call, *facts.split(", ")


def _said(record):
    return "fine" if record.error is None else record.error + " early" * record.early


@pytest.mark.parametrize("call, eager, graph", list(_rows()))
def test_odd_calls(call, eager, graph):
    source = PROGRAM.format(call)
    assert _said(programs_run.graph(tf, source)) == graph
    with ways.eager(), ways.interpreted():
        assert _said(programs_run.eager(tf, source)) == eager
        assert _said(programs_run.function(tf, source)) == graph.removesuffix(" early")


# ------------------------------------------------------------------ dtypes
WIDER = {
    "complex64 complex128": re.compile("Batch|CholeskyGrad|SelfAdjointEig$"),
    "uint32 uint64": re.compile("MaxPool"),
    "float64": re.compile("FusedBatchNorm|LRN|MaxPool3D|BlockLSTM|(LSTM|GRU)BlockCell"),
    "float16": re.compile("GRUBlockCell"),
}  # more than 1.12: what the newer form of the op takes; gradients of doubles
UNSAID = {"DeserializeSparse", "SparseSliceGrad"}  # one dtype each, which others check


def _types():
    """(op, its argument, the dtypes that we take, those of TensorFlow's OpDef)"""
    for name, op in sorted(registry.items()):
        known = op_defs.find(name)
        ours = {a.name: a for a in op.sig.inputs}
        for arg in known.inputs if known else ():
            mine = ours.get(arg.name)
            if mine is None or mine.host or not arg.type_attr or name in UNSAID:
                continue
            allowed = known.attrs[arg.type_attr].allowed
            if allowed:
                taken = op.types.get(mine.type_attr, dtypes.ALL_TYPES)
                yield name, arg.name, set(taken), set(allowed)


def test_no_op_takes_a_dtype_that_its_op_def_does_not():
    wrong = []
    for name, arg, taken, allowed in _types():
        more = {t.name for t in taken - allowed}
        for names, ops in WIDER.items():
            more -= set(names.split()) if ops.match(name) else set()
        wrong += [f"{name}.{arg}: {sorted(more)}"] if more else []
    assert not wrong, "\n".join(wrong)


KINDS = [*fuzzing.KINDS, *map(dtypes.as_dtype, ("int16", "uint32", "uint64"))]


def _one_row_an_op():
    rows = {}
    for row in CASES:
        if isinstance(row.op, str) and not row.op.startswith("Twin"):
            rows.setdefault(row.op, row)
    return list(rows.values())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_mode_takes_the_same_dtypes(kind):
    for row in _one_row_an_op():
        op = op_checks.as_op(row)
        inputs = [fuzzing.arrays_of(x) for x in fuzzing.samples(row, row.dtypes[-1])]
        inputs = [
            x if a.host or a.mixed or a.type_attr in row.attrs or not a.type_attr
            else fuzzing._cast(x, kind)
            for a, x in zip(op.sig.inputs, inputs, strict=True)
        ]  # fmt: skip
        fuzzing.check(fuzzing.Example(row, inputs, dict(row.attrs), bool(row.needs)))

"""The engines against each other: eager, interpreted, with passes, compiled by XLA.

Rows are put together into one graph per batch, with unknown shapes of rank only where a
row allows it, so that XLA compiles a batch at a time and not a sample.
"""

import numpy as np

from tests.support import op_checks
from twinflow.base import bind, dispatch, dtypes
from twinflow.eager.mode import MODE
from twinflow.eager.tensor import EagerTensor
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET, Policy
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.gradients import gradients
from twinflow.graph.program import build
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.passes import optimize


def samples(row, dtype):
    """The inputs of a row: eager tensors where tensors go in, host values as given."""
    inputs = row.arrays(dtypes.as_dtype(dtype).np)
    op = op_checks.as_op(row)
    with dispatch.entered(MODE):
        if op is None:
            return [x if i in row.static else _tensors(x) for i, x in enumerate(inputs)]
        attrs = {**op.sig.attrs, **row.attrs}
        return bind.bind(op, inputs, attrs, _tensor, lambda x, *_: x)[0]


def _tensor(value, dtype, _):
    return convert_to_tensor(value, dtype)


def _tensors(x):
    if isinstance(x, list):
        return [_tensors(v) for v in x]
    return constant(x) if isinstance(x, np.ndarray) else x


class Batch:
    """Several rows in one graph.

    Attributes:
        feeds: the arrays of the placeholders. slices: for each row, where its outputs
            and its gradients are among the outputs of the graph.
    """

    def __init__(self, rows, dtype, with_gradients):
        self.graph = FuncGraph("batch", MODE)
        self.rows, self.dtype = rows, dtype
        self.feeds: list = []
        self.outputs: list = []
        self.slices: list = []
        with dispatch.entered(self.graph):
            for row in rows:
                self._add(row, with_gradients)

    def _add(self, row, with_gradients):
        placed = [self._placed(x) for x in samples(row, self.dtype)]
        attrs = dict(row.attrs)
        if "stream" in attrs:  # rows share it; in one graph each needs its own
            attrs["stream"] = type(attrs["stream"])(attrs["stream"].seeds)
        found = op_checks.call(row, placed, attrs)
        start = len(self.outputs)
        self.outputs += found
        middle = len(self.outputs)
        if with_gradients:
            self.outputs += self._gradients(row, placed, found)
        self.slices.append((start, middle, len(self.outputs)))

    def _placed(self, x):
        if isinstance(x, list):
            return [self._placed(v) for v in x]
        if not isinstance(x, EagerTensor):
            return x
        self.feeds.append(x._a)
        return self.graph.add_input(x.dtype, x._shape, "x")

    def _gradients(self, row, placed, found):
        places = op_checks.differentiated(row)
        xs = [t for i in places for t in _listed(placed[i])]
        ys = [t for t in found if t.dtype.is_floating]
        if not xs or not ys:
            return []
        found = gradients(ys, xs)  # sparse ones as tensors
        return [self.graph.tensor(g) for g in found if g is not None]

    def run(self, passes, policy):
        """The arrays of all outputs, and the plan they came from."""
        program = build(self.graph, self.outputs, (), self.graph.inputs, True)
        program = optimize(program) if passes else program
        plan = Plan(program, lambda cell: cell, policy)
        return [np.asarray(a) for a in plan.run(self.feeds)], plan


def _listed(x):
    return x if isinstance(x, list) else [x]


def check_batch(rows, dtype, with_gradients=True):
    """All engines agree on `rows`; the passes bit for bit, XLA within the tolerance."""
    batch = Batch(rows, dtype, with_gradients)
    plain, _ = batch.run(False, INTERPRET)
    passed, _ = batch.run(True, INTERPRET)
    compiled, plan = batch.run(True, Policy(at_once=True))
    entries = [e for c in plan.clusters for e in c.entries.values()]
    for e in entries:
        assert e.error is None, f"{_names(rows)} does not compile: {e.error}"
    assert _accepted(plan, entries, batch.feeds), f"{_names(rows)}: a guard fails"
    for row, (start, middle, stop) in zip(rows, batch.slices, strict=True):
        eager = op_checks.results(row, dtype)
        for e, a in zip(eager, plain[start:middle], strict=True):
            _assert_equal(row, e, a, "eager", "interpreted")
        for i in range(start, stop):
            _assert_equal(row, plain[i], passed[i], "interpreted", "with passes")
            assert_near(row, plain[i], compiled[i], "interpreted and by XLA")


def _accepted(plan, entries, feeds):
    """Whether XLA keeps its results: if a guard fails, the interpreter runs instead."""
    refused = []

    def noted(run):
        def with_note(*args):
            found = run(*args)
            refused.extend([run] if found is None else [])
            return found

        return with_note

    for e in entries:
        e.executable.run = noted(e.executable.run)
    plan.run(feeds)
    return not refused


def _names(rows):
    return ", ".join(row.name for row in rows)


def _assert_equal(row, a, b, first, second):
    assert a.dtype == b.dtype and a.shape == b.shape, f"{row.name}: {first} {second}"
    same = a.tobytes() == b.tobytes() or np.array_equal(a, b, equal_nan=_nans(a))
    assert same, f"{row.name}: {first} {a} != {second} {b}"


def _nans(a):
    return a.dtype.kind in "fc"


def assert_near(row, a, b, ways):
    """Two results of a row are the same up to its tolerance."""
    label = f"{row.name} in {a.dtype}: {ways}"
    assert a.dtype == b.dtype, f"{label}: {a.dtype}, {b.dtype}"
    assert a.shape == b.shape, f"{label}: {a.shape}, {b.shape}"
    if a.dtype.kind not in "fcV":
        assert np.array_equal(a, b), f"{label}: {a} != {b}"
        return
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    x, y = a.astype(wide), b.astype(wide)
    finite = np.isfinite(x)
    assert np.array_equal(x[~finite], y[~finite], equal_nan=True), f"{label}: {x} {y}"
    scale = max(1.0, float(np.abs(x[finite]).max(initial=0)))
    worst = float(np.abs(x[finite] - y[finite]).max(initial=0)) / scale
    limit = 4 * row.tolerance(str(a.dtype))  # each engine may be off, gradients twice
    assert worst <= limit, f"{label}: {worst:.3g} of the scale apart, allowed {limit}"

"""Frozen graphs of TensorFlow 1.12 run here, and those of twinflow there."""

import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.graph import graph_def_cases
from tests.support import graph_def_checks, op_cases  # noqa: F401 - loads the rows
from tests.support.op_cases.table import CASES
from twinflow.base.op_defs import find

_HERE = Path(__file__).parent
GOLDEN = sorted((_HERE / "frozen").glob("*.npz"))


def freeze(session, definition, names):
    return tf.graph_util.convert_variables_to_constants(session, definition, names)


def own(name):
    return graph_def_cases.built(tf, graph_def_cases.CASES[name], freeze)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: p.stem)
def test_a_frozen_graph_of_tensorflow_gives_what_it_gave_there(path):
    with np.load(path) as file:
        graph_def_cases.check(tf, {name: file[name] for name in file.files}, times=2)


@pytest.mark.parametrize("name", graph_def_cases.CASES)
def test_a_frozen_graph_of_twinflow_is_read_again(name):
    graph_def_cases.check(tf, own(name))


def _run_elsewhere(python, tmp_path):
    paths = [tmp_path / f"{name}.npz" for name in graph_def_cases.CASES]
    for path in paths:
        path.write_bytes(graph_def_cases.saved(own(path.stem)))
    command = [python, str(_HERE / "graph_def_cases.py"), "run", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.interop
def test_tensorflow_1_12_runs_our_graphs(tf112_python, tmp_path):
    _run_elsewhere(tf112_python, tmp_path)


@pytest.mark.interop
def test_tensorflow_2_21_runs_our_graphs(tf221_python, tmp_path):
    _run_elsewhere(tf221_python, tmp_path)


@pytest.mark.interop
def test_tensorflow_1_12_loads_the_graph_of_every_row(tf112_python, tmp_path):
    rows = []
    for row in CASES:
        if isinstance(row.op, str) and "RefIdentity" in row.op:
            continue
        if row.name.startswith("Nccl"):  # they want GPUs there
            continue
        graph = graph_def_checks.written(row, row.dtypes[0]).graph
        found = graph.as_graph_def()
        ops = [find(n.op) for n in found.node]
        if all(op and not op.removed for op in ops):
            rows.append((row.name, found.SerializeToString()))
    path = tmp_path / "rows.pickle"
    path.write_bytes(pickle.dumps(rows, protocol=2))
    command = [tf112_python, str(_HERE / "load_rows.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert set(done.stdout.split()) == _STRICTER_THERE


_STRICTER_THERE = {  # what TensorFlow's shape functions or types refuse
    "BatchMatMul-4",  # batches are broadcast
    "EnsureShape-1",  # any shape
    "ExtractImagePatches-6",  # no patch fits
    "_normalized-1", "_normalized-3",  # float64
}  # fmt: skip

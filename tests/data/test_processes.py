"""Maps in other processes: results, errors, and that nothing stays."""

import functools
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from tests.data import process_work
from tests.source_tree import ROOT
from twinflow.base import dtypes, errors
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.apply_functions import map_and_batch
from twinflow.data.functions import Env, Run
from twinflow.data.processes import crew, task, worker
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.variables.resource import ResourceVariable


def children(state=""):
    """The numbers of the workers of this process, ended ones among them."""
    command = [
        "ps",
        "-Aww",
        *(f"-o{what}=" for what in ("pid", "ppid", "stat", "args")),
    ]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split(None, 3) for line in lines]
    mine = [r for r in rows if r[1] == str(os.getpid()) and state in r[2]]
    return [int(r[0]) for r in mine if "Z" in r[2] or "processes.worker" in r[3]]


@pytest.fixture(autouse=True)
def nothing_left_behind():
    files = len(os.listdir("/dev/fd"))
    yield
    gc.collect()
    assert not children()
    assert len(os.listdir("/dev/fd")) <= files


def mapped(function, count=20, workers=2):
    return Dataset.range(count).map(function, workers, workers="process")


def test_results_are_those_of_threads(elements):
    ours = elements(lambda: mapped(process_work.of_kinds))
    assert ours == elements(lambda: Dataset.range(20).map(process_work.of_kinds))
    assert ours[5] == {"twice": 12, "row": [5, 5], "text": b"5"}


def test_batches_of_large_arrays():
    found = list(mapped(process_work.image, 50).batch(7))
    assert [len(b.numpy()) for b in found] == [7] * 7 + [1]
    for i, row in enumerate(np.concatenate([b.numpy() for b in found])):
        assert (row == i).all()


def test_map_and_batch():
    apply = lambda **more: map_and_batch(
        process_work.image, 4, workers="process", **more
    )
    found = Dataset.range(6).apply(apply(num_parallel_calls=1))
    assert [b.numpy().shape for b in found] == [(4, 64, 300), (2, 64, 300)]
    with pytest.raises(ValueError, match="needs num_parallel_calls"):
        Dataset.range(6).apply(apply(num_parallel_batches=2))


def test_a_pass_goes_on_from_its_place():
    dataset = mapped(process_work.fails_at_ten, 30)
    run, again = Run(dataset, Env()), Run(dataset, Env())
    assert [int(next(run)[0]) for _ in range(7)] == list(range(7))
    again.resume(*run.state())
    for elements in (run, again):
        assert [int(next(elements)[0]) for _ in range(3)] == [7, 8, 9]
        with pytest.raises(errors.InvalidArgumentError, match="ten is too much"):
            next(elements)
        assert [int(x) for (x,) in elements] == list(range(11, 30))


def test_shapes_that_differ_are_named_as_with_threads():
    with pytest.raises(errors.InvalidArgumentError) as threads:
        list(Dataset.range(2, 20).map(process_work.of_kinds, 2).batch(8))
    dataset = Dataset.range(2, 20).map(process_work.of_kinds, 2, workers="process")
    with pytest.raises(errors.InvalidArgumentError) as processes:
        list(dataset.batch(8))
    assert processes.value.message == threads.value.message


def test_the_processes_stay_for_all_passes():
    dataset = mapped(process_work.process, 400).repeat(2)
    pids = {int(pid) for _ in range(2) for _, pid in dataset}
    assert pids == set(children()) and len(pids) == 2
    assert os.getpid() not in pids
    it = iter(dataset)
    assert {int(next(it)[1]) for _ in range(9)} <= pids
    with Graph().as_default(), Session() as session:
        dataset = mapped(process_work.process, 400)
        iterator = dataset.make_initializable_iterator()
        element, found = iterator.get_next(), set()
        for _ in range(3):  # the passes before are given up half-way
            session.run(iterator.initializer)
            rows = [session.run(element) for _ in range(30)]
            assert [x for x, _ in rows] == list(range(30))
            found.update(pid for _, pid in rows)
        assert len(found) == 2 and not found & pids


def test_two_passes_at_once_have_their_own_processes():
    dataset = mapped(process_work.process, 100)
    pairs = list(Dataset.zip((dataset, dataset)))
    assert [(int(a), int(b)) for (a, _), (b, _) in pairs] == [
        (i, i) for i in range(100)
    ]
    assert not {int(p) for (_, p), _ in pairs} & {int(p) for _, (_, p) in pairs}


def test_workers_that_rest_for_long_end_and_are_replaced(monkeypatch):
    monkeypatch.setattr(task, "PATIENCE", 0.1)
    dataset = mapped(process_work.process)
    first = {int(pid) for _, pid in dataset}
    limit = time.monotonic() + 10
    while len(children("Z")) < 2 and time.monotonic() < limit:
        time.sleep(0.05)
    assert len(children("Z")) == 2
    second = {int(pid) for _, pid in dataset}
    assert second and not first & second


def test_lambdas_closures_and_captured_tensors():
    three, k = 3, constant(100, dtypes.int64)
    helper = lambda x: x * three
    dataset = mapped(lambda x: process_work.of_arrays(helper, x) + k)
    assert [int(x) for x in dataset] == [3 * x + 100 for x in range(20)]
    dataset = mapped(functools.partial(process_work.Plus(7)))
    assert [int(x) for x in dataset] == list(range(7, 27))


def test_a_worker_imports_no_jax():
    assert [int(x) for x in mapped(process_work.has_jax, 2)] == [0, 0]


# ---------------------------------------------------------------------- errors
def test_errors_come_in_their_place_with_the_users_line():
    iterator = iter(mapped(process_work.fails_at_ten))
    assert [int(next(iterator)) for _ in range(10)] == list(range(10))
    with pytest.raises(errors.InvalidArgumentError) as caught:
        next(iterator)
    text = str(caught.value)
    assert "ValueError: ten is too much" in text and "process_work.py" in text
    assert "in function" in text and "Caused by op 'PyFunc'" in text
    assert [int(x) for x in iterator] == list(range(11, 20))


@pytest.mark.parametrize(("how", "text"), [("exit", "status 3"), ("kill", "SIGKILL")])
def test_a_process_that_dies_is_an_error(how, text):
    iterator = iter(mapped(functools.partial(process_work.dies_at_ten, how=how)))
    start = time.monotonic()
    with pytest.raises(errors.InternalError, match=text):
        list(iterator)
    assert time.monotonic() - start < 10
    assert next(iterator, None) is None and not children()


def test_exceptions_that_cannot_be_sent():
    try:
        raise process_work.Odd("strange")
    except process_work.Odd as error:
        found = crew.raised(worker._portable(error), {})
    assert type(found) is errors.UnknownError and "Odd: strange" in str(found)
    try:
        raise KeyError("missing")
    except KeyError as error:
        found = crew.raised(worker._portable(error), {})
    assert type(found) is KeyError and "test_processes.py" in found.__notes__[0]


def test_the_program_may_go_on_after_ctrl_c(monkeypatch):
    iterator = iter(mapped(process_work.process, 40))
    found = [int(next(iterator)[0]) for _ in range(5)]
    result = crew.Worker.result

    def interrupted(self):
        monkeypatch.setattr(crew.Worker, "result", result)
        raise KeyboardInterrupt

    monkeypatch.setattr(crew.Worker, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        while True:
            found.append(int(next(iterator)[0]))
    assert found + [int(x) for x, _ in iterator] == list(range(40))


# ---------------------------------------------------------------------- refusals
def draws(x):
    return random_uniform([])


def of_variable():
    v = ResourceVariable(constant(1, dtypes.int64))
    return lambda x: x + v


def of_lock():
    lock = threading.Lock()
    return lambda x: process_work.of_arrays(lambda x: lock and x, x)


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (
            lambda: draws,
            ValueError,
            r"RandomUniform \(.*test_processes.py:\d+\) reads, w",
        ),
        (of_variable, ValueError, r"ReadVariableOp .*as a tensor"),
        (of_lock, TypeError, r"test_processes.py:\d+\) cannot be sent: .*lock"),
    ],
)
def test_what_cannot_be_done_elsewhere_is_refused(make, kind, text):
    with Graph().as_default(), pytest.raises(kind, match=text):
        mapped(make())


def test_graph_tensors_inside_a_closure_are_refused():
    with Graph().as_default():
        x = placeholder(dtypes.int64, [])
        with pytest.raises(TypeError, match="sessions and graph tensors inside"):
            mapped(lambda y: x + y)


def test_the_argument_is_checked():
    with pytest.raises(ValueError, match="'fork'"):
        Dataset.range(3).map(lambda x: x, 2, workers="fork")
    with pytest.raises(ValueError, match="needs num_parallel_calls"):
        Dataset.range(3).map(lambda x: x, workers="process")


# ---------------------------------------------------------------------- programs
FUNCTION = """
import os, sys
import {module} as tf
os.write(1, f"runs as {{__name__}}\\n".encode())  # a whole line at once
def double(x):
    return tf.py_func(lambda a: a * FACTOR, [x], tf.int64)
class Plus:
    def __call__(self, x): return x + 1
FACTOR = 2
def run(*functions):
    d = tf.data.Dataset.range(4)
    for f in functions:
        d = d.map(f, 2, workers="process")
    print([int(x) for x in d], flush=True)
"""


def run(tmp_path, text, *command):
    path = tmp_path / "program.py"
    path.write_text(text)
    return subprocess.Popen(
        [sys.executable, *command, str(path)], cwd=tmp_path, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_script_needs_no_guard(tmp_path):
    text = FUNCTION.format(module="twinflow") + (
        "tf.enable_eager_execution()\nrun(double, lambda x: x + FACTOR)\nrun(Plus())\n"
    )
    out, err = run(tmp_path, text).communicate(timeout=60)
    assert out.splitlines() == ["runs as __main__", "[2, 4, 6, 8]", "[1, 2, 3, 4]"], err


UNGUARDED = """
import twinflow as tf
tf.enable_eager_execution()
d = tf.data.Dataset.range(2).map(lambda x: x, 1, workers="process")
print([int(x) for x in d], flush=True)
def own(x):
    return x
"""


def test_a_module_that_starts_workers_when_it_is_imported(tmp_path):
    """A worker that imports it does not start workers of its own."""
    (tmp_path / "unguarded.py").write_text(UNGUARDED)
    text = (
        "import twinflow as tf, unguarded\n"
        "d = tf.data.Dataset.range(2).map(unguarded.own, 1, workers='process')\n"
        "print([int(x) for x in d])\n"
    )
    out, err = run(tmp_path, text).communicate(timeout=60)
    assert out.splitlines() == ["[0, 1]"]
    assert 'under `if __name__ == "__main__":`' in err
    assert f'File "{tmp_path}/unguarded.py"' in err


def test_a_guarded_script_of_2018(tmp_path):
    text = FUNCTION.format(module="tensorflow") + (
        "if __name__ == '__main__':\n"
        "    tf.enable_eager_execution()\n    run(double, Plus())\n"
    )
    out, err = run(tmp_path, text, "-m", "twinflow", "run").communicate(timeout=60)
    assert "[1, 3, 5, 7]" in out, err


ENDLESS = """
import signal, sys, time
import twinflow as tf
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job of "&" ignores it
tf.enable_eager_execution()
def slow(x):
    time.sleep(0.01)
    return x
d = tf.data.Dataset.range(10**9).map(
    lambda x: tf.py_func(slow, [x], tf.int64), 2, workers="process").prefetch(2)
for i, x in enumerate(d):
    if i == 3:
        print("ready", flush=True)
    if i == 3 and {leave}:
        sys.exit(0)
"""


@pytest.mark.parametrize("signal_", [None, signal.SIGINT, signal.SIGKILL])
def test_no_process_stays_after_the_program(tmp_path, signal_):
    program = run(tmp_path, ENDLESS.format(leave=signal_ is None))
    assert program.stdout.readline() == "ready\n"
    if signal_ is signal.SIGINT:
        os.killpg(program.pid, signal_)  # as the terminal does
    elif signal_:
        program.kill()
    err = program.communicate(timeout=30)[1]  # at the end nobody has its pipes
    expected = {None: "", signal.SIGINT: "KeyboardInterrupt", signal.SIGKILL: ""}
    assert err.strip().splitlines()[-1:] == [t for t in [expected[signal_]] if t]


def test_messages():
    memory = crew.Memory()
    for value in ([], [np.arange(5)], [np.ones((300, 300)), "text", np.zeros((0, 3))]):
        message = crew.packed(value, memory)
        found = crew.unpacked(message, crew.Memory(os.dup(memory.fd)))
        np.testing.assert_equal(found, value)
        assert [type(v) for v in found] == [type(v) for v in value]
    memory.close()

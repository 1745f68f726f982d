"""CollectiveAllReduceStrategy: several processes give the numbers of one."""

import json
import time

import numpy as np
import pytest

import twinflow as tf
from tests.distribute import together

STEPS = "tests/distribute/collective_program.py"
ESTIMATOR = "tests/distribute/estimator_program.py"
KERAS = "tests/distribute/keras_program.py"


def trained(kind, count, optimizer):
    """What each process found."""
    lines = together.last_lines(together.start(STEPS, [kind, optimizer], count))
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("optimizer", ["MomentumOptimizer"])
def test_processes_give_the_numbers_of_one(optimizer):
    (one,) = trained("graph", 1, optimizer)
    for kind, count in (("graph", 2), ("function", 4)):
        found = trained(kind, count, optimizer)
        assert all(f == found[0] for f in found)  # bit for bit
        np.testing.assert_allclose(found[0]["losses"], one["losses"], rtol=1e-5)
        for key in ("begun", "ends"):
            a, b = (np.sort(np.concatenate(f[key])) for f in (found[0], one))
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def variables(folder):
    reader = tf.train.load_checkpoint(str(folder))
    return {n: reader.get_tensor(n) for n in reader.get_variable_to_shape_map()}


def test_estimators(tmp_path):
    alone, both = tmp_path / "alone", tmp_path / "both"
    together.last_lines(together.start(ESTIMATOR, [alone, 20, 10], 1))
    found = together.last_lines(
        together.start(ESTIMATOR, [both, 20, 10], 2, chief=True)
    )
    assert found[0] == "trained 20"
    assert len(list(both.glob("events*"))) == 1  # of the chief
    wanted, found = variables(alone), variables(both)
    assert wanted.keys() == found.keys()
    for name, value in wanted.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)


def test_a_killed_worker_ends_the_training_and_loses_no_checkpoint(tmp_path):
    processes = together.start(ESTIMATOR, [tmp_path, 100000, 20], 2)
    try:
        while not (tmp_path / "checkpoint").exists():
            assert all(p.poll() is None for p in processes)
            time.sleep(0.1)
        processes[1].kill()
    finally:
        (status, _, said), _ = together.ends(processes)
    assert status == 1
    assert "process 1 has died. Start them again from the last checkpoint" in said
    assert "estimator_program.py" in said
    step = int(variables(tmp_path)["global_step"])
    done = together.last_lines(together.start(ESTIMATOR, [tmp_path, step + 20, 20], 1))
    assert done == [f"trained {step + 20}"]


@pytest.mark.parametrize("kind", [
    ("graph",), ("eager",), ("graph", "scope"), ("eager", "scope"),
])  # fmt: skip
def test_keras(kind):
    run = lambda count: [
        json.loads(line)
        for line in together.last_lines(together.start(KERAS, kind, count))
    ]
    (one,), both = run(1), run(2)
    assert both[0] == both[1]
    np.testing.assert_allclose(both[0]["score"], one["score"], rtol=1e-5)
    assert len(one["history"]) == 3
    for name, values in one["history"].items():
        np.testing.assert_allclose(both[0]["history"][name], values, rtol=1e-5)
    for found, wanted in zip(both[0]["ends"], one["ends"]):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)

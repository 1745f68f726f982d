"""What processes give each other (Note [Processes]), and what happens without one."""

import json

import pytest

import twinflow as tf
from tests.distribute import together
from twinflow.base import processes as base_processes
from twinflow.distribute import environment
from twinflow.distribute.environment import Place
from twinflow.ops.math.process_values import process_reduce

PROGRAM = "tests/distribute/values_program.py"


def test_values_and_gradients():
    found = together.last_lines(together.start(PROGRAM, ["values"], 3))
    assert [json.loads(f) for f in found] == ["fine"] * 3


@pytest.mark.parametrize(("how", "error", "what"), [
    ("dies", "UnavailableError", "process 1 has died"),
    ("late", "DeadlineExceededError", "process 1 has not come"),
])  # fmt: skip
def test_the_one_that_is_missing_is_named(how, error, what):
    (status, out, said), last = together.ends(together.start(PROGRAM, [how], 2))
    assert status == 0, said
    assert json.loads(out.strip().splitlines()[-1]).startswith(error)
    assert what in out
    assert last[0] == (9 if how == "dies" else 0)


def test_different_collectives_are_named_in_all_processes():
    lines = together.last_lines(together.start(PROGRAM, ["differ"], 2))
    first, second = map(json.loads, lines)
    wanted = [
        ("sum of float32[3]", "gather of float32[?]"),
        ("sum of float32[3]", "sum of float32[4]"),
        ("sum of 2 tensors, of which number 2 is float32[4]", "sum of float32[3]"),
        ("sum of float32[3]", "max of float32[3]"),
        ("gather of float32[?,3]", "gather of float32[?,4]"),
        ("broadcast from process 0 of float32[3]",
         "broadcast from process 1 of float32[3]"),
        ("sum of 2 tensors, of which number 2 is float32[4] 'b'",
         "sum of 2 tensors, of which number 2 is float32[4] 'c'"),
        ("sum of float32[524288]", "sum of float64[3]"),
        ("sum of float32[1]", "sum of float32[2]"),
    ]  # fmt: skip
    for a, b, (one, other) in zip(first, second, wanted, strict=True):
        said = f"process 0 computes the {one}; process 1 computes the {other}. All"
        assert said in a and said in b
    assert "values_program.py" in first[-1]  # the line of the op


def test_alone():
    assert (base_processes.size(), base_processes.rank()) == (1, 0)
    assert environment.join(None) is None
    with tf.Graph().as_default(), tf.Session() as session:
        (found,) = process_reduce([tf.constant(1.0)])
        with pytest.raises(tf.errors.UnavailableError, match="twinflow launch"):
            session.run(found)
        with pytest.raises(ValueError, match="merge must be one of sum, prod"):
            process_reduce([tf.constant(1.0)], "mean")


CLUSTER = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "evaluator": ["d:1"]}


@pytest.mark.parametrize(("cluster", "task", "place"), [
    (CLUSTER, ("chief", 0), Place("a:1", 3, 0)),
    (CLUSTER, ("worker", 1), Place("a:1", 3, 2)),
    (CLUSTER, ("evaluator", 0), None),
    ({"worker": ["b:1", "c:1"]}, ("worker", "1"), Place("b:1", 2, 1)),
    ({"worker": ["b:1"]}, ("worker", 0), None),
    ({**CLUSTER, "ps": ["e:1"]}, ("chief", 0), None),
    ({}, (None, None), None),
])  # fmt: skip
def test_places(cluster, task, place):
    assert environment.place_of(tf.train.ClusterSpec(cluster), *task) == place


def test_places_that_cannot_be(monkeypatch):
    with pytest.raises(ValueError, match="has no task 7 'worker'"):
        environment.place_of(CLUSTER, "worker", 7)
    monkeypatch.setenv("TWINFLOW_COORDINATOR", "a:1")
    monkeypatch.setenv("TWINFLOW_SIZE", "two")
    with pytest.raises(ValueError, match="TWINFLOW_SIZE must be a number"):
        environment.place_now()
    monkeypatch.setenv("TWINFLOW_SIZE", "2")
    monkeypatch.setenv("TWINFLOW_RANK", "1")
    assert environment.place_now() == Place("a:1", 2, 1)

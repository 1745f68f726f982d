"""Functions and graphs on accelerators (see execute.places), played by devices."""

import os
import subprocess
import sys

import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.base import devices
from twinflow.execute.cutting import cut
from twinflow.execute.places import HOST, Places
from twinflow.graph.program import build


def _run_program(compiling, **extra):
    env = {
        **os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": compiling, **extra,
    }  # fmt: skip
    program = ROOT / "tests/execute/accelerator_graphs_program.py"
    done = subprocess.run(
        [sys.executable, program, compiling], env=env, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ok\n"


@pytest.mark.parametrize("compiling", ["auto", "wait"])
def test_accelerators_that_are_played(compiling):
    flags = "--xla_force_host_platform_device_count=3"
    _run_program(
        compiling, XLA_FLAGS=flags, TWINFLOW_FAKE_GPUS="2", JAX_PLATFORMS="cpu"
    )


@pytest.mark.gpu
@pytest.mark.skipif(devices.num_gpus() == 0, reason="there is no GPU")
@pytest.mark.parametrize("compiling", ["auto", "wait"])
def test_real_accelerators(compiling):
    _run_program(compiling)


class _Two(Places):
    """Places on a machine with two accelerators, none of which is needed."""

    def __init__(self, free=None):
        super().__init__(None)
        self.there, self.free = 2, free


def source():
    """What is computed in a step, by one node that asks for no device."""
    return tf.get_variable("source", [2], use_resource=True).value()


def homes(make, free=None):
    """The (home, types of nodes) of a program, in order."""
    with tf.Graph().as_default() as graph:
        fetched = make()
        program = build(graph, [fetched])
        groups = cut(program, (), _Two(free))
        return [(h, [n.type for n in nodes]) for h, nodes, _ in groups]


def test_a_change_of_device_parts_clusters():
    def make():
        x = source()
        with tf.device("/gpu:0"):
            x = tf.exp(x)
        with tf.device("/gpu:1"):
            x = tf.sin(x)
        with tf.device("/gpu:0"):
            return tf.cos(x)

    assert homes(make) == [
        (None, ["ReadVariableOp"]), (0, ["Exp"]), (1, ["Sin"]), (0, ["Cos"]),
    ]  # fmt: skip


def test_what_does_not_depend_stays_together():
    def make():
        x = source()
        with tf.device("/gpu:0"):
            a = tf.exp(x)
        with tf.device("/gpu:1"):
            b = tf.sin(x)
        with tf.device("/gpu:0"):
            c = tf.cos(x)
            return a + tf.identity(b) + c

    found = homes(make)
    assert found[0] == (None, ["ReadVariableOp"])
    assert sorted(found[1:3]) == [(0, ["Exp", "Cos"]), (1, ["Sin"])]
    assert found[3][0] == 0


def test_a_host_step_is_at_home_on_the_host():
    def make():
        with tf.device("/gpu:0"):
            x = tf.exp(source())
            return tf.py_func(lambda a: a, [x], tf.float32)

    assert [h for h, _ in homes(make)] == [0, HOST]


def test_nodes_go_to_their_variables():
    def make():
        with tf.device("/gpu:1"):
            v = tf.get_variable("v", [2], use_resource=True)
            w = tf.get_variable("w", [2])
        with tf.control_dependencies([v.assign([1.0, 2.0]), w.assign([1.0, 2.0])]):
            return v.read_value()

    types = ["AssignVariableOp", "ReadVariableOp", "Assign", "ReadVariableOp"]
    assert homes(make)[0] == (1, types)


def test_who_asks_for_nothing_goes_to_the_first():
    def make():
        x = tf.exp(source())
        with tf.device("/cpu:0"):
            return tf.sin(x)

    assert [h for h, _ in homes(make, free=0)] == [0, None]


@pytest.mark.parametrize("name", ["/gpu:5", "/job:a/task:3", "/device:TPU:0"])
def test_a_device_that_is_not_there_is_a_wish(name):
    def make():
        with tf.device(name):
            return tf.exp(source())

    assert [h for h, _ in homes(make, free=0)] == [0]

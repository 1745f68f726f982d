"""The ops that update variables, against TensorFlow 1.12 and between the engines."""

import json
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.ops import training_ops
from tests.ways import compiled, interpreted
from twinflow.base.dispatch import apply
from twinflow.base.op_lookup import known_op

GOLDEN = json.loads((Path(__file__).parent / "training_ops.json").read_text())
cases = pytest.mark.parametrize(("op", "kind"), list(training_ops.cases()))


def make(op_type, inputs):
    op = known_op(op_type)
    attrs = dict(op.sig.attrs)
    if "shape" in attrs:
        attrs["shape"] = (3, 2)
    return apply(op, tuple(inputs), attrs)


def compare(found, op, kind, ulps=4):
    """At most so many units in the last place of the largest number."""
    for a, wanted in zip(found, GOLDEN[f"{op} {kind}"], strict=True):
        wanted = np.array(wanted, np.float32)
        assert np.abs(a - wanted).max() <= ulps * np.spacing(np.abs(wanted).max())


@cases
@pytest.mark.parametrize("resource", [False, True], ids=["reference", "resource"])
def test_three_runs(op, kind, resource):
    with interpreted():
        found = training_ops.in_graph(tf, make, op, kind, resource)
    compare(found, op, kind)


COMPILED = [
    ("Adagrad", "dense"), ("Adagrad", "sparse"), ("Adagrad", "twice"),
    ("FtrlV2", "dense"), ("CenteredRMSProp", "sparse"),
]  # fmt: skip


@pytest.mark.parametrize(("op", "kind"), COMPILED)
def test_three_compiled_runs(op, kind):
    with compiled():
        found = training_ops.in_graph(tf, make, op, kind, True)
    compare(found, op, kind, 16)  # XLA adds and multiplies in one rounding


@cases
def test_three_runs_eagerly(eager, op, kind):
    cells = [tf.Variable(a) for a in training_ops.starts(op)]
    for inputs in training_ops.updates(op, kind):
        handles = [v.handle for v in cells]
        make(
            training_ops.op_type(op, kind, True), [*handles, *map(tf.constant, inputs)]
        )
    compare([v.numpy() for v in cells], op, kind)


# ------------------------------------------------------------------ errors
WRONG = [
    ([[1.0, 2.0]], [3], "Index 3 at offset 0 in indices is out of range"),
    ([[1.0, 2.0]] * 2, [0, -1], "Index -1 at offset 1 in indices is out of range"),
    ([[1.0, 2.0]], [0, 1], "grad must be the same size as indices in the first dim"),
    ([[1.0]], [0], "var and grad must match in dimension 1"),
]


@pytest.mark.parametrize(("grad", "rows", "words"), WRONG)
def test_rows_that_do_not_fit(graph, grad, rows, words):
    v = tf.Variable(np.ones([3, 2], np.float32), use_resource=True)
    a = tf.Variable(np.ones([3, 2], np.float32), use_resource=True)
    x, i = tf.placeholder("float32"), tf.placeholder("int32")
    op = make("ResourceSparseApplyAdagrad", [v.handle, a.handle, 0.1, x, i])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            sess.run(op, {x: grad, i: rows})
        assert (sess.run(v) == 1).all() and (sess.run(a) == 1).all()


def test_a_gradient_of_another_shape(graph):
    v, a = (tf.Variable([1.0, 2.0], use_resource=True) for _ in range(2))
    x = tf.placeholder("float32")
    op = apply(
        known_op("ResourceApplyAdagrad"),
        (v.handle, a.handle, 0.1, x),
        {"update_slots": True, "shape": (2,)},
    )
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        words = r"var and grad do not have the same shape\[2\] \[1\]"
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            sess.run(op, {x: [3.0]})


def test_slots_that_are_not_updated(eager):
    v, a = tf.Variable([1.0, 2.0]), tf.Variable([4.0, 4.0])
    attrs = {"update_slots": False, "shape": (2,)}
    inputs = v.handle, a.handle, 0.5, tf.constant([1.0, 2.0])
    apply(known_op("ResourceApplyAdagrad"), inputs, attrs)
    assert v.numpy().tolist() == [0.75, 1.5] and a.numpy().tolist() == [4.0, 4.0]

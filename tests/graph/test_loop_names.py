"""Names that programs see in and around loops and branches, as TensorFlow has them."""

import pytest

import twinflow as tf
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.ops.variables import references  # noqa: F401 - has RefIdentity


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def seen(names, t):
    names.append(t.name)
    return t


def test_the_counter_of_a_loop_takes_names():
    names: list = []

    def body(i, y):
        return [seen(names, seen(names, i) + 1), seen(names, y) * 2.0]

    out = tf.while_loop(
        lambda i, y: seen(names, seen(names, i) < 3), body, [0, 1.0],
        maximum_iterations=2,
    )  # fmt: skip
    assert names == [
        "while/Merge_1:0", "while/Less_1:0", "while/Identity_1:0", "while/add_1:0",
        "while/Identity_2:0",
    ]  # fmt: skip
    assert [t.name for t in out] == ["while/Exit_1:0", "while/Exit_2:0"]


def test_a_loop_without_a_limit_has_no_counter():
    out = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [0, 1.0])
    assert [t.name for t in out] == ["while/Exit:0", "while/Exit_1:0"]


def test_a_limit_that_is_known_stops_a_loop():
    n = tf.while_loop(lambda i: i < 9, lambda i: i + 1, [0], maximum_iterations=4)
    with tf.Session() as session:
        assert session.run(n) == 4


def test_names_in_folds():
    x, names = tf.zeros([4, 2]), []
    tf.map_fn(lambda t: seen(names, t + 1.0), x)
    tf.scan(lambda a, t: seen(names, seen(names, a) + t), x)
    tf.foldl(lambda a, t: seen(names, a + t), x)
    tf.foldr(lambda a, t: seen(names, a + t), x)
    assert names == [
        "map/while/add_1:0", "scan/while/Identity_2:0", "scan/while/add_1:0",
        "foldl/while/add:0", "foldr/while/add:0",
    ]  # fmt: skip


def test_an_empty_name_is_the_outermost_scope():
    """As 1.12 names them."""
    x, rows = tf.constant(0), tf.range(3)
    with tf.name_scope("a"):
        found = [
            tf.cond(x > 1, lambda: tf.identity(x), lambda: x + 1, name=""),
            tf.map_fn(lambda v: v + 1, rows, name=""),
            tf.scan(lambda a, v: a + v, rows, name=""),
            tf.tuple([x], name="")[0],
            tf.foldl(lambda a, v: a + v, rows, name=""),
            tf.foldr(lambda a, v: a + v, rows, name=""),
            tf.while_loop(lambda i: i < 3, lambda i: i + 1, [x], name=""),
        ]
    assert [t.op.name for t in found] == [
        "Merge", "TensorArrayStack/TensorArrayGatherV3",
        "TensorArrayStack_1/TensorArrayGatherV3", "control_dependency",
        "while_2/Exit_1", "while_3/Exit_1", "Exit",
    ]  # fmt: skip


def test_a_reference_stays_one_in_a_loop():
    x = tf.Variable(5, use_resource=False)._ref()

    def body(i, x):
        assert x.dtype._is_ref_dtype
        return i + 1, apply(registry["RefIdentity"], (x,))

    i, y = tf.while_loop(lambda i, x: i < 9, body, [tf.constant(0), x])
    assert (i.dtype, y.dtype) == (tf.int32, x.dtype)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([i, y]) == [9, 5]

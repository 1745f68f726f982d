"""tf.contrib.labeled_tensor: axes, texts and values of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, in_graph

lt = tf.contrib.labeled_tensor
X = np.arange(6, dtype=np.float32).reshape(3, 2)


def labeled(array=X, axes=("a", ("b", ["x", "y"]))):
    return lt.LabeledTensor(tf.constant(array), list(axes))


def shown(x):
    return [(a.name, a.value) for a in x.axes.values()]


def refused(text, function, *args, error=ValueError):
    with pytest.raises(error) as info:
        function(*args)
    assert text in str(info.value)


def test_axes():
    axis = lt.Axis("a", ["x", "y"])
    assert (
        axis.index("y") == 1
        and axis.size == 2
        and axis == lt.as_axis(("a", ["x", "y"]))
    )
    assert repr(lt.Axes([("a", 3), ("b", axis.labels)])) == (
        "Axes([('a', Dimension(3)),\n      ('b', ('x', 'y'))])"
    )
    refused("Tick labels must be unique, but got ('x', 'x')", lt.Axis, "a", ["x", "x"])
    refused("Duplicate axis name: a", lt.Axes, [("a", 1), ("a", 2)])
    refused("", lt.Axis, "a", 3.5, error=TypeError)
    refused("Provided axis size 3", labeled, X, ["a", ("b", 3)])


@both
def test_values_follow_their_labels(run):
    def build():
        x = labeled()
        other = lt.LabeledTensor(tf.constant([[1.0, 10.0]]), ["c", ("b", ["x", "y"])])
        cases = [
            lt.select(x, {"b": "y"}), lt.select(x, {"b": ["y", "x"]}),
            lt.pad(x, {"a": (1, 0)}), lt.reduce_sum(x, [("a", "all")]),
            lt.matmul(x, other), lt.tile(x, {"a": 2}),
            lt.boolean_mask(x, lt.constant([True, False, True], axes=["a"])),
            lt.where(x > 2.0, x, -x), lt.map_fn(lambda row: row * 2.0, x),
            lt.foldl(lambda s, row: s + lt.reduce_sum(row), x, 0.0),
            x[1:, 0], 1.0 - x,
        ]  # fmt: skip
        return [case.tensor for case in cases]

    expected = [
        X[:, 1], X[:, ::-1], np.pad(X, [(1, 0), (0, 0)]), X.sum(0, keepdims=True),
        X @ [[1.0], [10.0]], np.tile(X, (2, 1)), X[[0, 2]], np.where(X > 2, X, -X),
        X * 2, X.sum(), X[1:, 0], 1 - X,
    ]  # fmt: skip
    for found, wanted in zip(run(build), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_axes_of_results():
    x = labeled()
    new = lt.constant([[1.0], [2.0], [3.0]], axes=["a", ("b", ["z"])])
    assert shown(lt.concat([x, new], "b"))[1] == ("b", ("x", "y", "z"))
    assert shown(lt.pack([x, x], ("n", ["p", "q"]), 1))[1] == ("n", ("p", "q"))
    assert [shown(t) for t in lt.unpack(x, "b")] == [[("a", 3)]] * 2
    assert shown(lt.reshape(x, ["a", "b"], ["place"])) == [("place", 6)]
    assert shown(lt.reduce_mean(x, [("a", "mean")]))[0] == ("a", ("mean",))
    assert shown(x + lt.constant([1.0, 2.0], axes=["c"]))[2] == ("c", 2)
    assert shown(lt.squeeze(lt.expand_dims(x, ["a", "one", "b"]))) == shown(x)
    assert lt.random_crop(x, {"a": 2}).shape == (2, 2)
    refused("Mismatched shared axes", lt.concat, [x, new], "a")
    refused("cannot tile axes with tick labels: ['b']", lt.tile, x, {"b": 2})
    refused("The axis named a does not have labels", lt.select, x, {"a": 0})
    refused("cannot automatically convert", lt.add, x, tf.ones([2]))


def test_the_order_of_axes():
    x, y = labeled(), lt.transpose(labeled())
    refused("No consistent axis order allows", lt.add, x, y, error=lt.AxisOrderError)
    with lt.axis_order_scope(["b", "a"]):
        assert list(lt.add(lt.impose_axis_order(x), y).axes) == ["b", "a"]
        refused("do not appear in the same order", lt.check_axis_order, x)


def test_examples_batches_and_slopes():
    record = tf.train.Example(
        features=tf.train.Features(
            feature={"x": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))}
        )
    ).SerializeToString()

    def build():
        feature = lt.FixedLenFeature([("b", ["x", "y"])], tf.int64)
        parsed = lt.parse_example(lt.constant([record], axes=["n"]), {"x": feature})
        assert list(parsed["x"].axes) == ["n", "b"]
        x = labeled()
        loss = lt.reduce_sum(lt.square(x))
        (batched,) = lt.batch([x], 2)
        assert shown(batched)[0] == ("batch", 2)
        return parsed["x"].tensor, tf.gradients(loss.tensor, x.tensor)[0]

    parsed, slope = in_graph(build)
    np.testing.assert_array_equal(parsed, [[1, 2]])
    np.testing.assert_array_equal(slope, 2 * X)


def test_a_coder_restores_the_axes():
    coder = lt.ReshapeCoder(["a", "b"], ["place"])
    refused("decode called before encode", coder.decode, labeled())
    assert shown(coder.decode(coder.encode(labeled()))) == shown(labeled())

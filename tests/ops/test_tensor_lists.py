"""Lists of tensors: values that each op makes anew, with gradients through them."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from twinflow.compat.door import generated

LISTS = "python.ops.gen_list_ops"
SCALAR = np.zeros(0, np.int32)


def op(name):
    """A function of gen_list_ops."""
    return generated.function(LISTS, name)


def stack(handle):
    """The floats in a list."""
    return op("tensor_list_stack")(handle, tf.float32)


def of(*values):
    """A list of floats."""
    return op("tensor_list_from_tensor")(tf.constant(values), SCALAR)


@both
def test_elements_come_and_go(run):
    def build():
        empty = op("empty_tensor_list")(SCALAR, tf.float32)
        pushed = op("tensor_list_push_back")(of(1.0, 2.0), 3.0)
        popped, last = op("tensor_list_pop_back")(pushed, tf.float32)
        put = op("tensor_list_set_item")(popped, 0, 7.0)
        joined = op("tensor_list_concat_lists")(put, popped, tf.float32)
        scattered = op("tensor_list_scatter")([1.0, 2.0], [1, 0], SCALAR)
        return [
            stack(empty), stack(pushed), last, stack(joined), stack(scattered),
            op("tensor_list_length")(pushed),
            op("tensor_list_gather")(pushed, [2, 0], tf.float32),
            op("tensor_list_element_shape")(pushed, tf.int32),
            stack(op("tensor_list_reserve")(SCALAR, 3, tf.float32)),
        ]  # fmt: skip

    found = [a.tolist() for a in run(build)]
    assert found == [
        [], [1, 2, 3], 3, [7, 2, 1, 2], [2, 1], 3, [3, 1], [], []
    ]  # fmt: skip


@both
def test_gradients_go_through(run):
    def build():
        x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            handle = op("tensor_list_from_tensor")(x, SCALAR)
            handle = op("tensor_list_push_back")(handle, y)
            handle = op("tensor_list_set_item")(handle, 0, y * 2.0)
            first = op("tensor_list_get_item")(handle, 0, tf.float32)
            z = first * first + tf.reduce_sum(stack(handle) * [1.0, 10.0, 100.0])
        return tape.gradient(z, [x, y])

    by_x, by_y = run(build)
    assert by_x.tolist() == [0.0, 10.0] and by_y == 126.0  # 8 y + 2 + 100


@both
def test_batches_of_lists(run):
    def build():
        batch = tf.stack([of(1.0), of(2.0)])
        pushed = op("tensor_list_push_back_batch")(batch, [5.0, 6.0])
        return [stack(handle) for handle in tf.unstack(pushed)]

    assert [a.tolist() for a in run(build)] == [[1, 5], [2, 6]]


def test_errors(eager):
    for call, text in (
        (
            lambda: op("tensor_list_pop_back")(of(), tf.float32),
            "pop from an empty list",
        ),
        (lambda: op("tensor_list_get_item")(of(1.0), 4, tf.float32), "element 4 in a"),
        (lambda: op("tensor_list_push_back")(of(1.0), [1.0]), "incompatible shape"),
        (
            lambda: op("tensor_list_stack")(of(1.0), tf.float32, 3),
            "with 3 elements but",
        ),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            call()

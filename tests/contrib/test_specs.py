"""tf.contrib.specs: the words of specs, and arguments by place as in 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

specs = tf.contrib.specs


def shown(*args, **kw):
    """A Function that gives its arguments, and 1.12's way to fill them in."""
    return specs.Function(lambda *a, **k: (a, k))(*args, **kw).funcall("x")


@pytest.mark.parametrize(
    "args, kw, overrides, wanted",
    [
        ([1], {"_1": 2, "b": 3}, False, ([1, 2], {"b": 3})),
        ([1, 5], {"_0": 2}, False, ([1, 5], {})),
        ([1, 5], {"_0": 2}, True, ([2, 5], {})),
        ([None, 5], {"_0": 2}, False, ([2, 5], {})),
        ([1], {"_3": 7}, False, ([1, None, None, 7], {})),
        ([], {"_0": 7, "_1": 8}, False, ([7, 8], {})),
        ((1,), {}, False, ((1,), {})),
    ],
)
def test_arguments_by_place(args, kw, overrides, wanted):
    assert specs.get_positional(args, kw, overrides) == wanted


def test_functions_take_arguments_by_place():
    assert shown(1, _1=5) == (("x", 1, 5), {})
    assert shown(1, _0=5) == (("x", 1), {})
    assert shown(1, _2=5, k=3) == (("x", 1, None, 5), {"k": 3})


@both
def test_a_network_of_words(run):
    ones = tf.ones_initializer()
    net = specs.Mp([2, 2]) | specs.Flat | specs.Fl(3, weights_initializer=ones)
    image = np.arange(16, dtype="f").reshape(1, 4, 4, 1)
    found = run(lambda: net.funcall(tf.constant(image)))
    np.testing.assert_allclose(found, [[5 + 7 + 13 + 15.0] * 3])

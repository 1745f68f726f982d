"""One call in a graph whose shapes are not known, eagerly, and with sparse inputs.

It uses nothing but what `import twinflow` has loaded and what the call itself loads.
"""

import numpy as np

import twinflow as tf
from tests.golden import runner
from twinflow.base import dispatch
from twinflow.eager.mode import MODE


class Inputs:
    """`F(value)` in a call makes an input; `tensors` are those that were made.

    Args:
        make: the function from array to tensor.
    """

    def __init__(self, make):
        self.make, self.tensors = make, []

    def __call__(self, value, dtype=np.float32):
        self.tensors.append(self.make(np.asarray(value, dtype)))
        return self.tensors[-1]


def _evaluated(source, make):
    """(what the call gives, its inputs)"""
    inputs = Inputs(make)
    return eval(source, {"tf": tf, "np": np, "F": inputs}), inputs.tensors


def _noted(function, *args):
    """What a function gives as plain data, or how it fails."""
    try:
        return runner.note(function(*args))
    except Exception as error:
        return {"error": type(error).__name__, "text": runner.cause(error)}


def _floats(value):
    """The float tensors of a result."""
    values = value if isinstance(value, list | tuple) else [value]
    return [t for t in values if isinstance(t, tf.Tensor) and t.dtype.is_floating]


def _in_graph(source, known):
    def made(array):
        return tf.placeholder_with_default(array, array.shape if known else None)

    with tf.Graph().as_default():
        value, inputs = _evaluated(source, made)
        ys, xs = _floats(value), [x for x in inputs if x.dtype.is_floating]
        return [value, tf.gradients(ys, xs) if ys and xs else None]


def _eagerly(source):
    with dispatch.entered(MODE), tf.GradientTape(persistent=True) as tape:

        def made(array):
            x = tf.constant(array)
            if x.dtype.is_floating:
                tape.watch(x)
            return x

        value, inputs = _evaluated(source, made)
        ys, xs = _floats(value), [x for x in inputs if x.dtype.is_floating]
        return [value, tape.gradient(ys[0], xs) if ys and xs else None]


def called_sparse(source):
    """What the call gives for sparse inputs: a dict of plain data."""
    if "F(" not in source:
        return {}
    return {
        kind.__name__: _noted(_eager_value, source, kind)
        for kind in (_indexed_slices, _sparse_tensor)
    }


def _eager_value(source, make):
    with dispatch.entered(MODE):
        return _evaluated(source, make)[0]


def _sparse_tensor(array):
    places = np.argwhere(np.ones_like(array))
    return tf.SparseTensor(places, array.ravel(), array.shape)


def _indexed_slices(array):
    array = np.atleast_1d(array)
    return tf.IndexedSlices(array, np.arange(len(array)), array.shape)


def called(source):
    """What the call gives in each mode: a dict of plain data."""
    unknown = _noted(_in_graph, source, False)
    found = {"unknown shapes": unknown, "eager": _noted(_eagerly, source)}
    if "error" in unknown:
        found["known shapes"] = _noted(_in_graph, source, True)
    return found

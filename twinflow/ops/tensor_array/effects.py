"""Tensor arrays that are changed in place, for gradients that TensorFlow wrote.

Note [Arrays by effect]: a graph with TensorArrayGradV3 that TensorFlow wrote relies on
the contents being those of the handle, whatever flow comes with it. When one is
imported, its tensor arrays become these ops: the handle holds what is in it, a flow is
just a number that keeps the order, and all of it runs on the host.
"""

import numpy as np

from twinflow.base.op import define
from twinflow.base.op_defs import ANOTHER
from twinflow.ops.core.flow import Elements
from twinflow.ops.tensor_array import elements, ops

PREFIX = ANOTHER
_FLOW = np.float32(0)


class Held:
    """A tensor array with its contents.

    Attributes:
        handle: what it is. contents: what is in it now.
    """

    def __init__(self, handle):
        self.handle, self.contents = handle, Elements({}, handle.size)
        self._gradients: dict = {}

    def gradient(self, source):
        """The array in which the gradients of `source` are added up."""
        if source not in self._gradients:
            made = self.handle.gradient()
            made.size = self.contents.size
            self._gradients[source] = Held(made)
        return self._gradients[source]


def _made(size, **attrs):
    handle, _ = ops.made(size, **attrs)
    return Held(handle), _FLOW


def _write(held, index, value, flow):
    held.contents = elements.write(held.handle, index, value, held.contents)
    return flow


def _scatter(held, indices, value, flow):
    held.contents = elements.scatter(held.handle, indices, value, held.contents)
    return flow


def _split(held, value, lengths, flow):
    held.contents = elements.split(held.handle, value, lengths, held.contents)
    return flow


def _read(held, index, flow, dtype):
    return elements.read(held.handle, index, held.contents, dtype)


def _gather(held, indices, flow, dtype, element_shape):
    return elements.gather(held.handle, indices, held.contents, dtype, element_shape)


def _concat(held, flow, dtype, element_shape_except0):
    return elements.concat(held.handle, held.contents, element_shape_except0)


def _size(held, flow):
    return np.int32(held.contents.size or 0)


def _gradient(held, flow_in, source):
    return held.gradient(source), _FLOW


_KERNELS = (
    (ops.TensorArrayV3, _made), (ops.TensorArrayGradV3, _gradient),
    (ops.TensorArrayWriteV3, _write), (ops.TensorArrayReadV3, _read),
    (ops.TensorArrayGatherV3, _gather), (ops.TensorArrayScatterV3, _scatter),
    (ops.TensorArrayConcatV3, _concat), (ops.TensorArraySplitV3, _split),
    (ops.TensorArraySizeV3, _size), (ops.TensorArrayCloseV3, lambda held: ()),
)  # fmt: skip
BY_EFFECT = {op.type: PREFIX + op.type for op, _ in _KERNELS}


def _define(op, kernel):
    """An op, by effect: the same inputs, outputs and attributes."""
    on_host = " ".join(a.name for a in op.sig.inputs if a.host)
    define(
        PREFIX + op.type, infer=op.infer, host=kernel, on_host=on_host, stateful=True
    )


for _one, _kernel in _KERNELS:
    _define(_one, _kernel)

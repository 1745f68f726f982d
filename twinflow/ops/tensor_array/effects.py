"""Tensor arrays that are changed in place, for gradients that TensorFlow wrote.

Note [Arrays by effect]: a graph with TensorArrayGradV3 that TensorFlow wrote relies on
the contents being those of the handle, whatever flow comes with it. When one is
imported, its tensor arrays become these ops: the handle holds what is in it, a flow is
just a number that keeps the order, and all of it runs on the host. So it is with the
ops of the first two versions, which had no flow to start with.
"""

import numpy as np

from twinflow.base import dtypes, signature
from twinflow.base.op import define
from twinflow.base.op_defs import ANOTHER
from twinflow.ops.core.flow import Elements
from twinflow.ops.core.infer import at_least, scalar
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


def _wider(held, flow_in, shape_to_prepend, source):
    found = held.gradient(f"{source}:{shape_to_prepend.tolist()}")
    wider, _ = ops.TensorArrayGradWithShape.np(
        held.handle, flow_in, shape_to_prepend, source
    )
    found.handle.shape, found.handle.shapes = wider.shape, wider.shapes
    return found, _FLOW


_KERNELS = (
    (ops.TensorArrayV3, _made), (ops.TensorArrayGradV3, _gradient),
    (ops.TensorArrayWriteV3, _write), (ops.TensorArrayReadV3, _read),
    (ops.TensorArrayGatherV3, _gather), (ops.TensorArrayScatterV3, _scatter),
    (ops.TensorArrayConcatV3, _concat), (ops.TensorArraySplitV3, _split),
    (ops.TensorArraySizeV3, _size), (ops.TensorArrayGradWithShape, _wider),
    (ops.TensorArrayCloseV3, lambda held: ()),
)  # fmt: skip
BY_EFFECT = {op.type: PREFIX + op.type for op, _ in _KERNELS}


_HANDLES = ("handle", "grad_handle")


def _define(kind, like, kernel):
    """An op, by effect: the inputs, outputs and attributes of its OpDef."""
    sig = signature.of_op_def(kind, " ".join(a.name for a in like.sig.inputs if a.host))
    inputs, outputs = (tuple(map(_held, args)) for args in (sig.inputs, sig.outputs))
    sig = sig._replace(inputs=inputs, outputs=outputs)
    infer = like.infer if len(outputs) == len(like.sig.outputs) else scalar
    define(sig, infer=infer, host=kernel, stateful=True)


def _held(arg):
    """A handle was a string in older versions."""
    return arg._replace(dtype=dtypes.resource) if arg.name in _HANDLES else arg


# ---------------------------------------------------------------- older versions
def _handle_only(kernel):
    return lambda *args, **attrs: kernel(*args, **attrs)[0]


def _with_defaults(size, **attrs):
    return _made(size, identical_element_shapes=False, **attrs)


def _every(held):
    return np.arange(held.contents.size or 0, dtype=np.int32)


def _pack(held, flow, dtype, element_shape):
    return _gather(held, _every(held), flow, dtype, element_shape)


def _unpack(held, value, flow):
    return _scatter(held, np.arange(len(value), dtype=np.int32), value, flow)


def _unpacked_shape(handle, value, flow_in):
    at_least(value._shape, 1)
    return ()


_OLDER = {
    "TensorArrayV3": _handle_only(_with_defaults),
    "TensorArrayGradV3": _handle_only(_gradient),
}
for _like, _kernel in _KERNELS:
    _define(PREFIX + _like.type, _like, _kernel)
    for _version in ("V2", "") if _like.type.endswith("V3") else ():
        _older = _like.type.removesuffix("V3") + _version
        _define(_older, _like, _OLDER.get(_like.type, _kernel))

define(
    "TensorArrayPack",
    infer=lambda handle, flow_in, dtype, element_shape: (
        None if element_shape is None else (None, *element_shape)
    ),
    host=_pack,
    stateful=True,
)
define("TensorArrayUnpack", infer=_unpacked_shape, host=_unpack, stateful=True)

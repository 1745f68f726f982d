"""The shape rules again, for what only the run knows.

A graph that knows its shapes has asked `infer` whether they fit. Where it does not, the
run asks, because kernels of NumPy and XLA take much that TensorFlow's refuse.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.base.signature import Arg
from twinflow.graph.static import constant_value

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node


def is_open(node: "Node") -> bool:
    """Whether `infer` has not seen all that it may refuse."""
    op = node.opdef
    if op.infer is None or op.strict or op.refs:
        return False
    if any(t.dtype.np is None for t in node.inputs):
        return False  # handles have no shape
    if any(t._shape is None for t in node.outputs):
        return True  # `infer` may have put its error off (InferError.later)
    for spec, arg in zip(op.sig.inputs, node.args(), strict=True):
        if spec.host:
            if constant_value(arg) is None:
                return True
        elif not all(map(_is_known, arg if type(arg) is list else [arg])):
            return True
    return False


def _is_known(t: "GraphTensor") -> bool:
    return t._shape is not None and None not in t._shape


class Known:
    """The shape and dtype of a value, as `infer` wants to see them."""

    __slots__ = ("_shape", "dtype")

    def __init__(self, value: Any) -> None:
        self._shape, self.dtype = value.shape, dtypes.from_numpy(value.dtype)


def check(op: Any, args: Sequence, attrs: Any) -> None:
    """Let `infer` look at the arrays `args`.

    Raises:
        InferError: they do not fit.
    """
    known = [_known(spec, a) for spec, a in zip(op.sig.inputs, args, strict=False)]
    op.infer(*known, **attrs)


def _known(spec: Arg, value: Any) -> Any:
    if spec.host or not (spec.is_list or hasattr(value, "shape")):
        return value
    return [Known(v) for v in value] if spec.is_list else Known(value)

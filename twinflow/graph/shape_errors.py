"""The words of TensorFlow for inputs of a node whose shapes do not fit."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base.advice import advised
from twinflow.base.op import InferError, Op
from twinflow.base.tensor import Tensor
from twinflow.graph import static
from twinflow.ops.core.infer import text

_ALL = (0, 1, 2)
_AS_SHAPES = {
    "BroadcastTo": (1,), "Fill": (0,), "RandomStandardNormal": (0,),
    "RandomUniform": (0,), "RandomUniformInt": (0,), "Reshape": (1,), "Slice": (1, 2),
    "Tile": (1,), "TruncatedNormal": (0,),
}  # fmt: skip
_AS_VALUES = {
    "ArgMax": (1,), "ArgMin": (1,), "ConcatV2": (-1,), "Cumprod": (1,), "Cumsum": (1,),
    "ExpandDims": (1,), "GatherV2": (2,), "OneHot": (1,), "Pad": (1,), "PadV2": (1,),
    "Range": _ALL, "ReverseV2": (1,), "Split": (0,), "SplitV": (1, 2),
    "StridedSlice": (1, 2, 3), "TopKV2": (1,),
    **dict.fromkeys(["All", "Any", "Max", "Mean", "Min", "Prod", "Sum"], (1,)),
}  # fmt: skip
_UNREAD = ("Shape must be rank", "Shapes must be")  # wrong before values are read
_BARE = ("Attr '", "Invalid value in tensor used for shape")


def shape_error(op: Op, inputs: list[Tensor], name: str, error: InferError) -> Any:
    """The ValueError for an InferError of a node to be.

    Args:
        op: the Op. inputs: its tensors. name: that of the node. error: the InferError.
    """
    message = error.graph_message
    if message.startswith(_BARE):
        return advised(ValueError, message)
    shapes = ", ".join(text(t._shape) for t in inputs)
    known = "" if message.startswith(_UNREAD) else _known(op, inputs, error)
    return advised(
        ValueError,
        f"{message} for '{name}' (op: '{op.type}') with input shapes: {shapes}{known}.",
    )


def _known(op: Op, inputs: list[Tensor], error: InferError) -> str:
    """What is said of the inputs whose values matter."""
    places = _AS_VALUES.get(op.type, ()) if error.places is None else error.places
    values = _listed(inputs, places, _value)
    shapes = _listed(inputs, _AS_SHAPES.get(op.type, ()), _as_shape)
    text = ""
    if values:
        text += f" and with computed input tensors: {values}"
    if shapes:
        text += f" and with input tensors computed as partial shapes: {shapes}"
    return text


def _listed(inputs: list[Tensor], places: tuple, form: Callable) -> str:
    found = []
    for i in (p % len(inputs) for p in places):
        value = static.constant_value(inputs[i])
        if value is not None:
            found.append(f"input[{i}] = {form(value)}")
    return ", ".join(found)


def _value(value: Any) -> str:
    return f"<{_rows(value)}>" if value.ndim < 2 else f"<{_nested(value)}>"


def _nested(value: Any) -> str:
    if value.ndim == 1:
        return f"[{_rows(value)}]"
    return "".join(map(_nested, value))


def _rows(value: Any) -> str:
    return " ".join(f"{v:g}" if value.dtype.kind == "f" else str(v) for v in value.flat)


def _as_shape(value: Any) -> str:
    sizes = ("?" if d < 0 else str(d) for d in np.ravel(value))
    return f"[{','.join(sizes)}]"

"""The gradients of activations, biases and broadcasting, of several ONNX nodes."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.onnx.writing.elementwise import number

_SELU = 1.0507009873554805, 1.7580993408473766  # its scale, and alpha * scale


def _slope(of_output: bool, rule: Any) -> Any:
    """A writer of dy times what a rule makes of the output, or of the input.

    Args:
        of_output: the output comes first; otherwise dy, and then input or output.
        rule: (w, t, name) -> name.
    """

    def write(w: Any, node: Any) -> str:
        t = node.inputs[0]
        first, second = w.values(node.inputs)
        value, dy = (first, second) if of_output else (second, first)
        return w.same("Mul", dy, rule(w, t, value))

    return write


def _tanh(w: Any, t: Any, y: str) -> str:
    return w.same("Sub", number(w, t, 1), w.same("Mul", y, y))


def _sigmoid(w: Any, t: Any, y: str) -> str:
    return w.same("Mul", y, w.same("Sub", number(w, t, 1), y))


def _relu(w: Any, t: Any, x: str) -> str:
    return w.cast(w.same("Greater", x, number(w, t, 0)), t.dtype)


def _relu6(w: Any, t: Any, x: str) -> str:
    below = w.same("Less", x, number(w, t, 6))
    return w.cast(w.same("And", w.same("Greater", x, number(w, t, 0)), below), t.dtype)


def _bent(scale: float, shift: float) -> Any:
    """That of Elu and Selu: a line above zero, and y more than `shift` below."""

    def rule(w: Any, t: Any, y: str) -> str:
        below = w.same("Less", y, number(w, t, 0))
        return w.same("Where", below, w.same("Add", y, number(w, t, shift)),
                      number(w, t, scale))  # fmt: skip

    return rule


def _softplus(w: Any, t: Any, x: str) -> str:
    return w.same("Sigmoid", x)


def _softsign(w: Any, t: Any, x: str) -> str:
    root = w.same("Add", number(w, t, 1), w.same("Abs", x))
    return w.same("Reciprocal", w.same("Mul", root, root))


def _sqrt(w: Any, t: Any, y: str) -> str:
    return w.same("Div", number(w, t, 0.5), y)


def _rsqrt(w: Any, t: Any, y: str) -> str:
    cube = w.same("Mul", y, w.same("Mul", y, y))
    return w.same("Mul", number(w, t, -0.5), cube)


def _reciprocal(w: Any, t: Any, y: str) -> str:
    return w.same("Neg", w.same("Mul", y, y))


def _leaky(w: Any, node: Any) -> str:
    dy, x = w.values(node.inputs)
    t = node.inputs[0]
    below = w.same("Mul", dy, number(w, t, node.attrs["alpha"]))
    return w.same("Where", w.same("Greater", x, number(w, t, 0)), dy, below)


def _bias(w: Any, node: Any) -> str:
    t = node.inputs[0]
    if t._shape is None:
        w.refuse(f"the rank of {t.name} is not known")
    channels = 1 if node.attrs.get("data_format") == "NCHW" else len(t._shape) - 1
    axes = [a for a in range(len(t._shape)) if a != channels]
    return w.op("ReduceSum", w.value(t), w.ints(np.array(axes)), keepdims=0)


def _summed_axes(w: Any, node: Any) -> list[str]:
    """Of two shapes the axes along which each is broadcast, or is 1 already."""
    ranks = [None if t._shape is None else t._shape[0] for t in node.inputs]
    if None in ranks:
        w.refuse("the ranks of what it adds up are not known")
    found = []
    for t, rank in zip(node.inputs, ranks, strict=True):
        ones = w.ints(np.ones(max(ranks) - rank))
        whole = w.op("Concat", ones, w.sizes(t), axis=0)
        places = w.op("NonZero", w.op("Equal", whole, w.ints(1)))
        axes = w.op("Reshape", places, w.ints([-1]))
        found.append(w.cast(axes, node.outputs[0].dtype))
    return found


def _reduced_shape(w: Any, node: Any) -> str:
    """A shape with 1 at some axes."""
    sizes, axes = node.inputs
    if sizes._shape is None or sizes._shape[0] is None:
        w.refuse(f"the number of sizes in {sizes.name} is not known")
    rank = sizes._shape[0]
    at = w.op("Reshape", w.op("Mod", w.sizes(axes), w.ints(rank)), w.ints([1, -1]))
    hits = w.op("Equal", w.ints(np.arange(rank)[:, None]), at)
    count = w.op("ReduceSum", w.cast(hits, dtypes.int64), w.ints([1]), keepdims=0)
    ones = w.op("Greater", count, w.ints(0))
    found = w.op("Where", ones, w.ints(1), w.sizes(sizes))
    return w.cast(found, node.outputs[0].dtype)


WRITERS = {
    "TanhGrad": _slope(True, _tanh), "SigmoidGrad": _slope(True, _sigmoid),
    "ReluGrad": _slope(False, _relu), "Relu6Grad": _slope(False, _relu6),
    "EluGrad": _slope(False, _bent(1, 1)), "SeluGrad": _slope(False, _bent(*_SELU)),
    "SoftplusGrad": _slope(False, _softplus),
    "SoftsignGrad": _slope(False, _softsign), "SqrtGrad": _slope(True, _sqrt),
    "RsqrtGrad": _slope(True, _rsqrt), "ReciprocalGrad": _slope(True, _reciprocal),
    "InvGrad": _slope(True, _reciprocal), "BiasAddGrad": _bias,
    "BroadcastGradientArgs": _summed_axes, "LeakyReluGrad": _leaky,
    "TwinReducedShape": _reduced_shape,
}  # fmt: skip

"""Random numbers: ONNX's own, of the same distribution but with other values."""

from typing import Any

import numpy as np

from twinflow.base import dtypes


def _draw(w: Any, node: Any, kind: str, dtype: Any, **attrs: Any) -> str:
    """Numbers of a kind, of the shape that the first input says."""
    sizes = w.known(node.inputs[0])
    seed = node.attrs.get("seed2") or node.attrs.get("seed")
    if seed:
        attrs["seed"] = float(seed)
    attrs["dtype"] = w.element_type(dtype)
    if sizes is not None:
        return w.op(kind, shape=[int(s) for s in sizes], **attrs)
    zero = w.constant(np.zeros((), dtype.np))
    return w.op(f"{kind}Like", w.op("Expand", zero, w.sizes(node.inputs[0])), **attrs)


def _uniform(w: Any, node: Any) -> str:
    return _draw(w, node, "RandomUniform", node.attrs["dtype"])


def _normal(w: Any, node: Any) -> str:
    return _draw(w, node, "RandomNormal", node.attrs["dtype"])


def _integers(w: Any, node: Any) -> str:
    """The floor of uniform numbers between the ends."""
    low, high = (w.cast(w.value(t), dtypes.float64) for t in node.inputs[1:])
    numbers = _draw(w, node, "RandomUniform", dtypes.float64)
    scaled = w.op("Mul", numbers, w.op("Sub", high, low))
    found = w.op("Floor", w.op("Add", scaled, low))
    return w.cast(found, node.outputs[0].dtype)


def _multinomial(w: Any, node: Any) -> str:
    logits, count = node.inputs
    attrs: dict = {"sample_size": int(w.needed(count, "the number of samples"))}
    seed = node.attrs["seed2"] or node.attrs["seed"]
    if seed:
        attrs["seed"] = float(seed)
    to = w.element_type(node.outputs[0].dtype)
    return w.op("Multinomial", w.value(logits), dtype=to, **attrs)


WRITERS = {
    "RandomUniform": _uniform, "RandomStandardNormal": _normal,
    "RandomUniformInt": _integers, "Multinomial": _multinomial,
}  # fmt: skip

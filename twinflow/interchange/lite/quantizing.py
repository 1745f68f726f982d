"""Whole numbers of 8 bits in place of floats: of weights alone, or of all tensors.

A tensor's range comes from a FAKE_QUANT behind it, from the statistics of an input,
from the operator that makes it, from its neighbors, or is the user's default. A range
becomes the Scale of the tensor, by which its numbers of 8 bits are meant.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.execute.node_errors import at_node
from twinflow.interchange.lite.model import Item, Model, Scale, Value

_MOST = 255
_SMALL = 1024  # elements of weights that stay as they are
_HYBRID = ("CONV_2D", "FULLY_CONNECTED")  # they take weights of 8 bits beside floats
_WEIGHTED = (*_HYBRID, "DEPTHWISE_CONV_2D")
_SAME = frozenset((  # what they give has the range of their first float
    "AVERAGE_POOL_2D", "BATCH_TO_SPACE_ND", "DEPTH_TO_SPACE", "EXPAND_DIMS", "GATHER",
    "MAX_POOL_2D", "MEAN", "MIRROR_PAD", "PAD", "REDUCE_MAX", "REDUCE_MIN", "RESHAPE",
    "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "SLICE", "SPACE_TO_BATCH_ND",
    "SPACE_TO_DEPTH", "SPLIT", "SQUEEZE", "STRIDED_SLICE", "TILE", "TOPK_V2",
    "TRANSPOSE", "UNPACK",
))  # fmt: skip
_JOINED = frozenset(("CONCATENATION", "MAXIMUM", "MINIMUM", "PACK", "PADV2", "SELECT"))
_CLIPPED = {"RELU": (0, np.inf), "RELU6": (0, 6), "RELU_N1_TO_1": (-1, 1)}
_FIXED = {
    "L2_NORMALIZATION": Scale(1 / 128, 128), "LOGISTIC": Scale(1 / 256, 0),
    "LOG_SOFTMAX": Scale(16 / 256, 255), "SOFTMAX": Scale(1 / 256, 0),
    "TANH": Scale(1 / 128, 128),
}  # fmt: skip
_KNOWN = frozenset((
    *_SAME, *_JOINED, *_CLIPPED, *_FIXED, *_WEIGHTED, "ADD", "ARG_MAX", "ARG_MIN",
    "DIV", "EQUAL", "GREATER", "GREATER_EQUAL", "LEAKY_RELU", "LESS", "LESS_EQUAL",
    "MUL", "NOT_EQUAL", "SQUARED_DIFFERENCE", "SUB", "SUM", "TRANSPOSE_CONV",
))  # fmt: skip


def shrink(model: Model) -> None:
    """Keep the large weights of a model as numbers of 8 bits, in place.

    What multiplies them as they are gets signed numbers under the type of unsigned
    ones, as the interpreter of 1.12 wants them; a DEQUANTIZE makes floats of others.
    """
    done: dict = {}
    items = []
    for item in model.items:
        weights = item.inputs[1] if item.kind in _WEIGHTED else None
        if weights is not None and weights.array is not None and (
            weights.array.size >= _SMALL and weights.dtype == np.float32
        ):  # fmt: skip
            key = id(weights), item.kind in _HYBRID
            if key not in done:
                made = _signed(weights) if key[1] else _unsigned(weights)
                if not key[1]:
                    name = f"{weights.name}_dequantize"
                    found = Value(name, weights.shape, np.float32)
                    items.append(Item("DEQUANTIZE", [made], [found], {}, item.node))
                    made = found
                done[key] = made
            item.inputs[1] = done[key]
        items.append(item)
    model.items = items


def _signed(v: Value) -> Value:
    scale = float(np.max(np.abs(v.array))) / 127 or 1.0
    whole = np.clip(np.rint(v.array / scale), -127, 127).astype(np.int8)
    made = Value(v.name, v.shape, np.uint8, whole.view(np.uint8))
    made.scale = Scale(scale, 0)
    return made


def _unsigned(v: Value) -> Value:
    made = Value(v.name, v.shape, np.float32, v.array)
    made.range = float(v.array.min()), float(v.array.max())
    _turn(made)
    return made


def quantize(
    model: Model, statistics: Sequence, default: tuple | None,
    whole_inputs: bool, one_range: bool = False,
) -> None:  # fmt: skip
    """Turn the floats of a model into whole numbers of 8 bits, in place.

    Args:
        statistics: (mean, standard deviation) of each input, None where it has none.
        default: (min, max) of tensors without a range, or None.
        whole_inputs: whether the inputs are whole numbers too. one_range: whether what
            is concatenated gets one range.
    Raises:
        ValueError: a tensor has no range.
        UnimplementedError: an operator has no form for whole numbers.
    """
    _drop_fake(model)
    for v, pair in zip(model.inputs, statistics, strict=True):
        if v.dtype == np.float32 and pair is not None:
            mean, deviation = map(float, pair)
            v.range = (-mean / deviation, (_MOST - mean) / deviation)
    _spread(model, default)
    for item in model.items if one_range else ():
        if item.kind == "CONCATENATION":
            for v in item.inputs:
                v.range = item.outputs[0].range
    for item in model.items:
        if item.kind not in _KNOWN or item.is_custom:
            raise _refused(item)
    _Quantizer(model).run(whole_inputs)


def dequantize_inputs(model: Model, statistics: Sequence) -> None:
    """Let a model of floats take inputs of whole numbers."""
    for i, (v, pair) in enumerate(zip(model.inputs, statistics, strict=True)):
        if v.dtype == np.float32:
            mean, deviation = map(float, pair or (0, 1))
            given = Value(v.name, v.shape, np.uint8)
            given.scale = Scale(1 / deviation, round(mean))
            v.name += "_dequantized"
            model.inputs[i] = given
            model.items.insert(0, Item("DEQUANTIZE", [given], [v], {}, None))


def _refused(item: Item) -> Exception:
    text = (
        f"'{item.kind}' of TensorFlow Lite has no form for whole numbers here: write "
        "the model with inference_type FLOAT."
    )
    error = errors.UnimplementedError(None, item.node, text)
    return error if item.node is None else at_node(error, item.node)


# ------------------------------------------------------------------------------- ranges
def _drop_fake(model: Model) -> None:
    """Take the FAKE_QUANT items away; what they quantize keeps their ranges."""
    new: dict = {}
    for item in model.items:
        item.inputs = [new.get(id(v), v) for v in item.inputs]
        if item.kind == "FAKE_QUANT":
            x, y = item.inputs[0], item.outputs[0]
            x.range = item.options["min"], item.options["max"]
            x.least = int(item.options["narrow_range"])
            new[id(y)] = x
            if any(y is v for v in model.outputs):
                x.name = y.name
    model.outputs = [new.get(id(v), v) for v in model.outputs]
    model.items = [i for i in model.items if i.kind != "FAKE_QUANT"]


def _floats(values: Sequence) -> list[Value]:
    return [v for v in values if v is not None and v.dtype == np.float32]


def _spread(model: Model, default: tuple | None) -> None:
    """Find a range for each tensor of floats."""
    for item in model.items:
        _forwards(item)
    for item in reversed(model.items):
        given, made = _floats(item.inputs), _floats(item.outputs)
        if item.kind in _SAME and given and made and given[0].range is None:
            given[0].range = made[0].range
    for item in model.items:
        _forwards(item)
        biases = item.inputs[2:] if item.kind in _WEIGHTED else ()
        for v in _floats([*item.inputs, *item.outputs]):
            if v.range is None and not any(v is b for b in biases):
                v.range = _range_of(v, default, item)


def _forwards(item: Item) -> None:
    given, made = _floats(item.inputs), _floats(item.outputs)
    ranges = [v.range for v in given if v.range is not None]
    found: Any = None
    if item.kind in _FIXED:
        found = _ends(_FIXED[item.kind])
    elif item.kind in _SAME and given:
        found = given[0].range
    elif item.kind in _CLIPPED and given[0].range is not None:
        found = np.clip(given[0].range, *_CLIPPED[item.kind]).tolist()
    elif item.kind in _JOINED and ranges and len(ranges) == len(given):
        found = min(r[0] for r in ranges), max(r[1] for r in ranges)
    for v in made:
        if v.range is None and found is not None:
            v.range = tuple(found)


def _range_of(v: Value, default: tuple | None, item: Item) -> tuple:
    if v.array is not None:
        return float(min(v.array.min(), 0)), float(max(v.array.max(), 0))
    if default is not None:
        return default
    raise ValueError(
        f"Array {v.name}, which is an input to the {item.kind} operator producing the "
        f"output array {item.outputs[0].name}, is lacking min/max data, which is "
        "necessary for quantization. Train with tf.contrib.quantize, or set "
        "default_ranges_stats if the results need not be right."
    )


def _ends(scale: Scale) -> tuple:
    return tuple((n - scale.zero) * scale.scale for n in (0, _MOST))


# ------------------------------------------------------------------------------ numbers
def _scale_of(v: Value) -> Scale:
    low, high = min(v.range[0], 0.0), max(v.range[1], 0.0)  # type: ignore[index]
    if low == high:
        return Scale(1.0, 0)
    scale = (high - low) / (_MOST - v.least)
    zero = round(min(max(v.least - low / scale, v.least), _MOST))
    return Scale(scale, zero)


def _turn(v: Value) -> None:
    """Give a tensor of floats whole numbers."""
    scale = _scale_of(v)
    if v.array is not None:
        whole = np.rint(v.array / scale.scale) + scale.zero
        v.array = np.clip(whole, v.least, _MOST).astype(np.uint8)
    v.dtype, v.scale = np.dtype(np.uint8), scale


class _Quantizer:
    def __init__(self, model: Model) -> None:
        self.model = model

    def run(self, whole_inputs: bool) -> None:
        floats = _floats(self.model.values())
        for item in self.model.items:
            if item.kind in _WEIGHTED and len(item.inputs) > 2:
                self._bias(item)
        for v in floats:
            if v.range is not None and v.dtype == np.float32:
                _turn(v)
        if not whole_inputs:
            self._quantize_inputs()

    def _bias(self, item: Item) -> None:
        """Whole numbers of 32 bits, whose scale is that of the products."""
        x, weights, bias = item.inputs[:3]
        if bias.array is None:
            raise _refused(item)
        scale = _scale_of(x).scale * _scale_of(weights).scale
        whole = np.rint(bias.array.astype(np.float64) / scale)
        made = Value(bias.name, bias.shape, np.int32, whole.astype(np.int32))
        made.scale = Scale(scale, 0)
        item.inputs[2] = made

    def _quantize_inputs(self) -> None:
        for i, v in enumerate(self.model.inputs):
            if v.scale is not None:
                given = Value(v.name, v.shape, np.float32)
                v.name += "_quantized"
                self.model.inputs[i] = given
                self.model.items.insert(0, Item("QUANTIZE", [given], [v], {}, None))

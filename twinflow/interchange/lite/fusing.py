"""What becomes part of the operator before it: factors, biases and activations."""

from collections import Counter
from typing import Any

import numpy as np

from twinflow.interchange.lite.model import Item, Model, Value

_WEIGHTED = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": 0}
"""{kind: the axis of its weights that is that of the channels of its output}"""
_ACTIVATIONS = {"RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}
_ACTIVE = frozenset((
    *_WEIGHTED, "ADD", "SUB", "MUL", "DIV", "MAX_POOL_2D", "AVERAGE_POOL_2D",
))  # fmt: skip
_FIELD = "fused_activation_function"


def fuse(model: Model) -> None:
    """Join the operators of a model as far as that can be, and drop what is left."""
    fusing = _Fusing(model)
    for item in list(model.items):
        fusing.visit(item)
    gone = fusing.gone
    model.items = [i for i in model.items if id(i) not in gone]
    model.prune()
    for item in model.items:
        if item.kind in _WEIGHTED and len(item.inputs) == 2:
            item.inputs.append(_bias(item))


def _bias(item: Item) -> Value:
    """The zeros of an operator without a bias."""
    count = item.outputs[0].shape[-1]
    name = f"{item.outputs[0].name}_bias"
    return Value(name, (count,), np.float32, np.zeros(count, np.float32))


class _Fusing:
    def __init__(self, model: Model) -> None:
        self.uses = Counter(id(v) for v in model.outputs)
        self.makers: dict[int, Item] = {}
        for item in model.items:
            self.uses.update(id(v) for v in item.inputs)
            self.makers.update((id(v), item) for v in item.outputs)
        self.gone: set = set()

    def visit(self, item: Item) -> None:
        """Join an item with the one before it, if it may."""
        if item.kind in _ACTIVATIONS:
            self._activate(item)
        elif item.kind in ("ADD", "MUL", "SUB"):
            for which in range(1 if item.kind == "SUB" else 2):
                x, constant = item.inputs[which], item.inputs[1 - which]
                if constant.array is not None and self._weighs(item, x, constant):
                    return
        elif item.kind == "FAKE_QUANT":
            pass

    def _before(self, v: Value) -> Item | None:
        """What makes a value that nobody else takes."""
        found = self.makers.get(id(v))
        if found is None or self.uses[id(v)] != 1 or len(found.outputs) != 1:
            return None
        return None if found.options.get(_FIELD) else found

    def _take(self, before: Item, item: Item) -> None:
        """Let the item before make what this one makes."""
        before.outputs = item.outputs
        self.makers[id(item.outputs[0])] = before
        self.gone.add(id(item))

    def _activate(self, item: Item) -> None:
        before = self._before(item.inputs[0])
        if before is not None and before.kind in _ACTIVE:
            if before.outputs[0].dtype != np.float32:
                return
            before.options[_FIELD] = _ACTIVATIONS[item.kind]
            self._take(before, item)

    def _weighs(self, item: Item, x: Value, constant: Value) -> bool:
        """Make a factor part of weights, or an addend part of a bias."""
        before = self._before(x)
        if before is None or before.kind not in _WEIGHTED:
            return False
        channels = x.shape[-1]
        array = constant.array
        if array.size not in (1, channels) or (array.size > 1 and (
            array.shape[-1] != channels
        )):  # fmt: skip
            return False
        if len(item.outputs[0].shape) != len(x.shape):
            return False
        array = np.broadcast_to(array.reshape(-1), (channels,))
        made = self._scaled if item.kind == "MUL" else self._shifted
        if made(before, -array if item.kind == "SUB" else array, item):
            self._take(before, item)
            return True
        return False

    def _scaled(self, before: Item, factor: Any, item: Item) -> bool:
        weights, *bias = before.inputs[1:]
        known = weights.array is not None and all(b.array is not None for b in bias)
        if not known or weights.range is not None:
            return False
        axis = _WEIGHTED[before.kind]
        shape = [1] * weights.array.ndim
        shape[axis] = -1
        array = weights.array * factor.reshape(shape)
        before.inputs[1] = _changed(weights, array)
        if bias:
            before.inputs[2] = _changed(bias[0], bias[0].array * factor)
        return True

    def _shifted(self, before: Item, addend: Any, item: Item) -> bool:
        name = f"{item.outputs[0].name}_bias"
        if len(before.inputs) == 2:
            array = np.array(addend, np.float32)
            before.inputs.append(Value(name, array.shape, np.float32, array))
            return True
        bias = before.inputs[2]
        if bias.array is None:
            return False
        before.inputs[2] = _changed(bias, bias.array + addend)
        return True


def _changed(v: Value, array: Any) -> Value:
    return Value(v.name, array.shape, v.dtype, array.astype(v.dtype))

"""Blocks of ONNX nodes, as records that can still be changed, and what they become."""

from typing import Any

import numpy as np

from twinflow.interchange.onnx.library import onnx


class Item:
    """One ONNX node to be.

    Attributes:
        kind: the op type. inputs, outputs: names, where "" is an input left out.
        attrs: numbers, texts, arrays, lists of them, or Blocks. name: of the node.
    """

    __slots__ = ("kind", "inputs", "outputs", "attrs", "name")

    def __init__(
        self, kind: str, inputs: list, outputs: list, attrs: dict, name: str
    ) -> None:
        self.kind, self.inputs, self.outputs = kind, inputs, outputs
        self.attrs, self.name = attrs, name

    def blocks(self) -> list:
        """The bodies in it."""
        return [v for v in self.attrs.values() if isinstance(v, Block)]

    def reads(self) -> set:
        """The names that it or its bodies read."""
        found = set(self.inputs)
        for block in self.blocks():
            found |= block.reads()
        return found

    def proto(self) -> Any:
        """The NodeProto."""
        attrs = {k: _attr(v) for k, v in self.attrs.items()}
        return onnx.helper.make_node(
            self.kind, self.inputs, self.outputs, self.name, **attrs
        )


class Block:
    """Nodes in order, as a whole model or the body of a Loop or If.

    Attributes:
        items: the nodes. inputs: (name, TypeProto) pairs. outputs: likewise.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.items: list[Item] = []
        self.inputs: list[tuple] = []
        self.outputs: list[tuple] = []

    def reads(self) -> set:
        """The names that the nodes read, and those that it gives."""
        found = {name for name, _ in self.outputs}
        for item in self.items:
            found |= item.reads()
        return found

    def prune(self) -> None:
        """Drop the nodes that nothing needs."""
        needed = {name for name, _ in self.outputs}
        kept = []
        for item in reversed(self.items):
            if needed.isdisjoint(item.outputs):
                continue
            for block in item.blocks():
                block.prune()
            needed |= item.reads()
            kept.append(item)
        self.items = kept[::-1]

    def graph(self, initializers: Any = ()) -> Any:
        """The GraphProto."""
        nodes = [item.proto() for item in self.items]
        ends = [
            [onnx.helper.make_value_info(*pair) for pair in pairs]
            for pairs in (self.inputs, self.outputs)
        ]
        return onnx.helper.make_graph(nodes, self.name, *ends, initializers)


def tensor(array: Any, name: str = "") -> Any:
    """The TensorProto of an array."""
    array = np.asarray(array)
    if array.dtype.kind in "OSU":
        values = [v.encode() if isinstance(v, str) else bytes(v) for v in array.flat]
        kind = onnx.TensorProto.STRING
        return onnx.helper.make_tensor(name, kind, array.shape, values)
    return onnx.numpy_helper.from_array(np.asarray(array, order="C"), name)


def _attr(value: Any) -> Any:
    if isinstance(value, Block):
        return value.graph()
    return tensor(value) if isinstance(value, np.ndarray) else value

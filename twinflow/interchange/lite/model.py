"""Models of TensorFlow Lite: tensors and operators as records, and the file of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twinflow.formats import flat_buffers

SCHEMA = flat_buffers.Schema(
    Path(flat_buffers.__file__).with_name("lite_schema.txt").read_text("ascii")
)
_CODES, _TYPES = SCHEMA.enums["BuiltinOperator"], SCHEMA.enums["TensorType"]
_CUSTOM = _CODES["CUSTOM"]
_ENDS = 127  # what the older field of an operator's code holds of all later ones
_OPTIONS = {
    "AVERAGE_POOL_2D": "Pool2D", "MAX_POOL_2D": "Pool2D", "L2_POOL_2D": "Pool2D",
    "MEAN": "Reducer", "SUM": "Reducer", "L2_NORMALIZATION": "L2Norm",
    "REDUCE_PROD": "Reducer", "REDUCE_MAX": "Reducer", "REDUCE_MIN": "Reducer",
    "REDUCE_ANY": "Reducer", "REDUCE_ALL": "Reducer", "PADV2": "PadV2",
    "MAXIMUM": "MaximumMinimum", "MINIMUM": "MaximumMinimum", "TOPK_V2": "TopKV2",
    "CONV_3D_TRANSPOSE": "Conv3D", "BATCH_MATMUL": "BatchMatMul",
    "BATCH_TO_SPACE_ND": "BatchToSpaceND", "SPACE_TO_BATCH_ND": "SpaceToBatchND",
}  # fmt: skip

_SECOND = ("BROADCAST_TO",)  # whose first version was never there


class Scale(NamedTuple):
    """How whole numbers stand for real ones: real = scale * (whole - zero)."""

    scale: float
    zero: int


class Value:
    """A tensor of the model.

    Attributes:
        name: of the tensor. shape: a tuple, or None where only a run knows it.
        dtype: of NumPy. array: of a constant, else None.
        range: (min, max) of real numbers that it is known to keep to, or None.
        least: the smallest whole number that stands for one of them: 0, or 1.
        scale: the Scale of a quantized one, or None.
    """

    __slots__ = ("name", "shape", "dtype", "array", "range", "least", "scale")

    def __init__(
        self, name: str, shape: Sequence | None, dtype: Any, array: Any = None
    ) -> None:
        self.name, self.dtype, self.array = name, np.dtype(dtype), array
        self.shape = None if shape is None else tuple(shape)
        self.range: tuple | None = None
        self.least = 0
        self.scale: Scale | None = None


class Item:
    """An operator of the model.

    Attributes:
        kind: its name in the schema, or that of a custom one. inputs: Values, None for
            one that is left out. outputs: Values. options: {field: value}.
        node: the node of the graph that it was written for. is_custom: whether the
            interpreter has to get a kernel for it. content: what a custom one keeps.
    """

    __slots__ = (
        "kind", "inputs", "outputs", "options", "node", "version", "is_custom",
        "content",
    )  # fmt: skip

    def __init__(
        self, kind: str, inputs: Iterable, outputs: Iterable, options: dict, node: Any
    ) -> None:
        self.kind, self.options, self.node = kind, options, node
        self.inputs: list = list(inputs)
        self.outputs: list[Value] = list(outputs)
        self.version = 2 if kind in _SECOND else 1
        self.is_custom, self.content = False, b""


class Model:
    """Items in order, and what goes in and out.

    Attributes:
        items, inputs, outputs: see above. signature: ({name: Value}, {name: Value}).
    """

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []

    def prune(self) -> None:
        """Drop the items that nothing needs."""
        needed = {id(v) for v in self.outputs}
        kept = []
        for item in reversed(self.items):
            if not needed.isdisjoint(map(id, item.outputs)):
                needed.update(map(id, item.inputs))
                kept.append(item)
        self.items = kept[::-1]

    def values(self) -> list[Value]:
        """All tensors, by name; those of equal names in order."""
        found = {id(v): v for v in (*self.inputs, *self.outputs)}
        for item in self.items:
            for v in (*item.inputs, *item.outputs):
                if v is not None:
                    found[id(v)] = v
        return sorted(found.values(), key=lambda v: v.name)

    def content(self) -> bytes:
        """The bytes of the file.

        Raises:
            ValueError: it would take more than 2 GiB.
        """
        values = self.values()
        places = {id(v): i for i, v in enumerate(values)}
        codes: dict = {}
        operators = [_operator(item, places, codes) for item in self.items]
        tensors, buffers = _tensors(values)
        graph = {
            "tensors": tensors, "operators": operators,
            "inputs": [places[id(v)] for v in self.inputs],
            "outputs": [places[id(v)] for v in self.outputs],
        }  # fmt: skip
        model = {
            "version": 3, "description": "Written by twinflow.", "subgraphs": [graph],
            "operator_codes": [_code(*key) for key in codes], "buffers": buffers,
        }  # fmt: skip
        return SCHEMA.encode("Model", model, b"TFL3")

    def drawing(self) -> bytes:
        """The model as a graph in the language of Graphviz."""
        lines = ["digraph G {", "  node [fontsize=10];"]
        values = self.values()
        places = {id(v): i for i, v in enumerate(values)}
        ends = {id(v) for v in (*self.inputs, *self.outputs)}
        for i, v in enumerate(values):
            kind = "lightblue" if id(v) in ends else "white"
            kind = "lightgrey" if v.array is not None else kind
            sizes = "?" if v.shape is None else "x".join(map(str, v.shape))
            text = f"{_escaped(v.name)}\\n{v.dtype.name} {sizes}"
            lines.append(f'  t{i} [label="{text}", style=filled, fillcolor={kind}];')
        for i, item in enumerate(self.items):
            lines.append(f'  o{i} [label="{_escaped(item.kind)}", shape=box];')
            given = (v for v in item.inputs if v is not None)
            lines += [f"  t{places[id(v)]} -> o{i};" for v in given]
            lines += [f"  o{i} -> t{places[id(v)]};" for v in item.outputs]
        return "\n".join([*lines, "}", ""]).encode()


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _code(kind: str, version: int, is_custom: bool) -> dict:
    if is_custom:
        return {
            "deprecated_builtin_code": _CUSTOM, "builtin_code": _CUSTOM,
            "custom_code": kind, "version": version,
        }  # fmt: skip
    number = _CODES[kind]
    older = min(number, _ENDS)
    return {
        "deprecated_builtin_code": older,
        "builtin_code": number,
        "version": version,
    }


def _operator(item: Item, places: dict, codes: dict) -> dict:
    key = item.kind, item.version, item.is_custom
    found = {
        "opcode_index": codes.setdefault(key, len(codes)),
        "inputs": [-1 if v is None else places[id(v)] for v in item.inputs],
        "outputs": [places[id(v)] for v in item.outputs],
    }
    if item.content:
        found["custom_options"] = item.content
    if not item.is_custom:
        parts = "".join(p.capitalize() for p in item.kind.split("_"))
        parts = parts.replace("2d", "2D").replace("3d", "3D")
        table = f"{_OPTIONS.get(item.kind, parts)}Options"
        if table in SCHEMA.tables:
            found["builtin_options"] = (table, item.options)
    return found


def _tensors(values: list[Value]) -> tuple[list, list]:
    """The tables of tensors and of buffers, equal ones once; the first one is empty."""
    buffers: dict[bytes, int] = {b"": 0}
    tensors = []
    for v in values:
        place = 0
        if v.array is not None and v.array.size:
            place = buffers.setdefault(_bytes(v), len(buffers))
        shape = () if v.shape is None else v.shape
        made = {
            "shape": [1 if n is None else n for n in shape], "buffer": place,
            "type": type_number(v.dtype), "name": v.name,
            "quantization": _quantization(v),
        }  # fmt: skip
        if None in shape:
            made["shape_signature"] = [-1 if n is None else n for n in shape]
        tensors.append(made)
    return tensors, [{"data": data or None} for data in buffers]


def _bytes(v: Value) -> bytes:
    if v.dtype == object:
        return _texts(v.array)
    return np.asarray(v.array, v.dtype.newbyteorder("<"), order="C").tobytes()


def _texts(array: Any) -> bytes:
    """How many texts there are, where each begins and the last one ends, and they."""
    parts = [t if isinstance(t, bytes) else str(t).encode() for t in array.flat]
    first = 4 * (len(parts) + 2)
    ends = np.cumsum([first, *map(len, parts)])
    return np.array([len(parts), *ends], "<i4").tobytes() + b"".join(parts)


def _quantization(v: Value) -> dict | None:
    if v.scale is None:
        return None
    found = {"scale": [v.scale.scale], "zero_point": [v.scale.zero]}
    if v.range is not None:
        found |= {"min": [v.range[0]], "max": [v.range[1]]}
    return found


def type_number(dtype: Any) -> int:
    """TensorFlow Lite's number of a dtype of NumPy.

    Raises:
        KeyError: it has it not.
    """
    name = "STRING" if np.dtype(dtype).hasobject else np.dtype(dtype).name.upper()
    return _TYPES[name]

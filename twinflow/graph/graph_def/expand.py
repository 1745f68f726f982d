"""Nodes of ours as nodes that TensorFlow has, or whose kernels there can do it.

A rule is ``(node, node_def) -> NodeDefs``, where `node_def` is that of the node itself;
the last one has its name and stands for its outputs.
"""

from typing import Any

import numpy as np

from twinflow.base import dtypes, op_defs
from twinflow.formats import protos
from twinflow.formats.attr_values import to_proto
from twinflow.graph.graph_def import library


class Parts:
    """NodeDefs below the name of a node.

    Attributes:
        made: the NodeDefs.
    """

    def __init__(self, node_def):
        self.of, self.made = node_def, []

    def add(self, name, kind, *inputs, **attrs):
        """One more NodeDef, with the defaults of its OpDef; its name. "" = the last."""
        full = f"{self.of.name}/{name}" if name else self.of.name
        proto = protos.NodeDef(name=full, op=kind, device=self.of.device)
        proto.input.extend(inputs)
        if not name:
            proto.input.extend(t for t in self.of.input if t.startswith("^"))
        for attr in op_defs.find(kind).attrs.values():
            value = attrs.get(attr.name, attr.default)
            proto.attr[attr.name].CopyFrom(to_proto(value, attr.type))
        self.made.append(proto)
        return full

    def const(self, name, value):
        """A Const of an int32 value."""
        array = np.asarray(value, np.int32)
        return self.add(name, "Const", value=array, dtype=dtypes.int32)


def _call(node, node_def):
    """A call of a function with effects has an op of its own."""
    graph, _ = library.functions_of(node)
    if library.is_stateful(graph):
        node_def.op = "StatefulPartitionedCall"
    return [node_def]


def _custom_gradient(node, node_def):
    """The results alone: the sources are inputs for the sake of gradients."""
    parts = Parts(node_def)
    types = tuple(t.dtype for t in node.outputs)
    parts.add("", "IdentityN", *node_def.input[: node.attrs["results"]], T=types)
    return parts.made


def _iterator(node, node_def):
    """The iterator without its dataset, which stays in this process."""
    parts, attrs = Parts(node_def), {}
    for user in (node, *node.outputs[0].consumers()):
        if user.attrs.get("output_types"):
            attrs = {k: user.attrs[k] for k in ("output_types", "output_shapes")}
            break
    attrs = attrs or {"output_types": (dtypes.variant,), "output_shapes": (None,)}
    shared = node.attrs.get("shared_name", "")
    parts.add("", "IteratorV2", shared_name=shared, container="", **attrs)
    return parts.made


def _iterator_state(node, node_def):
    """No state: the dataset stays in this process."""
    parts, nothing = Parts(node_def), np.array(b"", object)
    parts.add("", "Const", value=nothing, dtype=dtypes.string)
    return parts.made


def _initializer(node, node_def):
    """Nothing: there is no dataset to begin with."""
    parts = Parts(node_def)
    parts.add("", "NoOp")
    return parts.made


def _from_dataset(node, node_def):
    """What is computed from a dataset: as the next element of an iterator."""
    parts = Parts(node_def)
    if not node.outputs:
        parts.add("", "NoOp")
        return parts.made
    types = tuple(t.dtype for t in node.outputs)
    attrs = {"output_types": types, "output_shapes": [t._shape for t in node.outputs]}
    iterator = parts.add(
        "iterator", "IteratorV2", shared_name="", container="", **attrs
    )
    parts.add("", "IteratorGetNext", iterator, **attrs)
    return parts.made


def _other_axes(node, node_def):
    """The axes that are not among `axes`, in order."""
    parts, (axes, rank) = Parts(node_def), node_def.input[:2]
    every = parts.add(
        "range", "Range", parts.const("start", 0), rank, parts.const("delta", 1)
    )
    axes = parts.add("mod", "FloorMod", axes, rank, T=dtypes.int32)
    parts.add("", "ListDiff", every, axes, T=dtypes.int32)
    return parts.made


def _reduced_shape(node, node_def):
    """A shape with 1 for the axes that are reduced."""
    parts, (shape, axes) = Parts(node_def), node_def.input[:2]
    kind, of = node.inputs[0].dtype, node.inputs[1].dtype
    if kind is not dtypes.int32:
        shape = parts.add("shape", "Cast", shape, SrcT=kind, DstT=dtypes.int32)
    if of is not dtypes.int32:
        axes = parts.add("axes", "Cast", axes, SrcT=of, DstT=dtypes.int32)
    rank = parts.add("rank", "Size", shape, T=dtypes.int32)
    places = parts.add("mod", "FloorMod", axes, rank, T=dtypes.int32)
    every = parts.add(
        "range", "Range", parts.const("start", 0), rank, parts.const("delta", 1)
    )
    many = parts.add("many", "Shape", axes, T=dtypes.int32)
    ones = parts.add("ones", "Fill", many, parts.const("one", 1), T=dtypes.int32)
    parts.add("", "DynamicStitch", every, places, shape, ones, N=2, T=dtypes.int32)
    return parts.made


def _dilated_depthwise(node, node_def):
    """TensorFlow's kernel overlooks dilations: the image is taken apart instead.

    Input space is rearranged into batches so that neighbours in a batch are as far from
    each other as the filter reaches, and back.
    """
    rates = node.attrs["dilations"][1:3]
    size = node.inputs[1]._shape
    plain = rates == (1, 1) or node.attrs["data_format"] != "NHWC"
    if plain or size is None or None in size[:2]:
        return [node_def]
    pads = [(k - 1) * r for k, r in zip(size[:2], rates, strict=True)]
    if node.attrs["padding"] == "VALID":
        pads = [0, 0]
    start = [p // 2 for p in pads]
    parts, x = Parts(node_def), node_def.input[0]
    block, extra = _missing(parts, x, node.inputs[0].dtype, rates, pads)
    end = [p - s for p, s in zip(pads, start, strict=True)]
    end = parts.add("end", "Add", parts.const("pad", end), extra, T=dtypes.int32)
    pair = {"N": 2, "T": dtypes.int32, "axis": 1}
    paddings = parts.add("paddings", "Pack", parts.const("start", start), end, **pair)
    crops = parts.add("crops", "Pack", parts.const("zero", [0, 0]), extra, **pair)
    of = node.inputs[0].dtype
    x = parts.add("SpaceToBatchND", "SpaceToBatchND", x, block, paddings, T=of)
    y = parts.add(
        "depthwise", "DepthwiseConv2dNative", x, node_def.input[1], T=of,
        strides=(1, 1, 1, 1), padding="VALID",
    )  # fmt: skip
    parts.add("", "BatchToSpaceND", y, block, crops, T=of)
    return parts.made


def _missing(parts, x, dtype, rates, pads):
    """(the block shape, how much the padded height and width lack to be multiples)"""
    block = parts.const("block_shape", rates)
    whole = parts.add("shape", "Shape", x, T=dtype)
    bounds = [parts.const(f"stack_{i}", [v]) for i, v in enumerate((1, 3, 1))]
    inner = parts.add("size", "StridedSlice", whole, *bounds, T=dtypes.int32,
                      Index=dtypes.int32)  # fmt: skip
    full = parts.add("full", "Add", inner, parts.const("pads", pads), T=dtypes.int32)
    over = parts.add("over", "FloorMod", full, block, T=dtypes.int32)
    less = parts.add("less", "Sub", block, over, T=dtypes.int32)
    return block, parts.add("extra", "FloorMod", less, block, T=dtypes.int32)


RULES: dict[str, Any] = {
    "PartitionedCall": _call,
    "TwinCustomGradient": _custom_gradient,
    "IteratorV2": _iterator,
    "OneShotIterator": _iterator,
    "MakeIterator": _initializer,
    "TwinIteratorState": _iterator_state,
    "TwinResumeIterator": _initializer,
    "ReduceDataset": _from_dataset,
    "DatasetToSingleElement": _from_dataset,
    "DatasetToTFRecord": _from_dataset,
    "TwinOtherAxes": _other_axes,
    "TwinReducedShape": _reduced_shape,
    "DepthwiseConv2dNative": _dilated_depthwise,
}
WHOLE = {_from_dataset}  # rules that read nothing of the NodeDef but its name

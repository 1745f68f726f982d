"""Kernel, stride and padding of the nodes of a GraphDef."""

from typing import Any, NamedTuple

from twinflow.formats.tensor_proto import make_ndarray

_LIKE_THEIR_INPUTS = [
    "Add", "BiasAdd", "Cast", "Ceil", "ConcatV2", "Const", "Floor", "FusedBatchNorm",
    "Identity", "Log", "Mul", "Pow", "RealDiv", "Relu", "Relu6", "Round", "Rsqrt",
    "Softplus", "Sub", "VariableV2", "LRN",
]  # fmt: skip
_VALID_PADDING = ["VALID", b"VALID"]
_SAME_PADDING = ["SAME", b"SAME"]


class LayerParameters(NamedTuple):
    """Sizes of a layer, along x and y; a padding is None where the input decides."""

    kernel_size_x: int
    kernel_size_y: int
    stride_x: int
    stride_y: int
    padding_x: int | None
    padding_y: int | None
    total_padding_x: int | None
    total_padding_y: int | None


def _spatial(node, values):
    """(along x, along y) of values of four axes."""
    nchw = node.attr["data_format"].s == b"NCHW"
    return (values[3], values[2]) if nchw else (values[2], values[1])


def _input(node, index, ending, name_to_node, what):
    """The node of an input, whose name has to have an ending."""
    name = node.input[index]
    if not name.endswith(ending):
        raise ValueError(f"{what} name does not end with '{ending}'")
    return name_to_node[name]


def _of_attr_or_input(node, attr, index, ending, name_to_node, what):
    if attr in node.attr:
        return list(node.attr[attr].list.i)
    found = _input(node, index, ending, name_to_node, what)
    return make_ndarray(found.attr["value"].tensor).tolist()


def _stride_size(node, name_to_node):
    strides = _of_attr_or_input(node, "strides", 2, "/strides", name_to_node, "Strides")
    return _spatial(node, strides)


def _conv_kernel_size(node, name_to_node):
    weights = node.input[1]
    if not weights.endswith("/read"):
        raise ValueError(
            "Weight layer's name input to conv layer does not end with '/read'"
        )
    variable = name_to_node[weights.removesuffix("/read")]
    if variable.op != "VariableV2":
        raise ValueError("Weight layer is not of type VariableV2")
    sizes = variable.attr["shape"].shape.dim
    return sizes[1].size, sizes[0].size


def _pool_kernel_size(node, name_to_node):
    sizes = _of_attr_or_input(node, "ksize", 1, "/ksize", name_to_node, "Kernel size")
    if sizes[0] != 1:
        raise ValueError("pool ksize for first dim is not 1")
    if node.attr["data_format"].s != b"NCHW" and sizes[3] != 1:
        raise ValueError("pool ksize for last dim is not 1")
    return _spatial(node, sizes)


def _padding_size_conv_pool(node, kernel_size, stride, input_resolution=None):
    """(padding, total padding) of one axis; None where the input decides."""
    padding = node.attr["padding"].s
    if padding in _VALID_PADDING:
        return 0, 0
    if padding not in _SAME_PADDING:
        raise ValueError(f"Invalid padding operation {padding!r}")
    if input_resolution is None and kernel_size != 1 and stride != 1:
        return None, None
    rest = (input_resolution or 0) % stride or stride
    total = max(kernel_size - (1 if kernel_size == 1 else rest), 0)
    return total // 2, total


def _padding_size_pad_layer(node, name_to_node):
    """((padding, total padding) along x, along y) of a Pad."""
    found = _input(node, 1, "/paddings", name_to_node, "Padding layer")
    if found.op != "Const":
        raise ValueError("Padding op is not Const")
    sizes = make_ndarray(found.attr["value"].tensor).tolist()
    for place, size in ("first", sizes[0]), ("last", sizes[3]):
        if any(size):
            raise ValueError(f"padding is not zero for {place} tensor dim")
    return [(sizes[axis][0], sum(sizes[axis])) for axis in (2, 1)]


def get_layer_params(
    node: Any, name_to_node: dict, input_resolution: Any = None, force: bool = False
) -> LayerParameters:
    """Kernel, stride and padding of a node.

    Args:
        node: a NodeDef. name_to_node: {name: NodeDef} of its graph.
        input_resolution: (height, width) of its input, or None.
        force: take a node of unknown kind for one that changes nothing.
    Raises:
        ValueError: the kind of the node is unknown, or it cannot be read.
    """
    kernel = stride = 1, 1
    pads = [(0, 0), (0, 0)]
    if node.op in (
        "Conv2D",
        "DepthwiseConv2dNative",
        "MaxPool",
        "AvgPool",
        "MaxPoolV2",
    ):
        convolves = node.op in ("Conv2D", "DepthwiseConv2dNative")
        stride = _stride_size(node, name_to_node)
        kernel = (_conv_kernel_size if convolves else _pool_kernel_size)(
            node, name_to_node
        )
        height, width = input_resolution or (None, None)
        pads = [
            _padding_size_conv_pool(node, k, s, size)
            for k, s, size in zip(kernel, stride, (width, height), strict=True)
        ]
    elif node.op == "Pad":
        pads = _padding_size_pad_layer(node, name_to_node)
    elif node.op not in _LIKE_THEIR_INPUTS and not force:
        raise ValueError(f"Unknown layer for operation '{node.name}': {node.op}")
    (pad_x, total_x), (pad_y, total_y) = pads
    return LayerParameters(*kernel, *stride, pad_x, pad_y, total_x, total_y)

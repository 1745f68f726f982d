"""Transforms of constants: rounded, in eight bits, multiplied into one another."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.formats import protos
from twinflow.formats.tensor_proto import make_ndarray, make_tensor_proto
from twinflow.transforms.parsing import Options
from twinflow.transforms.wiring import by_name, name_of, users, with_nodes

_FLOAT, _QUINT8 = (t.as_datatype_enum for t in (dtypes.float32, dtypes.quint8))
_STEPS = 256
_ROUNDED = 16  # elements; smaller constants stay as they are
_CHANNELS = {"Conv2D": 3, "MatMul": 1, "DepthwiseConv2dNative": None}


def const(name: str, value: Any, kind: int = _FLOAT, device: str = "") -> Any:
    """A Const.

    Args:
        kind: the number of its DType.
    """
    made = protos.NodeDef(name=name, op="Const", device=device)
    made.attr["dtype"].type = kind
    proto = make_tensor_proto(value, dtypes.as_dtype(kind))
    made.attr["value"].tensor.CopyFrom(proto)
    return made


def _floats(node: Any) -> Any:
    """The array of a Const of float32, or None."""
    if node.op != "Const" or node.attr["dtype"].type != _FLOAT:
        return None
    found = make_ndarray(node.attr["value"].tensor)
    return found if found.size else None


def _range(values: Any) -> tuple:
    """The ends of what an array holds, which are not the same."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        if abs(low) < 1e-6:
            high = low + 1.0
        elif low > 0:
            high = 2.0 * low
        else:
            low = 2.0 * high
    return low, high


def round_weights(graph_def: Any, inputs: Any, outputs: Any, options: Options) -> Any:
    """Let constants have num_steps values, the middles of as many equal parts."""
    count, found = options.number("num_steps", _STEPS), []
    for node in graph_def.node:
        values = _floats(node)
        if values is not None and values.size >= _ROUNDED:
            low, high = _range(values)
            width = np.float32((high - low) / count)
            steps = np.floor((values - np.float32(low)) / width)
            node = const(node.name, low + width * (steps + 0.5), device=node.device)
        found.append(node)
    return with_nodes(graph_def, found)


def quantize_weights(
    graph_def: Any, inputs: Any, outputs: Any, options: Options
) -> Any:
    """Keep constants of minimum_size and more as eight bits and the ends of a range."""
    least, found = options.number("minimum_size", 1024), []
    for node in graph_def.node:
        values = _floats(node)
        large = values is not None and values.size >= least
        found += _quantized(node, values) if large else [node]
    return with_nodes(graph_def, found)


def _quantized(node: Any, values: Any) -> list:
    low, high = _range(values)
    scale = _STEPS / ((high - low) * _STEPS / (_STEPS - 1))
    steps = np.round(values * scale) - np.round(low * scale)
    steps = np.clip(steps, 0, _STEPS - 1).astype(np.uint8)
    names = [f"{node.name}_quantized_{end}" for end in ("const", "min", "max")]
    back = protos.NodeDef(name=node.name, op="Dequantize", input=names)
    back.device = node.device
    back.attr["T"].type, back.attr["mode"].s = _QUINT8, b"MIN_FIRST"
    kept = const(names[0], np.zeros((), np.uint8), dtypes.uint8.as_datatype_enum)
    kept.attr["dtype"].type = _QUINT8
    proto = make_tensor_proto(steps, dtypes.uint8)
    kept.attr["value"].tensor.CopyFrom(proto)
    kept.attr["value"].tensor.dtype = _QUINT8
    ends = zip(names[1:], (low, high), strict=True)
    return [kept, *(const(name, np.float32(end)) for name, end in ends), back]


# ---------------------------------------------------------------------- folding
class _Folding:
    """A GraphDef in which convolutions take what comes after them into their weights.

    Attributes:
        changed: {name: NodeDefs in the place of one}, none where it goes.
    """

    def __init__(self, graph_def: Any, outputs: Any) -> None:
        self.nodes, self.users = by_name(graph_def), users(graph_def)
        self.outputs, self.changed = {name_of(o) for o in outputs}, {}

    def constant(self, text: str) -> Any:
        node = self.nodes.get(name_of(text))
        return None if node is None or text[0] == "^" else _floats(node)

    def product(self, text: str) -> Any:
        """The convolution or product that a text names, if one node alone uses it."""
        node = self.nodes.get(name_of(text))
        if node is None or node.op not in _CHANNELS or node.name in self.changed:
            return None
        weights = name_of(node.input[1])
        alone = len(self.users[node.name]) == len(self.users[weights]) == 1
        free = not {node.name, weights} & self.outputs
        constant = self.constant(node.input[1]) is not None
        return node if alone and free and constant else None

    def scale(self, product: Any, factors: Any) -> bool:
        """Multiply the weights of a product; False where the sizes do not fit."""
        node = self.nodes[name_of(product.input[1])]
        weights = _floats(node)
        axis = _CHANNELS[product.op]
        size = weights.shape[axis] if axis is not None else weights[0, 0].size
        if factors.size != size:
            return False
        shape = weights.shape if axis is not None else (*weights.shape[:2], size)
        scaled = (weights.reshape(shape) * factors.ravel()).reshape(weights.shape)
        made = const(node.name, scaled.astype(np.float32), device=node.device)
        self.changed[node.name] = [made]
        return True

    def drop(self, text: str, user: str) -> None:
        """Leave out a constant that one node alone uses."""
        name = name_of(text)
        if [n.name for n in self.users[name]] == [user] and name not in self.outputs:
            self.changed[name] = []

    def result(self, graph_def: Any) -> Any:
        found: list = []
        for node in graph_def.node:
            found += self.changed.get(node.name, [node])
        return with_nodes(graph_def, found)


def fold_batch_norms(
    graph_def: Any, inputs: Any, outputs: Any, options: Options
) -> Any:
    """Multiply the weights of convolutions by the constant that follows them."""
    folding = _Folding(graph_def, outputs)
    for node in graph_def.node:
        if node.op != "Mul" or len(node.input) != 2:
            continue
        product, factors = (
            folding.product(node.input[0]),
            folding.constant(node.input[1]),
        )
        if product is None or factors is None or not folding.scale(product, factors):
            continue
        made = protos.NodeDef()
        made.CopyFrom(product)
        made.name = node.name
        folding.changed[node.name] = [made]
        folding.changed[product.name] = []
        folding.drop(node.input[1], node.name)
    return folding.result(graph_def)


_NORMS = {  # the places of mean, variance, offset and scale, and the small number
    "BatchNormWithGlobalNormalization": (1, 2, 3, 4, "variance_epsilon"),
    "FusedBatchNorm": (3, 4, 2, 1, "epsilon"),
    "FusedBatchNormV2": (3, 4, 2, 1, "epsilon"),
}


def fold_old_batch_norms(
    graph_def: Any, inputs: Any, outputs: Any, options: Options
) -> Any:
    """Take nodes of batch normalisation into the weights before them and BiasAdds."""
    folding = _Folding(graph_def, outputs)
    for node in graph_def.node:
        if node.op in _NORMS:
            _fold_norm(folding, node)
    return folding.result(graph_def)


def _fold_norm(folding: _Folding, node: Any) -> None:
    *places, small = _NORMS[node.op]
    product = folding.product(node.input[0])
    values = [folding.constant(node.input[i]) for i in places]
    if product is None or any(v is None for v in values):
        return
    mean, variance, offset, gamma = values
    factors = 1 / np.sqrt(variance + node.attr[small].f)
    if node.op != "BatchNormWithGlobalNormalization" or (
        node.attr["scale_after_normalization"].b
    ):
        factors = factors * gamma
    if not folding.scale(product, factors):
        return
    bias = const(f"{product.name}_bn_offset", (offset - mean * factors), _FLOAT)
    made = protos.NodeDef(name=node.name, op="BiasAdd", device=node.device)
    made.input.extend([product.name, bias.name])
    made.attr["T"].type = _FLOAT
    if "data_format" in product.attr:
        made.attr["data_format"].CopyFrom(product.attr["data_format"])
    folding.changed[node.name] = [bias, made]
    for place in places:
        folding.drop(node.input[place], node.name)


_ALL = (
    round_weights,
    quantize_weights,
    fold_batch_norms,
    fold_old_batch_norms,
)
TABLE = {function.__name__: function for function in _ALL}

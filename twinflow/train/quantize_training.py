"""GraphDefs in which products are trained as they will be quantised."""

from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.formats import protos

_PRODUCTS = ("MatMul", "Conv2D")
_RANGES = {  # of what an op gives: least, largest, and whether it has a sign
    "Relu6": (0.0, 6.0, False),
    "Sigmoid": (0.0, 1.0, False),
    "Tanh": (-1.0, 1.0, True),
}
_UNSIGNED = ("Relu",)
_DECAY = 0.999


def do_quantize_training_on_graphdef(input_graph: Any, num_bits: int) -> Any:
    """A GraphDef whose matrix products and convolutions take rounded inputs.

    Ranges are those of activations where these are known, and moving averages of what
    came otherwise. `tf.contrib.quantize` does more.

    Args:
        input_graph: a GraphDef, before gradients. num_bits: int, 1 to 63.
    Returns:
        Another GraphDef.
    Raises:
        OutOfRangeError: another number of bits.
    Example:
        with tf.Graph().as_default() as graph:
            tf.matmul(tf.ones([1, 2]), tf.ones([2, 1]), name="product")
        found = tf.train.do_quantize_training_on_graphdef(graph.as_graph_def(), 8)
        sum(node.op == "QuantizeAndDequantizeV2" for node in found.node)  # 2
    """
    if not 1 <= num_bits <= 63:
        raise errors.OutOfRangeError(
            None, None, f"num_bits should be in range [1, 63] but is: {num_bits}"
        )
    found = protos.GraphDef()
    found.CopyFrom(input_graph)
    kinds = {node.name: node.op for node in found.node}
    rounded: dict[str, str] = {}
    writer = _Writer(found, num_bits)
    for node in list(found.node):
        if node.op not in _PRODUCTS:
            continue
        for place, name in enumerate(node.input):
            if name.startswith("^"):
                continue
            if name not in rounded:
                rounded[name] = writer.rounded(name, kinds[name.partition(":")[0]])
            node.input[place] = rounded[name]
    return found


class _Writer:
    """Adds nodes to a GraphDef."""

    def __init__(self, graph, num_bits):
        self._graph, self._bits = graph, num_bits

    def _node(self, name, op, *inputs, **attrs):
        """A node; its type is float unless `attrs` say more."""
        node = self._graph.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            node.attr[key].CopyFrom(value)
        return name

    def _constant(self, name, value):
        array = np.asarray(value)
        kind = _FLOAT if array.dtype == np.float64 else _INT
        tensor = protos.TensorProto(
            dtype=kind.type, tensor_shape=protos.TensorShapeProto()
        )
        (tensor.float_val if kind is _FLOAT else tensor.int_val).append(value)
        return self._node(
            name, "Const", dtype=kind, value=protos.AttrValue(tensor=tensor)
        )

    def rounded(self, name: str, kind: str) -> str:
        """The name of a tensor, rounded.

        Args:
            name: of the tensor. kind: the type of the op that gives it.
        """
        base = name.replace(":", "_")
        if kind in _RANGES:
            least, largest, signed = _RANGES[kind]
            bounds = (
                self._constant(base + "/InputMin", least),
                self._constant(base + "/InputMax", largest),
            )
        else:
            signed = kind not in _UNSIGNED
            bounds = self._measured(base, name)
        return self._node(
            base + "/QuantizeAndDequantizeV2", "QuantizeAndDequantizeV2", name, *bounds,
            T=_FLOAT, signed_input=protos.AttrValue(b=signed),
            num_bits=protos.AttrValue(i=self._bits), range_given=_TRUE,
        )  # fmt: skip

    def _measured(self, base, name):
        """The names of averages of the range that a tensor has."""
        decay = self._constant(base + "/Decay", _DECAY)
        axes = base + "/ReductionAxes/"
        every = self._node(
            axes + "ReductionAxes", "Range", self._constant(axes + "RangeStart", 0),
            self._node(axes + "InputRank", "Rank", name, T=_FLOAT),
            self._constant(axes + "RangeDelta", 1), Tidx=_INT,
        )  # fmt: skip
        return [
            self._averaged(
                self._node(
                    f"{base}/{op}",
                    op,
                    name,
                    every,
                    T=_FLOAT,
                    Tidx=_INT,
                    keep_dims=_FALSE,
                ),
                decay,
            )
            for op in ("Min", "Max")
        ]

    def _averaged(self, value, decay):
        """The name of a variable that follows a value, from the first one on."""
        shape = protos.AttrValue(shape=protos.TensorShapeProto())
        variable = self._node(
            value + "/Variable", "VariableV2", dtype=_FLOAT, shape=shape
        )
        begun = self._node(
            value + "/IsInitialized", "IsVariableInitialized", variable, dtype=_FLOAT
        )
        fresh = self._node(value + "/Switch", "Switch", value, begun, T=_FLOAT)
        ema = value + "/EMA/"
        one = self._constant(ema + "OneConst", 1.0)
        speed = self._node(ema + "DecayComplement", "Sub", one, decay, T=_FLOAT)
        apart = self._node(ema + "ValueDiff", "Sub", variable, fresh + ":1", T=_FLOAT)
        step = self._node(ema + "UpdateValue", "Mul", apart, speed, T=_FLOAT)
        moved = self._node(ema + "EMAValue", "Sub", variable, step, T=_FLOAT)
        merged = self._node(value + "/Merge", "Merge", fresh, moved, T=_FLOAT, N=_TWO)
        return self._node(value + "/AssignValue", "Assign", variable, merged, T=_FLOAT)


_FLOAT, _INT = protos.AttrValue(type=1), protos.AttrValue(type=3)
_SCALAR = protos.AttrValue(shape=protos.TensorShapeProto())
_TWO = protos.AttrValue(i=2)
_TRUE, _FALSE = protos.AttrValue(b=True), protos.AttrValue(b=False)

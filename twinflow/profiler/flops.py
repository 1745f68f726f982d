"""How many operations on floats nodes take: the statistic "flops" of 1.12."""

import math
from collections.abc import Callable
from typing import Any

from twinflow.graph.graph_def.surgery import tensor_shape_from_node_def_name
from twinflow.profiler.statistics import OpStats, RegisterStatistics

IMPLEMENTED_OPS = {
    "Reciprocal", "Square", "Rsqrt", "Log", "Neg", "AssignSub", "AssignAdd", "L2Loss",
    "Softmax", "Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Pow", "RsqrtGrad",
    "GreaterEqual", "Greater", "LessEqual", "Less", "Equal", "NotEqual",
    "SquaredDifference", "Mean", "Sum", "ArgMax", "ArgMin", "BiasAddGrad", "AvgPool",
    "MaxPool", "AvgPoolGrad", "MaxPoolGrad", "Conv2DBackpropInput",
    "Conv2DBackpropFilter", "AddN", "MatMul", "Conv2D", "DepthwiseConv2dNative",
    "BiasAdd", "Dilation2D",
}  # fmt: skip
_OF_INPUT = {  # operations for each element of the input
    "Reciprocal": 1, "Square": 1, "Rsqrt": 2, "Log": 1, "Neg": 1, "AssignSub": 1,
    "AssignAdd": 1, "Softmax": 5, "BiasAdd": 1,
}  # fmt: skip
_OF_OUTPUT = {  # operations for each element of the output
    "Add": 1, "Sub": 1, "Mul": 1, "RealDiv": 1, "Maximum": 1, "Minimum": 1, "Pow": 1,
    "RsqrtGrad": 4, "GreaterEqual": 1, "Greater": 1, "LessEqual": 1, "Less": 1,
    "Equal": 1, "NotEqual": 1, "SquaredDifference": 2,
}  # fmt: skip
_REDUCTIONS = ("Sum", "ArgMax", "ArgMin", "BiasAddGrad")
_WINDOWS = ("AvgPool", "MaxPool")  # a window for each element of the output


def _shape(graph: Any, name: str) -> list[int]:
    """The sizes of a tensor; ValueError if not all are known."""
    shape = tensor_shape_from_node_def_name(graph, name)
    shape.assert_is_fully_defined()
    return shape.as_list()


def _count(graph: Any, name: str) -> int:
    return math.prod(_shape(graph, name))


def _register(op_type: str) -> Callable:
    """Register a function of the graph and the NodeDef that gives a number."""

    def decorate(count: Callable) -> Callable:
        def counted(graph: Any, node: Any) -> OpStats:
            return OpStats("flops", count(graph, node))

        RegisterStatistics(op_type, "flops")(counted)
        return count

    return decorate


def _register_elementwise() -> None:
    for op_type, times in _OF_INPUT.items():
        _register(op_type)(lambda g, n, k=times: k * _count(g, n.input[0]))
    for op_type, times in _OF_OUTPUT.items():
        _register(op_type)(lambda g, n, k=times: k * _count(g, n.name))
    for op_type in _REDUCTIONS:
        _register(op_type)(lambda g, n: _count(g, n.input[0]) - _count(g, n.name))
    for op_type in _WINDOWS:
        _register(op_type)(lambda g, n: _window(n) * _count(g, n.name))


_register_elementwise()


@_register("Mean")
def _mean(graph: Any, node: Any) -> int:
    return _count(graph, node.input[0])


@_register("L2Loss")
def _l2_loss(graph: Any, node: Any) -> int:
    return 3 * _count(graph, node.input[0]) - 1


@_register("AddN")
def _add_n(graph: Any, node: Any) -> int:
    return _count(graph, node.input[0]) * (len(node.input) - 1) if node.input else 0


@_register("MatMul")
def _matmul(graph: Any, node: Any) -> int:
    depth = _shape(graph, node.input[0])[0 if node.attr["transpose_a"].b else 1]
    return 2 * depth * _count(graph, node.name)


def _window(node: Any) -> int:
    _check_format(node)
    return math.prod(node.attr["ksize"].list.i)


def _check_format(node: Any) -> None:
    if node.attr["data_format"].s != b"NHWC":
        raise ValueError("Only NHWC format is supported in flops computations")


@_register("AvgPoolGrad")
def _avg_pool_grad(graph: Any, node: Any) -> int:
    return 2 * _window(node) * _count(graph, node.input[1])


@_register("MaxPoolGrad")
def _max_pool_grad(graph: Any, node: Any) -> int:
    return (_window(node) + 1) * _count(graph, node.input[1])


@_register("Conv2D")
def _conv(graph: Any, node: Any) -> int:
    height, width, depth, _ = _shape(graph, node.input[1])
    return 2 * height * width * depth * _count(graph, node.name)


@_register("DepthwiseConv2dNative")
@_register("Dilation2D")
def _of_each_channel(graph: Any, node: Any) -> int:
    height, width = _shape(graph, node.input[1])[:2]
    return 2 * height * width * _count(graph, node.name)


def _backward(image: list[int], kernel: list[int], node: Any) -> float:
    """Of a gradient of a convolution, where the image is that of the forward pass."""
    _check_format(node)
    strides = node.attr["strides"].list.i
    places = image[-1] * strides[1] * strides[2]
    return 2 * math.prod(image) * math.prod(kernel) / places


@_register("Conv2DBackpropInput")
def _conv_input(graph: Any, node: Any) -> float:
    return _backward(_shape(graph, node.name), _shape(graph, node.input[1]), node)


@_register("Conv2DBackpropFilter")
def _conv_filter(graph: Any, node: Any) -> float:
    return _backward(_shape(graph, node.input[0]), _shape(graph, node.name), node)

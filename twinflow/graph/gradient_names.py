"""The names of gradients: what TensorFlow calls the last node of each gradient.

The rules are written once for every mode and leave out what does nothing, such as
reshaping to the shape that is there; programs still find a gradient under its name.
"""

_ONE = {
    "mul": (
        "Abs Acos Asin Atan Atanh Cos Cosh Digamma Exp Expm1 L2Loss Lgamma Log Log1p "
        "Max Min Sin Sinh SparseSoftmaxCrossEntropyWithLogits Tan"
    ),
    "mul_1": "Erf Erfc Softmax",
    "truediv": "Acosh Asinh Cumprod Mean",
    "sub": "LogSoftmax",
    "zeros": "Sign",
    "transpose": "Transpose",
    "Tile": "Sum",
    "Pad": "Slice",
    "Slice_1": "Pad PadV2",
    "Select": "UnsortedSegmentSum",
    "Reshape_3": "BroadcastTo TopKV2",
    "Reshape_4": "Prod",
}
_SEVERAL = {
    "MatMul MatMul_1": "BatchMatMul MatMul",
    "Reshape Reshape_1": "FloorMod Maximum Minimum Pow RealDiv",
    "Reshape Neg": "SquaredDifference",
    "mul mul_1": "Atan2",
}
_NAMES: dict[str, tuple] = {
    op: (name,) for name, ops in _ONE.items() for op in ops.split()
}
_NAMES |= {op: tuple(n.split()) for n, ops in _SEVERAL.items() for op in ops.split()}
_ALIKE = {"Add": (None, None), "Sub": (None, "Neg"), "Mul": ("Mul", "Mul_1")}
_SPREAD = ("Reshape", "Reshape_1")


def name_of(node, place):
    """What TensorFlow calls the gradient of input `place` of `node`, or None."""
    if node.type in _ALIKE:
        a, b = (t._shape for t in node.inputs)
        alike = a == b and a is not None and None not in a
        return (_ALIKE[node.type] if alike else _SPREAD)[place]
    names = _NAMES.get(node.type, ())
    return names[place] if place < len(names) else None


def rename(graph, node, name):
    """Give a node another name in its scope, if that is free."""
    full = node.name.rpartition("/")[0] + "/" + name
    if full in graph.by_name:
        return
    del graph.by_name[node.name]
    node.name = full
    graph.by_name[full] = node
    graph.used_names.setdefault(full.lower(), 1)

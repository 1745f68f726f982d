"""Nodes that multiply matrices."""

from typing import Any

import numpy as np

from twinflow.ops.matrix.contraction import einsum


def product(r: Any, x: Any, y: Any) -> Any:
    """numpy.matmul: one axis is a vector, further axes in front are broadcast."""
    rx, ry = r.rank(x), r.rank(y)
    if rx == 1 or ry == 1:
        x = r.op("ExpandDims", x, 0) if rx == 1 else x
        y = r.op("ExpandDims", y, 1) if ry == 1 else y
        axes = (-2,) * (rx == 1) + (-1,) * (ry == 1)
        return r.op("Squeeze", product(r, x, y), squeeze_dims=axes)
    if rx == ry == 2:
        return r.op("MatMul", x, y)
    if ry == 2:
        return _rows(r, x, y)
    x, y = _broadcast(r, x, y, max(rx, ry))
    return r.op("BatchMatMul", x, y)


def _rows(r: Any, x: Any, y: Any) -> Any:
    """A product of all rows of `x` at once."""
    sizes, shape = r.sizes(x), r.shape(x)
    flat = r.reshaped(x, np.array([-1, r.shape(y)[0] or shape[-1] or -1], np.int64))
    columns = r.op("StridedSlice", r.sizes(y), [1], [2], [1])
    lead = r.op("StridedSlice", sizes, [0], [len(shape) - 1], [1])
    wanted = r.op("ConcatV2", [lead, columns], np.int32(0))
    return r.reshaped(r.op("MatMul", flat, y), wanted)


def _broadcast(r: Any, x: Any, y: Any, rank: int) -> tuple:
    """Both with the same axes in front."""
    wide = []
    for v in (x, y):
        missing = rank - r.rank(v)
        if missing:
            ones = np.ones(missing, np.int64)
            sizes = r.op("ConcatV2", [ones, r.sizes(v)], np.int32(0))
            v = r.reshaped(v, sizes)
        wide.append(v)
    shapes = [r.shape(v)[:-2] for v in wide]
    if shapes[0] == shapes[1] and None not in shapes[0]:
        return tuple(wide)
    leads = [r.op("StridedSlice", r.sizes(v), [0], [rank - 2], [1]) for v in wide]
    lead = r.op("BroadcastArgs", *leads)
    found = []
    for v in wide:
        ends = r.op("StridedSlice", r.sizes(v), [rank - 2], [rank], [1])
        wanted = r.op("ConcatV2", [lead, ends], np.int32(0))
        found.append(r.op("BroadcastTo", v, wanted))
    return tuple(found)


def _mat_mul(r: Any, node: Any, x: Any, y: Any) -> Any:
    return product(r, x, y)


def _gemm(r: Any, node: Any, a: Any, b: Any, c: Any = None) -> Any:
    flags = bool(node.get("transA", 0)), bool(node.get("transB", 0))
    y = r.op("MatMul", a, b, transpose_a=flags[0], transpose_b=flags[1])
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    if alpha != 1.0:
        y = r.op("Mul", y, r.like(alpha, y))
    if c is None:
        return y
    return r.op("Add", y, c if beta == 1.0 else r.op("Mul", c, r.like(beta, y)))


def _einsum(r: Any, node: Any, *inputs: Any) -> Any:
    return einsum(node.get("equation"), *inputs)


READERS = {"MatMul": _mat_mul, "Gemm": _gemm, "Einsum": _einsum}

"""Sums and means of chosen rows, by sorted segment ids: embeddings of bags of words.

sparse_segment_sum(data, indices, ids) = segment_sum(gather(data, indices), ids)
"""

import numpy as np

from twinflow.base import dtypes, movement
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.infer import at_least, check_scalar, merge, one_int, ranked
from twinflow.ops.math.segment import check_runs, check_sorted, reduced_runs, runs

_FLOATS = frozenset((dtypes.float32, dtypes.float64))


def _infer_sparse(data, indices, segment_ids, num_segments=None):
    d, i, s = data._shape, indices._shape, segment_ids._shape
    for what, shape in (("indices", i), ("segment_ids", s)):
        ranked(shape, 1, f"{what} should be a vector.")
    merge(i, s, "segment_ids and indices should have same size.")
    at_least(d, 1)
    check_scalar(num_segments, "num_segments")
    n = one_int(num_segments)
    if n is not None and n < 0:
        message = "Cannot specify a negative value for num_segments"
        raise InferError("segment ids must be >= 0", message)
    return None if d is None else (n, *d[1:])


def _check_sparse(data, indices, segment_ids, num_segments=None):
    """TensorFlow's words for bad ids or indices, else None."""
    n = one_int(num_segments)
    wrong = check_sorted(None, segment_ids) if n is None else None
    if n is not None and segment_ids.size:
        if segment_ids[-1] >= n:
            return "segment ids must be < num_segments"
        if n <= 0:
            return "segment ids must be >= 0"
        wrong = check_runs(segment_ids, n)
    return wrong or _outside(indices, len(data))


def _outside(indices, n):
    bad = (indices < 0) | (indices >= n)
    if not bad.any():
        return None
    place = int(np.argmax(bad))
    return f"Bad: indices[{place}] == {indices[place]} out of range [0, {n})"


def _weighted(rows, ids, power, each):
    """Rows over the number of those of their segment, to the power.

    `each` says whether `rows` are the members of the segments, or the segments.
    """
    if not power or not len(ids):
        return rows
    starts = runs(ids)
    counts = np.diff(np.append(starts, len(ids)))
    scale = counts.astype(rows.dtype) ** -power
    if each:
        return rows * np.repeat(scale, counts).reshape(-1, *(1,) * (rows.ndim - 1))
    rows[ids[starts]] *= scale.reshape(-1, *(1,) * (rows.ndim - 1))
    return rows


def _kernel(power):
    def kernel(data, indices, segment_ids, num_segments=None):
        n = one_int(num_segments)
        if n is None:
            n = int(segment_ids[-1]) + 1 if len(segment_ids) else 0
        out = movement.summed(data, segment_ids, n, indices)
        if out is None:
            out = np.zeros((n, *data.shape[1:]), data.dtype)
            reduced_runs(np.add, data[indices], segment_ids, out)
        return _weighted(out, segment_ids, power, False)

    return kernel


def _grad_kernel(power):
    def kernel(grad, indices, segment_ids, output_dim0):
        out = np.zeros((one_int(output_dim0), *grad.shape[1:]), grad.dtype)
        if not len(out):
            return out
        rows = _weighted(grad[segment_ids], segment_ids, power, True)
        found = movement.summed(rows, indices, len(out))
        if found is None:
            np.add.at(out, indices, rows)
        return out if found is None else found

    return kernel


def _check_grad(grad, indices, segment_ids, output_dim0):
    n, rows = one_int(output_dim0), len(grad)
    if not n:
        return None  # there is nothing to add to
    bad = (segment_ids < 0) | (segment_ids >= rows)
    if segment_ids.size and segment_ids[-1] >= rows:
        return "Invalid number of segments"
    if bad.any():
        found = segment_ids[int(np.argmax(bad))]
        return f"Segment id {found} out of range [0, {rows})."
    bad = (indices < 0) | (indices >= n)
    if bad.any():
        return f"Index {indices[int(np.argmax(bad))]} out of range [0, {n})."
    return None


def _sum_grad(dy, shape_data, indices, segment_ids):
    return unsorted_segment_sum(gather(dy, segment_ids), indices, shape_data[0])


def _define(kind, power, rule):
    """The op, and its form that is told the number of segments."""
    return [
        define(
            f"SparseSegment{kind}{end}",
            on_host=told,
            infer=_infer_sparse,
            host=_kernel(power),
            grad=[rule],
            check=_check_sparse,
        )
        for end, told in (("", ""), ("WithNumSegments", "num_segments"))
    ]


def _define_grad(kind, power, means):
    """The gradient of a mean; its own is the mean again, the second op of `means()`."""
    return define(
        f"SparseSegment{kind}Grad",
        on_host="output_dim0",
        infer=_infer_sparse,
        grad=[
            lambda dy, shape_grad, indices, segment_ids: apply(
                means()[1],
                (dy, indices, segment_ids, shape_grad[0]),
            )
        ],
        check=_check_grad,
        host=_grad_kernel(power),
    )


def _rule_of(op):
    def rule(dy, shape_data, indices, segment_ids):
        return apply(op, (dy, indices, segment_ids, shape_data[0]))

    return rule


SparseSegmentMeanGrad = _define_grad("Mean", 1, lambda: _MEAN)
SparseSegmentSqrtNGrad = _define_grad("SqrtN", 0.5, lambda: _SQRT_N)
_SUM = _define("Sum", 0, _sum_grad)
_MEAN = _define("Mean", 1, _rule_of(SparseSegmentMeanGrad))
_SQRT_N = _define("SqrtN", 0.5, _rule_of(SparseSegmentSqrtNGrad))


def _apply(ops, data, indices, segment_ids, name, num_segments):
    if num_segments is None:
        return apply(ops[0], (data, indices, segment_ids), None, name)
    return apply(ops[1], (data, indices, segment_ids, num_segments), None, name)


def sparse_segment_sum(
    data: TensorValue, indices: TensorValue, segment_ids: TensorValue,
    name: str | None = None, num_segments: TensorValue | None = None,
) -> Tensor:  # fmt: skip
    """out[i] is the sum of data[indices[j]] over all j with segment_ids[j] == i.

    Args:
        data: a real tensor of at least one axis.
        indices: int32 or int64[n], the rows to take.
        segment_ids: int32[n], sorted, from 0. name: for a graph.
        num_segments: how many rows come out; the last id plus one if not given.
    Returns:
        A tensor[num_segments, ...]; segments without rows are 0.
    Raises:
        InvalidArgumentError: an index or id is out of range, or ids are not sorted.
    Example:
        tf.sparse_segment_sum([[1.], [2.], [4.]], [0, 2, 1], [0, 0, 1])  # [[5.], [2.]]
    """
    return _apply(_SUM, data, indices, segment_ids, name, num_segments)


def sparse_segment_mean(
    data: TensorValue, indices: TensorValue, segment_ids: TensorValue,
    name: str | None = None, num_segments: TensorValue | None = None,
) -> Tensor:  # fmt: skip
    """As tf.sparse_segment_sum, but the mean.

    Args:
        data: float32 or float64 tensor. indices, segment_ids, name, num_segments: see
            tf.sparse_segment_sum.
    Example:
        x = [[1.], [2.], [4.]]
        tf.sparse_segment_mean(x, [0, 2, 1], [0, 0, 1])  # [[2.5], [2.]]
    """
    return _apply(_MEAN, data, indices, segment_ids, name, num_segments)


def sparse_segment_sqrt_n(
    data: TensorValue, indices: TensorValue, segment_ids: TensorValue,
    name: str | None = None, num_segments: TensorValue | None = None,
) -> Tensor:  # fmt: skip
    """As tf.sparse_segment_sum, over the square root of the number of rows.

    Args:
        data: float32 or float64 tensor. indices, segment_ids, name, num_segments: see
            tf.sparse_segment_sum.
    Example:
        x = [[1.], [2.], [4.]]
        tf.sparse_segment_sqrt_n(x, [0, 2, 1], [0, 0, 1])  # [[3.54], [2.]]
    """
    return _apply(_SQRT_N, data, indices, segment_ids, name, num_segments)

"""Matrices of time series models: powers, sums of powers, covariances."""

from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.dtypes import float32, int32
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.layers.dense import fully_connected
from twinflow.graph.variable_scope import get_variable
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import ones, ones_like, zeros, zeros_like
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.elementwise import exp, log, maximum, sqrt
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, tile
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_any, reduce_max
from twinflow.ops.core.shape import expand_dims, rank, reshape, shape
from twinflow.ops.core.transposing import matrix_transpose, transpose
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import (
    eye,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)
from twinflow.ops.matrix.inverse import matrix_determinant
from twinflow.ops.nn.activation import softsign
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer

_JITTER = 1e-8  # added to covariances before their determinant


def clip_covariance(
    covariance_matrix: TensorValue, maximum_variance_ratio: float,
    minimum_variance: float,
) -> Tensor:  # fmt: skip
    """Covariances whose variances are not below bounds.

    Args:
        covariance_matrix: float[..., n, n].
        maximum_variance_ratio: of the largest variance to any other.
        minimum_variance: the least of all.
    """
    diagonal = matrix_diag_part(covariance_matrix)
    least = reduce_max(diagonal, axis=-1, keepdims=True) / maximum_variance_ratio
    bounded = maximum(maximum(diagonal, least), minimum_variance)
    return matrix_set_diag(covariance_matrix, bounded)


def block_diagonal(
    matrices: Any, dtype: Any = float32, name: str | None = "block_diagonal"
) -> Tensor:
    """A matrix with others on its diagonal, and zeros around them.

    Args:
        matrices: list of [batch..., rows, columns], with the same batch.
        dtype: of the result. name: of the node.
    """
    matrices = [convert_to_tensor(m, dtype) for m in matrices]
    widths = [_last(m) for m in matrices]
    total, left, rows = sum(widths), 0, []
    for matrix, width in zip(matrices, widths):
        ends = [[0, 0]] * (matrix.shape.ndims - 1) + [[left, total - left - width]]
        rows.append(pad(matrix, ends))
        left = left + width
    return concat(rows, axis=-2, name=name)


def _last(matrix):
    """The last dimension, as an int where it is known."""
    known = matrix.shape[-1].value
    return shape(matrix)[-1] if known is None else known


def matrix_to_powers(matrix: TensorValue, powers: TensorValue) -> Tensor:
    """Powers of one matrix: float[..., n, n].

    Args:
        matrix: float[n, n]. powers: int[...], from 0.
    """
    powers = convert_to_tensor(powers)
    flat = reshape(powers, [-1])
    many = expand_dims(matrix, 0) + zeros(
        concat([shape(flat), [1, 1]], 0), matrix.dtype
    )
    found = batch_matrix_pow(many, flat)
    return reshape(found, concat([shape(powers), shape(found)[1:]], 0))


def batch_matrix_pow(matrices: TensorValue, powers: TensorValue) -> Tensor:
    """A power of each matrix, float[batch, n, n].

    Args:
        matrices: float[batch, n, n]. powers: int[batch], from 0.
    """
    return _doubled(matrices, zeros_like(matrices), powers)[0]


def power_sums(matrix: TensorValue, middle: TensorValue, counts: TensorValue) -> Tensor:
    """Sums of A^i M (A^i)^T for i from 0 below each count, float[batch, n, n].

    Args:
        matrix: A, float[n, n]. middle: M, float[n, n]. counts: int[batch].
    """
    zero = zeros(concat([shape(counts), [1, 1]], 0), middle.dtype)
    return _doubled(matrix + zero, middle + zero, counts)[1]


def _doubled(matrices, middles, counts):
    """(A^n, the sum of A^i M (A^i)^T for i < n), by the binary digits of n.

    The sum of n + m terms is S_n + A^n S_m (A^n)^T, so each digit takes one step.
    """
    size = _last(matrices)
    counts = convert_to_tensor(counts)
    start = zeros_like(matrices) + eye(size, dtype=matrices.dtype)

    def body(left, power, total, square, term):
        odd = equal(left % 2, 1)
        at_odd = odd[:, None, None] & ones_like(matrices, dtype="bool")
        more = total + matmul(matmul(power, term), power, transpose_b=True)
        total = where(at_odd, more, total)
        power = where(at_odd, matmul(power, square), power)
        term = term + matmul(matmul(square, term), square, transpose_b=True)
        return left // 2, power, total, matmul(square, square), term

    _, power, total, _, _ = while_loop(
        lambda left, *_: reduce_any(left > 0),
        body,
        (counts, start, zeros_like(matrices), matrices, middles),
    )
    return power, total


def power_sums_tensor(
    array_size: Any, power_matrix: TensorValue, multiplier: TensorValue
) -> Tensor:
    """The sums of A^i M (A^i)^T for i < k, for each k below `array_size`.

    Args:
        array_size: int[]. power_matrix: A, float[n, n]. multiplier: M, float[n, n].
    Returns:
        float[array_size, n, n], zeros first.
    """
    return power_sums(
        convert_to_tensor(power_matrix), convert_to_tensor(multiplier),
        numbers(array_size),
    )  # fmt: skip


def matrix_times_batch(
    matrix: TensorValue, batch: TensorValue, adj_x: bool = False, adj_y: bool = False
) -> Tensor:
    """One matrix times each of a batch.

    Args:
        matrix: float[n, m]. batch: float[batch, m, p].
        adj_x, adj_y: whether to transpose the first, the second.
    """
    many = expand_dims(matrix, 0) + zeros(
        concat([shape(batch)[:1], [1, 1]], 0), batch.dtype
    )
    return matmul(many, batch, transpose_a=adj_x, transpose_b=adj_y)


def batch_times_matrix(
    batch: TensorValue, matrix: TensorValue, adj_x: bool = False, adj_y: bool = False
) -> Tensor:
    """Each of a batch times one matrix.

    Args:
        batch: float[batch, n, m]. matrix: float[m, p].
        adj_x, adj_y: whether to transpose the first, the second.
    """
    many = expand_dims(matrix, 0) + zeros(
        concat([shape(batch)[:1], [1, 1]], 0), batch.dtype
    )
    return matmul(batch, many, transpose_a=adj_x, transpose_b=adj_y)


def make_toeplitz_matrix(inputs: TensorValue, name: str | None = None) -> Tensor:
    """A symmetric matrix of blocks, by their distance from the diagonal.

    Args:
        inputs: float[n, rows, columns], the blocks of the first row. name: of the node.
    Returns:
        float[n * rows, n * columns].
    """
    count, rows, columns = shape(inputs)[0], shape(inputs)[1], shape(inputs)[2]
    place = numbers(count)
    blocks = gather(inputs, abs(place[:, None] - place[None, :]))
    size = [count * rows, count * columns]
    return reshape(transpose(blocks, [0, 2, 1, 3]), size, name=name)


def sign_magnitude_positive_definite(
    raw: TensorValue, off_diagonal_scale: Any = 0.0, overall_scale: Any = 0.0
) -> Tensor:
    """A positive definite matrix from any numbers: what a covariance is trained by.

    The lower half of `raw` holds the signs, and its upper half the logarithms of the
    sizes, of what is above the diagonal of the matrix's root.

    Args:
        raw: float[..., n, n]. off_diagonal_scale: float[...], a logarithm that is added
            to sizes beside the diagonal. overall_scale: float[...], added to all.
    """
    raw = convert_to_tensor(raw)
    beside, overall = (
        convert_to_tensor(x, raw.dtype)[..., None]
        for x in (off_diagonal_scale, overall_scale)
    )
    sizes = exp((raw + beside[..., None] + overall[..., None]) / 2.0)
    root = matrix_band_part(sizes * softsign(matrix_transpose(raw)), 0, -1)
    root = matrix_set_diag(root, exp((matrix_diag_part(raw) + overall) / 2.0))
    return matmul(root, root, transpose_a=True)


def transform_to_covariance_matrices(
    input_vectors: TensorValue, matrix_size: int
) -> Tensor:
    """Covariances by a trained layer of vectors, float[batch, n, n].

    Args:
        input_vectors: float[batch, features]. matrix_size: n.
    """
    values = fully_connected(input_vectors, matrix_size**2 + 2, activation_fn=None)
    size = concat([shape(values)[:-1], [matrix_size, matrix_size]], 0)
    return sign_magnitude_positive_definite(
        reshape(values[..., :-2], size), values[..., -2], values[..., -1]
    )


def variable_covariance_matrix(
    size: int, name: str, dtype: Any,
    initial_diagonal_values: TensorValue | None = None,
    initial_overall_scale_log: TensorValue = 0.0,
) -> Tensor:  # fmt: skip
    """A covariance made of variables.

    Args:
        size: int, its rows. name: of the variables. dtype: of them.
        initial_diagonal_values: float[size], the variances at first; ones by default.
        initial_overall_scale_log: float[], what the matrix is multiplied by at first,
            as a logarithm.
    """
    raw = get_variable(
        name + "_pre_transform", [size, size], dtype, zeros_initializer()
    )
    beside = get_variable(
        name + "_off_diagonal_scale", initializer=constant(-5.0, dtype), dtype=dtype
    )
    overall = get_variable(name + "_overall_scale", [], dtype, zeros_initializer())
    if initial_diagonal_values is not None:
        raw = raw + matrix_diag(log(initial_diagonal_values))
    found = sign_magnitude_positive_definite(
        raw, beside, initial_overall_scale_log + overall
    )
    return identity(found, name=name)


def entropy_matched_cauchy_scale(covariance: TensorValue) -> Tensor:
    """The scales of Cauchy distributions as uncertain as normal ones.

    Args:
        covariance: float[..., n, n].
    Returns:
        float[..., n].
    """
    return sqrt(matrix_diag_part(covariance)) * np.sqrt(np.e / (8.0 * np.pi))


def log_noninformative_covariance_prior(covariance: TensorValue) -> Tensor:
    """The logarithm of Jeffreys' prior of covariances, but for a constant.

    Args:
        covariance: float[..., n, n].
    Returns:
        float[...].
    """
    size = _last(covariance)
    stable = covariance + eye(size, dtype=covariance.dtype) * _JITTER
    half = cast(size + 1, covariance.dtype) / 2.0
    return -half * log(matrix_determinant(stable))


def batch_start_time(times: TensorValue) -> Tensor:
    """int64[batch], the first time of each series, of int64[batch, window]."""
    return times[:, 0]


def batch_end_time(times: TensorValue) -> Tensor:
    """int64[batch], the last time of each series, of int64[batch, window]."""
    return times[:, -1]


def replicate_state(start_state: Any, batch_size: Any) -> Any:
    """A state for each of a batch: every tensor gets a first dimension.

    Args:
        start_state: structure of tensors. batch_size: int[].
    """

    def many(tensor):
        tensor = expand_dims(tensor, 0)
        rest = ones([rank(tensor) - 1], int32)
        return tile(tensor, concat([[batch_size], rest], 0))

    return nest.map_structure(many, start_state)

"""Nearest points of sets of multipliers and of stochastic matrices."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.compare import less, logical_and
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones, range
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_max
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.norm import norm


def _checked(values, what, rank, words):
    """The sizes of a float tensor of a rank, which have to be known.

    Raises:
        ValueError: they are not, or it is no such tensor.
    """
    if not values.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    if values.shape.ndims is None:
        raise ValueError(f"{what} must have known shape")
    if values.shape.ndims != rank:
        raise ValueError(
            f"{what} must be {words} dimensional (instead is "
            f"{values.shape.ndims}-dimensional)"
        )
    sizes = values.shape.as_list()
    if rank == 2 and sizes[0] != sizes[1]:
        text = f"matrix must be square (instead has shape ({sizes[0]},{sizes[1]}))"
        raise advised(ValueError, text)
    if None in sizes:
        raise ValueError(f"{what} must have fully-known shape")
    return sizes


def _excess(columns, radius):
    """How much each column is above the simplex: what to take from each element."""
    size = columns.shape.as_list()[0]
    falling = transpose(top_k(transpose(columns), size)[0])
    counts = expand_dims(cast(range(1, size + 1), columns.dtype), 1)
    return reduce_max((cumsum(falling, 0) - radius) / counts, 0)


def _project_multipliers_wrt_euclidean_norm(multipliers: Any, radius: Any) -> Any:
    """The nearest vector of elements that are not negative, with at most this sum.

    Args:
        multipliers: float[m]. radius: the sum.
    Raises:
        ValueError: its dtype, rank or size is none.
    """
    multipliers = convert_to_tensor(multipliers)
    _checked(multipliers, "multipliers", 1, "one")
    excess = _excess(expand_dims(multipliers, 1), radius)
    return maximum(multipliers - maximum(excess, 0.0), 0.0)


def _project_stochastic_matrix_wrt_euclidean_norm(matrix: Any) -> Any:
    """The nearest matrix whose columns are distributions.

    Args:
        matrix: float[n, n].
    Raises:
        ValueError: its dtype, rank or size is none.
    """
    matrix = convert_to_tensor(matrix)
    _checked(matrix, "matrix", 2, "two")
    return maximum(matrix - _excess(matrix, 1.0), 0.0)


def _project_log_stochastic_matrix_wrt_kl_divergence(log_matrix: Any) -> Any:
    """The logarithm of the matrix whose columns are distributions and like those given.

    Args:
        log_matrix: float[n, n], logarithms.
    Raises:
        ValueError: its dtype, rank or size is none.
    """
    log_matrix = convert_to_tensor(log_matrix)
    _checked(log_matrix, "matrix", 2, "two")
    return log_matrix - reduce_logsumexp(log_matrix, axis=0, keepdims=True)


def _maximal_eigenvector_power_method(
    matrix: Any, epsilon: float = 1e-6, maximum_iterations: int = 100
) -> Any:
    """The eigenvector of the largest eigenvalue, of length 1.

    Args:
        matrix: float[n, n]. epsilon: how small the last change has to be.
        maximum_iterations: when to stop all the same.
    Raises:
        ValueError: one of these is not positive.
    """
    if epsilon <= 0.0:
        raise ValueError("epsilon must be strictly positive")
    if maximum_iterations <= 0:
        raise ValueError("maximum_iterations must be strictly positive")
    matrix = convert_to_tensor(matrix)
    size = matrix.shape.as_list()[0]
    start = ones([size], matrix.dtype) / size

    def step(count, vector, change):
        found = squeeze(matmul(matrix, expand_dims(vector, 1)), [1])
        found = found / norm(found)
        return count + 1, found, norm(found - vector)

    def go_on(count, vector, change):
        return logical_and(less(count, maximum_iterations), change > epsilon)

    far = convert_to_tensor(float("inf"), matrix.dtype)
    return while_loop(go_on, step, (0, start, far))[1]

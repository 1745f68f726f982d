"""Values between scattered points, by polyharmonic splines.

A spline is a sum of functions phi(|x - c|) of the distances from the known points c,
and of a plane; the weights solve one linear system.
"""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.elementwise import log, maximum, pow, sqrt
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.matrix.solve import matrix_solve

_EPSILON = 1e-10


def interpolate_spline(
    train_points: TensorValue, train_values: TensorValue, query_points: TensorValue,
    order: Any, regularization_weight: float = 0.0,
    name: str | None = "interpolate_spline",
) -> Tensor:  # fmt: skip
    """The values of a polyharmonic spline through known points.

    Args:
        train_points: float[batch, n, d], where values are known.
        train_values: float[batch, n, k], the values.
        query_points: float[batch, m, d], where they are asked for.
        order: of the spline; phi is r for 1, r^2 log r for 2 (thin plates), r^3 for 3.
        regularization_weight: how much smoothness counts against fitting exactly.
        name: the name scope in a graph.
    Returns:
        float[batch, m, k]
    Example:
        x, y = [[[0.], [1.]]], [[[0.], [2.]]]
        tf.contrib.image.interpolate_spline(x, y, [[[.5]]], 1)  # about 1
    """
    with dispatch.current_mode().name_scope(name or "interpolate_spline"):
        points, values = (
            convert_to_tensor(train_points),
            convert_to_tensor(train_values),
        )
        asked = convert_to_tensor(query_points)
        w, v = _weights(points, values, order, regularization_weight)
        curve = matmul(_phi(_squares(asked, points), order), w)
        return curve + matmul(_with_one(asked), v)


def _with_one(points):
    return concat([points, ones_like(points[:, :, :1])], 2)


def _weights(points, values, order, regularization):
    """The weights of the functions, and of the plane."""
    count, flat = shape(points)[1], _with_one(points)
    kernel = _phi(_squares(points, points), order)
    if regularization > 0:
        kernel = kernel + regularization * expand_dims(
            eye(count, dtype=points.dtype), 0
        )
    wide = points.get_shape().as_list()[2] + 1
    batch = shape(points)[0]
    none = zeros([batch, wide, wide], points.dtype)
    left = concat([kernel, transpose(flat, [0, 2, 1])], 1)
    system = concat([left, concat([flat, none], 1)], 2)
    right = zeros([batch, wide, shape(values)[2]], values.dtype)
    solved = matrix_solve(system, concat([values, right], 1))
    return solved[:, :count], solved[:, count:]


def _squares(a, b):
    """float[batch, m, n]: the squared distances of m points from n others."""
    norms = [reduce_sum(x * x, 2) for x in (a, b)]
    product = matmul(a, b, transpose_b=True)
    return expand_dims(norms[0], 2) - 2.0 * product + expand_dims(norms[1], 1)


def _phi(r, order):
    """phi of squared distances."""
    at_least = maximum(r, _EPSILON)
    if order == 1:
        return sqrt(at_least)
    if order == 2:
        return 0.5 * r * log(at_least)
    if order == 4:
        return 0.5 * (r * r) * log(at_least)
    if order % 2 == 0:
        return 0.5 * pow(at_least, 0.5 * order) * log(at_least)
    return pow(at_least, 0.5 * order)

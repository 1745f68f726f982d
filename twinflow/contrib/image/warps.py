"""Images warped by a flow: for each pixel, or for a few points."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.image.splines import interpolate_spline
from twinflow.ops.arrays.grid import meshgrid
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import range, zeros_like
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.rounding import floor
from twinflow.ops.core.shape import expand_dims, reshape, shape


def dense_image_warp(
    image: TensorValue, flow: TensorValue, name: str | None = "dense_image_warp"
) -> Tensor:
    """Each pixel (i, j) is what the image has at (i, j) - flow[i, j], between pixels.

    Args:
        image: float[batch, height, width, channels].
        flow: float[batch, height, width, 2]: rows and columns.
        name: the name scope in a graph.
    Returns:
        float[batch, height, width, channels]; what is outside is the nearest pixel.
    Raises:
        ValueError: an image that is smaller than 2 x 2.
    Example:
        x = tf.reshape(tf.range(4.), [1, 2, 2, 1])
        tf.contrib.image.dense_image_warp(x, tf.zeros([1, 2, 2, 2]))
    """
    with dispatch.current_mode().name_scope(name or "dense_image_warp"):
        image, flow = convert_to_tensor(image), convert_to_tensor(flow)
        sizes = _sizes(image)
        rows, columns = meshgrid(range(sizes[1]), range(sizes[2]), indexing="ij")
        grid = cast(stack([rows, columns], axis=2), flow.dtype)
        points = reshape(grid[None] - flow, [sizes[0], sizes[1] * sizes[2], 2])
        found = interpolate_bilinear(image, points)
        return reshape(found, sizes)


def _sizes(image):
    """The sizes of an image's axes: ints where they are known."""
    known, later = image.get_shape().as_list(), shape(image)
    return [later[i] if n is None else n for i, n in enumerate(known)]


def interpolate_bilinear(
    grid: TensorValue, query_points: TensorValue,
    name: str | None = "interpolate_bilinear", indexing: str = "ij",
) -> Tensor:  # fmt: skip
    """The values of a grid between its points; outside it those of its border.

    Args:
        grid: float[batch, height, width, channels].
        query_points: float[batch, n, 2]: rows and columns.
        name: the name scope in a graph.
        indexing: "ij", or "xy" for columns and rows.
    Returns:
        float[batch, n, channels]
    Raises:
        ValueError: another rank, a grid smaller than 2 x 2, or another indexing.
    """
    if indexing not in ("ij", "xy"):
        raise ValueError("Indexing mode must be 'ij' or 'xy'")
    with dispatch.current_mode().name_scope(name or "interpolate_bilinear"):
        grid, points = convert_to_tensor(grid), convert_to_tensor(query_points)
        _check_grid(grid, points)
        batch, height, width, channels = _sizes(grid)
        order = (0, 1) if indexing == "ij" else (1, 0)
        places = zip(order, (height, width))
        rows, columns = (_between(points[:, :, i], n, grid.dtype) for i, n in places)
        flat = reshape(grid, [batch * height * width, channels])
        first = expand_dims(range(batch) * height * width, 1)

        def values(i, j):
            return gather(flat, first + i * width + j)

        top, right = expand_dims(rows[1], 2), expand_dims(columns[1], 2)
        corners = [
            [values(rows[0] + a, columns[0] + b) for b in (0, 1)] for a in (0, 1)
        ]
        upper, lower = (right * (b - a) + a for a, b in corners)
        return top * (lower - upper) + upper


def _between(places, size, dtype):
    """The pixel before places along an axis, and how far they are from it."""
    last = convert_to_tensor(size - 2)
    low = minimum(maximum(floor(places), 0.0), cast(last, places.dtype))
    part = cast(places - low, dtype)
    return cast(low, dtypes.int32), minimum(maximum(part, 0.0), 1.0)


def _check_grid(grid, points):
    s = grid.get_shape()
    if s.ndims != 4:
        raise ValueError(f"Grid must be 4 dimensional. Received size: {s}")
    if any(n is not None and n < 2 for n in s.as_list()[1:3]):
        raise ValueError(
            f"Grid must be at least batch_size x 2 x 2 in size. Received size: {s}"
        )
    if points.get_shape().ndims != 3 or points.get_shape().as_list()[2] not in (
        2,
        None,
    ):
        raise ValueError("Query points must be of size batch_size x n x 2")


# ---------------------------------------------------------------------- a few points
def sparse_image_warp(
    image: TensorValue, source_control_point_locations: TensorValue,
    dest_control_point_locations: TensorValue, interpolation_order: int = 2,
    regularization_weight: float = 0.0, num_boundary_points: int = 0,
    name: str | None = "sparse_image_warp",
) -> tuple[Any, ...]:  # fmt: skip
    """An image that is moved at some points, and smoothly between them.

    Args:
        image: float[batch, height, width, channels].
        source_control_point_locations: float[batch, n, 2]: rows and columns.
        dest_control_point_locations: float[batch, n, 2], where they come to lie.
        interpolation_order, regularization_weight: see `interpolate_spline`.
        num_boundary_points: how many points of each edge stay where they are; 1 = the
            corners.
        name: the name scope in a graph.
    Returns:
        (float[batch, height, width, channels], the flow of `dense_image_warp`)
    """
    image = convert_to_tensor(image)
    source = convert_to_tensor(source_control_point_locations)
    dest = convert_to_tensor(dest_control_point_locations)
    with dispatch.current_mode().name_scope(name or "sparse_image_warp"):
        batch, height, width, _ = image.get_shape().as_list()
        flows, points = dest - source, dest
        if num_boundary_points > 0:
            points, flows = with_still_boundary(
                points, flows, height, width, num_boundary_points - 1
            )
        places = grid_locations(height, width).reshape(-1, 2)
        grid = np.broadcast_to(places, (batch, height * width, 2))
        found = interpolate_spline(
            points, flows, constant(grid, points.dtype), interpolation_order,
            regularization_weight,
        )  # fmt: skip
        dense = reshape(found, [batch, height, width, 2])
        return dense_image_warp(image, dense), dense


def grid_locations(image_height: int, image_width: int) -> np.ndarray:
    """float64[height, width, 2]: the row and column of each pixel."""
    places = np.meshgrid(np.arange(image_height), np.arange(image_width), indexing="ij")
    return np.stack(places, -1).astype(np.float64)


def boundary_locations(
    image_height: int, image_width: int, num_points_per_edge: int
) -> np.ndarray:
    """float64[n, 2]: the corners, and some points on each edge between them."""
    n = num_points_per_edge + 2
    rows, columns = np.meshgrid(
        np.linspace(0, image_height - 1, n), np.linspace(0, image_width - 1, n),
        indexing="ij",
    )  # fmt: skip
    last = np.isin(rows, (0, image_height - 1)), np.isin(columns, (0, image_width - 1))
    outer = last[0] | last[1]
    return np.stack([rows[outer], columns[outer]], -1)


def with_still_boundary(
    control_point_locations: Tensor, control_point_flows: Tensor, image_height: int,
    image_width: int, boundary_points_per_edge: int,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Points and flows [batch, n, 2], and points of the boundary that stay."""
    batch = control_point_locations.get_shape().as_list()[0]
    edge = boundary_locations(image_height, image_width, boundary_points_per_edge)
    edge = np.broadcast_to(edge, (batch, *edge.shape))
    still = constant(edge, control_point_locations.dtype)
    return (
        concat([control_point_locations, still], 1),
        concat([control_point_flows, zeros_like(still)], 1),
    )

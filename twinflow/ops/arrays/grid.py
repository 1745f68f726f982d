"""The coordinates of grids."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import stack
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.size import size


def meshgrid(
    *args: Any, indexing: str = "xy", name: str | None = "meshgrid"
) -> list[Tensor]:
    """The coordinates of a grid.

    Args:
        args: tensors of one axis (or scalars), of one dtype.
        indexing: "xy" (the second axis follows the first argument) or "ij".
        name: the name of the scope in a graph.
    Returns:
        A list of tensors, one for each argument, all of the shape of the grid.
    Raises:
        ValueError: another `indexing`.
    Example:
        tf.meshgrid([1, 2], [3, 4])  # [[1, 2], [1, 2]], [[3, 3], [4, 4]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    n = len(args)
    order = (1, 0, *range(2, n)) if indexing == "xy" and n > 1 else range(n)
    with dispatch.current_mode().name_scope(name):
        vectors = [reshape(convert_to_tensor(a), [-1]) for a in args]
        sizes = stack([size(vectors[i]) for i in order])
        return [
            broadcast_to(reshape(v, _along(order.index(i), n)), sizes, "mul")
            for i, v in enumerate(vectors)
        ]


def _along(place, n):
    """The shape of a vector that lies along axis `place` of `n`."""
    return [-1 if i == place else 1 for i in range(n)]

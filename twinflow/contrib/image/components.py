"""The parts of images that hang together, and greedy matching."""

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.compare import not_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.index import gather
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.image.components import BipartiteMatch, ImageConnectedComponents


def connected_components(images: TensorValue) -> Tensor:
    """Number the parts of images that have one value and touch, 0 where it is 0.

    Pixels touch at their sides, not at corners. The numbers 1, 2, ... are given in the
    order of the first pixels, through all images.

    Args:
        images: any dtype, [height, width] or [batch, height, width].
    Returns:
        int32, in the shape of `images`.
    Raises:
        TypeError: another rank.
    Example:
        tf.contrib.image.connected_components([[True, False, True]])  # [[1, 0, 2]]
    """
    with dispatch.current_mode().name_scope("connected_components"):
        images = convert_to_tensor(images, name="images")
        rank = images.get_shape().ndims
        if rank not in (2, 3):
            raise TypeError(
                "images should have rank 2 (HW) or 3 (NHW). Static shape is "
                f"{images.get_shape()}"
            )
        batch = images[None] if rank == 2 else images
        parts = apply(ImageConnectedComponents, (batch,))
        found, places = unique(reshape(parts, [-1]))
        inside = cast(not_equal(found, 0), dtypes.int32)
        numbers = cumsum(inside) * inside
        return reshape(gather(numbers, places), shape(images))


def bipartite_match(
    distance_mat: TensorValue, num_valid_rows: TensorValue, top_k: int = -1,
    name: str | None = "bipartite_match",
) -> tuple:  # fmt: skip
    """Pair rows with columns, the nearest first, until one of them is used up.

    Args:
        distance_mat: float32[rows, columns], how far they are apart.
        num_valid_rows: how many rows to look at; all of them if negative.
        top_k: how many pairs at most; as many as there are if negative.
        name: the name in a graph.
    Returns:
        (int32[rows], int32[columns]): the partner of each, or -1.
    """
    distances = convert_to_tensor(distance_mat, dtypes.float32)
    count = cast(num_valid_rows, dtypes.float32)
    return tuple(apply(BipartiteMatch, (distances, count), {"top_k": top_k}, name))

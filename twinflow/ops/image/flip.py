"""Images turned over and round."""

from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.compare import equal, less, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.division import floormod
from twinflow.ops.core.shape import shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.image.shape import as_image, at_least_3d, chosen
from twinflow.ops.random.draws import random_uniform, scoped

_ROUND = 4  # quarter turns


def _image(image):
    current_mode().leave_ids(1)
    return as_image(at_least_3d(convert_to_tensor(image, name="image")))


def _flip(image, axis, name):
    with scoped(None, name):
        image, rank = _image(image)
        return reverse(image, [axis + rank - 3])


def flip_left_right(image: TensorValue) -> Tensor:
    """An image with its columns in reverse order.

    Args:
        image: T[height, width, channels] or T[batch, height, width, channels].
    Returns:
        A tensor like `image`.
    Raises:
        ValueError: `image` has another rank, or no pixels.
    Example:
        tf.image.flip_left_right([[[1], [2]]])  # [[[2], [1]]]
    """
    return _flip(image, 1, "flip_left_right")


def flip_up_down(image: TensorValue) -> Tensor:
    """An image with its rows in reverse order; see `tf.image.flip_left_right`."""
    return _flip(image, 0, "flip_up_down")


def _random_flip(image, axis, seed, name):
    with scoped(None, name):
        image, rank = _image(image)
        if rank == 4:
            current_mode().leave_ids(8)
            draws = random_uniform([shape(image)[0]], seed=seed)
            return where(less(0.5, draws), reverse(image, [axis + 1]), image)
        turned = less(random_uniform([], seed=seed), 0.5)
        return chosen(turned, lambda: reverse(image, [axis]), lambda: image)


def random_flip_left_right(image: TensorValue, seed: int | None = None) -> Tensor:
    """An image, in one of two cases with its columns in reverse order.

    Args:
        image: T[height, width, channels], or a batch: each image has its own chance.
        seed: an int; see tf.set_random_seed.
    Returns:
        A tensor like `image`.
    Raises:
        ValueError: `image` has another rank, or no pixels.
    Example:
        tf.image.random_flip_left_right(tf.ones([2, 3, 1])).shape  # (2, 3, 1)
    """
    return _random_flip(image, 1, seed, "random_flip_left_right")


def random_flip_up_down(image: TensorValue, seed: int | None = None) -> Tensor:
    """As `tf.image.random_flip_left_right`, for the rows."""
    return _random_flip(image, 0, seed, "random_flip_up_down")


def _swapped(image, rank, name="transpose"):
    order = [0, 1, 2, 3][: rank - 3] + [rank - 2, rank - 3, rank - 1]
    return transpose(image, order, name)


def transpose_image(image: TensorValue) -> Tensor:
    """An image whose rows are the columns of `image`.

    Args and Raises: as `tf.image.flip_left_right`.
    Returns:
        T[width, height, channels], or a batch of them.
    Example:
        tf.image.transpose_image([[[1], [2]]])  # [[[1]], [[2]]]
    """
    with scoped(None, "transpose_image"):
        return _swapped(*_image(image), "transpose_image")


def _turns(image, rank):
    """What 0 to 3 quarter turns to the left do."""
    rows, columns = rank - 3, rank - 2
    return (
        lambda: image,
        lambda: _swapped(reverse(image, [columns]), rank),
        lambda: reverse(image, [rows, columns]),
        lambda: reverse(_swapped(image, rank), [columns]),
    )


def rot90(image: TensorValue, k: TensorValue = 1, name: str | None = None) -> Tensor:
    """An image turned to the left by 90 degrees, `k` times.

    Args:
        image: T[height, width, channels] or T[batch, height, width, channels].
        k: an int, or an int32 scalar that the run decides.
        name: the name scope in a graph.
    Returns:
        A tensor like `image`, with height and width exchanged where `k` is odd.
    Raises:
        ValueError: `image` has another rank, or no pixels.
    Example:
        tf.image.rot90([[[1], [2]]])  # [[[2]], [[1]]]
    """
    with scoped(name, "rot90"):
        turns = _turns(*_image(image))
        if not is_tensor_like(k):
            return turns[int(k) % _ROUND]()
        k = floormod(convert_to_tensor(k, name="k"), _ROUND)
        k.shape.assert_has_rank(0)
        if not k.symbolic:
            return turns[int(k)]()
        return _case(k, turns)


def _case(k, turns):
    """The turn number `k`, as nested branches of a graph."""
    last = turns[-1]
    if len(turns) == 1:
        return last()
    return chosen(equal(k, len(turns) - 1), last, lambda: _case(k, turns[:-1]))

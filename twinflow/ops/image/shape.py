"""What images must look like: [height, width, channels], or a batch of them.

Sizes and offsets may be ints or int32 scalars that only the run knows; what is known is
checked at once, the rest by an Assert on which the image then depends.
"""

from twinflow.base import dispatch
from twinflow.base.convert import is_tensor_like
from twinflow.ops.arrays.passing import ensure_shape
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import Assert, assert_positive
from twinflow.ops.debugging.static import with_dependencies

_RANKS = "'image' must have either 3 or 4 dimensions."
_EMPTY = "all dims of 'image.shape' must be > 0"


def as_image(image, name="image"):
    """(tensor, its rank 3 or 4); what has an unknown rank must be one image.

    Raises:
        ValueError: it has another rank.
    """
    image = convert_to_tensor(image, name=name)
    if image._shape is None:
        image = ensure_shape(image, [None] * 3)
    rank = len(image._shape)
    if rank not in (3, 4):
        raise ValueError(_RANKS)
    return image, rank


def at_least_3d(image):
    """`image`, refused if it has fewer than 3 axes or is empty."""
    if image._shape is not None and len(image._shape) < 3:
        raise ValueError("'image' must be at least three-dimensional.")
    return after(nonempty(image), image)


def after(checks, image):
    """`image`, once the ops in `checks` have run."""
    return with_dependencies(checks, image) if checks else image


def nonempty(image, lead=()):
    """Checks that no axis is empty; `lead` are axes to name before those of `image`."""
    s = image._shape
    if s is not None and 0 in s:
        raise ValueError(f"{_EMPTY}: {(*lead, *s)}")
    if s is None or None in s:
        return _ops(assert_positive(shape(image), [f"{_EMPTY}."]))
    return []


def check(condition, message):
    """Checks that `condition`, a bool or a tensor, is true.

    Raises:
        ValueError: it is not (InvalidArgumentError for a tensor).
    """
    if is_tensor_like(condition):
        return _ops(Assert(condition, [message]))
    if not condition:
        raise ValueError(message)
    return []


def _ops(op):
    return [] if op is None else [op]


def dims(image):
    """The size of each axis: an int where it is known, else an int32 scalar."""
    s = image._shape
    if None not in s:
        return list(s)
    run = shape(image)
    return [run[i] if d is None else d for i, d in enumerate(s)]


def larger(x, y):
    """The larger of two numbers, of which tensors give a tensor."""
    return maximum(x, y) if is_tensor_like(x) or is_tensor_like(y) else max(x, y)


def smaller(x, y):
    """The smaller of two numbers, of which tensors give a tensor."""
    return minimum(x, y) if is_tensor_like(x) or is_tensor_like(y) else min(x, y)


def settle(image, *sizes):
    """Tell a graph the sizes of the last axes that are ints."""
    if image.symbolic:
        known = [None if is_tensor_like(n) else n for n in sizes]
        image.set_shape([None] * (len(image._shape) - len(sizes)) + known)
    return image


def chosen(condition, then, otherwise):
    """`then()` or `otherwise()`: one now, one of two branches in a graph."""
    mode = dispatch.current_mode()
    if mode.eager:
        return then() if condition else otherwise()
    return mode.cond(condition, then, otherwise)

"""Windows that slide over axes: their number, the padding, and the checks.

Along one axis of `size`, a window of `k` entries that are `dilation` apart moves in
steps of `stride`. VALID keeps to what is there; SAME gives ceil(size / stride) windows
and pads both ends, the far one more where the padding is odd.
"""

import itertools
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from twinflow.base.op import InferError
from twinflow.ops.core.infer import one_of

FORMATS = ("NHWC", "NCHW")
FORMATS_3D = ("NDHWC", "NCDHW")
_SPATIAL = {"NHWC": (1, 2), "NCHW": (2, 3), "NDHWC": (1, 2, 3), "NCDHW": (2, 3, 4)}


class Window(NamedTuple):
    """The windows along one axis."""

    size: int
    k: int
    stride: int
    dilation: int
    count: int
    before: int
    after: int

    def inside(self, i):
        """Where entry `i` of the windows lies on the axis, not in the padding.

        Returns:
            (slice of the windows, slice of the axis), equally long.
        """
        start = i * self.dilation - self.before
        first = max(0, -(start // self.stride))
        last = min(self.count, (self.size - 1 - start) // self.stride + 1)
        last = max(first, last)
        low = start + first * self.stride
        high = max(low, start + (last - 1) * self.stride + 1)
        return slice(first, last), slice(low, high, self.stride)

    def mask(self, i):
        """Whether entry `i` of each window lies on the axis: bool[count]."""
        mask = np.zeros(self.count, bool)
        mask[self.inside(i)[0]] = True
        return mask

    def there(self):
        """How many entries of each window lie on the axis: int[count]."""
        return sum((self.mask(i) for i in range(self.k)), np.zeros(self.count, int))

    def steps(self, i):
        """Where entry `i` of the windows lies on the padded axis, as a slice."""
        start = i * self.dilation
        return slice(start, start + self.wide(), self.stride)

    def wide(self):
        """How far apart the first and the last window begin, and one."""
        return (self.count - 1) * self.stride + 1

    def pads(self, i):
        """The pads that put one number a window where its entry `i` lies on the axis.

        Returns:
            (low, high, between), as XLA takes them: negative ones cut off.
        """
        start = i * self.dilation - self.before
        return start, self.size - self.wide() - start, self.stride - 1

    def spare_pads(self):
        """The pads that make all windows fit, without what VALID ones leave over."""
        after = self.wide() + self.reach() - 1 - self.size - self.before
        return self.before, after

    def turned_pads(self):
        """The pads that make the transposed windows give the size of the axis."""
        before = self.reach() - 1 - self.before
        return before, self.size + self.reach() - 1 - self.wide() - before

    def reach(self):
        """How many entries of the axis a window spans."""
        return (self.k - 1) * self.dilation + 1

    def turned(self):
        """For stride 1: the windows that slide over what these give, and give the axis.

        With them the gradient of a convolution's input is a convolution.
        """
        before = self.reach() - 1 - self.before
        after = self.size + self.reach() - 1 - self.count - before
        return self._replace(
            size=self.count, count=self.size, stride=1, before=before, after=after
        )


@lru_cache(maxsize=4096)
def window(size, k, stride, dilation, padding):
    """The Window of one axis whose size is known."""
    reach = (k - 1) * dilation + 1
    if padding == "VALID":
        count, before = max(0, (size - reach) // stride + 1), 0
    else:
        count = -(-size // stride)
        before = max(0, (count - 1) * stride + reach - size) // 2
    after = max(0, (count - 1) * stride + reach - size - before)
    return Window(size, k, stride, dilation, count, before, after)


def count(size, k, stride, dilation, padding):
    """How many windows there are; None where the size or `k` is unknown."""
    if size is None or (k is None and padding == "VALID"):
        return None
    if padding == "VALID":
        reach = (k - 1) * dilation + 1
        if reach > size:
            raise InferError(
                f"Negative dimension size caused by subtracting {reach} from {size}"
            )
        return (size - reach) // stride + 1
    return -(-size // stride)


def pool_axes(shape, ksize, strides, padding):
    """The Windows of all axes of a shape."""
    return [
        window(n, k, s, 1, padding)
        for n, k, s in zip(shape, ksize, strides, strict=True)
    ]


def spatial_windows(shape, filters, strides, padding, data_format, dilations):
    """The Windows of (depth,) height and width of a shape."""
    return [
        window(shape[a], k, strides[a], dilations[a], padding)
        for a, k in zip(spatial(data_format), filters, strict=False)
    ]


def dilation_windows(x, w, strides, rates, padding):
    """The Windows of height and width of images, for a filter without channels."""
    return spatial_windows(x.shape, w.shape[:2], strides, padding, "NHWC", rates)


def filter_entries(axes):
    """The places in a filter that has these Windows, in turn."""
    return itertools.product(*(range(a.k) for a in axes))


def placed(n, sizes, c, data_format):
    """A shape from its parts, in the order of `data_format`."""
    return (n, c, *sizes) if data_format[1] == "C" else (n, *sizes, c)


def lowest(dtype):
    """What no number is below: the start of a maximum."""
    return np.array(np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf, dtype)


def wide(x):
    """`x`, halves as float32: sums of them would lose digits."""
    return x.astype(np.float32) if x.dtype.itemsize < 4 else x


def spatial(data_format):
    """The axes of (depth,) height and width."""
    return _SPATIAL[data_format]


def channel(data_format):
    """The axis of the channels."""
    return 1 if data_format[1] == "C" else len(data_format) - 1


def differ(a, b):
    """Whether two sizes are known and not equal."""
    return None not in (a, b) and a != b


def check_layout(op, padding, data_format, formats=FORMATS):
    """Raise InferError for a padding or data_format that there is not."""
    one_of(op, "padding", padding, ("SAME", "VALID"))
    one_of(op, "data_format", data_format, formats)


def check_length(op, attr, value, least):
    """Raise InferError for a list attribute that is too short."""
    n = len(value)
    if n < least:
        raise InferError(
            f"Length for attr '{attr}' of {n} must be at least minimum {least}",
            f"Attr '{attr}' of '{op}' Op passed list of length {n} less than minimum "
            f"{least}.",
        )


def as_ints(value, what, op):
    """A list attribute as a tuple of ints.

    Raises:
        TypeError: `value` is not a list of ints.
    """
    if not isinstance(value, list | tuple):
        raise TypeError(
            f"Expected list for '{what}' argument to '{op}' Op, not {value!r}."
        )
    return tuple(int(v) for v in value)

"""Patches of images and volumes, each as one deep element."""

from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant
from twinflow.ops.core.index import unsorted_segment_sum
from twinflow.ops.core.infer import one_of, product, ranked
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.window import check_length, window

_PLAIN = (1,) * 5  # the rates of volumes


def _windows(sizes, ksizes, strides, rates, padding):
    """The Windows along the space axes; sizes that are not known give None."""
    facts = zip(sizes, ksizes[1:-1], strides[1:-1], rates[1:-1], strict=True)
    return [None if n is None else window(n, k, s, r, padding) for n, k, s, r in facts]


def _infer_patches(x, ksizes, strides, rates, padding):
    n = 4 if rates is not _PLAIN else 5
    op = "ExtractImagePatches" if n == 4 else "ExtractVolumePatches"
    one_of(op, "padding", padding, ("SAME", "VALID"))
    for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        check_length(op, name, value, n)
        if min(value) < 1:
            raise InferError(f"{op}: {name} must be at least 1, got {list(value)}")
    s = ranked(x._shape, n, f"input must be {n}-dimensional{{}}")
    windows = _windows(s[1:-1], ksizes, strides, rates, padding)
    counts = tuple(None if w is None else w.count for w in windows)
    depth = None if s[-1] is None else s[-1] * product(ksizes)
    return (s[0], *counts, depth)


def _places(shape, ksizes, strides, rates, padding):
    """int[windows, entries]: the flat place of each entry; -1 in the padding."""
    sizes = shape[1:-1]
    windows = _windows(sizes, ksizes, strides, rates, padding)
    k = len(windows)
    flat = np.zeros((1,) * (2 * k), np.int32)
    good = np.ones((1,) * (2 * k), bool)
    for i, w in enumerate(windows):
        starts = np.arange(w.count, dtype=np.int32)[:, None] * w.stride - w.before
        along = [1] * (2 * k)
        along[i], along[k + i] = w.count, w.k
        at = (starts + np.arange(w.k, dtype=np.int32) * w.dilation).reshape(along)
        good = good & (at >= 0) & (at < w.size)
        flat = flat * w.size + at
    flat = np.where(good, flat, np.int32(-1))
    return flat.reshape(product([w.count for w in windows]), product(ksizes))


def _only_space(**windows):
    for name, value in windows.items():
        if value[0] != 1 or value[-1] != 1:
            text = f"Only support {name} across space."
            raise errors.UnimplementedError(None, None, text)


@bind_first
def _patches_kernel(xp, x, ksizes, strides, rates, padding):
    _only_space(ksizes=ksizes, strides=strides, rates=rates)
    places = _places(x.shape, ksizes, strides, rates, padding)
    batch, depth = x.shape[0], x.shape[-1]
    counts = [w.count for w in _windows(x.shape[1:-1], ksizes, strides, rates, padding)]
    out = (batch, *counts, places.shape[1] * depth)
    if 0 in out:
        return xp.zeros(out, x.dtype)
    rows = x.reshape(batch, -1, depth)[:, places.reshape(-1)]
    kept = (places >= 0).reshape(-1, 1)
    return xp.where(kept, rows, np.zeros((), x.dtype)).reshape(out)


def _patches_grad(dy, x, ksizes, strides, rates, padding):
    """Sum over the patches that an element is in; differentiates to patches again."""
    shape = x._shape
    if shape is None or None in shape[1:]:
        raise ValueError(
            "The gradient of patches needs the sizes of the images and their depth, "
            f"got shape {x.shape}. Call set_shape on them."
        )
    batch = -1 if shape[0] is None else shape[0]
    places = _places(shape, ksizes, strides, rates, padding)
    rows = transpose(reshape(dy, (batch, places.size, shape[-1])), (1, 0, 2))
    ids = constant(places.reshape(-1))
    total = unsorted_segment_sum(rows, ids, product(shape[1:-1]))
    return reshape(transpose(total, (1, 0, 2)), (batch, *shape[1:]))


ExtractImagePatches = define(
    "ExtractImagePatches",
    infer=_infer_patches,
    kernel=_patches_kernel,
    grad=[
        lambda dy, images, ksizes, strides, rates, padding: _patches_grad(
            dy, images, ksizes, strides, rates, padding
        )
    ],
)

ExtractVolumePatches = define(
    "ExtractVolumePatches",
    infer=lambda input, ksizes, strides, padding: _infer_patches(
        input, ksizes, strides, _PLAIN, padding
    ),
    kernel=lambda xp: (
        lambda input, ksizes, strides, padding: _patches_kernel(xp)(
            input, ksizes, strides, _PLAIN, padding
        )
    ),
    grad=[
        lambda dy, input, ksizes, strides, padding: _patches_grad(
            dy, input, ksizes, strides, _PLAIN, padding
        )
    ],
)


def extract_image_patches(
    images: TensorValue, ksizes: Any, strides: Any, rates: Any, padding: str,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The patches of images that a window sees, each as one deep element.

    Args:
        images: a real tensor[batch, height, width, depth].
        ksizes: [1, rows, columns, 1], the size of the window.
        strides: [1, rows, columns, 1], how far apart windows are.
        rates: [1, rows, columns, 1], how far apart the elements of a window are.
        padding: "VALID" (windows lie inside) or "SAME" (zeros outside).
        name: the name of the node in a graph.
    Returns:
        A tensor[batch, out rows, out columns, rows * columns * depth].
    Raises:
        ValueError: another padding. InvalidArgumentError: not four axes.
    Example:
        x, ones = [[[[1], [2]], [[3], [4]]]], [1, 1, 1, 1]
        tf.extract_image_patches(x, [1, 2, 2, 1], ones, ones, "VALID")  # 1, 2, 3, 4
    """
    attrs = {
        "ksizes": tuple(ksizes), "strides": tuple(strides), "rates": tuple(rates),
        "padding": padding,
    }  # fmt: skip
    return apply(ExtractImagePatches, (images,), attrs, name)


def extract_volume_patches(
    input: TensorValue, ksizes: Any, strides: Any, padding: Any, name: str | None = None
) -> Any:
    """As tf.extract_image_patches, of volumes.

    Args:
        input: a real tensor[batch, planes, rows, columns, depth].
        ksizes, strides: [1, planes, rows, columns, 1], of the window.
        padding: "VALID" or "SAME". name: the name of the node in a graph.
    Returns:
        A tensor[batch, out planes, out rows, out columns, entries * depth].
    """
    attrs = {"ksizes": tuple(ksizes), "strides": tuple(strides), "padding": padding}
    return apply(ExtractVolumePatches, (input,), attrs, name)

"""Images read at given places, between their pixels."""

import functools
import math

import numpy as np

from twinflow.base import dispatch, native
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.index import segment_kernel
from twinflow.ops.core.infer import at_least
from twinflow.ops.core.xla_calls import InXla
from twinflow.ops.image.check import by_shape


def _check(data, warp):
    if data.ndim != 4:
        return (
            "Only bilinear interpolation is currently supported. The input data shape "
            "must be [batch_size, data_height, data_width, data_channels], but is: "
            f"{_text(data.shape)}"
        )
    if warp.ndim < 2:
        return f"warp should be at least a matrix, got shape {_text(warp.shape)}"
    if warp.shape[-1] != 2:
        return (
            "Only bilinear interpolation is supported, warping coordinates must be 2D; "
            f"warp shape last entry should be 2, but shape vector is: "
            f"{_text(warp.shape)}"
        )
    if data.shape[0] != warp.shape[0]:
        return (
            "Batch size of data and warp tensor must be the same, but input shapes "
            f"are: {_text(data.shape)}, {_text(warp.shape)}"
        )
    return None


def _check_slopes(data, warp, grad_output):
    if data.ndim != 4:
        return (
            "Only bilinear interpolation is supported, the input data tensor must be a "
            "batch of 2d data; data shape should have 4 entries corresponding to "
            f"[batch_size, data_height, data_width, data_channels], but is: "
            f"{_text(data.shape)}"
        )
    message = _check(data, warp)
    wanted = (*warp.shape[:-1], data.shape[-1])
    if message is None and grad_output.shape != wanted:
        return (
            "grad_output shape is not consistent with data and warp shapes; it should "
            f"be {_text(wanted)} but is {_text(grad_output.shape)}"
        )
    return message


def _text(shape):
    return "[" + ",".join(map(str, shape)) + "]"


def _infer(data, warp):
    places = at_least(warp._shape, 1, "warp should be at least a matrix, got shape {}")
    if data._shape is None or places is None:
        return None
    return (*places[:-1], data._shape[-1] if data._shape else None)


def _parts(xp, data, warp):
    """The four corners of each place: (row, column, the share of each of them)."""
    count, height, width = data.shape[:3]
    flat = xp.reshape(warp, (count, math.prod(warp.shape[1:-1]), 2))
    x, y = flat[..., 0], flat[..., 1]
    seen = (x > -1) & (y > -1) & (x < width) & (y < height)
    x, y = (xp.where(seen, k, xp.zeros((), k.dtype)) for k in (x, y))  # no NaN
    left, top = xp.floor(x), xp.floor(y)
    corners: list = []
    if not height * width:
        return corners  # an image without pixels
    for down in (0, 1):
        for right in (0, 1):
            i, j = top + down, left + right
            inside = seen & (i >= 0) & (i < height) & (j >= 0) & (j < width)
            parts = (
                (y - top if down else top + 1 - y),
                (x - left if right else left + 1 - x),
            )
            index = xp.clip(i, 0, height - 1), xp.clip(j, 0, width - 1)
            at = [k.astype(np.int32) for k in index]
            signs = (1 if down else -1), (1 if right else -1)
            corners.append((*at, inside[..., None], parts, signs))
    return corners


def _resampled(xp, data, warp):
    first = np.arange(data.shape[0])[:, None]
    zero = xp.zeros((), data.dtype)
    places = math.prod(warp.shape[1:-1])
    total = xp.zeros((data.shape[0], places, data.shape[-1]), data.dtype)
    for i, j, inside, (a, b), _ in _parts(xp, data, warp):
        total = total + (a * b)[..., None] * xp.where(inside, data[first, i, j], zero)
    return xp.reshape(total, (*warp.shape[:-1], data.shape[-1])).astype(data.dtype)


def _added_up(xp, parts, shape, dtype):
    """What goes to each pixel: the sums of [(flat places, values)]."""
    if not parts:
        return xp.zeros(shape, dtype)
    places, values = (xp.concatenate(part) for part in zip(*parts))
    found = segment_kernel(xp)(values, places, math.prod(shape[:3]))
    return xp.reshape(found, shape).astype(dtype)


def _slopes(xp, data, warp, grad_output):
    first = np.arange(data.shape[0])[:, None]
    places = math.prod(warp.shape[1:-1])
    dy = xp.reshape(grad_output, (data.shape[0], places, data.shape[-1]))
    zero, parts = xp.zeros((), data.dtype), []
    _, height, width, depth = data.shape
    x = y = xp.zeros((data.shape[0], places), warp.dtype)
    for i, j, inside, (a, b), (down, right) in _parts(xp, data, warp):
        with np.errstate(invalid="ignore", over="ignore"):
            seen = xp.where(inside, data[first, i, j] * dy, zero).sum(-1)
        x, y = x + right * a * seen, y + down * b * seen
        part = xp.where(inside, (a * b)[..., None] * dy, zero)
        at = (first.astype(np.int32) * height + i) * width + j
        rows = data.shape[0] * places
        parts.append((xp.reshape(at, (rows,)), xp.reshape(part, (rows, depth))))
    of_data = _added_up(xp, parts, data.shape, data.dtype)
    return of_data, xp.reshape(xp.stack([x, y], -1), warp.shape).astype(warp.dtype)


def _kernel(on_arrays, name, results_of):
    """`on_arrays`, by native/sampling.c where that reads the arrays.

    Args:
        name: of the C module's function. results_of: (data, warp) -> (shape, dtype) of
            the result, or a list of them.
    """

    def in_engine(jax):
        xp = np if jax is None else jax.numpy
        otherwise = functools.partial(on_arrays, xp)

        def run(data, warp, *dy):
            inputs = [xp.asarray(x) for x in (data, warp, *dy)]
            data, warp, *_ = inputs
            if any(x.dtype != np.float32 for x in inputs):
                return otherwise(*inputs)
            results = results_of(data, warp)
            sizes = (*data.shape, math.prod(warp.shape[1:-1]))
            if jax is not None:
                return _IN_XLA.call(jax, otherwise, results, sizes, *inputs)
            if not hasattr(native.fast, name):
                return otherwise(*inputs)
            made = [np.empty(*r) for r in (results if dy else [results])]
            plain = map(np.ascontiguousarray, inputs)
            getattr(native.fast, name)(*plain, *made, sizes)
            return made if dy else made[0]

        return run

    return {"kernel": lambda xp: in_engine(None), "lower": in_engine}


_PLACE = np.zeros((1, 1, 2), np.float32)
_PIXEL = np.full((1, 1, 1, 1), 3, np.float32)
_IN_XLA = InXla(
    "resample_for_xla", (((1, 1, 1), np.float32), (1,) * 5, _PIXEL, _PLACE), [[[3.0]]]
)

ResamplerGrad = define(
    "ResamplerGrad",
    infer=lambda data, warp, grad_output: [data._shape, warp._shape],
    **_kernel(
        _slopes,
        "resample_slopes",
        lambda data, warp: [(data.shape, data.dtype), (warp.shape, warp.dtype)],
    ),
    **by_shape(_check_slopes),
)

Resampler = define(
    "Resampler",
    infer=_infer,
    **_kernel(
        _resampled,
        "resample",
        lambda data, warp: ((*warp.shape[:-1], data.shape[-1]), data.dtype),
    ),
    grad=lambda dy, data, warp: apply(ResamplerGrad, (data, warp, dy)),
    **by_shape(_check),
)


def resampler(
    data: TensorValue, warp: TensorValue, name: str | None = "resampler"
) -> Tensor:
    """Read images at given places, linearly between four pixels; 0 outside.

    Args:
        data: float[batch, height, width, channels].
        warp: float[batch, ..., 2], the column and the row of each place.
        name: the name in a graph.
    Returns:
        float[batch, ..., channels]
    Raises:
        InvalidArgumentError: shapes that do not fit.
    Example:
        x = tf.reshape(tf.range(4.), [1, 2, 2, 1])
        tf.contrib.resampler.resampler(x, [[[0.5, 0.5]]])  # 1.5
    """
    with dispatch.current_mode().name_scope(name or "resampler"):
        return apply(Resampler, (data, warp))

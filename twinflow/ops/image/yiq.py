"""Colors turned and scaled in the YIQ space: brightness, and two that carry the hue.

Of a row of RGB the result is its product with
scale_v (KEPT + scale_s (cos(delta_h) LEFT + sin(delta_h) TURNED)).
"""

import math

import numpy as np

from twinflow.base.op import bind_first, define
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.infer import at_least, text
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.image.check import by_shape
from twinflow.ops.math.trigonometry import cos, sin

TO_YIQ = np.array(
    [[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]]
)
TO_RGB = np.linalg.inv(TO_YIQ)
KEPT, LEFT, TURNED = (
    (TO_RGB @ np.array(turn) @ TO_YIQ).T.astype(np.float32)
    for turn in (
        [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
    )
)


def _check(images, delta_h, scale_s, scale_v):
    if images.ndim < 3:
        return f"input must be at least 3-D, got shape{text(images.shape)}"
    if images.shape[-1] != 3:
        return (
            f"input must have 3 channels but instead has {images.shape[-1]} channels."
        )
    scalars = ("delta_h", delta_h), ("scale_s", scale_s), ("scale_v", scale_v)
    for name, x in scalars:
        if np.ndim(x):
            return f"{name} must be scalar: {text(x.shape)}"
    return None


_BASIS = np.stack([KEPT, LEFT, TURNED]).reshape(3, 9)


def _factors(xp, h, s, v):
    """What KEPT, LEFT and TURNED are multiplied by: float32[3]."""
    if xp is not np:
        return xp.stack([v, v * s * xp.cos(h), v * s * xp.sin(h)])
    h, s, v = h.item(), s.item(), v.item()  # 0.2 us an operation; 1 of arrays
    turn = h if math.isfinite(h) else math.nan
    return np.array([v, v * s * math.cos(turn), v * s * math.sin(turn)], np.float32)


@bind_first
def _adjusted(xp, images, delta_h, scale_s, scale_v):
    matrix = xp.reshape(_factors(xp, delta_h, scale_s, scale_v) @ _BASIS, (3, 3))
    flat = images.reshape(-1, 3).astype(np.float32, copy=False) @ matrix
    return flat.reshape(images.shape).astype(images.dtype, copy=False)


def _slopes(dy, images, delta_h, scale_s, scale_v):
    """TensorFlow 1.12 has none of this op."""
    kept, left, turned = (constant(m) for m in (KEPT, LEFT, TURNED))
    c, s = cos(delta_h), sin(delta_h)
    turn = multiply(c, left) + multiply(s, turned)
    matrix = kept + multiply(scale_s, turn)
    flat, rows = (reshape(cast(x, np.float32), [-1, 3]) for x in (dy, images))
    of_images = matmul(flat, multiply(scale_v, matrix), transpose_b=True)
    both = matmul(rows, flat, transpose_a=True)  # what each entry is multiplied by
    aside = multiply(c, turned) - multiply(s, left)
    return (
        cast(reshape(of_images, shape(images)), images.dtype),
        multiply(multiply(scale_v, scale_s), reduce_sum(multiply(both, aside))),
        multiply(scale_v, reduce_sum(multiply(both, turn))),
        reduce_sum(multiply(both, matrix)),
    )


AdjustHsvInYiq = define(
    "AdjustHsvInYiq",
    infer=lambda images, *_: at_least(images._shape, 3),
    kernel=_adjusted,
    grad=_slopes,
    **by_shape(_check),
)

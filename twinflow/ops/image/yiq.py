"""Colors turned and scaled in the YIQ space: brightness, and two that carry the hue."""

import numpy as np

from twinflow.base.op import bind_first, define
from twinflow.ops.core.infer import at_least, dim_is, ranked

TO_YIQ = np.array(
    [[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]]
)
TO_RGB = np.linalg.inv(TO_YIQ)


def _infer(images, delta_h, scale_s, scale_v):
    s = at_least(images._shape, 3)
    if s is not None:
        dim_is(s[-1], 3)
    for x in (delta_h, scale_s, scale_v):
        ranked(x._shape, 0)
    return s


@bind_first
def _adjusted(xp, images, delta_h, scale_s, scale_v):
    u, w = scale_s * xp.cos(delta_h), scale_s * xp.sin(delta_h)
    zero, one = xp.zeros_like(u), xp.ones_like(u)
    rows = [[one, zero, zero], [zero, u, -w], [zero, w, u]]
    turn = xp.stack([xp.stack(row) for row in rows])
    matrix = scale_v * (TO_RGB.astype(np.float32) @ turn @ TO_YIQ.astype(np.float32))
    return (images.astype(np.float32) @ matrix.T).astype(images.dtype)


AdjustHsvInYiq = define("AdjustHsvInYiq", infer=_infer, kernel=_adjusted)

"""Rows of ops.image.resampling."""

import numpy as np

from tests.support.op_cases.table import case, error, floats

PLACES = np.array(
    [[[0.3, 0.4], [3.6, 2.2], [-0.4, 1.3]], [[1.7, -0.6], [9.0, 1.0], [4.3, 3.4]]]
)


def read(data, warp, **_):
    """The reference of Resampler, place by place."""
    out = np.zeros((*warp.shape[:-1], data.shape[-1]))
    for at in np.ndindex(warp.shape[:-1]):
        x, y = (float(p) for p in warp[at])
        for i in range(data.shape[1]):
            for j in range(data.shape[2]):
                share = max(1 - abs(y - i), 0) * max(1 - abs(x - j), 0)
                out[at] += share * data[at[0], i, j]
    return out


case(
    "Resampler", floats(2, 4, 5, 3), PLACES, reference=read, order=1,
    reason="kinks of second derivatives",
    errors=[
        error(np.zeros((2, 3, 3)), PLACES, text="interpolation is currently supported"),
        error(np.zeros((3, 4, 5, 1)), PLACES, text="Batch size of data and warp"),
        error(np.zeros((2, 4, 5, 1)), np.zeros((2, 3)), text="coordinates must be 2D"),
    ],
)  # fmt: skip


_ODD = np.array([[[np.nan, 1], [1, np.inf], [-np.inf, 1], [-0.5, -0.5]]])
case(
    "Resampler", np.ones((1, 2, 2, 1)), _ODD, grad=(),
    reference=np.array([[[0], [0], [0], [0.25]]]),
)  # fmt: skip
case(
    "Resampler", np.ones((1, 0, 2, 1)), _ODD, grad=(), reference=np.zeros((1, 4, 1))
)  # fmt: skip


def slopes(data, warp, grad_output):
    """The reference of ResamplerGrad: central differences."""
    found = []
    for k, x in enumerate((data, warp)):
        slope = np.zeros(x.shape)
        for at in np.ndindex(x.shape):
            moved = [data.astype(np.float64), warp.astype(np.float64)]
            sums = []
            for step in (1e-4, -1e-4):
                both = list(moved)
                both[k] = moved[k].copy()
                both[k][at] += step
                sums.append((read(*both) * grad_output).sum())
            slope[at] = (sums[0] - sums[1]) / 2e-4
        found.append(slope)
    return found


case(
    "ResamplerGrad", floats(2, 4, 5, 3), PLACES, floats(2, 3, 3), reference=slopes,
    grad=(), tol={"float32": 1e-4, "float64": 1e-4}, reason="central differences",
    errors=[
        error(np.zeros((2, 3, 3)), PLACES, 0, text="must be a batch of 2d data"),
        error(
            np.zeros((2, 4, 5, 1)), PLACES, np.zeros((2, 3, 2)),
            text="it should be [2,3,1] but is [2,3,2]",
        ),
    ],
)  # fmt: skip

"""Axes and vectors of one data format in the order of another."""

import numpy as np

from twinflow.base.op import InferError, bind_first, define
from twinflow.ops.core.infer import same, text


@bind_first
def _map_kernel(xp, x, src_format, dst_format):
    places = [dst_format.index(letter) for letter in src_format]
    return xp.asarray(np.array(places, x.dtype))[(x + 4) % 4]


DataFormatDimMap = define("DataFormatDimMap", infer=same, kernel=_map_kernel)


def _infer_permute(x, **_):
    s = x._shape
    if s is None:
        return None
    if len(s) not in (1, 2):
        raise InferError(
            f"input must be a vector or 2D tensor, but got shape {text(s)}",
            f"Shape must be at most rank 2 but is rank {len(s)}"
            if s
            else "Shape must be at least rank 1 but is rank 0",
        )
    if s[0] not in (4, None):
        kind = "1D" if len(s) == 1 else "First dimension of 2D"
        raise InferError(f"{kind} input must be of size 4, but got shape {text(s)}")
    if len(s) == 2 and s[1] not in (2, None):
        raise InferError(
            f"Second dimension of 2D input must be of size 2, but got shape {text(s)}"
        )
    return s


@bind_first
def _permute_kernel(xp, x, src_format, dst_format):
    return x[np.array([src_format.index(letter) for letter in dst_format])]


DataFormatVecPermute = define(
    "DataFormatVecPermute", infer=_infer_permute, kernel=_permute_kernel
)

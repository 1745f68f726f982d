"""Older forms of ops, which programs saved by earlier versions of TensorFlow hold."""

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, bind_first, define
from twinflow.ops.arrays.topk import TopK as TopKV2
from twinflow.ops.core.index import GatherV2
from twinflow.ops.core.infer import divisible, ints, ranked, unchanged
from twinflow.ops.core.joining import ConcatV2

Concat = define(
    "Concat",
    on_host="concat_dim",
    infer=lambda concat_dim, values: ConcatV2.infer(values, concat_dim),
    kernel=lambda xp: (
        lambda concat_dim, values: ConcatV2.kernel(xp)(values, concat_dim)
    ),
    grad=[
        lambda dy, shapes_values, concat_dim: ConcatV2.rules[0](
            dy, shapes_values, concat_dim
        )
    ],
)


def _gather(rule):
    """A rule of GatherV2 for the first axis."""
    return lambda params, indices, validate_indices: rule(params, indices, 0)


Gather = define(
    "Gather",
    infer=_gather(GatherV2.infer),
    kernel=lambda xp: _gather(GatherV2.kernel(xp)),
    grad=[
        lambda dy, shape_params, indices: GatherV2.rules[0](
            dy, shape_params, indices, 0
        )
    ],
    guard=lambda xp: _gather(GatherV2.guard(xp)),
    check=_gather(GatherV2.check),
)


@bind_first
def _flip(xp, tensor, dims):
    axes = tuple(np.flatnonzero(np.asarray(dims)).tolist())
    return xp.flip(tensor, axes) if axes else tensor


Reverse: Op = define(
    "Reverse",
    on_host="dims",
    infer=unchanged,
    kernel=_flip,
    grad=[lambda dy, dims: apply(Reverse, (dy, dims))],
)


def _top(rule):
    """A rule of TopKV2 for a `k` that is an attribute."""
    return lambda input, k, sorted: rule(input, k, sorted)


TopK = define(
    "TopK",
    infer=_top(TopKV2.infer),
    kernel=lambda xp: _top(TopKV2.kernel(xp)),
    lower=lambda jax: _top(TopKV2.lower(jax)),
    grad=[TopKV2.rules[0]],
    none_ok=True,
)

OnesLike = define("OnesLike", infer=unchanged, kernel=lambda xp: xp.ones_like)


def _untiled(input, multiples):
    counts = ints(multiples) if multiples is not None else None
    if counts is None:
        return None if input._shape is None else (None,) * len(input._shape)
    s = ranked(input._shape, len(counts))
    return tuple(map(divisible, s, _above_0(counts)))


def _above_0(multiples):
    if any(m is not None and m < 1 for m in multiples):
        text = f"Expected multiples above 0, but got {list(multiples)}"
        raise InferError(text)
    return multiples


@bind_first
def _untile(xp, input, multiples):
    pairs = zip(_above_0(ints(multiples)), input.shape, strict=True)
    parts = [part for n, size in pairs for part in (n, size // n)]
    copies = tuple(range(0, len(parts), 2))
    return xp.reshape(input, parts).sum(copies, dtype=input.dtype)


TileGrad = define("TileGrad", on_host="multiples", infer=_untiled, kernel=_untile)

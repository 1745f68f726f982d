"""Batch normalization of programs of 2015, with given means and variances."""

from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import FLOAT, Op, bind_first, define
from twinflow.ops.core.infer import merge, ranked, same_dim


def _channels(t, *parts):
    s = ranked(t._shape, 4)
    depth = s[3]
    for p in parts:
        depth = same_dim(depth, ranked(p._shape, 1)[0])
    return s, depth


def _infer(t, m, v, beta, gamma, **_):
    s, depth = _channels(t, m, v, beta, gamma)
    return (*s[:3], depth)


def _infer_grad(t, m, v, gamma, backprop, **_):
    s, depth = _channels(t, m, v, gamma)
    return [merge((*s[:3], depth), backprop._shape)] + [(depth,)] * 4


@bind_first
def _normalized(
    xp, t, m, v, beta, gamma, variance_epsilon, scale_after_normalization
):  # fmt: skip
    scale = 1 / xp.sqrt(v + t.dtype.type(variance_epsilon))
    scale = scale * gamma if scale_after_normalization else scale
    return (t - m) * scale + beta


@bind_first
def _slopes(
    xp, t, m, v, gamma, backprop, variance_epsilon, scale_after_normalization
):  # fmt: skip
    rest, one = (0, 1, 2), t.dtype.type
    wide = v + one(variance_epsilon)
    rate, centred = 1 / xp.sqrt(wide), t - m
    scale = gamma if scale_after_normalization else xp.ones_like(gamma)
    total, along = backprop.sum(rest), (backprop * centred).sum(rest)
    d_gamma = along * rate if scale_after_normalization else xp.zeros_like(gamma)
    d_v = along * scale * one(-0.5) * rate / wide
    return backprop * (scale * rate), -total * scale * rate, d_v, total, d_gamma


def _rule(dy, t, m, v, beta, gamma, variance_epsilon, scale_after_normalization):
    attrs = {
        "variance_epsilon": variance_epsilon,
        "scale_after_normalization": scale_after_normalization,
    }
    inputs = (t, m, v, gamma, dy)
    return apply(BatchNormWithGlobalNormalizationGrad, inputs, attrs)


BatchNormWithGlobalNormalizationGrad: Op = define(
    "BatchNormWithGlobalNormalizationGrad",
    infer=_infer_grad,
    kernel=quiet(_slopes),
    types=FLOAT,
)
BatchNormWithGlobalNormalization: Op = define(
    "BatchNormWithGlobalNormalization",
    infer=_infer,
    kernel=_normalized,
    grad=_rule,
    types=FLOAT,
)

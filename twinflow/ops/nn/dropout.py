"""The family's front, with dropout and the small measures of a tensor."""

from numbers import Real
from typing import Any

from twinflow.base import dtypes, factory
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.topk import in_top_k, top_k
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.elementwise import add, multiply, realdiv
from twinflow.ops.core.infer import static_value
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.rounding import floor, softplus
from twinflow.ops.nn.activation import (
    crelu,
    elu,
    leaky_relu,
    relu,
    relu6,
    selu,
    softsign,
)
from twinflow.ops.nn.bias import bias_add, relu_layer, xw_plus_b
from twinflow.ops.nn.conv import (
    conv2d,
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv2d_transpose,
)
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.logistic import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from twinflow.ops.nn.loss import (
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from twinflow.ops.nn.moments import (
    batch_norm_with_global_normalization,
    batch_normalization,
    fused_batch_norm,
    l2_normalize,
    moments,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from twinflow.ops.nn.pool import avg_pool, max_pool
from twinflow.ops.nn.softmax import log_softmax, softmax
from twinflow.ops.random.draws import random_uniform


def dropout(
    x: TensorValue, keep_prob: TensorValue, noise_shape: Any = None,
    seed: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """x / keep_prob with probability keep_prob, else 0, for each entry.

    y = x / keep_prob * floor(keep_prob + u), u uniform in [0, 1).

    Args:
        x: a float tensor.
        keep_prob: a number in (0, 1] or a scalar tensor.
        noise_shape: int32[rank of x]; along axes of size 1 (or None: as x) entries are
            kept or dropped together.
        seed: an int; see tf.set_random_seed. name: the name of the call.
    Returns:
        a tensor like `x`; `x` itself where keep_prob is 1
    Raises:
        ValueError: keep_prob is outside (0, 1], or x is not of a float dtype.
    Example:
        tf.nn.dropout(tf.ones([2, 3]), 0.5)  # float32[2, 3]
    """
    mode = current_mode()
    with mode.name_scope(name or "dropout"):
        x = convert_to_tensor(x, name="x")
        _check_dropout(x, keep_prob)
        if isinstance(keep_prob, Real) and keep_prob == 1:
            return x
        keep_prob = convert_to_tensor(keep_prob, x.dtype, "keep_prob")
        keep_prob.shape.assert_is_compatible_with([])
        known = static_value(keep_prob)
        if known is not None and known == 1:
            return x
        noise = random_uniform(_noise_shape(x, noise_shape), dtype=x.dtype, seed=seed)
        kept = floor(add(keep_prob, noise, "add"), "Floor")
        y = multiply(realdiv(x, keep_prob, "div"), kept, "mul")
        if not mode.eager:
            y.set_shape(x.shape)
        return y


def _check_dropout(x, keep_prob):
    if not x.dtype.is_floating:
        raise ValueError(
            "x has to be a floating point tensor since it's going to be scaled. Got a "
            f"<dtype: '{x.dtype.name}'> tensor instead."
        )
    if isinstance(keep_prob, Real) and not 0 < keep_prob <= 1:
        raise advised(
            ValueError,
            "keep_prob must be a scalar tensor or a float in the range (0, 1], got "
            f"{keep_prob:g}",
        )


def _noise_shape(x, wanted):
    if wanted is None:
        return x._shape_value()
    s = x._shape
    if isinstance(wanted, list | tuple) and s is not None and len(wanted) == len(s):
        wanted = [d if n is None else n for n, d in zip(wanted, s, strict=True)]
        if None in wanted:
            raise advised(
                ValueError,
                "Cannot convert a partially known TensorShape to a Tensor: "
                f"{TensorShape(wanted)}",
            )
        return tuple(wanted)
    return wanted


# ------------------------------------------------------------------ counting
def zero_fraction(value: TensorValue, name: str | None = None) -> Tensor:
    """The share of entries that are 0.

    Args:
        value: a numeric tensor. name: the name of the call.
    Returns:
        float32[]
    Example:
        tf.nn.zero_fraction([0., 1., 0., 3.])  # 0.5
    """
    with current_mode().name_scope(name or "zero_fraction"):
        value = convert_to_tensor(value, name="value")
        zero = constant(0, value.dtype, name="zero")
        hits = cast(equal(value, zero, "Equal"), dtypes.float32, "Cast")
        return reduce_mean(hits, name="Mean")


L2Loss = define(
    "L2Loss",
    infer=lambda t: (),
    kernel=lambda xp: lambda t: _half_square(xp, t),
    grad=[lambda dy, t: multiply(t, dy)],
    grad_names="mul",
    strict=True,
)


def _half_square(xp, t):
    flat = xp.ravel(t)
    return xp.asarray(xp.dot(flat, flat) / 2).astype(t.dtype)


_l2_loss = factory.unary(L2Loss, "l2_loss", "")


def l2_loss(t: TensorValue, name: str | None = None) -> Tensor:
    """sum(t ** 2) / 2.

    Args:
        t: a float tensor. name: the name of the call.
    Returns:
        a scalar of the dtype of `t`
    Example:
        tf.nn.l2_loss([3., 4.])  # 12.5
    """
    return _l2_loss(t, name)


__all__ = [  # the family's front: what other packages take from here
    "avg_pool", "batch_norm_with_global_normalization", "batch_normalization",
    "bias_add", "conv2d", "conv2d_backprop_filter", "conv2d_backprop_input",
    "conv2d_transpose", "crelu", "dropout", "elu", "embedding_lookup",
    "fused_batch_norm", "in_top_k", "l2_loss", "l2_normalize", "leaky_relu",
    "log_poisson_loss", "log_softmax", "max_pool", "moments", "normalize_moments",
    "relu", "relu6", "relu_layer", "selu", "sigmoid_cross_entropy_with_logits",
    "softmax", "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2", "softplus", "softsign",
    "sparse_softmax_cross_entropy_with_logits", "sufficient_statistics", "top_k",
    "weighted_cross_entropy_with_logits", "weighted_moments", "xw_plus_b",
    "zero_fraction",
]  # fmt: skip

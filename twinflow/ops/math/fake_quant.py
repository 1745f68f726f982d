"""Numbers rounded to those that few bits can say, kept as floats.

Note [Fake quantisation]: the range [min, max] is moved a little, so that 0 is one of
the numbers that are left; what lies outside is cut off and gets no gradient.
"""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import native
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ranked, same, same_pair


def _steps(num_bits, narrow_range):
    return (1 if narrow_range else 0), 2**num_bits - 1


def _nudged(xp, low, high, num_bits, narrow_range):
    """(low, high, step) of a range in which 0 is one of the numbers."""
    first, last = _steps(num_bits, narrow_range)
    one = xp.float32
    step = (high - low) / one(last - first)
    safe = xp.where(step == 0, one(1), step)
    zero = one(first) - low / safe
    zero = xp.floor(zero + one(0.5))
    zero = xp.minimum(xp.maximum(zero, one(first)), one(last))  # np.clip: 5 us
    return (one(first) - zero) * step, (one(last) - zero) * step, step


def _rounded(xp, x, low, high, step):
    if xp is np and np.ndim(step) == 0 and step != 0 and x.dtype == np.float32:
        return _rounded_in_place(x, low, high, step)
    shifted = xp.clip(x, low, high) - low
    safe = xp.where(step == 0, xp.float32(1), step)
    scale = xp.float32(1) / safe
    found = xp.floor(shifted * scale + xp.float32(0.5)) * step + low
    return xp.where(step == 0, xp.zeros_like(x), found).astype(x.dtype)


def _by_native(x):
    known = hasattr(native.fast, "fake_quantized")
    return known and x.flags.c_contiguous and x.dtype == np.float32


def _rounded_in_place(x, low, high, step):
    if _by_native(x):
        found = np.empty_like(x)
        native.fast.fake_quantized(x, low, high, step, found)
        return found
    found = np.clip(x, low, high)
    if not found.ndim:
        found = np.array(found)
    found -= low
    found *= np.float32(1) / step
    found += np.float32(0.5)
    np.floor(found, out=found)
    found *= step
    found += low
    return found


def _check_bits(num_bits):
    if not 2 <= num_bits <= 16:
        raise InferError("num_bits must be between 2 and 16, inclusive", later=True)


# ---------------------------------------------------------------------- constants
def _infer_args(inputs, min, max, num_bits, narrow_range):
    if not min < max:
        raise InferError(
            f"min has to be smaller than max, was: {min:g} >= {max:g}", later=True
        )
    _check_bits(num_bits)
    return same(inputs)


@bind_first
def _args_kernel(xp, inputs, min, max, num_bits, narrow_range):
    low, high = np.float32(min), np.float32(max)
    nudged = _nudged(xp, low, high, num_bits, narrow_range)
    return _rounded(xp, inputs, *nudged)


@bind_first
def _args_grad_kernel(xp, gradients, inputs, min, max, num_bits, narrow_range):
    low, high = np.float32(min), np.float32(max)
    low, high, _ = _nudged(xp, low, high, num_bits, narrow_range)
    inside = (inputs >= low) & (inputs <= high)
    return xp.where(inside, gradients, xp.zeros_like(gradients))


FakeQuantWithMinMaxArgsGradient = define(
    "FakeQuantWithMinMaxArgsGradient",
    infer=lambda gradients, inputs, **_: same_pair(gradients, inputs),
    kernel=_args_grad_kernel,
)


def _args_grad(dy, inputs, min, max, num_bits, narrow_range):
    return fake_quant_with_min_max_args_gradient(
        dy, inputs, min, max, num_bits, narrow_range
    )


FakeQuantWithMinMaxArgs = define(
    "FakeQuantWithMinMaxArgs", infer=_infer_args, kernel=_args_kernel, grad=[_args_grad]
)


# ---------------------------------------------------------------------- tensors
def _infer_vars(inputs, min, max, num_bits, narrow_range):
    for t in (min, max):
        ranked(t._shape, 0)
    _check_bits(num_bits)
    return inputs._shape


@bind_first
def _vars_kernel(xp, inputs, min, max, num_bits, narrow_range):
    return _rounded(xp, inputs, *_nudged(xp, min, max, num_bits, narrow_range))


def _all_but_last(x):
    return tuple(range(x.ndim - 1))


def _cut_off(gradients, inputs, low, high):
    if _by_native(gradients) and _by_native(inputs):
        inside = np.empty_like(inputs)
        sums = native.fast.fake_quant_slopes(gradients, inputs, low, high, inside)
        return [inside, *np.array(sums, np.float32)]
    below, above = inputs < low, inputs > high
    inside = gradients.copy()
    np.putmask(inside, below | above, 0)
    return [inside, gradients[below].sum(), gradients[above].sum()]


def _vars_grad_kernel(axes_of):
    @bind_first
    def kernel(xp, gradients, inputs, min, max, num_bits, narrow_range):
        none = (min == 0) & (max == 0)
        low, high, _ = _nudged(xp, min, max, num_bits, narrow_range)
        if xp is np and np.ndim(none) == 0 and not none:
            return _cut_off(np.asarray(gradients), np.asarray(inputs), low, high)
        below, above = inputs < low, inputs > high
        zero, axes = xp.zeros((), gradients.dtype), axes_of(inputs)
        inside = xp.where((below | above) & ~none, zero, gradients)
        return [
            inside,
            xp.where(none, xp.float32(0), xp.where(below, gradients, zero).sum(axes)),
            xp.where(none, xp.float32(0), xp.where(above, gradients, zero).sum(axes)),
        ]

    return kernel


FakeQuantWithMinMaxVarsGradient = define(
    "FakeQuantWithMinMaxVarsGradient",
    infer=lambda gradients, inputs, *_, **__: [same_pair(gradients, inputs), (), ()],
    kernel=_vars_grad_kernel(lambda x: None),
)


def _vars_grad(dy, inputs, min, max, num_bits, narrow_range):
    return list(
        fake_quant_with_min_max_vars_gradient(
            dy, inputs, min, max, num_bits, narrow_range
        )
    )


FakeQuantWithMinMaxVars = define(
    "FakeQuantWithMinMaxVars", infer=_infer_vars, kernel=_vars_kernel, grad=_vars_grad
)


# ---------------------------------------------------------------------- channels
def _infer_channels(inputs, min, max, num_bits, narrow_range):
    s = inputs._shape
    if s is not None and not s:
        raise InferError("Shape must be at least rank 1 but is rank 0")
    for t in (min, max):
        ranked(t._shape, 1)
        if s and t._shape and None not in (s[-1], t._shape[0]) and s[-1] != t._shape[0]:
            raise InferError(
                f"Dimensions must be equal, but are {s[-1]} and {t._shape[0]}"
            )
    _check_bits(num_bits)
    return s


FakeQuantWithMinMaxVarsPerChannelGradient = define(
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    infer=lambda gradients, inputs, min, max, **_: [
        same_pair(gradients, inputs), min._shape, max._shape
    ],
    kernel=_vars_grad_kernel(_all_but_last),
)  # fmt: skip


def _channels_grad(dy, inputs, min, max, num_bits, narrow_range):
    return list(
        fake_quant_with_min_max_vars_per_channel_gradient(
            dy, inputs, min, max, num_bits, narrow_range
        )
    )


FakeQuantWithMinMaxVarsPerChannel = define(
    "FakeQuantWithMinMaxVarsPerChannel",
    infer=_infer_channels,
    kernel=_vars_kernel,
    grad=_channels_grad,
)


# ---------------------------------------------------------------------- public
def fake_quant_with_min_max_args(
    inputs: TensorValue, min: Any = -6, max: Any = 6, num_bits: int = 8,
    narrow_range: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The nearest of 2**num_bits numbers between `min` and `max` (about), as a float.

    Args:
        inputs: float32 tensor. min, max: the range, Python floats.
        num_bits: 2 to 16. narrow_range: leave out the lowest of the numbers.
        name: the name of the node in a graph.
    Returns:
        float32, of the shape of `inputs`.
    Raises:
        InvalidArgumentError (when run): `min` is not below `max`, or `num_bits` is
            none of these.
    Example:
        tf.fake_quant_with_min_max_args([-7., .02, 1.], -6., 6., 2)  # [-8., 0., 0.]
    """
    attrs = _attrs(num_bits, narrow_range, min=float(min), max=float(max))
    return apply(FakeQuantWithMinMaxArgs, (inputs,), attrs, name)


def fake_quant_with_min_max_args_gradient(
    gradients: TensorValue, inputs: TensorValue, min: Any = -6, max: Any = 6,
    num_bits: int = 8, narrow_range: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of tf.fake_quant_with_min_max_args: 0 outside of the range.

    Args:
        gradients: float32, incoming. Others: see tf.fake_quant_with_min_max_args.
    """
    attrs = _attrs(num_bits, narrow_range, min=float(min), max=float(max))
    return apply(FakeQuantWithMinMaxArgsGradient, (gradients, inputs), attrs, name)


def fake_quant_with_min_max_vars(
    inputs: TensorValue, min: TensorValue, max: TensorValue, num_bits: int = 8,
    narrow_range: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """As tf.fake_quant_with_min_max_args, with the range in tensors float32[]."""
    attrs = _attrs(num_bits, narrow_range)
    return apply(FakeQuantWithMinMaxVars, (inputs, min, max), attrs, name)


def fake_quant_with_min_max_vars_gradient(
    gradients: TensorValue, inputs: TensorValue, min: TensorValue, max: TensorValue,
    num_bits: int = 8, narrow_range: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradients of tf.fake_quant_with_min_max_vars by its three inputs.

    Args:
        gradients: float32, incoming. Others: see tf.fake_quant_with_min_max_vars.
    Returns:
        A tuple (backprops_wrt_input, backprop_wrt_min, backprop_wrt_max).
    """
    args = (gradients, inputs, min, max)
    attrs = _attrs(num_bits, narrow_range)
    return _Slopes(*apply(FakeQuantWithMinMaxVarsGradient, args, attrs, name))


def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorValue, min: TensorValue, max: TensorValue, num_bits: int = 8,
    narrow_range: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """As tf.fake_quant_with_min_max_vars, with a range for each entry of the last axis.

    Args:
        inputs: float32[..., d]. min, max: float32[d]. Others: see there.
    """
    attrs = _attrs(num_bits, narrow_range)
    return apply(FakeQuantWithMinMaxVarsPerChannel, (inputs, min, max), attrs, name)


def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: TensorValue, inputs: TensorValue, min: TensorValue, max: TensorValue,
    num_bits: int = 8, narrow_range: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradients of tf.fake_quant_with_min_max_vars_per_channel by its inputs.

    Args:
        gradients: float32[..., d], incoming. Others: see there.
    Returns:
        A tuple (backprops_wrt_input, backprop_wrt_min, backprop_wrt_max).
    """
    args = (gradients, inputs, min, max)
    attrs = _attrs(num_bits, narrow_range)
    return _Slopes(*apply(FakeQuantWithMinMaxVarsPerChannelGradient, args, attrs, name))


class _Slopes(NamedTuple):
    backprops_wrt_input: Any
    backprop_wrt_min: Any
    backprop_wrt_max: Any


def _attrs(num_bits, narrow_range, **more):
    return {**more, "num_bits": num_bits, "narrow_range": narrow_range}

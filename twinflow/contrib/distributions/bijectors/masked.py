"""Masked autoregressive flows: each number from those before it.

Reference: Germain et al.: MADE (2015); Papamakarios et al.: Masked autoregressive flow
for density estimation (2017).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.distributions.bijector import Bijector
from twinflow.graph.scopes import name_scope
from twinflow.graph.template import make_template
from twinflow.graph.while_loop import while_loop
from twinflow.layers.core import Dense
from twinflow.ops.core.constant import constant, stop_gradient
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.joining import concat, unstack
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers import GlorotNormal

_UNKNOWN_DEPTH = "Rightmost dimension must be known prior to graph execution."


class MaskedAutoregressiveFlow(Bijector):
    """y_i = x_i exp(log_scale(y_0 ... y_i-1)) + shift(y_0 ... y_i-1).

    Args:
        shift_and_log_scale_fn: a function of y: float[..., k] that gives (shift,
            log_scale), of that shape, log_scale also None; element i may depend on
            elements before i alone.
        is_constant_jacobian: whether log_scale does not depend on y.
        validate_args: whether to check values.
        unroll_loop: whether `forward` is k calls of the function instead of a loop.
        name: the scope of its ops.
    """

    def __init__(
        self, shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False, unroll_loop: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        self._unroll_loop = unroll_loop
        super().__init__(
            forward_min_event_ndims=1, is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args, name=name or "masked_autoregressive_flow",
        )  # fmt: skip

    def _forward(self, x):
        def step(y: Any) -> Any:
            shift, log_scale = self._shift_and_log_scale_fn(y)
            z = x if log_scale is None else x * exp(log_scale)
            return z if shift is None else z + shift

        if self._unroll_loop:
            size = x.shape.with_rank_at_least(1)[-1].value
            if size is None:
                raise ValueError(
                    "The final dimension of `x` must be known at graph construction "
                    f"time if `unroll_loop=True`. `x.shape: {x.shape!r}`"
                )
            y = zeros_like(x, name="y0")
            for _ in range(size):
                y = step(y)
            return y
        start = zeros_like(x, name="y0")
        self._shift_and_log_scale_fn(start)  # makes its variables outside of the loop
        size = shape(x)[-1]
        return while_loop(
            cond=lambda i, _: i < size,
            body=lambda i, y: (i + 1, step(y)),
            loop_vars=[0, start],
        )[1]

    def _inverse(self, y):
        shift, log_scale = self._shift_and_log_scale_fn(y)
        x = y if shift is None else y - shift
        return x if log_scale is None else x * exp(-log_scale)

    def _inverse_log_det_jacobian(self, y):
        _, log_scale = self._shift_and_log_scale_fn(y)
        if log_scale is None:
            return constant(0.0, dtype=y.dtype, name="ildj")
        return -reduce_sum(log_scale, axis=-1)


def gen_mask(
    num_blocks: int, n_in: int, n_out: int, mask_type: str = "exclusive",
    dtype: Any = np.float32,
) -> np.ndarray:  # fmt: skip
    """The entries that are kept of a layer's transposed kernel, [n_out, n_in].

    Block i of outputs sees the blocks of inputs before i, or up to it ("inclusive").
    """
    mask = np.zeros([n_out, n_in], dtype=dtype)
    rows, columns = n_out // num_blocks, n_in // num_blocks
    first = rows if mask_type == "exclusive" else 0
    for i in range(num_blocks):
        mask[first + i * rows :, i * columns : (i + 1) * columns] = 1
    return mask


def masked_dense(
    inputs: Any, units: int, num_blocks: Any = None, exclusive: bool = False,
    kernel_initializer: Any = None, reuse: Any = None, name: str | None = None,
    *args: Any, **kwargs: Any,
) -> Tensor:  # fmt: skip
    """A dense layer whose output blocks see only the input blocks before them.

    Args:
        inputs: float[..., n]. units: int. num_blocks: int, the number of blocks.
        exclusive: whether a block does not see the one of its own number.
        kernel_initializer: Glorot's normal one if None. reuse, name, args, kwargs:
            see tf.layers.Dense.
    Returns:
        float[..., units]
    Raises:
        NotImplementedError: n is not known.
    """
    depth = inputs.shape.with_rank_at_least(1)[-1].value
    if depth is None:
        raise NotImplementedError(_UNKNOWN_DEPTH)
    kind = "exclusive" if exclusive else "inclusive"
    mask = gen_mask(num_blocks, depth, units, kind, inputs.dtype.np).T
    initializer = kernel_initializer or GlorotNormal()

    def masked(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initializer(shape, dtype, partition_info)

    with name_scope(name, "masked_dense", [inputs, units, num_blocks]):
        layer = Dense(
            units, *args, kernel_initializer=masked,
            kernel_constraint=lambda kernel: mask * kernel, name=name,
            dtype=inputs.dtype.base_dtype, _scope=name, _reuse=reuse, **kwargs,
        )  # fmt: skip
        return layer.apply(inputs)


def masked_autoregressive_default_template(
    hidden_layers: Any, shift_only: bool = False, activation: Any = relu,
    log_scale_min_clip: float = -5.0, log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False, name: str | None = None,
    *args: Any, **kwargs: Any,
) -> Callable[..., Any]:  # fmt: skip
    """A network for MaskedAutoregressiveFlow, which makes its variables once.

    Args:
        hidden_layers: [int], the units of the hidden layers.
        shift_only: whether log_scale is None. activation: that of the hidden layers.
        log_scale_min_clip, log_scale_max_clip: between which log_scale is held.
        log_scale_clip_gradient: whether it has no slope where it is held.
        name: the scope of its variables. args, kwargs: see tf.layers.Dense.
    Returns:
        A function of float[..., k] that gives (shift, log_scale).
    """
    name = name or "masked_autoregressive_default_template"

    def network(x: Any) -> Any:
        depth = x.shape.with_rank_at_least(1)[-1].value
        if depth is None:
            raise NotImplementedError(_UNKNOWN_DEPTH)
        known = x.shape.is_fully_defined()
        given = x.shape.as_list() if known else shape(x)
        for i, units in enumerate(hidden_layers):
            x = masked_dense(
                x, units, depth, i == 0, *args, activation=activation, **kwargs
            )
        count = (1 if shift_only else 2) * depth
        first = not len(hidden_layers)
        x = masked_dense(x, count, depth, first, *args, activation=None, **kwargs)
        if shift_only:
            return reshape(x, shape=given), None
        x = reshape(x, shape=concat([given, [2]], axis=0))
        shift, log_scale = unstack(x, num=2, axis=-1)
        held = clip_by_value if log_scale_clip_gradient else _held
        return shift, held(log_scale, log_scale_min_clip, log_scale_max_clip)

    return make_template(name, network)


def _held(x, low, high):
    """x held between two numbers, with the slope of x itself."""
    return x + stop_gradient(clip_by_value(x, low, high) - x)

"""RealNVP: affine maps of some numbers, computed from the others.

Reference: Dinh, Sohl-Dickstein, Bengio: Density estimation using Real NVP (2017).
"""

from collections.abc import Callable
from typing import Any

from twinflow.distributions.bijector import Bijector
from twinflow.graph.template import make_template
from twinflow.layers.core import dense
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.activation import relu


class RealNVP(Bijector):
    """y = x, of which all but the first elements are scaled and shifted.

    Args:
        num_masked: int >= 1, how many elements stay as they are.
        shift_and_log_scale_fn: a function of (x: float[..., num_masked], the number of
            the other elements) that gives (shift, log_scale); log_scale also None.
        is_constant_jacobian: whether log_scale does not depend on x.
        validate_args: whether to check values. name: the scope of its ops.
    Raises:
        ValueError: num_masked is below 1.
    """

    def __init__(
        self, num_masked: int, shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False, validate_args: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked, self._input_depth = num_masked, None
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        super().__init__(
            forward_min_event_ndims=1, is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args, name=name or "real_nvp",
        )  # fmt: skip

    def _parts(self, x):
        """(the elements that stay, the others, their shift and log_scale)."""
        if self._input_depth is None:
            self._input_depth = x.shape.with_rank_at_least(1)[-1].value
            if self._input_depth is None:
                raise NotImplementedError(
                    "Rightmost dimension must be known prior to graph execution."
                )
            if self._num_masked >= self._input_depth:
                raise ValueError(
                    "Number of masked units must be smaller than the event size."
                )
        n = self._num_masked
        stays, moves = x[..., :n], x[..., n:]
        return stays, moves, *self._shift_and_log_scale_fn(stays, self._input_depth - n)

    def _forward(self, x):
        stays, moves, shift, log_scale = self._parts(x)
        if log_scale is not None:
            moves *= exp(log_scale)
        if shift is not None:
            moves += shift
        return concat([stays, moves], axis=-1)

    def _inverse(self, y):
        stays, moves, shift, log_scale = self._parts(y)
        if shift is not None:
            moves -= shift
        if log_scale is not None:
            moves *= exp(-log_scale)
        return concat([stays, moves], axis=-1)

    def _log_scale_sum(self, x):
        log_scale = self._parts(x)[3]
        if log_scale is None:
            return constant(0.0, dtype=x.dtype, name="ildj")
        return reduce_sum(log_scale, axis=-1)

    def _inverse_log_det_jacobian(self, y):
        return -self._log_scale_sum(y)

    def _forward_log_det_jacobian(self, x):
        return self._log_scale_sum(x)


def real_nvp_default_template(
    hidden_layers: Any, shift_only: bool = False, activation: Any = relu,
    name: str | None = None, *args: Any, **kwargs: Any,
) -> Callable[..., Any]:  # fmt: skip
    """A network for RealNVP, which makes its variables once.

    Args:
        hidden_layers: [int], the units of the hidden layers.
        shift_only: whether log_scale is None. activation: that of the hidden layers.
        name: the scope of its variables. args, kwargs: see tf.layers.dense.
    Returns:
        A function of (x, output_units) that gives (shift, log_scale).
    """

    def network(x: Any, output_units: int) -> Any:
        for units in hidden_layers:
            x = dense(x, units, activation, *args, **kwargs)
        count = (1 if shift_only else 2) * output_units
        x = dense(x, count, None, *args, **kwargs)
        if shift_only:
            return x, None
        return tuple(split(x, 2, axis=-1))

    return make_template(name or "real_nvp_default_template", network)

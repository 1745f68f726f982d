"""Bijectors made of others, or of functions."""

import itertools
from operator import attrgetter
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.distributions.bijector import Bijector
from twinflow.distributions.known import maybe_get_static_value
from twinflow.ops.core.constant import constant
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size


class ConditionalBijector(Bijector):
    """A Bijector whose methods hand further named arguments to those of a subclass."""

    def forward(
        self, x: TensorValue, name: str | None = "forward", **condition_kwargs: Any
    ) -> Any:
        """y = g(x); see Bijector.forward."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(
        self, y: TensorValue, name: str | None = "inverse", **condition_kwargs: Any
    ) -> Any:
        """x with g(x) = y; see Bijector.inverse."""
        return self._call_inverse(y, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self, y: TensorValue, event_ndims: Any,
        name: str | None = "inverse_log_det_jacobian", **condition_kwargs: Any,
    ) -> Any:  # fmt: skip
        """log |det dx/dy|; see Bijector.inverse_log_det_jacobian."""
        return self._call_inverse_log_det_jacobian(
            y, event_ndims, name, **condition_kwargs
        )

    def forward_log_det_jacobian(
        self, x: TensorValue, event_ndims: Any,
        name: str | None = "forward_log_det_jacobian", **condition_kwargs: Any,
    ) -> Any:  # fmt: skip
        """log |det dy/dx|; see Bijector.forward_log_det_jacobian."""
        return self._call_forward_log_det_jacobian(
            x, event_ndims, name, **condition_kwargs
        )


class Invert(Bijector):
    """The inverse of a bijector.

    Args:
        bijector: a Bijector. validate_args: whether to check values.
        name: the scope of its ops; by default `invert_` and the name of the bijector.
    Raises:
        NotImplementedError: several x have one y.
    """

    def __init__(
        self, bijector: Any, validate_args: bool = False, name: str | None = None
    ) -> None:
        if not bijector._is_injective:
            raise NotImplementedError(
                "Invert is not implemented for non-injective bijectors."
            )
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args, dtype=bijector.dtype,
            name=name or f"invert_{bijector.name}",
        )  # fmt: skip

    bijector = property(attrgetter("_bijector"), doc="The bijector that is inverted.")

    def _forward_event_shape(self, input_shape):
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape):
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape):
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape):
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x, **kwargs):
        return self.bijector._inverse(x, **kwargs)

    def _inverse(self, y, **kwargs):
        return self.bijector._forward(y, **kwargs)

    def _inverse_log_det_jacobian(self, y, **kwargs):
        return self.bijector._forward_log_det_jacobian(y, **kwargs)

    def _forward_log_det_jacobian(self, x, **kwargs):
        return self.bijector._inverse_log_det_jacobian(x, **kwargs)


class Inline(Bijector):
    """A bijector made of functions.

    Args:
        forward_fn, inverse_fn, inverse_log_det_jacobian_fn,
        forward_log_det_jacobian_fn, forward_event_shape_fn,
        forward_event_shape_tensor_fn, inverse_event_shape_fn,
        inverse_event_shape_tensor_fn: functions, or None where there is none.
        is_constant_jacobian, validate_args, forward_min_event_ndims,
        inverse_min_event_ndims, name: see Bijector.
    """

    def __init__(
        self, forward_fn: Any = None, inverse_fn: Any = None,
        inverse_log_det_jacobian_fn: Any = None,
        forward_log_det_jacobian_fn: Any = None, forward_event_shape_fn: Any = None,
        forward_event_shape_tensor_fn: Any = None, inverse_event_shape_fn: Any = None,
        inverse_event_shape_tensor_fn: Any = None, is_constant_jacobian: bool = False,
        validate_args: bool = False, forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None, name: str = "inline",
    ) -> None:  # fmt: skip
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian, validate_args=validate_args,
            name=name,
        )  # fmt: skip
        self._forward_fn, self._inverse_fn = forward_fn, inverse_fn
        self._inverse_log_det_jacobian_fn = inverse_log_det_jacobian_fn
        self._forward_log_det_jacobian_fn = forward_log_det_jacobian_fn
        self._forward_event_shape_fn = forward_event_shape_fn
        self._forward_event_shape_tensor_fn = forward_event_shape_tensor_fn
        self._inverse_event_shape_fn = inverse_event_shape_fn
        self._inverse_event_shape_tensor_fn = inverse_event_shape_tensor_fn

    def _of(self, word, *args, **kwargs):
        function = getattr(self, f"_{word}_fn")
        if not callable(function):
            raise NotImplementedError(f"{word}_fn is not a callable function.")
        return function(*args, **kwargs)

    def _shape_of(self, word, given):
        function = getattr(self, f"_{word}_fn")
        return given if function is None else function(given)

    def _forward_event_shape(self, input_shape):
        return self._shape_of("forward_event_shape", input_shape)

    def _forward_event_shape_tensor(self, input_shape):
        return self._shape_of("forward_event_shape_tensor", input_shape)

    def _inverse_event_shape(self, output_shape):
        return self._shape_of("inverse_event_shape", output_shape)

    def _inverse_event_shape_tensor(self, output_shape):
        return self._shape_of("inverse_event_shape_tensor", output_shape)

    def _forward(self, x, **kwargs):
        return self._of("forward", x, **kwargs)

    def _inverse(self, y, **kwargs):
        return self._of("inverse", y, **kwargs)

    def _inverse_log_det_jacobian(self, y, **kwargs):
        return self._of("inverse_log_det_jacobian", y, **kwargs)

    def _forward_log_det_jacobian(self, x, **kwargs):
        return self._of("forward_log_det_jacobian", x, **kwargs)


class Chain(Bijector):
    """y = g1(g2(... gn(x))).

    Args:
        bijectors: [g1, g2, ... gn]; none is the identity.
        validate_args: whether to check values.
        name: the scope of its ops; by default `chain_of_` and the names of all.
    Raises:
        ValueError: their dtypes differ. NotImplementedError: one is not injective.
    Example:
        bijectors = tf.contrib.distributions.bijectors
        bijectors.Chain([bijectors.Exp(), bijectors.Softplus()]).forward(0.0)  # 2.0
    """

    def __init__(
        self, bijectors: Any = None, validate_args: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._bijectors = bijectors = () if bijectors is None else bijectors
        for b in bijectors:
            if not b._is_injective:
                raise NotImplementedError(
                    f"Invert is not implemented for non-injective bijector ({b.name})"
                )
        kinds = list({b.dtype for b in bijectors if b.dtype is not None})
        if len(kinds) > 1:
            raise ValueError(f"incompatible dtypes: {kinds}")
        backwards = list(reversed(bijectors))
        super().__init__(
            graph_parents=list(
                itertools.chain.from_iterable(b.graph_parents for b in bijectors)
            ),
            forward_min_event_ndims=_least_axes(backwards, forward=True),
            inverse_min_event_ndims=_least_axes(bijectors, forward=False),
            is_constant_jacobian=all(b.is_constant_jacobian for b in bijectors),
            validate_args=validate_args, dtype=kinds[0] if kinds else None,
            name=name or (
                "_of_".join(["chain", *(b.name for b in bijectors)])
                if bijectors else "identity"
            ),
        )  # fmt: skip

    bijectors = property(attrgetter("_bijectors"), doc="The bijectors, the last first.")

    def _shape_helper(self, method, given, reverse):
        for b in reversed(self.bijectors) if reverse else self.bijectors:
            given = getattr(b, method)(given)
        return given

    def _forward_event_shape(self, input_shape):
        return self._shape_helper("forward_event_shape", input_shape, True)

    def _forward_event_shape_tensor(self, input_shape):
        return self._shape_helper("forward_event_shape_tensor", input_shape, True)

    def _inverse_event_shape(self, output_shape):
        return self._shape_helper("inverse_event_shape", output_shape, False)

    def _inverse_event_shape_tensor(self, output_shape):
        return self._shape_helper("inverse_event_shape_tensor", output_shape, False)

    def _forward(self, x, **kwargs):
        for b in reversed(self.bijectors):
            x = b.forward(x, **kwargs.get(b.name, {}))
        return x

    def _inverse(self, y, **kwargs):
        for b in self.bijectors:
            y = b.inverse(y, **kwargs.get(b.name, {}))
        return y

    def _forward_log_det_jacobian(self, x, **kwargs):
        return self._all_log_dets(
            x, reversed(self.bijectors), True, self.forward_min_event_ndims, kwargs
        )

    def _inverse_log_det_jacobian(self, y, **kwargs):
        return self._all_log_dets(
            y, self.bijectors, False, self.inverse_min_event_ndims, kwargs
        )

    def _all_log_dets(self, t, bijectors, forward, axes, kwargs):
        """The sum of the log Jacobians along the chain, from `t` on."""
        way = "forward" if forward else "inverse"
        total = constant(0.0, dtype=t.dtype, name=f"{way}_log_det_jacobian")
        for b in bijectors:
            own = kwargs.get(b.name, {})
            total += getattr(b, f"{way}_log_det_jacobian")(t, event_ndims=axes, **own)
            axes = _axes_after(b, way, t, axes)
            t = getattr(b, way)(t, **own)
        return total


def _axes_after(bijector, way, t, axes):
    """How many axes an event has once the bijector has mapped it."""
    known = maybe_get_static_value(axes)
    if known is not None and t.shape.ndims is not None:
        event = t.shape[t.shape.ndims - int(known) :]
        found = getattr(bijector, f"{way}_event_shape")(event).ndims
        if found is not None:
            return found
    event = shape(t)[-axes:] if known is None or known else shape(t)[:0]
    return size(getattr(bijector, f"{way}_event_shape_tensor")(event))


def _least_axes(bijectors, forward):
    """The fewest axes that events of a chain have, its first bijector first.

    A bijector may change the number of axes: what a later one asks for is carried back
    through those before it.
    """
    least, change = 0, 0
    for b in bijectors:
        before, after = b.forward_min_event_ndims, b.inverse_min_event_ndims
        if not forward:
            before, after = after, before
        least = max(least, before - change)
        change += after - before
    return least

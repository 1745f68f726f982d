"""The bijector that gives events another shape."""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.distributions.bijector import Bijector
from twinflow.distributions.known import constant_value
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import equal, greater_equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_prod, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_greater,
    assert_less_equal,
)
from twinflow.ops.debugging.static import with_dependencies


class Reshape(Bijector):
    """y = x with events of another shape.

    Args:
        event_shape_out: int[rank], the shape of events of y; one size may be -1.
        event_shape_in: int[rank], the same of x.
        validate_args: whether to check shapes that are not known yet.
        name: the scope of its ops.
    Raises:
        TypeError: another dtype. ValueError: it is no shape.
    Example:
        reshape = tf.contrib.distributions.bijectors.Reshape([2, 1])
        reshape.forward([1, 2])  # [[1], [2]]
    """

    def __init__(
        self, event_shape_out: TensorValue, event_shape_in: TensorValue = (-1,),
        validate_args: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "reshape", values=[event_shape_out, event_shape_in]):
            found = []
            given = {
                "event_shape_out": event_shape_out, "event_shape_in": event_shape_in,
            }  # fmt: skip
            for word, value in given.items():
                t = convert_to_tensor(value, name=word, preferred_dtype=dtypes.int32)
                checks = _shape_checks(t, word, validate_args)
                found.append(with_dependencies(checks, t) if checks else t)
            self._event_shape_out, self._event_shape_in = found
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True, validate_args=validate_args,
                name=name or "reshape",
            )  # fmt: skip

    def _forward(self, x):
        return self._reshaped(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y):
        return self._reshaped(y, self._event_shape_out, self._event_shape_in)

    def _inverse_log_det_jacobian(self, y):
        return constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x):
        return constant(0.0, dtype=x.dtype)

    def _forward_event_shape(self, input_shape):
        return _known_event(input_shape, self._event_shape_in, self._event_shape_out)

    def _inverse_event_shape(self, output_shape):
        return _known_event(output_shape, self._event_shape_out, self._event_shape_in)

    def _forward_event_shape_tensor(self, input_shape):
        return self._event(input_shape, self._event_shape_in, self._event_shape_out)

    def _inverse_event_shape_tensor(self, output_shape):
        return self._event(output_shape, self._event_shape_out, self._event_shape_in)

    def _reshaped(self, x, before, after):
        n = before.shape.num_elements()
        whole = shape(x)
        cut = size(whole) - n
        event = whole[cut:]
        known = TensorShape(None)
        if x.shape.ndims is not None:
            lead = x.shape[: x.shape.ndims - n]
            known = lead.concatenate(
                _known_event(x.shape[x.shape.ndims - n :], before, after)
            )
        y = reshape(x, concat([whole[:cut], self._event(event, before, after)], 0))
        if y.symbolic:
            y.set_shape(known)
        return y

    def _event(self, given, before, after):
        """The shape of events afterwards: its -1 is what is left of the elements."""
        checks = self._match_checks(given, before)
        with control_dependencies(checks):
            if (known := constant_value(after)) is not None and (known >= 0).all():
                return after
            after = cast(after, given.dtype)
            rest = reduce_prod(given) // -reduce_prod(after)
            unknown = equal(after, -1)
            return where(unknown, rest + after * 0, after)

    def _match_checks(self, given, before):
        wanted, found = constant_value(before), constant_value(given)
        if wanted is not None and found is not None:
            _check_match(list(found), list(wanted))
            return []
        if not self.validate_args:
            return []
        mask = greater_equal(before, 0)
        known = boolean_mask(before, mask)
        text = "Input `event_shape` does not match `event_shape_in`."
        own = cast(boolean_mask(given, mask), known.dtype)
        return [assert_equal(own, known, message=text)]


def _check_match(found, wanted):
    pairs = zip(found, wanted, strict=False)
    fits = len(found) == len(wanted) and all(
        w < 0 or f is None or f == w for f, w in pairs
    )
    if not fits:
        shown = [int(d) if d is not None else None for d in found]
        raise ValueError(
            f"Input `event_shape` does not match `event_shape_in` ({shown} vs "
            f"{[int(d) for d in wanted]})."
        )


def _known_event(given, before, after):
    """The TensorShape of events afterwards, as far as it is known."""
    target, wanted = constant_value(after), constant_value(before)
    if given.ndims is not None and wanted is not None:
        _check_match(given.as_list(), list(wanted))
    if target is None:
        n = after.shape.num_elements()
        return TensorShape(None if n is None else [None] * n)
    dims = [int(d) for d in target]
    if -1 in dims:
        i, rest = dims.index(-1), None
        if given.is_fully_defined():
            others = int(np.prod([d for d in dims if d != -1]))
            rest = int(np.prod(given.as_list())) // max(others, 1)
        dims[i] = rest
    return TensorShape(dims)


def _shape_checks(t, word, validate_args):
    """What fails where a tensor is no shape; at once where its value is known."""
    word = t.op.name if t.symbolic else word
    if not t.dtype.is_integer:
        raise TypeError(f"{word} dtype ({t.dtype.name}) should be `int`-like.")
    checks, ndims = [], t.shape.ndims
    if ndims is not None and ndims > 1:
        raise ValueError(f"`{word}` rank ({ndims}) should be <= 1.")
    if ndims is None and validate_args:
        text = f"`{word}` rank should be <= 1."
        checks.append(assert_less_equal(size(shape(t)), 1, message=text))
    known = constant_value(t)
    if known is not None:
        if (known == -1).sum() > 1:
            raise ValueError(f"`{word}` must have at most one `-1` (given {known})")
        if (known < -1).any():
            raise ValueError(
                f"`{word}` elements must be either positive integers or `-1`"
                f"(given {known})."
            )
    elif validate_args:
        free = reduce_sum(cast(equal(t, -1), dtypes.int32))
        text = f"`{word}` elements must have at most one `-1`."
        checks.append(assert_less_equal(free, 1, message=text))
        text = f"`{word}` elements must be either positive integers or `-1`."
        checks.append(assert_greater(t, -2, message=text))
    return checks

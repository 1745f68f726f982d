"""The class that bijectors derive from: maps with an inverse and a log Jacobian."""

import contextlib
import re
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.distributions.bijector_cache import Cache
from twinflow.distributions.known import maybe_get_static_value
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import rank, shape
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape
from twinflow.ops.debugging.checks import assert_greater_equal
from twinflow.ops.debugging.static import assert_rank


class Bijector:
    """A differentiable map y = g(x) with an inverse.

    A subclass says what it can of `_forward(x)`, `_inverse(y)`,
    `_forward_log_det_jacobian(x)` and `_inverse_log_det_jacobian(y)`, of which one
    gives the other, and, where shapes of events change, `_forward_event_shape`,
    `_inverse_event_shape` and the same with `_tensor`.

    Args:
        graph_parents: the tensors that it is made of.
        is_constant_jacobian: whether the Jacobian does not depend on x.
        validate_args: whether values are checked.
        dtype: the DType that it takes; None takes any.
        forward_min_event_ndims: the fewest axes that an event of x has.
        inverse_min_event_ndims: the same of y; one of both is given.
        name: the scope of its ops; by default the name of the class in snake_case.
    Raises:
        ValueError: no number of axes is given, or one below 0.
        TypeError: it is no int.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Bijector:
            raise TypeError(
                "Can't instantiate abstract class Bijector with abstract methods "
                "__init__"
            )
        return super().__new__(cls)

    def __init__(
        self, graph_parents: Any = None, is_constant_jacobian: bool = False,
        validate_args: bool = False, dtype: Any = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        self._graph_parents = graph_parents or []
        for i, t in enumerate(self._graph_parents):
            if not isinstance(t, Tensor | TensorLike):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {t}.")
        given = forward_min_event_ndims, inverse_min_event_ndims
        if given == (None, None):
            raise ValueError(
                "Must specify at least one of `forward_min_event_ndims` and "
                "`inverse_min_event_ndims`."
            )
        for word, value in zip(("forward", "inverse"), given, strict=True):
            _check_axes(f"{word}_min_event_ndims", value)
        forward = given[0] if given[0] is not None else given[1]
        inverse = given[1] if given[1] is not None else given[0]
        self._forward_min_event_ndims = forward
        self._inverse_min_event_ndims = inverse
        self._is_constant_jacobian = is_constant_jacobian
        self._validate_args, self._dtype = validate_args, dtype
        self._name = name or _snake_case(type(self).__name__.lstrip("_"))
        self._kept = Cache()

    graph_parents = property(
        attrgetter("_graph_parents"), doc="The tensors that it is made of."
    )
    forward_min_event_ndims = property(
        attrgetter("_forward_min_event_ndims"),
        doc="The fewest axes that an event of x has.",
    )
    inverse_min_event_ndims = property(
        attrgetter("_inverse_min_event_ndims"),
        doc="The fewest axes that an event of y has.",
    )
    is_constant_jacobian = property(
        attrgetter("_is_constant_jacobian"),
        doc="Whether the Jacobian does not depend on x.",
    )
    validate_args = property(
        attrgetter("_validate_args"), doc="Whether values are checked."
    )
    dtype = property(attrgetter("_dtype"), doc="The DType that it takes, or None.")
    name = property(attrgetter("_name"), doc="The scope of its ops.")
    _is_injective = True

    # ------------------------------------------------------------------ shapes
    def forward_event_shape(self, input_shape: Any) -> TensorShape:
        """The TensorShape of y for an event of x, as far as it is known."""
        return self._forward_event_shape(TensorShape(input_shape))

    def inverse_event_shape(self, output_shape: Any) -> TensorShape:
        """The TensorShape of x for an event of y, as far as it is known."""
        return self._inverse_event_shape(TensorShape(output_shape))

    def forward_event_shape_tensor(
        self, input_shape: Any, name: str | None = "forward_event_shape_tensor"
    ) -> Tensor:
        """The shape of y for an event of x, int32[rank]."""
        with self._name_scope(name, [input_shape]):
            given = convert_to_tensor(
                input_shape, dtype=dtypes.int32, name="input_shape"
            )
            return self._forward_event_shape_tensor(given)

    def inverse_event_shape_tensor(
        self, output_shape: Any, name: str | None = "inverse_event_shape_tensor"
    ) -> Tensor:
        """The shape of x for an event of y, int32[rank]."""
        with self._name_scope(name, [output_shape]):
            given = convert_to_tensor(
                output_shape, dtype=dtypes.int32, name="output_shape"
            )
            return self._inverse_event_shape_tensor(given)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return output_shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape

    # ------------------------------------------------------------------ values
    def forward(self, x: TensorValue, name: str | None = "forward") -> Any:
        """y = g(x).

        Args:
            x: a tensor. name: the name scope in a graph.
        Raises:
            TypeError: another dtype than that of the bijector.
            NotImplementedError: it has no forward map.
        """
        return self._call_forward(x, name)

    def _call_forward(self, x, name, **kwargs):
        with self._name_scope(name, [x]):
            x = self._argument(x, "x")
            if not self._is_injective:
                return self._forward(x, **kwargs)
            mapping = self._kept.find(x=x, kwargs=kwargs)
            if mapping.y is None:
                mapping = mapping.merge(y=self._forward(x, **kwargs))
                self._kept.keep(mapping)
            return mapping.y

    def inverse(self, y: TensorValue, name: str | None = "inverse") -> Any:
        """x with g(x) = y; a tuple of them where several have that y.

        Args:
            y: a tensor. name: the name scope in a graph.
        Raises:
            TypeError: another dtype than that of the bijector.
            NotImplementedError: it has no inverse.
        """
        return self._call_inverse(y, name)

    def _call_inverse(self, y, name, **kwargs):
        with self._name_scope(name, [y]):
            y = self._argument(y, "y")
            if not self._is_injective:
                return self._inverse(y, **kwargs)
            mapping = self._kept.find(y=y, kwargs=kwargs)
            if mapping.x is None:
                mapping = mapping.merge(x=self._inverse(y, **kwargs))
                self._kept.keep(mapping)
            return mapping.x

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError("forward not implemented.")

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError("inverse not implemented")

    # ------------------------------------------------------------------ Jacobians
    def inverse_log_det_jacobian(
        self, y: TensorValue, event_ndims: Any,
        name: str | None = "inverse_log_det_jacobian",
    ) -> Any:  # fmt: skip
        """log |det dx/dy|, summed over an event.

        Args:
            y: a tensor. event_ndims: int scalar, the number of axes of an event of y.
            name: the name scope in a graph.
        Returns:
            A tensor of the axes before; a tuple where several x have that y.
        Raises:
            ValueError: there are too few axes. NotImplementedError: it is not known.
        """
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _call_inverse_log_det_jacobian(self, y, event_ndims, name, **kwargs):
        least = self.inverse_min_event_ndims
        with (
            self._name_scope(name, [y]),
            control_dependencies(self._check_valid_event_ndims(least, event_ndims)),
        ):
            y = self._argument(y, "y")
            if not self._is_injective:
                found = self._inverse_log_det_jacobian(y, **kwargs)
                return tuple(self._summed(y, d, least, event_ndims) for d in found)
            mapping, key = self._kept.find(y=y, kwargs=kwargs), _axes_key(event_ndims)
            if key in mapping.ildj_map:
                return mapping.ildj_map[key]
            x = None
            try:
                ildj = self._inverse_log_det_jacobian(y, **kwargs)
            except NotImplementedError as error:
                try:
                    x = mapping.x
                    x = self._inverse(y, **kwargs) if x is None else x
                    ildj = -self._forward_log_det_jacobian(x, **kwargs)
                except NotImplementedError:
                    raise error from None
            ildj = self._summed(y, ildj, least, event_ndims)
            self._kept.keep(mapping.merge(x=x, ildj_map={key: ildj}))
            return ildj

    def forward_log_det_jacobian(
        self, x: TensorValue, event_ndims: Any,
        name: str | None = "forward_log_det_jacobian",
    ) -> Any:  # fmt: skip
        """log |det dy/dx|, summed over an event.

        Args:
            x: a tensor. event_ndims: int scalar, the number of axes of an event of x.
            name: the name scope in a graph.
        Returns:
            A tensor of the axes before.
        Raises:
            ValueError: there are too few axes. NotImplementedError: it is not known, or
            several x have one y.
        """
        if not self._is_injective:
            raise NotImplementedError(
                "forward_log_det_jacobian cannot be implemented for non-injective "
                "transforms."
            )
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def _call_forward_log_det_jacobian(self, x, event_ndims, name, **kwargs):
        least = self.forward_min_event_ndims
        with (
            self._name_scope(name, [x]),
            control_dependencies(self._check_valid_event_ndims(least, event_ndims)),
        ):
            x = self._argument(x, "x")
            mapping = self._kept.find(x=x, kwargs=kwargs)
            y, key = None, _axes_key(event_ndims)
            if key in mapping.ildj_map:
                return -mapping.ildj_map[key]
            try:
                ildj = -self._forward_log_det_jacobian(x, **kwargs)
            except NotImplementedError as error:
                try:
                    y = mapping.y
                    y = self._forward(x, **kwargs) if y is None else y
                    ildj = self._inverse_log_det_jacobian(y, **kwargs)
                except NotImplementedError:
                    raise error from None
            ildj = self._summed(x, ildj, least, event_ndims)
            self._kept.keep(mapping.merge(y=y, ildj_map={key: ildj}))
            return -ildj

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    # ------------------------------------------------------------------ inside
    @contextlib.contextmanager
    def _name_scope(self, name: Any = None, values: Any = None) -> Iterator[str]:
        values = [*(values or []), *self.graph_parents]
        with name_scope(self.name), name_scope(name, values=values) as scope:
            yield scope

    def _argument(self, value, letter):
        t = convert_to_tensor(value, name=letter)
        if self.dtype is not None and self.dtype.base_dtype != t.dtype.base_dtype:
            raise TypeError(f"Input had dtype {self.dtype} but expected {t.dtype}.")
        return t

    def _summed(self, t, ildj, least, event_ndims):
        """A log Jacobian of `least` axes as one of `event_ndims`."""
        if not self.is_constant_jacobian:
            return reduce_sum(ildj, self._get_event_reduce_dims(least, event_ndims))
        n = rank(t)
        wide = ones(shape(t)[n - event_ndims : n - least], ildj.dtype) * ildj
        found = reduce_sum(wide, self._get_event_reduce_dims(least, event_ndims))
        known = self._maybe_get_static_event_ndims(event_ndims)
        if None not in (known, t.shape.ndims, ildj.shape.ndims):
            ndims = t.shape.ndims
            dims = broadcast_static_shape(
                t.shape[ndims - known : ndims - least], ildj.shape
            )
            found.set_shape(dims[: dims.ndims - (known - least)])
        return found

    def _get_event_reduce_dims(self, min_event_ndims, event_ndims):
        """The last axes over which a log Jacobian is summed."""
        known = self._maybe_get_static_event_ndims(event_ndims)
        if known is not None:
            return [-i for i in range(1, known - min_event_ndims + 1)]
        return range_of(-(event_ndims - min_event_ndims), 0)

    def _check_valid_event_ndims(self, min_event_ndims, event_ndims):
        """What fails where an event has too few axes."""
        event_ndims = convert_to_tensor(event_ndims, name="event_ndims")
        known = maybe_get_static_value(event_ndims)
        if not event_ndims.dtype.is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {event_ndims.dtype}")
        checks = []
        if known is not None:
            if known.ndim != 0:
                raise ValueError(
                    f"Expected scalar event_ndims, got shape {event_ndims.shape}"
                )
            if min_event_ndims > known:
                raise ValueError(
                    f"event_ndims ({known}) must be larger than min_event_ndims "
                    f"({min_event_ndims})"
                )
        elif self.validate_args:
            checks.append(assert_greater_equal(event_ndims, min_event_ndims))
        if event_ndims.shape.is_fully_defined():
            if event_ndims.shape.ndims != 0:
                raise ValueError(
                    f"Expected scalar shape, got ndims {event_ndims.shape.ndims}"
                )
        elif self.validate_args:
            checks.append(assert_rank(event_ndims, 0, message="Expected scalar."))
        return checks

    def _maybe_get_static_event_ndims(self, event_ndims):
        """A number of axes as an int, or None where it is not known."""
        found = maybe_get_static_value(event_ndims)
        if isinstance(found, np.generic | np.ndarray):
            if found.dtype not in (np.int32, np.int64):
                raise ValueError(f"Expected integer dtype, got dtype {found.dtype}")
            if found.ndim:
                raise ValueError(f"Expected a scalar integer, got {found}")
            found = int(found)
        return found


def _check_axes(name, value):
    if value is None:
        return
    if not isinstance(value, int | np.integer):
        raise TypeError(
            f"Expected {name} to be of type int, got {type(value).__name__}"
        )
    if value < 0:
        raise ValueError(f"{name} must be a non-negative integer.")


def _axes_key(event_ndims):
    known = maybe_get_static_value(event_ndims)
    return ("tensor", id(event_ndims)) if known is None else int(known)


def _snake_case(name):
    words = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", words).lower()

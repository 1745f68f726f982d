"""tf.keras.constraints: what weights are put back to after each update."""

from typing import Any

from twinflow.base.annotations import AxisValue, overridable
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults
from twinflow.keras.saving.config import deserialized, serialized
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import multiply, sqrt, square
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.math.clip import clip_by_value


class Constraint:
    """The base: a function from the updated value to the one to keep."""

    @overridable
    def __call__(self, w: Any) -> Any:
        return w

    def get_config(self) -> dict[str, Any]:
        """The settings."""
        return {}


def _norms(w, axis):
    return sqrt(reduce_sum(square(w), axis, keepdims=True))


class MaxNorm(Constraint):
    """w scaled down where its norm along `axis` is larger than `max_value`."""

    def __init__(self, max_value: float = 2, axis: AxisValue = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Tensor:
        norms = _norms(w, self.axis)
        desired = clip_by_value(norms, 0.0, float(self.max_value))
        return multiply(w, desired / (defaults.epsilon() + norms))

    def get_config(self) -> dict[str, Any]:
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """w where it is not negative, else 0."""

    def __call__(self, w: Any) -> Tensor:
        return multiply(w, cast(greater_equal(w, 0.0), w.dtype.base_dtype))


class UnitNorm(Constraint):
    """w divided by its norm along `axis`."""

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        return w / (defaults.epsilon() + _norms(w, self.axis))

    def get_config(self) -> dict[str, Any]:
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """w whose norm along `axis` goes between two values, by the share `rate`."""

    def __init__(
        self, min_value: Any = 0.0, max_value: Any = 1.0, rate: Any = 1.0, axis: Any = 0
    ) -> None:
        self.min_value, self.max_value = min_value, max_value
        self.rate, self.axis = rate, axis

    def __call__(self, w: Any) -> Any:
        norms = _norms(w, self.axis)
        kept = clip_by_value(norms, float(self.min_value), float(self.max_value))
        desired = kept * self.rate + norms * (1 - self.rate)
        return multiply(w, desired / (defaults.epsilon() + norms))

    def get_config(self) -> dict[str, Any]:
        return {
            "min_value": self.min_value, "max_value": self.max_value,
            "rate": self.rate, "axis": self.axis,
        }  # fmt: skip


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
maxnorm, nonneg, unitnorm = MaxNorm, NonNeg, UnitNorm  # the names of Keras 1

_BY_NAME = {
    "Constraint": Constraint, "MaxNorm": MaxNorm, "NonNeg": NonNeg,
    "UnitNorm": UnitNorm, "MinMaxNorm": MinMaxNorm, "max_norm": MaxNorm,
    "non_neg": NonNeg, "unit_norm": UnitNorm, "min_max_norm": MinMaxNorm,
    "maxnorm": MaxNorm, "nonneg": NonNeg, "unitnorm": UnitNorm,
}  # fmt: skip


def serialize(constraint: Any) -> Any:
    """A constraint as a dict of its class and settings."""
    return serialized(constraint)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The constraint that `serialize` described."""
    return deserialized(config, _BY_NAME, custom_objects, "constraint")


def get(identifier: Any) -> Any:
    """A constraint from None, a name, a dict or a function.

    Raises:
        ValueError: there is no such constraint.
    """
    return deserialize(identifier)

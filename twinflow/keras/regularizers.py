"""tf.keras.regularizers: penalties on the values of variables and outputs."""

from typing import Any

from twinflow.base.annotations import overridable
from twinflow.keras.backend import defaults
from twinflow.keras.saving.config import deserialized, serialized
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import square
from twinflow.ops.core.reduction import reduce_sum


class Regularizer:
    """The base: a function from a tensor to a loss."""

    @overridable
    def __call__(self, x: Any) -> Any:
        return 0.0

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A regularizer from what `get_config` gave."""
        return cls(**config)


class L1L2(Regularizer):
    """l1 * sum(|x|) + l2 * sum(x^2).

    Args:
        l1, l2: the weights of the two terms, floats.
    Example:
        tf.keras.layers.Dense(2, kernel_regularizer=tf.keras.regularizers.l2(0.01))
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = defaults.cast_to_floatx(l1), defaults.cast_to_floatx(l2)

    def __call__(self, x: Any) -> Any:
        if not self.l1 and not self.l2:
            return constant(0.0, name="Const")
        penalty = 0.0
        if self.l1:
            penalty = penalty + reduce_sum(self.l1 * absolute(x))
        if self.l2:
            penalty = penalty + reduce_sum(self.l2 * square(x))
        return penalty

    def get_config(self) -> dict[str, Any]:
        """The weights."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l: float = 0.01) -> L1L2:  # noqa: E741 - the name that TensorFlow gave it
    """l * sum(|x|)."""
    return L1L2(l1=l)


def l2(l: float = 0.01) -> L1L2:  # noqa: E741
    """l * sum(x^2)."""
    return L1L2(l2=l)


def l1_l2(l1: Any = 0.01, l2: Any = 0.01) -> Any:
    """l1 * sum(|x|) + l2 * sum(x^2)."""
    return L1L2(l1=l1, l2=l2)


_BY_NAME = {
    "L1L2": L1L2,
    "l1": l1,
    "l2": l2,
    "l1_l2": l1_l2,
    "Regularizer": Regularizer,
}


def serialize(regularizer: Any) -> Any:
    """A regularizer as a dict of its class and settings."""
    return serialized(regularizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The regularizer that `serialize` described."""
    return deserialized(config, _BY_NAME, custom_objects, "regularizer")


def get(identifier: Any) -> Any:
    """A regularizer from None, a name, a dict or a function.

    Raises:
        ValueError: there is no such regularizer.
    """
    return deserialize(identifier)

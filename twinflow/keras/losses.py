"""tf.keras.losses: from a target and a prediction to a loss for each sample.

Every function takes `y_true` and `y_pred`, float[..., n], and gives float[...].
"""

from collections.abc import Callable
from typing import Any

from twinflow.base.advice import near
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults, nn
from twinflow.keras.saving.config import CUSTOM, deserialized, serialized
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import log, maximum, square
from twinflow.ops.core.reduction import reduce_max, reduce_mean, reduce_sum
from twinflow.ops.core.rounding import softplus
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn.moments import l2_normalize


def _mean(x):
    return reduce_mean(x, -1)


def _positive(x):
    return clip_by_value(x, defaults.epsilon(), float("inf"))


def _kept(x):
    return clip_by_value(x, defaults.epsilon(), 1.0)


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """mean((y_pred - y_true)^2)."""
    return _mean(square(y_pred - y_true))


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """mean(|y_pred - y_true|)."""
    return _mean(absolute(y_pred - y_true))


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """100 * mean(|y_true - y_pred| / |y_true|)."""
    return 100.0 * _mean(absolute((y_true - y_pred) / _positive(absolute(y_true))))


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    """mean((log(y_pred + 1) - log(y_true + 1))^2)."""
    first = log(_positive(y_pred) + 1.0)
    return _mean(square(first - log(_positive(y_true) + 1.0)))


def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """mean(max(1 - y_true * y_pred, 0)^2)."""
    return _mean(square(maximum(1.0 - y_true * y_pred, 0.0)))


def hinge(y_true: Any, y_pred: Any) -> Any:
    """mean(max(1 - y_true * y_pred, 0))."""
    return _mean(maximum(1.0 - y_true * y_pred, 0.0))


def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """max(best wrong one - right one + 1, 0)."""
    right = reduce_sum(y_true * y_pred, -1)
    wrong = reduce_max((1.0 - y_true) * y_pred, -1)
    return maximum(0.0, wrong - right + 1.0)


def logcosh(y_true: Any, y_pred: Any) -> Any:
    """mean(log(cosh(y_pred - y_true)))."""
    x = y_pred - y_true
    return _mean(x + softplus(-2.0 * x) - log(cast(2.0, x.dtype)))


def categorical_crossentropy(y_true: Any, y_pred: Any) -> Tensor:
    """-sum(y_true * log(y_pred))."""
    return nn.categorical_crossentropy(y_true, y_pred)


def sparse_categorical_crossentropy(y_true: Any, y_pred: Any) -> Tensor:
    """-log(y_pred[y_true])."""
    return nn.sparse_categorical_crossentropy(y_true, y_pred)


def binary_crossentropy(y_true: Any, y_pred: Any) -> Any:
    """mean(-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred))."""
    return _mean(nn.binary_crossentropy(y_true, y_pred))


def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Any:
    """sum(y_true * log(y_true / y_pred))."""
    y_true, y_pred = _kept(y_true), _kept(y_pred)
    return reduce_sum(y_true * log(y_true / y_pred), -1)


def poisson(y_true: Any, y_pred: Any) -> Any:
    """mean(y_pred - y_true * log(y_pred))."""
    return _mean(y_pred - y_true * log(y_pred + defaults.epsilon()))


def cosine_proximity(y_true: Any, y_pred: Any) -> Any:
    """-sum of the products, both of norm 1."""
    return -reduce_sum(l2_normalize(y_true, -1) * l2_normalize(y_pred, -1), -1)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine = cosine_proximity

BY_NAME = {
    f.__name__: f
    for f in (
        mean_squared_error, mean_absolute_error, mean_absolute_percentage_error,
        mean_squared_logarithmic_error, squared_hinge, hinge, categorical_hinge,
        logcosh, categorical_crossentropy, sparse_categorical_crossentropy,
        binary_crossentropy, kullback_leibler_divergence, poisson, cosine_proximity,
    )
}  # fmt: skip
BY_NAME |= {
    "mse": mse, "MSE": mse, "mae": mae, "MAE": mae, "mape": mape, "MAPE": mape,
    "msle": msle, "MSLE": msle, "kld": kld, "KLD": kld, "cosine": cosine,
}  # fmt: skip


def serialize(loss: Any) -> Any:
    """A loss as its name."""
    return serialized(loss)


def deserialize(name: str, custom_objects: Any = None) -> Callable[..., Any]:
    """A loss from its name.

    Raises:
        ValueError: there is none of this name.
    """
    return named(name, BY_NAME, custom_objects, "loss function")


def named(name: str, table: Any, custom_objects: Any, what: str) -> Callable[..., Any]:
    """A function from its name, or an object from its class and settings."""
    if not isinstance(name, str):
        return deserialized(name, table, custom_objects, what)
    found = {**table, **CUSTOM, **(custom_objects or {})}.get(name)
    if found is None:
        known = [*table, *CUSTOM, *(custom_objects or {})]
        raise near(ValueError(f"Unknown {what}:{name}"), name, known)
    return found


def get(identifier: Any) -> Any:
    """A loss from None, a name, a dict or a function.

    Raises:
        ValueError: there is no such loss.
    """
    if identifier is None or callable(identifier):
        return identifier
    if not isinstance(identifier, str | dict):
        raise ValueError(f"Could not interpret loss function identifier: {identifier}")
    return deserialize(identifier) if identifier else None

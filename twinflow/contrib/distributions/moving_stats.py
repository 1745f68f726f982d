"""Moving means and variances that variables keep."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.elementwise import log, square
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_logsumexp
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables.state import assign, assign_add


def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: TensorValue, decay: TensorValue,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Move the variables of a mean and a variance towards a value.

    variance = decay (variance + (1 - decay) (value - mean)^2)
    mean = decay mean + (1 - decay) value

    Args:
        mean_var, variance_var: float variables. value: a tensor like them.
        decay: float scalar, near to 1. name: the name scope in a graph.
    Returns:
        (mean, variance), what the variables hold then.
    Raises:
        TypeError: the dtypes are no floats, or differ.
    """
    with name_scope(
        name, "update_mean_variance", [variance_var, mean_var, value, decay]
    ):
        dtype = mean_var.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(
                f"mean_var.base_dtype({dtype.name}) does not have float type `dtype`."
            )
        other = variance_var.dtype.base_dtype
        if dtype != other:
            raise TypeError(
                f"mean_var.base_dtype({dtype.name}) != "
                f"variance_var.base_dtype({other.name})"
            )
        decay = convert_to_tensor(decay, dtype=dtype, name="decay")
        value = convert_to_tensor(value, dtype=dtype, name="value")
        old = identity(mean_var)
        with control_dependencies([old]):
            mean = assign_add(mean_var, (1.0 - decay) * (value - old))
        variance = assign(
            variance_var,
            decay * (variance_var + (1.0 - decay) * square(value - old)),
        )
        return mean, variance


def assign_log_moving_mean_exp(
    log_mean_exp_var: Any, log_value: TensorValue, decay: TensorValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Move the variable of log(mean(exp(...))) towards a value.

    log(decay exp(variable) + (1 - decay) exp(log_value))

    Args:
        log_mean_exp_var: a float variable. log_value: a tensor like it.
        decay: float scalar, near to 1. name: the name scope in a graph.
    Returns:
        What the variable holds then.
    Raises:
        TypeError: its dtype is no float.
    """
    with name_scope(
        name, "assign_log_moving_mean_exp", [log_mean_exp_var, log_value, decay]
    ):
        dtype = log_mean_exp_var.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(
                f"log_mean_exp_var.base_dtype({dtype.name}) does not have float type "
                "`dtype`."
            )
        decay = convert_to_tensor(decay, dtype=dtype, name="decay")
        log_value = convert_to_tensor(log_value, dtype=dtype, name="log_value")
        both = [log(decay) + log_mean_exp_var, log(1.0 - decay) + log_value]
        return assign(log_mean_exp_var, reduce_logsumexp(stack(both), axis=0))


def moving_mean_variance(
    value: TensorValue, decay: TensorValue, collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The moving mean and variance of a value, in new variables.

    Args:
        value: float tensor. decay: float scalar, near to 1.
        collections: those of the variables. name: their scope.
    Returns:
        (mean, variance); see assign_moving_mean_variance.
    Raises:
        TypeError: another dtype.
    """
    with variable_scope(name, "moving_mean_variance", [value, decay]):
        value = convert_to_tensor(value, name="value")
        dtype = value.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(
                f"value.base_dtype({dtype.name}) does not have float type `dtype`."
            )
        mean, variance = (
            get_variable(
                word, shape=value.shape, dtype=dtype, initializer=Zeros(),
                trainable=False, collections=collections,
            )
            for word in ("moving_mean", "moving_variance")
        )  # fmt: skip
        return assign_moving_mean_variance(mean, variance, value, decay)

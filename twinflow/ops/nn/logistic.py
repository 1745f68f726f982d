"""Losses of logits that are not classes: logistic and Poisson."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import greater_equal, less_equal, logical_and, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import (
    abs,
    add,
    exp,
    log,
    log1p,
    multiply,
    negative,
    subtract,
)  # fmt: skip
from twinflow.ops.nn.activation import relu

_TWO_PI = 6.283185307179586


def _same_shape(first, first_name, second, second_name):
    a, b = first._shape, second._shape
    if a is None or b is None:
        return
    if len(a) != len(b) or any(None not in d and d[0] != d[1] for d in zip(a, b)):
        raise advised(
            ValueError,
            f"{first_name} and {second_name} must have the same shape "
            f"({TensorShape(a)} vs {TensorShape(b)})",
        )


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorValue | None = None,
    logits: TensorValue | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """max(x, 0) - x * z + log(1 + exp(-|x|)), x = logits and z = labels, elementwise.

    Equal to -z * log(sigmoid(x)) - (1 - z) * log(1 - sigmoid(x)), without overflow.

    Args:
        _sentinel: not to be used. labels: float, the probabilities.
        logits: float of the same shape. name: the name of the call.
    Returns:
        float of the same shape
    Raises:
        ValueError: the shapes differ, or an argument is missing or not named.
    Example:
        tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.], logits=[0.])  # [0.693]
    """
    if _sentinel is not None:
        raise ValueError(
            "Only call `sigmoid_cross_entropy_with_logits` with named arguments "
            "(labels=..., logits=..., ...)"
        )
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")
    with current_mode().name_scope(name or "logistic_loss") as scope:
        logits = convert_to_tensor(logits, name="logits")
        dtype = None if isinstance(labels, Tensor) else logits.dtype
        labels = convert_to_tensor(labels, dtype, "labels")
        _same_shape(logits, "logits", labels, "labels")
        zeros = zeros_like(logits, name="zeros_like")
        above = greater_equal(logits, zeros, "GreaterEqual")
        high = where(above, logits, zeros, "Select")
        low = where(above, negative(logits, "Neg"), logits, "Select")
        linear = subtract(high, multiply(logits, labels, "mul"), "sub")
        return add(linear, log1p(exp(low)), scope)


def weighted_cross_entropy_with_logits(
    targets: TensorValue, logits: TensorValue, pos_weight: Any, name: str | None = None
) -> Tensor:
    """(1 - z) * x + l * (log(1 + exp(-|x|)) + max(-x, 0)), l = 1 + (w - 1) * z.

    The logistic loss of x = logits and z = targets, positives weighted by
    w = pos_weight.

    Args:
        targets: float, the probabilities. logits: float of the same shape.
        pos_weight: a number or float tensor. name: the name of the call.
    Returns:
        float of the same shape
    Raises:
        ValueError: the shapes differ.
    Example:
        tf.nn.weighted_cross_entropy_with_logits([1.], [0.], 2.)  # [1.386]
    """
    with current_mode().name_scope(name or "logistic_loss") as scope:
        logits = convert_to_tensor(logits, name="logits")
        targets = convert_to_tensor(targets, logits.dtype, "targets")
        _same_shape(logits, "logits", targets, "targets")
        if not isinstance(pos_weight, int | float):
            pos_weight = convert_to_tensor(pos_weight, logits.dtype, "pos_weight")
            more = subtract(pos_weight, 1, "sub")
        else:
            more = float(pos_weight) - 1
        weight = add(1.0, multiply(more, targets, "mul"), "add")
        linear = multiply(subtract(1.0, targets, "sub"), logits, "mul")
        soft = log1p(exp(negative(abs(logits), "Neg")))
        soft = add(soft, relu(negative(logits, "Neg")), "add")
        return add(linear, multiply(weight, soft, "mul"), scope)


def log_poisson_loss(
    targets: TensorValue, log_input: Any, compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """exp(c) - z * c, c = log_input and z = targets, elementwise.

    Args:
        targets: float. log_input: float of the same shape.
        compute_full_loss: add Stirling's formula for log(z!), as
            z * log(z) - z + log(2 pi z) / 2, where z > 1.
        name: the name of the call.
    Returns:
        float of the same shape
    Raises:
        ValueError: the shapes differ.
    Example:
        tf.nn.log_poisson_loss([2.], [0.])  # [1.]
    """
    with current_mode().name_scope(name or "log_poisson_loss") as scope:
        log_input = convert_to_tensor(log_input, name="log_input")
        targets = convert_to_tensor(targets, log_input.dtype, "targets")
        _same_shape(log_input, "log_input", targets, "targets")
        product = multiply(log_input, targets, "mul")
        if not compute_full_loss:
            return subtract(exp(log_input), product, scope)
        loss = subtract(exp(log_input), product, "sub")
        return add(loss, _stirling(targets), "add")


def _stirling(z):
    """log(z!) about, and 0 for z from 0 to 1."""
    rough = subtract(multiply(z, log(z), "mul"), z, "sub")
    rest = multiply(0.5, log(multiply(_TWO_PI, z, "mul")), "mul")
    zeros, ones = zeros_like(z, name="zeros_like"), ones_like(z, name="ones_like")
    small = logical_and(
        greater_equal(z, zeros, "GreaterEqual"), less_equal(z, ones, "LessEqual")
    )
    return where(small, zeros, add(rough, rest, "add"), "Select")

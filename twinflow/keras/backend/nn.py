"""Neural-network functions, as tf.keras.backend has them."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras import activations
from twinflow.keras.backend import defaults
from twinflow.keras.layers.arguments import format_or_refused, op_format
from twinflow.ops.arrays import topk
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.elementwise import log
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn import bias as ops_bias
from twinflow.ops.nn import dropout as ops_dropout
from twinflow.ops.nn import logistic, loss, moments
from twinflow.ops.random.setting import setting
from twinflow.train.moving_averages import assign_moving_average

softmax = activations.softmax


def dropout(
    x: TensorValue, level: Any, noise_shape: Any = None, seed: int | None = None
) -> Any:
    """Entries are dropped with probability `level`, the others scaled."""
    seed = setting.keras_seed(seed)
    return ops_dropout.dropout(x, 1.0 - level, noise_shape, seed)


def l2_normalize(x: TensorValue, axis: Any = None) -> Any:
    """x divided by its norm along an axis."""
    return moments.l2_normalize(x, axis)


def in_top_k(predictions: TensorValue, targets: TensorValue, k: TensorValue) -> Any:
    """bool: whether the targets are among the `k` largest predictions."""
    return topk.in_top_k(predictions, targets, k)


def bias_add(x: TensorValue, bias: Any, data_format: Any = None) -> Any:
    """x + bias, a number a channel (or one for each place).

    Raises:
        ValueError: bias has neither 1 axis nor those of x without the batch.
    """
    data_format = format_or_refused(data_format)
    sizes, n = bias._shape, len(x._shape)
    if len(sizes) not in (1, n - 1):
        raise ValueError(
            f"Unexpected bias dimensions {len(sizes)}, expect to be 1 or {n} dimensions"
        )
    if len(sizes) == 1:
        return ops_bias.bias_add(x, bias, op_format(data_format) if n > 2 else "NHWC")
    if data_format == "channels_first":
        return x + reshape(bias, (1, sizes[-1], *sizes[:-1]))
    return x + reshape(bias, (1, *sizes))


def batch_normalization(
    x: TensorValue, mean: TensorValue, var: Any, beta: Any, gamma: Any,
    epsilon: Any = 1e-3,
) -> Any:  # fmt: skip
    """gamma * (x - mean) / sqrt(var + epsilon) + beta."""
    return moments.batch_normalization(x, mean, var, beta, gamma, epsilon)


def normalize_batch_in_training(
    x: TensorValue, gamma: Any, beta: Any, reduction_axes: Any, epsilon: Any = 1e-3
) -> tuple[Any, ...]:
    """(normalized x, mean, variance) of a batch."""
    mean, variance = moments.moments(x, list(reduction_axes))
    n = len(x._shape)
    parts = [mean, variance, beta, gamma]
    if sorted(reduction_axes) != list(range(n - 1)):
        sizes = shape(x)
        wanted = [1 if i in reduction_axes else sizes[i] for i in range(n)]
        parts = [None if p is None else reshape(p, wanted) for p in parts]
    return moments.batch_normalization(x, *parts, epsilon), mean, variance


def moving_average_update(x: TensorValue, value: TensorValue, momentum: Any) -> Any:
    """Move a variable towards a value; the average makes up for its start at 0."""
    return assign_moving_average(x, value, momentum, zero_debias=True)


# ------------------------------------------------------------------ losses
def _kept(p):
    """Probabilities away from 0 and 1."""
    small = constant(defaults.epsilon(), p.dtype.base_dtype)
    return clip_by_value(p, small, 1 - small)


def binary_crossentropy(target: Any, output: Any, from_logits: Any = False) -> Any:
    """-target * log(output) - (1 - target) * log(1 - output), entry by entry."""
    if not from_logits:
        output = _kept(output)
        output = log(output / (1 - output))
    return logistic.sigmoid_cross_entropy_with_logits(labels=target, logits=output)


def categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Tensor:
    """-sum(target * log(output)) along an axis."""
    if from_logits:
        return loss.softmax_cross_entropy_with_logits_v2(labels=target, logits=output)
    output = output / reduce_sum(output, axis, True)
    return -reduce_sum(target * log(_kept(output)), axis)


def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Tensor:
    """-log(output[target]) along an axis.

    Args:
        target: int, the right class. output: float, with the classes along `axis`.
    """
    axis %= len(output._shape)
    if axis != len(output._shape) - 1:
        rest = [i for i in range(len(output._shape)) if i != axis]
        output = transpose(output, [*rest, axis])
    if not from_logits:
        output = log(_kept(output))
    sizes = output._shape
    labels = cast(reshape(target, [-1]), "int64")
    logits = reshape(output, [-1, sizes[-1]])
    found = loss.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return found if len(sizes) == 2 else reshape(found, shape(output)[:-1])

"""Activations, dropout and losses outside the core."""

import numbers
from typing import Any

from twinflow.base.advice import advised
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater_equal, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import minimum, sqrt
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_logsumexp
from twinflow.ops.core.rounding import softplus
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import (
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from twinflow.ops.nn.sampled import sampled_softmax_loss
from twinflow.ops.random.draws import random_uniform

_DROPPED = -1.7580993408473766  # what SELU goes to: - scale * alpha


def scaled_softplus(
    x: Any, alpha: Any, clip: Any = None, name: str | None = None
) -> Any:
    """alpha * log(1 + exp(x / alpha)), at most `clip`.

    Args:
        x: float[...]. alpha, clip: floats that broadcast with x. name: the name scope.
    Example:
        tf.contrib.nn.scaled_softplus([0.], 2., clip=1.)  # [1.]
    """
    with name_scope(name, "scaled_softplus", [x, alpha]):
        x = convert_to_tensor(x, name="x")
        alpha = convert_to_tensor(alpha, dtype=x.dtype, name="alpha")
        found = alpha * softplus(x / alpha)
        if clip is None:
            return found
        return minimum(found, convert_to_tensor(clip, dtype=x.dtype, name="clip"))


def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Dropout for networks of SELUs: it leaves mean 0 and variance 1 as they are.

    Args:
        x: float[...]. keep_prob: the probability that a number stays, in (0, 1].
        noise_shape: the shape of what is drawn; that of x if not given.
        seed: of the draws. name: the name scope.
    Raises:
        ValueError: `keep_prob` is not in (0, 1].
    Reference: Klambauer et al., Self-normalizing neural networks (2017).
    """
    with name_scope(name, "alpha_dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real):
            if not 0 < keep_prob <= 1.0:
                raise advised(
                    ValueError,
                    "keep_prob must be a scalar tensor or a float in the range "
                    f"(0, 1], got {keep_prob:g}",
                )
            if keep_prob == 1:
                return x
        keep = convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        sizes = shape(x) if noise_shape is None else noise_shape
        drawn = random_uniform(sizes, dtype=x.dtype, seed=seed)
        stays = greater_equal(drawn + ones_like(x), 2.0 - keep)
        kept = where(stays, x, ones_like(x) * _DROPPED)
        a = 1.0 / sqrt(keep + _DROPPED**2 * keep * (1.0 - keep))
        return a * kept - a * _DROPPED * (1.0 - keep)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: Any, targets: Any, name: str | None = None
) -> Any:
    """tf.nn.sigmoid_cross_entropy_with_logits with its older order of arguments.

    Args:
        logits, targets: float[...]. name: the name scope.
    """
    return sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Any:
    """tf.nn.softmax_cross_entropy_with_logits with its older order of arguments.

    Args:
        logits, labels: float[..., classes]. dim: the axis of the classes.
        name: the name scope.
    """
    return softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, dim=dim, name=name
    )


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Any:
    """tf.nn.sparse_softmax_cross_entropy_with_logits with the arguments turned.

    Args:
        logits: float[..., classes]. labels: int[...]. name: the name scope.
    """
    return sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, name=name
    )


def sampled_sparse_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any,
    num_classes: Any, sampled_values: Any = None, remove_accidental_hits: bool = True,
    partition_strategy: str = "mod", name: str = "sampled_sparse_softmax_loss",
) -> Any:  # fmt: skip
    """tf.nn.sampled_softmax_loss of one true class for each example.

    Args:
        labels: int64[batch] or int64[batch, 1].
        weights, biases, inputs, num_sampled, num_classes, sampled_values,
            remove_accidental_hits, partition_strategy, name: see there.
    """
    labels = reshape(convert_to_tensor(labels), [-1, 1])
    return sampled_softmax_loss(
        weights, biases, labels, inputs, num_sampled, num_classes,
        sampled_values=sampled_values, remove_accidental_hits=remove_accidental_hits,
        partition_strategy=partition_strategy, name=name,
    )  # fmt: skip


def _scores(weights, biases, classes, inputs, temperature, strategy):
    """How well the inputs of a batch score each of some classes."""
    rows = embedding_lookup(weights, classes, partition_strategy=strategy)
    bias = embedding_lookup(biases, classes, partition_strategy=strategy)
    products = matmul(rows, inputs / temperature, transpose_b=True)
    return reduce_logsumexp(products, axis=1) + bias / temperature

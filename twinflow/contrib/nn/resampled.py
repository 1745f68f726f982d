"""Softmax over the best of many sampled classes.

Bai, Goldman, Zhang, TAPAS: Two-pass approximate adaptive sampling (2017).
"""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.constant import cast, convert_to_tensor, stop_gradient
from twinflow.ops.core.index import gather
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_logsumexp
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.sampled import sampled_softmax_loss
from twinflow.ops.nn.samplers import learned_unigram_candidate_sampler


def rank_resample(
    weights: Any, biases: Any, inputs: Any, sampled_values: Any, num_resampled: int,
    resampling_temperature: Any, partition_strategy: str,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The sampled classes with the largest logits, summed over the inputs.

    Args:
        weights, biases, inputs, partition_strategy: see `rank_sampled_softmax_loss`.
        sampled_values: (classes, expected count of the true ones, that of the sampled).
        num_resampled: how many are kept. resampling_temperature: divides the logits.
    Returns:
        The same three of those that are kept.
    """
    sampled, true_count, count = sampled_values
    heat = convert_to_tensor(resampling_temperature)
    inputs = convert_to_tensor(inputs)
    with name_scope(None, "resample", [weights, biases]):
        rows = embedding_lookup(weights, sampled, partition_strategy)
        offsets = embedding_lookup(biases, sampled, partition_strategy)
        heat = cast(heat, inputs.dtype)
        logits = reduce_logsumexp(matmul(rows, inputs / heat, transpose_b=True), axis=1)
        best = top_k(logits + offsets / heat, num_resampled, sorted=False)[1]
        return gather(sampled, best), true_count, gather(count, best)


def rank_sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int,
    num_resampled: int, num_classes: int, num_true: int, sampled_values: Any,
    resampling_temperature: Any, remove_accidental_hits: bool, partition_strategy: str,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sampled softmax loss over those sampled classes that are likely.

    Args:
        weights: float[num_classes, dim], or a list of its parts.
        biases: float[num_classes]. labels: int64[batch, num_true].
        inputs: float[batch, dim]. num_sampled: how many classes are drawn.
        num_resampled: how many of them are kept. num_classes: an int.
        num_true: the number of classes per example.
        sampled_values: what a candidate sampler gave; learned-unigram if None.
        resampling_temperature: the lower, the more the likely ones are preferred.
        remove_accidental_hits: leave out sampled classes that are true ones.
        partition_strategy: see tf.nn.embedding_lookup. name: the name scope.
    Returns:
        float[batch]
    Raises:
        ValueError: more are drawn than there are, or as many kept as drawn.
    """
    if num_sampled > num_classes:
        raise ValueError(
            f"num_sampled ({num_sampled}) cannot be greater than num_classes "
            f"({num_classes})"
        )
    if num_resampled >= num_sampled:
        raise ValueError(
            f"num_resampled ({num_resampled}) must be less than num_sampled "
            f"({num_sampled})"
        )
    with name_scope(name, "rank_sampled_softmax_loss", [weights, biases, inputs]):
        if not sampled_values:
            sampled_values = learned_unigram_candidate_sampler(
                cast(convert_to_tensor(labels), dtypes.int64), num_true, num_sampled,
                True, num_classes,
            )  # fmt: skip
        values = [stop_gradient(convert_to_tensor(v)) for v in sampled_values]
        kept = rank_resample(
            weights, biases, inputs, values, num_resampled, resampling_temperature,
            partition_strategy,
        )  # fmt: skip
        return sampled_softmax_loss(
            weights, biases, labels, inputs, num_resampled, num_classes, num_true, kept,
            remove_accidental_hits, partition_strategy,
        )  # fmt: skip

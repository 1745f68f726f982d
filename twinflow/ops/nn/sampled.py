"""Losses over few sampled classes in place of all classes."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, convert_to_tensor, stop_gradient
from twinflow.ops.core.creation import ones, ones_like, zeros_like
from twinflow.ops.core.elementwise import add, log, multiply, realdiv, subtract
from twinflow.ops.core.infer import dim_is, ranked
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.slicing import slice
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits_v2
from twinflow.ops.nn.samplers import log_uniform_candidate_sampler
from twinflow.ops.sparse.dense import sparse_to_dense


class ComputeAccidentalHits(NamedTuple):
    """Which sampled classes are true ones: rows, places, and a weight to add."""

    indices: Tensor
    ids: Tensor
    weights: Tensor


def _infer_hits(true_classes, sampled_candidates, num_true, **_):
    message = "true_candidates must be a batch_size * num_true matrix"
    dim_is(ranked(true_classes._shape, 2, message)[1], num_true, message)
    ranked(
        sampled_candidates._shape, 1,
        "sampled_candidates must be a vector, which is typically an output from "
        "CandidateSampler",
    )  # fmt: skip
    return [(None,)] * 3


def _hits(true_classes, sampled_candidates, num_true, seed, seed2):
    """Of a class that was drawn twice, the last place counts."""
    turned = sampled_candidates[::-1]
    values, last = np.unique(turned, return_index=True)
    last = len(turned) - 1 - last
    found = np.searchsorted(values, true_classes)
    inside = np.minimum(found, max(len(values) - 1, 0))
    hit = values[inside] == true_classes if len(values) else found < 0
    rows, ids = np.nonzero(hit)[0], last[inside[hit]] if len(values) else found[hit]
    weights = np.full(len(rows), np.finfo(np.float32).min)
    return rows.astype(np.int32), ids.astype(np.int64), weights.astype(np.float32)


AccidentalHits = define("ComputeAccidentalHits", infer=_infer_hits, host=_hits)


def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: Any, seed: int | None = None,
    name: str | None = None,
) -> ComputeAccidentalHits:  # fmt: skip
    """Which of the sampled classes are true classes of an example.

    Args:
        true_classes: int64[batch, num_true], the classes of the examples.
        sampled_candidates: int64[num_sampled], from a candidate sampler.
        num_true: an int. seed: has no effect. name: the name of the call.
    Returns:
        (indices, ids, weights), int32, int64 and float32[hits]: the rows of
        true_classes, the places in sampled_candidates, and the lowest float32, to be
        added to logits
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        tf.nn.compute_accidental_hits([[1], [3]], [5, 3], 1)  # [1], [1], [-3.4e38]
    """
    inputs = tuple(
        convert_to_tensor(t, None if hasattr(t, "dtype") else dtypes.int64)
        for t in (true_classes, sampled_candidates)
    )
    attrs = {"num_true": int(num_true), "seed": 0, "seed2": 0}
    return ComputeAccidentalHits(*apply(AccidentalHits, inputs, attrs, name))


# ------------------------------------------------------------------ logits
def sampled_logits(
    weights: TensorValue, biases: Any, labels: TensorValue, inputs: TensorValue,
    num_sampled: Any, num_classes: Any, num_true: int = 1, sampled_values: Any = None,
    subtract_log_q: bool = True, remove_accidental_hits: bool = False,
    partition_strategy: str = "mod", name: str | None = None, seed: int | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """(logits, labels) of the true and the sampled classes: [batch, num_true + n].

    Args:
        subtract_log_q: whether the logarithms of the expected counts are taken off.
        weights, biases, labels, inputs, num_sampled, num_classes, num_true,
            sampled_values, remove_accidental_hits, partition_strategy, name, seed: see
            `sampled_softmax_loss`.
    """
    mode = current_mode()
    with mode.name_scope(name or "compute_sampled_logits"):
        inputs = convert_to_tensor(inputs)
        labels = convert_to_tensor(labels)
        labels = cast(labels, dtypes.int64)
        flat = reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = log_uniform_candidate_sampler(
                labels, num_true, num_sampled, True, num_classes, seed
            )
        sampled, true_count, count = (stop_gradient(s) for s in sampled_values)
        sampled = cast(sampled, dtypes.int64)
        ids = concat([flat, sampled], 0)
        rows = embedding_lookup(weights, ids, partition_strategy)
        offsets = embedding_lookup(biases, ids, partition_strategy)
        with mode.counted(24):
            true_w, sampled_w = _cut(rows, flat)
            true_b, sampled_b = _cut(offsets, flat)
        with mode.counted(30):
            true = _row_dots(inputs, true_w, num_true)
        true = add(true, reshape(true_b, [-1, num_true]))
        logits = add(matmul(inputs, sampled_w, transpose_b=True), sampled_b)
        if remove_accidental_hits:
            with mode.counted(21):
                logits = _without_hits(logits, labels, sampled, num_true, num_sampled)
        if subtract_log_q:
            true = subtract(true, log(cast(true_count, true.dtype)))
            logits = subtract(logits, log(cast(count, logits.dtype)))
        with mode.counted(5):
            marks = realdiv(ones_like(true), float(num_true))
        return concat([true, logits], 1), concat([marks, zeros_like(logits)], 1)


def _cut(rows, flat):
    """What was looked up for `flat`, and what for the rest."""
    n = flat._shape[0] if flat._shape else None
    if n is not None:
        return rows[:n], rows[n:]
    n = shape(flat)[0]
    tail = [0] * (len(rows._shape) - 1)
    whole = [-1] * len(tail)
    first = slice(rows, [0, *tail], stack([n, *whole]))
    return first, slice(rows, stack([n, *tail]), [-1, *whole])


def _row_dots(inputs, rows, num_true):
    """inputs[b] . rows[b, t] for each example b and true class t."""
    if rows._shape is not None and len(rows._shape) != 2:
        raise ValueError(f"weights must be a matrix, their rows have {rows.shape}")
    width = rows._shape[1] if rows._shape and rows._shape[1] else shape(rows)[1]
    rows = reshape(rows, [-1, num_true, width])
    products = multiply(expand_dims(inputs, 1), rows)
    return reshape(row_sums(reshape(products, [-1, width])), [-1, num_true])


def row_sums(x):
    """The sum of each row, as TensorFlow takes it: a matrix product with ones."""
    with current_mode().counted(12):
        width = x._shape[1] if x._shape[1] is not None else shape(x)[1]
        return reshape(matmul(x, ones([width, 1], x.dtype)), [-1])


def _without_hits(logits, labels, sampled, num_true, num_sampled):
    """Logits with the lowest number added where a sampled class is a true one."""
    rows, places, low = compute_accidental_hits(labels, sampled, num_true)
    places = cast(reshape(places, [-1, 1]), dtypes.int32)
    places = concat([reshape(rows, [-1, 1]), places], 1, "sparse_indices")
    batch = labels._shape[0] if labels._shape else None
    batch = shape(labels)[0] if batch is None else batch
    low = cast(low, logits.dtype)
    size = (batch, num_sampled)
    size = size if isinstance(batch, int) else stack(size)
    return add(logits, sparse_to_dense(places, size, low, 0.0, False))


def nce_loss(
    weights: TensorValue, biases: Any, labels: TensorValue, inputs: TensorValue,
    num_sampled: Any, num_classes: Any, num_true: int = 1, sampled_values: Any = None,
    remove_accidental_hits: bool = False, partition_strategy: str = "mod",
    name: str | None = "nce_loss",
) -> Tensor:  # fmt: skip
    """The noise-contrastive loss of each example: true classes against sampled ones.

    The sum of the logistic losses of the logits inputs . weights[c] + biases[c] -
    log(expected count of c), for the true classes and the sampled ones.

    Reference: Gutmann, Hyvarinen, Noise-contrastive estimation (2010).

    Args:
        weights: float[num_classes, dim], or a list of its parts.
        biases: float[num_classes].
        labels: int64[batch, num_true]. inputs: float[batch, dim].
        num_sampled: how many classes to draw for the batch. num_classes: an int.
        num_true: the number of classes per example.
        sampled_values: what a candidate sampler gave; log-uniform by default.
        remove_accidental_hits: leave out sampled classes that are true ones.
        partition_strategy: see `embedding_lookup`. name: the name of the call.
    Returns:
        float[batch]
    Example:
        w, b = tf.ones([9, 2]), tf.zeros([9])
        labels = tf.constant([[3]])
        tf.nn.nce_loss(w, b, labels, tf.ones([1, 2]), 4, 9)  # float32[1]
    """
    logits, marks = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true,
        sampled_values, True, remove_accidental_hits, partition_strategy, name,
    )  # fmt: skip
    losses = sigmoid_cross_entropy_with_logits(
        labels=marks, logits=logits, name="sampled_losses"
    )
    return row_sums(losses)


def sampled_softmax_loss(
    weights: TensorValue, biases: Any, labels: TensorValue, inputs: TensorValue,
    num_sampled: Any, num_classes: Any, num_true: int = 1, sampled_values: Any = None,
    remove_accidental_hits: bool = True, partition_strategy: str = "mod",
    name: str | None = "sampled_softmax_loss", seed: int | None = None,
) -> Tensor:  # fmt: skip
    """The cross entropy of each example over its true classes and sampled ones.

    The softmax is that of the logits inputs . weights[c] + biases[c] - log(expected
    count of c); no gradient goes through what was drawn.

    Reference: Jean, Cho, Memisevic, Bengio (2015), section 3.

    Args:
        weights: float[num_classes, dim], or a list of its parts.
        biases: float[num_classes].
        labels: int64[batch, num_true]. inputs: float[batch, dim].
        num_sampled: how many classes to draw for the batch. num_classes: an int.
        num_true: the number of classes per example.
        sampled_values: what a candidate sampler gave; log-uniform by default.
        remove_accidental_hits: leave out sampled classes that are true ones.
        partition_strategy: see `embedding_lookup`. name: the name of the call.
        seed: an int for the default sampler; see tf.set_random_seed.
    Returns:
        float[batch]
    Example:
        w, b = tf.ones([9, 2]), tf.zeros([9])
        labels = tf.constant([[3]])
        tf.nn.sampled_softmax_loss(w, b, labels, tf.ones([1, 2]), 4, 9)  # float32[1]
    """
    logits, marks = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true,
        sampled_values, True, remove_accidental_hits, partition_strategy, name, seed,
    )  # fmt: skip
    marks = stop_gradient(marks, "labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=marks, logits=logits)

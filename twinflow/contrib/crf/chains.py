"""Linear chains of tags: scores, likelihoods, and the best chain.

The score of a chain is the sum of the scores of its tags and of its transitions; its
probability is proportional to the exponential of that.

Reference: Lafferty, McCallum, Pereira, Conditional random fields: probabilistic models
for segmenting and labeling sequence data (2001).
"""

from typing import Any

import numpy as np

from twinflow.contrib.crf.cells import (
    CrfDecodeBackwardRnnCell,
    CrfDecodeForwardRnnCell,
    CrfForwardRnnCell,
)
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.graph.cond import cond
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.arrays.rearrange import reverse_sequence
from twinflow.ops.core.compare import equal, less_equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import fill, range, zeros_like
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_max, reduce_sum
from twinflow.ops.core.shape import expand_dims, shape, squeeze
from twinflow.ops.math.positions import argmax
from twinflow.rnn.dynamic import dynamic_rnn


def _by_length(x, one, more):
    """`one()` where there is one step, else `more()`."""
    n = size_of(x, 1)
    if isinstance(n, int):
        return one() if n == 1 else more()
    return cond(equal(n, 1), one, more)


def _unless_empty(lengths, x):
    """x with zeros for sequences without steps."""
    return where(less_equal(lengths, zeros_like(lengths)), zeros_like(x), x)


def _picked(x, *places):
    """The elements x[b, t, place, ...] of all b and t."""
    n, steps = size_of(places[0], 0), size_of(places[0], 1)
    kind = places[0].dtype
    rows = cast(expand_dims(range(n), 1), kind) + zeros_like(places[0])
    cols = cast(expand_dims(range(steps), 0), kind) + zeros_like(places[0])
    return gather_nd(x, stack([rows, cols, *places], -1))


def _mask(lengths, tags, dtype):
    return sequence_mask(lengths, maxlen=size_of(tags, 1), dtype=dtype)


def crf_sequence_score(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any
) -> Any:
    """The score of a chain of tags.

    Args:
        inputs: float[batch, time, tags], the scores of tags.
        tag_indices: int[batch, time]. sequence_lengths: int[batch].
        transition_params: float[tags, tags], the score of a tag behind another one.
    Returns:
        float[batch]
    Example:
        tf.contrib.crf.crf_sequence_score(
            [[[1., 2.], [3., 4.]]], [[0, 1]], [2], tf.ones([2, 2]))  # [6.]
    """
    inputs, tags = convert_to_tensor(inputs), convert_to_tensor(tag_indices)
    lengths = convert_to_tensor(sequence_lengths)

    def one():
        return _unless_empty(lengths, squeeze(_picked(inputs, tags), [1]))

    def more():
        unary = crf_unary_score(tags, lengths, inputs)
        return unary + crf_binary_score(tags, lengths, transition_params)

    return _by_length(inputs, one, more)


def crf_multitag_sequence_score(
    inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any
) -> Any:
    """The logarithm of the sum of the exponentials of the scores of several chains.

    Args:
        inputs, sequence_lengths, transition_params: see `crf_sequence_score`.
        tag_bitmap: bool[batch, time, tags], the tags that chains may have.
    Returns:
        float[batch]
    """
    inputs = convert_to_tensor(inputs)
    never = fill(shape(inputs), constant(-np.inf, inputs.dtype))
    allowed = where(convert_to_tensor(tag_bitmap, dtype="bool"), inputs, never)
    return _by_length(
        inputs,
        lambda: reduce_logsumexp(allowed, axis=[1, 2]),
        lambda: crf_log_norm(allowed, sequence_lengths, transition_params),
    )


def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """The logarithm of the sum of the exponentials of the scores of all chains.

    Args:
        inputs, sequence_lengths, transition_params: see `crf_sequence_score`.
    Returns:
        float[batch]; 0 for sequences without steps.
    Example:
        tf.contrib.crf.crf_log_norm(tf.zeros([1, 2, 2]), [2], tf.zeros([2, 2]))
    """
    inputs, lengths = convert_to_tensor(inputs), convert_to_tensor(sequence_lengths)
    params = convert_to_tensor(transition_params)
    first = inputs[:, 0]

    def one():
        return _unless_empty(lengths, reduce_logsumexp(first, [1]))

    def more():
        _, alphas = dynamic_rnn(
            CrfForwardRnnCell(params), inputs[:, 1:], _less_one(lengths), first,
            dtype=inputs.dtype,
        )  # fmt: skip
        return _unless_empty(lengths, reduce_logsumexp(alphas, [1]))

    return _by_length(inputs, one, more)


def _less_one(lengths):
    return maximum(constant(0, lengths.dtype), lengths - 1)


def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> Any:
    """The logarithm of the probability of a chain of tags.

    Args:
        inputs, tag_indices, sequence_lengths: see `crf_sequence_score`.
        transition_params: float[tags, tags]; a variable `transitions` if not given.
    Returns:
        (float[batch], the transition parameters)
    Example:
        logits, tags = tf.zeros([1, 3, 2]), tf.constant([[0, 1, 1]])
        likelihood, _ = tf.contrib.crf.crf_log_likelihood(
            logits, tags, [3], tf.zeros([2, 2]))
        tf.exp(likelihood)  # [0.125]
    """
    inputs = convert_to_tensor(inputs)
    if transition_params is None:
        n = inputs.shape[2].value
        transition_params = get_variable("transitions", [n, n])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return score - norm, transition_params


def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Any:
    """The sum of the scores of the tags of a chain, float[batch].

    Args:
        tag_indices, sequence_lengths, inputs: see `crf_sequence_score`.
    """
    inputs, tags = convert_to_tensor(inputs), convert_to_tensor(tag_indices)
    mask = _mask(sequence_lengths, tags, inputs.dtype)
    return reduce_sum(_picked(inputs, tags) * mask, 1)


def crf_binary_score(
    tag_indices: Any, sequence_lengths: Any, transition_params: Any
) -> Any:
    """The sum of the scores of the transitions of a chain, float[batch].

    Args:
        tag_indices, sequence_lengths, transition_params: see `crf_sequence_score`.
    """
    params, tags = convert_to_tensor(transition_params), convert_to_tensor(tag_indices)
    mask = _mask(sequence_lengths, tags, params.dtype)
    scores = gather_nd(params, stack([tags[:, :-1], tags[:, 1:]], -1))
    return reduce_sum(scores * mask[:, 1:], 1)


def crf_decode(
    potentials: Any, transition_params: Any, sequence_length: Any
) -> tuple[Any, Any]:
    """The best chain of tags.

    Args:
        potentials: float[batch, time, tags], the scores of tags.
        transition_params: float[tags, tags]. sequence_length: int[batch].
    Returns:
        (int32[batch, time], the tags; float[batch], the score of the chain)
    Example:
        tags, score = tf.contrib.crf.crf_decode(
            [[[1., 2.], [3., 0.]]], tf.zeros([2, 2]), [2])
        tags  # [[1, 0]]
    """
    scores = convert_to_tensor(potentials)
    params = convert_to_tensor(transition_params)
    lengths = convert_to_tensor(sequence_length)

    def one():
        row = squeeze(scores, [1])
        tags = expand_dims(cast(argmax(row, axis=1), "int32"), 1)
        return tags, reduce_max(row, axis=1)

    return _by_length(scores, one, lambda: _best(scores, params, lengths))


def _best(scores, params, lengths):
    """The best chain, forward for the scores and back for the tags."""
    less_one = _less_one(lengths)
    before, last = dynamic_rnn(
        CrfDecodeForwardRnnCell(params), scores[:, 1:], less_one, scores[:, 0],
        dtype="int32",
    )  # fmt: skip
    before = reverse_sequence(before, less_one, seq_axis=1, batch_axis=0)
    end = expand_dims(cast(argmax(last, axis=1), "int32"), -1)
    cell = CrfDecodeBackwardRnnCell(params.shape[0].value)
    tags, _ = dynamic_rnn(cell, before, less_one, end, dtype="int32")
    tags = concat([end, squeeze(tags, axis=[2])], 1)
    tags = reverse_sequence(tags, lengths, seq_axis=1, batch_axis=0)
    return tags, reduce_max(last, axis=1)


def viterbi_decode(score: Any, transition_params: Any) -> tuple[Any, Any]:
    """The best chain of tags of one sequence, in NumPy.

    Args:
        score: an array float[time, tags]. transition_params: an array
            float[tags, tags].
    Returns:
        (a list of tags, the score of the chain)
    Example:
        tf.contrib.crf.viterbi_decode(np.eye(2), np.zeros([2, 2]))[0]  # [0, 1]
    """
    best, before = np.asarray(score[0]), []
    for row in score[1:]:
        reached = np.expand_dims(best, 1) + transition_params
        best = row + np.max(reached, 0)
        before.append(np.argmax(reached, 0))
    tags = [int(np.argmax(best))]
    for places in reversed(before):
        tags.append(int(places[tags[-1]]))
    return tags[::-1], np.max(best)

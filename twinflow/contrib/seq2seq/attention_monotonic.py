"""Attention that never goes back.

Reference: Raffel et al., Online and linear-time attention by enforcing monotonic
alignments (2017).
"""

import functools
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.contrib.seq2seq.attention import (
    Attention,
    bahdanau_score,
    linear_layer,
    luong_score,
    size_of,
)
from twinflow.graph.map_fn import scan
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.compare import greater
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import exp, log, sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.scan import cumprod, cumsum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.random.draws import random_normal


def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> Any:
    """tf.cumprod of numbers in [0, 1] by logarithms, so that its gradient is finite.

    Args:
        x: float[...]. args, kwargs: see tf.cumsum.
    Example:
        tf.contrib.seq2seq.safe_cumprod([[0.5, 0.5]], axis=1)  # [[0.5, 0.25]]
    """
    with name_scope(None, "SafeCumprod", [x]):
        x = convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return exp(cumsum(log(clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> Any:
    """The alignments of a decoder that goes through its memory from the left.

    From where it was it goes right, and stops at place i with probability
    `p_choose_i`.

    Args:
        p_choose_i: float[batch, time], see above.
        previous_attention: float[batch, time], where it was.
        mode: "recursive" (exact), "parallel" (fast, inexact where probabilities are
            close to 1), or "hard" (all numbers are 0 or 1).
    Returns:
        float[batch, time], where it stops.
    Raises:
        ValueError: there is no such mode.
    Example:
        tf.contrib.seq2seq.monotonic_attention([[0.5, 1.]], [[1., 0.]], "hard")
    """
    p = convert_to_tensor(p_choose_i, name="p_choose_i")
    before = convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        return _recursive(p, before)
    if mode == "parallel":
        passed = safe_cumprod(1 - p, axis=1, exclusive=True)
        share = before / clip_by_value(passed, 1e-10, 1.0)
        return p * passed * cumsum(share, axis=1)
    if mode == "hard":
        p *= cumsum(before, axis=1)
        return p * cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _recursive(p, before):
    """q[i] = (1 - p[i - 1]) q[i - 1] + before[i]; the result is p q."""
    n = size_of(p, 0)
    passed = concat([ones([n, 1], p.dtype), 1 - p[:, :-1]], 1)
    reached = scan(
        lambda q, row: reshape(row[0] * q + row[1], [n]),
        [transpose(passed), transpose(before)],
        zeros([n], p.dtype),
    )
    return p * transpose(reached)


def monotonic_probability_fn(
    score: Any, previous_alignments: Any, sigmoid_noise: Any, mode: str,
    seed: Any = None,
) -> Any:  # fmt: skip
    """Alignments of scores; see `monotonic_attention`.

    Args:
        score, previous_alignments: float[batch, time].
        sigmoid_noise: how much noise is added to scores. seed: of the noise.
        mode: see `monotonic_attention`; "hard" takes the scores above 0.
    """
    if sigmoid_noise > 0:
        noise = random_normal(shape(score), dtype=score.dtype, seed=seed)
        score += sigmoid_noise * noise
    hard = mode == "hard"
    p = cast(greater(score, 0), score.dtype) if hard else sigmoid(score)
    return monotonic_attention(p, previous_alignments, mode)


class MonotonicAttention(Attention):
    """A mechanism that begins at the first place of its memory."""

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """1 at the first place, dtype[batch, time]."""
        first = zeros([batch_size], dtypes.int32)
        return one_hot(first, self._alignments_size, dtype=dtype)

    def _biased(self, score, dtype, first):
        return score + get_variable("attention_score_bias", (), dtype, first)


def _constant(value):
    return lambda shape, dtype=None, **_: convert_to_tensor(value, dtype=dtype)


class BahdanauMonotonicAttention(MonotonicAttention):
    """BahdanauAttention that never goes back.

    Args:
        num_units, memory, memory_sequence_length, normalize, score_mask_value, dtype,
            name: see BahdanauAttention.
        sigmoid_noise, sigmoid_noise_seed: noise of the scores.
        score_bias_init: what the bias of the scores begins at.
        mode: see `monotonic_attention`.
    """

    def __init__(
        self, num_units: Any, memory: Any, memory_sequence_length: Any = None,
        normalize: bool = False, score_mask_value: Any = None,
        sigmoid_noise: Any = 0.0, sigmoid_noise_seed: Any = None,
        score_bias_init: Any = 0.0, mode: str = "parallel", dtype: Any = None,
        name: str | None = "BahdanauMonotonicAttention",
    ) -> None:  # fmt: skip
        layer = functools.partial(
            linear_layer, num_units=num_units, dtype=dtype or dtypes.float32
        )
        probability = functools.partial(
            monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode,
            seed=sigmoid_noise_seed,
        )  # fmt: skip
        super().__init__(
            layer("query_layer"), memory, probability, memory_sequence_length,
            layer("memory_layer"), score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name
        self._score_bias_init = _constant(score_bias_init)

    def __call__(self, query: Any, state: Any) -> Any:
        """(alignments float[batch, time], the next state)"""
        with variable_scope(None, "bahdanau_monotonic_attention", [query]):
            query = self._processed(query)
            score = bahdanau_score(query, self._keys, self._normalize)
            score = self._biased(score, query.dtype, self._score_bias_init)
            return self._aligned(score, state)


class LuongMonotonicAttention(MonotonicAttention):
    """LuongAttention that never goes back.

    Args:
        num_units, memory, memory_sequence_length, scale, score_mask_value, dtype, name:
            see LuongAttention.
        sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode: see
            BahdanauMonotonicAttention.
    """

    def __init__(
        self, num_units: Any, memory: Any, memory_sequence_length: Any = None,
        scale: bool = False, score_mask_value: Any = None, sigmoid_noise: Any = 0.0,
        sigmoid_noise_seed: Any = None, score_bias_init: Any = 0.0,
        mode: str = "parallel", dtype: Any = None,
        name: str | None = "LuongMonotonicAttention",
    ) -> None:  # fmt: skip
        layer = linear_layer("memory_layer", num_units, dtype or dtypes.float32)
        probability = functools.partial(
            monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode,
            seed=sigmoid_noise_seed,
        )  # fmt: skip
        super().__init__(
            None, memory, probability, memory_sequence_length, layer,
            score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name
        self._score_bias_init = _constant(score_bias_init)

    def __call__(self, query: Any, state: Any) -> Any:
        """(alignments float[batch, time], the next state)"""
        with variable_scope(None, "luong_monotonic_attention", [query]):
            score = luong_score(query, self._keys, self._scale)
            score = self._biased(score, query.dtype, self._score_bias_init)
            return self._aligned(score, state)

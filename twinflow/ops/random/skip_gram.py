"""Skip-grams: each token with its neighbours, in a window of a random width.

Mikolov et al., Efficient estimation of word representations in vector space (2013).
"""

import numpy as np

from twinflow.base.errors import InvalidArgumentError
from twinflow.ops.core.infer import ranked
from twinflow.ops.random import original, philox
from twinflow.ops.random.streams import Original, define_draw


def _infer(input_tensor, min_skips, max_skips, start, limit, emit_self_as_target, **_):
    ranked(input_tensor._shape, 1)
    for t in (min_skips, max_skips, start, limit, emit_self_as_target):
        ranked(t._shape, 0)
    return [(None,)] * 2


def _pairs(tokens, low, high, start, limit, with_self, widths_of):
    """(tokens, labels), by the widths that a function of (count, choices) gives."""
    low, high, start, limit = (int(x) for x in (low, high, start, limit))
    if low < 0 or high < 0:
        raise InvalidArgumentError(
            None, None, "Both min_skips and max_skips must be >= 0."
        )
    if low > high:
        raise InvalidArgumentError(None, None, "min_skips must be <= max_skips.")
    start, n = max(start, 0), len(tokens)
    end = n if limit < 0 else min(start + limit, n)
    widths = low + widths_of(max(end - start, 0), high - low + 1)
    found = [
        (i, j)
        for i, w in zip(range(start, end), widths.tolist(), strict=True)
        for j in range(max(start, i - w), min(end, i + w + 1))
        if with_self or i != j
    ]
    places = np.array(found, int).reshape(-1, 2)
    return tokens[places[:, 0]], tokens[places[:, 1]]


def _draw(
    xp, key, position, tokens, low, high, start, limit, emit_self_as_target
):  # fmt: skip
    def widths_of(count, choices):
        drawn = philox.uniform(np, key, position, (count,), np.float64)
        return (drawn * choices).astype(int)

    return _pairs(tokens, low, high, start, limit, emit_self_as_target, widths_of)


def _draw_original(
    xp, key, position, tokens, low, high, start, limit, emit_self_as_target
):
    """The widths of TensorFlow: words, without those that make some more likely."""

    def widths_of(count, choices):
        if choices & (choices - 1) == 0:
            return original.words(np, key, position, count).astype(int) & (choices - 1)
        rest, size = (2**32 - 1) % choices + 1, 2 * count + 8
        while True:
            words = original.words(np, key, position, size).astype(int)
            words = words[words >= rest]
            if len(words) >= count:
                return words[:count] % choices
            size *= 2

    return _pairs(tokens, low, high, start, limit, emit_self_as_target, widths_of)


def _blocks(tokens, *_, **__):
    return 64 * len(tokens)


SkipGramGenerateCandidates = define_draw(
    "SkipGramGenerateCandidates(input_tensor: T, min_skips: int32, max_skips: int32, "
    "start: int32, limit: int32, "
    "emit_self_as_target: bool) -> (tokens: T, labels: T); "
    "seed=0, seed2=0, stream=None",
    infer=_infer, draw=_draw, original=Original(_draw_original, _blocks), host=True,
)  # fmt: skip

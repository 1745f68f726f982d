"""One step of a beam search, and the shapes of batches of beams."""

from typing import Any, NamedTuple

from twinflow.base import nest
from twinflow.base.convert import is_tensor_like
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.contrib.seq2seq.attention_wrapper import AttentionWrapperState
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.compare import equal, logical_not, logical_or, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import fill, ones_like, range
from twinflow.ops.core.division import floordiv, mod
from twinflow.ops.core.elementwise import log, minimum
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, tile
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.nn.softmax import log_softmax
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import static_dims


class BeamSearchDecoderState(NamedTuple):
    """The state of BeamSearchDecoder; [batch, beams, ...] each.

    Args:
        cell_state: that of the cell. log_probs: float, logarithms of probabilities.
        finished: bool. lengths: int64.
        accumulated_attention_probs: sums of alignments, or ().
    """

    cell_state: Any
    log_probs: Any
    finished: Any
    lengths: Any
    accumulated_attention_probs: Any


class BeamSearchDecoderOutput(NamedTuple):
    """What a step of BeamSearchDecoder puts out; [batch, beams] each."""

    scores: Any
    predicted_ids: Any
    parent_ids: Any


def known_size(n):
    """A batch size as an int, or None."""
    return static_dims([n])[0]


def set_known(t, dims):
    """The tensor of a graph with what is known of its shape."""
    if isinstance(t, Tensor) and t.symbolic:
        t.set_shape(TensorShape(dims))
    return t


def beam_search_step(
    time: Any, logits: Any, next_cell_state: Any, beam_state: Any, batch_size: Any,
    beam_width: Any, end_token: Any, length_penalty_weight: Any,
    coverage_penalty_weight: Any,
) -> Any:  # fmt: skip
    """(BeamSearchDecoderOutput, BeamSearchDecoderState) of the best continuations.

    Args:
        time: int32[]. logits: float[batch, beams, classes]. next_cell_state: the
            states behind them. beam_state: a BeamSearchDecoderState.
    """
    step = _Step(logits, beam_state, batch_size, beam_width, end_token)
    seen = step.seen(next_cell_state, coverage_penalty_weight)
    scores = scores_of(
        step.total, step.lengths, length_penalty_weight, coverage_penalty_weight,
        step.old.finished, seen,
    )  # fmt: skip
    flat = reshape(scores, [batch_size, -1])
    best, places = top_k(flat, k=convert_to_tensor(beam_width, name="beam_width"))
    for t in (best, places):
        set_known(t, [known_size(batch_size), beam_width])
    return step.chosen(best, places, next_cell_state, seen)


class _Step:
    """The continuations of all beams."""

    def __init__(self, logits, old, batch_size, beam_width, end_token):
        self.old, self.batch_size, self.width = old, batch_size, beam_width
        self.end_token, self.classes = end_token, size_of(logits, -1)
        going = logical_not(old.finished)
        self.going = going
        step = mask_probs(log_softmax(logits), end_token, old.finished)
        self.total = expand_dims(old.log_probs, 2) + step
        longer = one_hot(
            fill([batch_size, beam_width], end_token), self.classes,
            on_value=constant(0, "int64"), off_value=constant(1, "int64"),
            dtype="int64",
        )  # fmt: skip
        longer *= expand_dims(cast(going, "int64"), 2)
        self.lengths = longer + expand_dims(old.lengths, 2)

    def seen(self, cell_state, weight):
        """The sums of the alignments, or None where they do not count."""
        found = attention_probs(cell_state, weight)
        if found is None:
            return None
        found *= cast(expand_dims(self.going, 2), found.dtype)
        return self.old.accumulated_attention_probs + found

    def _of(self, places, values, size, lead, name=None):
        return gathered(places, values, self.batch_size, size, lead, name)

    def chosen(self, best, places, cell_state, seen):
        """The output and the state of the best ones."""
        old, width = self.old, self.width
        logs = self._of(
            places, self.total, width * self.classes, [-1], "next_beam_probs"
        )
        words = cast(mod(places, self.classes, name="next_beam_word_ids"), "int32")
        parents = floordiv(places, self.classes)
        parents = cast(parents, "int32", name="next_beam_parent_ids")
        finished = self._of(parents, old.finished, width, [-1])
        lengths = self._of(parents, old.lengths, width, [-1])
        lengths += cast(logical_not(finished), "int64")
        over = equal(words, self.end_token)
        finished = logical_or(finished, over, name="next_beam_finished")
        if seen is not None:
            seen = self._of(parents, seen, width, [-1, -1], "next_accumulated")
        new = nest.map_structure(
            lambda t: maybe_gathered(
                parents, t, self.batch_size, width, [self.batch_size * width, -1]
            ),
            cell_state,
        )
        state = BeamSearchDecoderState(
            new, logs, finished, lengths, () if seen is None else seen
        )
        return BeamSearchDecoderOutput(best, words, parents), state


def mask_probs(probs: Any, eos_token: Any, finished: Any) -> Any:
    """Logarithms that let sequences that are over put out their end alone.

    Args:
        probs: float[batch, beams, classes]. eos_token: the class of the end.
        finished: bool[batch, beams].
    """
    finished = convert_to_tensor(finished)
    n = size_of(probs, 2)
    row = one_hot(
        eos_token, n, dtype=probs.dtype,
        on_value=convert_to_tensor(0.0, dtype=probs.dtype),
        off_value=constant(probs.dtype.min, probs.dtype),
    )  # fmt: skip
    repeats = concat([shape(finished), [1]], 0)
    rows = tile(reshape(row, [1, 1, -1]), repeats)
    return where(tile(expand_dims(finished, 2), [1, 1, n]), rows, probs)


def attention_probs(next_cell_state: Any, coverage_penalty_weight: Any) -> Any:
    """The alignments float[batch, beams, memory], the mean of all mechanisms.

    Returns:
        None if the weight is 0.0.
    Raises:
        ValueError: there is no AttentionWrapperState.
    """
    if not is_tensor_like(coverage_penalty_weight) and coverage_penalty_weight == 0.0:
        return None
    found = []
    if isinstance(next_cell_state, AttentionWrapperState):
        found = [_alignments(next_cell_state)]
    elif isinstance(next_cell_state, tuple):
        states = [s for s in next_cell_state if isinstance(s, AttentionWrapperState)]
        found = [_alignments(s) for s in states]
    if not found:
        raise ValueError(
            "If coverage_penalty_weight is not 0.0,some cell must be an instance of "
            "AttentionWrapper."
        )
    return _mean(found)


def _alignments(state):
    found = state.alignments
    return _mean(list(found)) if isinstance(found, tuple) else found


def _mean(found):
    if len(found) == 1:
        return found[0]
    return reduce_mean(concat([expand_dims(p, -1) for p in found], -1), -1)


def scores_of(
    log_probs: Any, sequence_lengths: Any, length_penalty_weight: Any,
    coverage_penalty_weight: Any, finished: Any, accumulated_attention_probs: Any,
) -> Any:  # fmt: skip
    """The scores of continuations, float[batch, beams, classes].

    Raises:
        ValueError: a weight is not a scalar, or there are no alignments.
    Reference: Wu et al., Google's neural machine translation system (2016), section 7.
    """
    penalty = length_penalty(sequence_lengths, length_penalty_weight)
    scores = log_probs / cast(penalty, log_probs.dtype)
    weight = convert_to_tensor(coverage_penalty_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError(
            f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}"
        )
    if not is_tensor_like(coverage_penalty_weight) and coverage_penalty_weight == 0:
        return scores
    if accumulated_attention_probs is None:
        raise ValueError(
            "accumulated_attention_probs can be None only if coverage penalty is "
            "disabled."
        )
    # places behind the end of a memory are never looked at, and do not count
    p = accumulated_attention_probs
    p = where(equal(p, 0.0), ones_like(p), p)
    coverage = reduce_sum(log(minimum(p, 1.0)), 2)
    coverage *= cast(finished, coverage.dtype)
    return scores + expand_dims(coverage * weight, 2)


def length_penalty(sequence_lengths: Any, penalty_factor: Any) -> Any:
    """((5 + length) / 6) ** factor; 1.0 if the factor is 0.

    Raises:
        ValueError: the factor is not a scalar.
    """
    factor = convert_to_tensor(penalty_factor, name="penalty_factor")
    if factor.shape.ndims != 0:
        raise ValueError(
            f"penalty_factor should be a scalar, but saw shape: {factor.shape}"
        )
    if not is_tensor_like(penalty_factor) and penalty_factor == 0:
        return 1.0
    return (5.0 + cast(sequence_lengths, "float32")) ** factor / (5.0 + 1.0) ** factor


def gathered(
    gather_indices: Any, gather_from: Any, batch_size: Any, range_size: Any,
    gather_shape: Any, name: str | None = None,
) -> Any:  # fmt: skip
    """The rows of each example at its places.

    Args:
        gather_indices: int32[batch, beams], places within an example.
        gather_from: a tensor [batch, range_size, ...], in any shape that can be cut so.
        range_size: see above. gather_shape: [-1] if elements are gathered, [n, -1] for
            rows. name: the name scope.
    Returns:
        [batch, beams, ...]
    """
    with name_scope(name, "tensor_gather_helper"):
        starts = expand_dims(range(batch_size) * range_size, 1)
        indices = reshape(gather_indices + starts, [-1])
        depth = len(gather_shape)
        inner = [] if depth == 1 else [shape(gather_from)[2:]]
        flat = reshape(gather_from, concat([[-1], *inner], 0) if inner else [-1])
        found = gather(flat, indices)
        sizes = concat([shape(gather_indices), *inner], 0)
        found = reshape(found, sizes, name="output")
        rest = gather_from.shape[2:] if inner else TensorShape([])
        beams = gather_indices.shape[1].value
        return set_known(
            found, TensorShape([known_size(batch_size), beams]).concatenate(rest)
        )


def maybe_gathered(
    gather_indices: Any, gather_from: Any, batch_size: Any, range_size: Any,
    gather_shape: Any,
) -> Any:  # fmt: skip
    """As `gathered`; arrays and what has too few axes stay.

    Raises:
        ValueError: the number of axes is not known.
    """
    if isinstance(gather_from, TensorArray):
        return gather_from
    check_ndims(gather_from)
    if gather_from.shape.ndims < len(gather_shape):
        return gather_from
    return gathered(gather_indices, gather_from, batch_size, range_size, gather_shape)


def check_ndims(t):
    """Refuse what has an unknown number of axes."""
    if t.shape.ndims is None:
        raise ValueError(
            f"Expected tensor ({t}) to have known rank, but ndims == None."
        )

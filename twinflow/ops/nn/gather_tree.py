"""The sequences of a beam search, from the last step back."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import merge, ranked, text


def _infer(step_ids, parent_ids, max_sequence_lengths, end_token):
    message = "step_ids must be a 3-tensor, saw shape: {}"
    steps = ranked(step_ids._shape, 3, message)
    parents = parent_ids._shape
    clash = InferError("step_ids.shape must match parent_ids.shape")
    if parents is not None and len(parents) == 3 and steps is not None:
        try:
            steps = merge(steps, parents)
        except InferError:
            raise clash from None
    elif parents is not None and len(parents) != 3:
        raise clash
    ranked(
        max_sequence_lengths._shape, 1, "max_sequence_lengths must be a vector, saw "
        "shape: {}"
    )  # fmt: skip
    ranked(end_token._shape, 0, "end_token must be a scalar, saw shape: {}")
    batch, lengths = steps[1], max_sequence_lengths._shape
    if lengths is not None and None not in (batch, *lengths) and batch != lengths[0]:
        raise InferError(
            "batch size dimensions step_ids.shape[1] and max_sequence_lengths.shape[0] "
            f"must match.  but shapes are: {text(steps)} and {text(lengths)}"
        )
    return steps


def _check(parents, going, t):
    """Refuse the beams that are not there."""
    wrong = going[:, None] & ((parents < 0) | (parents >= parents.shape[1]))
    if wrong.any():
        batch, k = np.argwhere(wrong)[0]
        raise InvalidArgumentError(
            None, None,
            f"Saw invalid parent id {parents[batch, k]} at (batch, time, beam) == "
            f"({batch}, {t}, {k})",
        )  # fmt: skip


def _gathered(step_ids, parent_ids, max_sequence_lengths, end_token):
    """Follow the parents; behind the first end there are only ends."""
    n, count, width = step_ids.shape
    beams = np.full(step_ids.shape, end_token, step_ids.dtype)
    lengths, own = np.minimum(max_sequence_lengths, n), np.arange(width)
    first = np.arange(count)[:, None] * width  # beams of each, numbered through
    parents = np.broadcast_to(own, (count, width))  # the last step is its own
    sound = not parent_ids.size or 0 <= parent_ids.min() <= parent_ids.max() < width
    shortest = lengths.min(initial=n)
    for t in range(n - 1, -1, -1):
        going = lengths > t
        if not sound:
            _check(parents, going, t)
        here, before = (x[t].take(first + parents) for x in (step_ids, parent_ids))
        if t < shortest:  # all of them
            beams[t], parents = here, before
        else:
            beams[t, going] = here[going]
            parents = np.where(going[:, None], before, own)
    over = np.logical_or.accumulate(beams == end_token, axis=0)
    beams[over] = end_token
    return beams


GatherTree = define("GatherTree", infer=_infer, host=_gathered)


def gather_tree(
    step_ids: TensorValue, parent_ids: TensorValue, max_sequence_lengths: TensorValue,
    end_token: TensorValue, name: str | None = None,
) -> Any:  # fmt: skip
    """The sequences of a beam search, from the last step back.

    Args:
        step_ids: int32[time, batch, beams], what each beam took at each step.
        parent_ids: int32[time, batch, beams], the beam that it came from.
        max_sequence_lengths: int32[batch], the longest of the beams.
        end_token: int32[]; it fills up what stands behind the end.
        name: the name of the node in a graph.
    Returns:
        int32[time, batch, beams]
    Raises:
        tf.errors.InvalidArgumentError: a shape does not fit, or there is no such beam.
    Example:
        ids, parents = [[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]]
        tf.contrib.seq2seq.gather_tree(ids, parents, [2], 9)  # [[[2, 1]], [[3, 4]]]
    """
    inputs = (step_ids, parent_ids, max_sequence_lengths, end_token)
    found: Tensor = apply(GatherTree, inputs, name=name)
    return found

"""Connectionist temporal classification: the loss, and the best path.

The last class is the blank. The loss of a sequence of labels is -log of the probability
of all paths that become the labels when repeated classes are merged and blanks left
out, by the forward-backward algorithm in logarithms. It runs on the host.

Reference: Graves, Fernandez, Gomez, Schmidhuber, Connectionist Temporal Classification
(ICML 2006), section 4.1.
"""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import FailedPreconditionError, InvalidArgumentError
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.infer import ranked, same_dim
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.core.transposing import transpose
from twinflow.ops.sparse.rows import fit
from twinflow.ops.sparse.tensor import SparseTensor


def check_inputs(inputs, sequence_length):
    """(steps, batch, classes) of logits; raises InferError where lengths do not fit."""
    s = ranked(inputs._shape, 3, "inputs is not a 3-Tensor")
    (n,) = ranked(sequence_length._shape, 1, "sequence_length is not a vector")
    message = (
        "len(sequence_length) != batch_size.  len(sequence_length):  "
        f"{n} batch_size: {s[1]}"
    )
    return s[0], same_dim(s[1], n, message), s[2]


def _infer_loss(inputs, labels_indices, labels_values, sequence_length, **_):
    shape = check_inputs(inputs, sequence_length)
    fit(labels_indices, labels_values, (None, None))
    return [(shape[1],), shape]


def late(lengths, steps, error):
    """Raise where a sequence is longer than there are steps."""
    late = np.flatnonzero(lengths > steps)
    if late.size:
        raise error(None, None, f"sequence_length({late[0]}) <= {steps}")


# ------------------------------------------------------------------ labels
def _label_rows(indices, values, lengths, classes, collapse, ignore):
    """The labels of each sequence; None where they are ignored."""
    batch = len(lengths)
    _check_indices(indices, batch)
    rows = [values[indices[:, 0] == b].tolist() for b in range(batch)]
    return [
        _one_row(b, row, int(lengths[b]), classes, collapse, ignore)
        for b, row in enumerate(rows)
    ]


def _check_indices(indices, batch):
    """Raise where the rows of a SparseTensor are outside, or not in order."""
    start = "label SparseTensor is not valid: "
    for i, (row, place) in enumerate(indices.tolist()):
        if not 0 <= row < batch:
            raise _invalid(
                f"{start}indices[{i}] = [{row},{place}] is out of bounds: need 0 <= "
                f"index < [{batch},{indices[:, 1].max() + 1}]"
            )
        if i and indices[i - 1].tolist() >= [row, place]:
            raise _invalid(f"{start}indices[{i}] = [{row},{place}] is out of order")


def _one_row(b, row, steps, classes, collapse, ignore):
    if not row:
        raise _invalid(f"Labels length is zero in batch {b}")
    text = ",".join(str(v) for v in row)
    if min(row) < 0:
        raise _invalid(
            f"All labels must be nonnegative integers, batch: {b} labels: {text}"
        )
    blank = next((i for i, v in enumerate(row) if v >= classes - 1), len(row))
    if any(v != classes - 1 for v in row[blank:]):
        raise _invalid(
            "Saw a non-null label (index >= num_classes - 1) following a null label, "
            f"batch: {b} num_classes: {classes} labels: {text}"
        )
    row = row[:blank]
    if collapse:
        row = [v for i, v in enumerate(row) if i == 0 or v != row[i - 1]]
    if len(row) > steps and not ignore:
        raise _invalid(
            f"Not enough time for target transition sequence (required: {len(row)}, "
            f"available: {steps}){b}You can turn this error into a warning by using "
            "the flag ignore_longer_outputs_than_inputs"
        )
    return None if len(row) > steps else row


def _invalid(message):
    return InvalidArgumentError(None, None, message)


# ------------------------------------------------------------------ loss
def _log_softmax(x):
    x = x.astype(np.float64)
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def _sequence(logp, labels, merge):
    """(loss, gradient of the logits) of one sequence with `logp`: [steps, classes]."""
    blank = logp.shape[1] - 1
    states = np.full(2 * len(labels) + 1, blank)
    states[1::2] = labels
    mine = logp[:, states]  # [steps, states]
    stay = (states == blank) | merge
    skip = states[2:] != blank
    if merge:
        skip &= states[2:] != states[:-2]
    stay, skip = np.where(stay, 0.0, -np.inf), np.where(skip, 0.0, -np.inf)
    forward = _forward(mine, stay, skip)
    backward = _backward(mine, stay, skip)
    both = forward + backward
    whole = np.logaddexp.reduce(both[0])
    slope = np.exp(logp)
    if np.isfinite(whole):
        shares = np.exp(both - whole)
        np.subtract.at(slope, (slice(None), states), shares)
    return -whole, slope


def _forward(mine, stay, skip):
    """log P(the first t steps, in state u after step t)."""
    out = np.full(mine.shape, -np.inf)
    out[0, :2] = mine[0, :2]
    for t in range(1, len(mine)):
        last, now = out[t - 1], out[t]
        now[:] = last + stay
        np.logaddexp(now[1:], last[:-1], out=now[1:])
        np.logaddexp(now[2:], last[:-2] + skip, out=now[2:])
        now += mine[t]
    return out


def _backward(mine, stay, skip):
    """log P(the steps after t, given state u after step t)."""
    out = np.full(mine.shape, -np.inf)
    out[-1, -2:] = 0.0
    for t in range(len(mine) - 2, -1, -1):
        next_ = out[t + 1] + mine[t + 1]
        now = out[t]
        now[:] = next_ + stay
        np.logaddexp(now[:-1], next_[1:], out=now[:-1])
        np.logaddexp(now[:-2], next_[2:] + skip, out=now[:-2])
    return out


def _loss(
    inputs, labels_indices, labels_values, sequence_length,
    preprocess_collapse_repeated, ctc_merge_repeated, ignore_longer_outputs_than_inputs,
):  # fmt: skip
    steps, batch, classes = inputs.shape
    late(sequence_length, steps, InvalidArgumentError)
    rows = _label_rows(
        labels_indices, labels_values, sequence_length, classes,
        preprocess_collapse_repeated, ignore_longer_outputs_than_inputs,
    )  # fmt: skip
    loss, slope = np.zeros(batch, inputs.dtype), np.zeros(inputs.shape, inputs.dtype)
    for b, (row, n) in enumerate(zip(rows, sequence_length)):
        if row is not None and n:
            logp = _log_softmax(inputs[:n, b])
            loss[b], slope[:n, b] = _sequence(logp, row, ctc_merge_repeated)
    return loss, slope


def _loss_grad(d_loss, d_gradient, gradient):
    if d_gradient is not None:
        raise LookupError(
            "Gradient explicitly disabled. Reason: Currently there is no way to take "
            "the second derivative of ctc_loss: its gradient is computed with it."
        )
    return multiply(expand_dims(expand_dims(d_loss, 0), 2), gradient)


CTCLoss = define(
    "CTCLoss",
    infer=_infer_loss,
    kernel=quiet(lambda xp: _loss),
    grad=[_loss_grad, None, None, None],
    host=True,
    none_ok=True,
)


def ctc_loss(
    labels: Any, inputs: TensorValue, sequence_length: TensorValue,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
) -> Tensor:  # fmt: skip
    """-log P(labels), summed over all paths through the steps that give the labels.

    Args:
        labels: an int32 SparseTensor [batch, steps], classes but the last one.
        inputs: float32[steps, batch, classes], logits; the last class is the blank.
        sequence_length: int32[batch], how many steps count.
        preprocess_collapse_repeated: merge repeated labels first.
        ctc_merge_repeated: whether a class that goes on counts once; else each step
            counts for itself.
        ignore_longer_outputs_than_inputs: a loss of 0 where there are more labels than
            steps, not an error.
        time_major: False for inputs[batch, steps, classes].
    Returns:
        float32[batch]
    Raises:
        TypeError: `labels` is not a SparseTensor.
        tf.errors.InvalidArgumentError: labels or lengths do not fit.
        LookupError: a second derivative is asked for.
    Example:
        labels = tf.SparseTensor([[0, 0]], tf.constant([1], tf.int32), [1, 1])
        tf.nn.ctc_loss(labels, tf.zeros([1, 1, 3]), [1])  # [1.0986]
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    inputs = convert_to_tensor(inputs, name="inputs")
    if not time_major:
        inputs = transpose(inputs, [1, 0, 2])
    attrs = {
        "preprocess_collapse_repeated": bool(preprocess_collapse_repeated),
        "ctc_merge_repeated": bool(ctc_merge_repeated),
        "ignore_longer_outputs_than_inputs": bool(ignore_longer_outputs_than_inputs),
    }
    given = (inputs, labels.indices, labels.values, sequence_length)
    return apply(CTCLoss, given, attrs)[0]


# ------------------------------------------------------------------ best path
def _infer_greedy(inputs, sequence_length, **_):
    _, batch, classes = check_inputs(inputs, sequence_length)
    need_blank(classes)
    return [(None, 2), (None,), (2,), (batch, 1)]


def need_blank(classes):
    """InferError where there is not even the class that stands for no label."""
    if classes == 0:
        raise InferError("inputs must have a class, the blank.", later=True)


def _greedy(inputs, sequence_length, merge_repeated):
    steps, batch, classes = inputs.shape
    late(sequence_length, steps, FailedPreconditionError)
    best = inputs.argmax(2)
    counts = np.arange(steps)[:, None] < sequence_length
    total = np.where(counts, inputs.max(2), 0).sum(0, dtype=inputs.dtype)
    keep = counts & (best != classes - 1)
    if merge_repeated:
        keep[1:] &= best[1:] != best[:-1]
    places = np.cumsum(keep, 0) - 1
    rows, at = np.nonzero(keep.T)
    indices = np.stack([rows, places.T[rows, at]], 1).astype(np.int64)
    shape = np.array([batch, keep.sum(0).max(initial=0)], np.int64)
    return indices, best.T[rows, at].astype(np.int64), shape, -total[:, None]


CTCGreedyDecoder = define(
    "CTCGreedyDecoder", infer=_infer_greedy, kernel=quiet(lambda xp: _greedy), host=True
)


def ctc_greedy_decoder(
    inputs: TensorValue, sequence_length: TensorValue, merge_repeated: bool = True
) -> tuple[Any, ...]:
    """The labels of the likeliest class of each step, blanks left out.

    Args:
        inputs: float32[steps, batch, classes], logits; the last class is the blank.
        sequence_length: int32[batch], how many steps count.
        merge_repeated: whether a class that goes on counts once.
    Returns:
        ([decoded], neg_sum_logits): a SparseTensor int64[batch, labels], and
        float32[batch, 1], the negative sum of the largest logits
    Raises:
        tf.errors.FailedPreconditionError: a length is greater than there are steps.
    Example:
        tf.nn.ctc_greedy_decoder([[[0., 1., 0.]]], [1])[0][0].values  # [1]
    """
    inputs = convert_to_tensor(inputs, name="inputs")
    attrs = {"merge_repeated": bool(merge_repeated)}
    *decoded, total = apply(CTCGreedyDecoder, (inputs, sequence_length), attrs)
    return [SparseTensor(*decoded)], total

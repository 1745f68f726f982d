"""Connectionist temporal classification: the best label sequences, by beam search.

Beginnings of label sequences form a tree. At each step the search keeps the likeliest,
`beam_width` of them, each with the probability that its last step was the blank, and
that it was its last label; a path that ends in the blank may repeat the label.

Reference: Graves, Fernandez, Gomez, Schmidhuber, Connectionist Temporal Classification
(ICML 2006), section 3.2; Graves and Jaitly, Towards end-to-end speech recognition with
recurrent neural networks (ICML 2014), section 4, for the beams.
"""

import heapq
from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import FailedPreconditionError, InvalidArgumentError
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import attr_at_least
from twinflow.ops.nn.ctc import check_inputs, late, need_blank
from twinflow.ops.sparse.tensor import SparseTensor

_NEVER = -np.inf


class _Beginning:
    """The start of a label sequence: a node of the tree.

    `total`, `blank`, `label`: the logarithms of its probability after this step, and of
    the parts whose last step was the blank and the label; `before`: the three after the
    step before. It is among the beams while `total` is above -inf.
    """

    __slots__ = ("before", "blank", "children", "label", "last", "parent", "total")

    def __init__(self, parent, last):
        self.parent, self.last, self.children = parent, last, None
        self.forget()
        self.before = (_NEVER,) * 3

    def forget(self):
        self.total = self.blank = self.label = _NEVER

    def grown(self, classes):
        """Those with one more label."""
        if self.children is None:
            self.children = [_Beginning(self, c) for c in range(classes)]
        return self.children

    def labels(self, merge_repeated):
        """The labels; adjacent equal ones once, if they are to be merged."""
        found, node = [], self
        while node.parent is not None:
            if not (merge_repeated and found and found[-1] == node.last):
                found.append(node.last)
            node = node.parent
        return found[::-1]


def _step(beams, logp, width):
    """The beams after one more step, whose classes have logarithms `logp`."""
    blank = len(logp) - 1
    beams = sorted(beams, key=lambda b: -b.total)
    for b in beams:
        b.before = (b.total, b.blank, b.label)
    for b in beams:
        total = b.before[0]
        if b.parent is not None:
            if b.parent.total > _NEVER:  # it may have just got its last label
                p = b.parent.before
                b.label = np.logaddexp(b.label, p[1 if b.last == b.parent.last else 0])
            b.label = b.label + logp[b.last]
        b.blank = total + logp[blank]
        b.total = np.logaddexp(b.blank, b.label)
    kept = [(b.total, -i, b) for i, b in enumerate(beams)]
    heapq.heapify(kept)
    order = len(kept)
    for b in beams:
        total = b.before[0]
        if not _is_candidate(total, kept, width):
            continue
        # a class that goes on is not repeated: that path went through the blank
        reached = total + logp[:blank]
        if b.last is not None:
            reached[b.last] = b.before[1] + logp[b.last]
        children = b.grown(blank)
        for c in range(blank):
            child = children[c]
            if child.total > _NEVER:
                continue
            if not _is_candidate(reached[c], kept, width):
                child.before = (_NEVER,) * 3
                continue
            child.blank, child.label = _NEVER, reached[c]
            child.total = reached[c]
            if len(kept) == width:
                heapq.heappop(kept)[2].forget()
            heapq.heappush(kept, (child.total, -order, child))
            order += 1
    return [b for _, _, b in kept]


def _is_candidate(total, kept, width):
    return total > _NEVER and (len(kept) < width or total > kept[0][0])


def _search(logits, width, paths, merge_repeated):
    """[(labels, logarithm of the probability)] of one sequence, the best first."""
    root = _Beginning(None, None)
    root.total, root.blank = 0.0, 0.0
    beams = [root]
    for row in logits.astype(np.float64):
        row = row - row.max()
        beams = _step(beams, row - np.log(np.exp(row).sum()), width)
    best = heapq.nlargest(paths, beams, key=lambda b: b.total)
    return [(b.labels(merge_repeated), b.total) for b in best]


def _decode(inputs, sequence_length, beam_width, top_paths, merge_repeated):
    steps, batch, _ = inputs.shape
    if top_paths > beam_width:
        raise InvalidArgumentError(
            None, None, "requested more paths than the beam width."
        )
    late(sequence_length, steps, FailedPreconditionError)
    found = [
        _search(inputs[: sequence_length[b], b], beam_width, top_paths, merge_repeated)
        for b in range(batch)
    ]
    if any(len(f) < top_paths for f in found):
        raise InvalidArgumentError(
            None, None, "Less leaves in the beam search than requested."
        )
    sparse = [_sparse([f[p][0] for f in found]) for p in range(top_paths)]
    scores = np.array([[score for _, score in f] for f in found], inputs.dtype)
    parts = [part for kind in zip(*sparse) for part in kind]
    return [*parts, scores.reshape(batch, top_paths)]


def _sparse(rows):
    """(indices, values, dense_shape) of rows of labels."""
    indices = [(b, i) for b, row in enumerate(rows) for i in range(len(row))]
    return (
        np.array(indices, np.int64).reshape(-1, 2),
        np.array([v for row in rows for v in row], np.int64),
        np.array([len(rows), max(map(len, rows), default=0)], np.int64),
    )


def _infer(inputs, sequence_length, beam_width, top_paths, merge_repeated):
    _, batch, classes = check_inputs(inputs, sequence_length)
    need_blank(classes)
    for name, value in (("beam_width", beam_width), ("top_paths", top_paths)):
        attr_at_least(1, "CTCBeamSearchDecoder", name, value)
    parts = [(None, 2)], [(None,)], [(2,)]
    return [*(s for part in parts for s in part * top_paths), (batch, top_paths)]


CTCBeamSearchDecoder = define(
    "CTCBeamSearchDecoder",
    attrs={"top_paths": 1},
    infer=_infer,
    kernel=quiet(lambda xp: _decode),
    host=True,
)


def ctc_beam_search_decoder(
    inputs: TensorValue, sequence_length: TensorValue, beam_width: int = 100,
    top_paths: int = 1, merge_repeated: bool = True,
) -> tuple[Any, ...]:  # fmt: skip
    """The likeliest label sequences of a search that keeps some beginnings.

    Args:
        inputs: float32[steps, batch, classes], logits; the last class is the blank.
        sequence_length: int32[batch], how many steps count.
        beam_width: how many beginnings are kept at each step.
        top_paths: how many sequences are given, at most beam_width.
        merge_repeated: whether equal neighbours in a result are given once, also where
            a blank was between them.
    Returns:
        (decoded, log_probability): a list of top_paths SparseTensors
        int64[batch, labels], and float32[batch, top_paths]
    Raises:
        tf.errors.InvalidArgumentError: there are fewer sequences than top_paths.
        tf.errors.FailedPreconditionError: a length is greater than there are steps.
    Example:
        tf.nn.ctc_beam_search_decoder([[[0., 1., 0.]]], [1])[0][0].values  # [1]
    """
    inputs = convert_to_tensor(inputs, name="inputs")
    attrs = {
        "beam_width": int(beam_width), "top_paths": int(top_paths),
        "merge_repeated": bool(merge_repeated),
    }  # fmt: skip
    *parts, scores = apply(CTCBeamSearchDecoder, (inputs, sequence_length), attrs)
    return [SparseTensor(*parts[i::top_paths]) for i in range(top_paths)], scores

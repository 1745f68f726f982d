"""Rows of ops/nn/ctc.py: the references go through all paths."""

import itertools

import numpy as np

from tests.support.op_cases.table import case, error
from twinflow.base.errors import FailedPreconditionError

_X = np.random.RandomState(0).randn(4, 2, 3).astype(np.float32)
_INDICES = np.array([[0, 0], [0, 1], [1, 0]])
_VALUES = np.array([1, 1, 0], np.int32)
_LENGTHS = np.array([4, 3], np.int32)


def _labels_of(path, blank, merge):
    if merge:
        path = [k for k, _ in itertools.groupby(path)]
    return [c for c in path if c != blank]


def _one(x, labels, merge):
    """(loss, gradient) of one sequence: the paths that give the labels."""
    p = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    total, shares = 0.0, np.zeros_like(p)
    for path in itertools.product(range(x.shape[1]), repeat=len(x)):
        if _labels_of(path, x.shape[1] - 1, merge) == labels:
            steps = np.arange(len(x)), path
            total += p[steps].prod()
            shares[steps] += p[steps].prod()
    return -np.log(total), p - shares / total


def _loss(x, indices, values, lengths, preprocess_collapse_repeated=False,
          ctc_merge_repeated=True, **_):  # fmt: skip
    loss, slope = np.zeros(len(lengths)), np.zeros(x.shape)
    for b, n in enumerate(lengths):
        labels = values[indices[:, 0] == b].tolist()
        if preprocess_collapse_repeated:
            labels = [k for k, _ in itertools.groupby(labels)]
        if len(labels) <= n:
            found = _one(x[:n, b].astype(float), labels, ctc_merge_repeated)
            loss[b], slope[:n, b] = found
    return [loss.astype(np.float32), slope.astype(np.float32)]


_TWICE = "label SparseTensor is not valid: indices[1] = [0,0] is out of order"
_OUT = "indices[2] = [2,0] is out of bounds: need 0 <= index < [2,2]"
_FEW = "Not enough time for target transition sequence (required: 2, available: 1)"
_SHORT = np.array([1, 3], np.int32)


def _with(inputs=_X, indices=_INDICES, values=_VALUES, lengths=_LENGTHS):
    return inputs, indices, np.asarray(values, np.int32), lengths


_WRONG = [
    error(*_with(_X[0]), text="inputs is not a 3-Tensor [Op:CTCLoss]"),
    error(*_with(lengths=_SHORT[:1]), text="len(sequence_length) != batch_size.  len("),
    error(*_with(lengths=_SHORT + 9), text="sequence_length(0) <= 4"),
    error(*_with(lengths=_SHORT), text=_FEW),
    error(*_with(_X, _INDICES * 0, _VALUES), text=_TWICE),
    error(*_with(_X, _INDICES + [[0, 0], [0, 0], [1, 0]], _VALUES), text=_OUT),
    error(*_with(_X, _INDICES[:2], _VALUES[:2]), text="Labels length is zero in"),
    error(*_with(values=[1, -1, 0]), text="integers, batch: 0 labels: 1,-1"),
    error(*_with(values=[2, 1, 0]), text="label, batch: 0 num_classes: 3 labels: 2"),
]
_EXACT = {"tol": {"float32": 4e-6}, "reason": "sums of many rounded products"}
case("CTCLoss", *_with(), reference=_loss, errors=_WRONG, **_EXACT)
for _attrs in (
    {"ctc_merge_repeated": False},
    {"preprocess_collapse_repeated": True},
    {"preprocess_collapse_repeated": True, "ctc_merge_repeated": False},
):
    case("CTCLoss", *_with(), reference=_loss, attrs=_attrs, **_EXACT)
case("CTCLoss", *_with(lengths=_SHORT), reference=_loss, **_EXACT,
     attrs={"ignore_longer_outputs_than_inputs": True})  # fmt: skip


def _all_labelings(x, lengths, top_paths=1, merge_repeated=True, **_):
    """The parts of the decoded labels of each path, and their logarithms."""
    best = []
    for b, n in enumerate(lengths):
        p = np.exp(x[:n, b].astype(float))
        p, found = p / p.sum(1, keepdims=True), {}
        for path in itertools.product(range(x.shape[2]), repeat=n):
            labels = tuple(_labels_of(path, x.shape[2] - 1, True))
            found[labels] = found.get(labels, 0.0) + p[range(n), path].prod()
        rows = sorted(found.items(), key=lambda pair: -pair[1])[:top_paths]
        if merge_repeated:
            rows = [([k for k, _ in itertools.groupby(r)], q) for r, q in rows]
        best.append(rows)
    parts: list = [[], [], []]
    for i in range(top_paths):
        rows = [row[i][0] for row in best]
        places = [(b, j) for b, row in enumerate(rows) for j in range(len(row))]
        parts[0].append(np.array(places, np.int64).reshape(-1, 2))
        parts[1].append(np.array([v for row in rows for v in row], np.int64))
        parts[2].append(np.array([len(rows), max(map(len, rows))], np.int64))
    scores = np.log([[q for _, q in row] for row in best]).astype(np.float32)
    return [*parts[0], *parts[1], *parts[2], scores]


for _attrs in (
    {"beam_width": 50, "top_paths": 3, "merge_repeated": False},
    {"beam_width": 50, "top_paths": 2},
    {"beam_width": 40},
):
    case("CTCBeamSearchDecoder", _X, _LENGTHS, attrs=_attrs, reference=_all_labelings,
         data_dependent=True, **_EXACT, errors=[
             error(_X, _SHORT + 9, text="sequence_length(0) <= 4",
                   type=FailedPreconditionError),
             error(_X, _LENGTHS, beam_width=1, top_paths=2,
                   text="requested more paths than the beam width."),
             error(_X[:1], _LENGTHS * 0 + 1, beam_width=9, top_paths=8,
                   text="Less leaves in the beam search than requested."),
         ])  # fmt: skip

_BEST = np.zeros((4, 2, 3), np.float32)
_BEST[range(4), 0, [1, 1, 2, 1]] = 2.0
_BEST[range(4), 1, [0, 0, 1, 2]] = 1.0
_SUMS = np.array([[-8], [-3]], np.float32)
_LATE = error(_BEST, _SHORT + 9, text="sequence_length(0) <= 4",
              type=FailedPreconditionError)  # fmt: skip
case("CTCGreedyDecoder", _BEST, _LENGTHS, attrs={"merge_repeated": True},
     data_dependent=True, errors=[_LATE],
     reference=[np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([1, 1, 0, 1]),
                np.array([2, 2]), _SUMS])  # fmt: skip
case("CTCGreedyDecoder", _BEST, _LENGTHS, data_dependent=True,
     reference=[np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]),
                np.array([1, 1, 1, 0, 0, 1]), np.array([2, 3]), _SUMS])  # fmt: skip

"""Rows of ops/nn/samplers.py and ops/nn/sampled.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.ops.nn.sampled import nce_loss, sampled_softmax_loss
from twinflow.ops.nn.samplers import all_candidate_sampler
from twinflow.ops.nn.unigrams import Counts
from twinflow.ops.random.streams import Stream

_TRUE = np.array([[0, 1], [3, 2]])


class _Fixed(Stream):
    """A stream that always draws the same."""

    def take(self):
        return self.read()


_MANY = error(_TRUE, unique=True, text="Sampler's range is too small.")
_WRONG = [
    error(_TRUE[0], text="true_classes must be a matrix"),
    error(_TRUE[:, :1], text="must have num_true columns, expected: 1 was: 2"),
    error(_TRUE, num_sampled=0, text="Value for attr 'num_sampled' of 0 must be"),
]
_ONE = {"num_true": 2, "num_sampled": 3, "unique": False}
_SMALL = np.float32


def _only(kind, p, errors=(), **attrs):
    """A row where just one class can be drawn, three times."""
    p = np.array(p)
    attrs = {**_ONE, "stream": _Fixed((1,)), **attrs}
    place = int(p.argmax())
    wanted = [np.full(3, place), (3 * p[_TRUE]).astype(_SMALL), np.full(3, 3, _SMALL)]
    case(kind, _TRUE, reference=wanted, attrs=attrs, errors=errors)


_P = (3 * np.ones(4)).astype(_SMALL)
case("UniformCandidateSampler", np.zeros((2, 2), int), errors=[*_WRONG, _MANY],
     attrs={**_ONE, "range_max": 1, "stream": _Fixed((1,))},
     reference=[np.zeros(3, int), np.full((2, 2), 3, _SMALL), _P[:3]])  # fmt: skip
case("LogUniformCandidateSampler", np.zeros((2, 2), int), errors=_WRONG,
     attrs={**_ONE, "range_max": 1, "stream": _Fixed((1,))},
     reference=[np.zeros(3, int), np.full((2, 2), 3, _SMALL), _P[:3]])  # fmt: skip
_BOTH = error(_TRUE, vocab_file="a", text="Must only provide one of vocab_file and uni")
_NEITHER = error(_TRUE, unigrams=(), text="Must provide either vocab_file or unigrams.")
_LENGTH = error(_TRUE, unigrams=(1.0,), text="There are 1 counts of classes for ran")
_COUNTED = {"range_max": 4, "unigrams": (0.0, 0.0, 2.0, 0.0)}
_only("FixedUnigramCandidateSampler", [0, 0, 1, 0], [_BOTH, _NEITHER, _LENGTH],
      **_COUNTED)  # fmt: skip
_only("FixedUnigramCandidateSampler", [0, 1, 0, 0], range_max=4, num_shards=2, shard=1,
      num_reserved_ids=3, distortion=0.5,
      unigrams=(3.0, 7.0, 0.0, 0.0, 0.0))  # fmt: skip
for _kind in ("LearnedUnigram", "ThreadUnsafeUnigram"):
    case(f"{_kind}CandidateSampler", np.zeros((2, 2), int),
         attrs={**_ONE, "range_max": 1, "counts": Counts(), "stream": _Fixed((1,))},
         reference=[np.zeros(3, int), np.full((2, 2), 3, _SMALL), _P[:3]])  # fmt: skip
case("AllCandidateSampler", _TRUE, attrs={**_ONE, "stream": _Fixed((1,))},
     reference=[np.arange(3), np.ones((2, 2), _SMALL), np.ones(3, _SMALL)])  # fmt: skip

# ------------------------------------------------------------------ losses
_SAMPLED = np.array([1, 5, 1, 3])
_LOW = np.finfo(_SMALL).min
_NO_HITS = [
    error(_TRUE, _SAMPLED[None], text="sampled_candidates must be a vector, which is"),
    error(_TRUE[:, :1], _SAMPLED, text="must be a batch_size * num_true matrix"),
]
case("ComputeAccidentalHits", np.array([[1, 2], [3, 1]]), _SAMPLED, errors=_NO_HITS,
     attrs={"num_true": 2}, data_dependent=True,
     reference=[np.array([0, 1, 1], np.int32), np.array([2, 3, 2]),
                np.full(3, _LOW)])  # fmt: skip
case("ComputeAccidentalHits", np.array([[1]]), np.array([2]), data_dependent=True,
     reference=[np.zeros(0, np.int32), np.zeros(0, int), np.zeros(0, _SMALL)],
     attrs={"num_true": 1})  # fmt: skip

_DRAWN = np.array([3, 0, 1])
_TRUE_COUNT = np.full((2, 2), 0.25, _SMALL)
_COUNT = np.array([0.5, 0.25, 0.125], _SMALL)


def _logits(weights, biases, inputs, remove):
    true = np.einsum("bd,btd->bt", inputs, weights[_TRUE]) + biases[_TRUE]
    sampled = inputs @ weights[_DRAWN].T + biases[_DRAWN] - np.log(_COUNT)
    if remove:
        sampled = sampled + _LOW * (_TRUE[:, :, None] == _DRAWN).any(1)
    return np.concatenate([true - np.log(_TRUE_COUNT), sampled], 1)


def _marks():
    return np.repeat([[0.5, 0.0]], [2, 3], 1).repeat(2, 0)


def _nce(weights, biases, inputs):
    logits = _logits(weights, biases, inputs, False)
    return (np.logaddexp(0, logits) - logits * _marks()).sum(1)


def _softmax(weights, biases, inputs):
    z = _logits(weights, biases, inputs, True)
    whole = np.log(np.exp(z - z.max(1, keepdims=True)).sum(1)) + z.max(1)
    return whole - (z * _marks()).sum(1)


def _loss(function, **more):
    def call(weights, biases, inputs):
        drawn = (_DRAWN, _TRUE_COUNT, _COUNT)
        return function(weights, biases, _TRUE, inputs, 3, 6, 2, drawn, **more)

    call.__name__ = function.__name__
    return call


_NUMBERS = (floats(6, 3), floats(6), floats(2, 3))
_ROUNDED = {"tol": {"float32": 4e-6}, "reason": "sums of many rounded products"}
case(_loss(nce_loss), *_NUMBERS, reference=_nce, dtypes=("float32",), **_ROUNDED)
case(_loss(sampled_softmax_loss), *_NUMBERS, reference=_softmax, dtypes=("float32",),
     **_ROUNDED)  # fmt: skip
case(all_candidate_sampler, _TRUE, 2, 3, True, grad=(),
     reference=[np.arange(3), np.ones((2, 2), _SMALL), np.ones(3, _SMALL)])  # fmt: skip

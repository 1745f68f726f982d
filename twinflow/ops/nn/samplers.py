"""Candidate samplers: classes drawn to stand for all classes in a loss.

Each gives num_sampled classes and how often every true and every sampled class was to
be expected among them: p * num_sampled, or, where classes are drawn until num_sampled
different ones are there after n tries, 1 - (1 - p) ** n, p the probability of a class.
They run on the host.

Reference: Jean, Cho, Memisevic, Bengio, On Using Very Large Target Vocabulary for
Neural Machine Translation (2015), section 3.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from twinflow.base.dispatch import current_mode
from twinflow.base.dtypes import int64
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.infer import attr_at_least, dim_is, ranked
from twinflow.ops.nn import candidates
from twinflow.ops.nn.unigrams import Counts, fixed_weights
from twinflow.ops.random import original, philox
from twinflow.ops.random.streams import Original, define_draw, draw

_BLOCKS = 512  # of words, for each class that is drawn


def _infer(kind, true_classes, num_true, num_sampled, **attrs):
    for name, value in (("num_true", num_true), ("num_sampled", num_sampled),
                        ("range_max", attrs.get("range_max", 1)),
                        ("num_shards", attrs.get("num_shards", 1))):  # fmt: skip
        attr_at_least(1, kind, name, value)
    attr_at_least(0, kind, "shard", attrs.get("shard", 0))
    n, columns = ranked(true_classes._shape, 2, "true_classes must be a matrix")
    start = "true_classes must have num_true columns, expected: "
    dim_is(columns, num_true, f"{start}{columns} was: {num_true}")
    return [(num_sampled,), (n, num_true), (num_sampled,)]


def _check(true_classes, num_sampled, unique, range_max, **_):
    """TensorFlow's words for too few classes, else None."""
    few = unique and num_sampled > range_max
    return "Sampler's range is too small." if few else None


def _chosen(classes_of, count, unique):
    """(`count` classes, the number of tries).

    Args:
        classes_of: ``int -> classes``, those of about so many tries from the first one.
    """
    size = 2 * count + 8 if unique else count
    while True:
        classes = classes_of(size)
        if not unique and len(classes) >= count:
            return classes[:count], count
        first = np.sort(np.unique(classes, return_index=True)[1])
        if unique and len(first) >= count:
            return classes[first[:count]], int(first[count - 1]) + 1
        size *= 4


def _expected(p, count, tries):
    p = p.astype(np.float32)
    if tries == count:
        return p * np.float32(count)
    with np.errstate(divide="ignore"):
        return -np.expm1(np.float32(tries) * np.log1p(-p))


def _results(kind, classes_of, true_classes, num_sampled, unique):
    classes, tries = _chosen(classes_of, num_sampled, unique)
    classes = classes.astype(np.int64)
    both = [_expected(kind.p(c), num_sampled, tries) for c in (true_classes, classes)]
    return classes, *both


def _draw_by(make, classes_by):
    """The draw of what `make` makes of num_sampled, unique and further attributes.

    Args:
        classes_by: ``(kind, key, position, size) -> classes``.
    """

    def run(xp, key, position, true_classes, num_true, num_sampled, unique, **attrs):
        kind = make(num_sampled, unique, **attrs)
        classes_of = functools.partial(classes_by, kind, key, position)
        found = _results(kind, classes_of, true_classes, num_sampled, unique)
        if "counts" in attrs:
            attrs["counts"].add(true_classes)
        return found

    return run


def _by_numbers(kind, key, position, size):
    return kind.pick(philox.uniform(np, key, position, (size,), np.float64))


def _by_words(kind, key, position, size):
    return kind.pick_by_words(original.words(np, key, position, size * kind.WORDS))


def _blocks(true_classes, num_sampled, **_):
    """How far TensorFlow moves its stream: as if that many tries had been needed."""
    return _BLOCKS * num_sampled


def _define(name, make, **facts):
    plain, original_draw = (_draw_by(make, by) for by in (_by_numbers, _by_words))
    return define_draw(
        name, infer=functools.partial(_infer, name), draw=plain,
        original=Original(original_draw, _blocks), host=True, **facts,
    )  # fmt: skip


# ------------------------------------------------------------------ the distributions
def _uniform(num_sampled, unique, range_max):
    return candidates.Uniform(range_max)


def _log_uniform(num_sampled, unique, range_max):
    return candidates.LogUniform(range_max)


def _fixed(num_sampled, unique, range_max, **source):
    weights = fixed_weights(range_max, **source)
    if unique and num_sampled > np.count_nonzero(weights):
        raise InvalidArgumentError(None, None, "Sampler's range is too small.")
    return candidates.Aliased(weights)


def _learned(num_sampled, unique, range_max, counts):
    return candidates.Weighted(counts.weights(range_max))


def _all(xp, key, position, true_classes, num_true, num_sampled, unique):
    ones = np.ones(true_classes.shape, np.float32), np.ones(num_sampled, np.float32)
    return np.arange(num_sampled, dtype=np.int64), *ones


def _define_learned(name):
    return _define(name, _learned, check=_check, attrs={"counts": None})


Uniform = _define("UniformCandidateSampler", _uniform, check=_check)
LogUniform = _define("LogUniformCandidateSampler", _log_uniform, check=_check)
Fixed = _define("FixedUnigramCandidateSampler", _fixed)
Learned = _define_learned("LearnedUnigramCandidateSampler")
Unsafe = _define_learned("ThreadUnsafeUnigramCandidateSampler")
All = define_draw(
    "AllCandidateSampler",
    infer=functools.partial(_infer, "AllCandidateSampler"),
    draw=_all,
    host=True,
)


# ------------------------------------------------------------------ public
class Candidates(NamedTuple):
    """The classes drawn, and how often they and the true ones were to be expected."""

    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


def _draw(op, true_classes, attrs, seed, name):
    true_classes = convert_to_tensor(true_classes, name="true_classes")
    if true_classes.dtype is not int64:
        true_classes = cast(true_classes, int64)
    return Candidates(*draw(op, (true_classes,), attrs, seed, name))


def _attrs(num_true, num_sampled, unique, range_max):
    return {
        "num_true": int(num_true), "num_sampled": int(num_sampled),
        "unique": bool(unique), "range_max": int(range_max),
    }  # fmt: skip


def uniform_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any,
    seed: int | None = None, name: str | None = None,
) -> Candidates:  # fmt: skip
    """Classes that are all equally likely.

    Args:
        true_classes: int64[batch, num_true], the classes of the examples.
        num_true: an int. num_sampled: how many classes to draw.
        unique: draw until all are different. range_max: the number of classes.
        seed: an int; see tf.set_random_seed. name: the name of the call.
    Returns:
        (sampled_candidates, true_expected_count, sampled_expected_count):
        int64[num_sampled], float32[batch, num_true], float32[num_sampled]
    Raises:
        tf.errors.InvalidArgumentError: there are not enough classes, or `true_classes`
            is not of the form [batch, num_true].
    Example:
        tf.nn.uniform_candidate_sampler([[1], [2]], 1, 3, True, 10)
    """
    attrs = _attrs(num_true, num_sampled, unique, range_max)
    return _draw(Uniform, true_classes, attrs, seed, name)


def log_uniform_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any,
    seed: int | None = None, name: str | None = None,
) -> Candidates:  # fmt: skip
    """Classes with log-uniform (Zipfian) probabilities: the first ones are the likely.

    P(c) = log((c + 2) / (c + 1)) / log(range_max + 1)

    Args:
        true_classes, num_true, num_sampled, unique, range_max, seed, name: see
            `uniform_candidate_sampler`.
    Returns:
        (sampled_candidates, true_expected_count, sampled_expected_count)
    Raises:
        tf.errors.InvalidArgumentError: there are not enough classes, or `true_classes`
            is not of the form [batch, num_true].
    Example:
        tf.nn.log_uniform_candidate_sampler([[1], [2]], 1, 3, True, 10)
    """
    attrs = _attrs(num_true, num_sampled, unique, range_max)
    return _draw(LogUniform, true_classes, attrs, seed, name)


def learned_unigram_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any,
    seed: int | None = None, name: str | None = None,
) -> Candidates:  # fmt: skip
    """Classes as likely as they were in the `true_classes` of the calls before.

    Each class counts once at the beginning.

    Args:
        true_classes, num_true, num_sampled, unique, range_max, seed, name: see
            `uniform_candidate_sampler`.
    Returns:
        (sampled_candidates, true_expected_count, sampled_expected_count)
    Raises:
        tf.errors.InvalidArgumentError: there are not enough classes, or `true_classes`
            is not of the form [batch, num_true].
    Example:
        tf.nn.learned_unigram_candidate_sampler([[1], [2]], 1, 3, True, 10)
    """
    attrs = _attrs(num_true, num_sampled, unique, range_max)
    mode, counts = current_mode(), Counts()
    if mode.eager:  # calls with the same arguments go on counting
        kept = mode.state.setdefault("learned unigrams", {})
        counts = kept.setdefault((*attrs.values(), seed), counts)
    return _draw(Learned, true_classes, {**attrs, "counts": counts}, seed, name)


def fixed_unigram_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any,
    vocab_file: str = "", distortion: Any = 1.0, num_reserved_ids: int = 0,
    num_shards: int = 1, shard: int = 0, unigrams: Any = (), seed: int | None = None,
    name: str | None = None,
) -> Candidates:  # fmt: skip
    """Classes as likely as given counts say.

    P(c) = count(c) ** distortion / their sum

    Args:
        true_classes, num_true, num_sampled, unique, range_max, seed, name: see
            `uniform_candidate_sampler`.
        vocab_file: a file with a class in each line, its count after the last comma.
        distortion: a power for the counts; 0 makes all equally likely.
        num_reserved_ids: how many classes to put before them, of probability 0.
        num_shards, shard: take each num_shards-th class, from the one at `shard`.
        unigrams: the counts, where there is no file.
    Returns:
        (sampled_candidates, true_expected_count, sampled_expected_count)
    Raises:
        tf.errors.InvalidArgumentError: not just one of vocab_file and unigrams is
            given, or the number of counts is not range_max.
    Example:
        tf.nn.fixed_unigram_candidate_sampler([[1]], 1, 4, False, 3, unigrams=[1, 0, 3])
    """
    attrs = {
        **_attrs(num_true, num_sampled, unique, range_max), "vocab_file": vocab_file,
        "distortion": float(distortion), "num_reserved_ids": int(num_reserved_ids),
        "num_shards": int(num_shards), "shard": int(shard),
        "unigrams": tuple(float(u) for u in unigrams),
    }  # fmt: skip
    return _draw(Fixed, true_classes, attrs, seed, name)


def all_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any,
    seed: int | None = None, name: str | None = None,
) -> Candidates:  # fmt: skip
    """All classes: 0 ... num_sampled - 1, each expected once.

    Args:
        true_classes: int64[batch, num_true], the classes of the examples.
        num_true: an int. num_sampled: the number of classes. unique: has no effect.
        seed: has no effect. name: the name of the call.
    Returns:
        (sampled_candidates, true_expected_count, sampled_expected_count)
    Raises:
        tf.errors.InvalidArgumentError: `true_classes` is not of the form [batch,
            num_true].
    Example:
        tf.nn.all_candidate_sampler([[1], [2]], 1, 3, True)
    """
    attrs = _attrs(num_true, num_sampled, unique, 1)
    del attrs["range_max"]
    return _draw(All, true_classes, attrs, seed, name)

"""tf.contrib.crf against all chains, written out."""

import itertools

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eagerly, in_graph
from tests.ways import compiled

C = tf.contrib.crf
X = np.random.RandomState(0).randn(4, 5, 3).astype(np.float32)
P = np.random.RandomState(1).randn(3, 3).astype(np.float32)
TAGS = np.random.RandomState(2).randint(0, 3, (4, 5)).astype(np.int32)
LENGTHS = np.array([5, 3, 1, 0], np.int32)


def score(x, tags):
    unary = sum(x[t, tag] for t, tag in enumerate(tags))
    return unary + sum(P[a, b] for a, b in itertools.pairwise(tags))


def chains(x):
    return {c: score(x, c) for c in itertools.product(range(3), repeat=len(x))}


def likelihood(x=X, tags=TAGS, lengths=LENGTHS):
    return C.crf_log_likelihood(tf.constant(x), tags, lengths, tf.constant(P))[0]


def test_likelihood(in_mode):
    wanted = []
    for x, tags, n in zip(X, TAGS, LENGTHS, strict=True):
        norm = np.logaddexp.reduce(list(chains(x[:n]).values())) if n else 0.0
        wanted.append(score(x, tags[:n]) - norm)
    np.testing.assert_allclose(in_mode(likelihood), wanted, rtol=1e-5, atol=1e-5)


def test_best_chains(in_mode):
    tags, scores = in_mode(
        lambda: C.crf_decode(tf.constant(X), tf.constant(P), LENGTHS)
    )
    for b, n in enumerate(LENGTHS[:3]):
        found = chains(X[b, :n])
        best = max(found, key=found.get)
        assert tuple(tags[b, :n]) == best
        np.testing.assert_allclose(scores[b], found[best], rtol=1e-5)
        assert tuple(C.viterbi_decode(X[b, :n], P)[0]) == best


def test_several_tags(in_mode):
    allowed = np.random.RandomState(3).rand(1, 4, 3) < 0.6
    allowed[:, :, 0] = True
    found = in_mode(
        lambda: C.crf_multitag_sequence_score(tf.constant(X[:1, :4]), allowed, [4], P)
    )
    all_chains = chains(X[0, :4])
    few = [s for c, s in all_chains.items() if all(allowed[0, range(4), c])]
    np.testing.assert_allclose(found, [np.logaddexp.reduce(few)], rtol=1e-5)


def test_one_step_of_unknown_length():
    x, n = tf.placeholder(tf.float32, [None, None, 3]), LENGTHS.clip(max=1)
    found = C.crf_log_likelihood(x, TAGS[:, :1], n, tf.constant(P))[0]
    tags, _ = C.crf_decode(x, tf.constant(P), n)
    with tf.Session() as session:
        a, b = session.run([found, tags], {x: X[:, :1]})
    np.testing.assert_allclose(
        a, in_graph(lambda: likelihood(X[:, :1], TAGS[:, :1], n))
    )
    np.testing.assert_array_equal(b[:3, 0], X[:3, 0].argmax(1))


def test_slopes_sum_to_nothing():
    """The expected number of each tag is that of the chain, on the average."""
    x = tf.constant(X)
    slope = tf.gradients(likelihood(x), x)[0]
    with compiled(), tf.Session() as session:
        found = session.run(slope)
    np.testing.assert_allclose(found.sum(2), np.zeros((4, 5)), atol=1e-5)
    assert not found[1, 3:].any()


@pytest.fixture(params=[eagerly, in_graph])
def in_mode(request):
    return request.param

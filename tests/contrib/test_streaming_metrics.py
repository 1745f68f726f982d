"""tf.contrib.metrics in both engines; golden programs hold their values."""

import inspect

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted

C = tf.contrib.metrics
LABELS = np.array([[0, 0, 1, 1], [1, 0, 1, 0]])
SCORES = np.array([[0.1, 0.4, 0.35, 0.8], [0.7, 0.2, 0.9, 0.3]], np.float32)
PAIRS = {
    "kappa": lambda y, p: C.cohen_kappa(y, tf.to_int64(p > 0.5), 2),
    "pearson": lambda y, p: C.streaming_pearson_correlation(p, tf.to_float(y)),
    "concat": lambda y, p: C.streaming_concat(p, max_size=7),
    "dynamic": lambda y, p: C.streaming_dynamic_auc(y, p),
    "f1": lambda y, p: C.f1_score(y, p),
    "recall": lambda y, p: C.recall_at_precision(y, p, 0.7, strict_mode=True),
    "rate": lambda y, p: C.streaming_false_positive_rate(p > 0.3, y),
    "histogram": lambda y, p: C.auc_using_histogram(y > 0, p, [0.0, 1.0]),
}


@pytest.mark.parametrize("name", PAIRS)
def test_both_engines_agree(name):
    found = []
    grows = name in ("concat", "dynamic")  # state that grows is left to the interpreter
    ways = interpreted(), compiled(" " if grows else None)
    for way in ways:
        with way, tf.Graph().as_default(), tf.Session() as sess:
            y, p = tf.placeholder(tf.int64, [4]), tf.placeholder(tf.float32, [4])
            value, update = PAIRS[name](y, p)
            sess.run(tf.local_variables_initializer())
            for labels, scores in zip(LABELS, SCORES, strict=True):
                sess.run(update, {y: labels, p: scores})
            found.append(sess.run(value, {y: LABELS[0], p: SCORES[0]}))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


STREAMING = sorted(
    name for name in C.__all__
    if name not in ("accuracy", "aggregate_metrics", "aggregate_metric_map")
    and name != "confusion_matrix" and not name.startswith("set_")
)  # fmt: skip


@pytest.mark.parametrize("name", STREAMING)
def test_eager_mode_is_refused(eager, name):
    function = getattr(C, name)
    count = sum(
        p.default is inspect.Parameter.empty
        for p in inspect.signature(function).parameters.values()
    )
    with pytest.raises(RuntimeError, match="is not supported when eager execution is"):
        function(*[1] * count)


def test_sets_are_those_of_tf(graph):
    a, b = [[1, 2, 2]], [[2, 3, 3]]
    found = [C.set_union(a, b), C.set_intersection(a, b), C.set_difference(a, b)]
    with tf.Session() as sess:
        values = [v.values.tolist() for v in sess.run(found)]
        assert values == [[1, 2, 3], [2], [1]]
        assert sess.run(C.set_size(found[0])).tolist() == [3]


def test_values_stay_in_order_and_within_max_size(graph):
    x = tf.placeholder(tf.int32, [2, None])
    value, update = C.streaming_concat(x, axis=1, max_size=3)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sizes = [sess.run(update, {x: [row, row]}) for row in ([1, 2], [3, 4], [5], [])]
        assert sizes == [2, 3, 3, 3]
        assert sess.run(value).tolist() == [[1, 2, 3]] * 2


def test_a_batch_mean_divides_by_the_weights_of_every_element(graph):
    found = C.accuracy(tf.constant([1, 2, 3]), tf.constant([1, 2, 0]), 0.5)
    with tf.Session() as sess:
        assert sess.run(found) == pytest.approx(2 / 3)


def test_covariance_of_batches_is_that_of_all(graph):
    x, y = np.random.RandomState(0).randn(2, 30).astype(np.float32)
    a, b = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    value, update = C.streaming_covariance(a, b)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        for part in (slice(0, 7), slice(7, 8), slice(8, 30)):
            sess.run(update, {a: x[part], b: y[part]})
        assert sess.run(value) == pytest.approx(np.cov(x, y)[0, 1], rel=1e-5)

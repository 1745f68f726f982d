"""Streaming metrics in both engines; golden programs hold their values."""

import inspect

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted

M = tf.metrics
LABELS = np.array([[0, 0, 1, 1], [1, 0, 1, 0]])
SCORES = np.array([[0.1, 0.4, 0.35, 0.8], [0.7, 0.2, 0.9, 0.3]], np.float32)
PAIRS = {
    "accuracy": lambda y, p: M.accuracy(y, p > 0.5),
    "auc": lambda y, p: M.auc(y, p, num_thresholds=20),
    "pr": lambda y, p: M.auc(
        y, p, curve="PR", summation_method="careful_interpolation"
    ),
    "precision": lambda y, p: M.precision(y, p > 0.5),
    "mean_iou": lambda y, p: M.mean_iou(y, tf.to_int64(p > 0.5), 2),
    "recall_at_k": lambda y, p: M.recall_at_k(y[:, None], tf.stack([1 - p, p], 1), k=1),
    "mean": lambda y, p: M.mean(p, tf.to_float(y)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_both_engines_agree(name):
    found = []
    for engine in (interpreted, compiled):
        with engine(), tf.Graph().as_default(), tf.Session() as sess:
            y, p = tf.placeholder(tf.int64, [4]), tf.placeholder(tf.float32, [4])
            value, update = PAIRS[name](y, p)
            sess.run(tf.local_variables_initializer())
            for labels, scores in zip(LABELS, SCORES, strict=True):
                last = sess.run(update, {y: labels, p: scores})
            now = sess.run(value)
            assert (sess.run(value) == now).all()
            found += [np.asarray(last), np.asarray(now)]
    np.testing.assert_allclose(found[0], found[2], rtol=1e-6)
    np.testing.assert_allclose(found[1], found[3], rtol=1e-6)


def test_the_area_of_the_documentation(graph):
    value, update = M.auc([0, 0, 1, 1], tf.constant(SCORES[0]))
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        assert sess.run(value) == 0
        assert sess.run(update) == pytest.approx(0.75, abs=1e-5)


@pytest.mark.parametrize("name", sorted(M.__all__))
def test_eager_mode_is_refused(eager, name):
    function = getattr(M, name)
    count = sum(
        p.default is inspect.Parameter.empty
        for p in inspect.signature(function).parameters.values()
    )
    with pytest.raises(RuntimeError, match="is not supported when eager execution is"):
        function(*[1] * count)


def test_variables_are_local_and_start_again(graph):
    value, update = M.mean([1.0, 3.0])
    assert tf.global_variables() == tf.trainable_variables() == []
    assert tf.local_variables() == tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)
    with tf.Session() as sess:
        for _ in range(2):
            sess.run(tf.local_variables_initializer())
            assert sess.run(value) == 0 and sess.run(update) == sess.run(value) == 2


def test_repeated_predictions_count_once(graph):
    labels = tf.constant([[1, 1, 2]], tf.int64)
    _, update = M.precision_at_top_k(labels, [[1, 1, 3]])
    _, found = M.recall_at_top_k(labels, [[1, 1, 3]])
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        assert sess.run([update, found]) == [0.5, 0.5]


def test_metrics_of_unknown_batches(graph):
    y, p = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    pairs = [M.mean_iou(y, y, 3), M.average_precision_at_k(y, p, 2)]
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        feed = {y: [[1], [0]], p: [[0.1, 0.9], [0.2, 0.8]]}
        table, precision = sess.run([u for _, u in pairs], feed)
        assert table.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert precision == 0.75


def test_contrib_has_the_other_order(graph):
    value, update = tf.contrib.metrics.streaming_recall([1, 0, 0], [1, 1, 1])
    pairs = {"recall": (value, update), "mean": M.mean([2.0])}
    values, updates = tf.contrib.metrics.aggregate_metric_map(pairs)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        found = sess.run(updates)
        assert found == {"recall": pytest.approx(1 / 3), "mean": 2.0}
        assert sess.run(values) == found


def test_results_are_recorded_as_summaries(eager, tmp_path):
    summary = tf.contrib.summary
    writer = summary.create_file_writer(str(tmp_path), flush_millis=0)
    loss = tf.contrib.eager.metrics.Mean("loss")
    tf.train.get_or_create_global_step()
    with writer.as_default(), summary.always_record_summaries():
        loss([1.0, 3.0])
        loss.result()
        loss.result(write_summary=False)
        with tf.name_scope("scope"):
            loss.result(tf.constant(True))
            loss.result(tf.constant(False))
    writer.close()
    assert written(tmp_path) == [("cond/loss", 2.0), ("scope/cond/loss", 2.0)]


@pytest.mark.parametrize("tensor", [False, True])
def test_results_of_graphs_are_recorded_under_the_same_tag(tensor, tmp_path):
    summary = tf.contrib.summary
    with tf.Graph().as_default(), tf.Session() as sess:
        writer = summary.create_file_writer(str(tmp_path), flush_millis=0)
        loss = tf.contrib.eager.metrics.Mean("loss")
        tf.train.get_or_create_global_step()
        write = tf.placeholder_with_default(True, []) if tensor else True
        with writer.as_default(), summary.always_record_summaries():
            update, result = loss([1.0, 3.0]), loss.result(write_summary=write)
        sess.run([tf.global_variables_initializer(), loss.init_variables()])
        sess.run(writer.init())
        sess.run(update)
        for fetch in [result] if tensor else [summary.all_summary_ops()]:
            sess.run(fetch)
        sess.run(writer.close())
    assert written(tmp_path) == [("cond/loss", 2.0)]


def written(folder):
    """The tags and values of the one event file of a folder."""
    (path,) = folder.iterdir()
    events = tf.train.summary_iterator(str(path))
    return [(v.tag, v.simple_value) for e in events for v in e.summary.value]


@pytest.mark.parametrize("name", ["precision", "recall"])
def test_ranked_predictions_have_an_axis_of_rows(graph, name):
    labels, text = tf.constant([2], tf.int64), "at least rank 2 but is rank 1"
    with pytest.raises(ValueError, match=text):
        getattr(tf.metrics, f"{name}_at_top_k")(labels, tf.constant([2, 0], tf.int64))
    with pytest.raises(ValueError, match=text):
        getattr(tf.metrics, f"{name}_at_k")(labels, tf.constant([0.1, 0.9]), 1)

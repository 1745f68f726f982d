"""StatsAggregator: its histograms are those of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.data.programs import drained
from twinflow.data.experimental.stats import bytes_produced_stats
from twinflow.data.functions import Env, Run
from twinflow.data.pipeline import positions
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph

data = tf.data.experimental
set_stats = data.set_stats_aggregator


def numbers(serialized):
    """{tag: (num, sum, min, max, sum of squares, limits, counts)} of a Summary."""
    summary = tf.Summary.FromString(serialized)
    return {
        v.tag: (v.histo.num, v.histo.sum, v.histo.min, v.histo.max, v.histo.sum_squares,
                list(v.histo.bucket_limit), list(v.histo.bucket))
        for v in summary.value
    }  # fmt: skip


def eagerly(make):
    stats = data.StatsAggregator()
    for _ in make(stats):
        pass
    return numbers(stats.get_summary().numpy())


def in_a_graph(make):
    with Graph().as_default(), Session() as session:
        stats = data.StatsAggregator()
        iterator = make(stats).make_initializable_iterator()
        element, summary = iterator.get_next(), stats.get_summary()
        session.run(iterator.initializer)
        drained(session, element)
        return numbers(session.run(summary))


WAYS = pytest.mark.parametrize("way", [eagerly, in_a_graph])


def growing():
    """Vectors of 0, 1, 2 ... 9 int64."""
    tiled = lambda i: tf.tile([i], tf.expand_dims(i, 0))
    return tf.data.Dataset.range(10).map(tiled)


@WAYS
def test_bytes(way):
    make = lambda stats: (
        growing().apply(bytes_produced_stats("b")).apply(set_stats(stats))
    )
    *sums, limits, counts = way(make)["b"]
    assert sums == [10, 360, 0, 72, 18240]
    assert limits[-4:-1] == [60.78048450502155, 66.85853295552371, 73.54438625107609]
    assert counts[-4:] == [1, 1, 1, 0]
    assert len(counts) == 19


@WAYS
def test_strings_and_tuples(way):
    strings = tf.data.Dataset.from_tensor_slices(["a", "bcd"])
    both = lambda: (np.ones((3, 4), np.float32), np.ones((3, 5), np.int8))
    for make, expected in (
        (lambda: tf.data.Dataset.from_tensor_slices(["a", "bcd"]), [2, 20, 9, 11, 202]),
        (lambda: tf.data.Dataset.from_tensor_slices(both()), [3, 63, 21, 21, 1323]),
    ):
        found = way(
            lambda stats, make=make: (
                make().apply(bytes_produced_stats("b")).apply(set_stats(stats))
            )
        )
        assert list(found["b"][:5]) == expected
    assert strings.output_types == tf.string


@WAYS
def test_latency_of_each_pass_also_behind_threads_and_within_flat_map(way):
    def make(stats):
        inner = lambda i: tf.data.Dataset.range(2).apply(data.latency_stats("inner"))
        dataset = tf.data.Dataset.range(3).apply(data.latency_stats("outer"))
        dataset = dataset.flat_map(inner).repeat(2).prefetch(2)
        return dataset.apply(data.latency_stats("all")).apply(set_stats(stats))

    found = way(make)
    assert {tag: n[0] for tag, n in found.items()} == {
        "inner": 12, "outer": 6, "all": 12}  # fmt: skip
    assert all(n[1] >= 0 for n in found.values())


@WAYS
def test_without_an_aggregator_behind_it_nothing_is_noted(way):
    assert way(lambda stats: growing().apply(data.latency_stats("t"))) == {}
    above = lambda stats: growing().apply(set_stats(stats))
    assert way(lambda stats: above(stats).apply(data.latency_stats("t"))) == {}


def test_each_aggregator_and_each_session_has_its_own_numbers():
    with Graph().as_default():
        stats = data.StatsAggregator()
        dataset = tf.data.Dataset.range(3).apply(bytes_produced_stats("b"))
        iterator = dataset.apply(set_stats(stats)).make_initializable_iterator()
        element, summary = iterator.get_next(), stats.get_summary()
        assert (summary.dtype, summary.shape) == (tf.string, ())
        for _ in range(2):
            with Session() as session:
                session.run(iterator.initializer)
                session.run(element)
                assert numbers(session.run(summary))["b"][0] == 1
    assert eagerly(lambda stats: tf.data.Dataset.range(1)) == {}


def test_the_summary_joins_the_others_of_a_graph():
    with Graph().as_default(), Session() as session:
        stats = data.StatsAggregator()
        tf.add_to_collection(tf.GraphKeys.SUMMARIES, stats.get_summary())
        dataset = tf.data.Dataset.range(3).apply(bytes_produced_stats("b"))
        iterator = dataset.apply(set_stats(stats)).make_one_shot_iterator()
        element, merged = iterator.get_next(), tf.summary.merge_all()
        session.run(element)
        assert numbers(session.run(merged))["b"][0] == 1


def test_a_pass_goes_on_from_any_place():
    stats = data.StatsAggregator()
    random = data.RandomDataset(seed=3).apply(bytes_produced_stats("b"))
    dataset = random.apply(set_stats(stats)).take(4)
    expected = [int(x) for x in dataset]
    first, second = Run(dataset, Env()), Run(dataset, Env())
    assert int(next(first)[0]) == expected[0]
    positions.put(second, positions.place_of(first))
    assert [int(x) for (x,) in second] == expected[1:]
    assert numbers(stats.get_summary().numpy())["b"][0] == 8

"""tf.contrib.training's buckets and samples, by way of queues."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph

T = tf.contrib.training


def numbers(count=12):
    """0, 1, 2 ... count - 1, one at a time."""
    producer = tf.train.range_input_producer(count, num_epochs=1, shuffle=False)
    return producer.dequeue()


def all_of(build, most=999):
    """What running `build()` gives, until the input ends."""
    with Graph().as_default(), Session() as session:
        tf.set_random_seed(1)
        batch = build()
        session.run(
            [tf.global_variables_initializer(), tf.local_variables_initializer()]
        )
        coordinator, found = tf.train.Coordinator(), []
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while len(found) < most:
                found.append(session.run(batch))
        except errors.OutOfRangeError:
            pass
        finally:
            coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=10)
        return found


def buckets(make):
    found = [(int(which), rows.tolist()) for which, rows in all_of(make)]
    return sorted(found)


def test_examples_of_one_bucket():
    def two(**options):
        x = numbers(10)
        return T.bucket([x], x % 2, options.pop("size", 3), 2, **options)

    assert buckets(two) == [(0, [0, 2, 4]), (1, [1, 3, 5])]
    whole = [(0, [0, 2, 4]), (0, [6, 8]), (1, [1, 3, 5]), (1, [7, 9])]
    assert buckets(lambda: two(allow_smaller_final_batch=True)) == whole
    sizes = [(0, [0, 2]), (0, [4, 6]), (1, [1, 3, 5])]
    assert buckets(lambda: two(size=[2, 3])) == sizes
    with Graph().as_default():
        assert two()[1].shape.as_list() == [3]
        assert two(size=[2, 3])[1].shape.as_list() == [None]


def test_structures_and_chosen_examples():
    def build():
        x = numbers()
        return T.bucket({"b": x, "a": -x}, x % 2, 3, 2, keep_input=x < 6)

    found = {
        int(w): {k: v.tolist() for k, v in rows.items()} for w, rows in all_of(build)
    }
    assert found == {0: {"a": [0, -2, -4], "b": [0, 2, 4]},
                     1: {"a": [-1, -3, -5], "b": [1, 3, 5]}}  # fmt: skip


def test_examples_of_about_one_length():
    def build():
        x = numbers()
        return T.bucket_by_sequence_length(
            x, [tf.range(x)], 2, [4, 8], dynamic_pad=True
        )

    found = sorted((n.tolist(), rows.shape) for n, (rows,) in all_of(build))
    assert found == [([i, i + 1], (2, i + 1)) for i in range(0, 12, 2)]


def test_buckets_that_do_not_fit():
    with Graph().as_default():
        x = numbers()
        with pytest.raises(ValueError, match="must have num_buckets elements"):
            T.bucket([x], x % 2, [2, 3, 4], 2)
        with pytest.raises(ValueError, match=r"bucket_capacities \(\[1\]\) must have"):
            T.bucket([x], x % 2, 2, 2, bucket_capacities=[1])
        for boundaries, kind, message in (
            (3, TypeError, "must be a list or tuple"), ([], ValueError, "not be empty"),
            ([3, 3], ValueError, "lengths, but saw: 3 before 3"),
            ([3.0, 4.0], TypeError, "must be integers, but saw: 3.0 and 4.0"),
        ):  # fmt: skip
            with pytest.raises(kind, match=message):
                T.bucket_by_sequence_length(x, [x], 2, boundaries)


# ---------------------------------------------------------------------- samples
def test_examples_are_accepted_with_a_probability():
    def half_of_the_odd_ones(many=False):
        x = numbers(800)
        x = tf.stack([x, x + 1]) if many else x
        chance = lambda t: tf.to_float(t[0] % 2) * 0.5
        return T.rejection_sample([x], chance, 10, enqueue_many=many)

    for many, expected in (False, 200), (True, 400):
        found = np.ravel(all_of(lambda many=many: half_of_the_odd_ones(many)))
        assert (found % 2).all()
        assert abs(len(found) - expected) < expected / 4
    wrong = lambda: T.rejection_sample(
        [numbers()], lambda t: tf.constant(2.0), 2, runtime_checks=True
    )
    with pytest.raises(errors.InvalidArgumentError, match="x <= y did not hold"):
        all_of(wrong)


@pytest.mark.parametrize("known", [[0.9, 0.1], None])
def test_classes_are_spread_as_wanted(known):
    # Without rhythm: where the spread is learnt, two threads take from the same input.
    rare = lambda x: (31 * x * x + 17 * x) % 101 < 10

    def build():
        x = numbers(3000)
        label = tf.cast(rare(x), tf.int32)
        return T.stratified_sample([x], label, [0.5, 0.5], 10, known)

    found = all_of(build)[15:]
    rows, labels = (np.concatenate(c) for c in zip(*((r[0], y) for r, y in found)))
    assert (rare(rows.astype(np.int64)) == labels).all()
    assert abs(labels.mean() - 0.5) < 0.15


def test_classes_that_do_not_fit():
    def build(spread, wanted, label=0):
        return T.stratified_sample([numbers()], label, wanted, 4, spread)

    with Graph().as_default(), pytest.raises(ValueError, match="must have the same le"):
        build([0.2, 0.3, 0.5], [0.5, 0.5])
    with pytest.raises(errors.InvalidArgumentError, match="x < y did not hold"):
        all_of(lambda: build([0.5, 0.5], [0.5, 0.7]))
    with pytest.raises(errors.InvalidArgumentError, match="zero initial probability m"):
        all_of(lambda: build([1.0, 0.0], [0.5, 0.5]))


def test_rates():
    rows = lambda: [tf.range(3), tf.range(3) * 10]
    found = all_of(lambda: T.resample_at_rate(rows(), [0.0, 1.0, 3.0], seed=1), 400)
    assert all((x * 10 == y).all() for x, y in found)
    counts = np.mean([np.bincount(x, minlength=3) for x, _ in found], 0)
    assert np.allclose(counts, [0, 1, 3], atol=0.3)
    weights = lambda: tf.constant([1.0, 2.0, 3.0])
    found = all_of(lambda: T.weighted_resample(rows(), weights(), 1.0, seed=1), 400)
    counts = np.mean([np.bincount(x, minlength=3) for (x, _), _ in found], 0)
    assert np.allclose(counts, [0.5, 1, 1.5], atol=0.3)
    assert all(np.allclose(r * 2, np.round(r * 2), 1e-3) for _, r in found)

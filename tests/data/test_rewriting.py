"""Options that rewrite chains of transforms: the same elements, other transforms."""

import pytest

import twinflow as tf
from tests.modes import graph  # noqa: F401
from twinflow.data.experimental.optimization import assert_next, model, optimize

plus = lambda x: x + 1
even = lambda x: tf.equal(x % 2, 0)
large = lambda x: x > 1


def elements(make, *switches, follow=()):
    """What a chain gives; `follow`: the transforms it is claimed to have then."""
    with tf.Graph().as_default(), tf.Session() as session:
        dataset = make(tf.data.Dataset.range(6).apply(assert_next(follow)))
        options = tf.data.Options()
        for name in switches:
            setattr(options, f"experimental_{name}", True)
        dataset = dataset.with_options(options)
        element, found = dataset.make_one_shot_iterator().get_next(), []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(session.run(element).tolist())
    return found


# The names are those that TensorFlow 1.12 has after the same rewriting.
@pytest.mark.parametrize(
    "switch, make, follow",
    [
        ("map_fusion", lambda d: d.map(plus).map(plus).cache(), "Map MemoryCache"),
        ("map_fusion", lambda d: d.map(plus, 2).map(plus), "ParallelMap Map"),
        ("filter_fusion", lambda d: d.filter(even).filter(large).cache(),
         "Filter MemoryCache"),
        ("map_and_filter_fusion", lambda d: d.map(plus).filter(even),
         "Map FilterByLastComponent"),
        ("noop_elimination", lambda d: d.repeat(1).skip(2).take(-1).repeat(2),
         "FiniteSkip FiniteRepeat"),
        ("noop_elimination", lambda d: d.take(3).repeat().take(5),
         "FiniteTake ForeverRepeat FiniteTake"),
        ("map_parallelization", lambda d: d.map(plus), "ParallelMap"),
        ("map_and_batch_fusion", lambda d: d.map(plus).batch(4), "MapAndBatch"),
        ("shuffle_and_repeat_fusion", lambda d: d.shuffle(1).repeat(2),
         "ShuffleAndRepeat"),
    ],
)  # fmt: skip
def test_same_elements(switch, make, follow):
    assert elements(make, switch, follow=follow.split()) == elements(make)


def test_what_follows_is_checked():
    make = lambda d: d.map(plus)
    text = "Asserted Batch transformation at offset 0 but encountered Map"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        elements(make, follow=["Batch"])
    text = "Asserted next 2 transformations but encountered only 1"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        elements(make, follow=["Map", "Batch"])


def test_functions_that_draw_stay():
    make = lambda d: d.map(lambda x: x + tf.random_uniform([], 0, 1, tf.int64)).map(
        plus
    )
    assert len(elements(make, "map_fusion", follow=["Map", "Map"])) == 6


def test_rewriting_by_a_transform():
    make = lambda d: (
        d.map(plus).map(plus).apply(optimize(["map_fusion"])).apply(model())
    )
    assert elements(make, follow=["Map"]) == [2, 3, 4, 5, 6, 7]


@pytest.mark.usefixtures("graph")
def test_options_come_from_all_datasets():
    one, two = tf.data.Options(), tf.data.Options()
    one.experimental_map_fusion, two.experimental_filter_fusion = True, True
    a, b = (tf.data.Dataset.range(2).with_options(o) for o in (one, two))
    found = tf.data.Dataset.zip((a, b)).map(lambda x, y: x).options()
    assert found.experimental_map_fusion and found.experimental_filter_fusion

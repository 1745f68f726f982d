"""An iterator that goes on from a saved place gives what was still to come."""

import gc
import itertools

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import twinflow as tf
from tests.data import pipelines
from twinflow.base import errors
from twinflow.data.functions import Env, Run
from twinflow.data.iterators import packing


@pytest.fixture(autouse=True)
def folder(tmp_path):
    pipelines.FOLDER[0] = str(tmp_path)
    pipelines.files()


def plain(element):
    """The components of an element as lists, with their dtypes."""
    return [(str(np.asarray(a).dtype), np.asarray(a).tolist()) for a in element]


def resumed(dataset, saved):
    """A pass over `dataset` that goes on from a saved place."""
    run = Run(dataset, Env())
    packing.resume(run, dataset.structure, saved)
    return run


def places(dataset):
    """(what is saved, the elements that came after) at every place of one pass."""
    run, saved, given = Run(dataset, Env()), [], []
    elements = iter(run)
    while True:
        saved.append(packing.saved(run, dataset.structure))
        element = next(elements, None)
        if element is None:
            break
        given.append(plain(element))
    saved.append(packing.saved(run, dataset.structure))  # after the end, too
    return [(s, given[i:]) for i, s in enumerate(saved)]


@pytest.mark.parametrize("name", pipelines.SEEDED)
def test_every_pipeline_goes_on_from_every_place(name):
    make = pipelines.SEEDED[name]
    found = places(make())
    assert len(found) > 2
    for saved, rest in found[:: 9 if name == "process map" else 1]:
        assert [plain(e) for e in resumed(make(), saved)] == rest


NO_PIPELINES = {
    "CheckpointInputPipelineHook", "Optional", "Reducer", "TFRecordWriter",
    "get_next_as_optional", "get_single_element", "make_saveable_from_iterator",
}  # fmt: skip


def test_no_way_to_make_a_dataset_is_left_out():
    with open(pipelines.__file__) as file:
        text = file.read()
    some = [n for n in dir(tf.data.Dataset) if not n.startswith(("_", "make_", "out"))]
    for name in {*some} - {"apply", "options", "reduce", "structure", "inputs"}:
        assert f".{name}(" in text, name
    for name in {*tf.data.experimental.__all__} - NO_PIPELINES:
        assert f"X.{name}(" in text, name


@pytest.mark.parametrize("name", pipelines.UNSEEDED)
def test_what_was_drawn_without_a_seed_is_saved(name):
    make = pipelines.UNSEEDED[name]
    for saved, rest in places(make())[::5]:
        assert [plain(e) for e in resumed(make(), saved)] == rest


@pytest.mark.parametrize("name", ["epochs", "prefetch", "cache", "interleave"])
def test_a_resumed_iterator_can_be_saved_again(name):
    make = pipelines.SEEDED[name]
    first = places(make())
    saved, rest = first[3]
    for _ in range(4):
        run = resumed(make(), saved)
        elements = iter(run)
        assert plain(next(elements)) == rest[0]
        saved, rest = packing.saved(run, make().structure), rest[1:]
    assert [plain(e) for e in resumed(make(), saved)] == rest


def test_a_map_is_not_run_again_for_what_was_passed():
    seen = []

    def make(log):
        note = lambda i: tf.py_func(lambda x: log.append(int(x)) or x, [i], tf.int64)
        return tf.data.Dataset.range(8).map(note).shuffle(3, seed=1).batch(2)

    run = Run(make(seen), Env())
    next(iter(run))
    saved, again = packing.saved(run, make([]).structure), []
    assert len(list(resumed(make(again), saved))) == 3
    assert again == list(range(len(seen), 8))


def test_a_generator_is_called_again():
    calls = []

    def generate():
        calls.append(1)
        yield from range(5)

    dataset = tf.data.Dataset.from_generator(generate, tf.int64, [])
    run = Run(dataset, Env())
    list(itertools.islice(run, 2))
    found = resumed(dataset, packing.saved(run, dataset.structure))
    assert [int(x) for (x,) in found] == [2, 3, 4]
    assert len(calls) == 2


def failing(i):
    """Fails for 3 and 4."""
    return tf.gather([0, 10, 20], tf.where(tf.logical_or(i < 3, i > 4), i * 0, i))


ERRORS = {
    "map": lambda d: d,
    "parallel map": lambda d: d.map(pipelines.slow, 2),
    "prefetch": lambda d: d.prefetch(4),
    "window": lambda d: d.window(2, 1).flat_map(lambda w: w.batch(2)),
    "shuffle": lambda d: d.shuffle(3, seed=1),
    "take": lambda d: d.take(5),
}


def outcomes(elements):
    """Elements, and the kinds of errors between them."""
    found = []
    while True:
        try:
            element = next(elements, None)
        except errors.OpError as error:
            found.append(type(error).__name__)
            continue
        if element is None:
            return found
        found.append(plain(element))


@pytest.mark.parametrize("name", ERRORS)
def test_errors_that_wait_are_saved(name):
    some = lambda i: tf.cast(failing(i), tf.int64)
    make = lambda: ERRORS[name](tf.data.Dataset.range(9).map(some))
    expected = outcomes(iter(Run(make(), Env())))
    assert expected.count("InvalidArgumentError") >= 2
    run = Run(make(), Env())
    elements = iter(run)
    begun = [plain(next(elements))]
    rest = resumed(make(), packing.saved(run, make().structure))
    assert begun + outcomes(iter(rest)) == expected


def test_a_cache_in_files_goes_on(tmp_path):
    make = lambda: pipelines.doubled(5).cache(str(tmp_path / "c" / "kept")).repeat(2)
    run = Run(make(), Env())
    elements = iter(run)
    begun = [int(next(elements)[0]) for _ in range(3)]
    saved = packing.saved(run, make().structure)
    lock = tmp_path / "c" / "kept.lockfile"
    mark = lock.read_bytes()
    del run, elements
    gc.collect()
    lock.write_bytes(mark)  # as after a kill
    with pytest.raises(errors.AlreadyExistsError, match="lockfile already exists"):
        next(iter(Run(make(), Env())))
    found = [int(x) for (x,) in resumed(make(), saved)]
    assert begun + found == [0, 2, 4, 6, 8] * 2
    assert not lock.exists()


# ---------------------------------------------------------------------- any pipeline
D, X = tf.data.Dataset, tf.data.experimental
STEPS = {
    "map": lambda d: d.map(lambda i: i + 1),
    "parallel map": lambda d: d.map(lambda i: i * 2, 2),
    "filter": lambda d: d.filter(lambda i: i % 4 > 0),
    "batch": lambda d: d.batch(3).map(tf.reduce_sum),
    "batches": lambda d: d.batch(4).apply(X.unbatch()),
    "shuffle": lambda d: d.shuffle(4, 7),
    "shuffle without a seed": lambda d: d.shuffle(5),
    "repeat": lambda d: d.repeat(2),
    "take": lambda d: d.take(11),
    "skip": lambda d: d.skip(2),
    "shard": lambda d: d.shard(2, 1),
    "cache": lambda d: d.cache(),
    "prefetch": lambda d: d.prefetch(3),
    "window": lambda d: d.window(3, 2).flat_map(
        lambda w: w.batch(3).map(tf.reduce_sum)
    ),
    "flat_map": lambda d: d.flat_map(lambda i: D.range(i % 3).map(lambda x: x + i)),
    "interleave": lambda d: d.interleave(lambda i: D.range(i % 4), 2, 2),
    "zip": lambda d: D.zip((d, D.range(30).shuffle(9, 1))).map(lambda a, b: a + b),
    "concatenate": lambda d: d.concatenate(D.range(5).shuffle(3, 2)),
    "scan": lambda d: d.apply(X.scan(np.int64(0), lambda s, x: (s + x, s + x))),
    "unique": lambda d: d.apply(X.unique()),
    "group": lambda d: d.apply(
        X.group_by_window(pipelines.key, lambda k, w: w.batch(4), 4)
    ).map(tf.reduce_sum),
    "sample": lambda d: X.sample_from_datasets([d, D.range(6)], seed=3),
}


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(
    st.lists(st.sampled_from(sorted(STEPS)), min_size=2, max_size=6),
    st.lists(st.integers(0, 25), min_size=1, max_size=3),
)
def test_any_pipeline_goes_on(steps, stops):
    dataset = tf.data.Dataset.range(13)
    for step in steps:
        dataset = STEPS[step](dataset)
    dataset = dataset.take(80)
    run = Run(dataset, Env())
    for stop in stops:  # saved, restored and saved again
        list(itertools.islice(run, stop))
        saved = packing.saved(run, dataset.structure)
        expected = [plain(e) for e in resumed(dataset, saved)]
        assert [plain(e) for e in run] == expected
        run = resumed(dataset, saved)


# ---------------------------------------------------------------------- refusals
def saved_after(dataset, count):
    run = Run(dataset, Env())
    list(itertools.islice(run, count))
    return packing.saved(run, dataset.structure)


@pytest.mark.parametrize(
    "other, why",
    [
        (lambda: pipelines.doubled().batch(2), "there a Mapped, here a Batched"),
        (lambda: pipelines.doubled(11), "there 10 rows, here 11"),
        (lambda: pipelines.doubled().map(tf.to_float), "there elements of int64, here"),
    ],
)
def test_places_of_other_pipelines_are_refused(other, why):
    saved = saved_after(pipelines.doubled(), 3)
    with pytest.raises(errors.InvalidArgumentError, match=why) as caught:
        resumed(other(), saved)
    assert "belongs to another input pipeline" in str(caught.value)
    assert "dataset made by the same calls" in str(caught.value)


def test_more_sources_than_saved_are_refused():
    pair = lambda n: tf.data.Dataset.zip((pipelines.doubled(),) * n)
    same = lambda n: pair(n).map(lambda *x: x[0])
    with pytest.raises(errors.InvalidArgumentError, match="another input pipeline"):
        resumed(same(3), saved_after(same(2), 1))


@pytest.mark.parametrize("cut", [0, 5, 30, -1])
def test_damaged_states_are_refused(cut):
    saved = saved_after(pipelines.doubled().shuffle(3), 3)[:cut]
    with pytest.raises(errors.DataLossError, match="no saved state of an iterator"):
        resumed(pipelines.doubled().shuffle(3), saved)


def test_elements_that_cannot_be_saved():
    dataset = pipelines.doubled().shuffle(3)
    run = Run(dataset, Env())
    next(iter(run))
    run.inner.stage.order.ring[0] = [np.array(object(), object)]
    with pytest.raises(errors.UnimplementedError, match="neither numbers, strings nor"):
        packing.saved(run, dataset.structure)

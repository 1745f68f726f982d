"""Threads of datasets: their order, their errors, their end."""

import gc
import itertools
import threading
import time

import numpy as np
import pytest

from tests.data.programs import plain
from twinflow.base import dtypes, errors
from twinflow.data.dataset import Dataset
from twinflow.data.pipeline import parallel, stages
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.core.index import gather


def threads():
    """The threads of datasets that are alive."""
    return [t for t in threading.enumerate() if t.name.startswith("twinflow-data")]


@pytest.fixture(autouse=True)
def nothing_left_behind():
    yield
    gc.collect()
    limit = time.monotonic() + 5
    while threads() and time.monotonic() < limit:
        time.sleep(0.01)
    assert not threads()


def counting():
    return stages.counting(0, 1000000, 1)


def test_a_dropped_prefetch_ends_its_thread():
    elements = parallel.prefetched(counting(), 2)()
    assert [next(elements), next(elements)] == [(0,), (1,)]
    assert threads()
    del elements


def test_datasets_end_their_threads():
    dataset = Dataset.range(1000000).map(lambda x: x + 1).prefetch(3)
    iterator = iter(dataset.prefetch(2).batch(2))
    assert not threads()
    assert plain(next(iterator)) == [1, 2]
    assert len(threads()) == 2


def test_a_closed_session_ends_threads():
    with Graph().as_default(), Session() as session:
        element = Dataset.range(100).prefetch(3).make_one_shot_iterator().get_next()
        assert session.run(element) == 0
        assert threads()


def test_prefetch_works_ahead_but_not_further():
    seen = []
    source = stages.mapped(counting(), lambda x: seen.append(x) or x)
    elements = parallel.prefetched(source, 3)()
    next(elements)
    time.sleep(0.2)
    assert 4 <= len(seen) <= 5


def test_prefetch_keeps_order_and_ends():
    elements = parallel.prefetched(stages.slices([np.arange(50)]), 4)()
    assert [int(x) for (x,) in elements] == list(range(50))
    assert next(elements, None) is None


def numbers(make):
    """The source of the numbers that `make()` gives, one an element."""
    return stages.generated(lambda: ([x] for x in make()))


def slow_then(function):
    def run(element):
        time.sleep(0.002)
        return function(*element)

    return run


def test_parallel_maps_keep_order():
    running, most = [], []

    def function(x):
        running.append(x)
        most.append(len(running))
        time.sleep(0.001 * (1 + int(x) % 3))
        running.remove(x)
        return [x]

    source, run = numbers(lambda: range(40)), lambda element: function(*element)
    found = [x for (x,) in parallel.mapped_in_parallel(source, run, 4)()]
    assert found == list(range(40)) and 2 <= max(most) <= 4


def test_parallel_maps_deliver_errors_in_their_place():
    def function(x):
        if x == 10:
            raise errors.DataLossError(None, None, "ten")
        return [x]

    source = numbers(lambda: range(20))
    elements = parallel.mapped_in_parallel(source, slow_then(function), 4)()
    assert [next(elements)[0] for _ in range(10)] == list(range(10))
    with pytest.raises(errors.DataLossError, match="ten"):
        next(elements)
    assert [x for (x,) in elements] == list(range(11, 20))


def test_parallel_maps_deliver_errors_of_their_source():
    def broken():
        yield from range(8)
        raise errors.DataLossError(None, None, "broken")

    source = numbers(broken)
    elements = parallel.mapped_in_parallel(source, slow_then(lambda x: [x]), 4)()
    assert [next(elements)[0] for _ in range(8)] == list(range(8))
    with pytest.raises(errors.DataLossError, match="broken"):
        next(elements)
    assert next(elements, None) is None


def test_parallel_maps_work_while_nobody_reads():
    seen = []
    source = numbers(itertools.count)
    note = slow_then(lambda x: seen.append(x) or [x])
    elements = parallel.mapped_in_parallel(source, note, 2)()
    assert [next(elements)[0] for _ in range(20)] == list(range(20))
    time.sleep(0.1)
    ahead = len(seen) - 20
    assert 4 <= ahead <= 30
    time.sleep(0.1)
    assert len(seen) - 20 == ahead


def spins(element):
    (x,) = element
    end = time.perf_counter() + 1e-4
    while time.perf_counter() < end:
        pass
    return [np.int64(x), np.full(3, x)]


def test_batches_are_whole_where_threads_come_and_go(monkeypatch):
    monkeypatch.setattr(parallel, "_AGAIN", 0.005)
    monkeypatch.setattr(parallel, "_LOSSES", 1)
    source = numbers(lambda: range(1500))
    source = parallel.mapped_in_parallel(source, spins, 2)
    blocks = list(stages.batched(source, 64)())
    assert [len(x) for x, _ in blocks] == [64] * 23 + [28]
    assert np.concatenate([x for x, _ in blocks]).tolist() == list(range(1500))
    assert all((row == x).all() for xs, rows in blocks for x, row in zip(xs, rows))


def test_threads_stay_where_less_is_waited():
    def judged(alone, waited, chunks):
        gain = parallel.Gain(2)
        while gain.in_turn:
            gain.alone(alone)
        for _ in range(chunks):
            gain.among(10 * waited, 10)
        return not gain.in_turn

    assert judged(1e-3, 0.5e-3, 100) and judged(1e-3, 0.8e-3, 100)
    assert not judged(1e-3, 0.9e-3, 30) and not judged(1e-3, 1.5e-3, 30)
    assert judged(1e-3, 1.5e-3, 10)  # once is not enough


def test_quick_functions_are_called_in_turn():
    gain = parallel.Gain(2)
    for _ in range(10000):
        gain.alone(1e-5)
    assert gain.in_turn


def test_ctrl_c_loses_nothing_of_a_parallel_map():
    def interrupted():
        yield from range(30)
        raise KeyboardInterrupt

    once = [interrupted(), iter(range(30, 60))]

    class Source:
        def __iter__(self):
            return self

        def __next__(self):
            try:
                return [next(once[0])]
            except KeyboardInterrupt:
                once.pop(0)
                raise

    elements = parallel.mapped_in_parallel(Source, slow_then(lambda x: [x]), 3)()
    found = []
    with pytest.raises(KeyboardInterrupt):
        found.extend(x for (x,) in iter(lambda: next(elements), None))
    assert len(found) < 30
    assert found + [x for (x,) in elements] == list(range(60))


def test_a_dropped_parallel_map_ends_its_threads():
    source = numbers(itertools.count)
    elements = parallel.mapped_in_parallel(source, slow_then(lambda x: [x]), 3)()
    assert [next(elements)[0] for _ in range(9)] == list(range(9))
    assert threads()


def out_of_range():
    return Dataset.range(3).map(lambda x: gather([1, 2], x))


@pytest.mark.parametrize("ahead", [lambda d: d, lambda d: d.prefetch(2)])
def test_errors_in_a_map_name_the_users_line(ahead):
    iterator = iter(ahead(out_of_range()))
    assert [int(next(iterator)), int(next(iterator))] == [1, 2]
    with pytest.raises(
        errors.InvalidArgumentError, match=r"test_parallel\.py"
    ) as caught:
        next(iterator)
    assert "is not in [0, 2)" in str(caught.value)
    with Graph().as_default(), Session() as session:
        element = ahead(out_of_range()).make_one_shot_iterator().get_next()
        assert [session.run(element), session.run(element)] == [1, 2]
        with pytest.raises(errors.InvalidArgumentError, match=r"test_parallel\.py"):
            session.run(element)


def test_generators(elements):
    def count(n):
        yield from range(n)

    make = lambda: Dataset.from_generator(count, dtypes.int64, [], args=(3,))
    assert elements(make) == [0, 1, 2]
    pairs = lambda: iter([(1, [2.0, 3.0]), (4, [5.0])])
    types, shapes = (dtypes.int32, dtypes.float32), ([], [None])
    make = lambda: Dataset.from_generator(pairs, types, shapes).prefetch(1)
    assert elements(make) == [(1, [2.0, 3.0]), (4, [5.0])]
    make = lambda: Dataset.from_generator(lambda: ["a", "b"], dtypes.string)
    assert elements(make) == [b"a", b"b"]


def test_what_generators_yield_is_copied():
    kept = np.zeros(2)

    def fill():
        for i in range(3):
            kept[:] = i
            yield kept

    rows = list(Dataset.from_generator(fill, dtypes.float64, [2]))
    assert [plain(r) for r in rows] == [[0, 0], [1, 1], [2, 2]]


def test_generators_that_fail(elements):
    def fails():
        yield 1
        raise ValueError("boo")

    cases = [
        (fails, None, r"ValueError: boo\n(.|\n)*in fails"),
        (lambda: [1, "a"], None, "could not be converted to the expected type"),
        (lambda: [[1]], [2], r"of shape \(1,\) where an element of shape \(2,\)"),
    ]
    for generator, shape, text in cases:
        with pytest.raises(errors.InvalidArgumentError, match=text):
            elements(lambda: Dataset.from_generator(generator, dtypes.int32, shape))
    types = (dtypes.int32, dtypes.int32)
    with pytest.raises(errors.InvalidArgumentError, match="did not match the expected"):
        elements(lambda: Dataset.from_generator(lambda: [1], types))
    with pytest.raises(TypeError, match="`generator` must be callable"):
        Dataset.from_generator([1], dtypes.int32)

"""Shuffling: orders that depend on seeds alone, and are those of TensorFlow 1.12."""

import itertools
from collections import Counter
from unittest import mock

import numpy as np
import pytest

from tests.data.programs import drained, in_eager, in_graph, plain
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.apply_functions import shuffle_and_repeat
from twinflow.data.pipeline import shuffle
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.setting import setting
from twinflow.ops.random.streams import set_random_seed


def test_words_are_philox():
    # Random123: the known answer for key and counter zero
    found = list(itertools.islice(shuffle.words(0, 0), 4))
    assert found == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


def test_words_go_on():
    more = list(itertools.islice(shuffle.words(1, 2), 20000))
    assert len(set(more[::4])) > 4990


@pytest.mark.parametrize(
    "make, order",
    [
        (
            lambda: Dataset.range(6).shuffle(10, seed=1).repeat(3),
            [4, 5, 1, 2, 3, 0, 4, 3, 1, 5, 0, 2, 3, 5, 0, 1, 4, 2],
        ),
        (lambda: Dataset.range(6).shuffle(3, seed=1), [1, 3, 0, 5, 2, 4]),
        (lambda: Dataset.range(6).shuffle(3, seed=5), [1, 3, 4, 5, 0, 2]),
    ],
)
def test_orders_of_tensorflow_1_12(elements, make, order):
    assert elements(make) == order


def test_graph_seed_as_in_tensorflow_1_12():
    def make():
        set_random_seed(7)
        return Dataset.range(6).shuffle(10, seed=2)

    assert in_eager(make) == in_graph(make) == [2, 3, 4, 1, 5, 0]


@pytest.mark.parametrize("rows, size, count, order", [
    (6, 10, 2, [1, 2, 4, 3, 5, 0, 5, 0, 3, 4, 1, 2]),
    (6, 4, 2, [1, 2, 4, 3, 5, 0, 1, 2, 3, 4, 5, 0]),
    (3, 2, None, [1, 2, 0, 1, 2, 0, 1, 2]),
    (0, 2, -1, []),
    (4, 1, 2, [0, 1, 2, 3, 0, 1, 2, 3]),
])  # fmt: skip
def test_epochs_in_one_buffer_as_in_tensorflow_1_12(rows, size, count, order):
    def make():
        set_random_seed(7)
        mixed = Dataset.range(rows).apply(shuffle_and_repeat(size, count, seed=2))
        return mixed.take(12 if count else 8)

    assert in_eager(make) == in_graph(make) == order


def test_a_graph_seed_alone_is_enough():
    def make():
        set_random_seed(7)
        first = Dataset.range(20).shuffle(20)
        return Dataset.zip((first, Dataset.range(20).shuffle(20)))

    found = in_eager(make)
    assert found == in_graph(make) == in_graph(make, initializable=True)
    assert [a for a, _ in found] != [b for _, b in found]


def test_fixed_order(elements):
    def make():
        return Dataset.range(8).shuffle(8, 2, reshuffle_each_iteration=False).repeat(2)

    found = elements(make)
    assert found[:8] == found[8:] != sorted(found[:8])


def test_a_fixed_original_order_ignores_the_seed_of_the_op():
    """Recorded from TensorFlow 1.12."""

    def make(seed):
        set_random_seed(99)
        return Dataset.range(10).shuffle(10, seed, reshuffle_each_iteration=False)

    with mock.patch.object(setting, "original", True):
        for seed in (None, 3, 4):
            found = in_eager(lambda seed=seed: make(seed))
            assert list(found) == [4, 5, 0, 7, 1, 9, 2, 3, 8, 6]


def test_a_new_iterator_repeats_seeded_orders():
    dataset = Dataset.range(30).shuffle(30, seed=4)
    order = plain(tuple(dataset))
    assert plain(tuple(dataset)) == order
    with Graph().as_default(), Session() as session:
        iterator = Dataset.range(30).shuffle(30, seed=4).make_initializable_iterator()
        element = iterator.get_next()
        for _ in range(2):
            session.run(iterator.initializer)
            assert tuple(drained(session, element)) == order


def test_without_a_seed_orders_differ():
    dataset = Dataset.range(30).shuffle(30)
    assert plain(tuple(dataset)) != plain(tuple(dataset))


@pytest.mark.parametrize("size", [1, 3, 10, 100])
@pytest.mark.parametrize("rows", [0, 1, 3, 10])
def test_each_element_once_and_not_before_its_time(size, rows):
    found = in_eager(lambda: Dataset.range(rows).shuffle(size, seed=0))
    assert sorted(found) == list(range(rows))
    assert all(x < place + size for place, x in enumerate(found))


def test_rows_and_elements_come_in_one_order():
    rows = Dataset.from_tensor_slices(np.arange(50)).shuffle(20, seed=1)
    others = Dataset.range(50).shuffle(20, seed=1)
    whole = Dataset.from_tensor_slices(np.arange(50)).shuffle(20, seed=1).batch(7)
    found = [x for batch in whole for x in plain(batch)]
    assert found == list(plain(tuple(rows))) == list(plain(tuple(others)))


def test_orders_are_uniform():
    dataset = Dataset.range(3).shuffle(3)
    counts = Counter(plain(tuple(dataset)) for _ in range(600))
    assert len(counts) == 6 and min(counts.values()) > 50


def test_random_maps_draw_the_same_in_both_modes():
    def make():
        set_random_seed(3)
        rows = Dataset.range(4).shuffle(4, seed=1).repeat(2)
        return rows.map(lambda x: (x, random_uniform([2])), num_parallel_calls=3)

    found = in_eager(make)
    assert found == in_graph(make) == in_graph(make, initializable=True)
    assert len({tuple(draw) for _, draw in found}) == 8


def test_entropy_of_64_bits_is_written_into_a_graph():
    with Graph().as_default() as graph, mock.patch("os.urandom", lambda n: b"\xfe" * n):
        made = Dataset.range(4).shuffle(2).make_one_shot_iterator()
        assert made.get_next() is not None
        functions = graph.as_graph_def().library.function
    nodes = [n for f in functions for n in f.node_def if n.op == "Const"]
    held = {v for n in nodes for v in n.attr["value"].tensor.int64_val}
    assert int.from_bytes(b"\xfe" * 8, "little", signed=True) in held

"""Cards of datasets have first elements where taking them changes nothing."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.data import cards
from twinflow.eager.mode import MODE

D = tf.data.Dataset


@pytest.fixture(autouse=True)
def eager():
    with dispatch.entered(MODE):
        yield


def taken(dataset):
    """The first elements of a card, or why there are none."""
    try:
        found = cards._first(dataset, list(cards._chain(dataset)))
    except cards._NotShown as reason:
        return str(reason)
    return [[np.asarray(part).tolist() for part in element] for element in found]


@pytest.mark.parametrize("make, elements", [
    (lambda: D.range(9), [[0], [1], [2]]),
    (lambda: D.range(2), [[0], [1]]),
    (lambda: D.range(9).batch(4), [[[0, 1, 2, 3]], [[4, 5, 6, 7]], [[8]]]),
    (lambda: D.range(9).shuffle(9).batch(4).prefetch(1),
     [[[0, 1, 2, 3]], [[4, 5, 6, 7]], [[8]]]),
    (lambda: D.range(2).repeat(), [[0], [1], [0]]),
    (lambda: D.range(9).map(lambda x: (x, x * 2)).skip(1), [[1, 2], [2, 4], [3, 6]]),
    (lambda: D.range(9).map(lambda x: x + 1, num_parallel_calls=2), [[1], [2], [3]]),
    (lambda: D.range(9).filter(lambda x: tf.equal(x % 4, 0)), [[0], [4], [8]]),
    (lambda: D.range(3).repeat().filter(lambda x: x > 5), []),
    (lambda: D.zip((D.range(3), D.range(3, 6))).cache(), [[0, 3], [1, 4], [2, 5]]),
    (lambda: D.range(1).concatenate(D.range(5, 9)), [[0], [5], [6]]),
    (lambda: D.range(10**12), [[0], [1], [2]]),
])  # fmt: skip
def test_first_elements(make, elements):
    assert taken(make()) == elements


def test_what_is_not_taken(tmp_path):
    calls = []

    def generate():
        calls.append(1)
        yield 1

    draw = lambda x: tf.random_uniform([]) + tf.cast(x, tf.float32)
    call = lambda x: tf.py_func(lambda a: calls.append(a) or a, [x], tf.int64)
    for dataset, reason in [
        (D.from_generator(generate, tf.int64), "GeneratorDataset"),
        (D.range(9).map(draw), "RandomUniform"),
        (D.range(9).map(call), "PyFunc"),
        (tf.data.TextLineDataset(str(tmp_path / "no such file")), "TextLineDataset"),
        (D.range(10**9).batch(10**8), "100,000,000"),
        (D.range(9).flat_map(lambda x: D.range(x)), "FlatMapDataset"),
    ]:
        assert reason in taken(dataset)
        assert "elements are not shown" in dataset._repr_html_()
    assert calls == []


def test_a_card_changes_nothing():
    state = tf.contrib.eager.Variable(0.0)

    def count(x):
        state.assign_add(1.0)
        return x

    counted = D.range(5).map(count)
    assert "element 0" not in counted._repr_html_()
    assert state.numpy() == 0
    tf.set_random_seed(3)
    shuffled = D.range(9).shuffle(9)
    first = [int(x) for x in shuffled]
    tf.set_random_seed(3)
    again = D.range(9).shuffle(9)
    assert "before they are shuffled" in again._repr_html_()
    assert [int(x) for x in again] == first
    iterator = iter(D.range(3))
    next(iterator)
    assert "int64" in iterator._repr_html_()
    assert [int(x) for x in iterator] == [1, 2]


def test_components_and_errors():
    rows = {"x": np.eye(3, dtype=np.float32), "y": ("a", [1, 2])}
    text = D.from_tensors(rows)._repr_html_()
    for words in ("[&#x27;x&#x27;]", "[&#x27;y&#x27;][0]", "[&#x27;y&#x27;][1]",
                  "[3, 3]", "string", "Tensor"):  # fmt: skip
        assert words in text, words
    failing = D.range(3).map(lambda x: tf.gather([1, 2], x + 5))
    assert "the first element fails" in failing._repr_html_()
    sparse = tf.SparseTensor([[0, 0]], [1.0], [2, 2])
    assert "SparseLeaf" in D.from_tensors(sparse)._repr_html_()
    windows = D.range(4).window(2)
    assert "DatasetLeaf" in windows._repr_html_()


def test_in_a_graph_nothing_is_run():
    with tf.Graph().as_default() as graph:
        dataset = D.from_tensor_slices(tf.placeholder(tf.float32, [4, 2])).batch(2)
        iterator = dataset.make_initializable_iterator()
        before = len(graph.nodes)
        assert "a graph runs only in a session" in dataset._repr_html_()
        assert "[?, 2]" in iterator._repr_html_()
        assert len(graph.nodes) == before

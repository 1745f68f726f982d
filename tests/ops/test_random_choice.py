"""Shuffles, classes and crops."""

import numpy as np
import pytest

from twinflow.base import dispatch, dtypes
from twinflow.eager.mode import MODE
from twinflow.ops.random import choice
from twinflow.ops.random.streams import set_random_seed


@pytest.fixture(autouse=True)
def eager():
    """Eager execution without a seed."""
    with dispatch.entered(MODE):
        set_random_seed(None)
        yield
        set_random_seed(None)


def test_shuffle_moves_whole_rows():
    set_random_seed(7)
    rows = np.arange(40).reshape(20, 2)
    found = choice.random_shuffle(rows).numpy()
    assert not np.array_equal(found, rows)
    np.testing.assert_array_equal(found[np.argsort(found[:, 0])], rows)
    assert choice.random_shuffle(3).numpy() == 3
    assert set(choice.random_shuffle(["a", "b"]).numpy()) == {b"a", b"b"}


@pytest.mark.parametrize("samples", [40, 8000])
def test_multinomial_has_the_probabilities_of_softmax(samples):
    set_random_seed(7)
    p = np.array([[0.1, 0.2, 0.0, 0.7], [0.0, 0.5, 0.5, 0.0]])
    with np.errstate(divide="ignore"):
        logits = np.tile(np.log(p) + 3, (16000 // samples, 1))
    found = choice.multinomial(logits, samples)
    assert found.dtype is dtypes.int64 and found.numpy().shape == (len(logits), samples)
    for row in (0, 1):
        ids = found.numpy()[row::2]
        counts = np.bincount(ids.ravel(), minlength=4) / ids.size
        np.testing.assert_allclose(counts, p[row], atol=0.015)
        assert np.all(counts[p[row] == 0] == 0)


def test_multinomial_is_equal_by_rows_and_at_once(monkeypatch):
    logits = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
    set_random_seed(7)
    at_once = choice.categorical(logits, 9, dtypes.int32)
    monkeypatch.setattr(choice, "_ROWS", 0)
    set_random_seed(7)
    by_rows = choice.multinomial(logits, 9, output_dtype=dtypes.int32)
    assert by_rows.dtype is dtypes.int32
    np.testing.assert_array_equal(by_rows.numpy(), at_once.numpy())


def test_crops_are_blocks_of_the_value():
    set_random_seed(7)
    value = np.arange(30).reshape(5, 6)
    places = set()
    for _ in range(200):
        found = choice.random_crop(value, [2, 3]).numpy()
        row, column = divmod(int(found[0, 0]), 6)
        np.testing.assert_array_equal(found, value[row : row + 2, column : column + 3])
        places.add((row, column))
    assert len(places) == 4 * 4
    np.testing.assert_array_equal(choice.random_crop(value, (5, 6)).numpy(), value)

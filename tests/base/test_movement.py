"""Large arrays on the move are where NumPy would have put them."""

import os

import numpy as np
import pytest

from twinflow.base import movement

needs_module = pytest.mark.skipif(movement._fast is None, reason="no C module")
CASES = int(os.environ.get("TWINFLOW_CASES", "100"))
KINDS = ["f", "d", "i", "q", "?", "b", "D"]


@pytest.fixture(autouse=True)
def small_ones_too(monkeypatch):
    monkeypatch.setattr(movement, "LARGE", 1)
    monkeypatch.setattr(movement, "_FEW", 1)


def shapes(random, most=4.8):
    """A shape of 1 to 4 axes, of few or of many elements."""
    rank = random.integers(1, 5)
    size = 10 ** random.uniform(0, most)
    return [int(n) + 1 for n in size ** random.dirichlet(np.ones(rank))]


@needs_module
def test_joined():
    random = np.random.default_rng(1)
    for _ in range(CASES):
        shape, dtype = shapes(random), random.choice(KINDS)
        axis = int(random.integers(-len(shape), len(shape)))
        values = []
        for _ in range(random.integers(1, 5)):
            shape[axis] = int(random.integers(0, 9))
            value = np.asarray(random.integers(0, 99, shape), dtype)
            turned = random.random() < 0.3
            values.append(np.asfortranarray(value) if turned else value)
        found = movement.joined(values, axis)
        wanted = np.concatenate(values, axis)
        if found is not None:
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype
    assert movement.joined([np.ones((2, 3)), np.ones((3, 3))], 1) is None
    assert movement.joined([np.ones((2, 3)), np.ones((2, 3), "f")], 0) is None


def a_view(random, x):
    """Axes in another order, some of them turned round, thinned out or repeated."""
    x = x.transpose(random.permutation(x.ndim))
    steps = random.choice([1, 1, 1, -1, 2, -3], x.ndim)
    x = x[tuple(slice(None, None, int(step)) for step in steps)]
    if random.random() < 0.2:
        x = x[tuple(slice(int(n > 2), None) for n in x.shape)]
    if random.random() < 0.2:
        at = int(random.integers(0, x.ndim + 1))
        wide = np.expand_dims(x, at)
        shape = [*x.shape[:at], int(random.integers(0, 5)), *x.shape[at:]]
        x = np.broadcast_to(wide, shape)
    return x


@needs_module
def test_laid_out():
    random = np.random.default_rng(4)
    for _ in range(CASES):
        shape, dtype = shapes(random), random.choice(KINDS)
        x = random.integers(0, 250, (*shape, np.dtype(dtype).itemsize)).astype("B")
        x = a_view(random, x.view("B" if dtype == "?" else dtype)[..., 0])
        wanted = np.array(x, order="C")
        found = movement.laid_out(x)
        assert found.flags.c_contiguous and found.dtype == x.dtype
        assert found.tobytes() == wanted.tobytes(), (x.shape, x.strides)
        assert movement.reshaped(x, (-1,)).tobytes() == wanted.tobytes()
        place = a_view(random, np.zeros(x.shape, x.dtype).T)
        if place.shape == x.shape and place.size and 0 not in place.strides:
            movement.put(place, x)
            assert place.tobytes() == wanted.tobytes()


@needs_module
def test_repeated():
    random = np.random.default_rng(5)
    for _ in range(CASES):
        shape, dtype = shapes(random, 4), random.choice(KINDS)
        x = a_view(random, np.asarray(random.integers(0, 99, shape), dtype))
        times = tuple(random.integers(0, 4, x.ndim).tolist())
        found, wanted = movement.tiled(x, times), np.tile(x, times)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        value = x[(0,) * x.ndim] if x.size else np.asarray(3, dtype)
        found = movement.filled(tuple(shape), value, value.dtype)
        np.testing.assert_array_equal(found, np.full(shape, value))


@needs_module
def test_views_stay_views():
    x = np.arange(60.0).reshape(5, 12)[:, :8]
    assert np.shares_memory(movement.reshaped(x, (5, 2, 4)), x)
    assert not np.shares_memory(movement.reshaped(x, (40,)), x)
    with pytest.raises(ValueError, match="cannot reshape"):
        movement.reshaped(x.T, (7, 7))


@needs_module
@pytest.mark.parametrize("width", [1, 3, 37, 1000])
def test_large_sums_are_in_order(width):
    random = np.random.default_rng(6)
    rows = random.standard_normal((300_000 // width, width), "f")
    ids = random.integers(-1, 300, len(rows))
    wanted = np.zeros((300, width), "f")
    np.add.at(wanted, ids[ids >= 0], rows[ids >= 0])
    np.testing.assert_array_equal(movement.summed(rows, ids, 300), wanted)


@needs_module
def test_taken_and_summed():
    random = np.random.default_rng(2)
    for _ in range(CASES):
        shape, dtype = shapes(random), random.choice(KINDS)
        x = np.asarray(random.integers(0, 99, shape), dtype)
        count = random.integers(1, 500)
        ids = random.integers(-2, len(x) + 2, count).astype(random.choice(["i", "q"]))
        axis = int(random.integers(-len(shape), len(shape)))
        found = movement.taken(x, ids, axis)
        np.testing.assert_array_equal(found, np.take(x, ids, axis, mode="clip"))
        if dtype in "fd":
            rows = random.standard_normal((count, *shape[1:])).astype(dtype)
            inside = (ids >= 0) & (ids < len(x))
            wanted = np.zeros(shape, dtype)
            np.add.at(wanted, ids[inside], rows[inside])
            found = movement.summed(rows, ids, len(x))
            np.testing.assert_array_equal(found, wanted)  # in the order of the rows
            added = np.ones(shape, dtype)
            np.add.at(added, ids[inside], rows[inside])
            out = np.ones(shape, dtype)
            assert movement.add_to(out, ids, rows)
            np.testing.assert_array_equal(out, added)
            picks = random.integers(0, count, 300).astype(random.choice(["i", "q"]))
            found = movement.summed(rows, ids[picks], len(x), picks)
            wanted = movement.summed(rows[picks], ids[picks], len(x))
            np.testing.assert_array_equal(found, wanted)


@needs_module
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_running_sums(dtype):
    random = np.random.default_rng(3)
    for _ in range(CASES):
        shape = shapes(random)
        axis = int(random.integers(-len(shape), len(shape)))
        check_running(random, shape, axis, dtype)
    for n in (65535, 65536, 65537, 81920, 200_003):  # blocks and what is left
        check_running(random, [n], 0, dtype)
        check_running(random, [3, n], 1, dtype)


def check_running(random, shape, axis, dtype):
    x = random.standard_normal(shape).astype(dtype)
    exclusive, reverse = (bool(v) for v in random.random(2) < 0.5)
    found = movement.running_sum(x, axis, exclusive, reverse)
    ahead = np.flip(x, axis) if reverse else x
    exact = np.cumsum(ahead.astype(np.longdouble), axis)
    alone = np.abs(np.cumsum(ahead, axis) - exact).max()  # NumPy's error
    wanted = exact - ahead if exclusive else exact
    wanted = np.flip(wanted, axis) if reverse else wanted
    least = 1e-5 if dtype == "f" else 1e-13
    assert np.abs(found - wanted).max() <= 2 * alone + least, (shape, axis)
    whole = movement.running_sum(np.round(x), axis, bool(exclusive), bool(reverse))
    exact = np.flip(np.round(x), axis) if reverse else np.round(x)
    exact = np.cumsum(exact.astype("d"), axis) - (exact if exclusive else 0)
    exact = np.flip(exact, axis) if reverse else exact
    np.testing.assert_array_equal(whole, exact)  # every entry once, at its place


@needs_module
def test_running_sums_of_odd_numbers():
    x = np.zeros(100_000, "f")
    x[70_000], x[90_000] = np.inf, -np.inf
    found = movement.running_sum(x, 0, False, False)
    assert (found[:70_000] == 0).all() and (found[70_000:90_000] == np.inf).all()
    assert np.isnan(found[90_000:]).all()


@needs_module
def test_wrong_sizes_are_refused():
    fast, out = movement._fast, np.zeros((4, 3), "f")
    rows, ids = np.ones((5, 3), "f"), np.zeros(5, "i")
    with pytest.raises(ValueError, match="add_rows: the sizes"):
        fast.add_rows(out, rows, ids, 4, 6, 3, 4, False)
    with pytest.raises(ValueError, match="take_rows: the sizes"):
        fast.take_rows(rows, out, ids, 5, 5, 3, 4, False)
    with pytest.raises(ValueError, match="sum_rows: the sizes"):
        fast.sum_rows(out, rows, ids, ids[:0], 4, 6, 3, 4, False, False)
    with pytest.raises(ValueError, match="sum_rows: the sizes"):
        fast.sum_rows(out, rows, ids, ids + 5, 4, 5, 3, 4, False, False)
    with pytest.raises(ValueError, match="relocate: the sizes"):
        fast.relocate(out, rows)
    with pytest.raises(ValueError, match="relocate: the sizes"):
        fast.relocate(out, np.ones((4, 3)))
    with pytest.raises(ValueError, match="join: the sizes"):
        fast.join(out, [rows], 4)
    with pytest.raises(ValueError, match="running_sum: the sizes"):
        fast.running_sum(out, rows, 1, 5, 3, False, False, 4)
    with pytest.raises(TypeError, match="read-write"):
        fast.join(np.broadcast_to(out, (4, 3)), [out], 4)


@needs_module
def test_marked():
    random = np.random.default_rng(9)
    for _ in range(CASES):
        dtype, ids_dtype = np.dtype(random.choice(KINDS)), random.choice(["i", "q"])
        depth = int(10 ** random.uniform(0, 4.5))
        shape = random.integers(1, 9, random.integers(0, 4))
        ids = random.integers(-2, depth + 3, shape).astype(ids_dtype)
        ids = a_view(random, ids) if random.random() < 0.3 and ids.ndim else ids
        values = random.choice([0, 1, 3], 2)
        on, off = (np.asarray(v, dtype) for v in values)
        found = movement.marked(ids, depth, on, off)
        if ids.size * depth < 1:
            assert found is None
            continue
        wanted = np.where(ids[..., None] == np.arange(depth), on, off)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == dtype
    zero, one = np.zeros((), "f"), np.ones((), "f")
    assert movement.marked(np.ones(9, np.uint8), 9, one, zero) is None
    assert movement.marked(np.ones(9, int), 9, one, zero.astype("d")) is None
    marks, out = movement._fast.one_hot, np.zeros((4, 5), "f")
    for wrong in (np.zeros(3, int), np.zeros(0, int)):
        with pytest.raises(ValueError, match="sizes"):
            marks(out, wrong, one, zero, True)
    with pytest.raises(ValueError, match="sizes"):
        marks(out, np.zeros(4, int), one, np.zeros((), "d"), True)

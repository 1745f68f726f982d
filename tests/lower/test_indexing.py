"""x[i] for an i that only a run knows: compiled once, with a guard for the range."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, compiled, eager, interpreted, plans, run, states

tfe = tf.contrib.eager
X = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)

KEYS = {
    "one": lambda i, j: i,
    "two": lambda i, j: (i, j),
    "all": lambda i, j: (i, j, i + 2),
    "beside a constant": lambda i, j: (i, 2),
    "before a slice": lambda i, j: (i, np.s_[1:]),
    "between slices": lambda i, j: (np.s_[:], j, np.s_[::2]),
    "around a slice": lambda i, j: (i, np.s_[1:3], j),
    "after an ellipsis": lambda i, j: (..., j),
    "before an ellipsis": lambda i, j: (i, ..., 1),
    "with a new axis": lambda i, j: (None, i, None, j),
    "from the end": lambda i, j: (-1 - i, np.s_[::-1], -1 - j),
}


def indexed(name):
    def build():
        return lambda x, i, j: x[KEYS[name](i, j)]

    return build


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", KEYS)
def test_as_numpy(name, way):
    for i, j in [(0, 2), (1, 0)]:
        found = run(way, indexed(name), X, i, j)
        np.testing.assert_array_equal(found, X[KEYS[name](i, j)])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", KEYS)
def test_slopes_in_a_loop(name, way):
    """What the loop variables choose, squared, and its slope."""

    def build():
        def f(x):
            def body(i, y):
                part = x[KEYS[name](i, i + 1)]
                return i + 1, y + tf.reduce_sum(part * part)

            return tf.while_loop(lambda i, y: i < 2, body, [0, 0.0])[1]

        def both(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return y, tape.gradient(y, x)

        return both

    total, slope = np.float32(0.0), np.zeros_like(X)
    for i in range(2):
        part = X[KEYS[name](i, i + 1)]
        total += np.sum(part * part)
        slope[KEYS[name](i, i + 1)] += 2 * part
    y, dx = run(way, build, X)
    assert y == total
    np.testing.assert_array_equal(dx, slope)


def test_another_index_compiles_nothing_anew():
    f = tfe.defun(lambda x, i: x[i, 1:])
    with eager(), compiled():
        x = tf.constant(X)
        for i in (0, 1, -1, -2):
            assert f(x, tf.constant(i)).numpy().tolist() == X[i, 1:].tolist()
        assert [states(p) for p in plans(f, x, tf.constant(0))] == [["chosen"]]


def test_slopes_for_another_index_compile_nothing_anew():
    f = tfe.defun(lambda x, i: x[i, 1:] * x[i, :-1])
    with eager(), compiled() as entries:
        x = tf.constant(X)
        for i in (0, 1, -1, -2):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x, tf.constant(i))
            dx, wanted = tape.gradient(y, x).numpy(), np.zeros_like(X)
            wanted[i, 1:] += X[i, :-1]
            wanted[i, :-1] += X[i, 1:]
            np.testing.assert_array_equal(dx, wanted)
        assert len(entries) == 2


def test_a_fed_index_is_not_taken_for_what_it_was_made_of():
    with tf.Graph().as_default(), compiled(), tf.Session() as session:
        x, i = tf.constant(X), tf.placeholder(tf.int32, [])
        begin = tf.stack([i, 1])
        y = tf.strided_slice(x, begin, [0, 0], [1, 1], shrink_axis_mask=3)
        for value in ([1, 2], [0, 0]):
            found = session.run(y, {begin: np.int32(value)})
            assert found.tolist() == X[tuple(value)].tolist()
        assert session.run(y, {i: 1}).tolist() == X[1, 1].tolist()


@pytest.mark.parametrize("engine", [interpreted, compiled])
@pytest.mark.parametrize("at", [(2, 0), (-3, 0), (0, 3), (1, -4)])
def test_out_of_range(at, engine):
    @tfe.defun
    def f(x, i, j):
        count.assign_add(1)
        return x[i, j]

    @tfe.defun
    def in_loop(x, i, j):
        def body(k, y):
            count.assign_add(1)
            return k + 1, y + x[i + 0 * k, j]

        return tf.while_loop(lambda k, y: k < 3, body, [0, tf.zeros([4])])[1]

    with eager():
        count = tfe.Variable(0)
        for g in (f, in_loop):
            with engine():
                x = tf.constant(X)
                g(x, tf.constant(1), tf.constant(2))
                before = int(count)
                with pytest.raises(
                    tf.errors.InvalidArgumentError,
                    match=r"slice index .* out of bounds",
                ):
                    g(x, *map(tf.constant, at))
                assert int(count) == before


def test_bounds_of_slices_are_still_compiled_by_value():
    f = tfe.defun(lambda x, i: x[i : i + 1, i])
    with eager(), compiled():
        x = tf.constant(X)
        for i in (0, 1):
            assert f(x, tf.constant(i)).numpy().tolist() == X[i : i + 1, i].tolist()


MOVING = {
    "one row": (lambda x, i: x[i : i + 1, i], None),
    "two rows": (lambda x, i: x[2 * i - i : i + 2], None),
    "a batch": (lambda x, i: x[:, 2 * i : 2 * (i + 1)], None),
    "from the middle": (lambda x, i: x[i + 1 : 2 + i, ..., 1 - i : 3 - i], None),
    "of no fixed size": (lambda x, i: x[: i + 1], "strided_slice"),
    "every other": (lambda x, i: x[i : i + 2 : 2], "strided_slice"),
}


def moving(part):
    """A loop over slices that move, with slopes."""

    def f(x):
        def body(i, y):
            return i + 1, y + tf.reduce_sum(tf.square(part(x, i)))

        with tf.GradientTape() as tape:
            tape.watch(x)
            _, y = tf.while_loop(lambda i, y: i < 2, body, [0, 0.0])
        return y, tape.gradient(y, x)

    return f


@pytest.mark.parametrize("way", ["compiled function", "compiled session"])
@pytest.mark.parametrize("name", MOVING)
def test_slices_that_move_in_a_loop(name, way):
    part, refusals = MOVING[name]
    wanted = run("eager", lambda: moving(part), X)
    found = run(way, lambda: moving(part), X, refusals=refusals)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_windows_that_leave_the_axis_go_to_the_interpreter():
    f = tfe.defun(
        lambda x, n: tf.while_loop(
            lambda i, y: i < n,
            lambda i, y: (i + 1, y + tf.size(x[i : i + 2])),
            [n - 2, 0],
        )[1]
    )
    with eager(), compiled():
        x = tf.constant(X)
        assert [f(x, tf.constant(n)).numpy() for n in (2, len(X), 1, len(X) + 1)] == [
            sum(X[i : i + 2].size for i in range(n - 2, n))
            for n in (2, len(X), 1, len(X) + 1)
        ]

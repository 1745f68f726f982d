"""What a tape hands out is nobody else's: not kept, not twice, not the user's own."""

import itertools

import numpy as np
import pytest

import twinflow as tf
from tests.support import op_cases  # noqa: F401 - loads the rows
from tests.support.op_cases.table import CASES
from tests.support.op_checks import _floats_of, _split, call, differentiated
from tests.ways import WAYS, eager, run
from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.contrib import eager as tfe
from twinflow.ops.core.index import IndexedSlices


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def slope(target, source, **how):
    """d target(source) / d source, by a tape of its own."""
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = target(source)
    return tape.gradient(y, source, **how)


def two_slopes(x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x + y
    return tape.gradient(z, [x, y])


# ------------------------------------------------------------------ one for each
def test_a_gradient_of_one_is_no_literal():
    x, b, w = tf.constant(2.0), tf.constant(0.5), tf.constant(5.0)
    g = slope(lambda b: x + b, b)
    assert slope(lambda g: g * w + x * 1.0, g).numpy() == 5.0


@pytest.mark.parametrize("number", [1.0, 1, -1.0, 0.5, 2, 1e300])
@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64, tf.complex64])
def test_a_literal_is_never_a_watched_tensor(dtype, number):
    """Whatever is handed out for a number first, the number stays a number."""
    w, n = tf.constant(5, dtype), tf.constant(number, dtype)
    handed_out = [
        n, w * 0 + number, tf.convert_to_tensor(number, dtype), tf.ones_like(w),
        slope(lambda x: x + number, w), slope(lambda x: number * x, w),
        slope(lambda x: x + w, n, output_gradients=n),
    ]  # fmt: skip
    for t in handed_out:
        found = slope(lambda t: t * 3 + w * number + number * w, t)
        assert found.numpy() == 3, t


@pytest.mark.parametrize("way", WAYS[:3])
def test_the_gradients_of_a_sum_are_two(way):
    def build():
        def f(x, y):
            gx, gy = two_slopes(x, y)
            return slope(lambda g: g * 3.0 + gy * 5.0, gx)

        return f

    assert run(way, build, np.float32(2), np.float32(7)) == 3.0


def test_the_gradients_of_one_tensor_asked_for_twice_are_two():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    a, b = tape.gradient(y, [x, x])
    c = tape.gradient(y, x)
    assert [float(t) for t in (a, b, c)] == [6.0] * 3
    assert len({id(a), id(b), id(c)}) == 3
    assert slope(lambda a: a + 10.0 * b + 100.0 * c, a).numpy() == 1.0


@pytest.mark.parametrize("way", WAYS[:3])
def test_an_incoming_gradient_is_not_handed_back(way):
    def build():
        def f(x, dy):
            g = slope(lambda x: x + 1.0, x, output_gradients=dy)
            return slope(lambda g: g * 3.0 + dy * 5.0, g)

        return f

    assert run(way, build, np.float32(2), np.float32(7)) == 3.0


def test_the_rows_of_a_lookup_are_not_handed_back():
    table, dy = tf.ones([4, 2]), tf.ones([3, 2])
    g = slope(lambda t: tf.gather(t, [0, 1, 1]), table, output_gradients=dy)
    assert isinstance(g, IndexedSlices) and g.values is not dy
    with tf.GradientTape() as tape:
        tape.watch(g.values)
        z = tf.reduce_sum(g.values * 3.0 + dy)
    assert tape.gradient(z, g.values).numpy().tolist() == [[3.0, 3.0]] * 3


def test_what_a_gradient_rule_hands_on_stays_the_users():
    mine = tf.constant(7.0)

    @tf.custom_gradient
    def f(x):
        return x * 2.0, lambda dy: mine

    g = slope(f, tf.constant(1.0))
    assert g is not mine and slope(lambda g: g * 3.0 + mine, g).numpy() == 3.0


def test_an_outer_tape_sees_through_what_is_handed_out():
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([x, y])
        with tf.GradientTape() as inner:
            inner.watch([x, y])
            z = (x * y) + (x * y)
        gx, gy = inner.gradient(z, [x, y])
        total = gx * gy
    assert [float(outer.gradient(gx, t)) for t in (y, gx)] == [2.0, 1.0]
    assert float(outer.gradient(total, x)) == 12.0  # of 2y * 2x


@pytest.mark.parametrize("use_data_dep", [True, False])
def test_one_tensor_for_two_arguments_of_a_recomputed_function(use_data_dep):
    f = tf.contrib.layers.recompute_grad(lambda a, b: a * b * b, use_data_dep)
    assert slope(lambda x: f(x, x), tf.constant(2.0)).numpy() == 12.0
    v = tfe.Variable(2.0)
    with tf.GradientTape() as tape:
        y = f(v, v)
    assert tape.gradient(y, v).numpy() == 12.0


# ------------------------------------------------------------------ what is kept
def test_kept_numbers_have_the_dtype_that_they_are_kept_with():
    for dtype in (tf.int32, tf.int64, tf.uint8, tf.bool, tf.float32, tf.complex128):
        x = tf.cast([1, 0], dtype)
        repr(x), repr(x[0])  # a tensor that was printed has a number
        for t in (x, x[0], tf.cast(1, dtype)):
            with tf.GradientTape() as tape:
                tape.watch(t)
            tape.gradient(t, [t])
            tape2 = tf.GradientTape(persistent=True)
            with tape2:
                y = tf.cast(tf.cast(t, tf.float32) + 1.0, dtype)
            tape2.gradient(y, [t])
    for dtype in dtypes.ALL_TYPES:
        for number, array in dtype.scalars.items():
            assert dtype.is_inexact and array.dtype == dtype.np
            assert tf.constant(number, dtype).numpy() == array
            assert not array.flags.writeable and not isinstance(array, Tensor)


def test_the_gradient_of_an_integer_leaves_addition_as_it_was():
    x = tf.constant([1, 2])
    repr(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
    assert tape.gradient(x, [x]) == [None]
    one = tf.constant(1)
    repr(one)
    with tf.GradientTape() as tape:
        y = one * 2
    repr(y)
    tape.gradient(y, [one])
    for number in (1.0, 1.5):
        with pytest.raises(TypeError, match="Expected int32, got"):
            tf.constant([1, 2]) + number


def test_a_callback_may_watch_what_it_is_shown():
    shown = []

    def callback(op_type, inputs, attrs, outputs, op_name):
        shown.extend([*inputs, *outputs])

    tfe.add_execution_callback(callback)
    try:
        y = tf.constant(2.0) * 3.0
    finally:
        tfe.clear_execution_callbacks()
    assert y.numpy() == 6.0 and len(shown) > 2
    for t in shown:
        assert slope(lambda t: t + tf.constant(2.0) * 3.0, t).numpy() == 1.0


def test_a_traced_function_has_its_literals_as_constants():
    """And not as captures, which they would be if a kept tensor stood for them."""
    captured = tf.constant(2.0)
    for _ in range(2):
        f = tfe.defun(lambda: captured * 0.75 + 0.25)
        assert f().numpy() == 1.75
        assert list(f.trace().graph.captures) == [captured]
        _ = captured * 0.75 + 0.25  # now the numbers are kept


# ------------------------------------------------------------------ every op
def _tensors(values):
    return [
        t.values if isinstance(t, IndexedSlices) else t for t in values if t is not None
    ]


@pytest.mark.parametrize("first", range(8))
def test_gradients_of_every_op_are_tensors_of_their_own(first):
    seen = 0
    for row in itertools.islice(CASES, first, None, 8):
        places = differentiated(row)
        if not places:
            continue
        arrays, rebuild = _split(row, places)
        xs = [tf.constant(a) for a in arrays]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(xs)
            ys = _floats_of(call(row, rebuild(xs)))
        dys = [tf.ones_like(y) for y in ys]
        grads = _tensors(tape.gradient(ys, xs, dys) + tape.gradient(ys, xs))
        held = {id(t) for t in [*xs, *ys, *dys]}  # a few ops give what they take
        assert len(held | {id(t) for t in grads}) == len(held) + len(grads), row.name
        assert not any(t._id in tape.watched for t in grads), row.name
        seen += len(grads)
    assert seen > 100

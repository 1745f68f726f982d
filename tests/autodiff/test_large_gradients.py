"""Large gradients: sums in the place of a summand, and views of what is repeated."""

import functools
import gc
import pickle
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager as eagerly
from twinflow.autodiff.backprop import _laid_out
from twinflow.base import dispatch, native
from twinflow.ops.core.broadcast import is_repeated

pytestmark = pytest.mark.usefixtures("eager")
SHAPE = (200, 300)
VALUES = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)


def slopes(function, *values, output_gradients=None, persistent=False):
    xs = [tf.convert_to_tensor(v) for v in values]
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(xs)
        y = function(*xs)
    return tape.gradient(y, xs, output_gradients)


# ------------------------------------------------------------------ sums in place
@pytest.mark.skipif(native.fast is None, reason="no C module")
def test_sums_take_no_memory_of_their_own():
    """Of many summands only the sum, the newest and the products behind it live."""
    x = tf.constant(np.ones((1000, 1000), np.float32))
    wanted = x._a.nbytes
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.add_n([x * float(i) for i in range(8)])
    up = tf.constant(np.ones((1000, 1000), np.float32))
    gc.collect()
    tracemalloc.start()
    dx = tape.gradient(y, x, up)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (dx.numpy() == 28).all()
    assert most < 2.2 * wanted


def test_sums_are_those_of_numpy():
    u = np.float32(0.5) * VALUES
    found = slopes(lambda x: x * 3.0 + x * x + x / 7.0, VALUES,
                   output_gradients=tf.constant(u))[0]  # fmt: skip
    third = u / np.float32(7)
    product = u * VALUES
    wanted = (third + (product + product)) + u * np.float32(3)
    np.testing.assert_allclose(found.numpy(), wanted, 1e-6, 1e-6)


def held_by_a_list(kept, dx):
    kept.append(dx)


def held_by_an_array(kept, dx):
    kept.append(dispatch.wrap(dx._a, dx.dtype))


def held_by_a_part(kept, dx):
    kept.append(dispatch.wrap(dx._a[1:], dx.dtype))


def held_by_memory(kept, dx):
    kept.append(memoryview(dx._a))


def held_by_a_closure(kept, dx):
    kept.append(lambda: dx)


def held_by_a_generator(kept, dx):
    def give():
        yield 1
        yield dx

    found = give()
    next(found)
    kept.append(found)


def held_by_a_cell_of_numpy(kept, dx):
    found = np.empty(1, object)
    found[0] = dx
    kept.append(found)


def held_by_a_partial(kept, dx):
    kept.append(functools.partial(tf.identity, dx))


def value_of(kept):
    if isinstance(kept, np.ndarray):
        kept = kept[0]
    elif hasattr(kept, "__next__"):
        kept = next(kept)
    elif callable(kept):
        kept = kept()
    return np.array(kept) if isinstance(kept, memoryview) else kept.numpy()


@pytest.mark.parametrize("hold", [f for n, f in globals().items() if "held_by" in n])
@pytest.mark.parametrize("first", [True, False])
def test_what_somebody_holds_stays_as_it_is(hold, first):
    kept = []

    @tf.custom_gradient
    def watched(x):
        def grad(dy):
            dx = dy * 2.0
            hold(kept, dx)
            return dx

        return tf.identity(x), grad

    def function(x):
        a, b = (watched(x), x * 5.0) if first else (x * 5.0, watched(x))
        return a + b if first else b + a

    up = tf.constant(VALUES)
    found = slopes(function, VALUES, output_gradients=up)[0]
    np.testing.assert_allclose(found.numpy(), VALUES * 7, 1e-5)
    np.testing.assert_array_equal(up.numpy(), VALUES)
    wanted = VALUES[1:] if hold is held_by_a_part else VALUES
    np.testing.assert_array_equal(value_of(kept[0]), wanted * 2)


def test_weak_references_see_no_sum():
    seen = []

    @tf.custom_gradient
    def watched(x):
        def grad(dy):
            dx = dy * 2.0
            alive = weakref.ref(dx)
            seen.append(lambda: alive() is None or alive().numpy())
            return dx

        return tf.identity(x), grad

    @tf.custom_gradient
    def looking(x):
        def grad(dy):
            seen.append(seen[0]())
            return dy * 3.0

        return tf.identity(x), grad

    slopes(lambda x: looking(x * 1.0) + watched(x), VALUES,
           output_gradients=tf.constant(VALUES))  # fmt: skip
    assert seen[1] is True or (seen[1] == VALUES * 2).all()


def test_upstream_and_former_gradients_stay_as_they_are():
    up = tf.constant(VALUES)
    x = tf.constant(VALUES)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x + x * 2.0 + tf.identity(x) + (x - 1.0)
        z = y + y
    first = tape.gradient(z, [x, y], up)
    copies = [t.numpy() for t in first]
    second = tape.gradient(z, [x, y], [up])
    for a, b, c in zip(first, second, copies, strict=True):
        np.testing.assert_array_equal(a.numpy(), c)
        np.testing.assert_array_equal(b.numpy(), c)
    np.testing.assert_array_equal(up.numpy(), VALUES)
    np.testing.assert_array_equal(x.numpy(), VALUES)
    np.testing.assert_allclose(copies[0], VALUES * 10, 1e-5)
    np.testing.assert_allclose(copies[1], VALUES * 2)


def test_gradients_of_gradients_are_not_written_over():
    x = tf.constant(VALUES)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x + 2.0 * x * x
        dx = inner.gradient(y, x)
    np.testing.assert_allclose(outer.gradient(dx, x), 6 * VALUES + 4, 1e-4, 1e-4)


def test_a_tape_that_has_stopped_keeps_what_it_recorded():
    x = tf.constant(VALUES)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * 3.0
            twice = x * x
            both = y + twice
        with outer.stop_recording():
            first = inner.gradient(both, x)
        z = twice + y
    np.testing.assert_allclose(first, 3 + 2 * VALUES, 1e-5)
    np.testing.assert_allclose(outer.gradient(z, x), 3 + 2 * VALUES, 1e-5)


def test_threads_add_beside_each_other():
    x, wrong = tf.constant(VALUES), []

    def work(n):
        with eagerly():
            for _ in range(20):
                (dx,) = slopes(lambda x: tf.reduce_sum(x * float(n) + x * 2.0 + x), x)
                if not (dx.numpy() == n + 3).all():
                    wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_moments_add_to_what_has_arrived():
    """Layer normalization: both ways back to x meet in one array."""
    rng = np.random.default_rng(1)
    for shape, axes in (((64, 300), [1]), ((300, 64), [0]), ((20, 9, 130), [2])):
        x = rng.standard_normal(shape).astype(np.float32)
        up = rng.standard_normal(shape).astype(np.float32)

        def function(x, axes=axes):
            mean, variance = tf.nn.moments(x, axes, keep_dims=True)
            width = int(x.shape[-1])
            ones = tf.ones([width])
            return tf.nn.batch_normalization(x, mean, variance, ones, ones, 1e-3)

        found = slopes(function, x, output_gradients=tf.constant(up))[0].numpy()
        wide, u = x.astype(float), up.astype(float)
        keep = {"axis": tuple(axes), "keepdims": True}
        rate = 1 / np.sqrt(wide.var(**keep) + 1e-3)
        h = (wide - wide.mean(**keep)) * rate
        wanted = rate * (u - u.mean(**keep) - h * (u * h).mean(**keep))
        np.testing.assert_allclose(found, wanted, 1e-3, 2e-5)


# ------------------------------------------------------------------ repeated gradients
REPEATED = [
    (lambda x: tf.reduce_sum(x), lambda x: np.ones_like(x)),
    (lambda x: tf.reduce_mean(x), lambda x: np.full_like(x, 1 / x.size)),
    (lambda x: tf.reduce_sum(x, 0), lambda x: np.ones_like(x)),
    (lambda x: tf.reduce_sum(x, 1), lambda x: np.ones_like(x)),
    (lambda x: tf.reduce_mean(x, -1, keepdims=True), lambda x: np.ones_like(x) / 300),
]


@pytest.mark.parametrize("function, wanted", REPEATED)
def test_gradients_of_sums_are_arrays_to_their_users(function, wanted):
    dx = slopes(function, VALUES)[0]
    a, wanted = dx.numpy(), wanted(VALUES)
    np.testing.assert_allclose(a, wanted, 1e-6)
    assert a.flags.writeable and a.flags.c_contiguous and a.flags.owndata
    a[0, 0] = 7.0
    np.testing.assert_allclose(dx.numpy(), wanted, 1e-6)
    b = np.array(dx)
    b += 1
    np.testing.assert_allclose(dx.numpy(), wanted, 1e-6)


def repeated():
    """A gradient that is a view: rows, columns, one number."""
    shapes = [((1, 300), 0), ((200, 1), 1), ((), None)]
    up = [tf.constant(np.ravel(VALUES)[: max(1, int(np.prod(s)))].reshape(s))
          for s, _ in shapes]  # fmt: skip
    for (shape, axis), u in zip(shapes, up, strict=True):
        keep = {} if axis is None else {"keepdims": True}
        dx = slopes(lambda x, a=axis, k=keep: tf.reduce_sum(x, a, **k), VALUES,
                    output_gradients=u)[0]  # fmt: skip
        assert is_repeated(dx._a), shape
        yield dx, tf.constant(dx.numpy())


def through_a_variable(v):
    w = tf.Variable(v)
    w.assign_add(v)
    w.assign(v * 2.0)
    tf.scatter_update(w, [0, 3], w.read_value()[:2] * 0.0)
    w[1:3].assign(w.read_value()[5:7])
    return w.read_value()


def through_an_optimizer(kind):
    def step(v):
        w = tf.Variable(VALUES)
        for _ in range(2):
            kind().apply_gradients([(v, w)])
        return w.read_value()

    return step


def through_numpy(v):
    def change(a):
        a = np.array(a)
        a[0] = 1
        return a * 2

    return tf.py_func(change, [v], tf.float32)


def through_a_data_set(v):
    return list(tf.data.Dataset.from_tensor_slices(v).batch(7))[2]


def pickled(v):
    return pickle.loads(pickle.dumps(v))


ONES = np.ones(SHAPE, np.float32)
USES = [
    lambda v: tf.matmul(v, VALUES, transpose_b=True),
    lambda v: tf.matmul(v, VALUES, transpose_a=True),
    lambda v: tf.matmul(VALUES, v, transpose_b=True),
    lambda v: tf.reshape(v, [300, 200]),
    lambda v: tf.transpose(v),
    lambda v: tf.concat([v, VALUES], 1),
    lambda v: tf.stack([v, v]),
    lambda v: tf.split(v, 3, 1)[1],
    lambda v: tf.pad(v, [[1, 1], [2, 2]]),
    lambda v: tf.gather(v, [3, 1, 7]),
    lambda v: tf.nn.softmax(v),
    lambda v: tf.nn.softmax_cross_entropy_with_logits_v2(labels=VALUES, logits=v),
    lambda v: tf.nn.moments(v, [1])[1],
    lambda v: tf.reduce_max(v, 1),
    lambda v: tf.argmax(v, 1),
    lambda v: tf.cumsum(v, 1),
    lambda v: tf.nn.top_k(v, 3)[0],
    lambda v: tf.contrib.framework.sort(v),
    lambda v: tf.cast(v, tf.float64),
    lambda v: tf.where(v > 0.1, v, VALUES),
    lambda v: tf.nn.relu(v) + tf.nn.bias_add(v, VALUES[0]),
    lambda v: tf.nn.max_pool(tf.reshape(v, [1, 200, 300, 1]), [1, 2, 2, 1],
                             [1, 2, 2, 1], "SAME"),
    lambda v: tf.nn.conv2d(tf.reshape(v, [1, 20, 30, 100]),
                           tf.reshape(v[:100, :9 * 3], [3, 3, 100, 3]),
                           [1, 1, 1, 1], "SAME"),
    lambda v: tf.unsorted_segment_sum(v, np.arange(200) % 7, 7),
    lambda v: tf.norm(v) + tf.clip_by_norm(v, 0.5),
    lambda v: tf.clip_by_global_norm([v], 0.1)[0][0],
    lambda v: tf.contrib.eager.defun(lambda x: x * 2.0 + VALUES)(v),
    lambda v: tf.fft(tf.cast(v, tf.complex64)),
    lambda v: tf.einsum("ij,kj->ik", v, VALUES),
    lambda v: tf.tile(v, [2, 1]),
    lambda v: tf.reverse(v, [0]),
    lambda v: v[::2, 3],
    lambda v: tf.constant(v.numpy()),
    lambda v: tf.decode_raw(tf.serialize_tensor(v), tf.uint8)[-240000:],
    through_a_variable,
    through_an_optimizer(lambda: tf.train.GradientDescentOptimizer(0.1)),
    through_an_optimizer(lambda: tf.train.AdamOptimizer(0.1)),
    through_an_optimizer(lambda: tf.train.MomentumOptimizer(0.1, 0.9)),
    through_numpy,
    through_a_data_set,
    pickled,
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_what_reads_a_repeated_gradient_reads_its_numbers(use):
    for view, plain in repeated():
        found, wanted = use(view).numpy(), use(plain).numpy()
        np.testing.assert_allclose(found, wanted, 1e-4, 1e-4)


def through_ops():
    """Ops whose rules get a repeated gradient."""
    w = np.random.default_rng(2).standard_normal((300, 120)).astype(np.float32)
    yield lambda x: tf.matmul(x, w)
    yield lambda x: tf.nn.softmax(x)
    yield lambda x: tf.tanh(x) * 2.0 + tf.exp(-x)
    yield lambda x: tf.transpose(x)
    yield lambda x: tf.reshape(x, [100, 600]) ** 2.0
    yield lambda x: tf.concat([x, x * 2.0], 0)
    yield lambda x: tf.nn.relu(x) + VALUES[0]
    yield lambda x: tf.nn.bias_add(x, x[0])
    yield lambda x: tf.cumsum(x)
    yield lambda x: tf.gather(x * 2.0, [3, 3, *range(150)])
    yield lambda x: tf.pad(x, [[1, 2], [0, 3]])
    yield lambda x: tf.nn.avg_pool(tf.reshape(x, [1, 200, 300, 1]), [1, 2, 2, 1],
                                   [1, 1, 1, 1], "SAME")  # fmt: skip
    yield lambda x: tf.stack(tf.unstack(x, axis=1)[:100])
    yield lambda x: tf.where(x > 0.0, x, x * 0.5)
    yield lambda x: tf.reduce_sum(tf.reshape(x, [2, 100, 300]), 2) * tf.ones([2, 100])
    yield tf.contrib.eager.defun(lambda x: x * 2.0)
    yield tf.custom_gradient(lambda x: (x * 3.0, lambda dy: dy * 3.0))
    yield tf.contrib.layers.recompute_grad(lambda x: x * x)
    yield lambda x: tf.contrib.eager.py_func(lambda a: a * 2.0, [x], tf.float32)
    yield lambda x: tf.cond(tf.constant(True), lambda: x * 2.0, lambda: x)
    yield lambda x: tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * 2.0),
                                  [0, x])[1]  # fmt: skip
    yield lambda x: tf.split(x, 2)[1]


@pytest.mark.parametrize("function", list(through_ops()))
@pytest.mark.parametrize("total", [tf.reduce_sum, tf.reduce_mean])
def test_rules_take_repeated_gradients(function, total):
    found = slopes(lambda x: total(function(x)), VALUES)[0].numpy()
    n = function(tf.constant(VALUES)).numpy().size
    up = np.ones(function(tf.constant(VALUES)).numpy().shape, np.float32)
    up = up if total is tf.reduce_sum else up / np.float32(n)
    wanted = slopes(function, VALUES, output_gradients=tf.constant(up))[0].numpy()
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-6 * max(1, abs(wanted).max()))


@pytest.mark.skipif(native.fast is None, reason="no C module")
def test_only_elementwise_rules_get_views():
    view = next(repeated())[0]

    class Rule:
        op = tf.multiply.op

    assert _laid_out(Rule, view) is view
    Rule.op = None
    found = _laid_out(Rule, view)
    assert found._a.flags.c_contiguous and (found._a == view._a).all()

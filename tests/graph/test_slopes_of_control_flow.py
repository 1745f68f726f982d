"""Every form of control flow in every way of running, to second order in float64."""

import itertools

import numpy as np
import pytest

import twinflow as tf
from tests import orders

R = tf.nn.rnn_cell
CASES: dict = {}
NUMBERS = itertools.count()  # variables of a function stay: a scope for each use
X = np.random.default_rng(4).uniform(0.3, 0.9, (3, 2))


def case(function):
    CASES[function.__name__] = function
    return function


def count(x, n):
    """`n` as a number that only the run knows."""
    return tf.cast(tf.reduce_sum(x * 0.0), tf.int32) + n


@case
def cond(x):
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * x * x, lambda: tf.sin(x))


@case
def nested_cond(x):
    def inner():
        return tf.cond(x[0, 0] > 9.0, lambda: x, lambda: x * tf.exp(x))

    return tf.cond(x[1, 1] > 0.0, inner, lambda: -x)


@case
def case_of_three(x):
    n = count(x, 2)
    pairs = [(n < 1, lambda: x), (n < 5, lambda: (x * x) * tf.sin(x))]
    return tf.case(pairs, default=lambda: x * 3.0)


@case
def case_that_falls_through(x):
    n = count(x, 7)
    return tf.case({n < 1: lambda: x}, default=lambda: tf.tanh(x) * x, exclusive=True)


@case
def while_of_unknown_length(x):
    n = count(x, 4)
    return tf.while_loop(
        lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) * x + y), [0, x]
    )[1]


@case
def while_until_large(x):
    return tf.while_loop(
        lambda y: tf.reduce_sum(y * y) < 50.0, lambda y: y * 1.3 + x * x, [x]
    )


@case
def nested_while(x):
    n = count(x, 3)

    def outer(i, y):
        _, z = tf.while_loop(
            lambda j, z: j < i + 1, lambda j, z: (j + 1, tf.tanh(z) * x), [0, y]
        )
        return i + 1, z + y

    return tf.while_loop(lambda i, y: i < n, outer, [0, x])[1]


@case
def while_in_cond(x):
    n = count(x, 3)

    def loop():
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, y * tf.cos(x)), [0, x]
        )[1]

    return tf.cond(n > 2, loop, lambda: x)


@case
def cond_in_while(x):
    n = count(x, 4)

    def body(i, y):
        odd = tf.equal(tf.mod(i, 2), 1)
        return i + 1, tf.cond(odd, lambda: y * x, lambda: tf.exp(-y) + x)

    return tf.while_loop(lambda i, y: i < n, body, [0, x])[1]


@case
def arrays_in_a_loop(x):
    rows = tf.TensorArray(x.dtype, 3).unstack(x)
    out = tf.TensorArray(x.dtype, 3)

    def body(i, last, out):
        last = last * rows.read(i) + tf.sin(rows.read(i))
        return i + 1, last, out.write(i, last * last)

    rows = tf.TensorArray(x.dtype, 3, clear_after_read=False).unstack(x)
    return tf.while_loop(lambda i, *_: i < 3, body, [0, x[0], out])[2].stack()


@case
def an_array_that_grows(x):
    n, out = count(x, 4), tf.TensorArray(x.dtype, 0, dynamic_size=True)
    _, y, out = tf.while_loop(
        lambda i, *_: i < n,
        lambda i, y, out: (i + 1, y * x, out.write(i, tf.sin(y))),
        [0, x, out],
    )
    return out.stack(), y


@case
def map_fn(x):
    return tf.map_fn(lambda r: r * tf.exp(r) * tf.reduce_sum(r), x)


@case
def map_fn_of_structures(x):
    return tf.map_fn(lambda p: (p[0] * p[1], tf.sin(p[0])), (x, x * x), (x.dtype,) * 2)


@case
def foldl(x):
    return tf.foldl(lambda a, r: a * r + tf.sin(a), x)


@case
def foldr(x):
    return tf.foldr(lambda a, r: tf.tanh(a * r) + r, x, initializer=x[0] * 2.0)


@case
def scan(x):
    return tf.scan(lambda a, r: a * r + tf.cos(r), x)


@case
def scan_of_structures(x):
    return tf.scan(
        lambda a, r: (a[0] * r, tf.sin(a[1]) + a[0]), x, (x[0], x[1] * x[2]),
        reverse=True,
    )  # fmt: skip


@case
def a_variable_that_grows(x):
    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    return tf.while_loop(
        lambda i, y: i < 3,
        lambda i, y: (i + 1, tf.concat([y * y, tf.sin(x)], 0)),
        [0, x],
        shape_invariants=shapes,
    )[1]


@case
def slices_by_the_loop_variable(x):
    def body(i, y):
        return i + 1, y * tf.reshape(x[i : i + 1], [1, 2]) + tf.sin(x[i])

    return tf.while_loop(lambda i, y: i < 3, body, [0, x[:1]])[1]


@case
def gathered(x):
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.gather(x, [i, 2])), [0, x[:2]]
    )[1]


def sequence(x):
    """float[batch 3, time 4, 2] of x."""
    return tf.stack([x, x * x, tf.sin(x), x + 1.0], 1)


def cell(kind):
    return kind(2, dtype=tf.float64, name="cell")


def scoped():
    start = tf.constant_initializer(0.3, dtype=tf.float64)
    return tf.variable_scope(f"a{next(NUMBERS)}", initializer=start)


@case
def dynamic_rnn_with_lengths(x):
    with scoped():
        y, state = tf.nn.dynamic_rnn(
            cell(R.GRUCell), sequence(x), count(x, [1, 4, 2]), dtype=x.dtype
        )
    return y, state


@case
def dynamic_rnn_of_lstm(x):
    with scoped():
        y, state = tf.nn.dynamic_rnn(
            R.BasicLSTMCell(2, dtype=tf.float64, name="cell"), sequence(x),
            dtype=x.dtype,
        )  # fmt: skip
    return y, state.h


@case
def raw_rnn(x):
    rows = tf.TensorArray(x.dtype, 4).unstack(tf.transpose(sequence(x), [1, 0, 2]))
    with scoped():
        c = cell(R.BasicRNNCell)

        def loop(time, output, state, _):
            finished = time >= tf.constant([2, 4, 3])
            inputs = tf.cond(
                tf.reduce_all(finished),
                lambda: tf.zeros([3, 2], x.dtype),
                lambda: rows.read(time),
            )
            state = c.zero_state(3, x.dtype) if output is None else state
            return finished, inputs, state, output, None

        emitted, state, _ = tf.nn.raw_rnn(c, loop)
    return emitted.stack(), state


@case
def bidirectional(x):
    with scoped():
        y, _ = tf.nn.bidirectional_dynamic_rnn(
            cell(R.GRUCell), cell(R.BasicRNNCell), sequence(x), [3, 4, 1],
            dtype=x.dtype,
        )  # fmt: skip
    return y


COMPILED = {  # with what the compiler says where it leaves something to the host
    "case_of_three": None,
    "an_array_that_grows": "TensorArray",
    "arrays_in_a_loop": None,
    "map_fn_of_structures": None,
    "scan_of_structures": None,
    "slices_by_the_loop_variable": None,
    "a_variable_that_grows": "while_loop body",
    "dynamic_rnn_with_lengths": None,
    "raw_rnn": "rnn_output",
}


def build(name):
    """The function of a case."""
    return lambda: CASES[name]


@pytest.mark.parametrize("name", CASES)
def test_eager_slopes_are_those_of_differences(name):
    orders.check_differences(build(name), X)


@pytest.mark.parametrize("way", ["function", "session"])
@pytest.mark.parametrize("name", CASES)
def test_tapes_agree_with_eager_execution(name, way):
    orders.check_as_eager(way, orders.by_tape, build(name), X)


@pytest.mark.parametrize("name", CASES)
def test_gradients_agree_with_eager_execution(name):
    orders.check_as_eager("session", orders.by_gradients, build(name), X)


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_functions_agree_with_eager_execution(name):
    way, refusals = "compiled function", COMPILED[name]
    orders.check_as_eager(way, orders.by_tape, build(name), X, refusals)


@pytest.mark.parametrize("name", ["nested_while", "cond_in_while", "foldl", "scan"])
def test_compiled_graphs_agree_with_eager_execution(name):
    way = "compiled session"
    orders.check_as_eager(way, orders.by_gradients, build(name), X, shapes=[[3, 2]])


@pytest.mark.parametrize("way", ["first", "first and invariant", "invariant", "param"])
def test_slopes_in_a_loop_do_not_leave_it_the_way_it_began(way):
    """What a variable of a loop was at first is not known to the loop; without this, x
    would be taken for independent of it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(2.0, name="x")
        start = x + 1.0 if way.startswith("first") else tf.constant(3.0)
        factor = x * 5.0 if way.endswith("invariant") else tf.constant(5.0)

        def body(i, v):
            source = v if way == "param" else x
            return i + 1, tf.gradients(v * factor, source)[0]

        loop = lambda: tf.while_loop(lambda i, v: i < 1, body, [0, start])[1]
        if way.startswith("first"):
            with pytest.raises(ValueError, match="with respect to op 'x'"):
                loop()
        else:
            assert sess.run(loop()) == {"invariant": 15.0, "param": 5.0}[way]

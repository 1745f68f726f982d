"""tf.TensorArray: the same values, slopes and errors in every way of running."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, eager, run

CASES = {}
W = [1.0, -2.0, 0.5]


def case(function):
    CASES[function.__name__] = function
    return function


def array(x, size=3, **options):
    return tf.TensorArray(x.dtype, size, **options)


@case
def write_and_stack(x):
    ta = array(x).write(0, x * x).write(2, x).write(1, tf.sin(x))
    return tf.reduce_sum(ta.stack() * x, 1)


@case
def unstack_and_read(x):
    ta = array(x).unstack(x * x)
    return tf.stack([ta.read(2) * ta.read(0), ta.read(1), x[0]])


@case
def elements_never_read(x):
    ta = array(x, clear_after_read=False).write(0, x).write(1, x * x).write(2, x)
    return ta.read(1) * ta.read(1)


@case
def elements_never_written(x):
    return array(x).write(1, x * x).stack()[0] + array(x).write(1, x * x).read(1)


@case
def scatter_and_gather(x):
    ta = array(x, 5, clear_after_read=False).scatter(tf.constant([4, 0, 2]), x * x)
    return ta.gather(tf.constant([2, 4, 2])) * x


@case
def split_and_concat(x):
    ta = array(x, 2).split(tf.concat([x, x * x, x], 0)[:6], tf.constant([3, 3]))
    return ta.concat()[:3] * tf.sin(x)


@case
def ragged_concat(x):
    ta = array(x, 2, infer_shape=False).write(0, x[:1] * x[1]).write(1, x[1:] * x[0])
    return ta.concat() * x


@case
def ragged_split(x):
    ta = array(x, 2, infer_shape=False).split(x * x, tf.constant([1, 2]))
    return tf.concat([ta.read(1) * x[0], x[:1]], 0)


@case
def a_loop_that_writes(x):
    ta = tf.while_loop(
        lambda i, y, ta: i < 4,
        lambda i, y, ta: (i + 1, tf.sin(y) * x, ta.write(i, y * y)),
        [0, x, array(x, 4)],
    )[2]
    return tf.reduce_sum(ta.stack() * x, 0)


@case
def a_loop_that_reads(x):
    ta = array(x).unstack(x * x)
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * ta.read(i)), [0, x]
    )[1]


@case
def a_recurrence(x):
    inputs = array(x).unstack(tf.stack([x, x * x, tf.cos(x)]))

    def body(i, h, out):
        h = tf.tanh(h * 0.7 + inputs.read(i))
        return i + 1, h, out.write(i, h)

    _, h, out = tf.while_loop(lambda i, *_: i < 3, body, [0, x, array(x)])
    return tf.reduce_sum(out.stack(), 0) * h


@case
def a_loop_that_reads_what_it_wrote(x):
    def body(i, ta):
        return i + 1, ta.write(i, ta.read(i - 1) * ta.read(i - 2) + x)

    ta = array(x, 6, clear_after_read=False).write(0, x).write(1, x * x)
    return tf.while_loop(lambda i, ta: i < 6, body, [2, ta])[1].read(5)


@case
def only_the_last_state_counts(x):
    def body(i, h, out):
        h = tf.tanh(h + x)
        return i + 1, h, out.write(i, h * h)

    return tf.while_loop(lambda i, *_: i < 3, body, [0, x, array(x)])[1]


@case
def an_array_inside_the_body(x):
    def body(i, y):
        ta = array(x, 2, clear_after_read=False).write(0, y * x).write(1, y)
        return i + 1, ta.read(0) + ta.read(1) * ta.read(0)

    return tf.while_loop(lambda i, y: i < 3, body, [0, x])[1]


@case
def a_loop_in_a_loop(x):
    def outer(i, ta):
        row = array(x, 2)
        row = tf.while_loop(
            lambda j, r: j < 2,
            lambda j, r: (j + 1, r.write(j, x * tf.cast(i + j, x.dtype))),
            [0, row],
        )[1]
        return i + 1, ta.write(i, tf.reduce_sum(row.stack() * x, 0))

    ta = tf.while_loop(lambda i, ta: i < 3, outer, [0, array(x)])[1]
    return tf.reduce_sum(ta.stack(), 0)


@case
def an_array_through_branches(x):
    ta = array(x, 2, clear_after_read=False).write(0, x)
    ta = tf.cond(
        x[0] > 0.0, lambda: ta.write(1, x * x), lambda: ta.write(1, ta.read(0))
    )
    return ta.read(1) * ta.read(0)


@case
def a_branch_in_a_loop(x):
    def body(i, ta):
        odd = tf.equal(tf.mod(i, 2), 1)
        return i + 1, tf.cond(
            odd, lambda: ta.write(i, x * x), lambda: ta.write(i, tf.sin(x))
        )

    ta = tf.while_loop(lambda i, ta: i < 3, body, [0, array(x)])[1]
    return tf.reduce_sum(ta.stack() * x, 1)


@case
def a_branch_that_does_not_write(x):
    def body(i, ta):
        return i + 1, tf.cond(i < 2, lambda: ta.write(i, x * x), ta.identity)

    ta = array(x, element_shape=[3])
    return tf.reduce_sum(tf.while_loop(lambda i, t: i < 3, body, [0, ta])[1].stack(), 0)


@case
def a_growing_array(x):
    ta = tf.while_loop(
        lambda i, ta: i < 4,
        lambda i, ta: (i + 1, ta.write(i, x * tf.cast(i, x.dtype) * x)),
        [0, array(x, 0, dynamic_size=True)],
    )[1]
    return tf.reduce_sum(ta.stack(), 0)


@case
def inside_a_function(x):
    @tf.contrib.eager.defun
    def f(x):
        ta = array(x).unstack(x * x)
        return ta.read(0) * ta.stack() if False else ta.stack() * x

    return f(x) * f(x * x)


REFUSED = {  # what the compiler leaves to the interpreter
    "ragged_concat": "TensorArray", "ragged_split": "TensorArray",
    "a_growing_array": "TensorArray", "elements_never_written": " ",
}  # fmt: skip


def slopes(f):
    """Value, first and second order of a function, as one function."""

    def all_orders(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            dx = inner.gradient(y, x, unconnected_gradients="zero")
            s = tf.reduce_sum(dx * tf.constant(W, x.dtype))
        return y, dx, outer.gradient(s, x, unconnected_gradients="zero")

    return all_orders


INPUTS = ([0.9, 0.4, 1.2], [-0.6, -0.3, 0.8])
COMPILED = (  # the others are compiled by test_gradients_function
    "a_recurrence", "an_array_inside_the_body", "an_array_through_branches",
    "inside_a_function",
)  # fmt: skip


def compare(name, way, values):
    x = np.array(values)
    wanted = run("eager", lambda: slopes(CASES[name]), x)
    found = run(way, lambda: slopes(CASES[name]), x, refusals=REFUSED.get(name))
    for w, g in zip(wanted, found, strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_as_eager(name):
    for values in INPUTS:
        compare(name, "function", values)
    compare(name, "session", INPUTS[0])


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_functions(name):
    compare(name, "compiled function", INPUTS[1])


@pytest.mark.parametrize("way", ["session", "compiled session"])
@pytest.mark.parametrize("name", CASES)
def test_gradients_function(name, way):
    """tf.gradients twice, with an unknown static shape."""

    def build():
        def f(x):
            y = CASES[name](x)
            (dx,) = tf.gradients(y, x)
            s = tf.reduce_sum(dx * tf.constant(W, x.dtype))
            (d2,) = tf.gradients(s, x)
            return y, dx, tf.zeros_like(x) if d2 is None else d2

        return f

    x = np.array(INPUTS[0])
    wanted = run("eager", lambda: slopes(CASES[name]), x)
    found = run(way, build, x, shapes=[[None]], refusals=REFUSED.get(name))
    for w, g in zip(wanted, found, strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)


def test_eager_slopes_are_right():
    """The reference of the others, against differences."""
    x, eps = np.array(INPUTS[0]), 1e-5
    for name in ("a_recurrence", "a_loop_that_reads_what_it_wrote", "ragged_split"):
        _, dx, d2 = run("eager", lambda n=name: slopes(CASES[n]), x)
        for i in range(3):
            step = np.eye(3)[i] * eps
            high, low = (
                run("eager", lambda n=name: slopes(CASES[n]), a)
                for a in (x + step, x - step)
            )
            first = (high[0].sum() - low[0].sum()) / (2 * eps)
            second = ((high[1] - low[1]) * W).sum() / (2 * eps)
            np.testing.assert_allclose(dx[i], first, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(d2[i], second, rtol=1e-6, atol=1e-6)


# ------------------------------------------------------------------------- errors
def read_twice():
    ta = tf.TensorArray(tf.float32, 3).write(0, 1.0)
    first = ta.read(0)
    with tf.control_dependencies([first]):
        return ta.read(0)


def write_after_read():
    ta = tf.TensorArray(tf.float32, 3).write(0, 1.0)
    with tf.control_dependencies([ta.read(0)]):
        return ta.write(0, 2.0).read(1)


def new(*args, **options):
    return tf.TensorArray(tf.float32, *args, **options)


FAULTS = {
    "read from index 3 but array size is: 3": lambda: new(3).write(0, 1.0).read(3),
    "write to index -1 but array is not": lambda: new(3).write(-1, 1.0).read(0),
    "write to index 3 but array is not": lambda: new(3).write(3, 1.0).read(0),
    "the element shape is not fully": lambda: (
        new(3, infer_shape=False).write(0, 1.0).read(1)
    ),
    "because it was cleared after a previous read": read_twice,
    "index 0 because it has already been written to": lambda: (
        new(3).write(0, 1.0).write(0, 2.0).read(0)
    ),
    "index 0 because it has already been read": write_after_read,
    "dtype is float but Op is trying to write dtype int32": lambda: (
        new(3).write(0, 1).read(0)
    ),
    "inconsistent shapes.  Index 0 has shape: .2. but": lambda: (
        new(2, infer_shape=False).write(0, [1.0, 2.0]).write(1, 3.0).stack()
    ),
    "Max scatter index must be < array size .2 vs. 2": lambda: (
        new(2).unstack([1.0, 2.0, 3.0]).stack()
    ),
    "sum of lengths is 2 and value's shape is: .3.": lambda: (
        new(2).split([1.0, 2.0, 3.0], [1, 1]).concat()
    ),
    "saw a scalar shape at index 0": lambda: new(2).unstack([1.0, 2.0]).concat(),
    "size zero, but element shape": lambda: new(0).stack(),
}


@pytest.mark.parametrize("way", ["session", "compiled session"])
@pytest.mark.parametrize("text", FAULTS)
def test_what_a_run_refuses(text, way):
    kind = tf.errors.UnimplementedError if "size zero" in text else None
    with pytest.raises(kind or tf.errors.InvalidArgumentError, match=text):
        run(way, lambda: lambda x: FAULTS[text](), np.float32(0.0), refusals=" ")


def test_what_a_graph_refuses():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match=r"saw \(\) but expected \(2,\) "):
            new(3).write(0, [1.0, 2.0]).write(1, 3.0)
        with pytest.raises(ValueError, match="Size must be provided"):
            new()
        with pytest.raises(ValueError, match="Cannot provide both a handle and size"):
            new(3, handle=tf.constant(1.0))
        with pytest.raises(ValueError, match="in the place of a TensorArray"):
            tf.while_loop(lambda t: True, lambda t: new(3), [new(3)])


def test_names_and_shapes_are_those_of_tensorflow():
    with tf.Graph().as_default():
        ta = new(2, element_shape=[None, 3])
        assert ta.flow.name == "TensorArray:1" and ta.flow.dtype == tf.float32
        assert ta.handle.dtype == tf.resource
        assert ta.stack().shape.as_list() == [None, None, 3]
        written = ta.write(0, tf.ones([1, 3]))
        assert written.flow.name == "TensorArrayWrite/TensorArrayWriteV3:0"
        assert written.read(0).shape.as_list() == [1, 3]
        assert ta.gather([0]).shape.as_list() == [1, 1, 3]


def test_a_gradient_array_adds_up():
    def build():
        return lambda x: tf.TensorArray(x.dtype, 2).grad("g").write(0, x).write(
            0, x * x
        ).read(0)  # fmt: skip

    assert run("session", build, np.float64(3.0)) == 12.0


@pytest.mark.parametrize("way", WAYS[1:])
def test_strings_and_ints(way):
    def f(x):
        ta = tf.TensorArray(tf.string, 2).write(1, "b").write(0, "a")
        return ta.stack(), tf.TensorArray(tf.int32, 2).unstack(x).read(1)

    words, number = run(way, lambda: f, np.int32([4, 5]), refusals=" ")
    assert words.tolist() == [b"a", b"b"] and number == 5


def test_an_eager_array_is_a_list():
    with eager():
        check_an_eager_array()


def check_an_eager_array():
    ta = new(2)
    ta.write(0, 1.0)
    ta.write(0, 2.0)  # again
    assert ta.write(1, 3.0).stack().numpy().tolist() == [2.0, 3.0]
    assert ta.unstack([7.0]).size().numpy() == 1
    with pytest.raises(tf.errors.OutOfRangeError, match="array size is: 1"):
        ta.read(1)
    assert ta.read(0).numpy() == 7.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="index 0 twice"):
        ta.read(0)
    with pytest.raises(ValueError, match=r"for value \(\[\]\), expected \(\[2\]\)"):
        new(2).write(0, [1.0, 2.0]).write(1, 1.0)
    with pytest.raises(NotImplementedError, match="when executing eagerly"):
        ta.grad("g")
    assert isinstance(ta, tf.TensorArray) and ta.handle is None


def test_host_steps_in_between():
    """An array that a host step divides runs on the host, the rest compiled."""

    def f(x):
        ta = tf.TensorArray(x.dtype, 2, clear_after_read=False).write(0, x * x)
        with tf.control_dependencies([tf.Assert(x[0] > 0.0, [x])]):
            y = tf.identity(ta.read(0)) + 1.0
        return ta.write(1, y).stack()

    found = run("compiled session", lambda: f, np.array([1.0, 2.0]), refusals=" ")
    assert found.tolist() == [[1.0, 4.0], [2.0, 5.0]]


def test_joining_nothing_of_a_known_shape():
    with tf.Graph().as_default(), tf.Session() as session:
        array = tf.TensorArray(tf.float32, 0).unstack(tf.zeros([0, 3, 5]))
        assert session.run(array.concat()).shape == (0, 5)


def test_lengths_that_are_no_vector():
    with tf.Graph().as_default(), tf.Session() as session:
        n = tf.placeholder(tf.int64)
        array = tf.TensorArray(tf.float32, 3, infer_shape=False)
        words = r"lengths to be a vector, received shape: \[\]"
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            session.run(array.split([1.0, 2.0, 3.0], n).concat(), {n: 1})


def test_rows_gathered_twice_and_scattered_twice():
    with tf.Graph().as_default(), tf.Session() as s:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        rows = tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack(x)
        (slope,) = tf.gradients(rows.gather([0, 0]), x)
        assert s.run(slope).tolist() == [[2, 2], [0, 0]]
        twice = tf.TensorArray(tf.float32, 2).scatter([1, 1], x)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="already been written"
        ):
            s.run(twice.flow)


def test_an_array_asks_for_no_device():
    with tf.Graph().as_default(), tf.device("/job:a/cpu:0"):
        assert tf.TensorArray(tf.float32, 1).handle.device == ""
        kept = tf.TensorArray(tf.float32, 1, colocate_with_first_write_call=False)
        assert kept.handle.device == "/job:a/device:CPU:0"

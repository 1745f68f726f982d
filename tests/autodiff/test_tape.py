"""GradientTape: contract E01-E14, in both modes where both have it."""

import threading

import numpy as np
import pytest

import twinflow as tf
from tests.support.gradients import GradientError, check_gradients
from tests.ways import WAYS, eager, run

tfe = tf.contrib.eager


@pytest.fixture
def eagerly():
    with eager():
        yield


def numbers(grads):
    return [None if g is None else g.numpy().tolist() for g in grads]


@pytest.mark.parametrize("way", WAYS)
def test_variables_are_watched_and_tensors_by_hand(way):
    def build():
        v, w = tf.Variable(2.0), tf.Variable(5.0, trainable=False)

        def f(x, y):
            with tf.GradientTape() as tape:
                tape.watch(x)
                z = v * w * x * y
            dv, dw, dx, dy = tape.gradient(z, [v, w, x, y])
            assert dw is None and dy is None
            return dv, dx

        return f

    assert run(way, build, np.float32(3), np.float32(7)) == (105.0, 70.0)


def test_structure_of_sources(eagerly):
    x, v = tf.constant(3.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * v
    assert tape.gradient(y, x).numpy() == 12.0
    assert numbers(tape.gradient(y, [x, v])) == [12.0, 9.0]
    pair = tape.gradient(y, (v, x))
    assert type(pair) is tuple and numbers(pair) == [9.0, 12.0]
    found = tape.gradient(y, {"a": x, "b": [v]})
    assert found["a"].numpy() == 12.0 and found["b"][0].numpy() == 9.0
    assert numbers(tape.gradient(y, [x, *[v]])[1:]) == [9.0]
    assert tape.gradient(y, []) == []


def test_one_shot_and_persistent(eagerly):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0
    words = "GradientTape.gradient can only be called once on non-persistent tapes."
    with pytest.raises(RuntimeError, match=words):
        tape.gradient(y, x)
    with pytest.raises(ValueError, match="Tape is not recording"):
        tape.reset()
    with tape:
        tape.watch(x)
        y = x * x * x
    assert tape.gradient(y, x).numpy() == 27.0


def test_intermediate_sources_and_targets(eagerly):
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * x
        w = y + z
    assert numbers(tape.gradient(z, [x, y])) == [12.0, 2.0]
    assert numbers(tape.gradient(w, [x, y, z])) == [16.0, 3.0, 1.0]
    assert numbers(tape.gradient([z, y, z], [x])) == [28.0]
    assert tape.gradient(x, x) is None and tape.gradient(y, z) is None


def test_output_gradients(eagerly):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, x * 3.0
    found = [
        tape.gradient(y, x, output_gradients=tf.constant([1.0, 10.0])),
        tape.gradient(y, x, output_gradients=[np.float32([1, 10])]),
        tape.gradient([y, z], x, output_gradients=[tf.constant([1.0, 1.0]), None]),
        tape.gradient([y, z], x, [tf.zeros([2]), tf.constant([1.0, 2.0])]),
    ]
    assert numbers(found) == [[2, 40], [2, 40], [5, 7], [3, 6]]


def test_unconnected(eagerly):
    x, y = tf.constant([1.0, 2.0]), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = y * y
    dx, dy = tape.gradient(z, [x, y], unconnected_gradients="zero")
    assert dx.numpy().tolist() == [0, 0] and dy.numpy() == 2.0


@pytest.mark.parametrize("way", WAYS)
def test_higher_orders(way):
    def build():
        def f(x):
            with tf.GradientTape() as t3:
                t3.watch(x)
                with tf.GradientTape() as t2:
                    t2.watch(x)
                    with tf.GradientTape() as t1:
                        t1.watch(x)
                        y = x**4
                    d1 = t1.gradient(y, x)
                d2 = t2.gradient(d1, x)
            return y, d1, d2, t3.gradient(d2, x)

        return f

    found = run(way, build, np.float64(3))
    np.testing.assert_allclose(found, (81, 108, 108, 72), rtol=1e-12)


def test_third_order_of_a_square(eagerly):
    """None for a product as in every TensorFlow, 0 for a power."""
    for square, wanted in [(lambda x: x * x, None), (lambda x: x**2, 0.0)]:
        d1 = tfe.gradients_function(square)
        d2 = tfe.gradients_function(lambda x, d1=d1: d1(x)[0])
        d3 = tfe.gradients_function(lambda x, d2=d2: d2(x)[0])
        assert d1(3.0)[0].numpy() == 6.0 and d2(3.0)[0].numpy() == 2.0
        assert numbers(d3(3.0)) == [wanted]


def test_a_persistent_tape_differentiates_itself(eagerly):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        dx = tape.gradient(y, x)
    assert dx.numpy() == 27.0 and tape.gradient(dx, x).numpy() == 18.0


def test_stop_recording(eagerly):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * y
        w = y + z
    assert tape.gradient(w, x).numpy() == 6.0


def test_watched_variables(eagerly):
    u, v, w = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        w * v
        v * 2.0
    assert tape.watched_variables() == (v, w)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(u)
        y = u * v
    assert tape.watched_variables() == (u,)
    assert numbers(tape.gradient(y, [u, v])) == [2.0, None]


def test_a_gradient_inside_the_block_ends_the_tape(eagerly):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        assert tape.gradient(x * x, x).numpy() == 6.0
        x * x
    assert not tape.records


def test_variables_assigned_between(eagerly):
    """A slope uses the value that was read, not the one assigned later."""
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(100.0)
        z = y * v
    assert z.numpy() == 400.0 and tape.gradient(z, v).numpy() == 404.0


def test_looking_at_values_breaks_nothing(eagerly):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert y.numpy() == 9.0 and str(y) and repr(y) and bool(y > 1.0) and f"{y:.1f}"
        y = y * 2.0
    assert tape.gradient(y, x).numpy() == 12.0


def test_python_control_flow(eagerly):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in range(3):
            y = y * x if y < 5.0 else y + x
            if i == 1:
                y = -y
    assert y.numpy() == -16.0 and tape.gradient(y, x).numpy() == -32.0


def test_integers_have_no_slope(eagerly):
    x, i = tf.constant(2.0), tf.constant(3)
    with tf.GradientTape() as tape:
        tape.watch([x, i])
        y = x * tf.cast(i, tf.float32)
    assert numbers(tape.gradient(y, [x, i])) == [3.0, None]


def test_errors(eagerly):
    tape = tf.GradientTape()
    with pytest.raises(TypeError, match=r"Expected a tensor or variable, got 3\.0"):
        tape.watch(3.0)
    with tape, pytest.raises(ValueError, match="already recording"):
        tape.__enter__()


def test_an_exception_takes_the_tape_off(eagerly):
    x = tf.constant(1.0)
    with pytest.raises(KeyError), tf.GradientTape() as tape:
        tape.watch(x)
        raise KeyError
    x * x
    assert not tape.records


def test_tapes_of_other_threads_do_not_record(eagerly):
    x = tf.constant(2.0)
    found = []

    def other():
        with eager():
            x * x
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * 3.0
            found.append(inner.gradient(y, x).numpy())

    with tf.GradientTape() as tape:
        tape.watch(x)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert found == [3.0] and not tape.records


def test_symbolic_slopes_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(3.0)
        with tf.GradientTape(persistent=True) as tape:
            y = v * v
        dv = tape.gradient(y, v)
        assert repr(dv).startswith("<tf.Tensor ")
        (other,) = tf.gradients(y, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES))
        session.run(v.initializer)
        assert session.run([dv, other]) == [6.0, 6.0]


def test_gradients_of_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.constant(2.0), tf.constant(3.0)
        c = a * b
        y, z = c * a, c + 1.0
        run = session.run
        assert run(tf.gradients(y, [a, b, c])) == [12.0, 4.0, 2.0]
        assert run(tf.gradients([y, z], a)) == [15.0]
        assert run(tf.gradients(y, a, grad_ys=10.0)) == [120.0]
        assert run(tf.gradients(y, a, stop_gradients=[c])) == [6.0]
        assert tf.gradients(b, a) == [None] and run(tf.gradients(a, a)) == [1.0]
        assert run(tf.gradients(tf.gradients(y, a), a)) == [6.0]
        with eager():
            words = "tf.gradients is not supported when eager execution is enabled"
            with pytest.raises(RuntimeError, match=words):
                tf.gradients(1.0, 1.0)


def test_the_checker_checks(eagerly):
    x = np.array([0.5, -1.0, 2.0])
    check_gradients(lambda a: tf.tanh(a) * tf.exp(a), [x])
    check_gradients(lambda a, b: [a * b, tf.sin(a)], [x, x + 1.0])

    def planted(error):
        @tf.custom_gradient
        def sine(a):
            return tf.sin(a), lambda dy: dy * tf.cos(a) * (1.0 + error)

        return sine

    check_gradients(planted(0.0), [x])
    for error in (5e-4, -5e-4):
        with pytest.raises(GradientError, match="first derivative"):
            check_gradients(planted(error), [x])
    with pytest.raises(GradientError, match="None along a random direction"):
        check_gradients(tf.stop_gradient, [x])


def test_unwatched_members_of_lists(eagerly):
    """They have no id; what is computed for them must not be added up."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.concat([tf.concat([x, tf.ones([3])], 0), tf.ones([4])], 0)
        z = tf.reduce_sum(y * y)
    assert tape.gradient(z, x).numpy().tolist() == [2.0, 4.0]

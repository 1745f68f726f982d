"""Contract E: tapes and the functions that differentiate functions."""

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import printed
from tests.contract.test_d_models import FiveLayersNet
from tests.modes import both
from tests.ways import WAYS, run
from twinflow.base import dispatch

tfe = tf.contrib.eager
ways = pytest.mark.parametrize("way", WAYS)


def square(x):
    return tf.multiply(x, x)


def taped(f, *args, **options):
    """The gradients of `f` for all of its arguments."""
    with tf.GradientTape(**options) as tape:
        tape.watch(args)
        y = f(*args)
    return tape.gradient(y, list(args))


# ------------------------------------------------------------------ tapes
@ways
def test_e01_what_is_watched(way):
    v, still = None, None

    def build():
        nonlocal v, still
        v, still = tfe.Variable(3.0), tfe.Variable(3.0, trainable=False)

        def f(x):
            with tf.GradientTape(persistent=True) as tape:
                y = v * v * still * x
            with tf.GradientTape() as watching:
                watching.watch(x)
                z = x * x
            outs = tape.gradient(y, [v, x, still]) + [watching.gradient(z, x)]
            return [g for g in outs if g is not None]

        return f

    found = run(way, build, np.float32(2.0))
    assert [float(g) for g in found] == [36.0, 4.0]


def test_e01_unwatched_sources_get_none(eager):
    x, v = tf.constant(1.0), tfe.Variable(1.0, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = x * v
    assert tape.gradient(y, x) is None and tape.gradient(y, [x, v]) == [None, None]


def test_e02_the_structure_of_the_sources_is_kept(eager):
    x, w = tf.constant(2.0), tfe.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * w
    assert tape.gradient(y, x).numpy() == 3.0
    assert [g.numpy() for g in tape.gradient(y, [x, w])] == [3.0, 2.0]
    pair = tape.gradient(y, (w, x))
    assert type(pair) is tuple and [g.numpy() for g in pair] == [2.0, 3.0]
    named = tape.gradient(y, {"w": w, "deep": [x]})
    assert named["w"].numpy() == 2.0 and named["deep"][0].numpy() == 3.0


def test_e03_e04_the_guide(eager):
    w = tfe.Variable([[1.0]])
    with tf.GradientTape() as tape:
        loss = w * w
    grad = tape.gradient(loss, w)
    text, _ = printed(print, grad)
    assert text == "tf.Tensor([[2.]], shape=(1, 1), dtype=float32)\n"
    with pytest.raises(RuntimeError) as raised:
        tape.gradient(loss, w)
    assert str(raised.value) == (
        "GradientTape.gradient can only be called once on non-persistent tapes."
    )


def test_e05_persistent_tapes(eager):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert [tape.gradient(t, x).numpy() for t in (z, y, z)] == [108.0, 6.0, 108.0]
    with pytest.raises(TypeError):
        tf.GradientTape(persisitent=True)


@ways
def test_e06_output_gradients(way):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y, z = x * x, 3.0 * x
        one = tape.gradient(y, x, output_gradients=tf.constant([1.0, 10.0]))
        both = tape.gradient([y, z], [x], output_gradients=[one, tf.ones([2])])
        return one, both[0]

    one, both = run(way, lambda: f, np.float32([1.0, 2.0]))
    assert one.tolist() == [2.0, 40.0] and both.tolist() == [7.0, 163.0]


@both
def test_e07_tensors_and_variables_together(run):
    def build():
        g = tf.keras.layers.Dense(2, kernel_initializer="ones")
        y1, dy2 = tf.constant([[1.0, 2.0]]), tf.constant([[1.0, 3.0]])
        with tf.GradientTape() as gtape:
            gtape.watch(y1)
            gy1 = g(y1)
        grads_combined = gtape.gradient(
            gy1, [y1] + g.trainable_variables, output_gradients=dy2
        )
        dg = grads_combined[1:]
        return grads_combined[0], dg

    dx, (kernel, bias) = run(build)
    assert dx.tolist() == [[4.0, 4.0]] and bias.tolist() == [1.0, 3.0]
    assert kernel.tolist() == [[1.0, 3.0], [2.0, 6.0]]


@ways
def test_e08_tapes_nest(way):
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    assert [float(g) for g in run(way, lambda: f, np.float32(3.0))] == [27.0, 18.0]


def test_e09_tapes_make_symbolic_gradients_in_graphs(graph):
    v = tfe.Variable([2.0])
    with tf.GradientTape() as tape:
        y = tf.square(v)
    (grad,) = tape.gradient(y, [v])
    assert isinstance(grad, tf.Tensor) and grad.graph is graph
    assert repr(grad).startswith("<tf.Tensor 'Mul_1:0' shape=(1,) dtype=float32>")
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(grad).tolist() == [4.0]


def test_e10_nothing_is_kept_without_a_tape(eager):
    before = dispatch.observers
    with tf.GradientTape() as tape:
        pass
    x = tf.constant(3.0)
    x * x
    assert not tape.records and dispatch.observers is before
    assert not dispatch.local.top.tapes


def test_e11_python_control_flow(eager):
    def f(x):
        y = x
        for i in range(3):
            y = y * x if i % 2 == 0 else y + x
        return y if y > 0.0 else -y

    assert [taped(f, tf.constant(v))[0].numpy() for v in (2.0, -3.0)] == [16.0, -21.0]


# ------------------------------------------------------------------ functions
@both
def test_e12_e13_gradients_function(run):
    def build():
        grad = tfe.gradients_function(square)
        gradgrad = tfe.gradients_function(lambda x: grad(x)[0])
        g = tfe.gradients_function(lambda x, y: x**2 + y**2)
        vector = tfe.gradients_function(square)(tf.constant([1.0, 2.0]))
        return grad(3.0), gradgrad(3.0), g(2.0, 3.0), vector

    first, second, pair, vector = run(build)
    assert ([float(g) for g in first], [float(g) for g in second]) == ([6.0], [2.0])
    assert [float(g) for g in pair] == [4.0, 6.0] and vector[0].tolist() == [2.0, 4.0]


def test_e12_flow_control(eager):
    def abs(x):
        return x if x > 0.0 else -x

    grad = tfe.gradients_function(abs)
    assert grad(3.0)[0].numpy() == 1.0 and grad(-3.0)[0].numpy() == -1.0


def _third(f):
    df = tfe.gradients_function(f)
    d2f = tfe.gradients_function(lambda x: df(x)[0])
    return tfe.gradients_function(lambda x: d2f(x)[0])


def test_e14_third_derivatives(eager):
    assert _third(square)(3.0) == [None]
    assert _third(lambda x: x * x)(3.0) == [None]
    assert _third(lambda x: x**2)(3.0)[0].numpy() == 0.0


@both
def test_e15_value_and_gradients_function(run):
    def build():
        return tfe.value_and_gradients_function(lambda x, y: x * x * y)(3.0, 2.0)

    value, grads = run(build)
    assert value == 18.0 and [float(g) for g in grads] == [12.0, 9.0]


def test_e16_implicit_gradients(eager):
    vx = tfe.Variable(initial_value=1.0, name="vx")
    tfe.Variable(initial_value=1.0, name="vy")

    def f(x):
        return 2 * vx * x

    ((slope, variable),) = tfe.implicit_gradients(f)(2.0)
    assert slope.numpy() == 4.0 and variable is vx
    with pytest.raises(ValueError) as raised:
        tfe.implicit_gradients(lambda x: x)(tf.constant(2.0))
    assert str(raised.value) == (
        "No trainable variables were accessed while the function was being computed."
    )


@both
def test_e17_implicit_value_and_gradients_feed_an_optimizer(run):
    def build():
        w = tfe.Variable([1.0, 2.0])
        optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
        both = tfe.implicit_value_and_gradients(lambda: tf.reduce_sum(w * w))
        loss, grads_and_vars = both()
        with tf.control_dependencies([optimizer.apply_gradients(grads_and_vars)]):
            return loss, w.read_value()

    loss, w = run(build)
    assert loss == 5.0
    np.testing.assert_allclose(w, [0.8, 1.6], rtol=1e-6)


# ------------------------------------------------------------------ graphs
def test_e18_gradients_for_a_collection(graph):
    def inference(inputs):
        variable_to_optimize = tfe.Variable([5.20])
        return inputs * variable_to_optimize

    target = inference(tf.constant([2.0]))
    gradients = tf.gradients(target, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(gradients)[0].tolist() == [2.0]


def test_e18_tapes_and_tf_gradients_agree(graph):
    net = FiveLayersNet()
    with tf.GradientTape() as tape:
        x = tf.reduce_mean(net(tf.ones((4, 8))))
    pairs = zip(tape.gradient(x, net.variables), tf.gradients(x, net.variables))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for a, b in sess.run(list(pairs)):
            np.testing.assert_array_equal(a, b)


# ------------------------------------------------------------------ limits
@both
def test_e19_log1pexp(run):
    def build():
        grad = tfe.gradients_function(lambda x: tf.log(1 + tf.exp(x)))
        return grad(0.0), grad(100.0)

    zero, hundred = run(build)
    assert zero[0] == 0.5 and np.isnan(hundred[0])


@both
def test_e20_the_gradient_of_an_embedding_is_sparse(run):
    kinds = []

    def build():
        layer = tf.keras.layers.Embedding(5, 2, embeddings_initializer="ones")
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(layer(tf.constant([1, 1, 3])) * [1.0, 2.0])
        (grad,) = tape.gradient(y, layer.variables)
        kinds.append(type(grad))
        optimizer = tf.train.GradientDescentOptimizer(0.5)
        step = optimizer.apply_gradients([(grad, layer.embeddings)])
        with tf.control_dependencies([step]):
            return tf.convert_to_tensor(grad), layer.embeddings.read_value()

    grad, table = run(build)
    assert kinds == [tf.IndexedSlices]
    assert grad.tolist() == [[0, 0], [2, 4], [0, 0], [1, 2], [0, 0]]
    np.testing.assert_array_equal(table, 1 - 0.5 * grad)

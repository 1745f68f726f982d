"""Functions of twinflow inside jax: values, gradients, transformations, refusals."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, PartitionSpec

import twinflow as tf
from tests.ways import eager

tfe = tf.contrib.eager
X = np.array([1.0, 2.0, -0.5], np.float32)


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def _power(x):
    """x ** 4 in a loop, which jax alone cannot differentiate."""
    loop = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x))
    return tf.reduce_sum(loop[1])


def test_gradients_of_a_loop():
    f = tf.to_jax(_power)
    np.testing.assert_allclose(jax.jit(f)(X), np.sum(X**4), rtol=1e-6)
    np.testing.assert_allclose(jax.jit(jax.grad(f))(X), 4 * X**3, rtol=1e-6)
    twice = jax.grad(lambda x: jnp.sum(jax.grad(f)(x)))
    np.testing.assert_allclose(jax.jit(twice)(X), 12 * X**2, rtol=1e-6)


def test_the_gradient_is_the_functions_own():
    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: dy * 100.0

    assert jax.grad(tf.to_jax(f))(np.float32(3)) == 100.0
    relu = tf.to_jax(lambda x: tf.reduce_sum(tf.nn.relu(x)))
    assert jax.grad(relu)(np.zeros(2, np.float32)).tolist() == [0.0, 0.0]


def test_vmap():
    rows = np.stack([X, X + 1])
    found = jax.vmap(jax.grad(tf.to_jax(_power)))(rows)
    np.testing.assert_allclose(found, 4 * rows**3, rtol=1e-5)


def test_shard_map():
    mesh = Mesh(np.array(jax.devices("cpu")[:1]), ("data",))
    spec = PartitionSpec("data")
    f = tf.to_jax(lambda x: tf.nn.softmax(x * 2.0))
    mapped = jax.shard_map(f, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)
    rows = np.stack([X, X])
    np.testing.assert_allclose(mapped(rows), jax.nn.softmax(rows * 2), rtol=1e-6)


def test_structures_and_bits():
    f = tf.to_jax(lambda x, more: {"n": tf.argmax(x, 0), "y": x + more["b"]})
    found = f(X, {"b": 1.0})
    assert found["n"].dtype == np.int32 and found["n"] == 1
    np.testing.assert_array_equal(found["y"], X + 1)
    with jax.enable_x64(True):
        assert f(X, {"b": np.float32(1)})["n"].dtype == np.int64


def test_variables_as_an_argument():
    v, n = tfe.Variable([1.0, 2.0, 3.0], name="v"), tfe.Variable(2, name="n")

    def f(x):
        return tf.reduce_sum(x * v * tf.to_float(n))

    g, values = tf.to_jax(f).with_variables(X)
    assert sorted(values) == ["n", "v"]
    values["v"] = np.float32([5, 5, 5])
    assert g(values, X) == np.sum(X) * 10
    slopes = jax.grad(g, allow_int=True)(values, X)
    np.testing.assert_array_equal(slopes["v"], 2 * X)
    with pytest.raises(ValueError, match=r"takes the variables \['n', 'v'\], got"):
        g({"v": v.numpy()}, X)


def test_variables_are_read_when_traced():
    v = tfe.Variable(2.0)
    f = tf.to_jax(lambda x: x * v)
    assert f(np.float32(3)) == 6
    v.assign(5.0)
    assert f(np.float32(3)) == 15


def test_a_model():
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Dense(4, "tanh", input_shape=(3,)), layers.BatchNormalization(),
        layers.Dense(2),
    ])  # fmt: skip
    rows = np.stack([X, X])
    g, values = tf.to_jax(model).with_variables(rows)
    np.testing.assert_allclose(g(values, rows), model(tf.constant(rows)), atol=1e-6)
    slopes = jax.jit(jax.grad(lambda v: jnp.sum(g(v, rows) ** 2)))(values)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.constant(rows)) ** 2)
    kernel = model.layers[0].kernel
    expected = tape.gradient(loss, kernel)
    np.testing.assert_allclose(slopes[kernel.name[:-2]], expected, rtol=1e-4)


def test_variables_of_a_session():
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        f = tf.to_jax(lambda x: tf.reduce_sum(x * w.read_value()), session=session)
        session.run(w.initializer)
        assert f(X) == np.sum(X)


def test_back_and_forth():
    twice = tf.from_jax(tf.to_jax(lambda x: x * 2.0))
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = twice(x)
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("why, function", [
    ("runs on the host", lambda x: tf.py_func(lambda a: a, [x], tf.float32)),
    ("draws random numbers", lambda x: x + tf.random_normal([3])),
    ("needs the value of an input", lambda x: tf.range(x[0])),
])  # fmt: skip
def test_what_is_refused(why, function):
    with pytest.raises(tf.errors.UnimplementedError, match=why) as caught:
        jax.jit(tf.to_jax(function))(X)
    assert "test_to_jax.py" in str(caught.value)


def test_writing_is_refused():
    v = tfe.Variable(X)
    with pytest.raises(tf.errors.UnimplementedError, match="writes to a variable"):
        tf.to_jax(lambda x: v.assign_add(x))(X)


def test_what_is_no_function():
    with pytest.raises(TypeError, match=r"expects a function of tensors, got int"):
        tf.to_jax(3)
    with pytest.raises(TypeError, match=r"bind other values with functools\.partial"):
        tf.to_jax(lambda x: x, name="f")("text")

"""Artifacts of jax.export: written, run by jax alone, read and differentiated."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import twinflow as tf
from tests.ways import compiled, eager, interpreted

tfe = tf.contrib.eager
L = tf.keras.layers
ROWS = np.random.RandomState(0).randn(4, 3).astype(np.float32)
OPEN = [tf.TensorSpec([None, 3], tf.float32)]


@pytest.fixture
def eagerly():
    with eager():
        yield


def _plain(path):
    """What jax alone makes of a file."""
    return export.deserialize(bytearray(path.read_bytes()))


def _sums(x):
    """Arithmetic of sizes, a loop, and results of several kinds."""
    rows = tf.shape(x)[0]
    flat = tf.reshape(x, [rows * 3])
    loop = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), (0, flat))
    mean = tf.reshape(loop[1], [rows, -1]) / tf.cast(rows, tf.float32)
    return {"mean": mean, "places": tf.argmax(x, 1)}


def _expected(x):
    return x**8 / len(x), 8 * x**7 / len(x)


def test_jax_alone_runs_and_differentiates_it(eagerly, tmp_path):
    path = tmp_path / "sums.stablehlo"
    assert tf.stablehlo.export(_sums, path, OPEN) == {}
    found = _plain(path)
    assert set(found.platforms) == {"cpu", "cuda", "tpu"}
    values, slopes = _expected(ROWS)
    result = jax.jit(found.call)(ROWS)
    np.testing.assert_allclose(result["mean"], values, rtol=1e-5)
    np.testing.assert_array_equal(result["places"], ROWS.argmax(1))
    slope = jax.grad(lambda x: jnp.sum(found.call(x)["mean"]))(ROWS)
    np.testing.assert_allclose(slope, slopes, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("way", [interpreted, compiled], ids=lambda w: w.__name__)
def test_it_is_an_op_in_graphs(way, tmp_path):
    path = tmp_path / "sums.stablehlo"
    with eager():
        tf.stablehlo.export(_sums, path, OPEN)
    model = tf.stablehlo.load(path)
    values, slopes = _expected(ROWS)
    with way(), tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3])
        y = model(x)["mean"]
        assert y.shape.as_list() == [None, 3]
        slope = tf.gradients(y, x)[0]
        found = session.run([y, slope], {x: ROWS})
    np.testing.assert_allclose(found[0], values, rtol=1e-5)
    np.testing.assert_allclose(found[1], slopes, rtol=1e-5, atol=1e-7)


def test_it_is_an_op_eagerly(eagerly, tmp_path):
    path = tmp_path / "cube.stablehlo"
    tf.stablehlo.export(lambda x: x**3, path, OPEN, vjp_order=2)
    cube, x = tf.stablehlo.load(path), tf.constant(ROWS)
    assert cube.differentiable and cube.inputs[0].shape.as_list() == [None, 3]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = cube(x)
        first = inner.gradient(y, x)
    np.testing.assert_allclose(y, ROWS**3, rtol=1e-5)
    np.testing.assert_allclose(first, 3 * ROWS**2, rtol=1e-5)
    np.testing.assert_allclose(outer.gradient(first, x), 6 * ROWS, rtol=1e-5)
    with pytest.raises(TypeError, match=r"takes PyTreeDef.*, got PyTreeDef"):
        cube(x, x)


def test_without_gradients(eagerly, tmp_path):
    path = tmp_path / "f.stablehlo"
    tf.stablehlo.export(lambda x: x * 2.0, path, OPEN, vjp_order=0)
    f, x = tf.stablehlo.load(path), tf.constant(ROWS)
    assert not f.differentiable
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="with vjp_order=0"):
        tape.gradient(y, x)


def test_artifacts_of_others(eagerly, tmp_path):
    (n,) = export.symbolic_shape("n")
    args = (
        jax.ShapeDtypeStruct((n, 3), np.float32),
        {"b": jax.ShapeDtypeStruct((), "f4")},
    )
    made = export.export(jax.jit(lambda x, more: jnp.sin(x) * more["b"]))(*args)
    path = tmp_path / "theirs"
    path.write_bytes(made.serialize(vjp_order=1))
    model, x = tf.stablehlo.load(path), tf.constant(ROWS)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = model(x, {"b": 2})
    np.testing.assert_allclose(y, 2 * np.sin(ROWS), rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(y, x), 2 * np.cos(ROWS), rtol=1e-6)


def test_variables_as_inputs(eagerly, tmp_path):
    v, path = tfe.Variable([1.0, 2.0, 3.0], name="v"), tmp_path / "f.stablehlo"
    values = tf.stablehlo.export(lambda x: x * v, path, OPEN, variables="inputs")
    assert list(values) == ["v"]
    found = _plain(path)
    np.testing.assert_allclose(found.call(values, ROWS), ROWS * v.numpy())
    slope = jax.grad(lambda given: jnp.sum(found.call(given, ROWS)))(values)
    np.testing.assert_allclose(slope["v"], ROWS.sum(0), rtol=1e-5)
    with pytest.raises(ValueError, match="expected 'frozen' or 'inputs'"):
        tf.stablehlo.export(lambda x: x * v, path, OPEN, variables="no")


MODELS = {
    "dense": ([L.Dense(4, "relu"), L.BatchNormalization(), L.Dense(2)], (3,)),
    "images": ([
        L.Conv2D(4, 3, padding="same", strides=2), L.MaxPooling2D(), L.Flatten(),
        L.Dense(2),
    ], (8, 8, 3)),
    "back": ([
        L.Conv2DTranspose(4, 3, strides=2), L.UpSampling2D(), L.GlobalMaxPooling2D(),
    ], (4, 4, 3)),
    "rnn": ([L.LSTM(5, return_sequences=True), L.GRU(3), L.Dense(2)], (6, 3)),
    "open": ([L.Conv1D(4, 3), L.GlobalMaxPooling1D(), L.Dense(2)], (None, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_models_with_open_batches(name, eagerly, tmp_path):
    layers, shape = MODELS[name]
    fresh = [type(layer).from_config(layer.get_config()) for layer in layers]
    model = tf.keras.Sequential(fresh)
    x = np.random.RandomState(1).rand(5, *[n or 7 for n in shape]).astype(np.float32)
    model.build((None, *shape))
    expected = model(tf.constant(x))
    path = tmp_path / "model.stablehlo"
    spec = tf.TensorSpec([None, *shape], tf.float32)
    tf.stablehlo.export(model, path, [spec], platforms=["cpu"], vjp_order=0)
    np.testing.assert_allclose(_plain(path).call(x), expected, atol=1e-5)
    np.testing.assert_allclose(_plain(path).call(x[:1]), expected[:1], atol=1e-5)


def test_a_session(tmp_path):
    path = tmp_path / "graph.stablehlo"
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.get_variable("w", [3, 2])
        y = tf.nn.relu(tf.matmul(x, w))
        session.run(w.initializer)
        expected = session.run(y, {x: ROWS})
        tf.stablehlo.export(session, path, outputs={"y": y})
    found = _plain(path).call(ROWS)["y"]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_keras_model_of_a_graph(tmp_path):
    path = tmp_path / "model.stablehlo"
    with tf.Graph().as_default():
        model = tf.keras.Sequential([
            L.Dense(4, input_shape=(3,)), L.BatchNormalization(), L.Dense(2),
        ])  # fmt: skip
        expected = model.predict(ROWS)
        tf.stablehlo.export(model, path)
    np.testing.assert_allclose(_plain(path).call(ROWS), expected, rtol=1e-5)


def test_what_is_refused(eagerly, tmp_path):
    path = tmp_path / "f"
    with pytest.raises(
        tf.errors.UnimplementedError, match="runs on the host"
    ) as caught:
        tf.stablehlo.export(lambda x: tf.py_func(abs, [x], tf.float32), path, OPEN)
    assert "test_stablehlo.py" in str(caught.value)
    v = tfe.Variable(1.0)

    def counting(x):
        v.assign_add(1.0)
        return x * v

    line = inspect.getsourcelines(counting)[1] + 1
    with pytest.raises(tf.errors.UnimplementedError, match="writes to a") as caught:
        tf.stablehlo.export(tf.function(counting), path, OPEN)
    assert f"test_stablehlo.py:{line})" in str(caught.value)
    with pytest.raises(ValueError, match="does not say what it takes"):
        tf.stablehlo.export(lambda x: x, path)
    steps = tf.keras.Sequential([L.LSTM(2, return_sequences=True)])
    spec = [tf.TensorSpec([None, None, 3], tf.float32)]
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"size that is open \(None\)"
    ):
        tf.stablehlo.export(steps, path, spec)
    assert not path.exists()


def test_foreign_files(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"no artifact at all")
    with pytest.raises(ValueError, match=str(path)):
        tf.stablehlo.load(path)
    with pytest.raises(tf.errors.NotFoundError):
        tf.stablehlo.load(tmp_path / "missing")


def test_calls_into_the_process_are_refused(tmp_path):
    target = "xla_ffi_python_cpu_callback"  # which takes an address in memory
    called = jax.ffi.ffi_call(target, jax.ShapeDtypeStruct((3,), np.float32))
    allowed = [export.DisabledSafetyCheck.custom_call(target)]
    made = export.export(jax.jit(called), disabled_checks=allowed)
    path = tmp_path / "hostile"
    path.write_bytes(made(np.zeros(3, np.float32)).serialize())
    with pytest.raises(ValueError, match=r"calls 'xla_ffi_python_cpu_callback', which"):
        tf.stablehlo.load(path)

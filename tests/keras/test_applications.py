"""tf.keras.applications against TensorFlow 1.12: applications.json."""

import functools
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.keras import application_rows as rows
from tests.modes import eager, graph
from twinflow.base import dispatch
from twinflow.base.errors import NotFoundError
from twinflow.eager.mode import MODE
from twinflow.keras import applications
from twinflow.keras.applications import imagenet_utils
from twinflow.keras.saving import hdf5

__all__ = ["eager", "graph"]

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE / "applications.json").read_text())
SLOW = pytest.mark.slow
NAMES = [pytest.param(n, marks=[SLOW] if n in rows.LARGE else []) for n in rows.ROWS]
SMALL = {"weights": None, "input_shape": (32, 32, 3), "classes": 10}
FUNCTIONS = [n for n in dir(applications) if n[0].isupper()]
with_h5py = pytest.mark.skipif(hdf5.h5py is None, reason="h5py is not installed")


@functools.cache
def small():
    """A small MobileNet in eager mode."""
    with dispatch.entered(MODE):
        return tf.keras.applications.MobileNet(alpha=0.25, **SMALL)


# ------------------------------------------------------------------ architectures
@pytest.mark.parametrize("name", NAMES)
def test_an_architecture_is_that_of_1_12(graph, name):
    model = rows.made(tf, name)
    golden = dict(GOLDEN[name])
    wanted = golden.pop("outputs", None)
    found = {**rows.facts(tf, model), "tensors": rows.tensors(model)}
    assert json.loads(json.dumps(found)) == golden
    if wanted is not None:
        y = rows.outputs(model)
        np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-4 * np.max(wanted))


@pytest.mark.parametrize("name", ["mobilenet_v2_small", "nasnet_mobile"])
def test_an_architecture_is_the_same_eagerly(eager, name):
    model, golden = rows.made(tf, name), dict(GOLDEN[name])
    wanted = golden.pop("outputs")
    del golden["tensors"]
    assert json.loads(json.dumps(rows.facts(tf, model))) == golden
    y = rows.outputs(model)
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-4 * np.max(wanted))


def test_channels_first(graph):
    tf.keras.backend.set_image_data_format("channels_first")
    try:
        model = tf.keras.applications.MobileNetV2(weights=None, include_top=False)
        with pytest.warns(UserWarning, match="only available for the input data"):
            other = tf.keras.applications.NASNetMobile(weights=None, classes=3)
        assert tf.keras.backend.image_data_format() == "channels_first"
    finally:
        tf.keras.backend.set_image_data_format("channels_last")
    assert model.output_shape == (None, 1280, None, None)
    assert model.get_layer("bn_Conv1").axis == [1]
    assert other.input_shape == (None, 224, 224, 3)


def test_a_model_takes_a_tensor(graph):
    images = tf.placeholder(tf.float32, [None, 40, 40, 3])
    model = tf.keras.applications.MobileNet(
        input_tensor=images, weights=None, include_top=False, alpha=0.25
    )
    assert model.input is images and model.output_shape == (None, 1, 1, 256)
    x = tf.keras.Input((66, 66, 3))
    y = tf.keras.layers.Conv2D(3, 3, strides=2)(x)
    model = tf.keras.applications.VGG16(
        input_tensor=y, weights=None, include_top=False, pooling="avg"
    )
    assert model.input is x and model.output_shape == (None, 512)


# ------------------------------------------------------------------ arguments
@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_are_checked(graph, function):
    make = getattr(tf.keras.applications, function)
    with pytest.raises(ValueError, match="The `weights` argument should be either"):
        make(weights="nowhere.h5")
    with pytest.raises(ValueError, match="`classes` should be 1000"):
        make(classes=10)
    with pytest.raises(ValueError, match=r"`input_shape` should be \((224|299|331), "):
        make(input_shape=(100, 100, 3))
    with pytest.raises(ValueError, match=r"Input size must be at least (\d+)x\1; got"):
        make(weights=None, input_shape=(20, 400, 3))
    with pytest.raises(ValueError, match="must be a tuple of three integers"):
        make(weights=None, input_shape=(400, 3))
    with pytest.raises(ValueError, match="you should specify a static `input_shape`"):
        make(weights=None, input_shape=(None, None, 3))


def test_arguments_of_the_mobilenets_are_checked(graph):
    v1, v2 = tf.keras.applications.MobileNet, tf.keras.applications.MobileNetV2
    with pytest.raises(ValueError, match="depth multiplier must be 1"):
        v1(depth_multiplier=2)
    with pytest.raises(ValueError, match=r"one of`0[.]25`, `0[.]50`"):
        v1(alpha=0.3)
    with pytest.raises(ValueError, match=r"one of `0[.]35`, `0[.]50`"):
        v2(alpha=0.3)
    x = tf.keras.Input((64, 64, 3))
    with pytest.raises(ValueError, match="do not meet the same shape requirements"):
        v2(input_tensor=x, input_shape=(32, 32, 3), weights=None)
    with pytest.raises(ValueError, match="which is not a valid type"):
        v2(input_tensor=5, weights=None)
    images = tf.placeholder(tf.float32, [None, 64, 64, 3])
    with pytest.raises(ValueError, match="is not a keras tensor"):
        v2(input_tensor=images, input_shape=(64, 64, 3), weights=None)


def test_warnings(graph):
    with pytest.warns(UserWarning, match="expects 1 or 3 input channels.*with 4 "):
        tf.keras.applications.VGG16(
            weights=None, include_top=False, input_shape=(32, 32, 4)
        )
    with pytest.warns(UserWarning, match="has been changed since Keras 2.2.0"):
        tf.keras.applications.ResNet50(weights=None, include_top=False)


# ------------------------------------------------------------------ weights
FILES = {
    "DenseNet169": "densenet169_weights_tf_dim_ordering_tf_kernels",
    "InceptionResNetV2": "inception_resnet_v2_weights_tf_dim_ordering_tf_kernels",
    "InceptionV3": "inception_v3_weights_tf_dim_ordering_tf_kernels",
    "ResNet50": "resnet50_weights_tf_dim_ordering_tf_kernels",
    "VGG16": "vgg16_weights_tf_dim_ordering_tf_kernels",
    "VGG19": "vgg19_weights_tf_dim_ordering_tf_kernels",
    "Xception": "xception_weights_tf_dim_ordering_tf_kernels",
}


@pytest.fixture
def home(monkeypatch, tmp_path):
    """An empty home; the folder for weights in it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".keras" / "models"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("function", ["VGG16", "ResNet50"])
def test_weights_of_imagenet_are_a_local_file(graph, home, function):
    make = getattr(tf.keras.applications, function)
    shape = {"input_shape": (32, 32, 3), "pooling": "avg", "include_top": False}
    path = home / f"{FILES[function]}_notop.h5"
    with pytest.raises(NotFoundError) as error:
        make(**shape)
    assert str(path) in str(error.value) and "https://github.com" in str(error.value)
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="damaged or another file"):
        make(**shape)


def test_the_names_of_the_files(graph, home):
    def asked(function, **kwargs):
        with pytest.raises(NotFoundError) as error:
            getattr(tf.keras.applications, function)(**kwargs)
        return str(error.value).partition(" is not there")[0].rpartition("/")[2]

    v1, v2 = "MobileNet", "MobileNetV2"
    assert asked(v1, alpha=0.25) == "mobilenet_2_5_224_tf.h5"
    found = asked(v1, input_shape=(128, 128, 3), include_top=False)
    assert found == "mobilenet_1_0_128_tf_no_top.h5"
    start = "mobilenet_v2_weights_tf_dim_ordering_tf_kernels"
    assert asked(v2, alpha=1.4, include_top=True) == f"{start}_1.4_224.h5"
    with pytest.warns(UserWarning, match="is not in .96, 128, 160, 192, 224."):
        found = asked(v2, alpha=1, include_top=False)
    assert found == f"{start}_1.0_224_no_top.h5"
    assert asked("NASNetMobile", include_top=False) == "nasnet_mobile_no_top.h5"


@with_h5py
def test_weights_of_imagenet_are_read(graph, home):
    model = tf.keras.applications.MobileNet(alpha=0.25, weights=None, include_top=False)
    model.set_weights(rows.values(model))
    model.save_weights(str(home / "mobilenet_2_5_128_tf_no_top.h5"))
    again = tf.keras.applications.MobileNet(
        alpha=0.25, include_top=False, input_shape=(128, 128, 3)
    )
    for a, b in zip(model.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("end", ["w", pytest.param("w.h5", marks=with_h5py)])
def test_weights_of_a_path(eager, tmp_path, end):
    model, path = small(), str(tmp_path / end)
    model.save_weights(path)
    again = tf.keras.applications.MobileNet(alpha=0.25, **{**SMALL, "weights": path})
    for a, b in zip(model.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


# ------------------------------------------------------------------ training
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_a_step_of_training(request, mode):
    request.getfixturevalue(mode)
    model = tf.keras.applications.MobileNet(alpha=0.25, **SMALL)
    model.compile(tf.train.GradientDescentOptimizer(0.1), "categorical_crossentropy")
    x, y = rows.images(model), np.eye(10, dtype=np.float32)[[3, 4]]
    before = model.get_weights()
    loss = model.fit(x, y, verbose=0).history["loss"][0]
    assert 1 < loss < 10
    after = model.get_weights()
    assert all(np.all(np.isfinite(w)) for w in after)
    assert sum(np.any(a != b) for a, b in zip(before, after, strict=True)) > 130


def test_a_step_in_a_function(eager):
    x = np.random.RandomState(1).uniform(-1, 1, [8, 32, 32, 3]).astype(np.float32)
    y = np.eye(10, dtype=np.float32)[[3, 4, 5, 6] * 2]
    start = small().get_weights()

    def stepped(wrap):
        model = tf.keras.applications.MobileNet(alpha=0.25, dropout=0.0, **SMALL)
        model.set_weights(start)
        optimizer = tf.train.GradientDescentOptimizer(0.01)

        def step(x, y):
            with tf.GradientTape() as tape:
                p = model(x, training=True)
                loss = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(y, p))
            slopes = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(
                zip(slopes, model.trainable_variables, strict=True)
            )
            return loss

        return wrap(step)(tf.constant(x), tf.constant(y)), model

    (one, a), (two, b) = stepped(tf.contrib.eager.defun), stepped(lambda step: step)
    np.testing.assert_allclose(one, two, rtol=1e-3)
    for name in ("moving_mean", "moving_variance", "gamma", "beta"):
        u, v = (getattr(m.get_layer("conv_dw_3_bn"), name).numpy() for m in (a, b))
        np.testing.assert_allclose(u, v, rtol=1e-3, atol=1e-4)
    changed = [np.any(u != v) for u, v in zip(start, a.get_weights(), strict=True)]
    assert sum(changed) > 130


# ------------------------------------------------------------------ imagenet_utils
def test_preprocessing_of_arrays():
    x = np.array([[[[0.0, 127.5, 255.0]]]], np.float32)
    for module in ("mobilenet", "mobilenet_v2", "inception_v3", "xception", "nasnet"):
        scaled = getattr(tf.keras.applications, module).preprocess_input(x.copy())
        np.testing.assert_allclose(scaled, [[[[-1, 0, 1]]]], atol=1e-6)
    torch = tf.keras.applications.densenet.preprocess_input(x.copy())
    np.testing.assert_allclose(
        torch, [[[[-2.1179, 0.1964, 2.64]]]], rtol=1e-4, atol=1e-5
    )
    for module in ("resnet50", "vgg16", "vgg19"):
        caffe = getattr(tf.keras.applications, module).preprocess_input(x.copy())
        np.testing.assert_allclose(
            caffe, [[[[151.061, 10.721, -123.68]]]], rtol=1e-4, atol=1e-4
        )


def test_preprocessing_writes_over_floats_only():
    floats, ints = np.full([2, 2, 3], 255.0), np.full([2, 2, 3], 255)
    found = imagenet_utils.preprocess_input(floats, mode="tf")
    assert found is floats and floats.max() == 1
    found = imagenet_utils.preprocess_input(ints, mode="tf")
    assert ints.max() == 255 and found.dtype == np.float32


@pytest.mark.parametrize("mode", ["tf", "torch", "caffe"])
@pytest.mark.parametrize("layout", ["channels_last", "channels_first"])
def test_preprocessing_of_tensors_is_that_of_arrays(eager, mode, layout):
    x = np.random.RandomState(1).uniform(0, 255, [2, 3, 3, 3]).astype(np.float32)
    for value in (x, x[0]):
        found = imagenet_utils.preprocess_input(tf.constant(value), layout, mode)
        wanted = imagenet_utils.preprocess_input(value.copy(), layout, mode)
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-6, atol=1e-5)
    other = np.moveaxis(x, -1, 1) if layout == "channels_first" else x
    turned = imagenet_utils.preprocess_input(other.copy(), layout, mode)
    turned = np.moveaxis(turned, 1, -1) if layout == "channels_first" else turned
    wanted = imagenet_utils.preprocess_input(x.copy(), "channels_last", mode)
    np.testing.assert_array_equal(turned, wanted)


def test_preprocessing_refuses_other_layouts():
    with pytest.raises(ValueError, match="Unknown data_format middle"):
        imagenet_utils.preprocess_input(np.zeros([1, 1, 3]), "middle")


def test_predictions_get_names(home, monkeypatch):
    p = np.zeros([2, 1000], np.float32)
    p[0, [7, 5]], p[1, 999] = [0.75, 0.25], 1.0
    decode = tf.keras.applications.resnet50.decode_predictions
    with pytest.raises(NotFoundError, match=r"imagenet_class_index[.]json is not"):
        decode(p)
    file = home / "imagenet_class_index.json"
    file.write_text(json.dumps({str(i): [f"n{i}", f"thing {i}"] for i in range(1000)}))
    with pytest.raises(ValueError, match="damaged or another file"):
        decode(p)
    monkeypatch.setattr(imagenet_utils, "_CLASSES_HASH", None)
    found = decode(p, top=2)
    assert found[0] == [("n7", "thing 7", 0.75), ("n5", "thing 5", 0.25)]
    assert found[1][0] == ("n999", "thing 999", 1.0) and len(decode(p)[0]) == 5
    with pytest.raises(ValueError, match=r"Found array with shape: \(2, 10\)"):
        decode(p[:, :10])


# ------------------------------------------------------------------ interop
MADE = """
import json, runpy, sys, numpy as np, tensorflow as tf
rows = runpy.run_path({rows!r})
model = rows["made"](tf, {name!r})
model.set_weights([w * 0.5 for w in rows["values"](model)])
{action}
print(json.dumps(model.predict(rows["images"](model)).tolist()))
"""


EXCHANGED = [("densenet121", "w.h5"), ("mobilenet_v2_small", "w.h5")]
EXCHANGED += [("mobilenet_v2_small", "w")]


def there(python, name, action):
    """The outputs of a row's model under TensorFlow 1.12."""
    source = MADE.format(rows=str(rows.__file__), name=name, action=action)
    done = subprocess.run(
        [python, "-c", source], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@with_h5py
@pytest.mark.interop
@pytest.mark.parametrize("name, end", EXCHANGED)
def test_weights_come_from_1_12(graph, tf112_python, tmp_path, name, end):
    path = str(tmp_path / end)
    wanted = there(tf112_python, name, f"model.save_weights({path!r})")
    model = rows.made(tf, name)
    model.load_weights(path)
    found = model.predict(rows.images(model))
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)


@with_h5py
@pytest.mark.interop
@pytest.mark.parametrize("name, end", EXCHANGED)
def test_weights_go_to_1_12(graph, tf112_python, tmp_path, name, end):
    path, model = str(tmp_path / end), rows.made(tf, name)
    model.set_weights(rows.values(model))
    model.save_weights(path)
    wanted = there(tf112_python, name, f"model.load_weights({path!r})")
    found = model.predict(rows.images(model))
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)

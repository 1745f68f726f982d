"""What stood around TensorFlow in 2018: Keras beside it, SciPy's images, habits."""

import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch, native
from twinflow.base.convert import manners
from twinflow.compat.door import habits, old_scipy
from twinflow.eager.mode import MODE


@pytest.fixture
def old():
    undo = habits.restore()
    yield
    undo()


@pytest.mark.skipif(native.fast is None, reason="the C module changes ndarray")
def test_arrays_of_one_element_are_numbers(old):
    one, two = np.array([[1.5]], np.float32), np.array([1.5, 2.5])
    assert float(one) == 1.5 and int(one) == 1 and "%.2f" % one == "1.50"  # noqa: UP031
    assert "%d" % np.array([3]) == "3" and int(np.array(["7"])) == 7  # noqa: UP031
    assert float(np.float64(2.0)) == 2.0 and float(np.array(2.0)) == 2.0
    for number in (float, int):
        with pytest.raises(TypeError, match="can be converted to Python scalars"):
            number(two)
    with pytest.raises(ValueError, match="could not convert string to float"):
        float(np.array(["a"]))


@pytest.mark.skipif(native.fast is None, reason="the C module changes ndarray")
def test_empty_arrays_are_false(old):
    assert not np.array([]) and np.array([1]) and not np.array([0])
    with pytest.raises(ValueError, match="ambiguous"):
        bool(np.array([1, 2]))


@pytest.mark.skipif(native.fast is None, reason="the C module changes ndarray")
def test_lists_of_slices_are_several_indices(old):
    a = np.arange(12).reshape(3, 4)
    key = [slice(None, None, -1), 1]
    assert a[key].tolist() == [9, 5, 1] and a[[slice(1), None]].shape == (1, 1, 4)
    assert a[[0, 2]].shape == (2, 4)
    a[key] = 0
    assert a[:, 1].tolist() == [0, 0, 0]
    for wrong in ([0, 9], ["x"], [slice(1), "x"]):
        with pytest.raises(IndexError):
            a[wrong]


@pytest.mark.skipif(native.fast is None, reason="the C module changes ndarray")
def test_they_are_not_afterwards():
    habits.restore()()
    with pytest.raises(ValueError):
        bool(np.array([]))
    with pytest.raises(IndexError):
        np.arange(3)[[slice(1)]]
    with pytest.raises(TypeError):
        float(np.array([1.5]))


def test_reshape_takes_its_old_name(old):
    assert np.reshape(np.arange(4), newshape=[2, 2]).shape == (2, 2)
    assert np.reshape(np.arange(4), (4, 1)).shape == (4, 1)


CUT = [
    "{}(1) > 0.5",
    "{}([1, 2]) * 1.9",
    "{}(3) - np.float64(1.7)",
    "{}(1.5, tf.int32)",
]


@pytest.mark.parametrize("program", CUT)
def test_floats_lose_their_fraction_beside_integers_as_in_eager_tensorflow(
    program, monkeypatch
):
    source = program.format("tf.constant")
    with dispatch.entered(MODE):
        with pytest.raises(TypeError, match="Expected int32, got"):
            eval(source)
        monkeypatch.setattr(manners, "cut_off", True)
        with pytest.warns(UserWarning, match="loses its fraction"):
            found = eval(source)
    wanted = {"> 0.5": True, "* 1.9": [1, 2], "- np": 2, "1.5,": 1}
    key = next(k for k in wanted if k in source)
    np.testing.assert_array_equal(found.numpy(), wanted[key])


def test_graphs_refuse_them_as_in_tensorflow(monkeypatch):
    monkeypatch.setattr(manners, "cut_off", True)
    with tf.Graph().as_default(), pytest.raises(TypeError, match="unsupported operand"):
        tf.constant(1) + 0.5


@pytest.mark.parametrize("mode", [MODE, None])
def test_arrays_are_cast_to_what_is_wanted_as_in_tensorflow(mode, monkeypatch):
    monkeypatch.setattr(manners, "cut_off", True)
    block = tf.Graph().as_default() if mode is None else dispatch.entered(mode)
    with block, pytest.warns(UserWarning, match="loses its fraction"):
        found = tf.constant(np.array([1.5, -2.7]), tf.int32)
        bits = tf.constant(np.array([300, -1]), tf.uint8)
        real = tf.constant(np.array([1 + 2j]), tf.float32)
        if mode is None:
            with tf.Session() as session:
                found, bits, real = session.run([found, bits, real])
    np.testing.assert_array_equal(found, [1, -2])
    np.testing.assert_array_equal(bits, [44, 255])
    np.testing.assert_array_equal(real, [1.0])


def test_images_of_scipy(tmp_path):
    pytest.importorskip("PIL")
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    assert old_scipy.imresize(image, (2, 3)).shape == (2, 3, 3)
    assert old_scipy.imresize(image, 50).shape == (2, 2, 3)
    assert old_scipy.imresize(np.eye(4), 0.5, "nearest").tolist() == [
        [255, 0],
        [0, 255],
    ]
    old_scipy.imsave(str(tmp_path / "a.png"), image)
    np.testing.assert_array_equal(old_scipy.imread(str(tmp_path / "a.png")), image)
    grey = old_scipy.imread(str(tmp_path / "a.png"), flatten=True)
    assert grey.dtype == np.float32 and grey.shape == (4, 4)
    assert old_scipy.bytescale([0.0, 0.5, 1.0]).tolist() == [0, 128, 255]
    assert old_scipy.toimage(np.ones([3, 5, 6])).size == (6, 5)  # the colors first
    np.testing.assert_array_equal(
        old_scipy.imrotate(np.eye(3), 90), np.eye(3)[::-1] * 255
    )
    with pytest.raises(ValueError, match="suitable array shape"):
        old_scipy.toimage(np.ones([5, 6, 7]))


def test_derivatives_of_scipy():
    for n, order in ((1, 3), (1, 5), (2, 5), (3, 7)):
        found = old_scipy.derivative(np.exp, 0.5, dx=0.01, n=n, order=order)
        np.testing.assert_allclose(found, np.exp(0.5), rtol=1e-4)
    weights = old_scipy.central_diff_weights(5) * 12
    np.testing.assert_allclose(weights, [1, -8, 0, 8, -1], atol=1e-12)
    with pytest.raises(ValueError, match="must be odd"):
        old_scipy.central_diff_weights(4)


KERAS = """
import keras
from keras import backend as K
from keras.engine.topology import Layer
from keras.layers import *
from keras.layers.core import Dense as Same
from keras.models import Sequential
from keras.optimizers import SGD
from keras.utils import np_utils
import numpy as np
import scipy.misc
assert Same is Dense and keras.__version__ == "2.1.6-tf"
model = Sequential([Dense(4, input_dim=3, activation="relu"), Dense(2)])
model.compile("sgd", "mse")
model.fit(np.ones([4, 3]), np_utils.to_categorical([0, 1, 0, 1]), verbose=0)
assert scipy.misc.comb(4, 2) == 6
from twinflow.base import native
assert native.fast is None or "%.1f" % np.array([2.0]) == "2.0"
try:
    keras.layers.NoSuchLayer
except AttributeError as error:
    print(error)
try:
    import keras.no_such_module
except ImportError as error:
    print(error)
"""


def test_keras_without_a_keras(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(KERAS)
    command = [sys.executable, "-m", "twinflow", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no attribute 'NoSuchLayer'" in done.stdout
    assert "No module named 'keras.no_such_module'" in done.stdout

"""Files of Keras 3, read and written: the same numbers in both directions."""

import json
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.keras import make_keras3
from tests.modes import eager, graph
from twinflow.keras.saving import hdf5

__all__ = ["eager", "graph"]

pytestmark = pytest.mark.skipif(hdf5.h5py is None, reason="h5py is not installed")
K = tf.keras
NAMES = ("image", "sequence", "dense", "functional")
SAMPLES = Path(__file__).parent / "keras3"


def _run(python, command, folder):
    script = Path(make_keras3.__file__)
    done = subprocess.run(
        [python, script, command, folder], timeout=300, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def written(tf221_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("keras3")
    _run(tf221_python, "write", folder)
    return folder


def _check(model, values):
    y, *xs = (values[k] for k in values.files)
    found = model.predict(xs[0] if len(xs) == 1 else xs)
    np.testing.assert_allclose(found, y, rtol=1e-5, atol=1e-5)


@pytest.mark.interop
@pytest.mark.parametrize("end", ["keras", "h5"])
@pytest.mark.parametrize("name", NAMES)
def test_model_of_keras3(written, name, end, graph):
    model = K.models.load_model(str(written / f"{name}.{end}"))
    _check(model, np.load(written / f"{name}.npz"))


@pytest.mark.interop
@pytest.mark.parametrize("name", NAMES)
def test_weights_of_keras3(written, name, graph):
    model, _ = make_keras3.models(K)[name]
    model.load_weights(str(written / f"{name}.weights.h5"))
    _check(model, np.load(written / f"{name}.npz"))


@pytest.mark.interop
def test_keras3_reads_ours(tf221_python, tmp_path):
    with tf.Graph().as_default():
        make_keras3.write(K, str(tmp_path))
    _run(tf221_python, "read", tmp_path)
    for name in NAMES:
        y, found = (
            np.load(tmp_path / f"{name}.npz"),
            np.load(tmp_path / f"{name}.read.npz"),
        )
        for key in ("arr_0", "arr_1"):
            np.testing.assert_allclose(found[key], y["arr_0"], rtol=1e-5, atol=1e-5)
        assert found["compiled"] == (name == "dense")


# ------------------------------------------------------------------ without Keras 3
def test_committed_sample(eager):
    model = K.models.load_model(str(SAMPLES / "dense.keras"))
    _check(model, np.load(SAMPLES / "dense.npz"))
    assert type(model.optimizer).__name__ == "Adam"


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back(name, tmp_path, eager):
    model, shape = make_keras3.models(K)[name]
    xs = make_keras3.inputs(model, name, shape)
    xs = xs[0] if len(xs) == 1 else xs
    path = str(tmp_path / "model.keras")
    model.save(path)
    again = K.models.load_model(path)
    np.testing.assert_allclose(again.predict(xs), model.predict(xs), rtol=1e-6)
    model.save_weights(str(tmp_path / "model.weights.h5"))
    other, _ = make_keras3.models(K)[name]
    other.load_weights(str(tmp_path / "model.weights.h5"))
    np.testing.assert_allclose(other.predict(xs), model.predict(xs), rtol=1e-6)


def test_safetensors(tmp_path, eager):
    model, shape = make_keras3.models(K)["sequence"]
    (x,) = make_keras3.inputs(model, "sequence", shape)
    model.save_weights(str(tmp_path / "w.safetensors"))
    again, _ = make_keras3.models(K)["sequence"]
    again.load_weights(str(tmp_path / "w.safetensors"))
    np.testing.assert_allclose(again.predict(x), model.predict(x), rtol=1e-6)
    other, _ = make_keras3.models(K)["dense"]
    with pytest.raises(ValueError, match="only one of them has"):
        other.load_weights(str(tmp_path / "w.safetensors"))


def test_other_function_of_that_name(tmp_path, eager):
    model = K.Sequential([K.layers.LSTM(2, input_shape=(3, 4))])
    with pytest.raises(
        ValueError, match=r"hard_sigmoid.*Keras 3 would give other numbers"
    ):
        model.save(str(tmp_path / "model.keras"))
    assert not list(tmp_path.iterdir())


def _changed(path, change):
    """The sample with other settings."""
    with zipfile.ZipFile(SAMPLES / "dense.keras") as archive:
        members = {n: archive.read(n) for n in archive.namelist()}
    settings = json.loads(members["config.json"])
    change(settings)
    members["config.json"] = json.dumps(settings)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return str(path)


def test_code_is_refused(tmp_path):
    def change(settings):
        config = settings["config"]["layers"][1]["config"]
        config["activation"] = {"class_name": "__lambda__", "config": {"value": "x"}}

    path = _changed(tmp_path / "bad.keras", change)
    with pytest.raises(ValueError, match="Python bytecode"):
        K.models.load_model(path)


def test_functions_of_other_modules_are_refused(tmp_path):
    def change(settings):
        config = settings["config"]["layers"][1]["config"]
        config["activation"] = {
            "module": "os", "class_name": "function", "config": "system",
            "registered_name": "function",
        }  # fmt: skip

    path = _changed(tmp_path / "bad.keras", change)
    with pytest.raises(ValueError, match="system"):
        K.models.load_model(path)


def test_setting_without_counterpart(tmp_path):
    def change(settings):
        settings["config"]["layers"][1]["config"]["lora_rank"] = 4

    path = _changed(tmp_path / "bad.keras", change)
    with pytest.raises(ValueError, match="lora_rank = 4"):
        K.models.load_model(path)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9, 0.99])
def test_truncated(part, tmp_path):
    content = (SAMPLES / "dense.keras").read_bytes()
    path = tmp_path / "short.keras"
    path.write_bytes(content[: int(len(content) * part)])
    with pytest.raises((ValueError, OSError), match=r"short\.keras"):
        K.models.load_model(str(path))


def test_damaged(tmp_path):
    content = bytearray((SAMPLES / "dense.keras").read_bytes())
    for place in range(40, len(content), len(content) // 40):
        path = tmp_path / "damaged.keras"
        path.write_bytes(
            content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :]
        )
        try:
            K.models.load_model(str(path))
        except (ValueError, OSError) as error:
            assert "damaged.keras" in str(error)

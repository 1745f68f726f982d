"""What is said of accelerators before jax starts."""

import os
import subprocess
import sys

import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.base import accelerator_options, devices

NAMES = (
    "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "JAX_CUDA_VISIBLE_DEVICES",
)  # fmt: skip


@pytest.fixture
def environ(monkeypatch):
    for name in NAMES:
        monkeypatch.setenv(name, "")  # so that it is taken away afterwards
        monkeypatch.delenv(name)
    monkeypatch.setattr(accelerator_options, "_late", set())
    monkeypatch.setattr(accelerator_options, "_has_started", lambda: False)
    return monkeypatch


def config(**options):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(**options))


def test_memory_options_reach_jax(environ):
    tf.Session(config=config(allow_growth=True, visible_device_list="1,0")).close()
    assert [os.environ.get(n) for n in NAMES] == ["false", None, "1,0"]
    tf.Session(config=config(per_process_gpu_memory_fraction=0.4)).close()
    assert os.environ[NAMES[1]] == "0.4"


def test_options_that_come_late_are_told_once(environ, caplog):
    environ.setattr(accelerator_options, "_has_started", lambda: True)
    for _ in range(2):
        tf.Session(config=config(allow_growth=True)).close()
    said = [r.getMessage() for r in caplog.records if "gpu_options" in r.getMessage()]
    assert len(said) == 1 and "XLA_PYTHON_CLIENT_PREALLOCATE" in said[0]
    assert NAMES[0] not in os.environ


def test_nothing_is_set_unasked(environ):
    tf.Session(config=tf.ConfigProto(allow_soft_placement=True)).close()
    assert not set(NAMES) & set(os.environ)


def test_a_driver_without_a_plugin_is_told(environ, caplog, tmp_path):
    driver = tmp_path / "version"
    environ.setattr(accelerator_options, "_DRIVER", str(driver))
    environ.setattr(devices, "_has_plugin", lambda: False)
    environ.delenv("TWINFLOW_FAKE_GPUS", raising=False)
    for there in (False, True):
        if there:
            driver.write_text("NVRM version")
        devices.accelerators.cache_clear()
        try:
            assert not tf.test.is_gpu_available()
        finally:
            devices.accelerators.cache_clear()
        told = [r.getMessage() for r in caplog.records]
        assert len(told) == there
    assert "no CUDA plugin of jax" in told[0] and "twinflow[cuda]" in told[0]


_PLAYED = """
import twinflow as tf
from tensorflow.python.client import device_lib
assert tf.test.is_gpu_available() and tf.test.gpu_device_name() == "/device:GPU:0"
found = [d for d in device_lib.list_local_devices() if d.device_type == "GPU"]
assert [d.name for d in found] == ["/device:GPU:0", "/device:GPU:1"]
assert found[1].physical_device_desc.startswith("device: 1, name: ")
with tf.Session() as session:
    devices = session.list_devices()
assert [d.device_type for d in devices] == ["CPU", "GPU", "GPU"]
assert all(d.memory_limit_bytes > 0 for d in devices)
tf.enable_eager_execution()
with tf.device("/gpu:1"):
    layer = tf.keras.layers.Dense(2)
    y = layer(tf.ones([1, 3]))  # which reads variables of a device in its scope
assert y.device.endswith("GPU:1") and layer.kernel.device.endswith("GPU:1")
print("ok")
"""


def test_devices_that_are_played():
    env = {
        **os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_FAKE_GPUS": "2",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=3", "JAX_PLATFORMS": "cpu",
    }  # fmt: skip
    code = f"import twinflow.compat.tensorflow\n{_PLAYED}"
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr

"""Device names and scopes, errors where there is no such device, and accelerators."""

import os
import subprocess
import sys

import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.base import devices
from twinflow.contrib import eager as tfe

PROGRAMS = [
    "accelerator_program",
    pytest.param("accelerator_errors_program", marks=pytest.mark.slow),
]
NO_GPU = "/job:localhost/replica:0/task:0/device:GPU:0 unknown device."


# ------------------------------------------------------------------ names
@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("/job:ps/replica:2/task:3/cpu:0", "/job:ps/replica:2/task:3/device:CPU:0"),
        ("/gpu:*", "/device:GPU:*"),
        ("cpu", "/device:CPU:*"),
        ("/task:1", "/task:1"),
        ("", ""),
        ("/Gpu:0", "/device:GPU:0"),
        ("/device:XLA_CPU:0", "/device:XLA_CPU:0"),
    ],
)
def test_names_in_full(name, full):
    assert tf.DeviceSpec.from_string(name).to_string() == full


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notadevice", "Unknown attribute: 'notadevice' in 'notadevice'"),
        ("/job:a/b", "Unknown attribute: 'b' in '/job:a/b'"),
        ("/tpu:0", "Unknown attribute: 'tpu' in '/tpu:0'"),
        ("/cpu:0/gpu:0", "Cannot specify multiple device types: /cpu:0/gpu:0"),
        ("/cpu:a", "invalid literal for int() with base 10: 'a'"),
    ],
)
def test_names_that_cannot_be_read(name, text):
    with pytest.raises(ValueError) as raised:
        tf.DeviceSpec.from_string(name)
    assert str(raised.value) == text


def test_parts_of_a_name():
    spec = tf.DeviceSpec(job="x", device_type="gpu", device_index="1", task=2)
    assert spec.to_string() == "/job:x/task:2/device:GPU:1"
    spec.merge_from(tf.DeviceSpec.from_string("/task:1/cpu:3"))
    assert spec.to_string() == "/job:x/task:1/device:CPU:3"
    assert spec == tf.DeviceSpec.from_string(spec.to_string())


# ------------------------------------------------------------------ eager scopes
def test_the_cpu_is_where_ops_run(eager):
    for name in ("/cpu:0", "cpu:0", "/device:CPU:0", devices.CPU, None, ""):
        with tf.device(name):
            assert (tf.constant([1.0]) + 1.0).device == devices.CPU
            assert tfe.Variable([1.0]).device == devices.CPU


@pytest.mark.skipif(devices.num_gpus() > 0, reason="there is a GPU")
def test_a_device_that_is_not_there(eager):
    x = tf.constant([1.0])
    with tf.device("/gpu:0"):
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            x + x
        assert str(raised.value) == f"{NO_GPU} name: add/"
        with pytest.raises(RuntimeError, match="Error copying tensor to device: /job"):
            tf.constant(1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="name: Variable/"):
            tfe.Variable([1.0])
    assert (x + x).numpy().tolist() == [2.0]
    with pytest.raises(RuntimeError) as raised:
        x.gpu()
    assert str(raised.value) == (
        "Error copying tensor to device: GPU:0. GPU:0 unknown device."
    )
    assert tfe.num_gpus() == 0
    assert tfe.list_devices() == [devices.CPU]


def test_scopes_refuse_what_is_no_name(eager):
    with (
        pytest.raises(ValueError, match="Unknown attribute: 'notadevice'"),
        tf.device("notadevice"),
    ):
        pass
    with (
        pytest.raises(ValueError, match="Expecting a string device name"),
        tf.device(3),
    ):
        pass
    with (
        pytest.raises(RuntimeError, match="does not support functions when eager"),
        tf.device(lambda node: "/cpu:0"),
    ):
        pass


# ------------------------------------------------------------------ graph scopes
def test_scopes_of_a_graph_are_merged():
    with tf.Graph().as_default():
        with tf.device("/job:ps/task:1"):
            assert tf.constant(1.0).device == "/job:ps/task:1"
            with tf.device("/gpu:1"):
                assert tf.constant(1.0).device == "/job:ps/task:1/device:GPU:1"
            with tf.device(None):
                assert tf.constant(1.0).device == ""
        with tf.device(lambda node: "/cpu:0" if node.type == "Const" else "/gpu:0"):
            x = tf.constant(1.0)
            assert (x.device, tf.add(x, x).device) == ("/cpu:0", "/gpu:0")
        with tf.device(tf.DeviceSpec(job="ps", task=1)):
            assert tf.constant(1.0).device == "/job:ps/task:1"
        with (
            pytest.raises(ValueError, match="Unknown attribute"),
            tf.device("notadevice"),
        ):
            pass


# ------------------------------------------------------------------ accelerators
def _run_program(name, **extra):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **extra}
    program = ROOT / f"tests/eager/{name}.py"
    done = subprocess.run(
        [sys.executable, program], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ok\n"


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_accelerator_that_is_played_by_a_second_cpu(name):
    flags = "--xla_force_host_platform_device_count=2"
    if "errors" in name:  # hundreds of kernels are compiled, and no number matters
        flags += " --xla_backend_optimization_level=0"
    _run_program(name, XLA_FLAGS=flags, TWINFLOW_FAKE_GPUS="1", JAX_PLATFORMS="cpu")


@pytest.mark.gpu
@pytest.mark.skipif(devices.num_gpus() == 0, reason="there is no GPU")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_real_accelerator(name):
    _run_program(name)

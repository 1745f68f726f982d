"""Programs with Horovod: several processes give the numbers of one."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.compat.horovod import callbacks, finder, state
from twinflow.compat.horovod import keras as hvd_keras
from twinflow.compat.horovod import tensorflow as hvd

PROGRAMS = ROOT / "tests" / "compat" / "horovod_programs"


def launched(program, *words):
    """What one process, and each of two, found; they run at the same time."""
    begun = []
    for options in ((), ("-n", "2")):
        own = [f"{w}{len(options)}" if "/" in str(w) else w for w in words]
        command = ["launch", *options] if options else ["run"]
        begun.append(subprocess.Popen(
            [sys.executable, "-m", "twinflow", *command, PROGRAMS / program, *own],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ))  # fmt: skip
    found = []
    try:
        for process in begun:
            out, err = process.communicate(timeout=150)
            assert process.returncode == 0, err
            lines = [line.partition("found ")[2] for line in out.splitlines()]
            found.append([json.loads(line) for line in lines if line])
    finally:
        for process in begun:
            process.kill()
            process.wait()
    ((one,), both) = found
    assert len(both) == 2
    return one, both


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


def test_graphs_with_hooks(tmp_path):
    one, both = launched("graph.py", tmp_path / "model")
    for found in both:
        close(found, one)
    names = {v: tf.train.load_checkpoint(str(tmp_path / f"model{v}")) for v in "02"}
    for name in names["0"].get_variable_to_shape_map():
        close(names["2"].get_tensor(name), names["0"].get_tensor(name))


def test_eagerly_with_a_tape():
    one, both = launched("eager.py")
    assert both[0] == both[1]
    close(both[0]["plain"], one["plain"])
    close(both[0]["function"], one["plain"])
    np.testing.assert_allclose(both[0]["half"], one["plain"], rtol=1e-3)
    assert both[0]["half"] != both[0]["plain"]


@pytest.mark.parametrize("words", [["save"], ["eager", "train"]])
def test_keras(tmp_path, words):
    one, both = launched("with_keras.py", tmp_path / "model.h5", *words)
    for found in both:
        close(found["loss"], one["loss"])
        close(found["mae"], one["mae"])
        for key in {"weights", "again"} & set(one):
            for a, b in zip(found[key], one[key], strict=True):
                close(a, b)


def test_rates(tmp_path):
    _, both = launched("with_keras.py", tmp_path / "model.h5", "warmup")
    grows = [0.1 * (1 + (i + 1) / 8) / 2 for i in range(8)]  # over two epochs of four
    for found in both:
        close(found["rates"], [*grows, *[0.05] * 4])


@pytest.fixture
def begun():
    hvd.init()
    hvd.init()
    yield
    hvd.shutdown()


def test_before_init():
    for call in (hvd.size, hvd.rank, hvd.local_rank, lambda: hvd.allreduce(1.0)):
        with pytest.raises(ValueError, match="Horovod has not been initialized"):
            call()
    with pytest.raises(tf.errors.UnimplementedError, match="takes no part"):
        hvd.init(comm=[0])


def test_alone(begun):
    assert (hvd.size(), hvd.rank(), hvd.local_size(), hvd.local_rank()) == (1, 0, 1, 0)
    assert not hvd.mpi_threads_supported()
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", initializer=3.0)
        optimizer = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.25, 0.9))
        assert optimizer.get_name() == "DistributedMomentumOptimizer"
        step = optimizer.minimize(w * w)
        session.run(tf.global_variables_initializer())
        session.run(hvd.broadcast_global_variables(0))
        session.run(step)
        assert session.run(w) == 1.5
        assert optimizer.get_slot_names() == ["momentum"]
        assert session.run(optimizer.get_slot(w, "momentum")) == 6
        assert [v.name for v in optimizer.variables()] == ["w/Momentum:0"]
    assert hvd_keras.allreduce([1, 2]).tolist() == [1, 2]
    assert hvd_keras.allgather([1.0, 2.0]).dtype == np.float32
    assert hvd_keras.broadcast(3, 0) == 3


def test_what_is_refused(begun):
    with pytest.raises(TypeError, match=r"takes an optimizer of tf.train, got SGD"):
        hvd.DistributedOptimizer(tf.keras.optimizers.SGD())
    once = hvd_keras.DistributedOptimizer(tf.keras.optimizers.SGD())
    with pytest.raises(TypeError, match="one of Horovod's already"):
        hvd_keras.DistributedOptimizer(once)
    with pytest.raises(ValueError, match="root_rank must be one of the 1 processes"):
        hvd.BroadcastGlobalVariablesHook(1).begin()
    schedule = callbacks.LearningRateScheduleCallback(lambda e: 1.0, staircase=False)
    schedule.params = {}
    schedule.model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
    schedule.model.compile(once, "mse")
    with pytest.raises(ValueError, match="Could not autodetect"):
        schedule.on_train_begin()


def test_ranks_of_hosts(monkeypatch):
    monkeypatch.setenv("TWINFLOW_LOCAL_RANK", "1")
    monkeypatch.setenv("TWINFLOW_LOCAL_SIZE", "4")
    assert state._on_this_host() == (1, 4)


def test_other_parts_are_not_found():
    assert finder.FINDER.find_spec("other") is None
    with pytest.raises(ModuleNotFoundError, match=r"twinflow has horovod.tensorflow"):
        finder.FINDER.find_spec("horovod.torch")

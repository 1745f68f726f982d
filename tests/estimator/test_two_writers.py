"""Two processes that train in one folder: neither stops, and all files are whole."""

import glob
import os
import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.source_tree import ROOT

PROGRAM = ROOT / "tests/estimator/two_writers_program.py"


def test_two_processes_in_one_folder(tmp_path):
    folder = str(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": "never"}
    writers = [
        subprocess.Popen(
            [sys.executable, str(PROGRAM), folder], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        _, text = writer.communicate(timeout=200)
        assert writer.returncode == 0, text
    assert not [n for n in os.listdir(folder) if "temp" in n or "lock" in n]
    events = glob.glob(f"{folder}/events*")
    assert len(events) >= 2  # none is shared
    for path in events:
        assert list(tf.train.summary_iterator(path))
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder))
    assert reader.get_tensor("dense/kernel").shape == (2, 1)


def line(features, labels, mode):
    y = tf.layers.dense(features["x"], 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y})
    loss, step = tf.losses.mean_squared_error(labels, y), tf.train.get_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serve():
    x = tf.placeholder(tf.float32, [None, 2])
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


USES = {
    "evaluate": lambda e, f: e.evaluate(f, steps=1)["global_step"] == 4,
    "predict": lambda e, f: next(e.predict(f))["y"].shape == (1,),
    "export": lambda e, f: os.path.isdir(
        e.export_savedmodel(e.model_dir + "/x", serve)
    ),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("when", ["restore", "_restored"])  # what has looked for it
def test_a_checkpoint_that_another_process_removes_meanwhile(
    tmp_path, monkeypatch, name, when
):
    config = tf.estimator.RunConfig(save_checkpoints_steps=2)
    estimator = tf.estimator.Estimator(line, str(tmp_path / "m"), config)
    x, y = {"x": np.ones([4, 2], "f")}, np.ones([4, 1], "f")
    input_fn = tf.estimator.inputs.numpy_input_fn(x, y, shuffle=False, num_epochs=None)
    estimator.train(input_fn, steps=4)
    last = tf.train.latest_checkpoint(estimator.model_dir)
    before = last.removesuffix("-4") + "-2"
    monkeypatch.setattr(
        estimator, "latest_checkpoint",
        lambda: before if tf.train.checkpoint_exists(before) else last,
    )  # fmt: skip
    restore = getattr(tf.train.Saver, when)

    def removed(saver, session, path):
        for file in glob.glob(f"{before}.*"):
            os.remove(file)
        return restore(saver, session, path)

    monkeypatch.setattr(tf.train.Saver, when, removed)
    assert USES[name](estimator, input_fn)
    assert not tf.train.checkpoint_exists(before)

"""Training that is killed at any moment goes on from its last checkpoint."""

import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import twinflow as tf
from tests.source_tree import ROOT

START = """
import sys
import numpy as np
import twinflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
folder, steps = sys.argv[1], int(sys.argv[2])

def say(step):
    sys.stdout.write(f"step {int(step)}\\n")  # at once: not a piece may be killed
    sys.stdout.flush()

class Say(tf.train.SessionRunHook):
    def begin(self):
        self.step = tf.train.get_global_step()
    def after_run(self, run_context, run_values):
        say(run_context.session.run(self.step))

def model_fn(features, labels, mode):
    w = tf.get_variable("w", [300], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.square(w * features - labels))
    step = tf.train.get_or_create_global_step()
    op = tf.train.MomentumOptimizer(2.0, 0.5).minimize(loss, step)
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=op, training_hooks=[Say()],
        eval_metric_ops={"mean": tf.metrics.mean(w)})

def input_fn():
    return tf.data.Dataset.from_tensors((np.float32(2), np.float32(6))).repeat()

config = tf.estimator.RunConfig(folder, save_checkpoints_steps=1, keep_checkpoint_max=2)
"""
PROGRAMS = {
    "train": """
        estimator = tf.estimator.Estimator(model_fn, config=config)
        estimator.train(input_fn, max_steps=steps)
    """,
    "train_and_evaluate": """
        estimator = tf.estimator.Estimator(model_fn, config=config)
        tf.estimator.train_and_evaluate(
            estimator, tf.estimator.TrainSpec(input_fn, max_steps=steps),
            tf.estimator.EvalSpec(input_fn, steps=1, throttle_secs=0))
    """,
    "MonitoredTrainingSession": """
        x, y = input_fn().make_one_shot_iterator().get_next()
        spec = model_fn(x, y, "train")
        hooks = [tf.train.StopAtStepHook(last_step=steps), Say()]
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=1,
            save_summaries_steps=5,
        ) as sess:
            while not sess.should_stop():
                sess.run(spec.train_op)
    """,
    "CheckpointManager": """
        tf.enable_eager_execution()
        tfe = tf.contrib.eager
        w = tfe.Variable(np.ones(300, np.float32), name="w")
        step = tf.train.get_or_create_global_step()
        optimizer = tf.train.MomentumOptimizer(2.0, 0.5)
        checkpoint = tf.train.Checkpoint(w=w, optimizer=optimizer, step=step)
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        checkpoint.restore(manager.latest_checkpoint)
        while int(step) < steps:
            optimizer.minimize(
                lambda: tf.reduce_mean(tf.square(w * 2.0 - 6.0)), global_step=step)
            manager.save()
            say(step)
    """,
}


def command(program, folder, steps):
    text = START + textwrap.dedent(PROGRAMS[program])
    return [sys.executable, "-c", text, str(folder), str(steps)]


def killed(program, folder, steps, lines, seconds):
    """Run a program and kill it some time after it has said a number of lines.

    Returns:
        The steps it has told of.
    """
    run = subprocess.Popen(
        command(program, folder, steps), stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    told = []
    with run.stdout:
        for line in run.stdout:
            told.append(int(line.split()[1]))
            if len(told) == lines:
                time.sleep(seconds)
                run.send_signal(signal.SIGKILL)
                break
        run.wait(60)
        rest = run.stdout.read().rpartition("\n")[0]  # what was killed in a line
        told += [int(line.split()[1]) for line in rest.splitlines()]
    return told


def by_hand(steps):
    """w after so many steps."""
    w, velocity = np.float32(1), np.float32(0)
    for _ in range(steps):
        velocity = (
            np.float32(0.5) * velocity + np.float32(2 / 300 * 2) * (2 * w - 6) * 2
        )
        w = w - velocity
    return w


def after(folder, name):
    """The value of a variable in the last checkpoint, which must be whole."""
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(str(folder)))
    keys = reader.get_variable_to_shape_map()
    for key in keys:
        if key != "_CHECKPOINTABLE_OBJECT_GRAPH":
            reader.get_tensor(key)
    (key,) = [k for k in keys if re.fullmatch(f"{name}(/.ATTRIBUTES/.*)?", k)]
    return reader.get_tensor(key)


@pytest.mark.parametrize("program", PROGRAMS)
def test_training_goes_on_after_kills(tmp_path, program):
    chance, last = random.Random(program), 0
    for _ in range(4):
        told = killed(
            program, tmp_path, 1000, chance.randint(1, 8), chance.uniform(0, 0.03)
        )
        # the step whose checkpoint was noted may be one before the last that was told
        assert told[0] in (last, last + 1), (told, last)
        assert told == list(range(told[0], told[0] + len(told)))
        step = int(after(tmp_path, "step" if program[0] == "C" else "global_step"))
        assert step in (told[-1] - 1, told[-1], told[-1] + 1)
        last = step
    goal = last + 5
    subprocess.run(
        command(program, tmp_path, goal), check=True, timeout=120,
        stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    step = after(tmp_path, "step" if program[0] == "C" else "global_step")
    assert int(step) == goal
    found = after(tmp_path, "w")
    np.testing.assert_allclose(found, np.full(300, by_hand(goal)), rtol=1e-5)
    names = os.listdir(tmp_path)
    whole = {re.sub(r"\.(index|meta|data.*)$", "", n) for n in names if "kpt-" in n}
    assert f"{'ckpt' if program[0] == 'C' else 'model.ckpt'}-{goal}" in whole
    if program[0] != "C":
        assert {"checkpoint", "graph.pbtxt", f"model.ckpt-{goal}.meta"} <= set(names)
        assert any("tfevents" in n for n in names)
        assert ("eval" in names) == (program == "train_and_evaluate")
    state = tf.train.get_checkpoint_state(str(tmp_path))
    for path in state.all_model_checkpoint_paths:
        assert os.path.exists(path + ".index"), "the file names what is gone"

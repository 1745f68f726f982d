"""A process that runs scripts as `twinflow run` does, each in a child of its own.

`python -m tests.golden.script_server` has loaded what most of them use. It reads
pickled (path, policy) pairs from stdin, the policy as TWINFLOW_COMPILE has it, and
answers each with what the script printed, and what it said beside that with its error.
"""

import os
import pickle
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

import twinflow as tf
from twinflow.cli import run
from twinflow.execute import tiers

SECONDS = 120
USED = [
    "contrib.layers", "contrib.rnn", "contrib.seq2seq", "contrib.slim", "data.Dataset",
    "estimator.Estimator", "keras.Sequential", "keras.layers.Dense", "layers.dense",
    "feature_column.numeric_column", "losses.log_loss", "metrics.mean",
    "summary.scalar", "nn.dynamic_rnn", "train.AdamOptimizer", "train.Saver", "Session",
    "GradientTape",
]  # fmt: skip


def load():
    """Load what most programs use."""
    for path in USED:
        value = tf
        for name in path.split("."):
            value = getattr(value, name)
    return run


def _child(path, policy):
    """Run a script to its end; never returns."""
    vars(tiers.POLICY).update(vars(tiers.policy_of(policy)))
    code = 0
    try:
        run.main([path])
    except SystemExit as end:
        code = int(end.code not in (None, 0))
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _wait(child):
    """The exit status of a process that may run for SECONDS."""
    end = time.monotonic() + SECONDS
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            end = float("inf")
        time.sleep(0.005)


def outcome(path, policy):
    """(exit status, what it printed, what it said on stderr) of a script."""
    folder = tempfile.mkdtemp()
    streams = [os.path.join(folder, f"_stream{n}") for n in (1, 2)]
    child = os.fork()
    if not child:
        os.chdir(folder)
        tempfile.tempdir = folder  # so that nothing stays
        for number, name in enumerate(streams, 1):
            flags = os.O_WRONLY | os.O_CREAT
            os.dup2(os.open(name, flags), number)
        _child(path, policy)
    status = _wait(child)
    texts = [Path(name).read_text(errors="replace") for name in streams]
    shutil.rmtree(folder)
    return status, *texts


def main():
    """Answer until stdin ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    load()
    while True:
        try:
            path, policy = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(outcome(path, policy), answers)
        answers.flush()


if __name__ == "__main__":
    main()

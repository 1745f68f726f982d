"""Two processes that train in one folder: neither stops, and all files are whole."""

import glob
import os
import subprocess
import sys

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

"""Writers that are killed leave nothing for good; those that live are let alone."""

import json
import os
import subprocess
import sys
import threading

import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.base import unfinished
from twinflow.formats.checkpoint_v2 import Bundle

PROGRAM = ROOT / "tests/checkpoint/killed_program.py"
SAVERS = (
    "plain", "sharded", "same_prefix", "same_shards", "first_format",
    "first_format_sharded", "objects", "manager",
)  # fmt: skip


def _environment():
    return {**os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": "never"}


@pytest.mark.parametrize("name", SAVERS)
def test_the_next_save_sweeps_what_a_killed_one_left(name, tmp_path):
    done = subprocess.run(
        [sys.executable, str(PROGRAM), name, str(tmp_path / "folder")],
        env=_environment(), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    undisturbed, *found = json.loads(done.stdout)
    assert len(found) >= 4  # calls that were died at
    for index, names in enumerate(found):
        assert names == undisturbed, index


# ------------------------------------------------------------------ living writers
def test_what_is_being_written_stays(tmp_path):
    target = str(tmp_path / "a")
    with unfinished.beside(target) as temporary:
        sweeping = threading.Thread(target=unfinished.sweep, args=[str(tmp_path)])
        sweeping.start()
        sweeping.join()
        assert os.path.exists(temporary)
    assert os.listdir(tmp_path) == []


def test_what_others_have_made_stays(tmp_path):
    """Names of TensorFlow's own writers, and of what has nothing to do with it."""
    names = ["m.index.tempstate1234567890123456", "a.lock", f"c.tmp{'0' * 32}"]
    for name in names:
        (tmp_path / name).touch()
    folder = tmp_path / f"m-1_temp_{'0' * 32}"
    folder.mkdir()
    unfinished.sweep(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == sorted([*names, folder.name])


def test_leftovers_of_a_process_that_is_gone(tmp_path):
    program = (
        "import os\n"
        "from twinflow.base import unfinished\n"
        f"folder = {str(tmp_path)!r}\n"
        "block = unfinished.beside(folder + '/a')\n"
        "block.__enter__()\n"
        f"unfinished.claim(folder + '/m_temp_{'0' * 32}')\n"
        "print(len(os.listdir(folder)), flush=True)\n"
        "os._exit(1)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=_environment(), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "3\n", done.stderr
    unfinished.sweep(str(tmp_path))
    assert os.listdir(tmp_path) == []


WRITERS = """
import sys, time
import twinflow as tf
sys.path.insert(0, {tests!r})
import killed_program
save = getattr(killed_program, {name!r})(tf.Variable(tf.ones([300]), name="v"))
print("ready", flush=True)
sys.stdin.readline()
for step in range(40):
    save({folder!r}, step)
"""


@pytest.mark.parametrize("name", SAVERS)
def test_two_writers_of_one_folder(name, tmp_path):
    folder = str(tmp_path)
    program = WRITERS.format(tests=str(PROGRAM.parent), name=name, folder=folder)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program], env=_environment(), text=True,
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
        _, text = writer.communicate(timeout=100)
        assert writer.returncode == 0, text
    assert not [n for n in os.listdir(folder) if "temp" in n or "lock" in n]
    if not name.startswith("first"):
        path = tf.train.latest_checkpoint(folder) or f"{folder}/model-39"
        opened = Bundle(path)
        assert all(opened.read(key).size for key in opened.entries)


# ------------------------------------------------------------------ the folder
@pytest.mark.parametrize(
    "options, makes",
    [({}, True), ({"sharded": True}, False),
     ({"write_version": tf.train.SaverDef.V1}, False)],
)  # fmt: skip
def test_a_folder_that_is_not_there(options, makes, tmp_path):
    """As in TensorFlow, whose writer makes one folder, and none above it."""
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(tf.Variable(1.0).initializer)
        saver = tf.train.Saver(**options)
        near, far = (str(tmp_path / name) for name in ("a/m", "b/c/m"))
        with pytest.raises(ValueError) as caught:
            saver.save(session, far)
        text = f"Parent directory of {far} doesn't exist, can't save."
        assert str(caught.value) == text
        if makes:
            assert saver.save(session, near) == near
        else:
            with pytest.raises(ValueError, match="doesn't exist, can't save"):
                saver.save(session, near)


def test_a_folder_that_is_not_there_for_objects(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(1.0)
        session.run(variable.initializer)
        checkpoint = tf.train.Checkpoint(v=variable)
        path = str(tmp_path / "a/b/m")
        with pytest.raises(ValueError, match=f"{path}-1 doesn't exist, can't save"):
            checkpoint.save(path, session)

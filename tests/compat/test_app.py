"""tf.app, tf.flags, tf.compat, tf.resource_loader and tf.sysconfig."""

import os
import subprocess
import sys

import pytest

import twinflow as tf
from twinflow.base import errors

SCRIPT = """
import twinflow as tf
tf.app.flags.DEFINE_string("word", "none", "A word.")
tf.flags.DEFINE_integer(flag_name="count", default_value=1, docstring="How often.")
FLAGS = tf.flags.FLAGS
def main(argv):
    print(FLAGS.word * FLAGS.count, argv[1:])
    return 3
{start}
"""


def run(start, *args):
    """What a script prints, and its exit status."""
    command = [sys.executable, "-c", SCRIPT.format(start=start), *args]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    return done.stdout, done.returncode


def test_a_script_with_flags():
    out, status = run("tf.app.run()", "--word=ab", "--count=2", "--unknown=1", "rest")
    assert (out, status) == ("abab ['--unknown=1', 'rest']\n", 3)


def test_flags_are_read_at_their_first_use():
    assert run("print(FLAGS.word, 'count' in FLAGS)", "--word=x") == ("x True\n", 0)


def test_help():
    out, status = run("tf.app.run()", "--help")
    assert status == 1 and "--word: A word." in out


@pytest.mark.parametrize("how", ["DEFINE_string", "DEFINE_enum", "DEFINE_list"])
@pytest.mark.parametrize(
    "name", ["log_dir", "verbosity", "v", "logtostderr", "pdb", "profile_file"]
)
def test_names_that_absl_has_as_well(how, name):
    """TensorFlow 1.12 takes only absl.flags, so these names are the program's."""
    third = "['ab', 'cd'], " if how == "DEFINE_enum" else ""
    program = (
        "import twinflow as tf\n"
        f"tf.app.flags.{how}({name!r}, 'ab', {third}'Mine.')\n"
        "def main(argv):\n"
        f"    print(tf.app.flags.FLAGS[{name!r}].value, argv[1:])\n"
        "tf.app.run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, f"--{name}=cd"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False,
    )  # fmt: skip
    value = "['cd']" if how == "DEFINE_list" else "cd"
    assert done.stdout == f"{value} []\n", done.stderr


def test_compat():
    assert tf.compat.as_bytes("ü") == "ü".encode()
    assert tf.compat.as_text(b"a") == tf.compat.as_str("a") == "a"
    assert tf.compat.as_str_any(3) == "3" and tf.compat.path_to_str("p") == "p"
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        tf.compat.as_bytes(3)
    assert tf.compat.forward_compatible(2018, 9, 30)
    assert not tf.compat.forward_compatible(2018, 10, 1)
    with tf.compat.forward_compatibility_horizon(2019, 1, 1):
        assert tf.compat.forward_compatible(2018, 10, 1)


def test_versions():
    assert tf.VERSION == "1.12.0" and tf.__version__ != tf.VERSION


def test_resources():
    here = os.path.dirname(__file__)
    assert tf.resource_loader.get_data_files_path() == here
    assert tf.resource_loader.get_path_to_datafile("x") == os.path.join(here, "x")
    assert tf.resource_loader.get_root_dir_with_all_resources() == here
    assert b"tf.compat" in tf.resource_loader.load_resource(
        "twinflow/compat/__init__.py"
    )


def test_there_is_nothing_to_compile_against():
    assert os.path.isdir(tf.sysconfig.get_lib())
    with pytest.raises(errors.NotFoundError, match="no C\\+\\+ headers"):
        tf.sysconfig.get_compile_flags()

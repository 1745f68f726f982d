"""Modules that Python has dropped since 3.6: stand-ins, or Python's own error."""

import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT

DROPPED = (
    "_dummy_threading", "aifc", "asynchat", "asyncore", "audioop", "binhex", "cgi",
    "cgitb", "chunk", "crypt", "distutils", "dummy_threading", "formatter", "imghdr",
    "imp", "lib2to3", "macpath", "macurl2path", "mailcap", "msilib", "nis", "nntplib",
    "ossaudiodev", "parser", "pipes", "smtpd", "sndhdr", "spwd", "sunau", "symbol",
    "telnetlib", "uu", "xdrlib",
)  # fmt: skip
HIDE = f"""
import sys
import importlib.machinery
find = importlib.machinery.PathFinder.find_spec
def find_spec(name, path=None, target=None):
    gone = name.partition(".")[0] in {DROPPED!r}
    return None if gone else find(name, path, target)
importlib.machinery.PathFinder.find_spec = find_spec
for name in list(sys.modules):
    if name.partition(".")[0] in {DROPPED!r}:
        del sys.modules[name]
sys.meta_path[:] = [f for f in sys.meta_path if "istutils" not in type(f).__name__]
from twinflow.compat.door import finder
finder.open_door()
"""


def printed(program):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HIDE + program], capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_dropped_module_is_another_error():
    program = (
        "import importlib\n"
        f"for name in {DROPPED!r}:\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "    except ModuleNotFoundError as error:\n"
        "        assert error.name == name, error\n"
        "        assert str(error) == f'No module named {name!r}', error\n"
        "    else:\n"
        "        print(name)\n"
    )
    assert printed(program).split() == [
        "_dummy_threading", "cgi", "distutils", "dummy_threading", "imghdr", "imp",
        "pipes",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "program, output",
    [
        ("from distutils.version import LooseVersion as V\n"
         "print(V('1.9') < V('1.12'))", "True"),
        ("import distutils.version\n"
         "print(distutils.version.StrictVersion('1.2') > '1.1')", "True"),
        ("import distutils\nfrom distutils.util import strtobool\n"
         "print(strtobool('yes'))", "1"),
        ("from distutils.dir_util import copy_tree, mkpath, remove_tree\n"
         "import os, tempfile\nd = tempfile.mkdtemp()\nmkpath(d + '/a/b')\n"
         "open(d + '/a/f', 'w').close()\nprint(len(copy_tree(d + '/a', d + '/c')))\n"
         "remove_tree(d + '/a')\nprint(sorted(os.listdir(d)))", "1\n['c']"),
        ("import imp\nprint(imp.new_module('a').__name__)", "a"),
        ("import pipes\nprint(pipes.quote('a b'))", "'a b'"),
        ("import cgi\nprint(cgi.escape('<\"'))", '&lt;"'),
        ("import imghdr\nprint(imghdr.what(None, b'\\xff\\xd8\\xff\\xe0'))", "jpeg"),
        ("import dummy_threading\nprint(dummy_threading.Thread.__name__)", "Thread"),
    ],
)  # fmt: skip
def test_what_the_stand_ins_do(program, output):
    assert printed(program).strip() == output

"""The programs of the corpus, and what running them in every way finds.

A block of a file begins with `%%`: of broken programs the class of the difference
stands behind it, and `#!` marks its line.
"""

import dataclasses
import linecache
import os
import pickle
import shutil
import tempfile
import warnings
from pathlib import Path

from twinflow.cli import run
from twinflow.verification.request import Request
from twinflow.verification.report import Verdict
from twinflow.verification.scripts import NotRun, run_way, verdict_of

HERE = Path(__file__).parent
_FIRST = (
    "import collections, io, itertools, random, time; import numpy as np; "
    "import twinflow as tf; tfe = tf.contrib.eager; "
)
_EAGER = "tf.enable_eager_execution()"


def programs(kind):
    """(name, class or "", source) of each program of the files `kind`_*.txt."""
    for path in sorted(HERE.glob(f"{kind}_*.txt")):
        blocks = path.read_text().split("%%")[1:]
        first = _FIRST + ("" if "graph" in path.stem else _EAGER)
        for i, block in enumerate(blocks):
            head, _, source = block.partition("\n")
            yield f"{path.stem}-{i}", head.strip(), f"{first}\n{source}"


def whole_scripts():
    """(name, "", source) of programs that are there for other tests, all sound."""
    for path in sorted(HERE.parents[1].glob("golden/scripts/*.py")):
        if path.stem not in NOT_SOUND:
            yield path.stem, "", path.read_text()


# What these do on purpose is a difference of the modes.
NOT_SOUND: dict = {}


def marked(source):
    """The number of the line of the planted difference."""
    lines = source.splitlines()
    return next(i for i, text in enumerate(lines, 1) if text.endswith("#!"))


def verdict(name, source, compiled=True):
    """The Verdict on a program; each way runs in a fork of this process."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, f"{name}.py"))
        Path(path).write_text(source)
        linecache.checkcache(path)
        first = Request("function")
        base = _forked(first, path, folder)

        def trace_of(request):
            if request is first:
                return base
            if request.way == "compiled" and not compiled:
                return dataclasses.replace(base, way="compiled")
            return _forked(request, path, folder)

        try:
            return verdict_of(trace_of, first), base.error
        except NotRun:
            return Verdict([], []), base.error


def _forked(request, path, folder):
    target = Path(folder, "course")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads beside: nothing here uses them
        child = os.fork()
    if child == 0:
        try:
            for name in ("work", "tmp"):  # no way finds what another one wrote
                shutil.rmtree(Path(folder, name), ignore_errors=True)
                os.mkdir(Path(folder, name))
            os.chdir(Path(folder, "work"))
            tempfile.tempdir = str(Path(folder, "tmp"))
            os.environ["TWINFLOW_RANDOM"] = "twin"
            found = run_way(request, lambda: run.main([path]))
            target.write_bytes(pickle.dumps(found))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return pickle.loads(target.read_bytes())

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

from tests.source_tree import ROOT
from twinflow.cli import run
from twinflow.verification.report import Verdict
from twinflow.verification.request import Request
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
    """(name, class and line or None, path) of the programs of other tests."""
    for path in sorted(HERE.parents[1].glob("golden/scripts/*.py")):
        yield path.stem, BROKEN_SCRIPTS.get(path.stem), path


# Programs of other tests in which something is wrong, and where: in TensorFlow, too.
BROKEN_SCRIPTS = {
    # It counts its traces in order to show when a function is traced.
    "eager_defun_training": ("python side effect", 54),
    # `get_updates_for` of the outer inputs is empty: the moving averages stay 0.
    "keras_dataset_input": ("update", 41),
}

# The programs of examples/ that run a framework, with arguments that make them short;
# the others are their modules, or measure or compare several runs.
EXAMPLES = [
    ["regression.py", "--steps", "20", "--eager"],
    ["char_rnn.py", "--epochs", "1", "--eager"],
    ["gan.py", "--steps", "5", "--eager"],
    ["gan.py", "--steps", "5", "--functions"],
    ["codebase/main.py", "--folder", "c", "--epochs", "1", "--eager"],
    ["codebase/main.py", "--folder", "c", "--epochs", "1", "--graph"],
    ["lstm_digits/digits.py", "--short", "--folder", "d", "--eager"],
    ["lstm_digits/digits.py", "--short", "--folder", "d"],
    ["records_estimator.py", "--folder", "r", "--steps", "10"],
    ["estimators/iris.py", "--steps", "10"],
    ["estimators/census.py", "--kind", "wide", "--epochs", "1"],
    ["estimators/trees.py", "--trees", "1"],
]


def examples():
    """(name, arguments, path) of the programs of examples/."""
    for row in EXAMPLES:
        name = " ".join(["examples/" + row[0], *row[1:]])
        yield name, row[1:], ROOT / "examples" / row[0]


def marked(source):
    """The number of the line of the planted difference."""
    lines = source.splitlines()
    return next(i for i, text in enumerate(lines, 1) if text.endswith("#!"))


def verdict(name, source, compiled=True):
    """The Verdict on a program, and its error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.py")
        path.write_text(source)
        linecache.checkcache(str(path))
        return verdict_on([path], compiled)


def verdict_on(argv, compiled=True):
    """The same for a script and its arguments; each way is a fork of this process."""
    with tempfile.TemporaryDirectory() as folder:
        first = Request("function")
        base = _forked(first, argv, folder)

        def trace_of(request):
            if request is first:
                return base
            if request.way == "compiled" and not compiled:
                return dataclasses.replace(base, way="compiled")
            return _forked(request, argv, folder)

        try:
            return verdict_of(trace_of, first), base.error
        except NotRun:
            return Verdict([], []), base.error


def _forked(request, argv, folder):
    target = Path(folder, "course")
    target.unlink(missing_ok=True)
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
            found = run_way(request, lambda: run.main([str(a) for a in argv]))
            target.write_bytes(pickle.dumps(found))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return pickle.loads(target.read_bytes())

"""A process that has imported twinflow and does each program in a child of its own.

`python -m tests.fresh.zygote` has only imported twinflow: what a program uses is loaded
when it is used, as for whoever writes it. `python -m tests.fresh.zygote loaded` has
loaded everything. Both read pickled Programs from stdin and answer with what each
showed; a child draws the same random numbers and reads the same time in both.
"""

import importlib.machinery
import os
import pickle
import select
import shutil
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

import twinflow as tf
from tests.fresh import calling  # noqa: F401 - not once for each child
from tests.golden import runner

SECONDS = 60


class Program(NamedTuple):
    """Something to run.

    Attributes:
        source: its text. path: the name of its file. eager: in eager mode, else graph.
        values: more names that it sees; whatever pickles.
    """

    source: str
    path: str = "program"
    eager: bool = False
    values: dict = {}


class _Lazy:
    """A module that the runner hands to each program, loaded where it is used."""

    def __getattr__(self, name):
        return getattr(tf.contrib.eager, name)


def outcome(program):
    """What a program shows, its error included, as plain data."""
    if program.eager:
        tf.enable_eager_execution()
    return runner.run(program.source, program.path, tf, _Lazy(), program.values)


def _child(program, pipe):
    """Run and answer; never returns."""
    count = iter(range(1, 1 << 30))
    os.urandom = lambda n: next(count).to_bytes(n, "little")
    np.random.seed(1)
    time.time = lambda: 1.5e9
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    try:
        found = outcome(program)
    except BaseException as error:
        found = [{"error": type(error).__name__, "text": runner.text(error)}]
    with os.fdopen(pipe, "wb") as out:
        pickle.dump(found, out)
    os._exit(0)


def run(program):
    """What the program shows in a child of this process."""
    readable, writable = os.pipe()
    folder = tempfile.mkdtemp()
    child = os.fork()
    if not child:
        os.close(readable)
        os.chdir(folder)
        tempfile.tempdir = folder  # so that nothing stays
        _child(program, writable)
    os.close(writable)
    with os.fdopen(readable, "rb") as answer:
        if not select.select([answer], [], [], SECONDS)[0]:
            os.kill(child, signal.SIGKILL)
        data = answer.read()
    os.waitpid(child, 0)
    shutil.rmtree(folder)
    return pickle.loads(data) if data else [{"error": "Killed", "text": ""}]


def keep_code():
    """Read the code of each module once, for all children, without running it."""
    loader, kept = importlib.machinery.SourceFileLoader, {}
    read = loader.get_code

    def get_code(self, name):
        if name not in kept:
            kept[name] = read(self, name)
        return kept[name]

    loader.get_code = get_code
    for path in Path(tf.__file__).parent.rglob("*.py"):
        parts = path.with_suffix("").relative_to(Path(tf.__file__).parents[1]).parts
        name = ".".join(parts).removesuffix(".__init__")
        get_code(loader(name, str(path)), name)


def load_everything():
    """Load every module that defines ops and every public name."""
    from twinflow.base.op_lookup import load_all

    load_all()
    indexes = [tf]
    for index in indexes:
        for name in dir(index):
            value = getattr(index, name, None)
            if hasattr(value, "__path__") and value not in indexes:
                indexes.append(value)


def main(loaded):
    answers = os.fdopen(os.dup(1), "wb")
    warnings.simplefilter("ignore")
    keep_code()
    if loaded:
        load_everything()
    while True:
        try:
            program = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(run(program), answers)
        answers.flush()


if __name__ == "__main__":
    main("loaded" in sys.argv[1:])

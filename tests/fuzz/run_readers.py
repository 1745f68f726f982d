"""Reads damaged files in a process of its own, with bounded memory and time.

    python -m tests.fuzz.run_readers COUNT BOARD NAME ...

prints a line of JSON for each reader: its name, how many files were read and how many
refused, and the faults. BOARD is a file that says what is being read.
"""

import collections
import functools
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

from tests.fuzz import (  # noqa: F401 - they fill the table
    capsule_files,
    checkpoint_files,
    data_files,
    graph_files,
    keras_files,
    picture_files,
    record_files,
)
from tests.fuzz.readers import READERS
from tests.support.mutations import mutated, mutated_message
from twinflow.base import errors, logging
from twinflow.execute import tiers

SECONDS = 60  # for one file
MEMORY = 1 << 30  # bytes above what the process has when it begins
GROWTH = 700 << 20  # by which one small file may make the process grow


class Hangs(BaseException):
    """A file takes too long."""


def _alarm(*_):
    raise Hangs


def fault_of(error, path, reader):
    """What is wrong with an error that a reader raised, or None."""
    if not isinstance(error, ValueError | errors.OpError):
        return f"{type(error).__name__} gets through"
    names = path.name, os.path.splitext(path)[0]  # of a checkpoint: its prefix
    said = "\n".join([str(error), *getattr(error, "__notes__", ())])
    if reader.names_file and not any(name in said for name in names):
        return "the file is not named"
    return None


def outcome(reader, folder, path):
    """("read" or "refused", the fault or None, its traceback)."""
    signal.alarm(SECONDS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        reader.read(folder)
        result = "read", None, ""
    except Hangs:
        result = "hangs", "it hangs", traceback.format_exc()
    except Exception as error:
        fault = fault_of(error, path, reader)
        text = "".join(traceback.format_exception(error)) if fault else ""
        result = "refused", fault and f"{fault}: {_start(error)}", text
    finally:
        signal.alarm(0)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if grown * 1024 > GROWTH and result[1] is None:
        result = result[0], f"it took {grown >> 10} MB", ""
    return result


def _start(error):
    return f"{type(error).__name__}: {str(error)[:200]}"


def bound_memory():
    """Let the process have little more memory than it has now."""
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def run(name, count, first=0, progress=None):
    """Read `count` damaged files: ({"read": n, "refused": n ...}, faults)."""
    reader, results = READERS[name], collections.Counter()
    faults: dict = {}
    with tempfile.TemporaryDirectory() as top:
        pristine = Path(top, "pristine")
        pristine.mkdir()
        paths = [p.relative_to(pristine) for p in reader.make(pristine)]
        reader.read(pristine)  # it has to work
        wholes = [(pristine / p).read_bytes() for p in paths]
        if reader.unpacked:
            wholes = list(map(reader.unpacked, wholes))
        bound_memory()
        for seed in range(first, first + count):
            if progress:
                progress(seed)
            draw = random.Random(f"{name} {seed}")
            number = draw.randrange(len(paths))
            if reader.message and draw.random() < 0.7:
                data = mutated_message(reader.message, wholes[number], draw)
            else:
                data = mutated(wholes[number], draw, wholes)
            folder = Path(top, "damaged")
            shutil.copytree(pristine, folder)
            path = folder / paths[number]
            path.write_bytes(reader.packed(data) if reader.packed else data)
            kind, fault, text = outcome(reader, folder, path)
            results[kind] += 1
            if fault:
                key = fault.replace(top, "")[:100]
                faults.setdefault(key, [fault, seed, text])
                results["faults"] += 1
            shutil.rmtree(folder)
    return dict(results), list(faults.values())


def main(count, board, *names):
    """Read `count` damaged files with each reader; `board` says which, if it dies."""
    signal.signal(signal.SIGALRM, _alarm)
    # XLA ends the process where it gets no memory: nothing is compiled.
    tiers.Entry.is_hot = lambda *_: False  # type: ignore[method-assign]
    warnings.simplefilter("ignore")
    logging.set_verbosity(logging.FATAL)
    for name in names:
        say = functools.partial(_say, board, name)
        print(json.dumps([name, *run(name, int(count), progress=say)]), flush=True)


def _say(board, name, seed):
    Path(board).write_text(f"{name} {seed}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""`twinflow verify script.py`: a script in each way, in a process of its own each."""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from twinflow.verification.comparing import first_difference
from twinflow.verification.events import Course
from twinflow.verification.functions import judged
from twinflow.verification.graph_rules import Graphs
from twinflow.verification.report import Verdict
from twinflow.verification.ways import traced_way

HOUSE = str(Path(__file__).parents[2])
_MOST_BYTES, _MOST_FILES = 200_000_000, 5000  # of a folder that is copied
_NOT_COPIED = (".git", ".venv", "venv", "node_modules", "__pycache__")


def copied(folder: Path, target: Path) -> Path:
    """A copy of a folder, so that no way of running finds what another one wrote.

    Args:
        folder: to copy; target: does not exist yet.
    Returns:
        `target`, or `folder` itself where that is too large to copy.
    """
    files = size = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NOT_COPIED]
        files += len(names)
        size += sum(os.lstat(os.path.join(path, name)).st_size for name in names)
        if files > _MOST_FILES or size > _MOST_BYTES:
            return folder
    ignored = shutil.ignore_patterns(*_NOT_COPIED)
    return Path(shutil.copytree(folder, target, symlinks=True, ignore=ignored))


def fresh_folders(folder: str) -> tuple[Path, Path]:
    """A copy of the current folder and an empty one for temporary files.

    They have the same paths in every way, so that programs print the same.
    """
    work, temporary = Path(folder, "work"), Path(folder, "tmp")
    for path in (work, temporary):
        shutil.rmtree(path, ignore_errors=True)
    temporary.mkdir()
    return copied(Path.cwd(), work), temporary


class NotRun(Exception):
    """A script that cannot be run; the text says why."""


def run_way(way: str, program: Callable, megabytes: float) -> Course:
    """Run a program in one way, in this process.

    Args:
        way: one of ways.WAYS. program: called without arguments.
        megabytes: how much of arrays to keep.
    """
    look = Graphs() if way == "function" else None
    trace = traced_way(way, program, megabytes, look)
    if look is not None:
        trace.notes = look.differences(trace)
    return trace


def verdict_of(trace_of: Callable[[str], Course]) -> Verdict:
    """The Verdict on a program.

    Args:
        trace_of: runs it in the way that it is given the name of.
    """
    traces = [trace_of("function")]
    if traces[0].functions:
        traces.append(trace_of("eager"))
    different = traces[0].notes or any(
        first_difference(traces[0], t) for t in traces[1:]
    )
    if not different and (traces[0].functions or traces[0].sessions):
        traces.append(trace_of("compiled"))
    if all(t.error for t in traces) and not different:
        raise NotRun(f"the program itself fails:\n{traces[0].error}")
    return judged(traces)


def verify_script(argv: list[str], megabytes: float = 256.0) -> Verdict:
    """Run a script in each way and compare.

    Args:
        argv: the script and its arguments. megabytes: of arrays to keep, in each way.
    Raises:
        NotRun: it fails in every way, or a process died.
    """
    if not os.path.exists(argv[0]):
        raise NotRun(f"there is no file {argv[0]!r}")
    argv = [os.path.abspath(argv[0]), *argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        return verdict_of(lambda way: _in_a_process(way, argv, megabytes, folder))


def _in_a_process(way: str, argv: list[str], megabytes: float, folder: str) -> Course:
    target = Path(folder, way)
    work, temporary = fresh_folders(folder)
    command = [
        sys.executable, "-m", "twinflow", "verify", f"--way={way}", f"--to={target}",
        f"--budget={megabytes}", *argv,
    ]  # fmt: skip
    environment = {
        **os.environ, "TWINFLOW_RANDOM": "twin", "PYTHONHASHSEED": "0",
        "TMPDIR": str(temporary),
        "PYTHONPATH": os.pathsep.join([HOUSE, os.environ.get("PYTHONPATH", "")]),
    }  # fmt: skip
    done = subprocess.run(
        command, env=environment, cwd=work, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not target.exists():
        raise NotRun(f"the way {way!r} ended with status {done.returncode}:\n"
                     f"{done.stderr[-4000:]}")  # fmt: skip
    return pickle.loads(target.read_bytes())

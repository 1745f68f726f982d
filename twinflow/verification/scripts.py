"""`twinflow verify script.py`: a script in each way, in a process of its own each."""

import dataclasses
import functools
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twinflow.verification.comparing import first_difference
from twinflow.verification.events import Course
from twinflow.verification.functions import judged
from twinflow.verification.graph_rules import Graphs
from twinflow.verification.report import Verdict
from twinflow.verification.request import Request
from twinflow.verification.rounding import SHAKEN
from twinflow.verification.ways import traced_way

PATIENCE = 10.0  # seconds between two words on how far a script is
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


def run_way(request: Request, program: Callable) -> Course:
    """Run a program in one way, in this process.

    Args:
        request: which way, and what is kept. program: called without arguments.
    """
    look = Graphs() if request.way == "function" else None
    trace = traced_way(request, program, look)
    if look is not None:
        trace.notes = look.differences(trace)
    return trace


def verdict_of(trace_of: Callable[[Request], Course], first: Request) -> Verdict:
    """The Verdict on a program.

    Args:
        trace_of: runs it as it is asked to. first: for the way "function".
    """
    base = trace_of(first)
    steps = len(base.events) if base.stopped else None
    ask = functools.partial(dataclasses.replace, first, seconds=None, steps=steps)
    traces, shaken = [base], None
    graphs = base.functions or base.sessions
    for way in ("eager", "compiled") if graphs else ():
        if way == "compiled" and base.notes:
            break
        traces.append(trace_of(ask(way=way)))
        different = first_difference(base, traces[-1])
        if different is not None and way == "compiled":
            shaken = trace_of(ask(way=SHAKEN))
            different = first_difference(base, traces[-1], shaken)
        if different is not None:
            if different.number is not None:
                traces = _in_detail(trace_of, ask, way, different.number)
            break
    found = judged(traces, shaken)
    if all(t.error for t in traces) and not found.differences:
        raise NotRun(f"the program itself fails:\n{base.error}")
    return found


def _in_detail(trace_of: Callable, ask: Callable, way: str, number: int) -> list:
    """Two ways once more, with the ops of the run of a session that differs."""
    base = trace_of(ask(way="function", detail=number))
    event = next(e for e in base.events if e.number == number)
    names = list(dict.fromkeys(i.name for i in event.inner if i.name))
    tensors = names if way == "compiled" else []
    return [base, trace_of(ask(way=way, detail=number, tensors=tensors))]


def verify_script(
    argv: list[str], megabytes: float = 256.0, seconds: float | None = None,
    say: Callable[[str], None] | None = None,
) -> Verdict:  # fmt: skip
    """Run a script in each way and compare.

    Args:
        argv: the script and its arguments. megabytes: of arrays to keep, in each way.
        seconds: after which it is stopped; the other ways run as many steps.
        say: told how far it is, every some seconds.
    Raises:
        NotRun: it fails in every way, or a process died.
    """
    if not os.path.exists(argv[0]):
        raise NotRun(f"there is no file {argv[0]!r}")
    argv = [os.path.abspath(argv[0]), *argv[1:]]
    first = Request("function", megabytes, seconds)
    with tempfile.TemporaryDirectory() as folder:
        run = functools.partial(_in_a_process, argv, folder, say or (lambda text: None))
        return verdict_of(run, first)


def _in_a_process(
    argv: list[str], folder: str, say: Callable, request: Request
) -> Course:
    target, asked = Path(folder, "course"), Path(folder, "request")
    target.unlink(missing_ok=True)
    progress = Path(folder, "progress")
    work, temporary = fresh_folders(folder)
    request = dataclasses.replace(request, progress=str(progress))
    asked.write_text(request.as_text())
    command = [
        sys.executable, "-m", "twinflow", "verify", f"--request={asked}",
        f"--to={target}", *argv,
    ]  # fmt: skip
    environment = {
        **os.environ, "TWINFLOW_RANDOM": "twin", "PYTHONHASHSEED": "0",
        "TMPDIR": str(temporary),
        "PYTHONPATH": os.pathsep.join([HOUSE, os.environ.get("PYTHONPATH", "")]),
    }  # fmt: skip
    with open(Path(folder, "errors"), "w+", encoding="utf-8") as errors:
        status = _waited(command, environment, work, errors, request, say)
        if not target.exists():
            errors.seek(0)
            raise NotRun(f"the way {request.way!r} ended with status {status}:\n"
                         f"{errors.read()[-4000:]}")  # fmt: skip
    return pickle.loads(target.read_bytes())


def _waited(
    command: list, environment: dict, work: Path, errors: Any, request: Request,
    say: Callable,
) -> int:  # fmt: skip
    """The status of a process, of which is told how far it is."""
    start, pipe = time.monotonic(), subprocess.DEVNULL
    with subprocess.Popen(
        command, env=environment, cwd=work, stdin=pipe, stdout=pipe, stderr=errors
    ) as process:
        try:
            while True:
                try:
                    return process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    seconds, path = time.monotonic() - start, Path(request.progress)
                    far = path.read_text() if path.exists() else "starting"
                    say(f"{request.way}: {seconds:.0f} s, {far}")
        except BaseException:
            process.kill()
            raise

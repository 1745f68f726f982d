"""A script in twinflow and in a real TensorFlow, compared by what can be seen of it.

See Note [Observed]: nothing of TensorFlow's insides is looked at, so the first
difference is that of a value that was fetched, a line printed, a summary or an error.
"""

import ast
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from twinflow.verification import observer
from twinflow.verification.comparing import same_text
from twinflow.verification.differences import Difference
from twinflow.verification.events import Frame
from twinflow.verification.kept import Budget, Kept, kept
from twinflow.verification.report import Verdict
from twinflow.verification.scripts import HOUSE, NotRun, fresh_folders
from twinflow.verification.tolerance import same

WAYS = ("twinflow", "tensorflow")
_RUNNERS = {"twinflow": "twinflow.cli.run", "tensorflow": "-"}


def verify_against(
    argv: list[str], python: str, say: Callable[[str], None] | None = None
) -> Verdict:
    """Run a script with twinflow and with a real TensorFlow, and compare.

    Args:
        argv: the script and its arguments. python: an interpreter with TensorFlow.
        say: told what is done.
    Raises:
        NotRun: there is no such script or interpreter, or one of them wrote nothing.
    """
    for path, what in ((argv[0], "file"), (python, "interpreter")):
        if not os.path.exists(path):
            raise NotRun(f"there is no {what} {path!r}")
    argv = [os.path.abspath(argv[0]), *argv[1:]]
    seen, arrays = [], []
    with tempfile.TemporaryDirectory() as folder:
        for way, interpreter in zip(WAYS, (sys.executable, python), strict=True):
            if say is not None:
                say(f"runs with {way}")
            found, values = _observed(way, interpreter, argv, folder)
            seen.append(found["events"])
            arrays.append(values)
    return _judged(seen, arrays)


def _observed(way: str, interpreter: str, argv: list, folder: str) -> tuple[dict, dict]:
    target = os.path.join(folder, way)
    work, temporary = fresh_folders(folder)
    environment = {
        **os.environ, "PYTHONHASHSEED": "0", "TMPDIR": str(temporary),
        "TWINFLOW_RANDOM": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3",
    }  # fmt: skip
    if way == "twinflow":
        paths = [HOUSE, os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        environment.pop("PYTHONPATH", None)
    command = [interpreter, observer.__file__, target, way, _RUNNERS[way], *argv]
    done = subprocess.run(
        command, env=environment, cwd=work,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, check=False,
    )  # fmt: skip
    if not os.path.exists(target + ".json"):
        raise NotRun(
            f"{way} ended with status {done.returncode}:\n{done.stderr[-4000:]}"
        )
    with np.load(target + ".npz", allow_pickle=False) as arrays:
        return json.loads(Path(target + ".json").read_text()), dict(arrays)


def _judged(seen: list, arrays: list) -> Verdict:
    budget = Budget(1e6)
    found = None
    for i, (x, y) in enumerate(_pairs(*seen)):
        found = _difference(x, y, arrays, budget)
        if found is not None and found.kind == "side effect" and x and y:
            later = any(_alike_steps(x, e) for e in seen[1][i : i + 9])
            found.frame = _frame(y if later else x)  # the one that the other way lacks
        if found is not None:
            break
    runs = sum(e["kind"] == "run" for e in seen[0])
    verdict = Verdict([found] if found else [], list(WAYS), sessions=runs)
    lines = sum(e["kind"] == "print" for e in seen[0])
    shown = sum(e["kind"] == "summary" for e in seen[0])
    verdict.remarks.append(
        f"seen: {runs} fetches, {lines} lines printed, {shown} summaries"
    )
    return verdict


def _alike_steps(x: dict, y: dict) -> bool:
    """Whether two events are the same step of the program."""
    return x["kind"] == y["kind"] and _of(x) == _of(y)


def _pairs(left: list, right: list) -> Iterator[tuple]:
    """The events side by side; None where one way has no more."""
    for i in range(max(len(left), len(right))):
        yield tuple(e[i] if i < len(e) else None for e in (left, right))


def _difference(x: Any, y: Any, arrays: list, budget: Budget) -> Difference | None:
    event = x or y
    if x is None or y is None or not _alike_steps(x, y):
        error = next((e for e in (x, y) if e and e["kind"] == "error"), None)
        text, other = _shown(x), _shown(y)
        kind = "error" if error else "side effect"
        return Difference(kind, _frame(error or event), 0, WAYS, text, other)
    if x["kind"] == "error":
        if set(x["classes"][:1]) & set(y["classes"]) or _alike(x, y):
            return None
        return Difference("error", _frame(y), 0, WAYS, _shown(x), _shown(y))
    if x["kind"] == "print":
        if same_text(x["text"], y["text"]):
            return None
        return Difference("side effect", _frame(y), 0, WAYS, x["text"], y["text"])
    leaves = [
        _leaves(e["values"], a, budget) for e, a in zip((x, y), arrays, strict=True)
    ]
    what = {"run": "what was fetched", "summary": "the summary"}[x["kind"]]
    if [name for name, _ in leaves[0]] != [name for name, _ in leaves[1]]:
        some, others = (f"{len(found)} values" for found in leaves)
        return Difference("value", _frame(y), 0, WAYS, some, others, what)
    for (name, v), (_, w) in zip(*leaves, strict=True):
        if not _same(v, w):
            kind = "dtype" if v.dtype != w.dtype else "value"
            kind = "shape" if kind == "value" and v.shape != w.shape else kind
            return Difference(kind, _frame(y), 0, WAYS, v, w, f"{what}{name}")
    return None


def _alike(x: dict, y: dict) -> bool:
    """Whether two errors are what modes and versions call one thing."""
    return any(set(e["classes"][:3]) & set(o["classes"][:3]) - _ALL
               for e, o in ((x, y), (y, x)))  # fmt: skip


_ALL = {"Exception", "BaseException", "object", "OpError"}


def _of(event: dict) -> tuple:
    return os.path.basename(event["file"]), _statement(event["file"], event["line"])


@functools.cache
def _starts(file: str) -> dict[int, int]:
    """The first line of the statement of each line: Pythons number calls that are
    longer than a line differently."""
    found: dict[int, int] = {}
    try:
        tree = ast.parse(Path(file).read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return found
    for node in ast.walk(tree):  # outer ones first
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[line] = node.lineno
    return found


def _statement(file: str, line: int) -> int:
    return _starts(file).get(line, line)


def _frame(event: dict) -> Frame:
    file, line = event["file"], event["line"]
    try:
        text = Path(file).read_text("utf-8").splitlines()[line - 1].strip()
    except (OSError, IndexError, UnicodeDecodeError):
        text = ""
    return Frame(file, line, "", (), text)


def _shown(event: dict | None) -> str:
    if event is None:
        return "nothing more"
    if event["kind"] == "error":
        return f"{event['classes'][0]}: {event['text']}"
    if event["kind"] == "print":
        return f"prints {event['text']!r}"
    what = "fetches" if event["kind"] == "run" else "adds a summary"
    return f"{what} at line {event['line']}"


def _leaves(value: Any, arrays: dict, budget: Budget, name: str = "") -> list:
    """(where in the structure, Kept) of each value."""
    if value is None:
        return []
    if isinstance(value, list):
        parts = [(f"{name}[{i}]", v) for i, v in enumerate(value)]
    elif "array" in value:
        return [(name, kept(arrays[value["array"]], budget))]
    elif "texts" in value:
        texts = np.array([t.encode() for t in value["texts"]], object)
        return [(name, kept(texts.reshape(value["shape"]), budget))]
    elif set(value) == {"dtype", "shape"}:
        return [(name, Kept(value["dtype"], tuple(value["shape"]), b"", None))]
    else:
        parts = [(f"{name}[{k!r}]", v) for k, v in sorted(value.items())]
    return [leaf for where, v in parts for leaf in _leaves(v, arrays, budget, where)]


def _same(v: Kept, w: Kept) -> bool:
    if v.dtype == w.dtype == "string" and v.shape == w.shape:
        pairs = zip(v.array.ravel(), w.array.ravel(), strict=True)
        return all(p == q or not p.isascii() or b"\n" in p for p, q in pairs)
    return same(v, w, "against")

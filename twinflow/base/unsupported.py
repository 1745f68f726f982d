"""What of TensorFlow 1.12 is refused or still to be built: unsupported.txt."""

import fnmatch
import functools
import importlib.resources
import itertools
import re
from typing import Any, NamedTuple


class Group(NamedTuple):
    """A group of names that are not there.

    Args:
        kind: "refused" or "later". title: what they are. reason: what to do instead.
        symbols: patterns of public names, without `tf.`. ops: patterns of op types.
    """

    kind: str
    title: str
    reason: str
    symbols: tuple
    ops: tuple


@functools.cache
def groups() -> list[Group]:
    """All groups, in the order of the file."""
    parts = re.split(r"(?m)^\[(\w+): (.*)\]\n", _text())[1:]
    return [_group(*parts[i : i + 3]) for i in range(0, len(parts), 3)]


def _text() -> str:
    """The file without comments."""
    path = importlib.resources.files("twinflow.base") / "unsupported.txt"
    lines = path.read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("#")) + "\n"


def _group(kind: str, title: str, body: str) -> Group:
    words = body.split("\n")
    has_reason = words[0] and not words[0].startswith(("tf.", "op "))
    reason = words.pop(0) if has_reason else ""
    tokens = " ".join(words).split()
    ops = [b for a, b in itertools.pairwise(tokens) if a == "op"]
    symbols = [t.removeprefix("tf.") for t in tokens if t.startswith("tf.")]
    return Group(kind, title, reason, tuple(symbols), tuple(ops))


def group_of_symbol(path: str) -> Any:
    """The Group of a public name such as "sets.set_size", or None."""
    return next((g for g in groups() if _matches(path, g.symbols)), None)


def group_of_op(kind: str) -> Any:
    """The Group of an op type, or None."""
    return next((g for g in groups() if _matches(kind, g.ops)), None)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, p) for p in patterns)

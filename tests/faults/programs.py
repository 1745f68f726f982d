"""Programs with one mistake each, from the .txt files beside this.

A program begins with `=== name ways: words`. What follows is the body of a function of
`tf` and `np`; `# here` marks the line at fault. What it returns is fetched in a graph,
with a dict behind it as feeds. The ways: e eagerly, g in a graph that a session runs
once its variables have values (G: without), f in a function that is called eagerly; P:
what AutoGraph converts is no mistake (see running.py), A: only what it converts is one.
The words have to stand in what the user reads, `a|b` where either will do: the op, what
was received, and after `fix:` what to do.
"""

import re
from pathlib import Path
from typing import NamedTuple


class Program(NamedTuple):
    """One of them."""

    name: str
    ways: str
    words: str
    text: str


_HEAD = re.compile(r"^=== (\w+) (\w+): (.*)\n", re.M)


def programs():
    """All of them."""
    found = []
    for name in ("calls.txt", "programs.txt", "questions.txt", "autograph.txt"):
        _, *parts = _HEAD.split(Path(__file__).with_name(name).read_text())
        found += [Program(*parts[i : i + 4]) for i in range(0, len(parts), 4)]
    return found

"""Magics and commands of the shell in a cell: they are left out, and named.

A cell that is a file, `%%writefile model.py`, is written: others import it.
"""

import re

from twinflow.compat.python2 import tokens

# Cells that are Python below these, and lines whose rest is.
_AROUND_CELLS = ("%%time", "%%capture", "%%prun", "%%timeit", "%%notify")
_AROUND_LINES = ("%time", "%prun", "%lprun", "%mprun")
_FILE = re.compile(r"%%(?:writefile|file)[ \t]+([^\s'\"${]+)[ \t]*$")
_LINE = re.compile(r"[ \t]*(?:%|!|\?)")
_ASSIGNED = re.compile(r"[ \t]*[\w., \[\]'\"]+=[ \t]*(?:!|%[a-zA-Z])")
_HELP = re.compile(r"[ \t]*%{0,2}[\w.\[\]'\"()*]+\?{1,2}[ \t]*$")


def removed(text: str) -> tuple[str, list[tuple[int, str]]]:
    """(a cell with the same lines, without magics; (line, text) of each of them)"""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    skipped = []
    if file := _FILE.match(lines[first]):
        text = "".join(f"{line}\n" for line in lines[first + 1 :])
        wrote = f"__import__('pathlib').Path({file[1]!r}).write_text({text!r})"
        return "\n" * first + f"{wrote};" + "\n" * (len(lines) - 1 - first), []
    if lines[first].startswith("%%"):
        name = lines[first].split()[0]
        skipped.append((first + 1, lines[first]))
        if name not in _AROUND_CELLS:
            skipped[0] = (first + 1, f"{lines[first]} and the rest of the cell")
            return "\n" * (len(lines) - 1), skipped
        lines[first] = ""
    before = ""  # the statement so far, if it goes on
    for i, line in enumerate(lines):
        if not before and _is_magic(line):
            lines[i] = _kept(line)
            runs = lines[i].strip() != "pass"
            skipped.append((i + 1, line.split()[0] if runs else line.strip()))
        else:
            before = f"{before}{line}\n"
            before = before if _goes_on(before) else ""
    return "\n".join(lines), skipped


def _is_magic(line):
    return any(form.match(line) for form in (_LINE, _ASSIGNED, _HELP))


def _kept(line):
    """What runs in the place of a magic: nothing, or what is behind `%time`."""
    indent = line[: len(line) - len(line.lstrip())]
    name, _, rest = line.strip().partition(" ")
    return indent + (rest if name in _AROUND_LINES and rest else "pass")


def _goes_on(text):
    """Whether a bracket or a string is open at the end, or a backslash stands there."""
    try:
        lines = tokens.logical_lines(text)
    except tokens.Unreadable as error:
        return text[error.args[1] :].lstrip("rRuUbBfF").startswith(('"""', "'''"))
    last = lines[-1] if lines else []
    opened = sum(t.text in tokens.CLOSING for t in last)
    closed = sum(t.text in tokens.CLOSING.values() for t in last)
    return opened > closed or text.endswith("\\\n")

"""Makes a program that fails a check as short as it still fails it."""

import re


def shrunk(source, fails):
    """The program with as few lines as possible.

    Args:
        source: the program. fails: (source) -> whether it still shows the fault.
    """
    lines = _with_few_results(source.rstrip().split("\n"), fails)
    size = max(1, len(lines) // 2)
    while size:
        lines, changed = _without(lines, size, fails)
        if not changed:
            size //= 2
    return "\n".join(_with_few_results(lines, fails)) + "\n"


def _without(lines, size, fails):
    """The lines without all runs of `size` lines that are not needed."""
    start, changed = len(lines) - 1 - size, False
    while start > 0:
        fewer = lines[:start] + lines[start + size :]
        if _holds(fewer, fails):
            lines, changed = fewer, True
        start -= size
    return lines, changed


def _with_few_results(lines, fails):
    """The lines with as few names as possible in the last one."""
    names = re.findall(r"\bt\d+\b", lines[-1])
    for name in list(names):
        fewer = [n for n in names if n != name]
        shorter = [*lines[:-1], f"    return [{', '.join(fewer)}]"]
        if fewer and _holds(shorter, fails):
            names, lines = fewer, shorter
    return lines


def _holds(lines, fails):
    source = "\n".join(lines) + "\n"
    try:
        compile(source, "program.py", "exec")
    except SyntaxError:
        return False
    return fails(source)

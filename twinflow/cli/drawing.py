"""What commands print: one kind of table, and one kind of message.

A table is plain text in a pipe, where NO_COLOR is set, and where rich (an extra) is
missing; on a terminal, rich draws it.
"""

import json
import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import click

from twinflow.base import errors
from twinflow_terminal import statuses

_DRAW = "twinflow.cli.drawing_rich:draw"
UNREADABLE = (errors.OpError, ValueError, OSError, ImportError)


def failed(command: str, error: object) -> int:
    """Say on the standard error why something was not done; returns the status."""
    text = getattr(error, "message", None) or error
    print(f"twinflow {command}: {text}", file=sys.stderr)
    return statuses.NOT_DONE


def guarded(command: str, work: Callable[[], int]) -> int:
    """What `work` returns, or what it says of a file that cannot be read."""
    try:
        return work()
    except BrokenPipeError:  # of the standard output
        raise
    except UNREADABLE as error:
        return failed(command, error)


def is_drawn() -> bool:
    """Whether tables are drawn, with colours."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() and find_spec("rich") is not None


def coloured(word: str, colour: str) -> str:
    """A word as a terminal shows it in a colour; the word itself elsewhere."""
    return click.style(word, fg=colour, bold=True) if is_drawn() else word


def size(count: float) -> str:
    """A number of bytes for people: `3.2 MB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count /= 1000
    return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:,.1f} {unit}"


def show(
    rows: Sequence[Sequence[Any]], titles: Sequence[str], right: Sequence[str] = (),
    title: str = "",
) -> None:  # fmt: skip
    """Print a table.

    Args:
        rows: of what str shows. titles: of the columns. right: those of numbers.
        title: stands above.
    """
    texts = [[_text(cell) for cell in row] for row in rows]
    if is_drawn():
        pkgutil.resolve_name(_DRAW)(texts, titles, right, title)
        return
    if title:
        print(title)
    columns = range(len(titles))
    widths = [max((len(row[i]) for row in texts), default=0) for i in columns]
    for row in texts:
        cells = [
            f"{cell:>{width}}" if name in right else f"{cell:{width}}"
            for cell, width, name in zip(row, widths, titles)
        ]
        print("  ".join(cells).rstrip())


def _text(cell: Any) -> str:
    return f"{cell:,d}" if type(cell) is int else str(cell)


def write_json(content: object) -> None:
    """Print JSON; numbers that JSON has not become texts."""
    print(json.dumps(_plain(content), indent=1, allow_nan=False))


def _plain(content: Any) -> Any:
    if isinstance(content, dict):
        return {str(k): _plain(v) for k, v in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(v) for v in content]
    if isinstance(content, float) and not abs(content) < float("inf"):
        return str(content)
    return content if isinstance(content, int | float | str | None) else str(content)

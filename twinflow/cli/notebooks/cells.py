"""The code cells of a notebook's file, which is JSON (nbformat 3 and 4)."""

import json
from collections.abc import Callable
from typing import NamedTuple

from twinflow.cli.notebooks import magics


class CodeCell(NamedTuple):
    """A code cell.

    Args:
        number: counted from 1, code cells only. title: as tracebacks name it.
        written: its text. source: the same without magics, line by line.
        skipped: (line, text) of what was left out.
    """

    number: int
    title: str
    written: str
    source: str
    skipped: list[tuple[int, str]]


class Unreadable(ValueError):
    """A file that is no notebook."""


def read(data: bytes, path: str) -> list[CodeCell]:
    """The code cells of a notebook, in their order.

    Args:
        data: the file. path: its name.
    Raises:
        Unreadable: it is no notebook; the text names the file and what is wrong.
    """
    try:
        texts = list(_texts(json.loads(data)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        kind = type(error).__name__
        raise Unreadable(f"{path} is no notebook: {kind}: {error}") from None
    return [_cell(i, text, path) for i, text in enumerate(texts, 1)]


def _texts(notebook):
    cells = notebook.get("cells")
    if cells is None:  # nbformat 3
        cells = [c for sheet in notebook["worksheets"] for c in sheet["cells"]]
    for cell in cells:
        if cell["cell_type"] == "code" and cell.get("language", "python") == "python":
            text = cell["source"] if "source" in cell else cell["input"]
            yield text if isinstance(text, str) else "".join(text)


def _cell(number, text, path):
    source, skipped = magics.removed(text)
    return CodeCell(number, f"{path}, cell {number}", text, source, skipped)


def wants_python_2(data: bytes) -> bool:
    """Whether a notebook says that it was made with Python 2."""
    about = json.loads(data).get("metadata", {})
    version = str(about.get("language_info", {}).get("version", ""))
    name = str(about.get("kernelspec", {}).get("name", ""))
    return version.startswith("2.") or name == "python2"


class Joined(NamedTuple):
    """The cells as one text, and where in it each begins."""

    text: str
    starts: list[int]

    def named(self, cells: list[CodeCell]) -> Callable[[int], str]:
        """What gives the name of a line of the text."""

        def name(line: int) -> str:
            index = sum(start <= line for start in self.starts) - 1
            return f"{cells[index].title}:{line - self.starts[index] + 1}"

        return name


def joined(cells: list[CodeCell]) -> Joined:
    """The cells as one program."""
    starts, line = [], 1
    for cell in cells:
        starts.append(line)
        line += cell.source.count("\n") + 1
    return Joined("\n".join(cell.source for cell in cells), starts)

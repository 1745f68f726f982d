"""The user's lines: frames of Python as plain data, with the text of their files."""

import linecache
import os
from types import CodeType
from typing import Any

from twinflow.base.frames import line_number, user_frames

_LIBRARY = (os.path.dirname(os.path.abspath(os.__file__)) + os.sep, "<frozen ")
_LINES = 10**6  # of a file at most
_MOST = 400_000  # characters of a file that is taken as a whole
_AROUND = 30  # lines around those that are wanted of a longer one


class Lines:
    """Takes frames apart.

    Attributes:
        frames: [number of the file, line, function, first line of it].
        files: their names.
    """

    def __init__(self) -> None:
        self.frames: list[list] = []
        self.files: list[str] = []
        self._numbers: dict = {}

    def packed(self, pairs: Any) -> list[int]:
        """The numbers of (code, lasti) pairs."""
        return [self._frame(pair) for pair in pairs or ()]

    def here(self) -> list[int]:
        """The frames of the program that runs now."""
        return self.packed(user_frames(32))

    def _frame(self, pair: tuple) -> int:
        code, line = pair[0], line_number(pair)
        file = self._number("file", code.co_filename, self.files, code.co_filename)
        entry = [file, line, code.co_name, code.co_firstlineno]
        return self._number("frame", tuple(entry), self.frames, entry)

    def _number(self, kind: str, key: Any, table: list, entry: Any) -> int:
        if (kind, key) not in self._numbers:
            self._numbers[kind, key] = len(table)
            table.append(entry)
        return self._numbers[kind, key]

    def texts(self) -> list[dict]:
        """[{"name", "blocks": [[number of the first line, lines]]}] of the files."""
        wanted: dict = {i: set() for i in range(len(self.files))}
        for file, line, *_ in self.frames:
            wanted[file].add(line)
        return [self._text(name, wanted[i]) for i, name in enumerate(self.files)]

    def _text(self, name: str, wanted: set[int]) -> dict:
        lines = [s.rstrip("\n") for s in linecache.getlines(name)]
        own = not name.startswith(_LIBRARY) and "-packages" not in name
        if own and sum(map(len, lines)) <= _MOST:
            return {"name": name, "blocks": [[1, lines]]}
        around = _AROUND if own else 0
        numbers = {n for w in wanted for n in range(w - around, w + around + 1)}
        numbers.intersection_update(range(1, len(lines) + 1))
        blocks: list = []
        for n in sorted(numbers):
            if not blocks or blocks[-1][0] + len(blocks[-1][1]) != n:
                blocks.append([n, []])
            blocks[-1][1].append(lines[n - 1])
        return {"name": name, "blocks": blocks}


class Texts:
    """Puts frames together; the texts of files are known from then on.

    Args:
        frames, files: what Lines told.
    """

    def __init__(self, frames: list, files: list) -> None:
        self.files = [clean(f["name"]) for f in files]
        self._pairs = [self._pair(*entry) for entry in frames]
        self._lines = [_numbered(f["blocks"]) for f in files]

    def show(self) -> None:
        """Let Python find the lines: what is on this machine is not looked at."""
        for name, lines in zip(self.files, self._lines, strict=True):
            linecache.cache[name] = (sum(map(len, lines)), None, lines, name)

    def pairs(self, numbers: Any) -> tuple:
        """The (code, lasti) pairs of some numbers."""
        if any(type(n) is not int or not 0 <= n < len(self._pairs) for n in numbers):
            raise ValueError("there is no such frame")
        return tuple(self._pairs[n] for n in numbers)

    def _pair(self, file: int, line: int, name: str, first: int) -> tuple:
        if not (0 <= file < len(self.files) and 0 < first <= line <= _LINES):
            first = line = max(1, line if 0 < line <= _LINES else 1)
        code = _BLANK.replace(
            co_filename=self.files[file], co_name=clean(name), co_firstlineno=line
        )
        return code, _AT


_BLANK: CodeType = compile("0", "<capsule>", "exec")
_AT = 2 * [line for line, *_ in _BLANK.co_positions()].index(1)


def clean(text: str) -> str:
    """A text that does nothing to a terminal."""
    shown = str(text).replace("\t", "    ")
    return "".join(c if c.isprintable() else "?" for c in shown)


def _numbered(blocks: list) -> list[str]:
    """The lines of a file, empty where they are not known."""
    lines: list[str] = []
    for first, block in blocks:
        lines += ["\n"] * (min(first, _LINES) - 1 - len(lines))
        lines += [f"{clean(s)}\n" for s in block]
    return lines

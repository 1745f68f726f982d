"""The user's lines: frames of Python as plain data, with the text of their files."""

import linecache
from types import CodeType
from typing import Any

from twinflow.base.frames import is_internal, line_number, user_frames

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
        """[{"name", "first": number of the first line, "lines"}] of the files."""
        wanted: dict = {i: [] for i in range(len(self.files))}
        for file, line, *_ in self.frames:
            wanted[file].append(line)
        return [self._text(name, wanted[i]) for i, name in enumerate(self.files)]

    def _text(self, name: str, wanted: list[int]) -> dict:
        lines = [] if is_internal(name) else linecache.getlines(name)
        first = 1
        if sum(map(len, lines)) > _MOST:
            first = max(min(wanted) - _AROUND, 1)
            lines = lines[first - 1 : max(wanted) + _AROUND]
        return {"name": name, "first": first, "lines": [s.rstrip("\n") for s in lines]}


class Texts:
    """Puts frames together; the texts of files are known from then on.

    Args:
        frames, files: what Lines told.
    """

    def __init__(self, frames: list, files: list) -> None:
        self.files = [clean(f["name"]) for f in files]
        self._pairs = [self._pair(*entry) for entry in frames]
        self._texts = files

    def show(self) -> None:
        """Let Python find the lines: what is on this machine is not looked at."""
        for name, told in zip(self.files, self._texts, strict=True):
            lines = [""] * (told["first"] - 1) + [clean(s) for s in told["lines"]]
            lines = [f"{s}\n" for s in lines]
            linecache.cache[name] = (sum(map(len, lines)), None, lines, name)

    def pairs(self, numbers: Any) -> tuple:
        """The (code, lasti) pairs of some numbers."""
        if any(type(n) is not int or not 0 <= n < len(self._pairs) for n in numbers):
            raise ValueError("there is no such frame")
        return tuple(self._pairs[n] for n in numbers)

    def _pair(self, file: int, line: int, name: str, first: int) -> tuple:
        if not (0 <= file < len(self.files) and 0 < first <= line < 10**7):
            first = line = max(1, line if 0 < line < 10**7 else 1)
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

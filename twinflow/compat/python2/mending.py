"""Programs of Python 2 as code that runs, and what would have to be written instead."""

import ast
import io
import re
import tokenize
from types import CodeType
from typing import Any, NamedTuple

from twinflow.compat.python2 import meaning, spelling
from twinflow.compat.python2.edits import Columns, Edits
from twinflow.compat.python2.tokens import Unreadable


class Spelling(NamedTuple):
    """A line that Python 3 spells otherwise: what stands there, what to write."""

    line: int
    stands: str
    write: str

    def __str__(self) -> str:
        return f"{self.stands}  ->  {self.write}"


def decoded(source: bytes | str) -> str:
    """The text of a file, with plain ends of lines."""
    if isinstance(source, bytes):
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
            source = source.decode(encoding)
        except (SyntaxError, UnicodeDecodeError):
            source = source.decode("latin-1")
    return source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def code_of(
    source: bytes | str, path: str, *, mode: str = "exec", folder: str | None = None
) -> CodeType:
    """The code of a program in Python 2; its lines and columns are those of `source`.

    Args:
        source: a file, or the text of an exec. path: its name.
        mode: "exec" or "eval". folder: see meaning.changed.
    Raises:
        SyntaxError: it is no program of Python 2, either.
    """
    tree = changed_tree(source, path, mode=mode, folder=folder)
    if isinstance(source, bytes):
        tree = meaning.with_names(tree)
    return compile(tree, path, mode, dont_inherit=True)


def changed_tree(
    source: bytes | str, path: str, *, mode: str = "exec", folder: str | None = None
) -> ast.AST:
    """What `code_of` compiles, but for the import of the names of Python 2."""
    text = decoded(source).lstrip() if mode == "eval" else decoded(source)
    edits, tree = _parsed(text, path, mode)
    _restore_columns(tree, edits)
    return meaning.changed(tree, edits.parts, spelling.futures(text), folder)


def _parsed(text, path, mode="exec"):
    try:
        edits = spelling.mended(text)
        return edits, ast.parse(edits.applied(shown=False), path, mode)
    except Unreadable as error:
        reason, at = error.args
        line = text.count("\n", 0, at) + 1
        raise _stated(SyntaxError(reason), path, line, text) from None
    except SyntaxError as error:
        raise _stated(error, path, error.lineno or 1, text) from None


def _stated(error, path, line, text):
    """The error, with the line as it stands in the file."""
    lines = text.split("\n")
    shown = lines[line - 1] if 0 < line <= len(lines) else ""
    return type(error)(error.args[0], (path, line, None, shown))


def _restore_columns(tree: ast.AST, edits: Edits) -> None:
    """Give nodes the columns that they have in the file, for tracebacks."""
    columns = Columns(edits)
    lines = edits.applied(shown=False).split("\n")
    before = edits.source.split("\n")

    def back(line: int, column: int) -> int:
        characters = len(lines[line - 1].encode()[:column].decode(errors="ignore"))
        return len(before[line - 1][: columns.original(line, characters)].encode())

    for node in ast.walk(tree):
        place: Any = node
        if hasattr(node, "col_offset"):
            if place.lineno in columns:
                place.col_offset = back(place.lineno, place.col_offset)
            if place.end_lineno in columns:
                place.end_col_offset = back(place.end_lineno, place.end_col_offset)


def spellings(source: bytes | str) -> list[Spelling]:
    """The lines of a program that Python 3 spells otherwise; [] of what is unreadable.

    Only a program that Python 2 can read has any.
    """
    text = decoded(source)
    try:
        edits, _ = _parsed(text, "<source>")
    except SyntaxError:
        return []
    pairs = zip(text.split("\n"), edits.applied(shown=True).split("\n"))
    return [
        Spelling(i, old.strip(), new.strip())
        for i, (old, new) in enumerate(pairs, 1)
        if re.sub(r"\s", "", old) != re.sub(r"\s", "", new)
    ]


def tree_of(source: bytes | str, path: str) -> ast.AST:
    """The syntax tree of a program in Python 2, mended as far as Python 3 reads it.

    Raises:
        SyntaxError: it is none.
    """
    return _parsed(decoded(source), path)[1]


def is_old(source: bytes | str) -> bool:
    """Whether Python 2 can read a program, and Python 3 cannot."""
    try:
        ast.parse(decoded(source))
    except (SyntaxError, ValueError):
        try:
            _parsed(decoded(source), "<source>")
        except SyntaxError:
            return False
        return True
    return False

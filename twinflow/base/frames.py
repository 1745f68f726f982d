"""User frames: where in the user's program something was made, cheaply kept."""

import importlib
import itertools
import linecache
import os
import sys
import warnings
from types import CodeType, FrameType
from typing import Any

import numpy

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TERMINAL = _PACKAGE[: -len(os.sep)] + "_terminal" + os.sep
_SITE = os.path.dirname(os.path.dirname(os.path.abspath(numpy.__file__))) + os.sep
_TESTING = _PACKAGE + "testing" + os.sep
_COMMANDS = os.path.realpath(os.path.dirname(sys.executable or ""))  # has `twinflow`
_INTERNAL = (
    _PACKAGE,
    _TERMINAL,
    *(_SITE + name + os.sep for name in ("numpy", "jax", "jaxlib", "re2")),
    os.path.dirname(os.path.abspath(importlib.__file__)) + os.sep,
    "<frozen importlib",
    "<frozen runpy>",
    "<twinflow ",  # functions made from a template, see base.factory
)
_SHELL = tuple(
    f"{os.sep}{name}{os.sep}"
    for name in ("IPython", "ipykernel", "tornado", "traitlets", "nbclient", "asyncio")
)  # wherever they are installed; asyncio runs the loop of a notebook's kernel
_is_internal: dict[str, bool] = {}


def place_of_program() -> str:
    """The function, file and line of the program that is at work."""
    for pair in user_frames(1):
        code = pair[0]
        return f"{code.co_name} {code.co_filename}:{line_number(pair)}"
    return "an unknown place"


def user_frames(limit: int = 8) -> tuple[tuple, ...]:
    """Return the innermost `limit` frames of the user's program, innermost first.

    Returns:
        Tuple of (code, lasti) pairs. Frames of twinflow itself (but not of
        twinflow.testing), numpy, jax, re2 and importlib are left out.

    Example: `format_frame(user_frames(1)[0])` is "train.py:12" on that line.
    """
    found = []
    internal = _is_internal
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        name = code.co_filename
        if name not in internal:
            is_internal(name)
        if not internal[name]:
            found.append((code, frame.f_lasti))
            if len(found) == limit:
                break
        frame = frame.f_back
    return tuple(found)


def is_internal(filename: str) -> bool:
    """Whether a file belongs to twinflow or to what it is built on."""
    found = _is_internal.get(filename)
    if found is None:
        found = _is_internal[filename] = _decide(filename)
    return found


def line_number(pair: tuple[CodeType, int]) -> int:
    """Return the line of a (code, lasti) pair, or the function's first line."""
    return position(pair)[0] or pair[0].co_firstlineno


def position(pair: tuple[CodeType, int]) -> tuple:
    """First and last line, first and last column of a (code, lasti) pair, or None."""
    code, lasti = pair
    return next(itertools.islice(code.co_positions(), lasti // 2, None), (None,) * 4)


def format_frame(pair: tuple[CodeType, int]) -> str:
    """Return `"file.py:12"`; the path is relative where it lies below the cwd."""
    return f"{_short_path(pair[0].co_filename)}:{line_number(pair)}"


def source_line(pair: tuple[CodeType, int]) -> str:
    """Return the stripped text of the line, or "" where the source is not found."""
    return linecache.getline(pair[0].co_filename, line_number(pair)).strip()


def stack_of(pairs: tuple[tuple, ...]) -> list[tuple]:
    """(file, line, function, text of the line) of (code, lasti) pairs, outermost first.

    Example: `stack_of(user_frames(1))[0][:2]` is ("train.py", 12) on that line.
    """
    return [
        (code.co_filename, line_number(p), code.co_name, source_line(p) or None)
        for p in reversed(pairs)
        for code in (p[0],)
    ]


def is_house(filename: str) -> bool:
    """Whether a file belongs to twinflow itself."""
    own = filename.startswith((_PACKAGE, _TERMINAL, "<twinflow "))
    return own and not filename.startswith(_TESTING)


def warn_user(message: str) -> None:
    """A warning at the line of the user's program that called twinflow."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and is_house(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def _decide(filename: str) -> bool:
    if filename.startswith(_INTERNAL):
        return not filename.startswith(_TESTING)
    folder, name = os.path.split(filename)
    if name.startswith("twinflow") and os.path.realpath(folder) == _COMMANDS:
        return True
    folders = filename[: filename.rfind(os.sep) + 1]
    return any(name in folders for name in _SHELL) and _is_library(folders)


def _is_library(folders: Any) -> bool:
    return f"{os.sep}lib{os.sep}" in folders or "-packages" in folders


def _short_path(path: str) -> str:
    try:
        below = os.getcwd().rstrip(os.sep) + os.sep
    except OSError:
        return path
    return path.removeprefix(below)

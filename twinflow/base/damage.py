"""What readers raise where a file is not what it should be: one error that names it.

Note [Damage]: a reader trusts the structure of what it reads. Where that is broken it
stumbles over anything: KeyError, IndexError, MemoryError, RecursionError ... Such an
error says nothing about the file, so a block of `reported` around the reader says which
file, and what was wrong. Errors of the user's own code in between stay what they are.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import errors
from twinflow.base.frames import is_internal

_WITH_PLACE = "\n\t(while reading "
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def cause(error: BaseException) -> str:
    """What an error says, with its class unless that is just a ValueError."""
    text = str(error)
    if isinstance(error, ValueError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class UnreadableFile(OSError, ValueError):
    """A damaged file, where TensorFlow, h5py or Pillow raise an OSError."""


@contextlib.contextmanager
def reported(source: str, kind: type[Exception] = ValueError) -> Iterator[None]:
    """A block that reads `source`: what else it raises becomes a `kind` that names it.

    Args:
        source: the path of a file, or what is read. kind: ValueError or an OpError.
    Raises:
        OpError: as it is, with the source. OSError of the system: as it is.
        ValueError that names the source: as it is. `kind`: for all others.
    """
    try:
        yield
    except errors.OpError as error:
        if source not in error.message:
            error.add_place(f"while reading {source}")
        raise
    except Exception as error:
        of_system = isinstance(error, OSError) and error.errno is not None
        names_it = isinstance(error, ValueError) and source in str(error)
        if of_system or names_it or _is_of_user(error):
            raise
        raise _made(kind, _text(source, error)) from error


@contextlib.contextmanager
def located(
    place: str | Callable[[], str], keeps_texts: bool = False
) -> Iterator[None]:
    """A block that reads a part: what says nothing of its own names that part.

    Args:
        place: what is read, "the settings of the layer 'x'", or a function that says
            so when something has gone wrong.
        keeps_texts: a ValueError has a text of TensorFlow's that programs match on: the
            place is a note beside it.
    Raises:
        OpError: as it is. ValueError: for all others, with the place.
    """
    try:
        yield
    except errors.OpError:
        raise
    except Exception as error:
        if _is_of_user(error):
            raise
        name, text = place if isinstance(place, str) else place(), cause(error)
        if not isinstance(error, ValueError):
            raise ValueError(f"{name} cannot be used: {text}") from error
        if name in text or _WITH_PLACE in text:
            raise
        if keeps_texts:
            error.add_note(f"while reading {name}")
            raise
        raise ValueError(f"{text}{_WITH_PLACE}{name})") from error


def _text(source: Any, error: Any) -> Any:
    text = cause(error)
    if source in text:
        return text
    if isinstance(error, ValueError):
        return f"{text}{_WITH_PLACE}{source})"
    return f"{source}: {text} (it is damaged, or something else than expected)"


def _made(kind: Any, text: str) -> Any:
    return kind(None, None, text) if issubclass(kind, errors.OpError) else kind(text)


def _is_of_user(error: Any) -> bool:
    """Whether code of the user's raised it, called by the block."""
    entry = error.__traceback__
    while entry is not None:
        name = entry.tb_frame.f_code.co_filename
        if not (is_internal(name) or _is_library(name)):
            return True
        entry = entry.tb_next
    return False


def _is_library(filename: str) -> Any:
    """Whether a file belongs to Python or is installed beside it."""
    built = filename.startswith(("<", _LIBRARY)) or filename.endswith((".pyx", ".pxi"))
    return built or "site-packages" in filename

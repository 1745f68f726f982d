"""How to mend frequent mistakes: a note beside the error (PEP 678).

Note [Advice]: the texts of errors are TensorFlow's, for programs look into them; what
to do about it stands in a note, which Python and notebooks print below the error:

    ValueError: Dimensions must be equal, but are 3 and 2 for 'MatMul' ...
    fix: matmul takes [n, k] and [k, m]: transpose one of them ...

advice.txt has them. Errors of ops get theirs when they are made (base.errors), others
by `advised`.
"""

import difflib
import functools
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import TypeVar

E = TypeVar("E", bound=BaseException)

_FIX = "fix: "
_OP = re.compile(r"\[Op:(\w+)\]|\(op: '(\w+)'\)|\)?\s+= (\w+)\[")
_SIZES = re.compile(
    r"size-incompatible|Dimensions must be equal|Shape must be|must be \d+-dim|depth"
)


_compiled = functools.cache(re.compile)  # one by one: few messages reach the last form


@functools.cache
def _table() -> tuple[dict[str, str], list[tuple[str, str]]]:
    """{op: what to do where sizes do not fit}, [(form of a message, what to do)]."""
    by_op: dict[str, str] = {}
    forms: list[tuple[str, str]] = []
    text = files("twinflow.base").joinpath("advice.txt").read_text("utf-8")
    for block in text.split("\n\n")[1:]:
        lines = block.rstrip().split("\n")
        advice = " ".join(x.strip() for x in lines if x.startswith(" "))
        heads = [x for x in lines if not x.startswith(" ")]
        by_op.update((h[3:], advice) for h in heads if h.startswith("op "))
        forms += [(h, advice) for h in heads if not h.startswith("op ")]
    return by_op, forms


def advice_for(message: str | None) -> str | None:
    """What to do about an error with this message, None where nothing is known."""
    if not message:  # an error made from a code alone
        return None
    by_op, forms = _table()
    if _SIZES.search(message):
        op = _OP.search(message)
        found = by_op.get(next(filter(None, op.groups()), "")) if op else None
        if found is not None:
            return found
    for form, advice in forms:
        match = _compiled(form).search(message)
        if match is not None:
            return advice.replace("{1}", match[1]) if "{1}" in advice else advice
    return None


def advised(kind: type[E], message: str) -> E:
    """An error, with a note on how to mend it where that is known."""
    return advised_by(kind(message), message)


def advised_by(error: E, message: str) -> E:
    """An error of this or another text, with the note."""
    found = advice_for(message)
    if found is not None:
        say_fix(error, found)
    return error


def near(error: E, name: str, known: Iterable[str], suffix: str = "") -> E:
    """The error, with a note on the known name that may have been meant.

    Args:
        error: about `name`, which is not among `known`. suffix: to write behind it.
    """
    found = nearest(name, known)
    if found is not None:
        say_fix(error, f"did you mean {found + suffix!r}?")
    return error


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that may have been meant, None where none is like this one."""
    return next(iter(difflib.get_close_matches(name, list(known), 1)), None)


def say_fix(error: BaseException, text: str) -> None:
    """Note how to mend an error, unless it is noted already."""
    if not has_fix(error):
        error.add_note(f"{_FIX}{text}")


def has_fix(error: BaseException) -> bool:
    """Whether it is noted how to mend an error."""
    return any(map(is_fix, getattr(error, "__notes__", ())))


def is_fix(note: str) -> bool:
    """Whether a note says how to mend an error."""
    return note.startswith(_FIX)

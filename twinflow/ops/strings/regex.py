r"""RE2's regular expressions, as TensorFlow takes them: matched in linear time."""

import functools
import itertools

import re2

from twinflow.base.errors import invalid
from twinflow.ops.strings.arrays import as_text


@functools.lru_cache(maxsize=128)  # as many as re2 itself keeps
def compiled(pattern: bytes):
    """The compiled form of a pattern.

    Raises:
        InvalidArgumentError: RE2 refuses it.
    """
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        # RE2 says so since 2020; TensorFlow 1.12 has the older text.
        why = _shown(error.args[0]).replace("unexpected ): ", "missing ): ")
    raise invalid(f"Invalid pattern: {_shown(pattern)}, error: {why}")


def _shown(text):
    return text.decode("utf-8", "backslashreplace")


def full_match(pattern, value: bytes) -> bool:
    """Whether all of `value` matches the compiled `pattern`."""
    return pattern.fullmatch(value) is not None


def replace(pattern, value: bytes, rewrite: list, everywhere: bool) -> bytes:
    """`value` with matches of the compiled `pattern` replaced.

    As in RE2 an empty match counts neither right after another match nor within a
    character.

    Args:
        rewrite: the parts of `parsed_rewrite`; a group that is not there is empty.
    """
    parts = [p for p in rewrite if isinstance(p, bytes) or p <= pattern.groups]
    out, last, starts = [], -1, None
    for match in pattern.finditer(value):
        start, end = match.span()
        if start == end:
            starts = starts or _starts(value)
            if start == last or start not in starts:
                continue
        out.append(value[max(last, 0) : start])
        out += [p if isinstance(p, bytes) else match[p] or b"" for p in parts]
        last = end
        if not everywhere:
            break
    return b"".join([*out, value[max(last, 0) :]])


def _starts(value):
    """Where characters start or end; bytes that are no UTF-8 are one each."""
    if value.isascii():
        return range(len(value) + 1)
    lengths = (len(c.encode("utf-8", "surrogateescape")) for c in as_text(value))
    return {0, *itertools.accumulate(lengths)}


@functools.lru_cache(maxsize=256)
def parsed_rewrite(rewrite: bytes) -> tuple[list, bool]:
    r"""A rewrite (``\1`` is a group) as texts and group numbers, and whether it is one.

    The parts of a bad one end before what is bad, as in RE2.
    """
    parts: list = []
    text = iter(as_text(rewrite))
    for c in text:
        if c == "\\":
            c = next(text, "")
            if c.isdecimal() and c.isascii():
                parts.append(int(c))
                continue
            if c != "\\":
                return parts, False
        parts.append(c.encode("utf-8", "surrogateescape"))
    return parts, True

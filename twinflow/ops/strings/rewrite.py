"""Strings matched and rewritten by regular expressions in RE2's syntax."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import rank_of, same, text
from twinflow.ops.strings import regex
from twinflow.ops.strings.arrays import as_bytes, filled, flat, one


def _infer_replace(input, pattern, rewrite, replace_global):
    rank_of(pattern, 0, "pattern")
    rank_of(rewrite, 0, "rewrite")
    return input._shape


def _scalar(value, word):
    if np.ndim(value):
        shown = text(np.shape(value))
        raise invalid(f"{word} must be scalar, but received {shown}")
    return one(value)


def _replace_kernel(input, pattern, rewrite, replace_global):
    pattern = regex.compiled(_scalar(pattern, "Pattern"))
    return _replaced(input, pattern, _scalar(rewrite, "Rewrite"), replace_global)


def _replaced(input, pattern, rewrite, everywhere):
    parts, is_whole = regex.parsed_rewrite(rewrite)
    values = flat(input)
    if is_whole or everywhere:  # a bad one replaces nothing alone, but cuts off all
        values = [regex.replace(pattern, v, parts, everywhere) for v in values]
    return filled(values, np.shape(input))


RegexReplace = define(
    "RegexReplace", infer=_infer_replace, host=_replace_kernel, strict=True
)

StaticRegexReplace = define(
    "StaticRegexReplace",
    infer=same,
    host=lambda input, pattern, rewrite, replace_global: _replaced(
        input, regex.compiled(as_bytes(pattern)), as_bytes(rewrite), replace_global
    ),
)


def regex_replace(
    input: TensorValue, pattern: TensorValue, rewrite: TensorValue,
    replace_global: bool = True, name: str | None = None, source: Any = None,
) -> Tensor:  # fmt: skip
    """The strings with what matches `pattern` replaced by `rewrite`.

    Args:
        input: a string tensor.
        pattern: string scalar, a regular expression in RE2's syntax.
        rewrite: string scalar; \\1 to \\9 stand for groups, \\0 for the whole match.
        replace_global: replace every match, not only the first.
        name: the name of the node in a graph. source: another name of `input`.
    Returns:
        A string tensor of the same shape.
    Raises:
        InvalidArgumentError: `pattern` is no regular expression.
    Example:
        tf.strings.regex_replace(["ab"], r"(\\w)(\\w)", r"\\2\\1")  # [b"ba"]
    """
    input = source if input is None else input
    attrs = {"replace_global": replace_global}
    if isinstance(pattern, str | bytes) and isinstance(rewrite, str | bytes):
        attrs |= {"pattern": pattern, "rewrite": rewrite}
        return apply(StaticRegexReplace, (input,), attrs, name)
    return apply(RegexReplace, (input, pattern, rewrite), attrs, name)


def _infer_match(input, pattern):
    rank_of(pattern, 0, "pattern")
    return input._shape


def _match_kernel(input, pattern):
    return _matched(input, _scalar(pattern, "Pattern"))


def _matched(input, pattern):
    pattern = regex.compiled(as_bytes(pattern))
    found = [regex.full_match(pattern, v) for v in flat(input)]
    return np.array(found, bool).reshape(np.shape(input))


RegexFullMatch = define(
    "RegexFullMatch", infer=_infer_match, host=_match_kernel, strict=True
)

StaticRegexFullMatch = define("StaticRegexFullMatch", infer=same, host=_matched)


def regex_full_match(
    input: TensorValue, pattern: TensorValue, name: str | None = None
) -> Tensor:
    """Whether the whole of each string matches `pattern`.

    Args:
        input: a string tensor.
        pattern: string scalar, a regular expression in RE2's syntax.
        name: the name of the node in a graph.
    Returns:
        bool of the same shape.
    Raises:
        InvalidArgumentError: `pattern` is no regular expression.
    Example:
        tf.strings.regex_full_match(["abc", "abcd"], "a.c")  # [True, False]
    """
    return apply(RegexFullMatch, (input, pattern), None, name)

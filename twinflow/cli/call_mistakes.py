"""Calls that a function of TensorFlow would refuse: its arguments, names of dtypes."""

import ast
import difflib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import dtypes

_DTYPES = ("dtype", "out_type", "output_type", "T", "Tout")
_STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def mistakes(
    tree: ast.AST, meaning: Callable[[ast.AST], Any]
) -> Iterator[tuple[int, str]]:
    """(line, text) of each wrong call.

    Args:
        meaning: what a chain of names stands for, or None.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            parameters = parameters_of(meaning(node.func))
            if parameters:
                name = ast.unparse(node.func)
                yield from _arguments(node, name, parameters)
                yield from _types(node, parameters)


def parameters_of(function: Any) -> list[inspect.Parameter]:
    """Those of a function or class of twinflow; none where they are not known."""
    home = getattr(function, "__module__", None) or ""
    if not callable(function) or not home.startswith("twinflow"):
        return []
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _arguments(
    node: ast.Call, name: str, parameters: list[inspect.Parameter]
) -> Iterator[tuple[int, str]]:
    if any(isinstance(a, ast.Starred) for a in node.args):
        return
    given = [k.arg for k in node.keywords]
    if any(p.kind in _STARS for p in parameters) or None in given:
        return
    names = [p.name for p in parameters]
    for word in filter(None, given):
        if word not in names:
            near = difflib.get_close_matches(word, names, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            yield node.lineno, f"{name} takes no argument {word!r}.{hint}"
    placed = [p for p in parameters if p.kind is not p.KEYWORD_ONLY]
    if len(node.args) > len(placed):
        yield (
            node.lineno,
            f"{name} takes {len(placed)} arguments, and {len(node.args)} are given.",
        )
    rest = [*placed[len(node.args) :], *(p for p in parameters if p not in placed)]
    for p in rest:
        if p.default is p.empty and p.name not in given:
            yield node.lineno, f"{name} needs the argument {p.name!r}."


def _types(
    node: ast.Call, parameters: list[inspect.Parameter]
) -> Iterator[tuple[int, str]]:
    given = {k.arg: k.value for k in node.keywords}
    given |= {p.name: a for p, a in zip(parameters, node.args)}
    for name in _DTYPES:
        value = given.get(name)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            try:
                dtypes.as_dtype(value.value)
            except TypeError:
                near = difflib.get_close_matches(value.value, _names(), 1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                yield value.lineno, f"{value.value!r} is no dtype.{hint}"


def _names() -> list[str]:
    return [n for n, v in vars(dtypes).items() if isinstance(v, dtypes.DType)]

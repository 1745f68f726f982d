"""Functions of one input that are joined by |, repeated by **, and closed by a call."""

import pkgutil
import re
from collections.abc import Callable as Function_
from typing import Any

KEYWORDS = re.compile(r"\b(import|while|def|exec)\b")
QUOTED = re.compile(r'"([^"\\]|\\.)*"|' r"'([^'\\]|\\.)*'")
_debugging = False


def debug(mode: bool = True) -> None:
    """Print the functions that are called, or no longer."""
    global _debugging  # a switch of the module, as in TensorFlow
    _debugging = mode


def check_keywords(spec: str) -> None:
    """Hold that a spec, but for its texts, is no program.

    Raises:
        ValueError: it has a statement that specs may not have.
    """
    found = KEYWORDS.search(QUOTED.sub("", spec))
    if found:
        raise ValueError(f"keyword {found.group(1)!r} found in spec")


def get_positional(
    args: Any, kw: dict[Any, Any], kw_overrides: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """Arguments by place, with those of keywords `_0`, `_1` and so on among them.

    Args:
        args: those by place. kw: keywords. kw_overrides: they win over those of `args`.
    Returns:
        (arguments, None where none is known; the other keywords).
    Example:
        tf.contrib.specs.get_positional([1], {"_2": 3})  # ([1, None, 3], {})
    """
    placed = {int(k[1:]): v for k, v in kw.items() if re.fullmatch(r"_\d+", k)}
    if not placed:
        return args, kw
    found = [*args, *[None] * (max(placed) + 1 - len(args))]
    for place, value in placed.items():
        if kw_overrides or found[place] is None:
            found[place] = value
    return found, {k: v for k, v in kw.items() if not re.fullmatch(r"_\d+", k)}


class Composable:
    """What is joined: `f | g` is g after f, `f ** 3` is f three times."""

    def funcall(self, x: Any) -> Any:
        """What comes out for an input.

        Raises:
            NotImplementedError: the class does not say.
        """
        raise NotImplementedError(f"{type(self).__name__} has no funcall.")

    def __or__(self, f: Any) -> "Composable":
        return Composition(self, f if isinstance(f, Composable) else Callable(f))

    def __pow__(self, n: int) -> "Composable":
        if not isinstance(n, int) or n < 0:
            raise ValueError(f"The number of repetitions is {n!r}, not 0 or more.")
        found: Composable = Function(lambda x: x)
        for i in range(n):
            found = self if not i else Composition(found, self)
        return found


class Callable(Composable):
    """A Python function of one input."""

    def __init__(self, f: Function_) -> None:
        self.f = f

    def funcall(self, x: Any) -> Any:
        """The function's value."""
        return self.f(x)


class Function(Composable):
    """A function of an input and of arguments that are given before.

    Args:
        f: the function. args, kw: what follows its input; `_1=v` is the argument behind
            the first of them, where there is none.
    Example:
        add = tf.contrib.specs.Function(lambda x, y: x + y)
        (add(1) | add(2)).funcall(5)  # 8
    """

    def __init__(self, f: Function_, *args: Any, **kw: Any) -> None:
        if not callable(f):
            raise ValueError(f"{f!r}: is not callable")
        self.f, self.args, self.kw = f, list(args), kw

    def __call__(self, *args: Any, **kw: Any) -> "Function":
        """The function with further arguments."""
        return Function(self.f, *self.args, *args, **{**self.kw, **kw})

    def funcall(self, x: Any) -> Any:
        """The function's value."""
        if _debugging:
            print("DEBUG:", self.f, x, self.args, self.kw)
        args, named = get_positional(self.args, self.kw)
        return self.f(x, *args, **named)


class Composition(Composable):
    """One after the other."""

    def __init__(self, f: Composable, g: Composable) -> None:
        self.f, self.g = f, g

    def funcall(self, x: Any) -> Any:
        """What the second makes of what the first makes."""
        return self.g.funcall(self.f.funcall(x))


class Operator(Composable):
    """A Python function of composables and an input.

    Args:
        op: the function. args: what it takes before the input.
    """

    def __init__(self, op: Function_, *args: Any) -> None:
        self.op, self.args = op, args

    def funcall(self, x: Any) -> Any:
        """The function's value."""
        return self.op(*self.args, x)


def External(module_name: str, function_name: str) -> Function:
    """A function of a module."""
    return Function(pkgutil.resolve_name(f"{module_name}:{function_name}"))


def Import(statements: str) -> Function:
    """The function `f` that statements define."""
    names: dict = {}
    exec(statements, names)
    return Function(names["f"])

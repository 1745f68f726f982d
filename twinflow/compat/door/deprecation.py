"""tensorflow.python.util.deprecation: functions that say, once, that they are old."""

import contextlib
import functools
import inspect
import re
from typing import Any

from twinflow.base import logging

_ISO_DAY = re.compile(r"20\d\d-[01]\d-[0123]\d$")
_said: set = set()
_silent: list = []


class DeprecatedNamesAlreadySet(Exception):
    """A symbol has got its deprecated names twice."""


def _check(date, instructions):
    if date is not None and not _ISO_DAY.match(date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")


def _say(key, what, date, instructions):
    """One warning for each function, where the program is not asked to be silent."""
    if _silent or key in _said:
        return
    _said.add(key)
    when = f"after {date}" if date else "in a future version"
    logging.warning(
        "%s is deprecated and will be removed %s.\nInstructions for updating:\n%s",
        what, when, instructions,
    )  # fmt: skip


def _full_name(function):
    return f"{function.__module__}.{getattr(function, '__qualname__', function)}"


def deprecated(date: Any, instructions: Any, warn_once: bool = True) -> Any:
    """A decorator of functions that will go.

    Args:
        date: "YYYY-MM-DD" or None. instructions: what to use instead.
        warn_once: one warning, not one for each call.
    Raises:
        ValueError: the date is none, or there are no instructions.
    Example:
        @tf.contrib.framework.deprecated(None, "Use g.")
        def f(): ...
    """
    _check(date, instructions)

    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            key = function if warn_once else object()
            _say(key, f"{_full_name(function)} (from {function.__module__})", date,
                 instructions)  # fmt: skip
            return function(*args, **kwargs)

        note = "(deprecated)" if date is None else f"(deprecated after {date})"
        first, _, rest = (function.__doc__ or "").partition("\n")
        wrapped.__doc__ = f"{first} {note}\n{rest}\nTHIS FUNCTION IS DEPRECATED. " + (
            f"{instructions}\n"
        )
        return wrapped

    return decorate


def deprecated_args(
    date: Any, instructions: Any, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Any:
    """A decorator of functions some arguments of which will go.

    Args:
        deprecated_arg_names_or_tuples: names, or (name, the value that is fine).
        warn_once: one warning for each argument.
    """
    _check(date, instructions)
    fine = {
        n if isinstance(n, str) else n[0]: () if isinstance(n, str) else n[1:]
        for n in deprecated_arg_names_or_tuples
    }
    if not fine:
        raise ValueError("Specify which argument is deprecated.")

    def bad(name, value):
        return not (fine[name] and value == fine[name][0])

    return _of_arguments(date, instructions, fine, bad)


def deprecated_arg_values(
    date: Any, instructions: Any, warn_once: bool = True, **deprecated_kwargs: Any
) -> Any:
    """A decorator of functions some values of whose arguments will go."""
    _check(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def bad(name, value):
        return value is deprecated_kwargs[name] or value == deprecated_kwargs[name]

    return _of_arguments(date, instructions, deprecated_kwargs, bad)


def _of_arguments(date, instructions, names, bad):
    def decorate(function):
        signature = inspect.signature(function)
        missing = [n for n in names if n not in signature.parameters]
        keywords = inspect.getfullargspec(function).varkw
        if missing and not keywords:
            raise ValueError(
                f"The following deprecated arguments are not present in the function "
                f"signature: {missing}."
            )

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            given = signature.bind_partial(*args, **kwargs).arguments
            for name in names:
                if name in given and bad(name, given[name]):
                    what = f"Calling {_full_name(function)} with {name}"
                    _say((function, name), what, date, instructions)
            return function(*args, **kwargs)

        return wrapped

    return decorate


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    """A function or class under an older name."""
    if isinstance(func_or_class, type):
        return type(deprecated_name.rpartition(".")[2], (func_or_class,), {})
    return deprecated(None, f"Please use {name} instead.", warn_once)(func_or_class)


def deprecated_endpoints(*args):
    """A decorator that notes the older public names of a function.

    Raises:
        DeprecatedNamesAlreadySet: it has some already.
    """

    def decorate(function):
        if "_tf_deprecated_api_names" in vars(function):
            text = f"Cannot set deprecated names for {function.__name__} to {args}."
            raise DeprecatedNamesAlreadySet(text)
        function._tf_deprecated_api_names = args
        return function

    return decorate


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """The value of an argument that has an older name too.

    Raises:
        ValueError: both are given.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


def rewrite_argument_docstring(old_doc, old_argument, new_argument):
    """A docstring with an argument under its new name."""
    doc = old_doc.replace(f"`{old_argument}`", f"`{new_argument}`")
    return doc.replace(f"{old_argument}:", f"{new_argument}:")


@contextlib.contextmanager
def silence():
    """A block without warnings of this kind."""
    _silent.append(True)
    try:
        yield
    finally:
        _silent.pop()

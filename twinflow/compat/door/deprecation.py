"""tensorflow.python.util.deprecation: functions that say, once, that they are old."""

import contextlib
import functools
import re
from typing import Any

from twinflow.base import logging
from twinflow.base.frames import line_number, user_frames
from twinflow.compat.door.decorators import (
    add_notice_to_docstring,
    get_qualified_name,
    make_decorator,
    validate_callable,
)
from twinflow.compat.door.inspecting import getcallargs, getfullargspec

_ISO_DAY = re.compile(r"20\d\d-[01]\d-[0123]\d")
_said: set = set()
_silent: list = []


class DeprecatedNamesAlreadySet(Exception):
    """A symbol has got its deprecated names twice."""


def _check(date, instructions):
    if date is not None and not _ISO_DAY.match(date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")


def _when(date):
    return "in a future version" if date is None else f"after {date}"


def _say(key, warn_once, text, *args):
    """A warning that names the place; one for each key where one is enough."""
    if _silent or key in _said:
        return
    if warn_once:
        _said.add(key)
    logging.warning(f"From %s: {text}", _call_location(), *args)


def _call_location():
    for pair in user_frames(1):
        return f"{pair[0].co_filename}:{line_number(pair)}"
    return "UNKNOWN"


def _notice(doc, date, instructions):
    return add_notice_to_docstring(
        doc, instructions, "DEPRECATED FUNCTION", "(deprecated)",
        [
            f"THIS FUNCTION IS DEPRECATED. It will be removed {_when(date)}.",
            "Instructions for updating:",
        ],
    )  # fmt: skip


def _notice_of_arguments(doc, date, instructions):
    return add_notice_to_docstring(
        doc, instructions, "DEPRECATED FUNCTION ARGUMENTS", "(deprecated arguments)",
        [
            f"SOME ARGUMENTS ARE DEPRECATED. They will be removed {_when(date)}.",
            "Instructions for updating:",
        ],
    )  # fmt: skip


_REMOVED = "is deprecated and will be removed %s.\nInstructions for updating:\n%s"


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
        validate_callable(function, "deprecated")

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            name, place = get_qualified_name(function), function.__module__
            text = f"%s (from %s) {_REMOVED}"
            _say(function, warn_once, text, name, place, _when(date), instructions)
            return function(*args, **kwargs)

        doc = _notice(function.__doc__, date, instructions)
        return make_decorator(function, wrapped, "deprecated", doc)

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
    warn_once = kwargs.get("warn_once", True)

    def decorate(function):
        validate_callable(function, "deprecated_args")
        spec = getfullargspec(function)
        known = [*spec.args, spec.varargs, spec.varkw]
        missing = [n for n in fine if n not in known]
        if missing:
            raise ValueError(
                "The following deprecated arguments are not present in the function "
                f"signature: {missing}. Found next arguments: {known}."
            )
        bad = functools.partial(_given, function, spec, fine)
        doc = _notice_of_arguments(function.__doc__, date, instructions)
        made = _watched(function, bad, date, instructions, warn_once)
        return make_decorator(function, made, "deprecated", doc)

    return decorate


def _given(function, spec, fine, args, kwargs):
    """The names of the arguments that a call gives and that it should not give."""
    values, found = getcallargs(function, *args, **kwargs), []
    for name, ok in fine.items():
        placed = name in spec.args and spec.args.index(name) < len(args)
        if (placed or name in kwargs) and not (ok and _same(values[name], ok[0])):
            found.append(name)
    if spec.varargs in fine and len(args) > len(spec.args):
        found.append(spec.varargs)
    if spec.varkw in fine and kwargs:
        found.append(spec.varkw)
    return found


def _same(a, b):
    return a is b or bool(a == b)


def _watched(function, bad, date, instructions, warn_once):
    """A function that warns of the arguments that `bad(args, kwargs)` names."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        for name in () if _silent else bad(args, kwargs):
            _say(
                (function, name), warn_once, f"calling %s (from %s) with %s {_REMOVED}",
                get_qualified_name(function), function.__module__, name, _when(date),
                instructions,
            )  # fmt: skip
        return function(*args, **kwargs)

    return wrapped


def deprecated_arg_values(
    date: Any, instructions: Any, warn_once: bool = True, **deprecated_kwargs: Any
) -> Any:
    """A decorator of functions some values of whose arguments will go."""
    _check(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def decorate(function):
        validate_callable(function, "deprecated_arg_values")

        def bad(args, kwargs):
            given = getcallargs(function, *args, **kwargs)
            return [
                f"{n}={v}"
                for n, v in deprecated_kwargs.items()
                if n in given and _same(given[n], v)
            ]

        made = _watched(function, bad, date, instructions, warn_once)
        doc = _notice_of_arguments(function.__doc__, date, instructions)
        return make_decorator(function, made, "deprecated", doc)

    return decorate


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    """A function or class under an older name, which says so when it is used."""
    text = "The name %s is deprecated. Please use %s instead.\n"
    is_class = isinstance(func_or_class, type)
    called = func_or_class.__init__ if is_class else func_or_class

    @functools.wraps(called)
    def wrapped(*args, **kwargs):
        _say((called, deprecated_name), warn_once, text, deprecated_name, name)
        return called(*args, **kwargs)

    instead, doc = f"Please use {name} instead.", func_or_class.__doc__
    if not is_class:
        doc = _notice(doc, None, instead)
        return make_decorator(func_or_class, wrapped, "deprecated", doc)
    doc = add_notice_to_docstring(
        doc, instead, "DEPRECATED CLASS", "(deprecated)",
        ["THIS CLASS IS DEPRECATED. It will be removed in a future version. "],
    )  # fmt: skip
    init = make_decorator(called, wrapped, "deprecated")
    fields = {"__doc__": doc, "__module__": func_or_class.__module__, "__init__": init}
    return type(func_or_class.__name__, (func_or_class,), fields)


def deprecated_endpoints(*args):
    """A decorator that notes the older public names of a function.

    Raises:
        DeprecatedNamesAlreadySet: it has some already.
    """

    def decorate(function):
        if "_tf_deprecated_api_names" in vars(function):
            raise DeprecatedNamesAlreadySet(
                f"Cannot set deprecated names for {function.__name__} to {args}. "
                "Deprecated names are already set to "
                f"{function._tf_deprecated_api_names}."
            )
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

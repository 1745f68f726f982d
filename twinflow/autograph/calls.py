"""Calls in converted code: what the program brings is converted, the rest is not."""

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from twinflow.autograph import (
    control_flow,
    lists,
    logic,
    python_builtins,
    rows,
    scope,
    undefined,
)
from twinflow.autograph.convert import (
    ALONE,
    RECURSIVE,
    Options,
    factory_of,
    is_users,
    underlying,
)
from twinflow.autograph.source import NotConverted, place
from twinflow.base import dispatch
from twinflow.base.errors import with_notes_of

_MARK = "autograph_info__"  # an attribute of what is not to be converted again
_no_errors = (
    "Using a `tf.Tensor` as a Python `bool`",
    "Tensor objects are only iterable",
    "'Tensor' object cannot be interpreted as an integer",
    "object of type 'Tensor' has no len()",
)


def converted(function: Any, options: Options = RECURSIVE) -> Callable:
    """A function in which Python's control flow goes for tensors of a graph.

    Args:
        function: a Python function, bound method, partial or callable object.
        options: RECURSIVE converts what it calls as well, ALONE does not.
    Returns:
        A function of the same arguments.
    Raises:
        NotConverted: its source is not there, or has what cannot be converted.
    """
    if isinstance(function, functools.partial):
        inner = converted(function.func, options)
        return functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, types.MethodType):
        return types.MethodType(
            converted(function.__func__, options), function.__self__
        )
    if isinstance(function, types.FunctionType):
        if is_artifact(function):
            return function
        found = factory_of(function, options).function(function, OPERATORS)
        return autograph_artifact(found)
    call = underlying(function)
    if call is not None:
        return types.MethodType(converted(call, options), function)
    raise NotConverted(f"{function!r} is not a Python function")


def called(function: Any, args: tuple, kwargs: dict, options: Any = RECURSIVE) -> Any:
    """What a function gives, converted where it can be.

    Where it cannot, and fails on a tensor for that, the error says why.
    """
    _refuse_generators(function)
    try:
        run = converted(function, options)
    except NotConverted as why:
        return _as_it_is(function, args, kwargs, str(why))
    return run(*args, **kwargs)


def _refuse_generators(function: Any) -> None:
    """A function of a graph gives tensors.

    Raises:
        TypeError: it is a generator, or `async`.
    """
    inner = underlying(getattr(function, "func", function))
    code = getattr(inner, "__code__", None)
    if code is None or not code.co_flags & _GENERATES:
        return
    try:
        factory_of(inner)
    except NotConverted as why:
        raise TypeError(
            f"{code.co_qualname} cannot be a function of a graph: {why}. Collect what "
            "it gives in a list, and return that from a plain function."
        ) from None


def _generating(f: Any, args: tuple, kwargs: dict) -> Any:
    """A call that is not converted; of the program's generators, errors say so."""
    found = f(*args, **kwargs)
    if not isinstance(found, types.GeneratorType) or dispatch.current_mode().eager:
        return found
    code = found.gi_code
    return _explained(found, code) if is_users(code) else found


def _explained(generator: Any, code: types.CodeType) -> Any:
    """What a generator gives; it is not converted, and its errors say so."""
    try:
        return (yield from generator)
    except TypeError as error:
        why = f"{place(code, code.co_firstlineno)} is a generator ('yield')"
        advised = _with_reason(error, code.co_qualname, why)
        if advised is error:
            raise
        raise advised from None


def _with_reason(error: TypeError, name: str, why: str) -> TypeError:
    """An error for want of conversion, with why there was none; others as they are."""
    text = str(error)
    if not text.startswith(_no_errors) or why in text:
        return error
    found = TypeError(f"{text}\n{name} was not converted by AutoGraph: {why}.")
    return with_notes_of(error, found).with_traceback(error.__traceback__)


def _as_it_is(function: Any, args: tuple, kwargs: dict, why: str) -> Any:
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        name = getattr(function, "__qualname__", repr(function))
        advised = _with_reason(error, name, why)
        if advised is error:
            raise
        raise advised from None


def converted_call(
    f: Any, args: tuple, kwargs: dict | None, caller: Any = None, options: Any = None
) -> Any:
    """A call in converted code."""
    kwargs = kwargs or {}
    replaced = python_builtins.overload_of(f)
    if replaced is not f:
        return replaced(*args, **kwargs)
    options = caller.callopts if options is None else options
    if not options.recursive:
        return f(*args, **kwargs)
    if isinstance(f, functools.partial):
        return converted_call(
            f.func, (*f.args, *args), {**f.keywords, **kwargs}, None, options
        )
    if not _to_convert(f, sys._getframe(1).f_code.co_filename):
        return _generating(f, args, kwargs)
    return called(f, args, kwargs, options)


def _to_convert(f: Any, caller: str) -> bool:
    """Whether a callable is the program's own, in Python."""
    target = f.__func__ if isinstance(f, types.MethodType) else f
    if not isinstance(target, types.FunctionType):
        if isinstance(f, type) or inspect.isbuiltin(f):
            return False
        target = underlying(f)
        if target is None:
            return False
    if is_artifact(f) or is_artifact(target):
        return False
    code = target.__code__
    return not code.co_flags & _GENERATES and is_users(code, caller)


_GENERATES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def autograph_artifact(function: Any, extras: Any = None) -> Any:
    """Mark a function that is not to be converted (again)."""
    setattr(function, _MARK, extras)
    return function


def is_artifact(function: Any) -> bool:
    """Whether a function is not to be converted."""
    return hasattr(function, _MARK)


class Operators:
    """What converted code calls, as `ag__`."""

    RECURSIVE, ALONE = RECURSIVE, ALONE
    FunctionScope = scope.FunctionScope
    with_function_scope = staticmethod(scope.with_function_scope)
    Undefined = undefined.Undefined
    UndefinedReturnValue = undefined.UndefinedReturnValue
    ld, ldu = staticmethod(undefined.ld), staticmethod(undefined.ldu)
    autograph_artifact = staticmethod(autograph_artifact)
    converted_call = staticmethod(converted_call)
    if_stmt = staticmethod(control_flow.if_stmt)
    if_exp = staticmethod(control_flow.if_exp)
    while_stmt = staticmethod(control_flow.while_stmt)
    for_stmt = staticmethod(control_flow.for_stmt)
    and_, or_ = staticmethod(logic.and_), staticmethod(logic.or_)
    not_, eq = staticmethod(logic.not_), staticmethod(logic.eq)
    not_eq = staticmethod(logic.not_eq)
    compared = staticmethod(logic.compared)
    assert_stmt = staticmethod(logic.assert_stmt)
    items_of = staticmethod(rows.items_of)
    element_type = staticmethod(lists.element_type)
    list_append = staticmethod(lists.list_append)
    list_extend = staticmethod(lists.list_extend)
    list_plus = staticmethod(lists.list_plus)
    list_pop = staticmethod(lists.list_pop)
    pop_where_sure = staticmethod(lists.pop_where_sure)
    set_item = staticmethod(lists.set_item)


OPERATORS = Operators

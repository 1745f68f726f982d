"""tf.contrib.framework.arg_scope: defaults for arguments in a block."""

import contextlib
import functools
import inspect
import threading
from typing import Any

from twinflow.base.annotations import Called
from twinflow.base.errors import UsageError


class _Scopes(threading.local):
    def __init__(self):
        self.stack = [{}]  # {key of a function: {argument: value}}, the innermost last


_scopes = _Scopes()
_ARGUMENTS: dict = {}  # the arguments with defaults of each decorated function


def arg_scope_func_key(op: Any) -> Any:
    """The key of a function in a scope."""
    return getattr(op, "_key_op", str(op))


def current_arg_scope() -> Any:
    """The defaults in force, {key of a function: {argument: value}}."""
    return _scopes.stack[-1]


def has_arg_scope(func: Any) -> Any:
    """Whether a function was decorated with `add_arg_scope`."""
    return arg_scope_func_key(func) in _ARGUMENTS


def arg_scoped_arguments(func: Any) -> Any:
    """The names of the arguments that scopes may set.

    Raises:
        AssertionError: the function was not decorated.
    """
    if not has_arg_scope(func):
        raise UsageError(f"{func} is not decorated with @add_arg_scope")
    return _ARGUMENTS[arg_scope_func_key(func)]


@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Any:
    """A block in which functions have other defaults.

    Args:
        list_ops_or_scope: decorated functions, or what an earlier block gave.
        kwargs: the defaults.
    Returns:
        (of `with`) the defaults in force, to be used in another block.
    Raises:
        TypeError: it is neither a list nor a scope.
        ValueError: a function is not decorated, or a scope comes with arguments.
    Example:
        slim = tf.contrib.slim
        x = tf.placeholder(tf.float32, [None, 28, 28, 1])
        with slim.arg_scope([slim.conv2d], padding="VALID"):
            y = slim.conv2d(x, 8, [3, 3])
        y.shape.as_list()  # [None, 26, 26, 8]
    """
    stack = _scopes.stack
    stack.append(_scope_of(list_ops_or_scope, kwargs))
    try:
        yield stack[-1]
    finally:
        stack.pop()


def _scope_of(given, kwargs):
    if isinstance(given, dict):
        if kwargs:
            raise ValueError(
                "When attempting to re-use a scope by suppling adictionary, kwargs "
                "must be empty."
            )
        return dict(given)
    if not isinstance(given, list | tuple):
        raise TypeError(
            "list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)"
        )
    found = dict(current_arg_scope())
    for op in given:
        if not has_arg_scope(op):
            name = (getattr(op, "__module__", None), getattr(op, "__name__", str(op)))
            raise ValueError("%s is not decorated with @add_arg_scope", name)
        key = arg_scope_func_key(op)
        found[key] = {**found.get(key, {}), **kwargs}
    return found


def add_arg_scope(func: Called) -> Called:
    """Let `arg_scope` set defaults of a function."""

    @functools.wraps(func)
    def with_scope(*args, **kwargs):
        defaults = _scopes.stack[-1].get(with_scope._key_op)
        return func(*args, **({**defaults, **kwargs} if defaults else kwargs))

    with_scope._key_op = f"{func.__module__}.{func.__qualname__} at {id(func):x}"
    parameters = inspect.signature(func).parameters.values()
    _ARGUMENTS[with_scope._key_op] = tuple(
        p.name for p in parameters if p.default is not p.empty
    )
    return with_scope

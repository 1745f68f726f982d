"""tensorflow.python.util: small Python tools that TensorFlow's files share."""

import contextlib
import functools
import inspect
import pkgutil
import sys
import threading
import traceback
import types

import numpy as np

from twinflow.base.advice import advised
from twinflow.base.dimension import Dimension
from twinflow.base.dtypes import DType
from twinflow.base.shapes import TensorShape
from twinflow.compat.door.decorators import unwrap


# ------------------------------------------------------------------ function_utils
def fn_args(fn):
    """The names of the arguments of a function or of a callable object."""
    if isinstance(fn, functools.partial):
        args = fn_args(fn.func)[len(fn.args) :]
        return tuple(a for a in args if a not in (fn.keywords or {}))
    if not inspect.isroutine(fn) and callable(fn):
        fn = fn.__call__
    args = inspect.getfullargspec(fn).args
    bound = inspect.ismethod(fn)
    return tuple(args[1:] if bound and args[:1] == ["self"] else args)


def get_func_name(func):
    """The name of a function; of a callable object its class.

    Raises:
        ValueError: it cannot be called.
    """
    func = unwrap(func)[1]
    if not callable(func):
        raise advised(ValueError, "Argument must be callable")
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    return func.__name__ if inspect.isfunction(func) else str(type(func))


def get_func_code(func):
    """The code of a function, or None."""
    func = unwrap(func)[1]
    if isinstance(func, functools.partial):
        return get_func_code(func.func)
    if not callable(func):
        raise advised(ValueError, "Argument must be callable")
    return getattr(func, "__code__", None) or getattr(func.__call__, "__code__", None)


def has_kwargs(fn):
    """Whether a function takes any keyword.

    Raises:
        TypeError: it is no function.
    """
    if isinstance(fn, functools.partial):
        return has_kwargs(fn.func)
    if not callable(fn):
        raise TypeError(
            f"fn should be a function-like object, but is of type {type(fn)}."
        )
    return inspect.getfullargspec(fn).varkw is not None


def keyword_args_only(func):
    """A decorator: the function takes no argument by its place.

    Raises:
        ValueError: one is given so.
    """

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        if args:
            raise ValueError(f"Must use keyword args to call {func.__name__}.")
        return func(**kwargs)

    return wrapped


# ------------------------------------------------------------------ the rest
class LazyLoader(types.ModuleType):
    """A module that is imported when one of its names is used."""

    def __init__(self, local_name, parent_module_globals, name):
        super().__init__(name)
        self._place = local_name, parent_module_globals

    def __getattr__(self, item):
        local_name, names = self.__dict__["_place"]
        module = names[local_name] = pkgutil.resolve_name(self.__name__)
        self.__dict__.update(vars(module))
        return getattr(module, item)


class GroupLock:
    """A lock that any number of one group may hold at the same time."""

    def __init__(self, num_groups=2):
        if num_groups < 1:
            raise ValueError(f"num_groups must be a positive integer, got {num_groups}")
        self._ready = threading.Condition()
        self._held = [0] * num_groups

    @contextlib.contextmanager
    def group(self, group_id):
        """A block in which this group holds the lock."""
        self.acquire(group_id)
        try:
            yield
        finally:
            self.release(group_id)

    def acquire(self, group_id):
        """Wait until no other group holds the lock.

        Raises:
            ValueError: there is no such group.
        """
        if not 0 <= group_id < len(self._held):
            raise ValueError(
                f"group_id={group_id} should be between 0 and "
                f"num_groups={len(self._held)}"
            )
        with self._ready:
            self._ready.wait_for(
                lambda: not any(n for i, n in enumerate(self._held) if i != group_id)
            )
            self._held[group_id] += 1

    def release(self, group_id):
        """One less of the group."""
        with self._ready:
            self._held[group_id] -= 1
            self._ready.notify_all()


def dismantle_ordered_dict(ordered_dict):
    """Empty a dict."""
    ordered_dict.clear()


def get_json_type(obj):
    """An object as json can write it.

    Raises:
        TypeError: it is nothing that TensorFlow writes so.
    """
    if hasattr(obj, "get_config"):
        return {"class_name": type(obj).__name__, "config": obj.get_config()}
    if isinstance(obj, np.ndarray | np.generic):
        if isinstance(obj, np.ndarray):
            return {"type": type(obj), "value": obj.tolist()}
        return obj.item()
    if isinstance(obj, DType):
        return obj.name
    if isinstance(obj, TensorShape):
        return obj.as_list()
    if isinstance(obj, Dimension):
        return obj.value
    if callable(obj):
        return obj.__name__
    raise TypeError("Not JSON Serializable:", obj)


def should_use_result(fn=None, *args, **kwargs):
    """A decorator that leaves the function as it is."""
    return fn if callable(fn) else should_use_result


must_use_result_or_fatal = should_use_result


TB_FILENAME, TB_LINENO, TB_FUNCNAME, TB_CODEDICT = range(4)  # of its entries


def extract_stack():
    """Where the program is: (file, line, function, the line's text, names, line)."""
    frames = traceback.extract_stack(sys._getframe(1))
    return [(f.filename, f.lineno, f.name, f.line, {}, f.lineno) for f in frames]


def convert_stack(stack, include_func_start_lineno=False):
    """What `extract_stack` gives as (file, line, function, text)."""
    size = 6 if include_func_start_lineno else 4
    return [tuple(frame[:4]) + (frame[5],) * (size > 4) for frame in stack]


def object_list_uid(object_list):
    """A text that is the same for the same objects."""
    objects = object_list if isinstance(object_list, list | tuple) else [object_list]
    return ", ".join(str(abs(id(x))) for x in objects)

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

from twinflow.base.dimension import Dimension
from twinflow.base.dtypes import DType
from twinflow.base.shapes import TensorShape


# ------------------------------------------------------------------ tf_decorator
class TFDecorator:
    """A decorator's result, which knows the function inside.

    Args:
        decorator_name: of the decorator. target: the function.
        decorator_doc: what it says of itself. decorator_argspec: its own arguments.
    """

    def __init__(
        self, decorator_name, target, decorator_doc="", decorator_argspec=None
    ):
        self.decorator_name, self.decorated_target = decorator_name, target
        self.decorator_doc, self.decorator_argspec = decorator_doc, decorator_argspec
        functools.update_wrapper(self, target, updated=())

    def __get__(self, instance, owner):
        return types.MethodType(self, instance) if instance is not None else self

    def __call__(self, *args, **kwargs):
        return self.decorated_target(*args, **kwargs)


def make_decorator(
    target, decorator_func, decorator_name=None, decorator_doc="",
    decorator_argspec=None,
):  # fmt: skip
    """The function `decorator_func`, which looks like `target` and knows it.

    Example:
        def function(x): return x
        twice = make_decorator(function, lambda x: 2 * function(x))
        twice.__name__  # "function"
    """
    name = decorator_name or sys._getframe(1).f_code.co_name
    inside = TFDecorator(name, target, decorator_doc, decorator_argspec)
    functools.update_wrapper(decorator_func, target, updated=())
    decorator_func._tf_decorator = inside
    return decorator_func


def unwrap(maybe_tf_decorator):
    """(the decorators around a function, the function)."""
    decorators, here = [], maybe_tf_decorator
    while True:
        inside = here if isinstance(here, TFDecorator) else None
        inside = inside or getattr(here, "_tf_decorator", None)
        if inside is None:
            return decorators, here
        decorators.append(inside)
        here = inside.decorated_target


# ------------------------------------------------------------------ tf_export
class tf_export:
    """A decorator that notes the public names of a function or class."""

    def __init__(self, *args, **kwargs):
        self._names, self._options = args, kwargs

    def __call__(self, func):
        unwrap(func)[1]._tf_api_names = self._names
        return func

    def export_constant(self, module_name, name):
        """Note the names of a constant: there is nowhere to keep them."""


def get_canonical_name_for_symbol(symbol, *args, **kwargs):
    """The first public name that `tf_export` noted, or None."""
    return next(iter(getattr(unwrap(symbol)[1], "_tf_api_names", ())), None)


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
    """The name of a function, also of a partial one, and of an object's class."""
    func = unwrap(func)[1]
    if isinstance(func, functools.partial):
        return get_func_name(func.func)
    return getattr(func, "__name__", None) or str(type(func))


def get_func_code(func):
    """The code of a function, or None."""
    func = unwrap(func)[1]
    if isinstance(func, functools.partial):
        return get_func_code(func.func)
    if not callable(func):
        raise ValueError("Argument must be callable")
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


# ------------------------------------------------------------------ decorator_utils
class classproperty:
    """A property of a class."""

    def __init__(self, func):
        self._func = func

    def __get__(self, owner_self, owner_cls):
        return self._func(owner_cls)


def get_qualified_name(function):
    """The name of a function with that of its class, where it is known."""
    return getattr(function, "__qualname__", function.__name__)


def validate_callable(func, decorator_name):
    """Raise ValueError where a decorator is given something that is no function."""
    if not callable(func):
        raise ValueError(
            f"{func} is not a function. If this is a property, make sure @property "
            f"appears before @{decorator_name} in your source code."
        )


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
        """Wait until no other group holds the lock."""
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
        return obj.tolist() if isinstance(obj, np.ndarray) else obj.item()
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

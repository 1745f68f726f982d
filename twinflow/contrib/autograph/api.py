"""Conversion as functions and decorators, by the names of TensorFlow 1.12."""

import contextlib
import enum
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from twinflow.autograph.calls import autograph_artifact, converted, is_artifact
from twinflow.autograph.convert import ALONE, RECURSIVE, factory_of, is_users
from twinflow.autograph.python_builtins import overload_of
from twinflow.autograph.transpiler import LineLocation, Location, OriginInfo
from twinflow.base import logging
from twinflow.base.annotations import Called
from twinflow.contrib.autograph.errors import GraphConstructionError, construction_error
from twinflow.contrib.autograph.python_calls import wrap_py_func


class ConversionOptions(NamedTuple):
    """How a call is converted: see `new`."""

    recursive: bool
    verbose: bool
    strip_decorators: tuple[Any, ...]
    force_conversion: bool
    arg_types: dict[Any, Any]

    @classmethod
    def new(
        cls, recursive: bool = False, verbose: bool = False,
        strip_decorators: tuple[Any, ...] | None = None, force_conversion: bool = False,
        arg_types: dict[Any, Any] | None = None,
    ) -> "ConversionOptions":  # fmt: skip
        """Options, some of them given.

        Args:
            recursive: convert what the function calls as well. verbose: log the code.
            force_conversion: convert functions of libraries too.
            strip_decorators, arg_types: accepted.
        """
        return cls(
            recursive,
            verbose,
            strip_decorators or (),
            force_conversion,
            arg_types or {},
        )


class RunMode(enum.Enum):
    """How a function runs that is not converted: as it is, or as a tf.py_func."""

    GRAPH = 1
    PY_FUNC = 2


def to_graph(
    e: Any, recursive: bool = True, verbose: bool = False, arg_values: Any = None,
    arg_types: Any = None, partial_types: Any = None, strip_decorators: Any = None,
) -> Any:  # fmt: skip
    """A function or class in which Python's control flow goes for tensors.

    Args:
        e: a Python function, method or class.
        recursive: convert what it calls of the program as well.
        verbose: log the converted code.
        arg_values, arg_types, partial_types, strip_decorators: accepted.
    Returns:
        A function of the same arguments (a method takes its object as the first), or a
        class derived from `e`. Its attribute `ag_source_map` says where its lines were.
    Raises:
        NotImplementedError: `e` is neither.
        ValueError: `e` cannot be converted (`match`, generators, no source).
    Example:
        def halve(x):
            while x > 1.:
                x = x / 2.
            return x
        tf.contrib.autograph.to_graph(halve)(tf.constant(12.))  # 0.75
    """
    if inspect.isclass(e):
        return _converted_class(e, recursive)
    if inspect.ismethod(e):
        e = e.__func__
    if not inspect.isfunction(e):
        raise NotImplementedError(
            f"Entity {e!r} of type {type(e)} is neither a function nor a class."
        )
    if verbose:
        logging.info("Compiled output of %s:\n\n%s\n", e, to_code(e, recursive))
    inner = converted(e, RECURSIVE if recursive else ALONE)
    found = autograph_artifact(_with_own_errors(inner, e))
    found.ag_source_map = _source_map(e)
    return found


def _with_own_errors(inner: Callable, original: Callable) -> Any:
    @functools.wraps(original)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return inner(*args, **kwargs)
        except GraphConstructionError:
            raise
        except Exception as error:
            raise construction_error(error) from error

    return run


def _converted_class(cls: type, recursive: bool) -> type:
    """A class derived from `cls` whose methods are converted."""
    own: dict = {"__module__": cls.__module__}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            plain = isinstance(value, types.FunctionType) and not is_artifact(value)
            if plain and is_users(value.__code__):
                own[name] = converted(value, RECURSIVE if recursive else ALONE)
    found = type(cls)(f"Tf{cls.__name__}", (cls,), own)
    return autograph_artifact(found)  # type: ignore[return-value]


def _source_map(function: Any) -> dict:
    """Each line of a function as itself: converted code has the program's lines."""
    found: dict = {}
    lines, first = inspect.getsourcelines(function.__code__)
    name = function.__code__.co_filename
    for i, text in enumerate(lines):
        where = Location(name, first + i, len(text) - len(text.lstrip()))
        origin = OriginInfo(where, function.__name__, text.strip(), None)
        found[LineLocation(name, first + i)] = origin
    return found


def to_code(
    e: Any, recursive: bool = True, arg_values: Any = None, arg_types: Any = None,
    partial_types: Any = None, indentation: str = "  ",
) -> str:  # fmt: skip
    """The converted code of a function, or of the methods of a class, as a text.

    Args:
        e, recursive, arg_values, arg_types, partial_types: see `to_graph`.
        indentation: accepted.
    Raises:
        ValueError: it cannot be converted.
    Example:
        f = lambda x: -x if x < 0. else x
        "if_exp" in tf.contrib.autograph.to_code(f)  # True
    """
    options = RECURSIVE if recursive else ALONE
    return "\n\n".join(factory_of(f, options).text for f in _functions_of(e)) + "\n"


def _functions_of(e: Any) -> Iterator:
    if inspect.isclass(e):
        yield from (v for v in vars(e).values() if isinstance(v, types.FunctionType))
    elif inspect.ismethod(e):
        yield e.__func__
    elif inspect.isfunction(e):
        yield e
    else:
        raise NotImplementedError(
            f"Entity {e!r} of type {type(e)} is neither a function nor a class."
        )


def convert(
    recursive: bool = False, verbose: bool = False
) -> Callable[[Called], Called]:
    """A decorator that converts a function when it is first called.

    Args:
        recursive, verbose: see `to_graph`.
    Example:
        @tf.contrib.autograph.convert()
        def absolute(x):
            return -x if x < 0. else x
        absolute(tf.constant(-2.))  # 2.0
    """
    options = RECURSIVE if recursive else ALONE

    def decorator(f: Any) -> Any:
        @functools.wraps(f)
        def run(*args: Any, **kwargs: Any) -> Any:
            return converted(f, options)(*args, **kwargs)

        return _marked(run, f)

    return decorator


def do_not_convert(
    run_as: RunMode = RunMode.GRAPH, return_dtypes: Any = None
) -> Callable[[Called], Called]:
    """A decorator: converted code calls the function as it is.

    Args:
        run_as: RunMode.GRAPH, or RunMode.PY_FUNC: as a tf.py_func, when the graph runs.
        return_dtypes: the DTypes that it gives as a tf.py_func; None where it gives
            nothing.
    Raises:
        ValueError: another mode.
    Example:
        @tf.contrib.autograph.do_not_convert()
        def plain(x): return x + 1.
        plain(tf.constant(1.))  # 2.0
    """
    if run_as not in (RunMode.GRAPH, RunMode.PY_FUNC):
        raise ValueError(f"unknown value for run_as: {run_as}")

    def decorator(f: Any) -> Any:
        @functools.wraps(f)
        def as_it_is(*args: Any, **kwargs: Any) -> Any:
            return f(*args, **kwargs)

        @functools.wraps(f)
        def as_py_func(*args: Any, **kwargs: Any) -> Any:
            nothing = not return_dtypes
            return wrap_py_func(f, return_dtypes, args, kwargs, nothing)

        return _marked(as_it_is if run_as is RunMode.GRAPH else as_py_func, f)

    return decorator


def _marked(run: Any, original: Callable) -> Callable:
    """A decorated function, known as one, with the arguments of the original."""
    run.__pyct_is_compile_decorator = True
    with contextlib.suppress(TypeError, ValueError):  # one of Python's own has none
        run.__signature__ = inspect.signature(original)
    return autograph_artifact(run)


def converted_call(
    f: Any, options: ConversionOptions, *args: Any, **kwargs: Any
) -> Any:
    """What a function gives, converted for this call.

    Args:
        f: a function, class or callable object; a method, whose object comes first
            among the arguments as well. options: ConversionOptions.new(...).
    """
    replaced = overload_of(f)
    if replaced is not f:
        return replaced(*args, **kwargs)
    if inspect.isclass(f):
        return _converted_class(f, options.recursive)(*args, **kwargs)
    if inspect.ismethod(f):
        f = f.__func__
    if is_artifact(f) or not callable(f):
        return f(*args, **kwargs)
    own = not inspect.isfunction(f) or is_users(f.__code__) or options.force_conversion
    if not own:
        return f(*args, **kwargs)
    return converted(f, RECURSIVE if options.recursive else ALONE)(*args, **kwargs)

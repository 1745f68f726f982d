"""From a Python function to its converted form: what is converted, and kept."""

import ast
import functools
import inspect
import os
import sys
import sysconfig
import threading
import types
import weakref
from typing import Any

from twinflow.autograph.compiled import Factory, mark_places
from twinflow.autograph.passes import converted_tree
from twinflow.autograph.rewrites import rewritten
from twinflow.autograph.source import NotConverted, tree_of
from twinflow.autograph.transpiler import (
    converter,
    inspect_utils,
    naming,
    transformer,
)
from twinflow.base import frames

PREFIX = "tf__"  # of the name that a converted function has in its text

_LIBRARY = os.path.realpath(sysconfig.get_path("stdlib")) + os.sep
_INSTALLED = tuple(
    {os.path.realpath(sysconfig.get_path(k)) + os.sep for k in ("purelib", "platlib")}
)
_lock = threading.RLock()
_factories: Any = weakref.WeakKeyDictionary()  # from code objects to {options: Factory}
_failures: Any = weakref.WeakKeyDictionary()  # from code objects to why not


class Options(converter.ConversionOptions):
    """How a function is converted: with what it calls, or alone."""

    def __init__(self, recursive: bool = True) -> None:
        super().__init__(recursive=recursive, internal_convert_user_code=recursive)

    def call_options(self) -> "Options":
        return self

    def to_ast(self) -> Any:
        name = "RECURSIVE" if self.recursive else "ALONE"
        return ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())


RECURSIVE, ALONE = Options(), Options(recursive=False)


def factory_of(function: Any, options: Options = RECURSIVE) -> Factory:
    """What makes the converted form of a function; kept for its code.

    Args:
        function: a Python function (not a method, nor a callable object).
    Raises:
        NotConverted: Python or malt cannot read it; the text says why, with the line.
    """
    code = function.__code__
    with _lock:
        found = _factories.get(code, {}).get(options.recursive)
        if found is not None:
            return found
        why = _failures.get(code)
        if why is not None:
            raise NotConverted(why)
        try:
            found = _made(function, options)
        except NotConverted as error:
            _failures[code] = str(error)
            raise
        _factories.setdefault(code, {})[options.recursive] = found
        return found


def _made(function: Any, options: Options) -> Factory:
    code = function.__code__
    tree: Any = tree_of(function)
    mark = rewritten(tree, code)
    mark_places(mark, code)
    namespace = inspect_utils.getnamespace(function)
    namer = naming.Namer(namespace)
    is_lambda = isinstance(mark, ast.Lambda)
    name = namer.new_symbol(PREFIX + ("lam" if is_lambda else code.co_name), ())
    info = transformer.EntityInfo(name, "", code.co_filename, (), namespace)
    ctx = transformer.Context(info, namer, converter.ProgramContext(options))
    _erase_defaults(mark)
    try:
        tree = converted_tree(mark, ctx)
        if is_lambda:
            target = ast.Name(name, ast.Store())
            tree = ast.Assign(targets=[target], value=tree)
        else:
            tree.name = name
        return Factory([tree], name, function, namer.generated_names)
    except NotConverted:
        raise
    except RecursionError:
        raise NotConverted(f"{code.co_name!r} is nested too deeply") from None
    except Exception as error:  # of malt, whose errors have no common class
        where = frames.format_frame((code, 0))
        raise NotConverted(
            f"{code.co_name!r} at {where}: {type(error).__name__}: {error}"
        ) from error


def _erase_defaults(node: Any) -> None:
    """Defaults are those of the function as it is, not computed anew."""
    none = ast.Constant(None)
    node.args.defaults = [none for _ in node.args.defaults]
    node.args.kw_defaults = [d and none for d in node.args.kw_defaults]


def is_users(code: types.CodeType, caller: str = "") -> bool:
    """Whether a function belongs to the program, not to a library.

    Args:
        code: its code. caller: the file that calls it; what is installed in the same
            package belongs together.
    """
    name = code.co_filename
    return _is_users(name) or _package(name) == _package(caller) != ""


@functools.cache
def _is_users(filename: str) -> bool:
    if frames.is_internal(filename) or filename.startswith("<frozen"):
        return False
    path = os.path.realpath(filename)
    if path.startswith(_INSTALLED):
        return False
    return not path.startswith(_LIBRARY)


@functools.cache
def _package(filename: str) -> str:
    """The top folder of an installed file, "" for others."""
    path = os.path.realpath(filename) if filename else ""
    for folder in _INSTALLED:
        if path.startswith(folder) and not frames.is_internal(filename):
            return path[len(folder) :].partition(os.sep)[0]
    return ""


def underlying(function: Any) -> Any:
    """The Python function behind a function, method or callable object, or None."""
    if isinstance(function, types.MethodType):
        function = function.__func__
    if isinstance(function, types.FunctionType):
        return function
    call = inspect.getattr_static(type(function), "__call__", None)
    return call if isinstance(call, types.FunctionType) else None


def caller_file(depth: int = 2) -> str:
    """The file of the code that calls the caller of this."""
    return sys._getframe(depth).f_code.co_filename

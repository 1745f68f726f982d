"""What mended programs call: functions of Python 2, and what has to be done in place.

STEPS stand where a program has a statement or an operator, FUNCTIONS are those that
Python 3 has not, or that give something else there. `names` holds both.
"""

import ast
import builtins
import codecs
import collections.abc
import functools
import importlib
import io
import itertools
import math
import operator
import sys
import weakref

import numpy as np

from twinflow.compat.python2.mending import code_of

_INTS = (int, np.integer)


# ---------------------------------------------------------------- statements
_waiting: weakref.WeakSet = weakref.WeakSet()  # files on whose line `print x,` was


def _print_to(file, *values, more=False):
    """`print >>file, x`: a comma at the end keeps the line, a space comes later."""
    file = sys.stdout if file is None else file
    texts = [_text(v) for v in values]
    line = " ".join(texts)
    if file in _waiting and values:
        line = f" {line}"
    _waiting.discard(file)
    ends_alone = bool(texts) and texts[-1][-1:] in ("\n", "\t", "\r")
    file.write(line if more else line + "\n")
    if more and not ends_alone:
        _waiting.add(file)


def _print(*values, more=False):
    _print_to(sys.stdout, *values, more=more)


def _text(value):
    """What print writes; bytes were texts."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return builtins.str(value)


def end_line():
    """End the line that `print x,` has begun, as Python 2 does at the end."""
    if sys.stdout in _waiting:
        _print_to(sys.stdout)


def _raised(kind, value=None, traceback=None):
    """What `raise kind, value, traceback` raises."""
    if isinstance(kind, type) and not isinstance(value, kind):
        args = value if isinstance(value, tuple) else (value,)
        value = kind() if value is None else kind(*args)
    error = value if isinstance(value, BaseException) else kind
    return error.with_traceback(traceback) if traceback is not None else error


def _parts_of(error):
    """What `except E, (a, b)` takes apart."""
    return error.args


def _exec(source, names=None, local=None):
    if isinstance(source, tuple):
        source, names, *rest = source
        local = rest[0] if rest else None
    exec(_code(source, "exec"), names, names if local is None else local)


def _code(source, mode):
    """The program in a text, mended; everything else as it is."""
    if not isinstance(source, builtins.str):
        return source
    return code_of(source, "<string>", mode=mode)


# ---------------------------------------------------------------- operators
def _whole(value):
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iu"
    return isinstance(value, _INTS)


def _divided(a, b):
    """a / b, which for integers is rounded down."""
    if _whole(a) and _whole(b):
        return a // b
    for function, other in ((_method(a, "__div__"), b), (_method(b, "__rdiv__"), a)):
        result = NotImplemented if function is None else function(other)
        if result is not NotImplemented:
            return result
    return a / b


def _method(value, name):
    return getattr(value, name, None) if hasattr(type(value), name) else None


def _divided_here(a, b):
    """a /= b"""
    if _whole(a) and _whole(b):
        return operator.ifloordiv(a, b)
    own = _method(a, "__idiv__")
    if own is not None:
        return own(b)
    if isinstance(a, np.ndarray):
        return operator.itruediv(a, b)
    return _divided(a, b)


# ---------------------------------------------------------------- attributes
def _listed(value):
    """A list for a view of a dict; iterators that change as the dict does."""
    views = (
        collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView
    )  # fmt: skip
    return list(value) if isinstance(value, views) else value


_STAND_INS = {
    "has_key": lambda x: x.__contains__,
    "next": lambda x: x.__next__,
    "message": lambda x: x.args[0] if len(x.args) == 1 else "",
    "im_func": lambda x: x.__func__, "im_self": lambda x: x.__self__,
    "im_class": lambda x: type(x.__self__),
    "decode": lambda x: functools.partial(_decoded, x),
}  # fmt: skip


def _attribute(value, name):
    """An attribute that objects of Python 3 may have under another name."""
    try:
        return getattr(value, name)
    except AttributeError:
        if name[:4] in ("iter", "view") and not hasattr(value, name[4:]):
            raise
        if name.startswith("iter"):
            return lambda: iter(getattr(value, name[4:])())
        if name.startswith("view"):
            return getattr(value, name[4:])
        if name.startswith("func_"):
            return getattr(value, f"__{name[5:]}__")
        known = {"message": BaseException, "decode": builtins.str}.get(name)
        if known is not None and not isinstance(value, known):
            raise
        if name == "next" and not hasattr(value, "__next__"):
            raise
        return _STAND_INS[name](value)


def _decoded(text, encoding="utf-8", errors="strict"):
    """A text is unicode already; what hex and base64 encode are its bytes."""
    if encoding.replace("-", "_") == "string_escape":
        return text.encode("latin1").decode("unicode_escape")
    if encoding in ("hex", "base64", "bz2", "zlib", "rot13"):
        return codecs.decode(text.encode("latin1"), encoding)
    return text


def _sort(value, *args, **kwargs):
    """value.sort(compare)"""
    if isinstance(value, list):
        return value.sort(**_with_key(*args, **kwargs))
    return value.sort(*args, **kwargs)


def _with_key(cmp=None, key=None, reverse=False):
    """The arguments of sort with a key in the place of a comparison."""
    if cmp is not None:
        compare, plain = functools.cmp_to_key(cmp), key
        key = compare if plain is None else lambda x: compare(plain(x))
    return {"key": key, "reverse": reverse}


# ---------------------------------------------------------------- classes
def _class(made):
    """A class with the methods that Python 3 calls, for those of Python 2."""
    own = vars(made)
    pairs = {
        "next": "__next__", "__nonzero__": "__bool__", "__div__": "__truediv__",
        "__rdiv__": "__rtruediv__", "__idiv__": "__itruediv__",
    }  # fmt: skip
    for old, new in pairs.items():
        if old in own and new not in own:
            setattr(made, new, own[old])
    if "__cmp__" in own:
        _order(made)
    elif "__eq__" in own and own.get("__hash__", 0) is None:
        made.__hash__ = made.__mro__[1].__hash__ or object.__hash__
    if "__unicode__" in own and "__str__" not in own:
        made.__str__ = own["__unicode__"]
    kind = own.get("__metaclass__")
    if kind is None or type(made) is kind:
        return made
    left = {k: v for k, v in own.items() if k not in ("__dict__", "__weakref__")}
    return kind(made.__name__, made.__bases__, left)


_COMPARISONS = (
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne
)  # fmt: skip


def _order(made):
    for compare in _COMPARISONS:
        name = compare.__name__
        if f"__{name}__" not in vars(made):
            setattr(
                made, f"__{name}__",
                lambda self, other, compare=compare: compare(self.__cmp__(other), 0),
            )  # fmt: skip
    if vars(made).get("__hash__") is None:
        made.__hash__ = object.__hash__


# ---------------------------------------------------------------- functions
def _map(function, *iterables):
    if function is None:
        rows = itertools.zip_longest(*iterables)
        return list(iterables[0]) if len(iterables) == 1 else list(rows)
    if len(iterables) == 1:
        return list(map(function, *iterables))
    return [function(*row) for row in itertools.zip_longest(*iterables)]


def _filter(function, iterable):
    found = filter(function, iterable)
    if isinstance(iterable, builtins.str):
        return "".join(found)
    return tuple(found) if isinstance(iterable, tuple) else list(found)


def _sorted(iterable, *args, **kwargs):
    return sorted(iterable, **_with_key(*args, **kwargs))


def _round(number, ndigits=0):
    """A float, halves away from zero."""
    scale = 10.0**ndigits
    value = float(number) * scale
    near = math.floor(abs(value) + 0.5) if abs(value) < 2**52 else abs(value)
    exact = round(float(number), ndigits)  # decimal halves that are none in binary
    whole = abs(value) % 1 == 0.5
    return float(math.copysign(near, value) / scale) if whole else float(exact)


def _ord(character):
    """The number of a character; of bytes an element is one already."""
    return character if isinstance(character, int) else ord(character)


def _cmp(a, b):
    return (a > b) - (a < b)


def _input(prompt=""):
    """The value of a literal that is typed; other expressions are not evaluated."""
    return ast.literal_eval(input(prompt))


def _execfile(path, names=None, local=None):
    names = sys._getframe(1).f_globals if names is None else names
    with open(path, "rb") as file:
        code = code_of(file.read(), path)
    exec(code, names, names if local is None else local)


class _Kind(type):
    """Classes that other classes are subclasses of."""

    def __instancecheck__(cls, value):
        return isinstance(value, cls.kinds)

    def __subclasscheck__(cls, other):
        return issubclass(other, cls.kinds)


class _Unicode(metaclass=_Kind):
    """unicode: str, which also takes an encoding for what is a text already."""

    kinds = (builtins.str,)

    def __new__(cls, value="", encoding="utf-8", errors="strict"):
        if isinstance(value, bytes | bytearray):
            return builtins.str(value, encoding, errors)
        return builtins.str(value)


class _BaseString(metaclass=_Kind):
    kinds = (builtins.str, bytes)


class _File(metaclass=_Kind):
    """file: another name of open, and of what it gives."""

    kinds = (io.IOBase,)

    def __new__(cls, *args, **kwargs):
        return _open(*args, **kwargs)


class _Writer(io.BufferedWriter):
    """A file of bytes, which takes texts as well."""

    def write(self, value):
        if isinstance(value, builtins.str):
            value = value.encode("utf-8", "surrogateescape")
        return super().write(value)


def _open(name, mode="r", buffering=-1, **kwargs):
    """open; texts were bytes, so any byte can be read, and any text written."""
    if mode in ("wb", "ab") and buffering != 0 and not kwargs:
        return _Writer(io.FileIO(name, mode))
    if "b" in mode or kwargs:
        return open(name, mode, buffering, **kwargs)
    mode = mode.replace("U", "") or "r"
    return open(name, mode, buffering, encoding="utf-8", errors="surrogateescape")


FUNCTIONS = {
    "map": _map, "filter": _filter, "zip": lambda *args: list(zip(*args)),
    "range": lambda *args: list(range(*map(operator.index, args))), "xrange": range,
    "sorted": _sorted, "round": _round, "cmp": _cmp, "ord": _ord, "raw_input": input,
    "input": _input, "execfile": _execfile, "unicode": _Unicode,
    "basestring": _BaseString, "long": int, "unichr": chr,
    "reduce": functools.reduce, "reload": importlib.reload, "intern": sys.intern,
    "apply": lambda f, args=(), kwargs=None: f(*args, **(kwargs or {})),
    "buffer": memoryview, "file": _File, "open": _open,
    "coerce": lambda a, b: (a, b), "StandardError": Exception,
}  # fmt: skip
STEPS = {
    "_twinflow_print": _print, "_twinflow_print_to": _print_to,
    "_twinflow_raised": _raised, "_twinflow_exec": _exec,
    "_twinflow_parts_of": _parts_of, "_twinflow_code": _code,
    "_twinflow_divided": _divided, "_twinflow_divided_here": _divided_here,
    "_twinflow_listed": _listed, "_twinflow_attribute": _attribute,
    "_twinflow_sort": _sort, "_twinflow_class": _class,
}  # fmt: skip

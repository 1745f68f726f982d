"""NumPy as it was in 2018: names, methods and manners that NumPy 2 has dropped."""

import ast
import builtins
import functools
import math
import pickle
import sys
import types
import warnings

import numpy as np
from numpy import exceptions

NAMES = {
    "float": builtins.float, "int": builtins.int, "bool": builtins.bool,
    "object": builtins.object, "str": builtins.str, "complex": builtins.complex,
    "unicode": builtins.str, "long": builtins.int, "float_": np.float64,
    "complex_": np.complex128, "string_": np.bytes_, "unicode_": np.str_,
    "int0": np.intp, "uint0": np.uintp, "bool8": np.bool_, "object0": np.object_,
    "str0": np.str_, "bytes0": np.bytes_, "void0": np.void, "cfloat": np.complex128,
    "clongfloat": np.clongdouble, "longcomplex": np.clongdouble,
    "singlecomplex": np.complex64, "longfloat": np.longdouble,
    "Inf": np.inf, "Infinity": np.inf, "PINF": np.inf, "NINF": -np.inf,
    "infty": np.inf, "NaN": np.nan, "NAN": np.nan, "PZERO": 0.0, "NZERO": -0.0,
    "product": np.prod, "cumproduct": np.cumprod, "sometrue": np.any,
    "alltrue": np.all, "asscalar": lambda a: a.item(), "row_stack": np.vstack,
    "round_": np.round, "in1d": lambda a, b, **k: np.isin(np.ravel(a), b, **k),
    "msort": lambda a: np.sort(a, axis=0), "trapz": getattr(np, "trapezoid", None),
    "mat": np.asmatrix, "rank": np.ndim, "alen": lambda a: len(np.atleast_1d(a)),
    "asfarray": lambda a, dtype=np.float64: np.asarray(a, dtype),
    "issubclass_": builtins.issubclass, "safe_eval": ast.literal_eval,
    "find_common_type": lambda arrays, scalars: np.result_type(*arrays, *scalars),
    "loads": pickle.loads, "typeDict": np.sctypeDict, "math": math, "sys": sys,
    "warnings": warnings, "AxisError": exceptions.AxisError,
    "ComplexWarning": exceptions.ComplexWarning, "RankWarning": exceptions.RankWarning,
    "VisibleDeprecationWarning": exceptions.VisibleDeprecationWarning,
    "ModuleDeprecationWarning": exceptions.ModuleDeprecationWarning,
    "sctypes": {
        "int": [np.int8, np.int16, np.int32, np.int64],
        "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [np.bool_, np.object_, np.bytes_, np.str_, np.void],
    },
}  # fmt: skip
LIB_NAMES = {"pad": np.pad}


def random_integers(low, high=None, size=None):
    """Integers from `low` to `high`, both included; from 1 to `low` without `high`."""
    low, high = (1, low) if high is None else (low, high)
    return np.random.randint(low, int(high) + 1, size)


def _itemset(self, *args):
    *place, value = args
    if len(place) == 1 and not isinstance(place[0], tuple):
        self.flat[place[0]] = value
    elif len(place) == 1:
        self[place[0]] = value
    else:
        self[tuple(place)] = value


METHODS = {
    "tostring": lambda self, order="C": self.tobytes(order),
    "ptp": lambda self, *args, **kwargs: np.ptp(self, *args, **kwargs),
    "newbyteorder": lambda self, order="S": self.view(self.dtype.newbyteorder(order)),
    "itemset": _itemset,
}


# ---------------------------------------------------------------------- manners
def _ragged(error):
    """Whether a program (not twinflow) has asked for an array of unlike rows."""
    caller = sys._getframe(2).f_globals.get("__name__", "")
    if caller.partition(".")[0] == "twinflow":
        return False
    return "inhomogeneous" in str(error) or "could not be broadcast" in str(error)


def _wrapped(made, value, dtype, error, **more):
    """An array of integers, of which some do not fit: their last bits.

    Raises:
        OverflowError: they fit no integer at all.
    """
    kind = None if dtype is None else np.dtype(dtype)
    if kind is None or kind.kind not in "iu" or kind == np.int64:
        raise error
    return made(value, np.int64, **more).astype(kind)


def _array(made):
    @functools.wraps(made)
    def array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0, **more):
        copy = None if copy is False else copy  # "only if needed"
        more.update(copy=copy, order=order, subok=subok, ndmin=ndmin)
        try:
            return made(object, dtype, **more)
        except OverflowError as error:
            return _wrapped(made, object, dtype, error, **more)
        except ValueError as error:
            if dtype is not None or not _ragged(error):
                raise
            return made(object, builtins.object, **more)

    return array


def _asarray(made):
    @functools.wraps(made)
    def asarray(a, dtype=None, *args, **kwargs):
        try:
            return made(a, dtype, *args, **kwargs)
        except OverflowError as error:
            return _wrapped(made, a, dtype, error)
        except ValueError as error:
            if dtype is not None or not _ragged(error):
                raise
            return made(a, builtins.object, *args, **kwargs)

    return asarray


def _fromstring(made):
    @functools.wraps(made)
    def fromstring(string, dtype=float, count=-1, sep="", **more):
        if sep:
            return made(string, dtype, count, sep=sep, **more)
        data = string.encode("ascii") if isinstance(string, str) else string
        return np.frombuffer(data, dtype, count).copy()

    return fromstring


def _stack(made):
    """Iterators were taken where a list is asked for."""

    @functools.wraps(made)
    def stack(arrays, *args, **kwargs):
        return made(_listed(arrays), *args, **kwargs)

    return stack


def _listed(arrays):
    lazy = isinstance(arrays, types.GeneratorType | map | filter | zip)
    return list(arrays) if lazy else arrays


def _reshape(made):
    """The new shape had a longer name."""

    @functools.wraps(made)
    def reshape(a, shape=None, order="C", newshape=None, **more):
        return made(a, newshape if shape is None else shape, order, **more)

    return reshape


def _filled(made):
    """The shape None was that of one number."""

    @functools.wraps(made)
    def filled(shape, *args, **kwargs):
        return made(() if shape is None else shape, *args, **kwargs)

    return filled


def _histogram(made):
    @functools.wraps(made)
    def histogram(a, bins=10, range=None, normed=None, weights=None, density=None):
        return made(a, bins, range, density or normed, weights)

    return histogram


MANNERS = {
    "array": _array, "asarray": _asarray, "fromstring": _fromstring, "vstack": _stack,
    "hstack": _stack, "dstack": _stack, "stack": _stack, "column_stack": _stack,
    "histogram": _histogram, "reshape": _reshape,
    "ones": _filled, "zeros": _filled, "empty": _filled, "full": _filled,
}  # fmt: skip

"""Python 2 and NumPy of 2018, while a script runs: names that have gone come back."""

import base64
import builtins
import collections
import collections.abc
import inspect
import threading
import time
import unittest

import numpy as np

from twinflow.compat.door.testing import getargspec
from twinflow.data import iterator

_CASE = unittest.TestCase
_NUMPY = {
    "float": builtins.float, "int": builtins.int, "bool": builtins.bool,
    "object": builtins.object, "str": builtins.str, "complex": builtins.complex,
    "unicode": builtins.str, "long": builtins.int, "float_": np.float64,
    "complex_": np.complex128, "string_": np.bytes_, "unicode_": np.str_,
    "int0": np.intp, "uint0": np.uintp, "Inf": np.inf, "Infinity": np.inf,
    "PINF": np.inf, "NINF": -np.inf, "infty": np.inf, "NaN": np.nan, "NAN": np.nan,
    "product": np.prod, "cumproduct": np.cumprod, "sometrue": np.any,
    "alltrue": np.all, "asscalar": lambda a: a.item(), "row_stack": np.vstack,
    "round_": np.round, "in1d": lambda a, b, **k: np.isin(np.ravel(a), b, **k),
}  # fmt: skip
_TEST_CASE = {
    "assertItemsEqual": _CASE.assertCountEqual, "assertEquals": _CASE.assertEqual,
    "assertNotEquals": _CASE.assertNotEqual, "assert_": _CASE.assertTrue,
    "assertAlmostEquals": _CASE.assertAlmostEqual,
    "assertNotAlmostEquals": _CASE.assertNotAlmostEqual,
    "assertRegexpMatches": _CASE.assertRegex,
    "assertNotRegexpMatches": _CASE.assertNotRegex,
    "assertRaisesRegexp": _CASE.assertRaisesRegex,
    "failUnless": _CASE.assertTrue, "failIf": _CASE.assertFalse,
    "failUnlessEqual": _CASE.assertEqual, "failUnlessRaises": _CASE.assertRaises,
}  # fmt: skip
_ABCS = {name: getattr(collections.abc, name) for name in collections.abc.__all__}
_GONE = [
    (np, _NUMPY),
    (_CASE, _TEST_CASE),
    (collections, _ABCS),
    (inspect, {"getargspec": getargspec}),
    (time, {"clock": time.perf_counter}),
    (threading.Thread, {"isAlive": threading.Thread.is_alive}),
    (base64, {"encodestring": base64.encodebytes, "decodestring": base64.decodebytes}),
]


def restore():
    """Put back what is missing, for the rest of this process.

    Returns:
        A function that takes it away again.
    """
    added = []
    for place, names in [*_GONE, *_iterators()]:
        for name, value in names.items():
            if name not in vars(place):  # hasattr would make NumPy warn
                setattr(place, name, value)
                added.append((place, name))

    def undo():
        while added:
            delattr(*added.pop())

    return undo


def _iterators():
    """The iterator classes of tf.data, with the `next` of Python 2."""
    found = [c for c in vars(iterator).values() if isinstance(c, type)]
    return [(c, {"next": c.__next__}) for c in found if hasattr(c, "__next__")]

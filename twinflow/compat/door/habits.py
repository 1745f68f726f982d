"""Python 2 and NumPy of 2018, while a script runs: names that have gone come back."""

import base64
import builtins
import collections
import collections.abc
import ctypes
import fractions
import functools
import gc
import importlib
import inspect
import math
import threading
import time
import unittest

import numpy as np

from twinflow.base.native import fast
from twinflow.compat.door import old_numpy
from twinflow.compat.door.testing import getargspec
from twinflow.data.iterators import handles

_CASE = unittest.TestCase
_TEST_CASE = {
    "assertItemsEqual": _CASE.assertCountEqual, "assertEquals": _CASE.assertEqual,
    "assertNotEquals": _CASE.assertNotEqual, "assert_": _CASE.assertTrue,
    "assertAlmostEquals": _CASE.assertAlmostEqual,
    "assertNotAlmostEquals": _CASE.assertNotAlmostEqual,
    "assertRegexpMatches": _CASE.assertRegex,
    "assertNotRegexpMatches": _CASE.assertNotRegex,
    "assertRaisesRegexp": _CASE.assertRaisesRegex,
    "assertDictContainsSubset": lambda self, subset, dictionary, msg=None: (
        self.assertEqual(dictionary, {**dictionary, **subset}, msg)
    ),
    "failUnless": _CASE.assertTrue, "failIf": _CASE.assertFalse,
    "failUnlessEqual": _CASE.assertEqual, "failUnlessRaises": _CASE.assertRaises,
}  # fmt: skip
_ABCS = {name: getattr(collections.abc, name) for name in collections.abc.__all__}
_BUILTINS = {
    "xrange": range, "unicode": str, "basestring": str, "long": int,
    "raw_input": input, "reduce": functools.reduce, "unichr": chr,
    "reload": importlib.reload,
}  # fmt: skip
_GONE = [
    (builtins, _BUILTINS),
    (np, old_numpy.NAMES),
    (np.lib, old_numpy.LIB_NAMES),
    (np.random, {"random_integers": old_numpy.random_integers}),
    (_CASE, _TEST_CASE),
    (collections, _ABCS),
    (inspect, {"getargspec": getargspec}),
    (time, {"clock": time.perf_counter}),
    (fractions, {"gcd": math.gcd}),
    (threading.Thread, {"isAlive": threading.Thread.is_alive}),
    (base64, {"encodestring": base64.encodebytes, "decodestring": base64.decodebytes}),
]


def restore():
    """Put back what is missing, for the rest of this process.

    Returns:
        A function that takes it away again.
    """
    steps = [*map(_put_back, [*_GONE, *_iterators()]), *map(_give, _ARRAYS)]
    steps += [_replace(np, old_numpy.MANNERS), _print_plainly(), _take_singles()]

    def undo():
        while steps:
            steps.pop()()

    return undo


def _put_back(gone):
    """Names of a module or class that has them no more."""
    place, names = gone
    missing = {n: v for n, v in names.items() if n not in vars(place)}
    for name, value in missing.items():  # hasattr would make NumPy warn
        setattr(place, name, value)

    def undo():
        for name in missing:
            delattr(place, name)

    return undo


_ARRAYS = [np.ndarray, np.generic]


def _give(cls):
    """Methods for a class written in C, which takes no attributes."""
    names = next(d for d in gc.get_referents(cls.__dict__) if isinstance(d, dict))
    missing = {n: v for n, v in old_numpy.METHODS.items() if not hasattr(cls, n)}
    names.update(missing)
    changed = functools.partial(ctypes.pythonapi.PyType_Modified, ctypes.py_object(cls))
    changed()

    def undo():
        for name in missing:
            del names[name]
        changed()

    return undo


def _replace(place, makers):
    """Functions by ones around them that take what was taken in 2018."""
    before = {name: getattr(place, name) for name in makers}
    for name, make in makers.items():
        setattr(place, name, make(before[name]))

    def undo():
        for name, function in before.items():
            setattr(place, name, function)

    return undo


def _print_plainly():
    """``[0.5, 1.0]`` for a list of NumPy's numbers, without their types."""
    before = np.get_printoptions()["legacy"]
    if before is False:
        np.set_printoptions(legacy="1.25")

    def undo():
        np.set_printoptions(legacy=before)

    return undo


def _take_singles():
    """float(a), int(a) and '%f' % a of one element, and bool(a) of none."""
    if fast is None:
        return lambda: None
    fast.take_singles(np.ndarray, True)
    return functools.partial(fast.take_singles, np.ndarray, False)


def _iterators():
    """The iterator classes of tf.data, with the `next` of Python 2."""
    found = [c for c in vars(handles).values() if isinstance(c, type)]
    return [(c, {"next": c.__next__}) for c in found if hasattr(c, "__next__")]

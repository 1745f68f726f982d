"""The assertions of tf.test.TestCase on numbers."""

import collections.abc
import math
from typing import Any

import numpy as np

from twinflow.base import devices, dtypes
from twinflow.base.convert import is_tensor

_HALF = ("float16",)


def _is_part(value):
    """Whether a list that holds `value` is compared part by part."""
    nested = isinstance(value, (list, tuple, dict)) or hasattr(value, "_asdict")
    return nested or is_tensor(value)


def _distances(x, y, rtol, atol):
    """Where two arrays are not close, and how far from it."""
    far = ~np.isclose(x, y, rtol, atol, equal_nan=True)
    limits = np.broadcast_to(atol + rtol * np.abs(y), far.shape)[far]
    x, y, where = x[far], y[far], np.argwhere(far).tolist()[:10]
    return (
        f"\nnot close where = {where}\nnot close lhs = {x}\nnot close rhs = {y}"
        f"\nnot close dif = {np.abs(x - y)}\nnot close tol = {limits}"
    )


def _ragged(values):
    """Whether these are arrays of several shapes, which are no array together."""
    if not isinstance(values, list | tuple):
        return False
    return len({v.shape for v in values if isinstance(v, np.ndarray)}) > 1


class Comparisons:
    """Assertions on arrays, tensors and structures of them."""

    # ------------------------------------------------------------------ equal
    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """`a` and `b` have the same shape and values; nan equals nan."""
        if _ragged(a) and _ragged(b):
            self.assertEqual(len(a), len(b), msg)
            for first, second in zip(a, b, strict=True):
                self.assertAllEqual(first, second, msg)
            return
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._check_shapes(a, b, msg or "")
        same = a == b
        if a.dtype.kind in "fc" and b.dtype.kind in "fc":
            same = np.logical_or(same, np.isnan(a) & np.isnan(b))
        if not np.all(same):
            where = np.argwhere(~np.asarray(same)).tolist()[:10]
            raise AssertionError(f"{msg or ''} {a}\nis not\n{b}\nat {where}")

    def _check_shapes(self, a, b, label):
        """Says what differs where it does: the text of large arrays takes long."""
        if a.shape != b.shape:
            self.assertEqual(a.shape, b.shape, f"{label} shapes differ: {a} and {b}")

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:
        """A tensor has the static shape of an array."""
        self.assertIsInstance(np_array, (np.ndarray, np.generic))
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """An array or tensor has a dtype."""
        found = dtypes.as_dtype(getattr(target, "dtype", type(target))).base_dtype
        self.assertEqual(found, dtypes.as_dtype(expected_dtype))

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: Any = None) -> None:
        """Two device names mean the same."""
        first, second = map(devices.canonical, (device1, device2))
        text = f"Devices {first} and {second} are not equal. {msg}"
        self.assertEqual(first, second, text)

    def assertStartsWith(
        self, actual: Any, expected_start: Any, msg: Any = None
    ) -> None:
        """A text starts with another."""
        if not actual.startswith(expected_start):
            self.fail(f"{msg or ''} {actual!r} does not start with {expected_start!r}")

    def assertItemsEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        """Two sequences hold the same, in any order."""
        self.assertCountEqual(first, second, msg)

    # ------------------------------------------------------------------ close
    def assertAllClose(
        self, a: Any, b: Any, rtol: Any = 1e-6, atol: Any = 1e-6, msg: Any = None
    ) -> None:
        """Numbers are close: |a - b| <= atol + rtol |b|; in any structure."""
        self._close(a, b, rtol, atol, "", msg)

    def _close(self, a, b, rtol, atol, path, msg):
        if hasattr(a, "_asdict"):
            a = a._asdict()
        if hasattr(b, "_asdict"):
            b = b._asdict()
        maps = [isinstance(v, collections.abc.Mapping) for v in (a, b)]
        if all(maps):
            if a.keys() != b.keys():
                raise AssertionError(
                    f"mismatched keys: {msg or ''} {path} expected {sorted(a)}, but "
                    f"got {sorted(b)}"
                )
            for k in a:
                self._close(a[k], b[k], rtol, atol, f"{path}[{k!r}]", msg)
            return
        if any(maps):
            raise ValueError(f"Can't compare dict to non-dict, {a} and {b}. {msg}")
        if isinstance(a, (list, tuple)) and any(_is_part(v) for v in a):
            b = b if isinstance(b, (list, tuple)) else self._GetNdArray(b)
            self.assertEqual(len(a), len(b), f"{msg or ''} {path} lengths differ")
            for i, (x, y) in enumerate(zip(a, b, strict=True)):
                self._close(x, y, rtol, atol, f"{path}[{i}]", msg)
            return
        self._close_arrays(a, b, rtol, atol, path, msg)

    def _close_arrays(self, a, b, rtol, atol, path, msg):
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        label = f"{msg or ''} {path}"
        self._check_shapes(a, b, label)
        if a.dtype.kind not in "biufcV" or b.dtype.kind not in "biufcV":
            self.assertAllEqual(a, b, msg)
            return
        half = a.dtype.name in _HALF or b.dtype.name in _HALF
        x, y = (v.astype(np.float64) if v.dtype.kind == "V" else v for v in (a, b))
        if half:
            rtol, atol = np.maximum(rtol, 1e-3), np.maximum(atol, 1e-3)
        near = np.allclose(x, y, rtol, atol, equal_nan=True)
        if not near:
            label += _distances(np.atleast_1d(x), np.atleast_1d(y), rtol, atol)
        if np.ndim(rtol) or np.ndim(atol):  # NumPy's own check writes numbers only
            assert near, f"Not equal to tolerance rtol={rtol}, atol={atol}\n{label}"
            return
        np.testing.assert_allclose(x, y, rtol, atol, True, label)

    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: Any = 1e-6, atol: Any = 1e-6,
        float_rtol: Any = 1e-6, float_atol: Any = 1e-6, half_rtol: Any = 1e-3,
        half_atol: Any = 1e-3, bfloat16_rtol: Any = 1e-2, bfloat16_atol: Any = 1e-2,
        msg: Any = None,
    ) -> None:  # fmt: skip
        """As assertAllClose, with the tolerance of the narrower dtype."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        names = {a.dtype.name, b.dtype.name}
        limits = (
            (("float32", "complex64"), float_rtol, float_atol),
            (("float16",), half_rtol, half_atol),
            (("bfloat16",), bfloat16_rtol, bfloat16_atol),
        )
        for kinds, r, t in limits:
            if names & set(kinds):
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        """Some numbers are not close."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertNear(self, f1: Any, f2: Any, err: Any, msg: Any = None) -> None:
        """|f1 - f2| <= err."""
        good = f1 == f2 or math.fabs(f1 - f2) <= err
        self.assertTrue(good, f"{f1!r} != {f2!r} +/- {err!r} {msg or ''}")

    def assertArrayNear(
        self, farray1: Any, farray2: Any, err: Any, msg: Any = None
    ) -> None:
        """assertNear for each pair of two sequences."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2, strict=True):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: Any, msg: Any = None
    ) -> None:
        """The norm of the difference is below `err`."""
        self.assertTrue(self._NDArrayNear(ndarray1, ndarray2, err), msg)

    def _NDArrayNear(self, ndarray1, ndarray2, err):
        difference = self._GetNdArray(ndarray1) - self._GetNdArray(ndarray2)
        return np.linalg.norm(difference) < err

    # ------------------------------------------------------------------ ranges
    def _ordered(self, a):
        a = self._GetNdArray(a)
        if a.dtype.kind not in "iufV":
            raise AssertionError(f"The values of {a} have no order: they are {a.dtype}")
        return a

    def _all(self, a, holds, text):
        a = self._GetNdArray(a)
        good = holds(a)
        if not np.all(good):
            where = np.argwhere(~np.asarray(good)).tolist()[:10]
            raise AssertionError(f"{a} is not {text} at {where}")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Each element is greater than a number."""
        self._all(a, lambda v: v > comparison_target, f"> {comparison_target}")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Each element is less than a number."""
        self._all(a, lambda v: v < comparison_target, f"< {comparison_target}")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Each element is at least a number."""
        self._all(a, lambda v: v >= comparison_target, f">= {comparison_target}")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Each element is at most a number."""
        self._all(a, lambda v: v <= comparison_target, f"<= {comparison_target}")

    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any,
        open_lower_bound: bool = False, open_upper_bound: bool = False,
    ) -> None:  # fmt: skip
        """Each element lies between two bounds."""
        low = np.greater if open_lower_bound else np.greater_equal
        high = np.less if open_upper_bound else np.less_equal
        self._all(
            self._ordered(target),
            lambda v: low(v, lower_bound) & high(v, upper_bound),
            f"in {lower_bound} .. {upper_bound}",
        )

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Each element is one of a set."""
        self._all(
            target, lambda v: np.isin(v, list(expected_set)), f"in {expected_set}"
        )

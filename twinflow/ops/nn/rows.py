"""Softmax of float32 rows, and cross entropies of all (native/softmax.c).

Each gives None where the NumPy kernel has to do it: other dtypes, arrays with gaps, no
module (docs/decisions/0012-kernels-at-size.md).
"""

from typing import Any

import numpy as np

from twinflow.base import dispatch, native

SOFTMAX, LOG_SOFTMAX, SOFTMAX_BACK, LOG_SOFTMAX_BACK = range(4)
_fast = native.fast if hasattr(native.fast, "cross_entropy") else None


def softmax(kind: int, x: np.ndarray, y: Any = None) -> Any:
    """Of rows, by kind; of a gradient `x` is dy, and `y` what came of the op."""
    return None if _fast is None else _fast.softmax(kind, x, y)


def eager_gradient(kind: int, dy: Any, y: Any) -> Any:
    """The gradient as one pass, while nobody looks on: an eager tensor, or None."""
    kinds = type(dy), type(y), dispatch.EagerTensor
    if dispatch.observers is not None or len(set(kinds)) > 1:
        return None
    found = softmax(kind, dy._a, y._a)
    return None if found is None else dispatch.wrap(found, dy.dtype)


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> Any:
    """(loss, gradient) of float[rows, classes]; labels: like them, or int[rows]."""
    if _fast is None:
        return None
    return _fast.cross_entropy(logits, labels)

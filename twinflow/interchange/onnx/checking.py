"""A model run by onnxruntime beside our own, and the two results compared."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.frozen import Frozen

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

_CLOSE = 1e-5  # of the largest value: sums are rounded in another order


def compared(data: bytes, found: Frozen, given: Any) -> None:
    """Run a model and what it was made of on the same inputs.

    Args:
        data: the bytes of the model. given: arrays, or None for random ones.
    Raises:
        ImportError: onnxruntime is not installed.
        ValueError: the results differ, or onnxruntime does not take the model.
    """
    if onnxruntime is None:
        raise ImportError(
            "`check=True` requires onnxruntime: python -m pip install onnxruntime"
        )
    tensors = found.inputs
    if given is None:
        random = np.random.RandomState(0)
        given = [_random(t, random) for t in tensors.values()]
    if len(given) != len(tensors):
        raise ValueError(
            f"check_inputs has {len(given)} arrays, and the model takes "
            f"{len(tensors)}: {', '.join(tensors)}."
        )
    arrays = [
        np.asarray(a, t.dtype.base_dtype.np) for a, t in zip(given, tensors.values())
    ]
    theirs = run(data, dict(zip(tensors, arrays, strict=True)))
    ours = found.run(arrays)
    for name, a, b in zip(found.outputs, ours, theirs, strict=True):
        _compare(name, a, b)


def run(data: bytes, feeds: dict) -> list:
    """What onnxruntime gives for a model.

    Raises:
        ValueError: it does not take the model.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # what it warns of, users cannot change
    try:
        session = onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # its classes are not public
        raise ValueError(f"onnxruntime does not take the model: {error}") from error
    return session.run(None, feeds)


def _random(t: Any, random: Any) -> Any:
    shape = [2 if s is None else s for s in t._shape or ()]
    dtype = t.dtype.base_dtype
    if dtype is dtypes.bool:
        return random.rand(*shape) < 0.5
    if dtype is dtypes.string:
        return np.full(shape, "text", object)
    if dtype.is_integer:
        return random.randint(0, 2, shape)
    return random.standard_normal(shape)


def _compare(name: str, ours: Any, theirs: Any) -> None:
    if ours.shape != theirs.shape:
        raise ValueError(
            f"The output '{name}' has the shape {theirs.shape} in onnxruntime and "
            f"{ours.shape} here."
        )
    if ours.dtype.kind in "OSU" or ours.dtype.kind in "b":
        same = (ours == theirs).all()
    else:
        wide = np.complex128 if ours.dtype.kind == "c" else np.float64
        a, b = ours.astype(wide), theirs.astype(wide)
        largest = np.max(np.abs(a[np.isfinite(a)]), initial=1)
        same = np.allclose(a, b, 10 * _CLOSE, _CLOSE * largest, equal_nan=True)
    if not same:
        raise ValueError(
            f"The output '{name}' differs between onnxruntime and here: "
            f"{theirs.ravel()[:5]} there, {ours.ravel()[:5]} here."
        )

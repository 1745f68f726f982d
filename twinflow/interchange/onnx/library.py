"""The onnx library, which is loaded with this module, and its names for dtypes."""

from typing import Any

import numpy as np

from twinflow.base import dtypes

try:
    import onnx
except ImportError:
    onnx = None

OLDEST, NEWEST = 18, 28  # the opsets that the writers know


def required(what: str) -> Any:
    """The onnx library.

    Raises:
        ImportError: it is not installed.
    """
    if onnx is None:
        raise ImportError(f"`{what}` requires onnx: python -m pip install onnx")
    return onnx


def opset_of(asked: int | None) -> int:
    """The opset to write: `asked`, or the newest that both sides know.

    Raises:
        ValueError: it is not between those that the writers and the library know.
    """
    newest = min(NEWEST, onnx.defs.onnx_opset_version())
    if asked is None:
        return newest
    if not OLDEST <= asked <= newest:
        raise ValueError(
            f"opset={asked} cannot be written: expected a number from {OLDEST} to "
            f"{newest} (onnx {onnx.__version__})."
        )
    return asked


def element_type(dtype: dtypes.DType) -> int:
    """ONNX's number of a dtype.

    Raises:
        KeyError: ONNX has it not.
    """
    dtype = dtype.base_dtype
    if dtype is dtypes.string:
        return onnx.TensorProto.STRING
    if dtype.np is None:
        raise KeyError(dtype.name)
    return onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype.np))


def dtype_of(number: int) -> dtypes.DType:
    """The dtype of ONNX's number.

    Raises:
        ValueError: there is no such dtype here.
    """
    if number == onnx.TensorProto.STRING:
        return dtypes.string
    try:
        return dtypes.from_numpy(onnx.helper.tensor_dtype_to_np_dtype(number))
    except (KeyError, TypeError, ValueError):
        names = onnx.TensorProto.DataType
        name = names.Name(number) if number in names.values() else number
        raise ValueError(f"ONNX's dtype {name} has no counterpart here.") from None

"""Arrays as DLPack capsules, and back, without a copy.

NumPy makes and reads the capsules. It does not know bfloat16: such an array goes as
unsigned integers of as many bits, and the capsule's own record of the type is changed.

Note [Exported memory]: nobody may write to the array of a tensor. Its memory leaves in
capsules of DLPack 1.0, which say that it is only for reading, and hold the array, so
that no op here adds up in place in it (Note [Sums in place]). An older capsule cannot
say so, and a 0-d array may be one that many tensors share: both leave as a copy. torch
takes no notice of the mark: whoever writes there has to clone first.
"""

import ctypes
from typing import Any

import ml_dtypes
import numpy as np

from twinflow.base.annotations import Array

CPU = (1, 0)  # DLDeviceType and number
_FIRST = (1, 0)  # the version from which a capsule says whether one may write
_BFLOAT, _UINT = 4, 1  # DLDataTypeCode
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    """DLManagedTensorVersioned, which begins with its version."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_KINDS: dict[bytes, Any] = {
    b"dltensor": lambda at: _Tensor.from_address(at),
    b"dltensor_versioned": lambda at: _Managed.from_address(at).tensor,
}


def _python(name: str, result: Any, *args: Any) -> Any:
    """A function of Python's own C interface."""
    return ctypes.PYFUNCTYPE(result, *args)((name, ctypes.pythonapi))


_name_of = _python("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
_address = _python(
    "PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p
)


def _tensor_of(capsule: Any) -> Any:
    """The DLTensor in a capsule.

    Raises:
        ValueError: it is used up, or no capsule of DLPack.
    """
    name = _name_of(capsule)
    if name not in _KINDS:
        raise ValueError(
            f"Expected a DLPack capsule that nobody has taken yet, got one named "
            f"{name!r}: a capsule can be taken once; make another."
        )
    return _KINDS[name](_address(capsule, name))


def exported(a: Array, max_version: Any, copy: bool | None) -> Any:
    """An array as a capsule: see Note [Exported memory].

    Args:
        a: an ndarray or NumPy scalar. max_version: (major, minor) that the consumer
            can read; None: what was before 1.0.
        copy: True: memory of its own; False: that of the array; None: as it is safe.
    Raises:
        BufferError: DLPack has no such dtype, or it cannot go without the copy.
    """
    if a.dtype.kind not in "biufc" and a.dtype != _BFLOAT16:
        raise BufferError(
            f"DLPack has no dtype for {a.dtype}: cast the tensor to numbers first."
        )
    old = max_version is None or tuple(max_version) < _FIRST
    must = old or not isinstance(a, np.ndarray) or a.ndim == 0 or not _is_laid_out(a)
    if must and copy is False:
        why = "a consumer of DLPack 1.0 or later" if old else "an array in plain rows"
        raise BufferError(
            f"The memory of a tensor can be lent without a copy only to {why}, because "
            "nobody may write to it. Leave copy=False out."
        )
    if must or copy:
        found = np.array(a, order="C")
    else:
        found = a.view()
        found.flags.writeable = False
    return _capsule(found, max_version)


def _capsule(a: Array, max_version: Any) -> Any:
    if a.dtype != _BFLOAT16:
        return a.__dlpack__(max_version=max_version)
    capsule = a.view(np.uint16).__dlpack__(max_version=max_version)
    _tensor_of(capsule).code = _BFLOAT
    return capsule


def _is_laid_out(a: Array) -> bool:
    """Whether each element lies apart from the others, at a place that DLPack has."""
    steps = [s for n, s in zip(a.shape, a.strides, strict=True) if n > 1]
    return all(s > 0 and s % a.itemsize == 0 for s in steps)


class _Once:
    """A capsule as NumPy takes it."""

    def __init__(self, capsule: Any, device: tuple[int, int]) -> None:
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def imported(capsule: Any) -> Array:
    """The memory of a capsule as an array, which holds it.

    Raises:
        ValueError: it is used up. BufferError: it is not on the CPU, or of a dtype that
            no tensor has.
    """
    tensor = _tensor_of(capsule)
    device = tensor.device_type, tensor.device_id
    if device[0] not in (1, 3, 11):  # CPU, and memory of a GPU's driver on the host
        raise BufferError(
            f"Expected memory on the CPU, got DLPack device {device}: copy it to the "
            "host first, such as with .cpu() in torch."
        )
    is_bfloat = (tensor.code, tensor.bits, tensor.lanes) == (_BFLOAT, 16, 1)
    if is_bfloat:
        tensor.code = _UINT
    found = np.from_dlpack(_Once(capsule, CPU))
    return found.view(_BFLOAT16) if is_bfloat else found

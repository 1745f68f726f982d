"""Data types: one immutable singleton per type, named as in TensorFlow 1.12."""

from __future__ import annotations  # a class's slots are its annotations, read below

import builtins
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as _np

_REF = 100
_BY_ENUM: dict[int, DType] = {}
_BY_KEY: dict[object, DType] = {}
_BY_NUMPY: dict[_np.dtype, DType] = {}


class DType:
    """The type of a tensor's elements: `a is b` decides whether two are equal.

    Example: `tf.float32.size == 4`, `tf.float32 == "float32"`.
    """

    name: str
    np: _np.dtype | None
    as_datatype_enum: int
    base_dtype: DType
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_complex: builtins.bool
    is_bool: builtins.bool
    is_unsigned: builtins.bool
    is_quantized: builtins.bool
    is_numpy_compatible: builtins.bool
    is_number: builtins.bool  # what ops are defined for: real or complex,
    is_real: builtins.bool  # floating or integer,
    is_inexact: builtins.bool  # floating or complex,
    is_arithmetic: builtins.bool  # a number, but neither uint32 nor uint64,
    is_arithmetic_real: builtins.bool  # the same without complex numbers,
    is_addable: builtins.bool  # arithmetic, but not uint16,
    is_common: builtins.bool  # floating, complex, int32 or int64,
    is_common_real: builtins.bool  # floating, int32 or int64,
    is_factor: builtins.bool  # floating, complex or int32,
    is_equatable: builtins.bool  # addable, bool or string,
    is_any: builtins.bool  # always true
    scalars: dict[
        Any, Any
    ]  # the eager mode's 0-d arrays of this type, by Python number
    size: int
    _as_ref: DType
    _is_ref_dtype: builtins.bool
    _numpy_type: type[Any] | _np.dtype | None
    __slots__ = (*__annotations__, "__weakref__")

    def __new__(cls, type_enum: Any) -> DType:
        """Return the singleton of a DataType number.

        Raises:
            TypeError: the number names no data type.
        """
        found = _BY_ENUM.get(int(type_enum))
        if found is None:
            raise TypeError(f"type_enum is not a valid types_pb2.DataType: {type_enum}")
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self!r} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self!r} is immutable: cannot delete {name!r}")

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy type; KeyError for resource and variant, which have none."""
        if self._numpy_type is None:
            raise KeyError(self.as_datatype_enum)
        return self._numpy_type

    @property
    def real_dtype(self) -> DType:
        """The type of the real part: float32 for complex64, else this type."""
        return _REAL.get(self.base_dtype, self)

    @property
    def min(self) -> Any:
        """The smallest finite value; TypeError where there is no order."""
        return self._extreme("min", "minimum")

    @property
    def max(self) -> Any:
        """The largest finite value; TypeError where there is no order."""
        return self._extreme("max", "maximum")

    @property
    def limits(self) -> Any:
        """The range (low, high) of intensities: low is 0, high is 1 or `max`."""
        if self.is_bool:
            return (False, True)
        if self.is_floating:
            return (0, 1)
        if self.is_integer:
            return (0, self.max)
        raise TypeError(f"Cannot find limits of {self}.")

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether a value of type `other` may be used here; a ref may be read."""
        other = as_dtype(other)
        return self is other or self is other.base_dtype

    def _extreme(self, field: str, word: str) -> Any:
        if self.is_integer:
            return getattr(_np.iinfo(self.np), field)
        if self.is_floating:
            return getattr(ml_dtypes.finfo(self.np), field)
        raise TypeError(f"Cannot find {word} value of {self}.")

    @property
    def _type_enum(self) -> int:
        return self.as_datatype_enum

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if type(other) is DType:  # two of one number, Note [Tensor arrays]
            return self.as_datatype_enum == other.as_datatype_enum
        if other is None:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return self.as_datatype_enum

    def __int__(self) -> int:
        return self.as_datatype_enum

    def __reduce__(self) -> tuple:
        return as_dtype, (self.name,)

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"


def as_dtype(type_value: Any) -> DType:
    """Return the DType that a value names.

    Args:
        type_value: DType, name (`"float32"`, `"half"`, `"float32_ref"`), NumPy type
            or dtype, `float`, `bool`, `object`, or DataType number.

    Raises:
        TypeError: the value names no type. `int` is one of these, as in TensorFlow:
            it could mean int32 or int64.

    Example: `tf.as_dtype(np.float32) is tf.float32`.
    """
    kind = type(type_value)
    if kind is DType:
        return type_value
    try:
        found = (_BY_ENUM if kind is int else _BY_KEY).get(type_value)
    except TypeError:
        found = None
    if found is None and isinstance(type_value, _np.dtype):
        found = _text_dtype(type_value)
    if found is None:
        raise TypeError(f"Cannot convert value {type_value!r} to a TensorFlow DType.")
    return found


def from_numpy(np_dtype: Any) -> DType:
    """Return the DType of a `numpy.dtype`; bytes, text and objects are `string`.

    Raises:
        TypeError: no TensorFlow type holds such values (dates, other byte order).

    Example: `from_numpy(np.dtype("float32")) is tf.float32`.
    """
    found = _BY_NUMPY.get(np_dtype)
    return found if found is not None else as_dtype(np_dtype)


def _text_dtype(np_dtype: Any) -> Any:
    return string if np_dtype.kind in "SUO" else None


def _define(name: str, enum: int, numpy_type: Any, aliases: Sequence = ()) -> DType:
    """Make the singleton of a type and of its ref form, and enter both by key."""
    base = _make(name, enum, numpy_type)
    ref = _make(name + "_ref", enum + _REF, numpy_type)
    for dtype, suffix in ((base, ""), (ref, "_ref")):
        object.__setattr__(dtype, "base_dtype", base)
        object.__setattr__(dtype, "_as_ref", ref)
        _BY_ENUM[dtype.as_datatype_enum] = dtype
        _BY_KEY.update({key + suffix: dtype for key in (name, *aliases)})
    if base.np is not None:
        _BY_KEY[numpy_type] = _BY_KEY[base.np] = _BY_KEY[base.np.type] = base
        _BY_NUMPY[base.np] = base
    return base


def _make(name: str, enum: int, numpy_type: _np.dtype | type | None) -> DType:
    dtype = object.__new__(DType)
    np_dtype = None if numpy_type is None else _np.dtype(numpy_type)
    quantized = np_dtype is not None and np_dtype.names is not None
    kind = np_dtype.kind if np_dtype is not None and not quantized else ""
    floating = kind == "f" or name.startswith("bfloat16")
    fields: dict[str, Any] = {
        "name": name,
        "np": np_dtype,
        "as_datatype_enum": enum,
        "is_floating": floating,
        "is_integer": kind in ("i", "u"),
        "is_complex": kind == "c",
        "is_bool": kind == "b",
        "is_unsigned": kind == "u",
        "is_quantized": quantized,
        "is_numpy_compatible": np_dtype is not None,
        "is_number": floating or kind in ("i", "u", "c"),
        "is_real": floating or kind in ("i", "u"),
        "is_inexact": floating or kind == "c",
        **_op_types(name, floating, kind),
        "is_any": True,
        "scalars": {},
        "size": 1 if np_dtype is None else np_dtype.itemsize,
        "_is_ref_dtype": enum > _REF,
        "_numpy_type": numpy_type,
    }
    for field, value in fields.items():
        object.__setattr__(dtype, field, value)
    return dtype


def _op_types(name: str, floating: builtins.bool, kind: str) -> dict:
    """The sets of types that TensorFlow's elementwise OpDefs have."""
    name = name.removesuffix("_ref")
    number = floating or kind in ("i", "u", "c")
    arithmetic = number and name not in ("uint32", "uint64")
    addable = arithmetic and name != "uint16"
    index = name in ("int32", "int64")
    return {
        "is_arithmetic": arithmetic,
        "is_arithmetic_real": arithmetic and kind != "c",
        "is_addable": addable,
        "is_common": floating or kind == "c" or index,
        "is_common_real": floating or index,
        "is_factor": floating or kind == "c" or name == "int32",
        "is_equatable": addable or kind in ("b", "O"),
    }


def cpp_name(dtype: Any) -> Any:
    """What C++ calls a DType: float for float32."""
    return _CPP.get(dtype.name, dtype.name)


_CPP = {"float16": "half", "float32": "float", "float64": "double"}


def _define_quantized(name: str, enum: int, storage: type) -> DType:
    return _define(name, enum, _np.dtype([(name, storage)]))


float16 = half = _define("float16", 19, _np.float16, ["half"])
float32 = _define("float32", 1, _np.float32, ["float"])
float64 = double = _define("float64", 2, _np.float64, ["double"])
bfloat16 = _define("bfloat16", 14, ml_dtypes.bfloat16)
complex64 = _define("complex64", 8, _np.complex64)
complex128 = _define("complex128", 18, _np.complex128)
int8 = _define("int8", 6, _np.int8)
int16 = _define("int16", 5, _np.int16)
int32 = _define("int32", 3, _np.int32)
int64 = _define("int64", 9, _np.int64)
uint8 = _define("uint8", 4, _np.uint8)
uint16 = _define("uint16", 17, _np.uint16)
uint32 = _define("uint32", 22, _np.uint32)
uint64 = _define("uint64", 23, _np.uint64)
bool = _define("bool", 10, builtins.bool)
string = _define("string", 7, object)
resource = _define("resource", 20, None)
variant = _define("variant", 21, None)
qint8 = _define_quantized("qint8", 11, _np.int8)
quint8 = _define_quantized("quint8", 12, _np.uint8)
qint16 = _define_quantized("qint16", 15, _np.int16)
quint16 = _define_quantized("quint16", 16, _np.uint16)
qint32 = _define_quantized("qint32", 13, _np.int32)

# float32 and resource to the program, values of their own here: Note [Tensor arrays].
flow, array_handle = _make("float32", 1, None), _make("resource", 20, None)
for _dtype in (flow, array_handle):
    object.__setattr__(_dtype, "base_dtype", _dtype)
for _field in ("is_floating", "is_inexact"):
    object.__setattr__(flow, _field, True)

# Structured dtypes share numpy.void, so it names none of them.
del _BY_KEY[_np.void]
# int64 has two C names; NumPy gives the second one its own scalar type.
_BY_KEY.update({float: float32, _np.longlong: int64, _np.ulonglong: uint64})

ALL_TYPES = tuple(dtype for dtype in _BY_ENUM.values() if not dtype._is_ref_dtype)
_REAL = {complex64: float32, complex128: float64}
QUANTIZED_DTYPES = frozenset(
    form
    for base in (qint8, quint8, qint16, quint16, qint32)
    for form in (base, base._as_ref)
)
globals().update({base.name + "_ref": base._as_ref for base in ALL_TYPES})

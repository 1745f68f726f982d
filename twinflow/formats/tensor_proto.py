"""Arrays as TensorProtos, and back."""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import Array
from twinflow.base.convert import for_graph, is_tensor_like, to_array
from twinflow.base.shapes import TensorShape
from twinflow.formats.protos import TensorProto

_FIELDS = {
    dtypes.float16: "half_val", dtypes.bfloat16: "half_val",
    dtypes.float32: "float_val", dtypes.float64: "double_val",
    dtypes.int32: "int_val", dtypes.int16: "int_val",
    dtypes.int8: "int_val", dtypes.uint8: "int_val", dtypes.uint16: "int_val",
    dtypes.int64: "int64_val", dtypes.bool: "bool_val", dtypes.uint32: "uint32_val",
    dtypes.uint64: "uint64_val", dtypes.complex64: "scomplex_val",
    dtypes.complex128: "dcomplex_val", dtypes.string: "string_val",
}  # fmt: skip
_MOST_BYTES = 1 << 31
_QUANTIZED = (
    dtypes.qint8, dtypes.quint8, dtypes.qint16, dtypes.quint16, dtypes.qint32
)  # fmt: skip
_BY_CONTENT = frozenset((
    dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16,
    dtypes.int8, dtypes.int64, dtypes.uint32, dtypes.uint64, *_QUANTIZED,
))  # fmt: skip


_HAVE_ARRAYS = frozenset((*_FIELDS, *_QUANTIZED))


def to_proto(array, dtype, by_content=None):
    """The TensorProto of an array.

    Args:
        array: the ndarray. dtype: its DType.
        by_content: whether the values are written as they lie in memory; by default
            where there are several, of a dtype that TensorFlow writes so. Strings are
            always listed.
    """
    proto = TensorProto()
    fill(proto, array, dtype, by_content)
    return proto


def fill(proto, array, dtype, by_content=None):
    """Write an array into an empty TensorProto; see `to_proto`."""
    array = np.asarray(array)
    proto.dtype = dtype.as_datatype_enum
    proto.tensor_shape.SetInParent()  # a scalar has a shape, too
    for d in array.shape:
        proto.tensor_shape.dim.add(size=d)
    if by_content is None:
        by_content = array.size > 1 and dtype in _BY_CONTENT
    if dtype is dtypes.string:
        proto.string_val.extend(array.ravel().tolist())
    elif by_content or dtype in _QUANTIZED:
        little = array.dtype.newbyteorder("<") if array.dtype.isnative else array.dtype
        proto.tensor_content = array.astype(little, copy=False).tobytes()
    else:
        getattr(proto, _FIELDS[dtype]).extend(_listed(array.ravel(), dtype))


def _listed(flat, dtype):
    if _FIELDS[dtype] == "half_val":
        return flat.view(np.uint16).tolist()
    if dtype.is_complex:
        return flat.view(dtype.real_dtype.np).tolist()
    return flat.tolist()


class UnsupportedDType(TypeError, ValueError):
    """A TensorProto of a dtype that no array has: a TypeError as in TensorFlow."""


def from_proto(proto, whole=False, view=False):
    """The array of a TensorProto.

    Values that are listed go on with the last one; missing ones are 0.

    Args:
        proto: the TensorProto. whole: refuse one that does not list all its values.
        view: whether the array may be one that cannot be written to.
    Raises:
        UnsupportedDType: its dtype is none that arrays have.
        ValueError: its values do not fit its shape, or it is larger than 2 GB.
    """
    dtype = _dtype_of(proto)
    shape = tuple(d.size for d in proto.tensor_shape.dim)
    count = math.prod(shape)
    held = math.prod(d or 1 for d in shape) * _least_bytes(dtype)
    if min(shape, default=0) < 0 or held > _MOST_BYTES:
        raise ValueError(
            f"A TensorProto has the shape {shape} of {dtype.name}: its sizes must not "
            "be negative, and it holds at most 2 GB."
        )
    if proto.tensor_content and dtype is dtypes.string:
        return split_strings(proto.tensor_content, count).reshape(shape)
    if proto.tensor_content:
        found = np.frombuffer(proto.tensor_content, dtype.np).reshape(shape)
        return found if view else found.copy()
    if dtype not in _FIELDS:
        raise UnsupportedDType(f"Unsupported tensor type: {dtype.name}")
    values = list(getattr(proto, _FIELDS[dtype]))
    try:
        flat = _unlisted(values, dtype)
    except OverflowError as error:
        raise ValueError(f"A value is outside of {dtype.name}: {error}") from None
    if flat.size > count or (whole and flat.size < count):
        raise ValueError(f"The tensor has {flat.size} values for the shape {shape}.")
    if flat.size == 0:
        flat = np.zeros(1, dtype.np) if dtype is not dtypes.string else _empty_string()
    more = np.repeat(flat[-1:], max(count - flat.size, 0))
    return np.concatenate([flat, more])[:count].reshape(shape)


def _dtype_of(proto):
    try:
        return dtypes.as_dtype(proto.dtype)
    except TypeError as error:
        raise UnsupportedDType(str(error)) from None


def _least_bytes(dtype):
    """The bytes of an element; a string has at least the pointer to it."""
    return np.dtype(dtype.np).itemsize if dtype in _HAVE_ARRAYS else 1


def joined_strings(strings):
    """Strings as one: their lengths as varints, then their bytes."""
    lengths = bytearray()
    for s in strings:
        n = len(s)
        while n > 127:
            lengths.append(n & 127 | 128)
            n >>= 7
        lengths.append(n)
    return bytes(lengths) + b"".join(strings)


def split_strings(content, count):
    """The `count` strings that were joined.

    Raises:
        ValueError: there are not so many.
    """
    lengths, at = [], 0
    for _ in range(count):
        n = shift = 0
        while at < len(content) and shift < 64:
            byte = content[at]
            n, shift, at = n | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                break
        lengths.append(n)
    if at + sum(lengths) != len(content):
        raise ValueError(f"{len(content)} bytes are not {count} strings.")
    out = np.empty(count, object)
    for i, n in enumerate(lengths):
        out[i], at = content[at : at + n], at + n
    return out


def _empty_string():
    out = np.empty(1, object)
    out[0] = b""
    return out


def _unlisted(values, dtype):
    if dtype is dtypes.string:
        out = np.empty(len(values), object)
        out[:] = values
        return out
    if _FIELDS[dtype] == "half_val":
        return np.array(values, np.uint16).view(dtype.np)
    if dtype.is_complex:
        return np.array(values, dtype.real_dtype.np).view(dtype.np)
    return np.array(values, dtype.np)


def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False
) -> Any:
    """The TensorProto of a Python value or ndarray.

    Args:
        values: a number, string, nested list of them, or an ndarray.
        dtype: the DType; see tf.constant.
        shape: the shape; a shorter value is continued with its last element.
        verify_shape: refuse a value that does not have `shape` already.
    Raises:
        TypeError, ValueError: the value is not of this dtype or shape.
    Example:
        tf.make_ndarray(tf.make_tensor_proto([1, 2]))  # [1, 2]
    """
    if isinstance(values, TensorProto):
        return values
    if is_tensor_like(values):
        raise TypeError(f"List of Tensors when single Tensor expected, got {values!r}")
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    try:
        array, found = to_array(values, wanted)
    except ValueError as error:
        raise for_graph(error, wanted) from None
    if shape is None:
        return to_proto(array, found)
    dims = tuple(TensorShape(shape).as_list())
    if verify_shape and array.shape != dims:
        raise TypeError(f"Expected Tensor's shape: {dims}, got {array.shape}.")
    count = math.prod(dims)
    if array.size > count:
        raise ValueError(
            f"Too many elements provided. Needed at most {count}, but received "
            f"{array.size}"
        )
    if array.size == count:
        return to_proto(array.reshape(dims), found)
    proto = to_proto(array.ravel(), found, by_content=False)
    del proto.tensor_shape.dim[:]
    for d in dims:
        proto.tensor_shape.dim.add(size=d)
    return proto


def make_ndarray(tensor: Any) -> Array:
    """The ndarray of a TensorProto; see tf.make_tensor_proto."""
    return from_proto(tensor)

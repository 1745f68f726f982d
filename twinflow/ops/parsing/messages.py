"""Fields of protocol buffers as tensors, and back: tf.contrib.proto.

A field of a batch of messages is a tensor with one more axis, as long as the longest;
`sizes` says how many values each message has of each field.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
from google.protobuf import (
    descriptor,
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    text_format,
)
from google.protobuf.message import DecodeError

from twinflow.base import dtypes, files
from twinflow.base.dispatch import apply
from twinflow.base.dtypes import cpp_name
from twinflow.base.errors import DataLossError, NotFoundError, invalid
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.formats import protos, wire
from twinflow.ops.core.infer import merge, text
from twinflow.ops.strings.arrays import flat

_F = descriptor.FieldDescriptor
_LOCAL = ("", "local://")
_BYTES = "bytes://"
_TYPES = {
    _F.CPPTYPE_INT32: ("int32", "int64"), _F.CPPTYPE_INT64: ("int64",),
    _F.CPPTYPE_UINT32: ("uint32",), _F.CPPTYPE_UINT64: ("uint64",),
    _F.CPPTYPE_DOUBLE: ("float64",), _F.CPPTYPE_FLOAT: ("float32", "float64"),
    _F.CPPTYPE_BOOL: ("bool",), _F.CPPTYPE_ENUM: ("int32",),
    _F.CPPTYPE_STRING: ("string",), _F.CPPTYPE_MESSAGE: ("string",),
}  # fmt: skip
_WORDS = {
    _F.CPPTYPE_INT32: "int32", _F.CPPTYPE_INT64: "int64", _F.CPPTYPE_UINT32: "uint32",
    _F.CPPTYPE_UINT64: "uint64", _F.CPPTYPE_DOUBLE: "double",
    _F.CPPTYPE_FLOAT: "float", _F.CPPTYPE_BOOL: "bool", _F.CPPTYPE_ENUM: "enum",
    _F.CPPTYPE_STRING: "string", _F.CPPTYPE_MESSAGE: "message",
}  # fmt: skip


# ---------------------------------------------------------------------- descriptors
@functools.lru_cache(maxsize=16)
def _pools(source):
    """The pools that messages of a descriptor source are looked for in."""
    if source in _LOCAL:
        return protos.tensorflow.pool, descriptor_pool.Default()
    if source.startswith(_BYTES):
        data = source.removeprefix(_BYTES).encode("latin-1")
    else:
        data = _file(source)
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        pool.Add(file)
    return (pool,)


def _file(path):
    if not files.Exists(path):
        raise NotFoundError(None, None, f"{path} not found")
    return files.read_file_to_string(path, binary_mode=True)


def _message(kind, source):
    """The descriptor of a message."""
    for pool in _pools(source):
        try:
            return pool.FindMessageTypeByName(kind)
        except KeyError:
            continue
    raise invalid(f"No descriptor found for message type {kind}")


def _fields(message, names):
    unknown = [n for n in names if n not in message.fields_by_name]
    if unknown:
        what = f"{unknown[0]} in message type {message.full_name}"
        raise invalid(f"Unknown field: {what}")
    return [message.fields_by_name[n] for n in names]


# ---------------------------------------------------------------------- reading
def _serialized(data, message, message_format, sanitize):
    """The bytes of a message, whose text it may be."""
    if message_format == "binary" and not sanitize:
        return data
    made = message_factory.GetMessageClass(message)()
    try:
        if message_format == "text":
            text_format.Parse(data, made)
        else:
            made.ParseFromString(data)
            made.DiscardUnknownFields()
    except text_format.ParseError:
        raise DataLossError(None, None, "Unable to parse text protobuf") from None
    except DecodeError:
        raise _broken() from None
    return made.SerializeToString()


def _broken():
    words = "CountFields: Failed to consume entire buffer"
    return DataLossError(None, None, words)


def _found(data, fields):
    """{number: values} of the fields of one message."""
    found: dict = {f.number: [] for f in fields}
    kinds = {f.number: f for f in fields}
    try:
        for number, kind, raw in wire.fields(data):
            if number in kinds:
                found[number] += wire.values(kinds[number], kind, raw)
    except ValueError:
        raise _broken() from None
    return {n: v if kinds[n].is_repeated else v[-1:] for n, v in found.items()}


def _default(field):
    value = field.default_value
    if field.cpp_type in (_F.CPPTYPE_MESSAGE, _F.CPPTYPE_STRING) and not value:
        return b""
    if field.is_repeated:
        return 0
    return value.encode() if isinstance(value, str) else value


def _column(field, dtype, rows, shape):
    """The values of one field of all messages."""
    longest = max((len(r) for r in rows), default=0)
    if not field.is_repeated:
        longest = 1
    kind = object if dtype == dtypes.string else dtype.np
    out = np.full((len(rows), longest), _default(field), kind)
    for place, row in zip(out, rows, strict=True):
        if field.cpp_type == _F.CPPTYPE_INT32 and dtype == dtypes.int64:
            row = [v & 0xFFFFFFFF for v in row]  # as in TensorFlow
        place[: len(row)] = row
    return out.reshape(*shape, longest)


def _check_output(message, field, dtype):
    if dtype.name not in _TYPES[field.cpp_type]:
        raise invalid(
            f"Unexpected output type for {message.full_name}.{field.name}: "
            f"{field.cpp_type} to {dtype.as_datatype_enum}"
        )


def _decode(
    bytes, message_type, field_names, output_types, descriptor_source, message_format,
    sanitize,
):  # fmt: skip
    if len(field_names) != len(output_types):
        words = "field_names and output_types attributes must have the same length"
        raise invalid(words)
    if message_format not in ("binary", "text"):
        raise invalid("format must be one of binary or text")
    message = _message(message_type, descriptor_source)
    fields = _fields(message, field_names)
    for field, dtype in zip(fields, output_types, strict=True):
        _check_output(message, field, dtype)
    shape, data = np.shape(bytes), flat(bytes)
    if not data:
        raise invalid("Bufs argument must contain at least one value")
    rows = [
        _found(_serialized(d, message, message_format, sanitize), fields) for d in data
    ]
    counts = [[len(r[f.number]) for f in fields] for r in rows]
    sizes = np.array(counts, np.int32).reshape(*shape, len(fields))
    pairs = zip(fields, output_types, strict=True)
    columns = (_column(f, t, [r[f.number] for r in rows], shape) for f, t in pairs)
    return [sizes, *columns]


def _infer_decoded(bytes, field_names, output_types, **_):
    s, count = bytes._shape, len(field_names)
    columns = [s and (*s, None)] * len(output_types)
    if s == ():
        columns = [(None,)] * len(output_types)
    return [None if s is None else (*s, count), *columns]


DecodeProtoV2 = define("DecodeProtoV2", infer=_infer_decoded, host=_decode)


# ---------------------------------------------------------------------- writing
def _check_input(field, values):
    dtype = dtypes.from_numpy(values.dtype)
    if dtype.name not in _TYPES[field.cpp_type]:
        raise invalid(
            f"Incompatible type for field {field.name}.  Saw dtype: {cpp_name(dtype)} "
            f"but field type is: {_WORDS[field.cpp_type]}"
        )


def _check_sizes(sizes, values):
    batch = values[0].shape[:-1]
    if sizes.shape != (*batch, len(values)):
        raise invalid(
            "sizes should be batch_size + [len(field_names)].  Saw: "
            f"{text(sizes.shape)} but expected: {text((*batch, len(values)))}"
        )
    counts = sizes.reshape(-1, len(values))
    for i, k in np.argwhere(counts > [v.shape[-1] for v in values]):
        raise invalid(
            "Size to write must not be larger than value tensor; but saw: "
            f"{counts[i, k]} > {values[k].shape[-1]} at message {i} field {k}"
        )
    return counts


def _encode(sizes, values, field_names, message_type, descriptor_source):
    message = _message(message_type, descriptor_source)
    if len(field_names) != len(values):
        raise invalid("Field names and values must have the same length")
    fields = _fields(message, field_names)
    for field, column in zip(fields, values, strict=True):
        _check_input(field, column)
    counts = _check_sizes(sizes, values)
    rows = [v.reshape(-1, v.shape[-1]) for v in values]
    order = sorted(range(len(fields)), key=lambda k: fields[k].number)
    out = np.empty(len(counts), object)
    for i, row in enumerate(counts):
        parts = (wire.encoded(fields[k], rows[k][i, : row[k]].tolist()) for k in order)
        out[i] = b"".join(parts)
    return out.reshape(sizes.shape[:-1])


def _infer_encoded(sizes, values, **_):
    found = None if sizes._shape is None else sizes._shape[:-1]
    for v in values:
        if v._shape is not None:
            if not v._shape:
                raise InferError("Shape must be at least rank 1 but is rank 0")
            found = merge(found, v._shape[:-1])
    return found


EncodeProto = define("EncodeProto", infer=_infer_encoded, host=_encode)


# ---------------------------------------------------------------------- public
class _Decoded(NamedTuple):
    sizes: Any
    values: list[Any]


_Decoded.__name__ = "DecodeProtoV2"


def decode_proto(
    bytes: TensorValue, message_type: str, field_names: Any, output_types: Any,
    descriptor_source: str = "local://", message_format: str = "binary",
    sanitize: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Fields of serialized messages as tensors.

    Args:
        bytes: string[...], the messages. message_type: as "tensorflow.Example".
        field_names: which fields. output_types: their dtypes; a message in a message is
            a tf.string.
        descriptor_source: "local://" for messages of TensorFlow and of loaded modules,
            the path of a FileDescriptorSet, or "bytes://" and one.
        message_format: "binary" or "text". sanitize: leave out unknown fields.
        name: the name of the node in a graph.
    Returns:
        A tuple (sizes int32[..., fields], values: a list of tensors [..., longest],
        filled up with default values).
    Raises:
        tf.errors.InvalidArgumentError: no such message or field, or another dtype.
        tf.errors.DataLossError: the bytes are no message.
    Example:
        shape = tf.TensorShape([2, 3]).as_proto().SerializeToString()
        decode = tf.contrib.proto.decode_proto
        found = decode([shape], "tensorflow.TensorShapeProto", ["dim"], [tf.string])
        found.sizes  # [[2]]
    """
    attrs = {
        "message_type": message_type, "field_names": tuple(field_names),
        "output_types": tuple(map(dtypes.as_dtype, output_types)),
        "descriptor_source": descriptor_source, "message_format": message_format,
        "sanitize": sanitize,
    }  # fmt: skip
    sizes, *values = apply(DecodeProtoV2, (bytes,), attrs, name)
    return _Decoded(sizes, values)


def encode_proto(
    sizes: TensorValue, values: Any, field_names: Any, message_type: str,
    descriptor_source: str = "local://", name: str | None = None,
) -> Any:  # fmt: skip
    """Serialized messages with the given fields.

    Args:
        sizes: int32[..., fields], how many values each message has of each field.
        values: a list of tensors [..., longest]. Others: see `decode_proto`.
    Returns:
        string[...]
    Raises:
        tf.errors.InvalidArgumentError: no such message or field, another dtype, or
            sizes that do not fit.
    Example:
        encode, kind = tf.contrib.proto.encode_proto, "tensorflow.GPUOptions"
        encode([[1]], [[[True]]], ["allow_growth"], kind)  # [b" \\x01"]
    """
    attrs = {
        "field_names": tuple(field_names), "message_type": message_type,
        "descriptor_source": descriptor_source,
    }  # fmt: skip
    return apply(EncodeProto, (sizes, list(values)), attrs, name)

"""TensorFlow Serving's messages: what requests hold, and answers to them."""

import functools
import math
import sys
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.formats.protos import TensorProto
from twinflow.formats.serving_protos import serving
from twinflow.formats.tensor_proto import from_proto, to_proto
from twinflow.serving.servable import Servable, Signature, invalid
from twinflow.serving.versions import Version

_ANY_PREFIX = "type.googleapis.com/"
_METADATA = "signature_def"
_PLAIN = {  # dtypes that are sent as they lie in memory
    dtype.as_datatype_enum: np.dtype(dtype.np)
    for dtype in (
        dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32,
        dtypes.int64, dtypes.uint8, dtypes.uint32, dtypes.uint64,
    )
    if sys.byteorder == "little"
}  # fmt: skip
MOST_BYTES = 1 << 31  # that arrays of a request may take, where no limit is given


def feeds_of(request: Any, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """The arrays of a PredictRequest by name.

    Args:
        most_bytes: that all of them may take: a TensorProto can stand for an array
            that is much larger than itself.
    Raises:
        InvalidArgumentError: one is damaged. ResourceExhaustedError: too large.
    """
    found, left = {}, most_bytes
    for name, proto in request.inputs.items():
        array = _plain(proto)
        left -= _bytes_of(proto) if array is None else array.nbytes
        if left < 0:
            raise errors.ResourceExhaustedError(
                None, None,
                f"The input {name!r} has a shape for more than {most_bytes} bytes.",
            )  # fmt: skip
        try:
            found[name] = from_proto(proto) if array is None else array
        except (ValueError, TypeError) as error:
            raise invalid(f"The input {name!r} cannot be read: {error}") from None
    return found


def _plain(proto: Any) -> Any:
    """The array of a TensorProto that holds it as it lies in memory; None of others."""
    content, dtype = proto.tensor_content, _PLAIN.get(proto.dtype)
    if not content or dtype is None or len(content) % dtype.itemsize:
        return None
    shape = [d.size for d in proto.tensor_shape.dim]
    array = np.frombuffer(content, dtype)
    if min(shape, default=0) < 0 or math.prod(shape) != array.size:
        return None  # from_proto says what is wrong
    return array.reshape(shape).copy()


def _bytes_of(proto: Any) -> int:
    try:
        dtype = dtypes.as_dtype(proto.dtype)
        size = 8 if dtype is dtypes.string else np.dtype(dtype.np).itemsize
    except TypeError:  # from_proto says what is wrong
        return 0
    return math.prod(max(d.size, 0) for d in proto.tensor_shape.dim) * size


def examples_of(given: Any) -> Any:
    """The serialized tf.Examples of an Input, in an array.

    Raises:
        InvalidArgumentError: there are none.
    """
    kind = given.WhichOneof("kind")
    if kind == "example_list":
        found = [e.SerializeToString() for e in given.example_list.examples]
    elif kind == "example_list_with_context":
        # The features of the context come first: those of the example win.
        context = given.example_list_with_context.context.SerializeToString()
        found = []
        for example in given.example_list_with_context.examples:
            both = type(example).FromString(context)
            both.MergeFrom(example)
            found.append(both.SerializeToString())
    else:
        found = []
    if not found:
        raise invalid("Input is empty.")
    out = np.empty(len(found), object)
    out[:] = found
    return out


def signature_of(servable: Servable, name: str) -> Signature:
    """The signature of a name; "" is serving_default.

    Raises:
        FailedPreconditionError: there is none.
    """
    found = servable.signatures.get(name or "serving_default")
    if found is None:
        raise errors.FailedPreconditionError(
            None, None,
            f'Serving signature key "{name or "serving_default"}" not found. There '
            f"are: {', '.join(servable.signatures)}",
        )  # fmt: skip
    return found


def put_spec(spec: Any, version: Version, signature: str = "") -> None:
    """Say in a ModelSpec which version and signature answered."""
    spec.name, spec.signature_name = version.model, signature
    spec.version.value = version.number


def predicted(version: Version, signature: Signature, outputs: dict) -> bytes:
    """The PredictResponse with arrays, serialized.

    A message may be written in parts: what is the same in each response is made once.
    """
    parts = [_head(version.model, version.number, signature.name)]
    for name, array in outputs.items():
        dtype = signature.outputs[name].dtype
        number = dtype.as_datatype_enum
        if array.size < 2 or number not in _PLAIN:
            tensor = to_proto(array, dtype).SerializeToString()
        else:
            content = array.astype(_PLAIN[number], copy=False).tobytes()
            tensor = _shape(number, array.shape) + _field(_CONTENT, content)
        entry = _field(_KEY, name.encode()) + _field(_VALUE, tensor)
        parts.append(_field(_OUTPUTS, entry))
    return b"".join(parts)


_OUTPUTS, _KEY, _VALUE, _CONTENT = 1, 1, 2, 4  # numbers of fields


def _field(number: int, content: bytes) -> bytes:
    """A field with bytes in it: its tag, their length as a varint, they themselves."""
    head, left = bytearray((number << 3 | 2,)), len(content)
    while left > 127:
        head.append(left & 127 | 128)
        left >>= 7
    head.append(left)
    return bytes(head) + content


@functools.lru_cache(1024)
def _head(model: str, number: int, signature: str) -> bytes:
    response = serving["PredictResponse"]()
    spec = response.model_spec
    spec.name, spec.signature_name, spec.version.value = model, signature, number
    return response.SerializeToString()


@functools.lru_cache(1024)
def _shape(number: int, shape: tuple[int, ...]) -> bytes:
    """A TensorProto with the number of a dtype and a shape alone."""
    proto = TensorProto(dtype=number)
    for size in shape:
        proto.tensor_shape.dim.add(size=size)
    return proto.SerializeToString()


def put_classes(result: Any, rows: list[list[tuple[bytes, float]]]) -> None:
    """Put (label, score) pairs into a ClassificationResult."""
    for row in rows:
        found = result.classifications.add()
        for label, score in row:
            found.classes.add(label=label.decode(errors="replace"), score=score)


def put_values(result: Any, values: list[float]) -> None:
    """Put numbers into a RegressionResult."""
    for value in values:
        result.regressions.add(value=value)


def metadata_of(version: Version) -> Any:
    """The GetModelMetadataResponse of a version."""
    response = serving["GetModelMetadataResponse"]()
    put_spec(response.model_spec, version)
    signatures = serving["SignatureDefMap"]()
    for name, message in version.servable.messages.items():
        signatures.signature_def[name].CopyFrom(message)
    packed = response.metadata[_METADATA]
    packed.type_url = _ANY_PREFIX + signatures.DESCRIPTOR.full_name
    packed.value = signatures.SerializeToString()
    return response


def check_fields(fields: Any) -> None:
    """Refuse metadata that there is not.

    Raises:
        InvalidArgumentError: other fields than signature_def, or none.
    """
    if not fields:
        raise invalid(
            "GetModelMetadataRequest must specify at least one metadata_field"
        )
    for field in fields:
        if field != _METADATA:
            raise invalid(f"Metadata field {field} is not supported")


def status_of(versions: list[tuple[Version, int, str]]) -> Any:
    """The GetModelStatusResponse of versions.

    Args:
        versions: each with the code and text of what went wrong with it.
    """
    response = serving["GetModelStatusResponse"]()
    for version, code, text in versions:
        one = response.model_version_status.add()
        one.version, one.state = version.number, version.state
        one.status.error_code, one.status.error_message = code, text
    return response

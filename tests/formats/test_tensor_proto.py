"""Arrays as TensorProtos; the bytes are those that TensorFlow 1.12 writes."""

import numpy as np
import pytest

from twinflow.base import dtypes
from twinflow.formats.protos import messages
from twinflow.formats.tensor_proto import from_proto, make_ndarray, make_tensor_proto


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32([1, 2]), b'\x08\x01\x12\x04\x12\x02\x08\x02"\x08\0\0\x80?\0\0\0@'),
        (np.int32(3), b"\x08\x03\x12\x00:\x01\x03"),
        ("abc", b"\x08\x07\x12\x00B\x03abc"),
        ([True, False], b"\x08\n\x12\x04\x12\x02\x08\x02Z\x02\x01\x00"),
    ],
)
def test_bytes(value, text):
    assert make_tensor_proto(value).SerializeToString() == text


@pytest.mark.parametrize(
    "dtype",
    [t for t in dtypes.ALL_TYPES if t.np is not None and not t.is_quantized],
    ids=str,
)
def test_there_and_back(dtype):
    values = [b"a", b"\0"] if dtype is dtypes.string else [1, 0]
    for shape in ((2,), (2, 1), (0, 3), ()):
        array = np.array(values, dtype.np)[:1] if shape == () else values
        array = np.resize(np.array(array, dtype.np), shape)
        found = make_ndarray(make_tensor_proto(array, dtype))
        assert found.dtype == array.dtype and np.array_equal(found, array)


def test_a_short_list_goes_on_with_its_last_value():
    proto = make_tensor_proto([1.0, 2.0], shape=[2, 2])
    assert from_proto(proto).tolist() == [[1, 2], [2, 2]]
    with pytest.raises(ValueError, match="Too many elements"):
        make_tensor_proto([1, 2, 3], shape=[2])
    with pytest.raises(TypeError, match="Expected Tensor's shape"):
        make_tensor_proto([1, 2], shape=[4], verify_shape=True)


def test_a_schema():
    made = messages("A.B: x=1 *int32\nA: b=2 *A.B, s=7 string", "test_of_schemas")
    a = made["A"](s="q")
    a.b.add(x=[1, 2])
    assert a.SerializeToString() == b"\x12\x04\n\x02\x01\x02:\x01q"

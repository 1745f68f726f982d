"""DTypes; literals were read from TensorFlow 1.12 where nothing else is said."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from twinflow.base import dtypes as d

# name: enum, size, flags (f floating, i integer, c complex, b bool, u unsigned,
# q quantized, n numpy compatible)
FACTS = {
    "float16": (19, 2, "fn"),
    "float32": (1, 4, "fn"),
    "float64": (2, 8, "fn"),
    "bfloat16": (14, 2, "fn"),
    "complex64": (8, 8, "cn"),
    "complex128": (18, 16, "cn"),
    "int8": (6, 1, "in"),
    "int16": (5, 2, "in"),
    "int32": (3, 4, "in"),
    "int64": (9, 8, "in"),
    "uint8": (4, 1, "iun"),
    "uint16": (17, 2, "iun"),
    "uint32": (22, 4, "iun"),
    "uint64": (23, 8, "iun"),
    "bool": (10, 1, "bn"),
    "string": (7, 8, "n"),
    "resource": (20, 1, ""),
    "variant": (21, 1, ""),
    "qint8": (11, 1, "qn"),
    "quint8": (12, 1, "qn"),
    "qint16": (15, 2, "qn"),
    "quint16": (16, 2, "qn"),
    "qint32": (13, 4, "qn"),
}
FLAGS = {
    "f": "is_floating",
    "i": "is_integer",
    "c": "is_complex",
    "b": "is_bool",
    "u": "is_unsigned",
    "q": "is_quantized",
    "n": "is_numpy_compatible",
}


def test_all_types_are_the_table():
    assert {t.name for t in d.ALL_TYPES} == set(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_facts(name):
    enum, size, flags = FACTS[name]
    base = getattr(d, name)
    for t, offset, suffix in ((base, 0, ""), (base._as_ref, 100, "_ref")):
        assert (t.as_datatype_enum, t.size) == (enum + offset, size)
        assert {c for c, flag in FLAGS.items() if getattr(t, flag)} == set(flags)
        assert repr(t) == f"tf.{name}{suffix}"
        assert str(t) == f"<dtype: '{name}{suffix}'>"
        assert t.base_dtype is base and t._as_ref is base._as_ref
        assert t._is_ref_dtype == bool(suffix)
        assert d.as_dtype(t.name) is t and d.as_dtype(enum + offset) is t
        assert d.DType(enum + offset) is t and getattr(d, t.name) is t
        assert hash(t) == int(t) == enum + offset
        assert pickle.loads(pickle.dumps(t)) is t
        assert copy.deepcopy(t) is t and copy.copy(t) is t


@pytest.mark.parametrize(
    "value, name",
    [
        (float, "float32"),
        (bool, "bool"),
        (object, "string"),
        ("float", "float32"),
        ("double", "float64"),
        ("half", "float16"),
        ("half_ref", "float16_ref"),
        ("float_ref", "float32_ref"),
        (np.float32, "float32"),
        (np.bool_, "bool"),  # ours: 1.12 knows only Python's bool
        (np.intc, "int32"),
        (np.dtype("S3"), "string"),
        (np.dtype("U3"), "string"),
        (np.dtype("O"), "string"),
        (np.dtype([("qint8", np.int8)]), "qint8"),
        (d.bfloat16.as_numpy_dtype, "bfloat16"),
    ],
)
def test_as_dtype(value, name):
    assert d.as_dtype(value).name == name


@pytest.mark.parametrize(
    "value, text",
    [
        (int, "<class 'int'>"),
        (str, "<class 'str'>"),
        (bytes, "<class 'bytes'>"),
        (complex, "<class 'complex'>"),
        (None, "None"),
        ("foo", "'foo'"),
        ("f4", "'f4'"),
        ("<f4", "'<f4'"),
        (0, "0"),
        (200, "200"),
        (np.str_, "<class 'numpy.str_'>"),
        (np.dtype(">f4"), "dtype('>f4')"),
        (np.dtype("M8[s]"), "dtype('<M8[s]')"),
        (np.dtype([("a", np.int8)]), "dtype([('a', 'i1')])"),
    ],
)
def test_as_dtype_refuses(value, text):
    with pytest.raises(TypeError) as caught:
        d.as_dtype(value)
    assert str(caught.value) == f"Cannot convert value {text} to a TensorFlow DType."


@pytest.mark.parametrize("value", [[1], 2.0, True, np.float32(1)])
def test_as_dtype_is_stricter_than_tensorflow(value):
    """There numbers of any type are read as DataType numbers, and 2.0 is float64."""
    with pytest.raises(TypeError, match="Cannot convert value"):
        d.as_dtype(value)


def test_equality_takes_whatever_as_dtype_takes():
    assert d.float32 == np.float32 and np.float32 == d.float32
    assert d.float32 == "float32" and d.as_dtype(float) == 1
    assert d.float32 != "foo" and d.float32 != None  # noqa: E711 - it is __eq__
    assert d.float32 != [1] and d.float32 != d.float32_ref
    assert d.half is d.float16 and d.double is d.float64


def test_compatibility_lets_a_ref_be_read():
    assert d.float32.is_compatible_with(d.float32_ref)
    assert not d.float32_ref.is_compatible_with(d.float32)
    assert d.float32.is_compatible_with("float32")
    assert not d.string.is_compatible_with("bool")
    with pytest.raises(TypeError, match="Cannot convert value None"):
        d.float32.is_compatible_with(None)


def test_numpy_types():
    assert d.float32.as_numpy_dtype is np.float32 and d.bool.as_numpy_dtype is bool
    assert d.string.as_numpy_dtype is object and d.string.np == np.dtype(object)
    assert d.qint8.as_numpy_dtype == np.dtype([("qint8", "i1")])
    assert d.resource.np is None and d.variant.np is None
    with pytest.raises(KeyError, match="20"):
        d.resource.as_numpy_dtype


def test_from_numpy():
    for t in d.ALL_TYPES:
        if t.np is not None:
            assert d.from_numpy(t.np) is t
    assert d.from_numpy(np.array("text").dtype) is d.string
    assert d.from_numpy(np.array(b"bytes").dtype) is d.string
    assert d.from_numpy(np.dtype(np.longlong)) is d.int64
    with pytest.raises(TypeError, match="Cannot convert value"):
        d.from_numpy(np.dtype(">f4"))


def test_real_dtype():
    assert d.complex64.real_dtype is d.float32
    assert d.complex128_ref.real_dtype is d.float64
    assert d.float32_ref.real_dtype is d.float32_ref
    assert d.int8.real_dtype is d.int8


def test_limits():
    assert (d.int32.min, d.int32.max) == (-2147483648, 2147483647)
    assert d.uint64.max == 18446744073709551615 and type(d.int32.max) is int
    assert d.float16.max == 65504 and type(d.float16.max) is np.float16
    assert d.float64.min == -1.7976931348623157e308
    assert np.isclose(float(d.bfloat16.max), 3.38953139e38, rtol=1e-6)
    assert d.int8.limits == (0, 127) and d.float32.limits == (0, 1)
    for t in (d.complex64, d.bool, d.string, d.qint8, d.resource):
        with pytest.raises(TypeError, match=f"Cannot find minimum value of {t}"):
            t.min
        with pytest.raises(TypeError, match=f"Cannot find maximum value of {t}"):
            t.max


def test_number_that_names_no_type():
    with pytest.raises(TypeError, match="type_enum is not a valid"):
        d.DType(200)


def test_dtypes_are_immutable():
    with pytest.raises(AttributeError, match="immutable"):
        d.float32.name = "other"
    with pytest.raises(AttributeError, match="immutable"):
        del d.float32.size


def test_base_does_not_import_jax():
    names = "dtypes, errors, frames, nest, shapes"
    code = f"import sys; from twinflow.base import {names}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "jax" not in done.stdout.split()

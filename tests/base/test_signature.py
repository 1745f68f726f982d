"""Signatures: written in one line, or those of TensorFlow's OpDefs."""

import pytest

from twinflow.base import dtypes, signature


def test_a_line_is_read():
    sig = signature.parse("Sum(x: T, axis: host Tidx) -> (y: T); keep_dims=False")
    assert [(a.name, a.type_attr, a.host) for a in sig.inputs] == [
        ("x", "T", False),
        ("axis", "Tidx", True),
    ]
    assert sig.attrs == {"keep_dims": False} and sig.type_attrs == ()


@pytest.mark.parametrize(
    ("op_type", "host", "line"),
    [
        ("Erfc", "", "Erfc(x: T) -> (y: T)"),
        (
            "Sum",
            "reduction_indices",
            "Sum(input: T, reduction_indices: host Tidx) -> (output: T);"
            " keep_dims=False",
        ),
        (
            "ConcatV2",
            "axis",
            "ConcatV2(values: N*T, axis: host Tidx) -> (output: T)",
        ),
        ("Assert", "", "Assert(condition: bool, data: *T) -> (); summarize=3"),
        ("Angle", "", "Angle(input: T) -> (output: Tout); Tout=float32"),
    ],
)
def test_an_op_def_says_the_same_as_a_line(op_type, host, line):
    assert signature.of_op_def(op_type, host) == signature.parse(line)


def test_attributes_without_a_default_are_none():
    sig = signature.of_op_def("Cast")
    assert sig.attrs == {"DstT": None, "Truncate": False}
    assert sig.type_attrs == ("DstT",)


def test_our_own_attributes_come_last():
    sig = signature.of_op_def("Bitcast", attrs={"shape": None, "type": dtypes.int8})
    assert sig.attrs == {"type": dtypes.int8, "shape": None}
    assert sig.type_attrs == ("type",)


def test_an_op_that_tensorflow_has_not_needs_a_line():
    with pytest.raises(ValueError, match=r"TensorFlow 1\.12 has no op 'TwinTie'"):
        signature.of_op_def("TwinTie")


def test_allowed_types_are_in_the_order_of_tensorflow():
    assert signature.allowed_types("Erfc")["T"] == (
        dtypes.bfloat16,
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
    )
    assert not any(t.is_quantized for t in signature.allowed_types("Add")["T"])

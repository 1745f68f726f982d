"""The table of TensorFlow's OpDefs, and attributes as protocol buffers."""

import subprocess
import sys

import numpy as np
import pytest

from twinflow.base import dtypes, op_defs
from twinflow.base.op_defs import NO_DEFAULT, find
from twinflow.formats import protos
from twinflow.formats.attr_values import from_proto, kind_of, op_def_proto, to_proto


def test_every_line_is_read():
    for kind in op_defs.kinds():
        found = find(kind)
        assert found.name == kind
        named = {a.type_attr or a.list_attr for a in (*found.inputs, *found.outputs)}
        assert named - {""} <= found.attrs.keys(), kind
    assert len(op_defs.kinds()) > 1000 and find("NoSuchOp") is None


def test_what_an_entry_holds():
    pool = find("MaxPool")
    assert pool.inputs[0].type_attr == "T" and pool.attrs["ksize"].minimum == 4
    assert pool.attrs["T"].default is dtypes.float32
    assert pool.attrs["padding"].allowed == ("SAME", "VALID")
    assert pool.attrs["padding"].default is NO_DEFAULT
    assert find("EncodeJpeg").attrs["format"].allowed == ("", "grayscale", "rgb")
    assert find("AddN").inputs[0].number_attr == "N"
    assert find("Print").inputs[1].list_attr == "U"
    assert find("Assign").inputs[0].is_ref and "uninitialized" in find("Assign").flags
    assert find("DecodeCSV").attrs["field_delim"].default == ","
    assert find("Placeholder").attrs["shape"].default is None
    assert find("BatchFFT").removed == (15, "Use FFT")


def test_messages_of_op_defs():
    proto = op_def_proto(find("AddN"))
    assert proto.input_arg[0].number_attr == "N" and proto.is_commutative
    assert proto.attr[0].has_minimum and proto.attr[0].minimum == 1
    assert protos.DataType.DT_VARIANT in proto.attr[1].allowed_values.list.type


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("text", "string"), (-3, "int"), (0.5, "float"), (True, "bool"),
        (dtypes.int8, "type"), ((2, None), "shape"), (None, "shape"),
        ((1, 2), "list(int)"), (("a", "b"), "list(string)"), ((), "list(int)"),
        ((dtypes.bool,), "list(type)"), (((1,), None), "list(shape)"),
    ],
)  # fmt: skip
def test_attributes_there_and_back(value, kind):
    proto = to_proto(value, kind)
    assert from_proto(proto, kind) == value
    assert kind_of(proto) in (kind, "list(any)")


def test_floats_and_arrays():
    assert from_proto(to_proto(0.001, "float"), "float") == 0.001
    array = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(from_proto(to_proto(array, "tensor"), "tensor"), array)
    assert from_proto(to_proto(b"\xff", "string"), "string") == b"\xff"


def test_messages_print_their_maps_by_key():
    graph_def = protos.GraphDef()
    node = graph_def.node.add(name="a")
    for name in "cbad":
        node.attr[name].f = 1.0
    keys = [x for x in str(graph_def).split() if x.startswith('"') and len(x) == 3]
    assert keys == ['"a"', '"a"', '"b"', '"c"', '"d"']
    assert "f: 1.0" in repr(node.attr["a"])


def test_protocol_buffers_are_loaded_when_they_are_needed():
    code = (
        "import sys, twinflow as tf; tf.add(1., 2.).op; "
        "assert 'google.protobuf' not in sys.modules; tf.get_default_graph()"
        ".as_graph_def(); assert 'google.protobuf' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

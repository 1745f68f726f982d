"""Values as plain data and back, bit for bit."""

import json

import ml_dtypes
import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dtypes
from twinflow.base.op_lookup import known_op
from twinflow.base.state import Cell
from twinflow.capsules.lines import Lines, Texts
from twinflow.capsules.outside import is_outside
from twinflow.capsules.replaying import same
from twinflow.capsules.values import Absent, AbsentCell, Packer, Unpacker, digest
from twinflow.ops.core.flow import Elements
from twinflow.ops.random.streams import OriginalStream, Stream

NAN = np.array([0x7FC00001, 0xFFC00002], np.uint32).view(np.float32)  # two kinds


def there_and_back(value):
    packer = Packer({}, lambda cell: cell)
    told = json.loads(json.dumps(packer.value(value), allow_nan=False))
    cells = json.loads(json.dumps(packer.cells, allow_nan=False))
    return Unpacker(packer.arrays, cells, packer.handles).value(told)


@pytest.mark.parametrize("value", [
    None, True, 3, -(10**30), 0.1, float("inf"), "text \0 é", b"\0\xff", (),
    [1, (2, [])], {"a": (1.5, None)}, tf.float32, tf.float32._as_ref,
    dtypes.flow, dtypes.array_handle, np.dtype("int8"), tf.TensorShape([None, 3]),
    tf.TensorShape(None),
])  # fmt: skip
def test_plain_values(value):
    found = there_and_back(value)
    assert type(found) is type(value)
    assert str(found) == str(value)
    assert isinstance(value, tf.TensorShape) or found == value
    if isinstance(value, tf.DType):
        assert found is value


@pytest.mark.parametrize("value", [
    NAN, np.zeros((0, 3)), np.array(5), np.array([True]), np.array([1 + 2j]),
    np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1),
    np.array([1.5, 2], ml_dtypes.bfloat16), np.array([[b"a\0", b""]], object),
    np.asfortranarray(np.ones((3, 2), np.float32)),
])  # fmt: skip
def test_arrays(value):
    found = there_and_back(value)
    assert digest(found) == digest(value)
    assert same(found, value)


def test_the_bits_of_a_nan_count():
    other = NAN.copy()
    other.view(np.uint32)[0] += 1
    assert not same(NAN, other)
    assert not same(np.array(0.0), np.array(-0.0))
    assert not same(np.zeros(2, np.float32), np.zeros(2))


def test_one_cell_stays_one():
    cell = Cell("v", tf.float32, (2,), np.array([1.0, 2.0], np.float32))
    a, b = there_and_back([cell, cell])
    assert a is b
    assert (a.name, a.dtype, a.shape) == ("v", tf.float32, (2,))
    assert a.read().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", [Stream, OriginalStream])
def test_streams_go_on_where_they_were(kind):
    stream = kind((3, 5))
    stream.take(7)
    found = there_and_back(stream)
    assert type(found) is kind
    assert found.take().tolist() == stream.take().tolist()


def test_states_are_those_of_the_beginning():
    cell = Cell("v", tf.float32, (), np.float32(1))
    first = {id(cell): (cell, (np.array(1.0, np.float32), None))}
    cell.write(np.array(2.0, np.float32))
    packer = Packer(first, lambda c: c)
    told = packer.value(cell)
    found = Unpacker(packer.arrays, packer.cells, []).value(told)
    assert found.read() == 1.0


def test_what_stays_in_its_process():
    class Table(Cell):
        __slots__ = ()

    assert isinstance(there_and_back(Table("t", tf.resource, ())), AbsentCell)
    assert isinstance(there_and_back(print), Absent)
    assert isinstance(there_and_back(np.array([print], object)), Absent)


def test_elements_of_tensor_arrays():
    found = there_and_back(Elements({0: NAN, 4: np.float32(2)}, 5))
    assert (sorted(found.items), found.size) == ([0, 4], 5)
    assert same(found.items[0], NAN)


@pytest.mark.parametrize("told", [
    {}, {"a": 0}, {"c": -1}, {"d": 5}, {"q": 1}, 1.5, {"b": "%"}, {"f": "x"}, {"h": 0},
])  # fmt: skip
def test_what_no_packer_writes(told):
    with pytest.raises((ValueError, TypeError)):
        Unpacker([], [], []).value(told)


def test_lines_go_with_their_texts():
    lines = Lines()
    numbers = lines.here()
    texts = Texts(lines.frames, lines.texts())
    texts.show()
    code, _ = texts.pairs(numbers[:1])[0]
    assert code.co_filename == __file__
    assert code.co_name == "test_lines_go_with_their_texts"


@pytest.mark.parametrize(("outside", "kinds"), [
    (True, "PyFunc EagerPyFunc PyFuncStateless ReadFile WriteFile MatchingFiles SaveV2 "
     "RestoreV2 IteratorGetNext QueueDequeueV2 ReaderReadV2 LookupTableFindV2 Print "
     "PrintV2 WriteSummary OneShotIterator MakeIterator DatasetToTFRecord RecordInput"),
    (False, "MatMul RandomUniform AssignAddVariableOp Assign Assert CheckNumerics "
     "While PartitionedCall TensorArrayV3 VarHandleOp VariableV2 NoOp"),
])  # fmt: skip
def test_which_ops_reach_outside(outside, kinds):
    for kind in kinds.split():
        assert is_outside(known_op(kind)) == outside, kind

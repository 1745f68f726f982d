"""Dimension and TensorShape; literals from TensorFlow 1.12 if not said to be ours."""

import copy
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from twinflow.base import dtypes, shapes
from twinflow.base.dimension import Dimension, as_dimension
from twinflow.base.shapes import TensorShape

D, S = Dimension, TensorShape
NAMES = {"D": D, "S": S, "np": np, "dtypes": dtypes}


def show(text):
    return repr(eval(text, NAMES))


@pytest.mark.parametrize(
    "text, result",
    [
        ("D(7) + 2", "Dimension(9)"),
        ("2 + D(7)", "Dimension(9)"),
        ("D(7) + None", "Dimension(None)"),
        ("D(7) + D(None)", "Dimension(None)"),
        ("D(None) + 2", "Dimension(None)"),
        ("D(7) + '3'", "Dimension(10)"),
        ("D(7) - 2", "Dimension(5)"),
        ("20 - D(7)", "Dimension(13)"),
        ("None - D(7)", "Dimension(None)"),
        ("D(7) * 2", "Dimension(14)"),
        ("D(7) * np.int32(3)", "Dimension(21)"),
        ("D(7) * 'x'", "'xxxxxxx'"),
        ("2.0 * D(3)", "Dimension(6)"),
        ("D(None) * 0", "Dimension(None)"),
        ("[0] * D(3)", "[0, 0, 0]"),
        ("D(7) // 2", "Dimension(3)"),
        ("20 // D(7)", "Dimension(2)"),
        ("D(None) // 0", "Dimension(None)"),
        ("D(7) % 2", "Dimension(1)"),
        ("20 % D(7)", "Dimension(6)"),
        ("D(7) < 2", "False"),
        ("2 < D(7)", "True"),
        ("D(7) < None", "None"),
        ("D(None) >= D(2)", "None"),
        ("D(7) >= '3'", "True"),
        ("D(3) == 3", "True"),
        ("3 == D(3)", "True"),
        ("D(3) == '3'", "True"),
        ("D(3) == 2.5", "False"),
        ("D(3) == -1", "False"),
        ("D(3) == [3]", "False"),
        ("D(3) == None", "None"),
        ("D(None) == None", "None"),
        ("D(None) == 'x'", "False"),
        ("D(3) != 4", "True"),
        ("D(3) != 'x'", "True"),
        ("D(None) != D(None)", "None"),
        ("bool(D(0))", "True"),
        ("D('3')", "Dimension(3)"),
        ("D(2.0)", "Dimension(2)"),
        ("D(np.int64(4))", "Dimension(4)"),
        ("D(D(3))", "Dimension(3)"),
        ("int(D(3))", "3"),
        ("range(D(3))", "range(0, 3)"),
        ("np.zeros(D(2)).shape", "(2,)"),
        ("str(D(None))", "'?'"),
        ("str(D(3))", "'3'"),
        ("D(3).merge_with(None)", "Dimension(3)"),
        ("D(None).merge_with(4)", "Dimension(4)"),
        ("D(3).is_compatible_with(4)", "False"),
        ("D(3).is_compatible_with(None)", "True"),
    ],
)
def test_dimension(text, result):
    assert show(text) == result


@pytest.mark.parametrize(
    "text, kind, message",
    [
        ("D(7) + 2.5", ValueError, "Ambiguous dimension: 2.5"),
        ("D(None) < 2.5", ValueError, "Ambiguous dimension: 2.5"),
        ("D(7) + 'x'", ValueError, "invalid literal for int() with base 10: 'x'"),
        ("D(7) + -1", ValueError, "Dimension -1 must be >= 0"),
        ("2 - D(7)", ValueError, "Dimension -5 must be >= 0"),
        ("D(-1)", ValueError, "Dimension -1 must be >= 0"),
        ("D(3).merge_with(4)", ValueError, "Dimensions 3 and 4 are not compatible"),
        (
            "D(dtypes.float32)",
            TypeError,
            "Cannot convert <dtype: 'float32'> to Dimension",
        ),
        (
            "D(7) * 2.5",
            TypeError,
            "unsupported operand type(s) for *: 'Dimension' and 'float'",
        ),
        (
            "D(3) * -1",
            TypeError,
            "unsupported operand type(s) for *: 'Dimension' and 'int'",
        ),
    ],
)
def test_dimension_errors(text, kind, message):
    with pytest.raises(kind) as caught:
        show(text)
    assert str(caught.value) == message


def test_true_division_is_ours():
    assert D(7) / 2 == 3.5 and 7 / D(2) == 3.5 and D(8) / D(2) == 4.0
    assert D(3) / 0.5 == 6.0 and type(D(8) / 2) is float
    assert (D(None) / 2).value is None and (2 / D(None)).value is None
    with pytest.raises(ZeroDivisionError):
        D(7) / 0


def test_unknown_dimension_as_integer():
    with pytest.raises(TypeError) as caught:
        range(D(None))
    expected = "'NoneType' object cannot be interpreted as an integer"
    assert str(caught.value) == expected
    with pytest.raises(TypeError) as caught:
        int(D(None))
    with pytest.raises(TypeError) as of_none:
        int(None)
    assert str(caught.value) == str(of_none.value)


def test_operands_that_are_no_numbers_go_first():
    class Value:
        def __radd__(self, other):
            return "radd"

        def __rmul__(self, other):
            return "rmul"

        def __gt__(self, other):
            return "gt"

    assert D(3) + Value() == "radd" and D(3) * Value() == "rmul"
    assert (D(3) < Value()) == "gt"


@pytest.mark.parametrize(
    "text, result",
    [
        ("S(None)", "TensorShape(None)"),
        ("S([])", "TensorShape([])"),
        ("S([2, None])", "TensorShape([Dimension(2), Dimension(None)])"),
        ("S(3)", "TensorShape([Dimension(3)])"),
        ("S(D(3))", "TensorShape([Dimension(3)])"),
        ("S(2.0)", "TensorShape([Dimension(2)])"),
        ("S(S([1, 2]))", "TensorShape([Dimension(1), Dimension(2)])"),
        ("S(np.array([1, 2]))", "TensorShape([Dimension(1), Dimension(2)])"),
        ("S(x for x in [1])", "TensorShape([Dimension(1)])"),
        ("str(S(None))", "'<unknown>'"),
        ("str(S([]))", "'()'"),
        ("str(S([2]))", "'(2,)'"),
        ("str(S([2, None]))", "'(2, ?)'"),
        ("str(S([None]))", "'(?,)'"),
        ("S([1]).dims", "[Dimension(1)]"),
        ("S(None).dims", "None"),
        ("S([1]).ndims", "1"),
        ("S(None).ndims", "None"),
        ("len(S([1, 2]))", "2"),
        ("bool(S(None))", "False"),
        ("bool(S([]))", "True"),
        ("list(S([1, None]))", "[Dimension(1), Dimension(None)]"),
        ("2 in S([2, 3])", "True"),
        ("S([1, 2, 3])[-1]", "Dimension(3)"),
        ("S([1, 2, 3])[D(1)]", "Dimension(2)"),
        ("S([1, 2, 3])[::2]", "TensorShape([Dimension(1), Dimension(3)])"),
        ("S(None)[0]", "Dimension(None)"),
        ("S(None)[1:]", "TensorShape(None)"),
        ("S(None)[1:3]", "TensorShape([Dimension(None), Dimension(None)])"),
        ("S(None)[3:1]", "TensorShape([])"),
        ("S(None)[:-1]", "TensorShape(None)"),
        ("S(None)[-3:-1]", "TensorShape(None)"),
        ("S(None).num_elements()", "None"),
        ("S([2, 3]).num_elements()", "6"),
        ("S([]).num_elements()", "1"),
        ("S([0, None]).num_elements()", "None"),
        (
            "S([2, None]).merge_with([None, 3])",
            "TensorShape([Dimension(2), Dimension(3)])",
        ),
        ("S(None).merge_with([2])", "TensorShape([Dimension(2)])"),
        ("S([2]).merge_with(None)", "TensorShape([Dimension(2)])"),
        ("S([3]).concatenate(4)", "TensorShape([Dimension(3), Dimension(4)])"),
        ("S(None).concatenate([3])", "TensorShape(None)"),
        ("S([3]).concatenate(None)", "TensorShape(None)"),
        ("S(None).with_rank(2)", "TensorShape([Dimension(None), Dimension(None)])"),
        ("S(None).with_rank(None)", "TensorShape(None)"),
        ("S([1]).with_rank_at_least(1)", "TensorShape([Dimension(1)])"),
        ("S(None).with_rank_at_most(1)", "TensorShape(None)"),
        ("S([1]).is_compatible_with([None])", "True"),
        ("S([1]).is_compatible_with([2])", "False"),
        ("S([1]).is_compatible_with([1, 1])", "False"),
        ("S([1]).is_compatible_with(None)", "True"),
        (
            "S([1, 2]).most_specific_compatible_shape([1, 3])",
            "TensorShape([Dimension(1), Dimension(None)])",
        ),
        ("S([1, 2]).most_specific_compatible_shape([1])", "TensorShape(None)"),
        ("S([1]).is_fully_defined()", "True"),
        ("S([]).is_fully_defined()", "True"),
        ("S([None]).is_fully_defined()", "False"),
        ("S(None).is_fully_defined()", "False"),
        ("S([1, None]).as_list()", "[1, None]"),
        ("S([1]) == [1]", "True"),
        ("[1] == S([1])", "True"),
        ("S([1]) == 1", "True"),
        ("S([None]) == S([None])", "False"),
        ("S([None]) != [None]", "True"),
        ("S(None) == None", "True"),
        ("S([1]) == None", "False"),
        ("S([1]) == 'x'", "False"),
        ("S([1]) != 'x'", "True"),
        ("S([1]) == {}", "False"),
        ("S([1]) == object()", "False"),
        ("S([1]) != [1]", "False"),
        ("S([1, 2]) != [1, None]", "True"),
        ("np.zeros(S([2, 3])).shape", "(2, 3)"),
        ("S([2]).assert_same_rank(None)", "None"),
        ("S(None).assert_has_rank(2)", "None"),
        ("S([1]).assert_is_fully_defined()", "None"),
    ],
)
def test_shape(text, result):
    assert show(text) == result


@pytest.mark.parametrize(
    "text, message",
    [
        ("S([-1])", "Dimension -1 must be >= 0"),
        ("S([2.5])", "Ambiguous dimension: 2.5"),
        ("len(S(None))", "Cannot take the length of Shape with unknown rank."),
        ("iter(S(None))", "Cannot iterate over a shape with unknown rank."),
        ("S(None)[0:4:2]", "Steps are not yet handled"),
        ("S([2]).merge_with([3])", "Shapes (2,) and (3,) are not compatible"),
        ("S([2]).merge_with([2, 3])", "Shapes (2,) and (2, 3) are not compatible"),
        (
            "S([2]).assert_same_rank([3, 4])",
            "Shapes (2,) and (3, 4) must have the same rank",
        ),
        ("S([1]).assert_has_rank(2)", "Shape (1,) must have rank 2"),
        ("S([1]).with_rank(2)", "Shape (1,) must have rank 2"),
        ("S([1]).with_rank_at_least(2)", "Shape (1,) must have rank at least 2"),
        (
            "S([1, 2, 3]).with_rank_at_most(2)",
            "Shape (1, 2, 3) must have rank at most 2",
        ),
        (
            "S([None, 2]).assert_is_compatible_with([3])",
            "Shapes (?, 2) and [3] are incompatible",
        ),
        ("S([None]).assert_is_fully_defined()", "Shape (?,) is not fully defined"),
        ("S(None).assert_is_fully_defined()", "Shape <unknown> is not fully defined"),
        ("S(None).as_list()", "as_list() is not defined on an unknown TensorShape."),
        ("S([1]) != None", "The inequality of unknown TensorShapes is undefined."),
        ("S(None) != [2]", "The inequality of unknown TensorShapes is undefined."),
    ],
)
def test_shape_errors(text, message):
    with pytest.raises(ValueError) as caught:
        show(text)
    assert str(caught.value) == message


def test_text_is_no_shape():
    with pytest.raises(TypeError) as caught:
        S("12")
    assert str(caught.value) == (
        "A string has ambiguous TensorShape, please wrap in a list or convert to an "
        "int: 12"
    )


def test_shape_from_proto():
    sizes = [SimpleNamespace(size=-1), SimpleNamespace(size=3)]
    proto = SimpleNamespace(unknown_rank=False, dim=sizes)
    assert S(proto).tuple == (None, 3)
    assert S(SimpleNamespace(unknown_rank=True, dim=[])).tuple is None


def test_shapes_keep_a_plain_tuple_and_pickle_and_hash():
    shape = S([D(2), np.int64(3), None])
    assert shape.tuple == (2, 3, None) and type(shape.tuple[1]) is int
    assert pickle.loads(pickle.dumps(shape)).tuple == shape.tuple
    assert copy.deepcopy(shape).tuple == shape.tuple
    assert pickle.loads(pickle.dumps(D(3))) == D(3) and copy.deepcopy(D(3)) == D(3)
    assert hash(S([2, 3])) == hash((2, 3)) and hash(D(3)) == hash(3)
    assert len({S([2]), S([2])}) == 1


def test_makers():
    assert shapes.unknown_shape().tuple is None
    assert shapes.unknown_shape(2).tuple == (None, None)
    assert shapes.scalar().tuple == () and shapes.vector(3).tuple == (3,)
    assert shapes.matrix(2, None).tuple == (2, None)
    shape = S([1])
    assert shapes.as_shape(shape) is shape and shapes.as_shape(None).tuple is None
    assert as_dimension(3) == D(3)


@pytest.mark.parametrize(
    "a, b, result",
    [
        ((2, 1), (3,), (2, 3)),
        ((2, None), (3,), (2, 3)),
        ((2, None), (1,), (2, None)),
        (None, (3,), None),
        ((None,), (None,), (None,)),
        ((0,), (1,), (0,)),
        ((None,), (0,), (None,)),
        ((None, 1), (None, 4), (None, 4)),
        ((), (5,), (5,)),
    ],
)
def test_broadcast(a, b, result):
    assert shapes.broadcast(a, b) == result
    assert shapes.broadcast(b, a) == result


@pytest.mark.parametrize("a, b", [((2,), (3,)), ((0,), (3,)), ((4, 2), (5, 3, 2))])
def test_broadcast_refuses(a, b):
    with pytest.raises(ValueError) as caught:
        shapes.broadcast(a, b)
    text = f"Incompatible shapes for broadcasting: {a} and {b}"
    assert str(caught.value) == text


def test_merge_and_compatible():
    assert shapes.merge((2, None), (None, 3)) == (2, 3)
    assert shapes.merge(None, (2,)) == (2,) == shapes.merge((2,), None)
    assert shapes.merge(None, None) is None
    assert shapes.compatible((2, None), (None, 3)) and shapes.compatible(None, (2,))
    assert not shapes.compatible((2,), (3,)) and not shapes.compatible((2,), (2, 2))
    with pytest.raises(ValueError, match=r"Shapes \(2,\) and \(3,\) are not compat"):
        shapes.merge((2,), (3,))

"""Nested structures; literals from TensorFlow 1.12 if not said to be ours."""

import collections

import numpy as np
import pytest

from twinflow.base import nest as n
from twinflow.base import structure_kinds

P = collections.namedtuple("P", "x y")
P2 = collections.namedtuple("P", "x y")
Q = collections.namedtuple("Q", "x y")
OD, UserDict, deque = collections.OrderedDict, collections.UserDict, collections.deque


class Field:
    def __init__(self, name):
        self.name = name


class A:
    """What the attrs package makes of a class with fields a and b."""

    __attrs_attrs__ = (Field("a"), Field("b"))

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __repr__(self):
        return f"A(a={self.a!r}, b={self.b!r})"


class L(list):
    pass


class T(tuple):
    pass


class DD(dict):
    pass


od = OD([("b", 1), ("a", 2)])


def pair(x, y):
    return (x, y)


def run(text):
    return eval(text, globals())


@pytest.mark.parametrize(
    "value, result",
    [
        *((v, False) for v in (1, "a", b"a", None, {1}, np.zeros(2), {}.keys())),
        *((v, True) for v in ([], {}, P(1, 2), A(1, 2), L(), od, deque(), range(2))),
        (UserDict(), True),
        (collections.UserList(), True),
        (collections.defaultdict(int), True),
    ],
)
def test_is_sequence(value, result):
    assert n.is_sequence(value) is result


@pytest.mark.parametrize(
    "text, result",
    [
        ("n.flatten(1)", "[1]"),
        ("n.flatten('ab')", "['ab']"),
        ("n.flatten(None)", "[None]"),
        ("n.flatten([])", "[]"),
        ("n.flatten([[], [[]]])", "[]"),
        ("n.flatten([1, (2, None), {'b': 3, 'a': 4}])", "[1, 2, None, 4, 3]"),
        ("n.flatten(od)", "[2, 1]"),
        ("n.flatten(P(1, [2]))", "[1, 2]"),
        ("n.flatten(A(1, [2, 3]))", "[1, 2, 3]"),
        ("n.flatten({1, 2})", "[{1, 2}]"),
        ("n.flatten(range(3))", "[0, 1, 2]"),
        ("n.flatten(deque([1, 2]))", "[1, 2]"),
        ("n.flatten(UserDict({'b': 1, 'a': 2}))", "[2, 1]"),
        ("n.flatten({'b': {'d': 1, 'c': 2}, 'a': 3})", "[3, 2, 1]"),
        ("n.pack_sequence_as(1, [5])", "5"),
        ("n.pack_sequence_as([1, (2, 3)], [5, 6, 7])", "[5, (6, 7)]"),
        ("list(n.pack_sequence_as(od, [5, 6]).items())", "[('b', 6), ('a', 5)]"),
        ("n.pack_sequence_as(P(1, [2]), [5, 6])", "P(x=5, y=[6])"),
        ("n.pack_sequence_as(A(1, 2), [5, 6])", "A(a=5, b=6)"),
        ("n.pack_sequence_as({'b': 1, 'a': 2}, [5, 6])", "{'b': 6, 'a': 5}"),
        ("n.pack_sequence_as([1, 2], (5, 6))", "[5, 6]"),
        ("n.pack_sequence_as(deque([1, 2]), [5, 6])", "deque([5, 6])"),
        ("n.pack_sequence_as([], [])", "[]"),
        ("n.map_structure(lambda x: x + 1, [1, (2,)])", "[2, (3,)]"),
        ("n.map_structure(lambda x: x, None)", "None"),
        ("n.map_structure(lambda x: x, [])", "[]"),
        ("list(n.map_structure(lambda x: -x, od).items())", "[('b', -1), ('a', -2)]"),
        (
            "n.map_structure(pair, [1, 2], (3, 4), check_types=False)",
            "[(1, 3), (2, 4)]",
        ),
        ("n.map_structure(pair, P(1, 2), P2(3, 4))", "P(x=(1, 3), y=(2, 4))"),
        ("n.map_structure(pair, {'a': 1}, OD([('a', 2)]))", "{'a': (1, 2)}"),
        ("n.map_structure(pair, {'a': 1}, [2], check_types=False)", "{'a': (1, 2)}"),
        ("n.map_structure(pair, A(1, 2), A(3, 4))", "A(a=(1, 3), b=(2, 4))"),
        ("n.map_structure(pair, L([1]), [1])", "[(1, 1)]"),
        (
            "n.map_structure_with_paths(pair, [1, {'a': 2}])",
            "[('0', 1), {'a': ('1/a', 2)}]",
        ),
        ("n.map_structure_with_paths(pair, 1)", "('', 1)"),
        ("n.map_structure_with_paths(pair, P(1, 2))", "P(x=('x', 1), y=('y', 2))"),
        ("n.flatten_up_to([1, 2], [[3], {'a': 4}])", "[[3], {'a': 4}]"),
        ("n.flatten_up_to(1, [3, 4])", "[[3, 4]]"),
        (
            "n.flatten_up_to({'b': 0, 'a': [1]}, {'b': [5], 'a': [7]})",
            "[7, [5]]",
        ),
        ("n.flatten_up_to(P(1, 2), P2([1], 2))", "[[1], 2]"),
        ("n.map_structure_up_to([1, 2], len, [[1], [2, 3]])", "[1, 2]"),
        (
            "n.map_structure_up_to([1, 2], pair, [[1], [2, 3]], [5, 6])",
            "[([1], 5), ([2, 3], 6)]",
        ),
        ("n.map_structure_up_to(0, lambda x: x, {'a': [1]})", "{'a': [1]}"),
        (
            "n.flatten_dict_items({(4, 5, (6, 8)): ('a', 'b', ('c', 'd'))})",
            "{4: 'a', 5: 'b', 6: 'c', 8: 'd'}",
        ),
        ("n.flatten_dict_items({4: (1, 2), (1,): 5})", "{4: (1, 2), 1: 5}"),
        ("list(n.yield_flat_paths(1))", "[()]"),
        (
            "list(n.yield_flat_paths([1, [2, {'b': 3, 'a': 4}]]))",
            "[(0,), (1, 0), (1, 1, 'a'), (1, 1, 'b')]",
        ),
        ("list(n.yield_flat_paths(P(1, 2)))", "[('x',), ('y',)]"),
        ("list(n.yield_flat_paths({'a': [], 'b': [1]}))", "[('b', 0)]"),
        (
            "n.flatten_with_joined_string_paths([1, {'b': 3, 'a': P(4, 5)}])",
            "[('0', 1), ('1/a/x', 4), ('1/a/y', 5), ('1/b', 3)]",
        ),
        (
            "n.flatten_with_joined_string_paths({'a': {'b': 1}}, separator='.')",
            "[('a.b', 1)]",
        ),
        (
            "n.get_traverse_shallow_structure("
            "lambda s: isinstance(s, (list, tuple)), [1, {'a': 2}, (3,)])",
            "[False, False, (False,)]",
        ),
        (
            "n.get_traverse_shallow_structure(lambda s: True, {'a': [1], 'b': 2})",
            "{'a': [True], 'b': True}",
        ),
        ("n.get_traverse_shallow_structure(lambda s: False, [1])", "False"),
        (
            "n.get_traverse_shallow_structure(lambda s: {'a': True, 'b': False} "
            "if isinstance(s, dict) else True, {'a': [1], 'b': [2]})",
            "{'a': [True], 'b': False}",
        ),
    ],
)
def test_result(text, result):
    assert repr(run(text)) == result


@pytest.mark.parametrize("cls", [L, T])
def test_subclasses_are_kept(cls):
    packed = n.pack_sequence_as(cls([1, 2]), [5, 6])
    assert type(packed) is cls and list(packed) == [5, 6]


def test_mapping_classes_are_kept():
    assert type(n.pack_sequence_as(DD(b=1, a=2), [5, 6])) is DD
    packed = n.pack_sequence_as(UserDict(b=1, a=2), [5, 6])
    assert type(packed) is UserDict and packed == {"a": 5, "b": 6}


def test_beyond_tensorflow():
    """TensorFlow 1.12 fails on the first two and drops the fields of the third."""
    default = collections.defaultdict(int, b=1, a=2)
    packed = n.map_structure(str, default)
    assert packed == {"a": "2", "b": "1"} and packed.default_factory is int
    assert n.map_structure(str, range(2)) == ["0", "1"]
    assert list(n.yield_flat_paths(A(1, [2]))) == [("a",), ("b", 0)]


@pytest.mark.parametrize(
    "text",
    [
        "n.assert_same_structure(1, 2)",
        "n.assert_same_structure('ab', 'cde')",
        "n.assert_same_structure([1, 2], (1, 2), check_types=False)",
        "n.assert_same_structure({'a': 1}, {'b': 1}, check_types=False)",
        "n.assert_same_structure(P(1, 2), P2(1, 2))",
        "n.assert_same_structure([None], [1])",
        "n.assert_same_structure({'a': 1}, DD({'a': 1}))",
        "n.assert_same_structure({'a': 1}, UserDict({'a': 1}))",
        "n.assert_same_structure([1], L([1]))",
        "n.assert_shallow_structure([1], [[3]])",
        "n.assert_shallow_structure(1, [[3]])",
        "n.assert_shallow_structure((1, 2), P(1, 2))",
        "n.assert_shallow_structure([1], L([1]))",
        "n.assert_shallow_structure([1, 2], {'a': 1, 'b': 2}, check_types=False)",
        "n.assert_shallow_structure([[1]], [(1,)], check_types=False)",
    ],
)
def test_alike(text):
    assert run(text) is None


SEQUENCE = 'Substructure "{}" is a sequence, while substructure "{}" is not'
NUMBER = (
    "The two structures don't have the same number of elements. First structure: {}. "
    "Second structure: {}"
)
KIND = (
    "The two namedtuples don't have the same sequence type. First structure {} has "
    "type {}, while second structure {} has type {}"
)
KEYS = (
    "The two dictionaries don't have the same set of keys. First structure has keys "
    "type=list str={}, while second structure has keys type=list str={}"
)


@pytest.mark.parametrize(
    "a, b, kind, reason, dots",
    [
        (
            1,
            [2],
            ValueError,
            SEQUENCE.format("type=list str=[2]", "type=int str=1"),
            ".|[.]",
        ),
        (
            [1, 2],
            [1, [2], 3],
            ValueError,
            SEQUENCE.format("type=list str=[2]", "type=int str=2"),
            "[., .]|[., [.], .]",
        ),
        (
            np.zeros(2),
            [1, 2],
            ValueError,
            SEQUENCE.format("type=list str=[1, 2]", "type=ndarray str=[0. 0.]"),
            ".|[., .]",
        ),
        (
            [1, 2],
            [1],
            ValueError,
            NUMBER.format("type=list str=[1, 2]", "type=list str=[1]"),
            "[., .]|[.]",
        ),
        (
            [[[1, 2], 3], 4],
            [[[1, 2]], 3],
            ValueError,
            NUMBER.format("type=list str=[[1, 2], 3]", "type=list str=[[1, 2]]"),
            "[[[., .], .], .]|[[[., .]], .]",
        ),
        (
            [1, (2, 3)],
            [1, [2, 3]],
            TypeError,
            KIND.format(
                "type=tuple str=(2, 3)", "tuple", "type=list str=[2, 3]", "list"
            ),
            "[., (., .)]|[., [., .]]",
        ),
        (
            P(1, 2),
            Q(1, 2),
            TypeError,
            KIND.format("type=P str=P(x=1, y=2)", "P", "type=Q str=Q(x=1, y=2)", "Q"),
            "P(x=., y=.)|Q(x=., y=.)",
        ),
        (
            (1, 2),
            P(1, 2),
            TypeError,
            KIND.format(
                "type=tuple str=(1, 2)", "tuple", "type=P str=P(x=1, y=2)", "P"
            ),
            "(., .)|P(x=., y=.)",
        ),
        (
            [1],
            T([1]),
            TypeError,
            KIND.format("type=list str=[1]", "list", "type=T str=(1,)", "T"),
            "[.]|(.,)",
        ),
        (
            {"b": 1, "a": 2},
            {"c": 1, "a": 2},
            ValueError,
            KEYS.format("['b', 'a']", "['c', 'a']"),
            "{'b': ., 'a': .}|{'c': ., 'a': .}",
        ),
        (
            [1, {"a": 2}],
            [1, {"b": 2}],
            ValueError,
            KEYS.format("['a']", "['b']"),
            "[., {'a': .}]|[., {'b': .}]",
        ),
    ],
)
def test_not_the_same(a, b, kind, reason, dots):
    first, second = dots.split("|")
    expected = (
        "The two structures don't have the same nested structure.\n\n"
        f"First structure: type={type(a).__name__} str={a}\n\n"
        f"Second structure: type={type(b).__name__} str={b}\n\n"
        f"More specifically: {reason}\nEntire first structure:\n{first}\n"
        f"Entire second structure:\n{second}"
    )
    for check in (n.assert_same_structure, lambda a, b: n.map_structure(pair, a, b)):
        with pytest.raises(kind) as caught:
            check(a, b)
        assert str(caught.value) == expected


LENGTH = (
    "The two structures don't have the same sequence length. Input structure has "
    "length {}, while shallow structure has length {}."
)
SHALLOW = (
    "The two structures don't have the same sequence type. Input structure has type "
    "{}, while shallow structure has type {}."
)
LEAF = (
    "If shallow structure is a sequence, input must also be a sequence. Input has "
    "type: <class 'int'>."
)
PACK = "Could not pack sequence. Structure had {} elements, but flat_sequence had {} "
FLAT = "Could not flatten dictionary. Key had 2 elements, but value had {} elements. "
SCALAR = "Structure is a scalar but len(flat_sequence) == {} > 1"


@pytest.mark.parametrize(
    "text, kind, message",
    [
        ("n.flatten_up_to([1], [3, 4])", ValueError, LENGTH.format(2, 1)),
        ("n.flatten_up_to([], [1])", ValueError, LENGTH.format(1, 0)),
        (
            "n.flatten_up_to({'a': 1}, {'a': 2, 'b': 2})",
            ValueError,
            LENGTH.format(2, 1),
        ),
        ("n.flatten_up_to([1, [2]], [3, 4])", TypeError, LEAF),
        ("n.assert_shallow_structure({'a': 1}, 1)", TypeError, LEAF),
        (
            "n.flatten_up_to([1], (2,))",
            TypeError,
            SHALLOW.format(tuple, list),
        ),
        (
            "n.assert_shallow_structure(L([1]), [1])",
            TypeError,
            SHALLOW.format(list, L),
        ),
        (
            "n.assert_shallow_structure(P(1, 2), (1, 2))",
            TypeError,
            SHALLOW.format(tuple, P),
        ),
        (
            "n.assert_shallow_structure(P(1, 2), Q(1, 2))",
            TypeError,
            SHALLOW.replace("structures don't", "namedtuples don't").format(Q, P),
        ),
        (
            "n.assert_shallow_structure({'a': {'b': 1}}, {'a': {'c': 1}})",
            ValueError,
            "The two structures don't have the same keys. Input structure has keys "
            "['c'], while shallow structure has keys ['b'].",
        ),
        (
            "n.map_structure_up_to([1, 2], pair, [[1], [2, 3]], [5])",
            ValueError,
            LENGTH.format(1, 2),
        ),
        (
            "n.map_structure_up_to([1], len)",
            ValueError,
            "Cannot map over no sequences",
        ),
        (
            "n.pack_sequence_as([1, 2], [5])",
            ValueError,
            PACK.format(2, 1) + "elements.  Structure: [1, 2], flat_sequence: [5].",
        ),
        (
            "n.pack_sequence_as([], [1])",
            ValueError,
            PACK.format(0, 1) + "elements.  Structure: [], flat_sequence: [1].",
        ),
        ("n.pack_sequence_as(1, [5, 6])", ValueError, SCALAR.format(2)),
        ("n.pack_sequence_as(None, [])", ValueError, SCALAR.format(0)),
        (
            "n.pack_sequence_as([1, 2], 5)",
            TypeError,
            "flat_sequence must be a sequence",
        ),
        (
            "n.pack_sequence_as([1, 2], 'ab')",
            TypeError,
            "flat_sequence must be a sequence",
        ),
        (
            "n.pack_sequence_as({1: 2, 'a': 3}, [5, 6])",
            TypeError,
            "nest only supports dicts with sortable keys.",
        ),
        ("n.map_structure(1, [1])", TypeError, "func must be callable, got: 1"),
        ("n.map_structure(len)", ValueError, "Must provide at least one structure"),
        (
            "n.map_structure(len, [1], check_types=True, foo=1)",
            ValueError,
            "Only valid keyword argument is check_types",
        ),
        ("n.flatten_dict_items([1])", TypeError, "input must be a dictionary"),
        (
            "n.flatten_dict_items({(4, 4): (1, 2)})",
            ValueError,
            "Could not flatten dictionary: key 4 is not unique.",
        ),
        (
            "n.flatten_dict_items({(4, 5): 'a'})",
            ValueError,
            FLAT.format(1) + "Key: [4, 5], value: ['a'].",
        ),
        (
            "n.flatten_dict_items({(4, 5): (6, [7, 8])})",
            ValueError,
            FLAT.format(3) + "Key: [4, 5], value: [6, 7, 8].",
        ),
        (
            "n.get_traverse_shallow_structure(lambda s: 1, [1])",
            TypeError,
            "traverse_fn returned a non-bool scalar: 1 for input: [1]",
        ),
        (
            "n.get_traverse_shallow_structure(lambda s: ['a'], [1])",
            TypeError,
            "traverse_fn didn't return a depth=1 structure of bools.  saw: ['a']  for "
            "structure: [1]",
        ),
        (
            "n.get_traverse_shallow_structure(lambda s: [True], [[1]])",
            TypeError,
            "traverse_fn returned structure: [True] for non-structure: 1",
        ),
        (
            "n.get_traverse_shallow_structure(lambda s: [True, True], [1])",
            ValueError,
            LENGTH.format(1, 2),
        ),
        (
            "n.get_traverse_shallow_structure(lambda s: (True,), [1])",
            TypeError,
            SHALLOW.format(list, tuple),
        ),
    ],
)
def test_refuses(text, kind, message):
    with pytest.raises(kind) as caught:
        run(text)
    assert str(caught.value) == message


def test_paths_pass_other_arguments_on():
    result = n.map_structure_with_paths(lambda p, x, k: (p, x, k), [1], k=2)
    assert result == [("0", 1, 2)]


def test_classes_made_in_a_loop_do_not_pile_up():
    for i in range(structure_kinds._MAX_KINDS + 10):
        n.flatten(type(f"Made{i}", (list,), {})([1]))
    assert len(structure_kinds._KINDS) <= structure_kinds._MAX_KINDS

"""tf.data.experimental.Optional: an element that may be there or not."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, in_graph
from twinflow.base.errors import FailedPreconditionError, InvalidArgumentError

Optional = tf.data.experimental.Optional
get_next_as_optional = tf.data.experimental.get_next_as_optional
NOTHING = "The given optional does not have a value."


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


VALUES = [
    lambda: tf.constant(3.0),
    lambda: {"a": tf.constant(1), "b": (tf.constant("x"), tf.constant([1.0, 2.0]))},
    lambda: (np.arange(3), 4.0),
    lambda: tf.SparseTensor([[0, 1]], [2], [3, 4]),
]


@both
@pytest.mark.parametrize("make", VALUES)
def test_values_come_back(run, make):
    def program():
        optional = Optional.from_value(make())
        nothing = Optional.none_from_structure(optional.value_structure)
        again = optional.get_value(), make()
        return optional.has_value(), nothing.has_value(), *map(whole, again)

    def whole(value):
        if isinstance(value, tf.SparseTensor):
            return tf.sparse_tensor_to_dense(value)
        if isinstance(value, dict):
            return tf.cast(value["a"], tf.float32) + value["b"][1]
        if isinstance(value, tuple):
            return tf.cast(value[0], tf.float32) + tf.cast(value[1], tf.float32)
        return value

    there, nothing, found, wanted = run(program)
    assert there and not nothing
    assert np.array_equal(found, wanted)


@both
def test_no_value(run):
    def program():
        structure = Optional.from_value(tf.constant(1)).value_structure
        return Optional.none_from_structure(structure).get_value()

    with pytest.raises(InvalidArgumentError, match=NOTHING):
        run(program)


@both
def test_what_is_no_value(run):
    with pytest.raises(TypeError, match="Could not build a structure for None"):
        run(lambda: Optional.from_value(None))
    with pytest.raises(TypeError, match="Expected the `value_structure`"):
        run(lambda: Optional.none_from_structure(tf.int32))
    with pytest.raises(TypeError, match="Expected an iterator over a dataset, got 3"):
        run(lambda: get_next_as_optional(3))


def test_structures_in_a_graph(session):
    optional = Optional.from_value({"a": tf.constant([1, 2])})
    value = optional.get_value()["a"]
    assert (value.dtype, value.shape.as_list()) == (tf.int32, [2])
    assert str(optional.has_value("h")) == 'Tensor("h:0", shape=(), dtype=bool)'
    names = {n.name: n.type for n in session.graph.nodes}
    assert names["optional"] == "OptionalFromValue"
    assert "shapes: {a: (2,)}" in repr(optional)


# ---------------------------------------------------------------------- iterators
def test_next_eagerly():
    for kind in iter, tf.contrib.eager.Iterator:
        iterator = kind(tf.data.Dataset.range(2))
        found = [get_next_as_optional(iterator) for _ in range(4)]
        assert [bool(o.has_value()) for o in found] == [True, True, False, False]
        assert [int(o.get_value()) for o in found[:2]] == [0, 1]
        with pytest.raises(InvalidArgumentError, match=NOTHING):
            found[2].get_value()


def test_next_in_a_graph(session):
    iterator = tf.data.Dataset.range(2).make_initializable_iterator()
    optional = get_next_as_optional(iterator)
    there, value = optional.has_value(), optional.get_value()
    assert value.dtype == tf.int64
    with pytest.raises(FailedPreconditionError, match="has not been initialized"):
        session.run(there)
    session.run(iterator.initializer)
    assert [session.run([there, value]) for _ in range(2)] == [[True, 0], [True, 1]]
    assert not session.run(there)
    with pytest.raises(InvalidArgumentError, match=NOTHING):
        session.run(value)


def test_conditions(session):
    optional = get_next_as_optional(tf.data.Dataset.range(3).make_one_shot_iterator())
    tens, none = lambda: optional.get_value() * 10, lambda: tf.constant(-1, tf.int64)
    found = tf.cond(optional.has_value(), tens, none)
    assert [session.run(found) for _ in range(5)] == [0, 10, 20, -1, -1]


def total(iterator):
    """The sum of all elements, in a loop that ends with the iterator."""

    def body(_, so_far):
        optional = get_next_as_optional(iterator)
        there = optional.has_value()
        more = lambda: so_far + optional.get_value()
        return there, tf.cond(there, more, lambda: so_far)

    start = tf.constant(True), tf.constant(0, tf.int64)
    return tf.while_loop(lambda there, _: there, body, start)[1]


def test_loops_until_the_end():
    assert int(total(iter(tf.data.Dataset.range(5)))) == 10
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = tf.data.Dataset.range(5).make_initializable_iterator()
        found = total(iterator)
        for _ in range(2):
            session.run(iterator.initializer)
            assert session.run(found) == 10


def test_in_functions():
    iterator = iter(tf.data.Dataset.range(3))

    @tf.contrib.eager.defun
    def step():
        optional = get_next_as_optional(iterator)
        return tf.cond(
            optional.has_value(), lambda: optional.get_value(), lambda: np.int64(-1)
        )

    assert [int(step()) for _ in range(4)] == [0, 1, 2, -1]


@both
def test_sparse_and_nested_elements(run):
    def program():
        sparse = tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2])
        rows = tf.data.Dataset.from_tensor_slices((sparse, [[1.0], [2.0]]))
        row, y = get_next_as_optional(rows.make_one_shot_iterator()).get_value()
        return tf.sparse_tensor_to_dense(row), y

    found, y = run(program)
    assert (found.tolist(), y.tolist()) == ([0, 5], [1.0])


def test_names_of_contrib():
    assert tf.contrib.data.Optional is Optional
    assert tf.contrib.data.get_next_as_optional is get_next_as_optional
    assert in_graph(lambda: Optional.from_value(2.0).get_value()) == 2.0

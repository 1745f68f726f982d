"""Iterators: eager ones, and the four kinds of a graph."""

import copy

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from tests.data.programs import drained, in_graph, plain
from twinflow.base import dtypes, errors
from twinflow.base.shapes import TensorShape
from twinflow.data.dataset import Dataset
from twinflow.data.iterators.handles import EagerIterator, Iterator
from twinflow.execute.function import defun
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.random.draws import random_normal
from twinflow.ops.variables.resource import ResourceVariable


@pytest.fixture
def session():
    with Graph().as_default(), Session() as session:
        yield session


# ---------------------------------------------------------------------- eager
def test_eager_loops():
    # K04
    dataset = Dataset.from_tensor_slices(([1, 2], [3, 4]))
    found = [(i, int(x), int(y)) for i, (x, y) in enumerate(dataset)]
    assert found == [(0, 1, 3), (1, 2, 4)]
    assert [int(x) for x in EagerIterator(Dataset.range(3))] == [0, 1, 2]


def test_eager_next():
    # K05
    iterator = iter(Dataset.range(3))
    assert int(iterator.next()) == 0
    assert int(iterator.get_next()) == 1
    assert int(next(iterator)) == 2
    with pytest.raises(errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()
    with pytest.raises(StopIteration):
        iterator.next()


def test_eager_elements_are_owned():
    dataset = Dataset.from_tensor_slices(np.zeros((2, 2)))
    x = next(iter(dataset)).numpy()
    x[:] = 5
    assert plain(next(iter(dataset))) == [0, 0]


def test_eager_refusals():
    text = "make_initializable_iterator is not supported when eager execution"
    with pytest.raises(RuntimeError, match=text):
        Dataset.range(3).make_initializable_iterator()
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.deepcopy(iter(Dataset.range(3)))


def test_eager_iterator_inside_a_function():
    iterator = iter(Dataset.range(3))
    step = defun(lambda: iterator.get_next() * 10)
    assert int(step()) == 0
    assert int(next(iterator)) == 1
    assert int(step()) == 20
    with pytest.raises(errors.OutOfRangeError):
        step()


def test_one_shot_inside_a_function_starts_with_each_call():
    @defun
    def first(x):
        return Dataset.from_tensor_slices(x).make_one_shot_iterator().get_next()

    assert [int(first(constant(a))) for a in ([1, 2], [3, 4])] == [1, 3]


def test_random_rows_eagerly_and_in_a_graph():
    # K10
    batches = list(Dataset.from_tensor_slices(random_normal((4, 2))).batch(2))
    assert [b.shape.as_list() for b in batches] == [[2, 2], [2, 2]]
    make = lambda: Dataset.from_tensor_slices(random_normal((4, 2))).batch(2)
    for initializable in (False, True):
        assert np.shape(in_graph(make, initializable)) == (2, 2, 2)


# ---------------------------------------------------------------------- graph
def test_loops_need_eager(session):
    # K08
    text = r"dataset.__iter__\(\) is only supported when eager execution is enabled."
    with pytest.raises(RuntimeError, match=text):
        iter(Dataset.range(3))
    with pytest.raises(RuntimeError, match="can only be used when eager execution"):
        EagerIterator(Dataset.range(3))


def test_one_shot(session):
    # K06
    iterator = Dataset.range(3).make_one_shot_iterator()
    element = iterator.get_next()
    assert str(element) == 'Tensor("IteratorGetNext:0", shape=(), dtype=int64)'
    types = [n.type for n in session.graph.nodes]
    assert types == ["OneShotIterator", "IteratorToStringHandle", "IteratorGetNext"]
    assert drained(session, element) == [0, 1, 2]
    with pytest.raises(errors.OutOfRangeError, match="End of sequence") as caught:
        session.run(element)
    assert "[[node IteratorGetNext (defined at " in str(caught.value)
    with pytest.raises(ValueError, match="Iterator does not have an initializer"):
        _ = iterator.initializer


def test_one_shot_draws_its_inputs_once(session):
    a = Dataset.from_tensor_slices(random_normal((3,), seed=1)).make_one_shot_iterator()
    b = random_normal((3,), seed=1)
    assert drained(session, a.get_next()) == session.run(b).tolist()


def test_one_shot_refuses_placeholders(session):
    x = placeholder(dtypes.float32, name="x")
    text = r"Cannot capture a placeholder \(name:x, type:Placeholder\) by value."
    with pytest.raises(ValueError, match=text):
        Dataset.from_tensors(x * 2.0).make_one_shot_iterator()


def test_initializable(session):
    # K07
    iterator = Dataset.range(3).make_initializable_iterator()
    element = iterator.get_next()
    text = "GetNext\\(\\) failed because the iterator has not been initialized"
    with pytest.raises(errors.FailedPreconditionError, match=text):
        session.run(element)
    for _ in range(2):
        session.run(iterator.initializer)
        assert drained(session, element) == [0, 1, 2]
    assert iterator.initializer.name == "MakeIterator"


def test_initializable_from_placeholders(session):
    x, size = placeholder(dtypes.float32, [None]), placeholder(dtypes.int64, [])
    dataset = Dataset.from_tensor_slices(x).batch(size)
    assert str(dataset.output_shapes) == "(?,)"
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    session.run(iterator.initializer, {x: [1, 2, 3], size: 2})
    assert drained(session, element) == [[1, 2], [3]]
    session.run(iterator.initializer, {x: [4], size: 2})
    assert drained(session, element) == [[4]]
    with pytest.raises(errors.InvalidArgumentError, match="greater than zero"):
        session.run(iterator.initializer, {x: [4], size: 0})


def test_a_placeholder_of_unknown_rank(session):
    x = placeholder(dtypes.float32)
    iterator = Dataset.from_tensor_slices(x).make_initializable_iterator()
    element = iterator.get_next()
    session.run(iterator.initializer, {x: [[1, 2]]})
    assert drained(session, element) == [[1, 2]]
    with pytest.raises(errors.InvalidArgumentError, match="at least 1-dimensional"):
        session.run(iterator.initializer, {x: 1.0})


def test_components_of_one_run_belong_together(session):
    pairs = Dataset.zip((Dataset.range(4), Dataset.range(4)))
    x, y = pairs.make_one_shot_iterator().get_next()
    z = x + y
    assert session.run([x, y, z]) == [0, 0, 0]
    assert session.run([x, z]) == [1, 2]
    assert session.run(y) == 2


def test_two_get_nexts_take_two(session):
    iterator = Dataset.range(4).make_one_shot_iterator()
    pair = [iterator.get_next(), iterator.get_next()]
    assert sorted(session.run(pair)) == [0, 1]


def test_sessions_have_their_own_places(session):
    element = Dataset.range(4).make_one_shot_iterator().get_next()
    other = Session()
    assert [session.run(element), session.run(element), other.run(element)] == [0, 1, 0]


def test_variables_of_the_session(session):
    v = ResourceVariable(3.0)
    dataset = Dataset.range(3).map(lambda x: cast(x, dtypes.float32) * v)
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    session.run(v.initializer)
    session.run(iterator.initializer)
    assert session.run(element) == 0.0
    session.run(v.assign(5.0))
    assert session.run(element) == 5.0


def test_reinitializable(session):
    # K06
    iterator = Iterator.from_structure(dtypes.int64, TensorShape([]))
    element = iterator.get_next()
    starts = [iterator.make_initializer(Dataset.range(n)) for n in (2, 3)]
    for start, n in zip(starts, (2, 3), strict=True):
        session.run(start)
        assert drained(session, element) == list(range(n))
    with pytest.raises(TypeError, match=r"Expected output types .* but got dataset"):
        iterator.make_initializer(Dataset.from_tensors(1.0))
    with pytest.raises(TypeError, match="Expected output shapes compatible"):
        iterator.make_initializer(Dataset.range(3).batch(2))


def test_feedable(session):
    # K06
    handle = placeholder(dtypes.string, [])
    element = Iterator.from_string_handle(handle, dtypes.int64, []).get_next()
    names = [
        session.run(Dataset.range(n, 9).make_one_shot_iterator().string_handle())
        for n in (0, 5)
    ]
    found = [session.run(element, {handle: names[i]}) for i in (0, 1, 0, 1)]
    assert found == [0, 5, 1, 6]
    text = "Could not parse string_handle as a valid ResourceHandle"
    with pytest.raises(errors.InvalidArgumentError, match=text):
        session.run(element, {handle: b"nothing"})


def handle_of(session, dataset):
    return session.run(dataset.make_one_shot_iterator().string_handle())


def test_handles_of_other_elements_are_refused(session):
    # K06
    handle = placeholder(dtypes.string, [])
    element = Iterator.from_string_handle(handle, dtypes.int64, []).get_next()
    cases = [
        (Dataset.from_tensors(1.5), "Data type mismatch at component 0: expected "
         "int64 but got float"),
        (Dataset.range(4).batch(2), r"Incompatible shapes at component 0: expected "
         r"\[\] but got \[\?\]"),
        (Dataset.zip((Dataset.range(1),) * 2), "expected 1 types but got 2. The "
         "handle that was fed is of an iterator over elements of types int64, int64; "
         "from_string_handle was told int64"),
    ]  # fmt: skip
    for dataset, text in cases:
        with pytest.raises(errors.InvalidArgumentError, match=text):
            session.run(element, {handle: handle_of(session, dataset)})
    batches = Iterator.from_string_handle(handle, dtypes.int64).get_next()
    fed = {handle: handle_of(session, Dataset.range(4).batch(2))}
    assert session.run(batches, fed).tolist() == [0, 1]


def test_iterators_of_one_name_are_one(session):
    a, b = (Dataset.range(n).make_initializable_iterator("me") for n in (3, 9))
    x, y = a.get_next(), b.get_next()
    session.run(a.initializer)
    assert [session.run(t) for t in (x, y, x)] == [0, 1, 2]
    other = Dataset.range(9).make_initializable_iterator()
    reused = Iterator.from_structure(dtypes.int64, shared_name="you")
    nodes = {n.name: n for n in session.graph.as_graph_def().node}
    handles = [i._iterator_resource.op.name for i in (a, b, other, reused)]
    names = [nodes[h].attr["shared_name"].s for h in handles]
    assert names == [b"me", b"me", b"", b"you"]
    specs = nodes[handles[0]].attr
    assert list(specs["output_types"].list.type) == [dtypes.int64.as_datatype_enum]
    assert not specs["output_shapes"].list.shape[0].dim
    with pytest.raises(errors.InvalidArgumentError, match="Data type mismatch"):
        Dataset.from_tensors(1.5).make_initializable_iterator("me")


def test_structures_of_elements(session):
    dataset = Dataset.from_tensor_slices(({"a": [1, 2]}, [[1.0], [2.0]]))
    element = dataset.make_one_shot_iterator().get_next()
    assert element[1].shape.as_list() == [1]
    assert drained(session, element) == [({"a": 1}, [1.0]), ({"a": 2}, [2.0])]


def test_reduce_in_a_graph(session):
    start = placeholder(dtypes.int64, [])
    total = Dataset.range(5).reduce(start, lambda s, x: s + x)
    assert [session.run(total, {start: n}) for n in (0, 5)] == [10, 15]


def test_big_arrays_are_no_constants(session):
    dataset = Dataset.from_tensor_slices(np.zeros((1000, 10)))
    for _ in range(3):
        dataset.make_one_shot_iterator().get_next()
    types = {n.type for n in session.graph.nodes}
    assert types == {"OneShotIterator", "IteratorToStringHandle", "IteratorGetNext"}


def test_paddings_of_a_graph():
    with tf.Graph().as_default(), tf.Session() as sess:
        lengths = tf.data.Dataset.from_tensor_slices([2, 1])
        rows = lengths.map(lambda n: tf.fill([n], n))
        fed = tf.placeholder_with_default(7, [])
        for fill, number in ((-1, -1), (tf.constant(4), 4), (fed, 7)):
            batches = rows.padded_batch(2, [None], fill)
            it = batches.make_initializable_iterator()
            sess.run(it.initializer)
            assert sess.run(it.get_next()).tolist() == [[2, 2], [1, number]]


def test_values_of_sparse_tensors_are_sparse_elements():
    def sparse(i):
        return tf.SparseTensorValue([[0]], i * [1], [1])

    with tf.Graph().as_default(), tf.Session() as sess:
        dataset = tf.data.Dataset.range(4).map(sparse).batch(2)
        assert dataset.output_classes is tf.SparseTensor
        found = sess.run(dataset.make_one_shot_iterator().get_next())
        assert found.values.tolist() == [0, 1]
        assert found.dense_shape.tolist() == [2, 1]
    value = tf.SparseTensorValue([[0, 0], [1, 2]], [1.0, 2.0], [2, 3])
    (row, _) = list(tf.data.Dataset.from_tensor_slices(value))
    assert row.dense_shape.numpy().tolist() == [3]


def test_results_that_are_no_tensors():
    with pytest.raises(TypeError, match="Unsupported return value from function"):
        tf.data.Dataset.range(1).map(lambda x: object())


def test_an_iterator_of_a_structure_starts_at_once_eagerly():
    with ways.eager():
        iterator = tf.data.Iterator.from_structure(tf.int64)
        with pytest.raises(tf.errors.FailedPreconditionError, match="not been initial"):
            iterator.get_next()
        for start in (0, 5):
            iterator.make_initializer(tf.data.Dataset.range(start, start + 2))
            assert [int(iterator.get_next()) for _ in range(2)] == [start, start + 1]
        with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
            iterator.get_next()
        with pytest.raises(TypeError, match="but got dataset with output types"):
            iterator.make_initializer(tf.data.Dataset.from_tensors(1.0))

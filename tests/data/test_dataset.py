"""Datasets: what each method gives, the same in eager mode and in graphs."""

import collections

import numpy as np
import pytest

import twinflow as tf
from tests.data.programs import plain
from twinflow.base import dtypes, errors
from twinflow.base.tensor import Tensor
from twinflow.data.dataset import Dataset
from twinflow.graph.graph import Graph
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.variables.resource import ResourceVariable


def test_slices_of_a_tuple(elements):
    # K01
    def make():
        return Dataset.from_tensor_slices((np.arange(3.0), [[1, 2], [3, 4], [5, 6]]))

    assert elements(make) == [(0.0, [1, 2]), (1.0, [3, 4]), (2.0, [5, 6])]


def test_slices_of_a_tensor_and_a_list(elements):
    assert elements(lambda: Dataset.from_tensor_slices(constant([1, 2]))) == [1, 2]
    assert elements(lambda: Dataset.from_tensor_slices([1.5, 2.5])) == [1.5, 2.5]
    assert elements(lambda: Dataset.from_tensor_slices(["a", "b"])) == [b"a", b"b"]


def test_slices_of_nested_dicts(elements):
    def make():
        return Dataset.from_tensor_slices({"b": ([1, 2], [3.0, 4.0]), "a": [5, 6]})

    assert elements(make) == [{"b": (1, 3.0), "a": 5}, {"b": (2, 4.0), "a": 6}]
    assert repr(make()) == (
        "<TensorSliceDataset shapes: {b: ((), ()), a: ()}, "
        "types: {b: (tf.int32, tf.float32), a: tf.int32}>"
    )


def test_namedtuples_stay():
    Point = collections.namedtuple("Point", "x y")
    (point,) = Dataset.from_tensors(Point(1, [2.0]))
    assert isinstance(point, Point) and plain(point) == Point(1, [2.0])


def test_from_tensors(elements):
    assert elements(lambda: Dataset.from_tensors([1, 2])) == [[1, 2]]
    assert elements(lambda: Dataset.from_tensors("text").repeat(2)) == [b"text"] * 2


def test_arrays_are_copied_once():
    a = np.zeros(3)
    dataset = Dataset.from_tensor_slices(a)
    a[:] = 7
    assert [float(x) for x in dataset] == [0, 0, 0]


def test_bad_slices():
    with pytest.raises(ValueError, match="Dimensions 2 and 3 are not compatible"):
        Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))
    with pytest.raises(ValueError, match="got a scalar"):
        Dataset.from_tensor_slices(3)


def test_range(elements):
    assert elements(lambda: Dataset.range(3)) == [0, 1, 2]
    assert elements(lambda: Dataset.range(1, 3)) == [1, 2]
    assert elements(lambda: Dataset.range(5, 0, -2)) == [5, 3, 1]
    with pytest.raises(ValueError, match="Invalid arguments to RangeDataset"):
        Dataset.range(1, 2, 3, 4)
    with pytest.raises(errors.InvalidArgumentError, match="step must be a non-zero"):
        elements(lambda: Dataset.range(1, 2, 0))


def test_map_spreads_tuples_but_not_dicts(elements):
    def of_tuple():
        pairs = Dataset.from_tensor_slices(([1.0, 2.0], [3.0, 4.0]))
        return pairs.map(lambda x, y: x + y)

    def of_dict():
        return Dataset.from_tensor_slices({"a": [1.0, 2.0]}).map(lambda d: d["a"] * 2)

    assert elements(of_tuple) == [4.0, 6.0]
    assert elements(of_dict) == [2.0, 4.0]


def test_map_results_make_structures(elements):
    def make():
        return Dataset.range(2).map(lambda x: (x, [x, x], {"a": 1, "b": "s"}))

    first = (0, [0, 0], {"a": 1, "b": b"s"})
    assert elements(make) == [first, (1, [1, 1], {"a": 1, "b": b"s"})]
    assert make().output_types == (
        dtypes.int64, dtypes.int64, {"a": dtypes.int32, "b": dtypes.string},
    )  # fmt: skip
    assert Dataset.range(2).map(lambda x: [x, x]).output_types == (dtypes.int64,) * 2
    with pytest.raises(TypeError, match="Unsupported return value from function"):
        Dataset.range(2).map(lambda x: None)


def test_map_traces_once():
    calls = []
    dataset = Dataset.range(5).map(lambda x: calls.append(x) or x)
    assert [int(x) for x in dataset.repeat(2)] == [0, 1, 2, 3, 4] * 2
    assert len(calls) == 1 and calls[0].symbolic


def test_map_captures_tensors_and_variables():
    two, v = constant(2.0), ResourceVariable(1.0)
    dataset = Dataset.range(3).map(lambda x: cast(x, dtypes.float32) * two + v)
    iterator = iter(dataset)
    assert float(next(iterator)) == 1.0
    v.assign(10.0)
    assert float(next(iterator)) == 12.0


def test_filter(elements):
    assert elements(lambda: Dataset.range(6).filter(lambda x: x > 3)) == [4, 5]
    for bad in (lambda x: x, lambda x: constant([True])):
        with pytest.raises(ValueError, match="must return a scalar boolean tensor"):
            Dataset.range(3).filter(bad)


def test_repeat_take_skip(elements):
    assert elements(lambda: Dataset.range(2).repeat(2)) == [0, 1, 0, 1]
    assert elements(lambda: Dataset.range(2).repeat(0)) == []
    assert elements(lambda: Dataset.range(2).repeat().take(5)) == [0, 1, 0, 1, 0]
    assert elements(lambda: Dataset.range(0).repeat()) == []
    assert elements(lambda: Dataset.range(5).skip(3)) == [3, 4]
    assert elements(lambda: Dataset.range(5).skip(-1)) == []
    assert elements(lambda: Dataset.range(2).take(-1)) == [0, 1]
    assert elements(lambda: Dataset.range(2).take(0)) == []


def test_slices_take_and_skip_keep_batches_whole(elements):
    def make():
        return Dataset.from_tensor_slices(np.arange(10)).skip(2).take(5).batch(3)

    assert elements(make) == [[2, 3, 4], [5, 6]]


def test_batch(elements):
    assert elements(lambda: Dataset.range(5).batch(2)) == [[0, 1], [2, 3], [4]]
    assert elements(lambda: Dataset.range(5).batch(2, True)) == [[0, 1], [2, 3]]
    twice = [[[0, 1], [2, 3]]]
    assert elements(lambda: Dataset.range(4).batch(2).batch(2)) == twice
    strings = [[b"a", b"b"], [b"c"]]
    rows = lambda: Dataset.from_tensor_slices(["a", "b", "c"])
    assert elements(lambda: rows().batch(2)) == strings
    assert elements(lambda: rows().map(lambda s: s).batch(2)) == strings
    assert str(Dataset.range(5).batch(2).output_shapes) == "(?,)"
    assert str(Dataset.range(5).batch(2, True).output_shapes) == "(2,)"


def test_batches_run_over_the_ends_of_epochs(elements):
    def make():
        return Dataset.from_tensor_slices([1, 2, 3]).repeat(2).batch(4)

    assert elements(make) == [[1, 2, 3, 1], [2, 3]]
    words = lambda: Dataset.from_tensor_slices(["a", "b", "c"]).repeat(2).batch(4)
    assert elements(words) == [[b"a", b"b", b"c", b"a"], [b"b", b"c"]]
    uneven = lambda n: Dataset.from_tensors(np.zeros(n)).map(lambda x: x)
    joined = lambda: uneven(1).concatenate(uneven(2)).repeat(2).batch(2)
    with pytest.raises(errors.InvalidArgumentError, match=r"had shape .2."):
        elements(joined)


def test_batches_of_unequal_rows_are_refused(elements):
    def make():
        return Dataset.from_generator(lambda: [[1, 2], [3]], dtypes.int32).batch(2)

    with pytest.raises(
        errors.InvalidArgumentError,
        match=r"Cannot batch tensors with different shapes in component 0\. First "
        r"element had shape \[2\] and element 1 had shape \[1\]\.",
    ):
        elements(make)


def test_sizes_are_checked(elements):
    cases = [
        (lambda: Dataset.range(3).batch(0), "Batch size must be greater than zero."),
        (lambda: Dataset.range(3).shuffle(0), "buffer_size must be greater than zero."),
        (lambda: Dataset.range(3).prefetch(-2), "buffer_size must be >= 0"),
    ]
    for make, text in cases:
        with pytest.raises(errors.InvalidArgumentError, match=text):
            elements(make)


def test_zip(elements):
    def make():
        return Dataset.zip((Dataset.range(3), {"a": Dataset.range(5, 7)}))

    assert elements(make) == [(0, {"a": 5}), (1, {"a": 6})]
    slices = lambda n: Dataset.from_tensor_slices(np.arange(n))
    pair = lambda: Dataset.zip((slices(3), slices(4))).batch(2)
    assert elements(pair) == [([0, 1], [0, 1]), ([2], [2])]
    with pytest.raises(TypeError, match="please use a tuple instead"):
        Dataset.zip([Dataset.range(3)])


def test_concatenate(elements):
    def make():
        return Dataset.from_tensors([1]).concatenate(Dataset.from_tensors([2, 3]))

    assert elements(make) == [[1], [2, 3]]
    assert str(make().output_shapes) == "(?,)"
    with pytest.raises(TypeError, match="have different types"):
        Dataset.range(3).concatenate(Dataset.from_tensors(1.0))


def test_flat_map(elements):
    def make():
        upto = lambda n: Dataset.range(n).map(lambda x: x + n)
        return Dataset.range(1, 4).flat_map(upto)

    assert elements(make) == [1, 2, 3, 3, 4, 5]
    with pytest.raises(TypeError, match="must return a `Dataset` object"):
        Dataset.range(3).flat_map(lambda x: x)


def test_flat_map_to_a_dataset_from_outside(elements):
    def make():
        inner = Dataset.from_tensor_slices(constant([7, 8]))
        return Dataset.range(2).flat_map(lambda n: inner)

    assert elements(make) == [7, 8, 7, 8]


def test_shard_and_apply(elements):
    assert elements(lambda: Dataset.range(5).shard(2, 1)) == [1, 3]
    pairs = lambda d: d.batch(2)
    assert elements(lambda: Dataset.range(3).apply(pairs)) == [[0, 1], [2]]
    with pytest.raises(TypeError, match="must return a Dataset"):
        Dataset.range(3).apply(lambda d: 3)


def test_the_pipeline_of_the_seeds(elements):
    # K02
    images = np.arange(20.0, dtype=np.float32).reshape(10, 2)

    def make():
        rows = Dataset.from_tensor_slices((images, np.arange(10)))
        scaled = (
            rows.shuffle(60000, seed=3)
            .repeat(4)
            .map(lambda x, y: (x / 2.0, cast(y, dtypes.int32)), num_parallel_calls=2)
        )
        return scaled.batch(8).prefetch(1)

    found = elements(make)
    assert [len(y) for _, y in found] == [8] * 5
    labels = [label for _, y in found for label in y]
    assert sorted(labels) == sorted(list(range(10)) * 4)
    rows = [row for x, _ in found for row in x]
    assert rows == [[float(y), y + 0.5] for y in labels]


def test_reduce():
    assert int(Dataset.range(5).reduce(np.int64(0), lambda s, x: s + x)) == 10
    pair = Dataset.range(1, 4).reduce(
        (np.int64(0), np.int64(1)), lambda state, x: (state[0] + x, state[1] * x)
    )
    assert plain(pair) == (6, 6)
    with pytest.raises(TypeError, match="must match the initial state"):
        Dataset.range(3).reduce(np.int64(0), lambda s, x: 1.0)


def test_properties():
    parts = {"a": np.arange(3.0)}, np.zeros((3, 4), np.int8)
    dataset = Dataset.from_tensor_slices(parts)
    for thing in (dataset, iter(dataset), dataset.make_one_shot_iterator()):
        assert thing.output_types == ({"a": dtypes.float64}, dtypes.int8)
        assert thing.output_shapes[1].as_list() == [4]
        assert thing.output_classes == ({"a": Tensor}, Tensor)


def test_graph_tensors_have_no_values_eagerly():
    with Graph().as_default():
        dataset = Dataset.from_tensors(constant(1.0))
    with pytest.raises(ValueError, match="depends on the graph tensor"):
        iter(dataset)


def test_the_datasets_that_one_is_made_from():
    first, second = tf.data.Dataset.range(3), tf.data.Dataset.range(1)
    assert first._inputs() == [] and first.map(lambda x: x)._inputs() == [first]
    assert first.concatenate(second)._inputs() == [first, second]
    assert tf.data.Dataset.zip((first, (second, first)))._inputs() == [
        first, second, first,
    ]  # fmt: skip


def test_a_tensor_says_whether_windows_drop_what_is_left():
    with tf.Graph().as_default(), tf.Session() as session:
        drop = tf.placeholder(tf.bool, [])
        d = tf.data.Dataset.range(5).window(2, drop_remainder=drop)
        rows = d.flat_map(lambda w: w.batch(2)).make_initializable_iterator()
        for value, count in ((True, 2), (False, 3)):
            session.run(rows.initializer, {drop: value})
            found, row = 0, rows.get_next()
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    session.run(row)
                    found += 1
            assert found == count

"""Sizes that nothing can hold, structures too deep to follow: errors that say so."""

import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.base import errors

__all__ = ["eager", "graph"]

HUGE = 1 << 46  # elements: 256 TB of float32
NEST = tf.contrib.framework.nest

ALLOCATING = {
    "zeros": lambda: tf.zeros([HUGE]),
    "ones": lambda: tf.ones([HUGE // 2, 2], tf.int32),
    "constant": lambda: tf.constant(1.0, shape=[HUGE]),
    "constant of strings": lambda: tf.constant("a", shape=[HUGE]),
    "constant beyond all": lambda: tf.constant(1, shape=[1 << 62, 1 << 62]),
    "fill": lambda: tf.fill([HUGE], 1.0),
    "range": lambda: tf.range(HUGE),
    "random_uniform": lambda: tf.random_uniform([HUGE]),
    "truncated_normal": lambda: tf.truncated_normal([HUGE]),
    "tile": lambda: tf.tile([1.0], [HUGE]),
    "broadcast_to": lambda: tf.broadcast_to(1.0, [HUGE]),
    "pad": lambda: tf.pad([1.0], [[0, HUGE]]),
    "linspace": lambda: tf.linspace(0.0, 1.0, HUGE),
    "eye": lambda: tf.eye(1 << 24),
    "diag": lambda: tf.diag(tf.zeros([1 << 24])),
    "outer": lambda: tf.zeros([1 << 24, 1]) + tf.zeros([1, 1 << 24]),
    "matmul": lambda: tf.matmul(tf.zeros([1 << 24, 1]), tf.zeros([1, 1 << 24])),
    "scatter_nd": lambda: tf.scatter_nd([[0]], [1.0], tf.constant([HUGE], tf.int64)),
    "sparse": lambda: tf.sparse_tensor_to_dense(tf.SparseTensor([[0]], [1.0], [HUGE])),
    "segment": lambda: tf.unsorted_segment_sum([1.0], [0], HUGE),
    "resize": lambda: tf.image.resize_images(tf.zeros([1, 2, 2, 3]), [1 << 23] * 2),
}


@pytest.mark.parametrize("name", ALLOCATING)
def test_what_finds_no_memory_eagerly(eager, name):
    with pytest.raises((errors.ResourceExhaustedError, ValueError)) as raised:
        ALLOCATING[name]()
    assert "OOM when allocating tensor" in str(raised.value)


@pytest.mark.parametrize("name", ALLOCATING)
def test_what_finds_no_memory_in_a_graph(name):
    refused = pytest.raises((errors.OpError, ValueError))
    with tf.Graph().as_default(), tf.Session() as session, refused as raised:
        session.run(ALLOCATING[name]())
    if isinstance(raised.value, errors.OpError):
        assert "OOM when allocating tensor" in str(raised.value)


def test_a_tensor_proto_that_says_it_is_large():
    proto = tf.make_tensor_proto(1.0, shape=[1 << 40])
    with pytest.raises(ValueError, match="at most 2 GB"):
        tf.make_ndarray(proto)
    graph = tf.GraphDef()
    graph.node.add(op="Const", name="big").attr["value"].tensor.CopyFrom(proto)
    graph.node[0].attr["dtype"].type = 1
    with tf.Graph().as_default(), pytest.raises(ValueError, match="at most 2 GB"):
        tf.import_graph_def(graph)


@pytest.mark.parametrize("shape", [[-3], [1 << 62, 1 << 62], [0, 1 << 62], [-1, -1]])
def test_sizes_of_a_tensor_proto(shape):
    proto = tf.make_tensor_proto(1.0)
    for n in shape:
        proto.tensor_shape.dim.add(size=n)
    proto.ClearField("float_val")
    with pytest.raises(ValueError, match="must not be negative"):
        tf.make_ndarray(proto)


# ------------------------------------------------------------------ depth
def deep(wrap):
    value = 1.0
    for _ in range(3000):
        value = wrap(value)
    return value


STRUCTURES = {
    "lists": deep(lambda v: [v]), "tuples": deep(lambda v: (v,)),
    "dicts": deep(lambda v: {"a": v}),
}  # fmt: skip
WALKING = {
    "flatten": NEST.flatten,
    "map_structure": lambda v: NEST.map_structure(lambda x: x, v),
    "assert_same_structure": lambda v: NEST.assert_same_structure(v, v),
    "pack_sequence_as": lambda v: NEST.pack_sequence_as(v, [1.0]),
    "from_tensors": tf.data.Dataset.from_tensors,
    "from_tensor_slices": tf.data.Dataset.from_tensor_slices,
    "defun": lambda v: tf.contrib.eager.defun(lambda x: 1)(v),
    "map_fn": lambda v: tf.map_fn(lambda x: x, v),
    "constant": tf.constant,
    "convert_to_tensor": tf.convert_to_tensor,
    "make_tensor_proto": tf.make_tensor_proto,
    "add": lambda v: tf.add(v, 1.0),
    "group": tf.group,
    "py_func": lambda v: tf.py_func(lambda x: x, [v], tf.float32),
    "while_loop": lambda v: tf.while_loop(lambda x: False, lambda x: x, [v]),
}  # fmt: skip


@pytest.mark.parametrize("function", WALKING)
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("way", ["eagerly", "in a graph"])
def test_structures_nested_deeper_than_python_follows(
    request, way, function, structure
):
    if way == "eagerly":
        request.getfixturevalue("eager")
    try:
        WALKING[function](STRUCTURES[structure])
    except (ValueError, TypeError, errors.OpError) as error:
        assert len(str(error)) < 10_000


def test_functions_that_recur_without_end_keep_their_error():
    def forever(x):
        return forever(x)

    with pytest.raises(RecursionError):
        NEST.map_structure(forever, [1, [2]])


def test_checkpoints_leave_deep_tuples_alone():
    thing = tf.train.Checkpoint()
    thing.deep = STRUCTURES["tuples"]
    assert thing.deep is STRUCTURES["tuples"]


@pytest.mark.parametrize("function", ["constant", "add", "py_func"])
@pytest.mark.parametrize("value", [[None] * 100_000, ["x" * 100_000, 1]], ids=len)
def test_errors_leave_out_the_middle_of_long_values(function, value):
    with pytest.raises((ValueError, TypeError)) as caught:
        WALKING[function](value)
    assert len(str(caught.value)) < 10_000

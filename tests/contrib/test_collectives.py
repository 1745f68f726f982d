"""tf.contrib.nccl and tf.contrib.all_reduce between played devices."""

import functools

import numpy as np
import pytest

import twinflow as tf

nccl, reducing = tf.contrib.nccl, tf.contrib.all_reduce
VALUES = np.random.RandomState(0).uniform(1, 2, (4, 3, 7)).astype(np.float32)


@pytest.fixture
def session():
    with tf.Graph().as_default():
        config = tf.ConfigProto(device_count={"CPU": 4})
        with tf.Session(config=config) as sess:
            yield sess


def on_devices(count=4, task=None):
    """A constant on each device; of two tasks, the first half is of the first one."""
    found = []
    for i in range(count):
        place = "" if task is None else f"/job:worker/replica:0/task:{i // 2}"
        with tf.device(f"{place}/device:CPU:{i}"):
            found.append(tf.constant(VALUES[i]))
    return found


@pytest.mark.parametrize(("name", "numpy"), [
    ("all_sum", np.add), ("all_prod", np.multiply), ("all_min", np.minimum),
    ("all_max", np.maximum),
])  # fmt: skip
def test_all(session, name, numpy):
    found = getattr(nccl, name)(on_devices())
    assert [t.device[-5:] for t in found] == ["CPU:0", "CPU:1", "CPU:2", "CPU:3"]
    for value in session.run(found):
        np.testing.assert_allclose(value, functools.reduce(numpy, VALUES), rtol=1e-6)


def test_gradients_are_sums_of_all(session):
    given = on_devices(2)
    y = nccl.all_sum(given)
    losses = [y[0] * 2.0, y[1] * 5.0]
    for slope in session.run(tf.gradients(losses, given)):
        np.testing.assert_array_equal(slope, np.full((3, 7), 7.0))
    with tf.device("/device:CPU:1"):
        total = nccl.reduce_sum(given)
    assert total.device.endswith("CPU:1")
    slopes = session.run(tf.gradients(total * 3.0, given))
    np.testing.assert_array_equal(slopes, np.full((2, 3, 7), 3.0))
    sent = nccl.broadcast(given[0])
    (slope,) = session.run(tf.gradients([sent * 2.0, sent * 3.0], [given[0]]))
    np.testing.assert_array_equal(slope, np.full((3, 7), 5.0))


def test_what_nccl_refuses(session):
    with pytest.raises(ValueError, match="Must pass >0 tensors to all reduce"):
        nccl.all_sum([])
    with pytest.raises(ValueError, match="Must pass >0 tensors to reduce"):
        nccl.reduce_sum([])
    with pytest.raises(ValueError, match="Device assignment required for nccl"):
        nccl.all_sum([tf.constant(1.0)])
    with (
        tf.device("/device:CPU:3"),
        pytest.raises(ValueError, match="assigned to current device"),
    ):
        nccl.reduce_sum(on_devices(2))


GATHER = ["/device:CPU:0", "/device:CPU:1"]
BUILDERS = {
    "ring": lambda x, u: reducing.build_ring_all_reduce(
        x, 1, 2, [0, 2, 1, 3], tf.add, u
    ),
    "ring of workers": lambda x, u: reducing.build_ring_all_reduce(
        x, 2, 1, [1, 0], tf.add, u
    ),
    "hd": lambda x, u: reducing.build_recursive_hd_all_reduce(x, tf.add, u),
    "shuffle": lambda x, u: reducing.build_shuffle_all_reduce(x, GATHER, tf.add_n, u),
    "nccl": lambda x, u: reducing.build_nccl_all_reduce(x, tf.add, u),
    "nccl, ring": lambda x, u: reducing.build_nccl_then_ring(x, 1, tf.add, u),
    "nccl, hd": lambda x, u: reducing.build_nccl_then_recursive_hd(x, tf.add, u),
    "nccl, shuffle": lambda x, u: reducing.build_nccl_then_shuffle(
        x, GATHER, tf.add, tf.add_n, u
    ),
    "shuffle, ring": lambda x, u: reducing.build_shuffle_then_ring(
        x, GATHER, 1, tf.add_n, tf.add, u
    ),
    "shuffle, shuffle": lambda x, u: reducing.build_shuffle_then_shuffle(
        x, GATHER, GATHER, tf.add_n, u
    ),
}


@pytest.mark.parametrize("tasks", [None, 2])
@pytest.mark.parametrize("name", BUILDERS)
def test_builders_add_up(name, tasks):
    """Of two tasks only the graph is made: there is one process to run it in."""
    with tf.Graph().as_default():
        given = on_devices(task=tasks)
        found = BUILDERS[name](given, lambda t: t / 4.0)
        assert [t.device for t in found] == [t.device for t in given]
        for node in tf.get_default_graph().get_operations():
            node._set_device("")
        with tf.Session() as sess:
            for value in sess.run(found):
                np.testing.assert_allclose(value, VALUES.mean(0), rtol=1e-6)


@pytest.mark.parametrize(("build", "text"), [
    (lambda x: reducing.build_ring_all_reduce(x[:1], 1, 1, [0], tf.add), "length 2"),
    (lambda x: reducing.build_ring_all_reduce(x, 1, 9, [0, 1, 2, 3], tf.add), "<= num"),
    (lambda x: reducing.build_recursive_hd_all_reduce(x[:3], tf.add), "power of 2"),
    (lambda x: reducing.build_shuffle_all_reduce([], GATHER, tf.add_n), "be empty"),
    (lambda x: reducing.build_nccl_all_reduce(x, tf.multiply), "red_op not supported"),
    (lambda x: reducing.build_recursive_hd_all_reduce(
        [tf.placeholder(tf.float32, [None])] * 2, tf.add
    ), "statically known"),
])  # fmt: skip
def test_what_builders_refuse(session, build, text):
    with pytest.raises(ValueError, match=text):
        build(on_devices())


def test_graphs_with_ops_of_nccl(session):
    """Importing one makes them plain sums, whose slopes are those of all_sum."""
    graph_def = tf.GraphDef()
    for i in range(2):
        node = graph_def.node.add(name=f"sum_{i}", op="NcclAllReduce", input=[f"x_{i}"])
        node.attr["reduction"].s, node.attr["shared_name"].s = b"sum", b"c0"
        node.attr["T"].type, node.attr["num_devices"].i = 1, 2
        graph_def.node.add(name=f"x_{i}", op="Placeholder").attr["dtype"].type = 1
    given = on_devices(2)
    mapped = {"x_0": given[0], "x_1": given[1]}
    y = tf.import_graph_def(graph_def, mapped, ["sum_0:0", "sum_1:0"])
    for value in session.run(y):
        np.testing.assert_allclose(value, VALUES[0] + VALUES[1])
    for slope in session.run(tf.gradients([y[0] * 2.0, y[1] * 5.0], given)):
        np.testing.assert_array_equal(slope, np.full((3, 7), 7.0))
    for node in graph_def.node[::2]:
        node.attr["reduction"].s = b"max"
    y = tf.import_graph_def(graph_def, mapped, ["sum_0:0", "sum_1:0"])
    np.testing.assert_array_equal(session.run(y[1]), np.maximum(VALUES[0], VALUES[1]))
    with pytest.raises(LookupError, match="No gradient defined for NcclReduce except"):
        tf.gradients(y, given)
    graph_def.node[0].attr["num_devices"].i = 3
    with pytest.raises(ValueError, match="of a group of 3, but there are 2 with the"):
        tf.import_graph_def(graph_def)

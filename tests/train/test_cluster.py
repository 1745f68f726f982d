"""ClusterSpec and replica_device_setter; what is stated here TensorFlow 1.12 says."""

import pytest

import twinflow as tf
from twinflow.compat.door import device_names


def test_what_a_cluster_says():
    spec = tf.train.ClusterSpec({"worker": {1: "b:2", 3: "c:3"}, "ps": ["a:1"]})
    assert str(spec) == "ClusterSpec({'ps': ['a:1'], 'worker': {1: 'b:2', 3: 'c:3'}})"
    assert spec.job_tasks("worker") == [None, "b:2", None, "c:3"]
    assert spec.task_indices("worker") == [1, 3] and spec.num_tasks("ps") == 1
    assert tf.train.ClusterSpec(spec.as_cluster_def()) == spec != spec.as_dict()["ps"]
    assert spec and not tf.train.ClusterSpec({})
    with pytest.raises(ValueError, match="No such job in cluster: 'x'"):
        spec.num_tasks("x")
    with pytest.raises(ValueError, match="No task with index 2 in job 'worker'"):
        spec.task_address("worker", 2)


@pytest.mark.parametrize(
    ("cluster", "text"),
    [
        (1, "`cluster` must be a dictionary mapping"),
        ({"a": "bc"}, "The tasks for job 'a' must be a list or a dictionary"),
        ({1: ["a"]}, "Job name 1 must be bytes or unicode"),
        ({"a": [1]}, "Task address 1 must be bytes or unicode"),
        ({"a": {"x": "b"}}, "str"),
    ],
)
def test_what_is_no_cluster(cluster, text):
    with pytest.raises(TypeError, match=text):
        tf.train.ClusterSpec(cluster)


def test_variables_go_to_servers_in_turn():
    with tf.Graph().as_default() as graph:
        with tf.device(tf.train.replica_device_setter(ps_tasks=2)):
            v, r = (
                tf.Variable([1], name="v"),
                tf.get_variable("r", [2], use_resource=True),
            )
            total = v + 1
            with tf.device("/job:moon"):
                w = tf.Variable(2)
        found = {op.name: op.device for op in graph.get_operations()}
    assert found["v"] == found["v/Assign"] == found["v/read"] == "/job:ps/task:0"
    assert (r.device, w.device, total.device) == (
        "/job:ps/task:1", "/job:moon", "/job:worker",
    )  # fmt: skip
    assert tf.train.replica_device_setter() is None
    assert tf.train.replica_device_setter(cluster={"worker": ["b"]}) is None
    with pytest.raises(TypeError, match="ps_strategy must be callable"):
        tf.train.replica_device_setter(2, ps_strategy=3)


def test_the_device_of_this_place():
    with tf.Graph().as_default(), tf.device("/gpu:0"):
        assert device_names.current() == "/device:GPU:0"
        where = device_names.resolve("/job:worker/task:1")
    assert where == "/job:worker/replica:0/task:1/device:GPU:0"
    assert device_names.canonicalize("/cpu:0") == "/replica:0/task:0/device:CPU:0"

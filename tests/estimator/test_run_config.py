"""RunConfig and what TF_CONFIG says; the values are those of TensorFlow 1.12."""

import json

import pytest

import twinflow as tf

CLUSTER = {"chief": ["h0:0"], "ps": ["h1:1", "h2:2"], "worker": ["h3:3", "h4:4"]}


@pytest.fixture
def says(monkeypatch):
    def set_it(**config):
        monkeypatch.setenv("TF_CONFIG", json.dumps(config))

    return set_it


def test_alone():
    config = tf.estimator.RunConfig()
    assert (config.task_type, config.is_chief, config.master) == ("worker", True, "")
    assert (config.num_ps_replicas, config.num_worker_replicas) == (0, 1)
    assert config.cluster_spec.as_dict() == {}


def test_worker_of_a_cluster(says):
    says(cluster=CLUSTER, task={"type": "worker", "index": 1})
    config = tf.estimator.RunConfig()
    assert config.master == "grpc://h4:4"
    assert not config.is_chief
    assert (config.num_ps_replicas, config.num_worker_replicas) == (2, 3)
    assert config.global_id_in_cluster == 2
    assert list(config.session_config.device_filters) == [
        "/job:ps", "/job:worker/task:1",
    ]  # fmt: skip


def test_evaluators_stand_outside(says):
    says(cluster=CLUSTER, task={"type": "evaluator", "index": 0})
    config = tf.estimator.RunConfig()
    assert config.cluster_spec.as_dict() == {}
    assert config.global_id_in_cluster is None


@pytest.mark.parametrize(("config", "text"), [
    ({"cluster": CLUSTER}, "task type must be set"),
    ({"cluster": CLUSTER, "task": {"type": "worker"}}, "task index must be set"),
    ({"cluster": {"ps": ["a:1"]}}, 'must have one "chief" node'),
    ({"task": {"type": "ps", "index": 0}}, "task type must be WORKER"),
    ({"model_dir": ""}, "model_dir in TF_CONFIG should be non-empty"),
])  # fmt: skip
def test_what_does_not_fit_together(says, config, text):
    says(**config)
    with pytest.raises(ValueError, match=text):
        tf.estimator.RunConfig()


def test_replacing_one_time_of_checkpoints_leaves_out_the_other():
    config = tf.estimator.RunConfig().replace(save_checkpoints_steps=5)
    assert (config.save_checkpoints_steps, config.save_checkpoints_secs) == (5, None)
    with pytest.raises(ValueError, match="Replacing master is not supported"):
        config.replace(master="x")


def test_cluster_specs_are_data():
    spec = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": {1: "c:3", 3: "d"}})
    assert spec.as_dict() == {"worker": ["a:1", "b:2"], "ps": {1: "c:3", 3: "d"}}
    assert spec.job_tasks("ps") == [None, "c:3", None, "d"]
    assert tf.train.ClusterSpec(spec.as_cluster_def()) == spec
    with pytest.raises(ValueError, match="No such job in cluster: 'x'"):
        spec.num_tasks("x")

"""train_and_evaluate as the tasks of a cluster, in threads of one process."""

import json
import threading
from unittest import mock

import numpy as np
import pytest

import twinflow as tf
from twinflow.estimator import training
from twinflow.execute.servers import free_ports


def _model(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    step = tf.train.get_or_create_global_step()
    rate = tf.train.GradientDescentOptimizer(0.1)
    train = rate.minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def _data():
    x = np.random.RandomState(0).rand(8, 3).astype("float32")
    return tf.data.Dataset.from_tensors((x, x.sum(1, keepdims=True))).repeat(40)


def _config(cluster, task_type, index, folder, monkeypatch):
    found = {"cluster": cluster, "task": {"type": task_type, "index": index}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(found))
    config = tf.estimator.RunConfig(str(folder), save_checkpoints_steps=10)
    monkeypatch.delenv("TF_CONFIG")
    return config


def test_the_tasks_of_a_cluster_train_together(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_DELAY_SECS_PER_WORKER", 0)
    tasks = [("ps", 0), ("chief", 0), ("worker", 0), ("evaluator", 0)]
    ports = iter(free_ports(3))
    cluster = {job: [f"localhost:{next(ports)}"] for job, _ in tasks[:3]}
    train = tf.estimator.TrainSpec(_data, max_steps=30)
    evaluation = tf.estimator.EvalSpec(_data, 1, start_delay_secs=0, throttle_secs=0)
    estimators = {
        job: tf.estimator.Estimator(
            _model, config=_config(cluster, job, i, tmp_path, monkeypatch)
        )
        for job, i in tasks
    }
    threads = {
        job: threading.Thread(
            target=tf.estimator.train_and_evaluate,
            args=(estimator, train, evaluation), daemon=True,
        )
        for job, estimator in estimators.items()
    }  # fmt: skip
    for job in ("ps", "chief"):
        threads[job].start()
    never = threading.Event()
    with mock.patch("time.sleep", lambda seconds: never.wait(min(seconds, 0.05))):
        threads["worker"].start()
        threads["evaluator"].start()
        for job in ("chief", "worker", "evaluator"):
            threads[job].join()
    assert estimators["chief"].get_variable_value("global_step") >= 30
    events = [p.name for p in (tmp_path / "eval").iterdir()]
    assert events and threads["ps"].is_alive()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"task_type": None}, "must have task_type set"),
        ({"task_type": "local"}, "in TF_CONFIG cannot be `local`"),
        ({"task_type": "x"}, "Task type x is not supported. Supported task types are "
         r"\['chief', 'evaluator', 'master', 'ps', 'worker'\]"),
    ],
)  # fmt: skip
def test_what_is_no_task(settings, text):
    estimator = mock.Mock(spec=tf.estimator.Estimator)
    estimator.config = mock.Mock(**settings)
    train, evaluation = tf.estimator.TrainSpec(_data), tf.estimator.EvalSpec(_data)
    with pytest.raises(ValueError, match=text):
        tf.estimator.train_and_evaluate(estimator, train, evaluation)
    with pytest.raises(TypeError, match="`train_spec` must have type"):
        tf.estimator.train_and_evaluate(estimator, 3, evaluation)
    with pytest.raises(TypeError, match="`eval_spec` must have type"):
        tf.estimator.train_and_evaluate(estimator, train, None)


def test_where_an_estimator_puts_its_variables(monkeypatch):
    cluster = {"ps": ["a:1"], "chief": ["b:1"], "worker": ["c:1"]}
    places = []

    def model(features, labels, mode):
        spec = _model(features, labels, mode)
        places.extend(v.device for v in tf.global_variables())
        places.append(spec.loss.device)
        raise StopIteration

    config = _config(cluster, "chief", 0, "folder", monkeypatch)
    with pytest.raises(StopIteration):
        tf.estimator.Estimator(model, config=config).train(_data)
    assert places == ["/job:ps/task:0"] * 3 + ["/job:chief/task:0"]

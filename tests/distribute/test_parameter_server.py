"""ParameterServerStrategy: the numbers of one device, and where variables are."""

import numpy as np
import pytest

import twinflow as tf
from tests.distribute.test_mirrored import OPTIMIZERS, data, net
from tests.remote.conftest import ports, start
from twinflow.graph.graph import Graph

__all__ = ["ports", "start"]
distribute = tf.contrib.distribute
SOFT = tf.ConfigProto(allow_soft_placement=True)
# The losses of TensorFlow 1.12 with `data` and `net`, every fourth of 20 steps.
OF_112 = {
    "sgd": [2.176328, 0.993792, 0.396874, 0.606617, 0.311793],
    "adam": [2.176328, 2.262549, 1.525656, 1.784066, 1.095017],
}


def trained(gpus, optimizer, steps=20):
    """The losses, the variables and the global step of a training."""
    strategy = distribute.ParameterServerStrategy(gpus)
    count = strategy.num_towers
    with Graph().as_default(), tf.Session(config=SOFT) as sess:
        with strategy.scope():
            batches = strategy.distribute_dataset(lambda: data(count))
            iterator = batches.make_initializable_iterator()
            step = tf.train.get_or_create_global_step()

            def tower(element):
                x, y = element
                loss = tf.losses.mean_squared_error(y, net(x))
                return loss, OPTIMIZERS[optimizer]().minimize(loss, step)

            losses, train = strategy.call_for_each_tower(tower, iterator.get_next())
            loss = tf.add_n(strategy.unwrap(losses)) / count
            update = strategy.group(train)
        sess.run([iterator.initializer, tf.global_variables_initializer()])
        found = [sess.run([loss, update])[0] for _ in range(steps)]
        return found, sess.run(tf.trainable_variables()), sess.run(step)


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "momentum"])
def test_towers_agree_with_one_device(optimizer):
    alone, weights, _ = trained(0, optimizer)
    losses, found, steps = trained(2, optimizer)
    np.testing.assert_allclose(losses, alone, rtol=1e-5)
    for a, b in zip(found, weights, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    assert steps == 20
    if optimizer in OF_112:
        np.testing.assert_allclose(alone[::4], OF_112[optimizer], rtol=1e-5)


def test_what_towers_write_becomes_one_value():
    strategy = distribute.ParameterServerStrategy(2)
    with Graph().as_default(), tf.Session(config=SOFT) as sess:
        with strategy.scope():
            made = {
                kind: tf.get_variable(
                    str(kind), initializer=1.0, aggregation=kind, trainable=False
                )
                for kind in (
                    tf.VariableAggregation.SUM, tf.VariableAggregation.MEAN,
                    tf.VariableAggregation.ONLY_FIRST_TOWER,
                )
            }  # fmt: skip
            lone = tf.get_variable("lone", initializer=1.0)

            def tower():
                number = distribute.get_tower_context().tower_id + 1.0
                return [v.assign_add(number) for v in made.values()]

            done = [strategy.group(x) for x in strategy.call_for_each_tower(tower)]
            with pytest.raises(ValueError, match="aggregation"):
                strategy.call_for_each_tower(lambda: lone.assign(2.0))
        sess.run(tf.global_variables_initializer())
        sess.run(done)
        assert [sess.run(v) for v in made.values()] == [4.0, 2.5, 2.0]
        assert len(tf.global_variables()) == 4
        assert tf.trainable_variables() == [lone]


@pytest.mark.parametrize("gpus", [0, 2])
def test_where_a_worker_puts_things(gpus):
    cluster = {"ps": ["a:1", "b:1"], "chief": ["c:1"], "worker": ["d:1"]}
    strategy = distribute.ParameterServerStrategy(gpus)
    config = tf.ConfigProto(isolate_session_state=True)
    strategy.configure(config, cluster, "worker", 0)
    assert list(config.device_filters) == ["/job:worker/task:0", "/job:ps"]
    assert not config.isolate_session_state
    assert not strategy.should_init
    assert strategy.between_graph
    with Graph().as_default(), strategy.scope():
        made = [tf.get_variable(f"v{i}", initializer=1.0) for i in range(3)]
        optimizer = tf.train.AdamOptimizer()

        def tower():
            total = tf.add_n([v * 2.0 for v in made], name="total")
            optimizer.minimize(total)
            return total

        total = strategy.unwrap(strategy.call_for_each_tower(tower))
        assert [v.device for v in made] == [f"/job:ps/task:{i}" for i in (0, 1, 0)]
        for v in made:
            assert optimizer.get_slot(v, "m").device == v.device
        assert all(t.device.startswith("/job:worker/") for t in total)
        assert len(total) == max(gpus, 1)
        with pytest.raises(ValueError, match="Cannot reduce to another worker"):
            strategy.reduce(tf.VariableAggregation.SUM, total[0], "/job:worker/task:1")


def test_a_cluster_without_servers_is_refused():
    strategy = distribute.ParameterServerStrategy()
    with pytest.raises(ValueError, match="needs to have `ps` jobs"):
        strategy.configure(cluster_spec={"worker": ["a:1"]}, task_type="worker",
                           task_id=0)  # fmt: skip
    with pytest.raises(ValueError, match="must also specify"):
        strategy.configure(cluster_spec={"ps": ["a:1"]})


TASK = """
import json, os, sys
job, index, ports, folder, gpus = *sys.argv[1:5], int(sys.argv[5])
ps, chief, worker = ["localhost:" + p for p in ports.split(",")]
os.environ["TF_CONFIG"] = json.dumps({
    "cluster": {"ps": [ps], "chief": [chief], "worker": [worker]},
    "task": {"type": job, "index": int(index)}})
import numpy as np, twinflow as tf
from twinflow.estimator import training
training._DELAY_SECS_PER_WORKER = 0
tf.train.SessionManager.__init__.__defaults__ = (None, None, None, None, 0.3, None)
rows = np.random.RandomState(0).randn(64, 3).astype("f")
y = rows @ np.float32([[1], [2], [3]])

def inputs():
    return tf.data.Dataset.from_tensor_slices((rows, y)).repeat().batch(16)

def model(features, labels, mode):
    found = tf.layers.dense(features, 1)
    loss = tf.losses.mean_squared_error(labels, found)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(
        loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

config = tf.estimator.RunConfig(
    model_dir=folder, save_checkpoints_steps=20, tf_random_seed=1,
    train_distribute=tf.contrib.distribute.ParameterServerStrategy(gpus))
trainer = tf.estimator.Estimator(model, config=config)
tf.estimator.train_and_evaluate(
    trainer, tf.estimator.TrainSpec(inputs, max_steps=60),
    tf.estimator.EvalSpec(inputs, steps=4, start_delay_secs=0, throttle_secs=0.3))
if job == "evaluator":
    print(float(trainer.evaluate(inputs, steps=4)["loss"]))
print("DONE")
"""


def test_an_estimator_in_a_cluster(start, ports, tmp_path):
    """Two towers in each worker, which run on its CPU."""
    tasks = {}
    for job in ("ps", "chief", "worker", "evaluator"):
        rest = ",".join(map(str, ports)), tmp_path, 2
        tasks[job] = start(TASK, job, 0, *rest)
    for job in ("chief", "worker", "evaluator"):
        out, err = tasks[job].communicate(timeout=100)
        assert out.endswith("DONE\n"), err
        if job == "evaluator":
            assert float(out.split()[0]) < 0.01
    saved = tf.train.load_checkpoint(str(tmp_path))
    assert saved.get_tensor("global_step") >= 60
    np.testing.assert_allclose(
        saved.get_tensor("dense/kernel").ravel(), [1, 2, 3], atol=0.1
    )

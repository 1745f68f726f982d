"""tf.contrib.distribute: contexts, variables and steps of one tower."""

import pytest

import twinflow as tf
from twinflow.distribute import cross_tower_ops
from twinflow.distribute.values import PerDevice

distribute = tf.contrib.distribute


def _strategies():
    return [distribute.OneDeviceStrategy("/cpu:0"), distribute.MirroredStrategy()]


def test_contexts():
    assert not distribute.has_distribution_strategy()
    assert distribute.get_tower_context().tower_id == 0
    for strategy in _strategies():
        with strategy.scope():
            assert distribute.get_tower_context() is None
            assert distribute.get_cross_tower_context() is strategy
            found = strategy.call_for_each_tower(_in_tower, strategy)
        assert strategy.unwrap(found) == [(0, 3)]
    outer, nests = strategy.scope(), pytest.raises(RuntimeError, match="Cannot nest")
    with outer, nests, _strategies()[0].scope():
        pass


def _in_tower(strategy):
    tower = distribute.get_tower_context()
    assert distribute.get_cross_tower_context() is None
    with pytest.raises(RuntimeError, match="call_for_each_tower"):
        tower.merge_call(lambda _: distribute.require_tower_context(tower))
    return tower.tower_id, tower.merge_call(lambda s, x: x + s.num_towers, 2)


def test_steps_on_a_dataset():
    strategy = distribute.MirroredStrategy(devices=["/cpu:0"])
    with tf.Graph().as_default(), tf.Session() as sess, strategy.scope():
        total = tf.get_variable("total", initializer=0.0)
        assert total.dtype == tf.float32  # of the resource kind

        def step(context, x):
            context.set_last_step_output("last", x)
            return strategy.group(total.assign_add(x))

        data = strategy.distribute_dataset(
            lambda: tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0])
        )
        iterator = data.make_initializable_iterator()
        context = strategy.run_steps_on_dataset(
            step, iterator, iterations=3, initial_loop_values={"last": 0.0}
        )
        sess.run([total.initializer, iterator.initializer])
        last, _ = sess.run([context.last_step_outputs["last"], context.run_op])
        assert (last, sess.run(total)) == (3.0, 6.0)


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_a_monitor_trains(mode, request):
    request.getfixturevalue(mode)
    strategy = distribute.OneDeviceStrategy("/cpu:0")
    w = tf.Variable(1.0, use_resource=True) if mode == "graph" else tf.Variable(1.0)
    step = distribute.StandardSingleLossStep(
        lambda: tf.data.Dataset.from_tensors(2.0).repeat(),
        lambda _, x: w * x,
        tf.train.GradientDescentOptimizer(0.25), strategy, 2,
    )  # fmt: skip
    if mode == "eager":
        distribute.Monitor(step).run_steps(2)
        assert w.numpy() == -1.0
        return
    with tf.Session() as sess:
        distribute.Monitor(step, sess).run_steps(2)
        assert sess.run(w) == -1.0


def test_sums_over_workers():
    """MultiWorkerAllReduce gives the sums of the other cross-tower ops."""
    ops = cross_tower_ops.MultiWorkerAllReduce(
        ["/job:worker/task:0"], 2, [("nccl", 2, 1024), ("pscpu/pscpu", 2)]
    )
    assert ops._all_reduce_spec[1] == ("pscpu/pscpu", 2, -1)
    with tf.Graph().as_default(), tf.Session() as session:
        places = ["/device:CPU:0", "/device:CPU:1"]
        given = PerDevice({p: tf.constant([i + 1.0]) for i, p in enumerate(places)})
        found = ops.reduce(tf.VariableAggregation.MEAN, given, "/device:CPU:0")
        assert session.run(found.get("/device:CPU:0")).tolist() == [1.5]
    for spec, text in {
        ("a", 1, 2, 3): "Too many elements",
        3: "A tuple is exp",
    }.items():
        with pytest.raises(ValueError, match=text):
            cross_tower_ops.MultiWorkerAllReduce([], 1, spec)
    with pytest.raises(ValueError, match="A tuple is expected for all-reduce spec"):
        cross_tower_ops.MultiWorkerAllReduce([], 1, ["nccl"])

"""A model trained in step by several processes; run by test_collective.py.

The arguments: what to do, and more for it. TF_CONFIG says which process this is. It
prints what it found as JSON, in its last line.
"""

import json
import os
import sys

import numpy as np

import twinflow as tf

STEPS, BATCH = 20, 8
KIND, *MORE = sys.argv[1:]
if KIND in ("eager", "function"):
    tf.enable_eager_execution()


def rows(step):
    """The whole batch of a step."""
    rng = np.random.RandomState(step)
    x = rng.rand(BATCH, 3).astype("f")
    return x, (x @ [[1.0], [-2.0], [0.5]] + 0.1 * rng.rand(BATCH, 1)).astype("f")


def model(x, y):
    with tf.variable_scope("m", reuse=tf.AUTO_REUSE, use_resource=True):
        w = tf.get_variable("w", [3, 1], initializer=tf.random_normal_initializer())
        b = tf.get_variable("b", [1])
        table = tf.get_variable("table", [4, 1])
    place = tf.cast(tf.reduce_sum(x, 1), tf.int32)
    p = tf.matmul(x, w) + b + tf.nn.embedding_lookup(table, place)
    return tf.losses.mean_squared_error(y, p)


def in_graph(strategy, optimizer, given):
    """(losses, first and last values of the variables) of a session."""
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None, 1])
    steps = tf.train.get_or_create_global_step()

    def tower():
        loss = model(x, y)
        return loss, optimizer.minimize(loss, global_step=steps)

    loss, train = strategy.call_for_each_tower(tower)
    loss = strategy.reduce(tf.VariableAggregation.MEAN, loss, "/cpu:0")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        begun = session.run(tf.trainable_variables())
        losses = []
        for step in range(STEPS):
            fed = dict(zip((x, y), given(step)))
            losses.append(float(session.run([loss, train], fed)[0]))
        assert session.run(steps) == STEPS
        return losses, begun, session.run(tf.trainable_variables())


def eagerly(strategy, optimizer, given):
    """The same in eager mode, each step perhaps a function."""
    store = tf.contrib.eager.EagerVariableStore()

    def tower(x, y):
        kept = []

        def loss():
            kept.append(model(x, y))
            return kept[-1]

        with store.as_default():
            optimizer.minimize(loss)
        return kept[-1]

    def step_of(x, y):
        found = strategy.call_for_each_tower(tower, x, y)
        return strategy.reduce(tf.VariableAggregation.MEAN, found, "/cpu:0")

    with store.as_default():
        model(*map(tf.constant, given(0)))
    begun = [v.numpy() for v in store.trainable_variables()]
    if KIND == "function":
        step_of = tf.contrib.eager.defun(step_of)
    losses = [float(step_of(*map(tf.constant, given(s)))) for s in range(STEPS)]
    return losses, begun, [v.numpy() for v in store.trainable_variables()]


strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
place = json.loads(os.environ["TF_CONFIG"])
size, rank = len(place["cluster"]["worker"]), place["task"]["index"]
assert strategy.num_towers == size
assert strategy.should_checkpoint == (rank == 0)
tf.set_random_seed(7 + rank)  # the first process says where to begin
make = getattr(tf.train, MORE[0])
optimizer = make(0.05, 0.9) if "Momentum" in MORE[0] else make(0.05)
with strategy.scope():
    trained = in_graph if KIND == "graph" else eagerly
    losses, *ends = trained(
        strategy, optimizer, lambda step: [t[rank::size] for t in rows(step)]
    )
    begun, ended = ([v.ravel().tolist() for v in values] for values in ends)
print(json.dumps({"losses": losses, "begun": begun, "ends": ended}), flush=True)

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


def part(step, strategy, rank, size):
    """The part of a batch that a process has."""
    x, y = rows(step)
    return x[rank::size], y[rank::size]


def model(x, y):
    with tf.variable_scope("m", reuse=tf.AUTO_REUSE, use_resource=True):
        w = tf.get_variable("w", [3, 1], initializer=tf.random_normal_initializer())
        b = tf.get_variable("b", [1])
        table = tf.get_variable("table", [4, 1])
    place = tf.cast(tf.reduce_sum(x, 1), tf.int32)
    p = tf.matmul(x, w) + b + tf.nn.embedding_lookup(table, place)
    return tf.losses.mean_squared_error(y, p)


def main():
    strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
    task = json.loads(os.environ["TF_CONFIG"])
    size = len(task["cluster"]["worker"])
    rank = task["task"]["index"]
    assert strategy.num_towers == size
    assert strategy.should_checkpoint == (rank == 0)
    tf.set_random_seed(7 + rank)  # the first process says where to begin
    make = getattr(tf.train, MORE[0])
    optimizer = make(0.05, 0.9) if "Momentum" in MORE[0] else make(0.05)
    losses = []
    with strategy.scope():
        if KIND == "graph":
            x = tf.placeholder(tf.float32, [None, 3])
            y = tf.placeholder(tf.float32, [None, 1])
            step_of = tf.train.get_or_create_global_step()

            def tower():
                loss = model(x, y)
                return loss, optimizer.minimize(loss, global_step=step_of)

            loss, train = strategy.call_for_each_tower(tower)
            loss = strategy.reduce(tf.VariableAggregation.MEAN, loss, "/cpu:0")
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                begun = session.run(tf.trainable_variables())
                for step in range(STEPS):
                    fed = dict(zip((x, y), part(step, strategy, rank, size)))
                    losses.append(float(session.run([loss, train], fed)[0]))
                assert session.run(step_of) == STEPS
                ends = session.run(tf.trainable_variables())
        else:
            store = tf.contrib.eager.EagerVariableStore()

            def tower(x, y):
                with store.as_default():
                    kept = []

                    def loss():
                        kept.append(model(x, y))
                        return kept[-1]

                    optimizer.minimize(loss)
                return kept[-1]

            def step_of(x, y):
                found = strategy.call_for_each_tower(tower, x, y)
                return strategy.reduce(tf.VariableAggregation.MEAN, found, "/cpu:0")

            with store.as_default():
                model(*map(tf.constant, part(0, strategy, rank, size)))
            begun = [v.numpy() for v in store.trainable_variables()]
            if KIND == "function":
                step_of = tf.contrib.eager.defun(step_of)
            for step in range(STEPS):
                given = map(tf.constant, part(step, strategy, rank, size))
                losses.append(float(step_of(*given)))
            ends = [v.numpy() for v in store.trainable_variables()]
    found = {
        "losses": losses, "begun": [v.ravel().tolist() for v in begun],
        "ends": [v.ravel().tolist() for v in ends],
    }  # fmt: skip
    print(json.dumps(found), flush=True)


main()

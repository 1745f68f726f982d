"""A classifier of pictures in a graph, as Horovod's example of MNIST is written."""

import json
import sys

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

STEPS, BATCH = 10, 8
hvd.init()
RANK, SIZE = hvd.rank(), hvd.size()
assert (hvd.local_rank(), hvd.local_size()) == (RANK, SIZE)
rng = np.random.RandomState(0)
pictures = rng.rand(STEPS, BATCH, 6, 6, 1).astype("f")
kinds = rng.randint(0, 3, (STEPS, BATCH))

x = tf.placeholder(tf.float32, [None, 6, 6, 1])
y = tf.placeholder(tf.int64, [None])
tf.set_random_seed(5 + RANK)  # the first process says where to begin
h = tf.layers.flatten(tf.layers.conv2d(x, 2, 3, activation=tf.nn.relu))
table = tf.get_variable("table", [3, 2])
h = tf.concat([h, tf.nn.embedding_lookup(table, y % 2)], 1)
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(h, 3))
optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
optimizer = hvd.DistributedOptimizer(optimizer)
step = tf.train.get_or_create_global_step()
train = optimizer.minimize(loss, global_step=step)
whole = hvd.allreduce(loss)
assert len(tf.gradients(hvd.allreduce(tf.reduce_sum(x)), x)) == 1
hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=STEPS)]
if RANK == 0:  # what only one process fetches
    tf.summary.scalar("loss", loss)
    hooks.append(tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=5))
losses, folder = [], sys.argv[1] if RANK == 0 else None
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks) as session:
    while not session.should_stop():
        at = len(losses)
        fed = {x: pictures[at, RANK::SIZE], y: kinds[at, RANK::SIZE]}
        _, found = session.run([train, whole], fed)
        losses.append(float(found))
print("found", json.dumps(losses))

"""A line, eagerly and in functions, with Horovod's tape; and what its ops give."""

import json

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
hvd.init()
RANK, SIZE = hvd.rank(), hvd.size()
STEPS, BATCH = 10, 8


def ops():
    total = sum(range(SIZE))
    one = tf.constant([1.0, 2.0])
    mean = hvd.allreduce(one * RANK)
    np.testing.assert_allclose(mean.numpy(), np.array([1, 2]) * total / SIZE)
    half = hvd.allreduce(one * RANK, average=False, compression=hvd.Compression.fp16)
    assert half.dtype == tf.float32
    np.testing.assert_allclose(half.numpy(), np.array([1, 2]) * total)
    assert hvd.allreduce(tf.constant(7 * RANK)).numpy() == 7 * total // SIZE
    rows = hvd.allgather(tf.fill([RANK + 1, 2], RANK))
    assert rows.numpy()[:, 0].tolist() == [r for r in range(SIZE) for _ in range(r + 1)]
    assert hvd.broadcast(tf.constant(RANK), SIZE - 1).numpy() == SIZE - 1
    slices = hvd.allreduce(tf.IndexedSlices(one * (RANK + 1), tf.constant([0, RANK])))
    assert slices.indices.numpy().tolist() == [x for r in range(SIZE) for x in (0, r)]
    wanted = np.concatenate([np.array([1, 2]) * (r + 1) for r in range(SIZE)]) / SIZE
    np.testing.assert_allclose(slices.values.numpy(), wanted)
    table = tf.Variable(np.ones((SIZE, 2), "f"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [RANK]))
    tape = hvd.DistributedGradientTape(tape, sparse_as_dense=True)
    np.testing.assert_allclose(tape.gradient(loss, table).numpy(), 1 / SIZE)
    for call, text in (
        (lambda: hvd.allgather(tf.constant(1.0)), "first axis"),
        (lambda: hvd.broadcast(one, SIZE), "root_rank must be one of"),
        (lambda: hvd.broadcast_global_variables(0), "does not support eager"),
    ):
        try:
            call()
        except (ValueError, RuntimeError) as error:
            assert text in str(error)
        else:
            raise SystemExit(f"no error: {text}")
    if SIZE > 1:
        try:
            hvd.broadcast(one, 0, name=f"of_{RANK}")
        except tf.errors.FailedPreconditionError as error:
            assert "'of_0'; process 1 computes" in str(error)
        else:
            raise SystemExit("no error for different names")


def trained(compression, in_function):
    rng = np.random.RandomState(1)
    x = rng.rand(STEPS, BATCH, 3).astype("f")
    y = (x @ [[1.0], [2.0], [-1.0]]).astype("f")
    w = tf.Variable(rng.rand(3, 1).astype("f") + RANK)
    hvd.broadcast_variables([w], root_rank=0)
    optimizer = tf.train.AdamOptimizer(0.1)

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
        tape = hvd.DistributedGradientTape(tape, compression=compression)
        grads = tape.gradient(loss, [w])
        optimizer.apply_gradients(list(zip(grads, [w])))
        return loss

    if in_function:
        step = tf.contrib.eager.defun(step)
    for i in range(STEPS):
        step(tf.constant(x[i, RANK::SIZE]), tf.constant(y[i, RANK::SIZE]))
    return w.numpy().ravel().tolist()


ops()
found = {
    "plain": trained(hvd.Compression.none, False),
    "function": trained(hvd.Compression.none, True),
    "half": trained(hvd.Compression.fp16, False),
}
print("found", json.dumps(found))

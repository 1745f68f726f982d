# Queue runners feed a MonitoredTrainingSession with hooks of our own; partial_run; py_func.
from __future__ import print_function
import os
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
for i in range(2):
    with open("part-%d.csv" % i, "w") as f:
        for j in range(4):
            f.write("%d,%d.5,row%d\n" % (i, j, 4 * i + j))
tf.set_random_seed(2)


class CountHook(tf.train.SessionRunHook):
    def __init__(self, loss):
        self.loss, self.calls = loss, []

    def begin(self):
        self.calls.append("begin")
        self.double = tf.multiply(self.loss, 2, name="double")

    def after_create_session(self, session, coord):
        self.calls.append("created")

    def before_run(self, run_context):
        return tf.train.SessionRunArgs([self.loss, self.double])

    def after_run(self, run_context, run_values):
        loss, double = run_values.results
        self.calls.append("%.4f" % loss)
        assert abs(double - 2 * loss) < 1e-6
        if len(self.calls) >= 7:
            run_context.request_stop()

    def end(self, session):
        self.calls.append("end")


files = tf.train.string_input_producer(["part-0.csv", "part-1.csv"], shuffle=False, num_epochs=6)
reader = tf.TextLineReader()
key, value = reader.read(files)
part, number, name = tf.decode_csv(value, record_defaults=[[0], [0.0], [""]])
lower = tf.py_func(lambda s, n: np.float32(len(s) + n), [name, number], tf.float32, stateful=False)
lower.set_shape([])
parts, numbers, names, lengths = tf.train.batch([part, number, name, lower], batch_size=4, capacity=32)
w = tf.get_variable("w", [], initializer=tf.constant_initializer(0.1))
global_step = tf.train.get_or_create_global_step()
loss = tf.reduce_mean(tf.square(w * numbers - lengths), name="loss")
with tf.control_dependencies([tf.assert_greater(lengths, 0.0), tf.check_numerics(loss, "bad loss")]):
    train_op = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step)
print([q.name for q in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)], key.dtype, parts.shape)
print(sorted(k for k in tf.get_default_graph().get_all_collection_keys() if "cond" not in k))

start = w.assign(0.2)
hook = CountHook(loss)
scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=1), init_feed_dict={},
                             init_fn=lambda scaffold, sess: sess.run(start))
with tf.train.MonitoredTrainingSession(
        checkpoint_dir="logs", scaffold=scaffold, hooks=[hook, tf.train.NanTensorHook(loss)],
        save_checkpoint_secs=None, save_checkpoint_steps=2, save_summaries_steps=None) as sess:
    while not sess.should_stop():
        step, rows, _ = sess.run([global_step, names, train_op])
        if len(hook.calls) < 5:
            print([r.decode() for r in rows])
print(hook.calls)
print(sorted(f for f in os.listdir("logs") if f.endswith("index")), tf.train.latest_checkpoint("logs")[-7:])

with tf.Graph().as_default():
    queue = tf.PriorityQueue(10, [tf.string], [[]], name="tasks")
    put = queue.enqueue_many([np.array([3, 1, 2], np.int64), ["c", "a", "b"]])
    taken = queue.dequeue_many(3)
    fifo = tf.FIFOQueue(4, [tf.int32, tf.float32], shapes=[[], [2]], names=["n", "x"], shared_name="s")
    fill = fifo.enqueue({"n": 1, "x": [0.5, 1.5]})
    out = fifo.dequeue()
    print(queue.queue_ref.dtype, sorted(out), out["x"].shape)
    a, b, c = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    r1 = tf.add(a, b)
    r2 = tf.multiply(r1, c)
    with tf.Session() as sess:
        sess.run([put, fill])
        print(sess.run(taken), sess.run(out)["x"], sess.run(fifo.size()))
        h = sess.partial_run_setup([r1, r2], [a, b, c])
        res = sess.partial_run(h, r1, feed_dict={a: 1, b: 2})
        print(res, sess.partial_run(h, r2, feed_dict={c: res}))
        sess.run(fifo.close())
        try:
            sess.run(out)
        except tf.errors.OutOfRangeError as e:
            print(type(e).__name__, e.op.name)

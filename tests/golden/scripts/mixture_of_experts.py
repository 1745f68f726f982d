# A mixture of experts: noisy top-k gates, sparse dispatch, and tf.case over schedules.
import numpy as np
import tensorflow as tf

EXPERTS, K, DIM, OUT = 4, 2, 5, 3


def cv_squared(x):
    """The squared coefficient of variation: small where the load is even."""
    mean, variance = tf.nn.moments(x, axes=[0])
    return variance / (tf.square(mean) + 1e-10)


def prob_in_top_k(clean, noisy, stddev, top_values):
    normal = tf.distributions.Normal(0.0, 1.0)
    batch = tf.shape(clean)[0]
    m = tf.shape(top_values)[1]
    flat = tf.reshape(top_values, [-1])
    in_positions = tf.range(batch) * m + K
    threshold_in = tf.expand_dims(tf.gather(flat, in_positions), 1)
    threshold_out = tf.expand_dims(tf.gather(flat, in_positions - 1), 1)
    is_in = tf.greater(noisy, threshold_in)
    inside = normal.cdf((clean - threshold_in) / stddev)
    outside = normal.cdf((clean - threshold_out) / stddev)
    return tf.where(is_in, inside, outside)


def noisy_top_k_gating(x, train, seed):
    w_gate = tf.get_variable('w_gate', [DIM, EXPERTS], initializer=tf.random_normal_initializer(stddev=0.3))
    w_noise = tf.get_variable('w_noise', [DIM, EXPERTS], initializer=tf.zeros_initializer())
    clean = tf.matmul(x, w_gate)
    stddev = (tf.nn.softplus(tf.matmul(x, w_noise)) + 1e-2) * tf.to_float(train)
    noisy = clean + tf.random_normal(tf.shape(clean), seed=seed) * stddev
    top_logits, top_indices = tf.nn.top_k(noisy, min(K + 1, EXPERTS))
    gates = tf.nn.softmax(top_logits[:, :K])
    rows = tf.expand_dims(tf.range(tf.shape(x)[0]), 1) + tf.zeros_like(top_indices[:, :K])
    places = tf.stack([tf.reshape(rows, [-1]), tf.reshape(top_indices[:, :K], [-1])], 1)
    full = tf.sparse_to_dense(places, tf.shape(clean), tf.reshape(gates, [-1]), validate_indices=False)
    load = tf.cond(train, lambda: tf.reduce_sum(prob_in_top_k(clean, noisy, stddev, top_logits), 0),
                   lambda: tf.reduce_sum(tf.to_float(full > 0), 0))
    return full, load


class SparseDispatcher(object):
    """Sends each row to its experts, and adds up what comes back."""

    def __init__(self, gates):
        self.gates = gates
        where = tf.to_int32(tf.where(tf.transpose(gates) > 0))
        self.expert_index, self.batch_index = tf.unstack(where, num=2, axis=1)
        self.part_sizes = tf.reduce_sum(tf.to_int32(gates > 0), [0])
        flat = tf.reshape(gates, [-1])
        self.nonzero = tf.gather(flat, self.batch_index * EXPERTS + self.expert_index)

    def dispatch(self, x):
        return tf.split(tf.gather(x, self.batch_index), self.part_sizes, 0, num=EXPERTS)

    def combine(self, outputs):
        stitched = tf.concat(outputs, 0) * tf.expand_dims(self.nonzero, 1)
        return tf.unsorted_segment_sum(stitched, self.batch_index, tf.shape(self.gates)[0])


def expert(x, i):
    with tf.variable_scope('expert_%d' % i):
        return tf.contrib.layers.fully_connected(
            tf.contrib.layers.fully_connected(x, 6, scope='h', activation_fn=[tf.nn.relu, tf.nn.elu, tf.tanh, tf.nn.swish][i]),
            OUT, activation_fn=None, scope='out')


tf.set_random_seed(23)
rng = np.random.RandomState(23)
x_data = rng.randn(40, DIM).astype(np.float32)
y_data = (np.sign(x_data[:, 0]) * 1 + (x_data[:, 1] > 0)).astype(np.int32) % OUT
x, y = tf.placeholder(tf.float32, [None, DIM]), tf.placeholder(tf.int32, [None])
train = tf.placeholder_with_default(True, [], name='train')
with tf.variable_scope('moe'):
    gates, load = noisy_top_k_gating(x, train, seed=4)
    dispatcher = SparseDispatcher(gates)
    parts = dispatcher.dispatch(x)
    logits = dispatcher.combine([expert(part, i) for i, part in enumerate(parts)])
importance = tf.reduce_sum(gates, 0)
balance = 0.1 * (cv_squared(importance) + cv_squared(load))
entropy = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
step = tf.train.create_global_step()
rate = tf.case({tf.less(step, 3): lambda: tf.constant(0.1), tf.greater(step, 8): lambda: tf.constant(0.01)},
               default=lambda: 0.05 / tf.sqrt(tf.to_float(step)), exclusive=True, name='schedule')
phase = tf.case([(tf.equal(step % 3, 0), lambda: (tf.constant('even'), importance)),
                 (tf.equal(step % 3, 1), lambda: (tf.constant('load'), load))],
                default=lambda: (tf.constant('none'), tf.zeros_like(load)), strict=True)
accuracy = tf.contrib.metrics.accuracy(tf.argmax(logits, 1, output_type=tf.int32), y)
print(gates, load, logits, rate, phase[1], balance, sep='\n')
print([p.shape.as_list() for p in parts], dispatcher.part_sizes.shape, len(tf.trainable_variables()))
train_op = tf.train.AdagradDAOptimizer(rate, step, initial_gradient_squared_accumulator_value=0.1)
adam = tf.train.AdamOptimizer(rate)
grads = adam.compute_gradients(entropy + balance)
print([g is None for g, _ in grads][:4], type(train_op).__name__)
apply = adam.apply_gradients(grads, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: x_data, y: y_data}
    for i in range(12):
        e, b, r, (word, _), a, _ = sess.run([entropy, balance, rate, phase, accuracy, apply], feed)
        if i % 3 < 2:
            print('%2d %.4f %.5f %.4f %s %.3f' % (i, e, b, r, word.decode(), a))
    g, l, sizes = sess.run([gates, load, dispatcher.part_sizes], dict(list(feed.items()) + [(train, False)]))
    print(g[:2].round(4), l, sizes, (g > 0).sum(1).max(), sizes.sum())
    try:
        both = tf.case([(train, lambda: 1), (tf.logical_or(train, False), lambda: 2)], default=lambda: 3, exclusive=True)
        sess.run(both)
    except tf.errors.InvalidArgumentError as e:
        print(e.message.split('\n')[0][:70])

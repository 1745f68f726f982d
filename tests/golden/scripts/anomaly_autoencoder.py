# Anomalies found by an autoencoder with tied weights; its errors are judged by quantiles.
from __future__ import print_function

import numpy as np
import tensorflow as tf

N_FEATURES, N_CODE, EPOCHS, BATCH = 10, 3, 4, 25


def transactions(n, rng, fraud=False):
    base = rng.randn(n, 3).dot(np.linspace(-1, 1, 30).reshape(3, 10))
    noise = rng.standard_t(3, (n, N_FEATURES)) if fraud else 0.1 * rng.randn(n, N_FEATURES)
    return (base + noise).astype(np.float32)


rng = np.random.RandomState(77)
normal, fraud = transactions(150, rng), transactions(15, rng, fraud=True)
x_train, x_test = normal[:100], np.vstack([normal[100:], fraud])
labels = np.r_[np.zeros(50), np.ones(15)].astype(np.int64)

tf.set_random_seed(77)
with tf.name_scope('input'):
    mean, variance = tf.nn.weighted_moments(tf.constant(x_train), axes=[0], frequency_weights=tf.ones([100, 1]))
    x = tf.placeholder_with_default(tf.zeros([1, N_FEATURES]), [None, N_FEATURES], name='x')
    scaled = (x - mean) * tf.rsqrt(variance + 1e-6)
    corrupted = tf.contrib.layers.dropout(scaled, keep_prob=0.9, is_training=True, seed=3)

with tf.variable_scope('autoencoder', initializer=tf.contrib.layers.xavier_initializer(uniform=False)):
    w1 = tf.get_variable('w1', [N_FEATURES, 6])
    w2 = tf.get_variable('w2', [6, N_CODE])
    biases = [tf.get_variable('b%d' % i, [n], initializer=tf.constant_initializer(0.01))
              for i, n in enumerate([6, N_CODE, 6, N_FEATURES])]


def autoencode(inputs):
    h = tf.nn.selu(tf.nn.bias_add(tf.matmul(inputs, w1), biases[0]))
    code = tf.nn.softsign(tf.nn.bias_add(tf.matmul(h, w2), biases[1]), name='code')
    h = tf.nn.crelu(tf.nn.bias_add(tf.matmul(code, w2, transpose_b=True), biases[2]))[:, :6]
    return code, tf.nn.bias_add(tf.matmul(h, tf.transpose(w1)), biases[3], name='decoded')


_, denoised = autoencode(corrupted)
code, decoded = autoencode(scaled)
error = tf.reduce_mean(tf.squared_difference(scaled, decoded), axis=1, name='error')
loss = tf.losses.mean_squared_error(scaled, denoised, reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE)
sparsity = tf.losses.absolute_difference(tf.zeros_like(code), code, weights=1e-2, reduction='weighted_sum')
pairwise = tf.losses.mean_pairwise_squared_error(scaled, decoded, weights=0.1)
total = tf.losses.get_total_loss(add_regularization_losses=False)
step = tf.train.create_global_step()
rate = tf.train.cosine_decay_restarts(0.05, step, 8, t_mul=2.0, m_mul=0.9, alpha=0.01)
train = tf.train.AdadeltaOptimizer(rate * 20, rho=0.9).minimize(total, step)
for t in (corrupted, code, decoded, error, loss, sparsity, pairwise, total, rate):
    print(t)
print(tf.losses.get_losses())

with tf.name_scope('threshold'):
    errors = tf.placeholder(tf.float32, [None])
    thresholds = tf.contrib.distributions.percentile(errors, 90.0, interpolation='lower')
    median = tf.contrib.distributions.percentile(errors, 50.0)
    histogram = tf.histogram_fixed_width(errors, [0.0, 2.0], nbins=5)
    bins = tf.histogram_fixed_width_bins(errors[:6], [0.0, 2.0], nbins=5)
flags = tf.placeholder(tf.bool, [None])
truth = tf.placeholder(tf.int64, [None])
metrics, updates = tf.contrib.metrics.aggregate_metric_map({
    'precision': tf.metrics.precision(truth, flags),
    'recall': tf.metrics.recall(truth, flags),
    'fn': tf.metrics.false_negatives(truth, flags),
    'tp': tf.metrics.true_positives(truth, flags),
    'accuracy': tf.contrib.metrics.streaming_accuracy(tf.to_int64(flags), truth),
})
confusion = tf.confusion_matrix(truth, tf.to_int64(flags), num_classes=2, dtype=tf.float32)
f1 = tf.contrib.metrics.f1_score(truth, tf.to_float(flags), num_thresholds=3)
print(sorted(metrics), confusion.shape, f1[0].name)

saver = tf.train.Saver(tf.global_variables(), max_to_keep=1)
with tf.Session() as sess:
    sess.run(tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()))
    print([np.round(v, 4).tolist() for v in sess.run([mean[:3], variance[:3]])])
    best = np.inf
    for epoch in range(EPOCHS):
        order = np.random.RandomState(epoch).permutation(100)
        for lo in range(0, 100, BATCH):
            _, parts = sess.run([train, [loss, sparsity, pairwise, total]], {x: x_train[order[lo:lo + BATCH]]})
        value, r = sess.run([tf.reduce_mean(error), rate], {x: x_train})
        if value < best:
            best, path = value, saver.save(sess, './best/model', global_step=step)
        print('epoch %d' % epoch, ['%.4f' % p for p in parts], 'error %.4f rate %.5f' % (value, r), path)
    train_errors = sess.run(error, {x: x_train})
    limit, mid, counts, places = sess.run([thresholds, median, histogram, bins], {errors: train_errors})
    print('%.4f' % limit, '%.4f' % mid, counts, places)
    test_errors, codes = sess.run([error, code], {x: x_test})
    found = test_errors > limit
    feed = {flags: found, truth: labels}
    sess.run([updates, f1[1]], feed)
    print({k: round(float(v), 4) for k, v in sorted(sess.run(metrics).items())})
    print(sess.run(confusion, feed), '%.4f' % sess.run(f1[0]))
    print(codes[:2].round(3), sess.run(decoded).shape)
with tf.Session() as sess:
    saver.restore(sess, tf.train.latest_checkpoint('./best'))
    print('%.4f %d' % (sess.run(error, {x: x_test})[:5].sum(), sess.run(step)))

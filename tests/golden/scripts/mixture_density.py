# A mixture density network, and its sampling, for an inverted function.
import math

import numpy as np
import tensorflow as tf

NHIDDEN = 12
STDEV = 0.5
KMIX = 4
NOUT = KMIX * 3

np.random.seed(8)
tf.set_random_seed(8)
NSAMPLE = 60
y_data = np.float32(np.random.rand(1, NSAMPLE) * 21 - 10.5).T
r_data = np.float32(np.random.randn(NSAMPLE, 1))
x_data = np.float32(np.sin(0.75 * y_data) * 7.0 + y_data * 0.5 + r_data)

x = tf.placeholder(dtype=tf.float32, shape=[None, 1], name='x')
y = tf.placeholder(dtype=tf.float32, shape=[None, 1], name='y')
Wh = tf.Variable(tf.random_normal([1, NHIDDEN], stddev=STDEV, dtype=tf.float32))
bh = tf.Variable(tf.random_normal([1, NHIDDEN], stddev=STDEV, dtype=tf.float32))
Wo = tf.Variable(tf.random_normal([NHIDDEN, NOUT], stddev=STDEV, dtype=tf.float32))
bo = tf.Variable(tf.random_normal([1, NOUT], stddev=STDEV, dtype=tf.float32))
hidden_layer = tf.nn.tanh(tf.matmul(x, Wh) + bh)
output = tf.matmul(hidden_layer, Wo) + bo


def get_mixture_coef(output):
    out_pi, out_sigma, out_mu = tf.split(output, 3, 1)
    max_pi = tf.reduce_max(out_pi, 1, keepdims=True)
    out_pi = tf.subtract(out_pi, max_pi)
    out_pi = tf.exp(out_pi)
    normalize_pi = tf.reciprocal(tf.reduce_sum(out_pi, 1, keepdims=True))
    out_pi = tf.multiply(normalize_pi, out_pi)
    out_sigma = tf.exp(out_sigma)
    return out_pi, out_sigma, out_mu


out_pi, out_sigma, out_mu = get_mixture_coef(output)
oneDivSqrtTwoPI = 1 / math.sqrt(2 * math.pi)


def tf_normal(y, mu, sigma):
    result = tf.subtract(y, mu)
    result = tf.multiply(result, tf.reciprocal(sigma))
    result = -tf.square(result) / 2
    return tf.multiply(tf.exp(result), tf.reciprocal(sigma)) * oneDivSqrtTwoPI


def get_lossfunc(out_pi, out_sigma, out_mu, y):
    result = tf_normal(y, out_mu, out_sigma)
    result = tf.multiply(result, out_pi)
    result = tf.reduce_sum(result, 1, keepdims=True)
    result = -tf.log(result + 1e-10)
    return tf.reduce_mean(result)


lossfunc = get_lossfunc(out_pi, out_sigma, out_mu, y)
ds = tf.distributions
mixture = tf.contrib.distributions.MixtureSameFamily(
    mixture_distribution=ds.Categorical(probs=out_pi),
    components_distribution=ds.Normal(loc=out_mu, scale=out_sigma))
same = -tf.reduce_mean(mixture.log_prob(tf.squeeze(y, 1)))
mean = mixture.mean()
train_op = tf.train.AdamOptimizer().minimize(lossfunc)
print(out_pi, out_mu, mixture.batch_shape, mean.shape)

sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
for i in range(30):
    sess.run(train_op, feed_dict={x: x_data, y: y_data})
    if i % 10 == 0:
        values = sess.run([lossfunc, same], feed_dict={x: x_data, y: y_data})
        print(i, '%.4f %.4f' % tuple(values))


def get_pi_idx(x, pdf):
    accumulate = 0
    for i in range(0, pdf.size):
        accumulate += pdf[i]
        if accumulate >= x:
            return i
    return -1


x_test = np.float32(np.arange(-9, 9, 4.5))[:, None]
pi, sigma, mu, means = sess.run([out_pi, out_sigma, out_mu, mean], feed_dict={x: x_test})
print(pi.round(3))
print(means.round(2), np.sum(pi * mu, 1).round(2))
rn = np.random.randn(len(x_test))
for i in range(len(x_test)):
    idx = get_pi_idx(np.random.rand(), pi[i])
    print(idx, '%.2f' % (mu[i, idx] + rn[i] * sigma[i, idx]))

# A VAE written with tf.distributions, make_template and KL divergences.
import functools

import numpy as np
import tensorflow as tf

tfd = tf.contrib.distributions


dense = functools.partial(
    tf.layers.dense, kernel_initializer=tf.glorot_uniform_initializer(seed=8))


def make_encoder(data, code_size):
    x = tf.layers.flatten(data)
    x = dense(x, 24, tf.nn.relu)
    x = dense(x, 24, tf.nn.relu)
    loc = dense(x, code_size)
    scale = dense(x, code_size, tf.nn.softplus)
    return tfd.MultivariateNormalDiag(loc, scale)


def make_prior(code_size):
    loc = tf.zeros(code_size)
    scale = tf.ones(code_size)
    return tfd.MultivariateNormalDiag(loc, scale)


def make_decoder(code, data_shape):
    x = code
    x = dense(x, 24, tf.nn.relu)
    x = dense(x, 24, tf.nn.relu)
    logit = dense(x, np.prod(data_shape))
    logit = tf.reshape(logit, [-1] + data_shape)
    return tfd.Independent(tfd.Bernoulli(logit), 2)


make_encoder = tf.make_template('encoder', make_encoder)
make_decoder = tf.make_template('decoder', make_decoder)

tf.set_random_seed(1)
rng = np.random.RandomState(4)
images = (rng.rand(50, 6, 6) > np.linspace(0.2, 0.9, 6)).astype(np.float32)

data = tf.placeholder(tf.float32, [None, 6, 6])
prior = make_prior(code_size=2)
posterior = make_encoder(data, code_size=2)
code = posterior.sample(seed=3)
likelihood = make_decoder(code, [6, 6]).log_prob(data)
divergence = tfd.kl_divergence(posterior, prior)
elbo = tf.reduce_mean(likelihood - divergence)
optimize = tf.train.AdamOptimizer(0.003).minimize(-elbo)
samples = make_decoder(prior.sample(3, seed=5), [6, 6]).mean()

print(posterior, prior, sep='\n')
print(code, likelihood, divergence, samples, sep='\n')
print([v.name for v in tf.trainable_variables()][:5], len(tf.trainable_variables()))
with tf.train.MonitoredSession() as sess:
    for epoch in range(5):
        test_elbo, test_codes, test_samples = sess.run(
            [elbo, code, samples], {data: images[:20]})
        print('Epoch', epoch, 'elbo %.4f' % test_elbo, test_codes[0].round(3),
              '%.4f' % test_samples.mean())
        for lo in range(20, 50, 10):
            sess.run(optimize, {data: images[lo:lo + 10]})

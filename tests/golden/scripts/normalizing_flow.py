# Normalising flows: RealNVP and affine couplings of tf.contrib.distributions.
import numpy as np
import tensorflow as tf

tfd = tf.contrib.distributions
tfb = tfd.bijectors
rng = np.random.RandomState(12)


class NVPCoupling(object):
    """A coupling layer written by hand, with its log determinant."""

    def __init__(self, name, flip):
        self.flip = flip
        self.template = tf.make_template(name, self._shift_and_log_scale)

    def _shift_and_log_scale(self, x):
        init = tf.random_normal_initializer(stddev=0.2, seed=9)
        h = tf.layers.dense(x, 8, tf.nn.tanh, kernel_initializer=init)
        out = tf.layers.dense(h, 2, kernel_initializer=init)
        return out[:, :1], tf.tanh(out[:, 1:])

    def inverse(self, y):
        a, b = tf.split(y, 2, axis=1)
        a, b = (b, a) if self.flip else (a, b)
        shift, log_scale = self.template(a)
        b = (b - shift) * tf.exp(-log_scale)
        x = tf.concat([b, a] if self.flip else [a, b], 1)
        return x, -tf.reduce_sum(log_scale, 1)

    def forward(self, x):
        a, b = tf.split(x, 2, axis=1)
        a, b = (b, a) if self.flip else (a, b)
        shift, log_scale = self.template(a)
        b = b * tf.exp(log_scale) + shift
        return tf.concat([b, a] if self.flip else [a, b], 1)


z = rng.randn(64, 2)
data = np.stack([z[:, 0], z[:, 0] ** 2 * 0.5 + 0.3 * z[:, 1]], 1).astype(np.float32)
x = tf.placeholder(tf.float32, [None, 2])
layers = [NVPCoupling('coupling%d' % n, n % 2 == 1) for n in range(4)]
base = tfd.MultivariateNormalDiag(loc=tf.zeros([2]), scale_diag=tf.ones([2]))
h, total = x, 0.
for layer in reversed(layers):
    h, log_det = layer.inverse(h)
    total += log_det
log_prob = base.log_prob(h) + total
loss = -tf.reduce_mean(log_prob)
again = h
for layer in layers:
    again = layer.forward(again)
train = tf.train.AdamOptimizer(0.01).minimize(loss)
print(h, log_prob, len(tf.trainable_variables()))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(13):
        value, _ = sess.run([loss, train], {x: data})
        if step % 4 == 0:
            print('step %d nll %.4f' % (step, value))
    back = sess.run(again, {x: data})
    print('round trip', np.abs(back - data).max() < 1e-4)

    flow = tfd.TransformedDistribution(
        distribution=tfd.Normal(0., 1.),
        bijector=tfb.Chain([tfb.Exp(), tfb.AffineScalar(shift=0.5, scale=0.25)]),
        name='LogNormal')
    print(flow)
    at = tf.constant([0.5, 1.0, 2.0])
    print(sess.run(flow.log_prob(at)).round(5), sess.run(flow.cdf(at)).round(5))
    for bijector, value in [(tfb.Sigmoid(), [0.3, -1.]), (tfb.Softplus(), [0.3, -1.]),
                            (tfb.PowerTransform(0.5), [0.3, 1.]),
                            (tfb.Invert(tfb.Exp()), [0.3, 1.]),
                            (tfb.Permute([1, 0]), [0.3, 1.]),
                            (tfb.SoftmaxCentered(), [0.3, 1.]),
                            (tfb.Affine([1., 2.], scale_tril=[[2., 0.], [1., 3.]]),
                             [0.3, 1.])]:
        point = tf.constant([value])
        there = bijector.forward(point)
        events = bijector.forward_min_event_ndims
        print(bijector.name, sess.run(there).round(4).tolist(),
              sess.run(bijector.inverse(there)).round(4).tolist(),
              np.round(sess.run(bijector.forward_log_det_jacobian(point, events)), 4))

# A Kalman filter and smoother over a batch of series with tf.scan; its noises are learned.
from __future__ import print_function

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer('steps', 12, 'Length of each series.')
flags.DEFINE_integer('series', 3, 'Number of series.')
flags.DEFINE_float('lr', 0.1, 'Learning rate.')
flags.DEFINE_bool('smooth', True, 'Run the smoother too.')
flags.DEFINE_enum('kind', 'velocity', ['velocity', 'level'], 'The model.')
flags.DEFINE_list('marks', ['0', '5'], 'Steps that are shown.')
FLAGS = flags.FLAGS


def simulate(rng):
    F = np.array([[1, 1], [0, 1]], np.float32)
    x = rng.randn(FLAGS.series, 2).astype('f')
    out = []
    for _ in range(FLAGS.steps):
        x = x.dot(F.T) + 0.1 * rng.randn(FLAGS.series, 2).astype('f')
        out.append(x[:, :1] + 0.5 * rng.randn(FLAGS.series, 1).astype('f'))
    return np.stack(out, 1)


class KalmanFilter(tf.keras.layers.Layer):
    """x' = F x + q, z = H x + r, for a batch of series."""

    def __init__(self, F, H, name='kalman'):
        super(KalmanFilter, self).__init__(name=name)
        self.F = tf.constant(F, tf.float32)
        self.H = tf.constant(H, tf.float32)
        self.n = len(F)

    def build(self, input_shape):
        self.log_q = self.add_weight('log_q', [self.n], initializer=tf.constant_initializer([-1.0, -2.0]))
        self.log_r = self.add_weight('log_r', [1], initializer='zeros', regularizer=tf.keras.regularizers.l2(0.01))
        super(KalmanFilter, self).build(input_shape)

    def step(self, state, z):
        mean, cov, _, _, _ = state
        Q = tf.diag(tf.exp(self.log_q))
        mean = tf.einsum('ij,bj->bi', self.F, mean)
        cov = tf.einsum('ij,bjk,lk->bil', self.F, cov, self.F) + Q
        predicted = mean, cov
        residual = z - tf.einsum('ij,bj->bi', self.H, mean)
        PHt = tf.einsum('bij,kj->bik', cov, self.H)
        S = tf.einsum('ij,bjk->bik', self.H, PHt) + tf.diag(tf.exp(self.log_r))
        gain = tf.matrix_transpose(tf.matrix_solve(S, tf.matrix_transpose(PHt)))
        mean = mean + tf.squeeze(tf.matmul(gain, residual[..., None]), axis=[-1])
        cov = cov - tf.matmul(gain, PHt, transpose_b=True)
        maha = tf.reduce_sum(residual * tf.squeeze(tf.matrix_solve(S, residual[..., None]), -1), -1)
        ll = -0.5 * (maha + tf.linalg.logdet(2 * np.pi * S))
        return (mean, cov) + predicted + (ll,)

    def call(self, z):
        batch = tf.shape(z)[0]
        mean = tf.zeros([batch, self.n])
        cov = tf.eye(self.n, batch_shape=[batch])
        start = (mean, cov, mean, cov, tf.zeros([batch]))
        return tf.scan(self.step, tf.transpose(z, [1, 0, 2]), initializer=start, swap_memory=True)

    def smooth(self, means, covs, pmeans, pcovs):
        def back(later, now):
            mean, cov, pmean, pcov = now
            FP = tf.einsum('ij,bjk->bik', self.F, cov)
            J = tf.matrix_transpose(tf.matrix_solve(pcov, FP, adjoint=True))
            m = mean + tf.einsum('bij,bj->bi', J, later[0] - pmean)
            return m, cov + tf.matmul(J, tf.matmul(later[1] - pcov, J, transpose_b=True))

        elems = (means[:-1], covs[:-1], pmeans[1:], pcovs[1:])
        return tf.scan(back, elems, initializer=(means[-1], covs[-1]), reverse=True, name='smooth')


def main(argv):
    print(len(argv), FLAGS.kind, FLAGS.marks, FLAGS.smooth)
    tf.set_random_seed(1)
    data = simulate(np.random.RandomState(7))
    z = tf.placeholder_with_default(data, shape=[None, FLAGS.steps, 1])
    model = KalmanFilter([[1, 1], [0, 1]], [[1, 0]])
    means, covs, pmeans, pcovs, ll = model(z)
    loss = -tf.reduce_mean(tf.reduce_sum(ll, 0)) + tf.add_n(model.losses)
    optimizer = tf.train.MomentumOptimizer(FLAGS.lr, 0.9, use_nesterov=True)
    grads_and_vars = optimizer.compute_gradients(loss, model.trainable_weights)
    train = optimizer.apply_gradients([(tf.clip_by_value(g, -1, 1), v) for g, v in grads_and_vars])
    print(means.shape, covs.shape, ll.shape, [w.name for w in model.weights])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(10):
            value, gradients, _ = sess.run([loss, [g for g, _ in grads_and_vars], train])
            if str(step) in FLAGS.marks:
                print('step %d: %.4f' % (step, value), *[g.round(3) for g in gradients])
        m, c, l = sess.run([means, covs, ll])
        print(m[-1].round(3), c[-1, 0].round(4), l.sum(0).round(3))
        if FLAGS.smooth:
            s, sc = sess.run(model.smooth(means, covs, pmeans, pcovs))
            print(s.shape, s[0].round(3), sc[0, 0].round(4), (np.trace(sc[3, 0]) < np.trace(c[3, 0])))
        print(sess.run(ll, {z: data[:1]}).shape)
    try:
        FLAGS.kind = 'other'
    except flags.IllegalFlagValueError as e:
        print(e)
    print(sorted(f for f in FLAGS.flag_values_dict() if f in ('steps', 'lr', 'smooth', 'kind', 'marks')))


if __name__ == '__main__':
    tf.app.run()

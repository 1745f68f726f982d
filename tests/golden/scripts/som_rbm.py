# A self-organising map and a restricted Boltzmann machine.
import numpy as np
import tensorflow as tf

np.random.seed(20)


class SOM(object):
    def __init__(self, m, n, dim, iterations):
        self.m, self.n, self.iterations = m, n, iterations
        self.weights = tf.Variable(tf.random_normal([m * n, dim], seed=1))
        self.location = tf.constant(np.array(
            [[i, j] for i in range(m) for j in range(n)]))
        self.vect = tf.placeholder('float', [dim])
        self.iter = tf.placeholder('float')
        bmu = tf.argmin(tf.sqrt(tf.reduce_sum(tf.pow(tf.subtract(
            self.weights, tf.stack([self.vect for i in range(m * n)])), 2), 1)), 0)
        slice_input = tf.pad(tf.reshape(bmu, [1]), np.array([[0, 1]]))
        bmu_loc = tf.reshape(tf.slice(self.location, slice_input,
                                      tf.constant(np.array([1, 2]))), [2])
        rate = tf.subtract(1.0, tf.div(self.iter, iterations))
        alpha, sigma = tf.multiply(0.3, rate), tf.multiply(max(m, n) / 2.0, rate)
        distance = tf.reduce_sum(tf.pow(tf.subtract(
            self.location, tf.stack([bmu_loc for i in range(m * n)])), 2), 1)
        neighbourhood = tf.exp(tf.negative(tf.div(
            tf.cast(distance, 'float32'), tf.pow(sigma, 2))))
        learning = tf.expand_dims(tf.multiply(alpha, neighbourhood), 1)
        delta = tf.multiply(learning, self.vect - self.weights)
        self.train_op = tf.assign(self.weights, tf.add(self.weights, delta))
        self.bmu = bmu


colors = np.array([[0., 0., 0.], [0., 0., 1.], [0., 1., 0.], [1., 0., 0.], [1., 1., 1.]])
som = SOM(4, 5, 3, 6)
print(som.bmu, som.train_op)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(6):
        for color in colors:
            sess.run(som.train_op, {som.vect: color, som.iter: i})
    print([int(sess.run(som.bmu, {som.vect: c})) for c in colors])
    print(sess.run(som.weights)[:2].round(4))


def sample_prob(probs, seed):
    return tf.nn.relu(tf.sign(probs - tf.random_uniform(tf.shape(probs), seed=seed)))


N, H = 12, 6
X = tf.placeholder('float', [None, N])
W = tf.Variable(tf.truncated_normal([N, H], stddev=0.1, seed=3), name='W')
bv = tf.Variable(tf.zeros([1, N]), name='bv')
bh = tf.Variable(tf.zeros([1, H]), name='bh')


def gibbs_sample(k):
    def gibbs_step(count, k, xk):
        hk = sample_prob(tf.sigmoid(tf.matmul(xk, W) + bh), 4)
        xk = sample_prob(tf.sigmoid(tf.matmul(hk, tf.transpose(W)) + bv), 5)
        return count + 1, k, xk
    _, _, x_sample = tf.while_loop(lambda c, k, x: c < k, gibbs_step,
                                   [tf.constant(0), tf.constant(k), X])
    return tf.stop_gradient(x_sample)


h0 = sample_prob(tf.sigmoid(tf.matmul(X, W) + bh), 6)
xk = gibbs_sample(2)
hk = tf.sigmoid(tf.matmul(xk, W) + bh)
size = tf.cast(tf.shape(X)[0], tf.float32)
lr = tf.constant(0.1)
updates = [
    W.assign_add(lr / size * (tf.matmul(tf.transpose(X), h0)
                              - tf.matmul(tf.transpose(xk), hk))),
    bv.assign_add(lr / size * tf.reduce_sum(X - xk, 0, True)),
    bh.assign_add(lr / size * tf.reduce_sum(h0 - hk, 0, True))]


def free_energy(v):
    hidden = tf.reduce_sum(tf.log(1 + tf.exp(tf.matmul(v, W) + bh)), 1)
    return tf.reduce_mean(-hidden - tf.reduce_sum(v * bv, 1))


energy = free_energy(X)
data = (np.random.rand(20, N) < np.linspace(0.1, 0.9, N)).astype(np.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    # The samples first: the updates change what they are computed from.
    for epoch in range(5):
        values = sess.run([u.op.inputs[1] for u in updates], {X: data})
        for variable, value in zip((W, bv, bh), values):
            variable.load(variable.eval() + value)
        print('epoch %d free energy %.4f' % (epoch, sess.run(energy, {X: data})))
    print(sess.run(bv).round(3))

# A Wasserstein GAN with gradient penalty: a gradient inside the loss.
import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer('critic_iters', 3, 'critic steps for one of the generator')
flags.DEFINE_float('scale', 10.0, 'weight of the penalty')
flags.DEFINE_boolean('verbose', True, 'print the shapes')
FLAGS = flags.FLAGS

DIM = 16
BATCH = 12


def dense(x, size, scope, activation=tf.nn.tanh):
    with tf.variable_scope(scope):
        init = tf.contrib.layers.xavier_initializer(seed=len(scope))
        w = tf.get_variable('w', [x.shape[1].value, size], initializer=init)
        b = tf.get_variable('b', [size], initializer=tf.zeros_initializer())
        out = tf.nn.bias_add(tf.matmul(x, w), b)
        return activation(out) if activation is not None else out


def g_net(z):
    with tf.variable_scope('g_net', reuse=tf.AUTO_REUSE):
        return dense(dense(z, DIM, 'fc'), 2, 'out', None)


def d_net(x):
    with tf.variable_scope('d_net', reuse=tf.AUTO_REUSE):
        h = dense(x, DIM, 'fc')
        h = dense(h, DIM, 'fc_b')
        return dense(h, 1, 'out', None)


class WassersteinGAN(object):
    def __init__(self, scale):
        self.x = tf.placeholder(tf.float32, [None, 2], name='x')
        self.z = tf.placeholder(tf.float32, [None, 4], name='z')
        self.epsilon = tf.placeholder(tf.float32, [None, 1], name='epsilon')
        self.x_ = g_net(self.z)
        self.d = d_net(self.x)
        self.d_ = d_net(self.x_)
        self.g_loss = tf.reduce_mean(self.d_)
        self.d_loss = tf.reduce_mean(self.d) - tf.reduce_mean(self.d_)
        x_hat = self.epsilon * self.x + (1 - self.epsilon) * self.x_
        d_hat = d_net(x_hat)
        ddx = tf.gradients(d_hat, x_hat)[0]
        if FLAGS.verbose:
            print(ddx.get_shape())
        ddx = tf.sqrt(tf.reduce_sum(tf.square(ddx), axis=1))
        self.slopes = ddx
        ddx = tf.reduce_mean(tf.square(ddx - 1.0) * scale)
        self.d_loss = self.d_loss + ddx
        d_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='d_net')
        g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='g_net')
        self.d_adam = tf.train.AdamOptimizer(
            learning_rate=1e-2, beta1=0.5, beta2=0.9).minimize(
                self.d_loss, var_list=d_vars)
        self.g_adam = tf.train.AdamOptimizer(
            learning_rate=1e-2, beta1=0.5, beta2=0.9).minimize(
                self.g_loss, var_list=g_vars)
        self.d_vars = d_vars
        gpu_options = tf.GPUOptions(allow_growth=True)
        self.sess = tf.Session(config=tf.ConfigProto(gpu_options=gpu_options))

    def train(self, num_batches):
        rng = np.random.RandomState(0)
        self.sess.run(tf.global_variables_initializer())
        for t in range(num_batches):
            for _ in range(FLAGS.critic_iters):
                angle = 6.28 * rng.rand(BATCH)
                bx = np.stack([np.cos(angle), np.sin(angle)], 1)
                feed = {self.x: bx, self.z: rng.randn(BATCH, 4),
                        self.epsilon: rng.rand(BATCH, 1)}
                self.sess.run(self.d_adam, feed_dict=feed)
            self.sess.run(self.g_adam, feed_dict={self.z: rng.randn(BATCH, 4)})
            if t % 3 == 0:
                d_loss, g_loss, slopes = self.sess.run(
                    [self.d_loss, self.g_loss, self.slopes], feed_dict=feed)
                print('Iter [%d] d_loss [%.4f] g_loss [%.4f] slope [%.4f]' % (
                    t, d_loss, g_loss, slopes.mean()))


def main(_):
    wgan = WassersteinGAN(FLAGS.scale)
    print(wgan.d_loss)
    for var in wgan.d_vars:
        print(var.name)
    wgan.train(13)


if __name__ == '__main__':
    tf.app.run()

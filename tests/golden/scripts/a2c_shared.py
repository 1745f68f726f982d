# A2C: several environments in step, one network for policy and value, entropy, n-step returns.
from __future__ import print_function

import numpy as np
import tensorflow as tf


def find_trainable_variables(key):
    with tf.variable_scope(key):
        return tf.trainable_variables(tf.get_variable_scope().name)


def cat_entropy(logits):
    a0 = logits - tf.reduce_max(logits, 1, keepdims=True)
    ea0 = tf.exp(a0)
    z0 = tf.reduce_sum(ea0, 1, keepdims=True)
    p0 = ea0 / z0
    return tf.reduce_sum(p0 * (tf.log(z0) - a0), 1)


def ortho_init(scale=1.0):
    def _ortho_init(shape, dtype, partition_info=None):
        shape = tuple(shape)
        flat_shape = shape if len(shape) == 2 else (int(np.prod(shape[:-1])), shape[-1])
        a = np.random.RandomState(sum(shape)).normal(0.0, 1.0, flat_shape)
        u, _, v = np.linalg.svd(a, full_matrices=False)
        q = u.dot(v)
        return (scale * q.reshape(shape)[:shape[0], :shape[1]]).astype(np.float32)
    return _ortho_init


def conv(x, scope, nf, rf, stride, init_scale=1.0):
    with tf.variable_scope(scope):
        nin = x.get_shape()[3].value
        w = tf.get_variable('w', [rf, rf, nin, nf], initializer=ortho_init(init_scale))
        b = tf.get_variable('b', [nf], initializer=tf.constant_initializer(0.0))
        return tf.nn.conv2d(x, w, strides=[1, stride, stride, 1], padding='VALID') + b


def fc(x, scope, nh, init_scale=1.0):
    with tf.variable_scope(scope):
        w = tf.get_variable('w', [x.get_shape()[1].value, nh], initializer=ortho_init(init_scale))
        b = tf.get_variable('b', [nh], initializer=tf.constant_initializer(0.0))
        return tf.matmul(x, w) + b


class CnnPolicy(object):
    def __init__(self, sess, nenv, nsteps, nact, reuse=False):
        x = tf.placeholder(tf.uint8, [nenv * nsteps, 6, 6, 2])
        with tf.variable_scope('model', reuse=reuse):
            h = tf.nn.relu(conv(tf.cast(x, tf.float32) / 255., 'c1', 4, 3, 1, np.sqrt(2)))
            h = tf.reshape(h, [-1, np.prod([v.value for v in h.get_shape()[1:]])])
            h = tf.nn.relu(fc(h, 'fc1', 12, np.sqrt(2)))
            pi, vf = fc(h, 'pi', nact, 0.1), fc(h, 'v', 1)
        v0 = vf[:, 0]
        noise = tf.random_uniform(tf.shape(pi), seed=17)
        a0 = tf.argmax(pi - tf.log(-tf.log(noise)), 1)
        self.x, self.pi, self.vf = x, pi, vf
        self.step = lambda ob: sess.run([a0, v0], {x: ob})
        self.value = lambda ob: sess.run(v0, {x: ob})


class Model(object):
    def __init__(self, sess, nenvs, nsteps, nact, ent_coef=0.01, vf_coef=0.5, total=8):
        a = tf.placeholder(tf.int32, [nenvs * nsteps])
        adv, r = [tf.placeholder(tf.float32, [nenvs * nsteps]) for _ in range(2)]
        lr = tf.placeholder(tf.float32, [])
        act = CnnPolicy(sess, nenvs, 1, nact)
        train = CnnPolicy(sess, nenvs, nsteps, nact, reuse=True)
        neglogpac = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=train.pi, labels=a)
        pg_loss = tf.reduce_mean(adv * neglogpac)
        vf_loss = tf.reduce_mean(tf.square(tf.squeeze(train.vf) - r) / 2.)
        entropy = tf.reduce_mean(cat_entropy(train.pi))
        loss = pg_loss - entropy * ent_coef + vf_loss * vf_coef
        params = find_trainable_variables('model')
        grads, grad_norm = tf.clip_by_global_norm(tf.gradients(loss, params), 0.5)
        trainer = tf.train.RMSPropOptimizer(learning_rate=lr, decay=0.99, epsilon=1e-5)
        _train = trainer.apply_gradients(list(zip(grads, params)))
        print([(v.op.name, v.shape.as_list()) for v in params])

        def do_train(obs, rewards, actions, values, update):
            feed = {train.x: obs, a: actions, adv: rewards - values, r: rewards,
                    lr: 7e-3 * (1 - update / float(total))}
            return sess.run([pg_loss, vf_loss, entropy, grad_norm, _train], feed)[:-1]

        self.train, self.step, self.value, self.params = do_train, act.step, act.value, params
        tf.global_variables_initializer().run(session=sess)


class Blocks(object):
    """A block on a board; pushing it to the right is good."""

    def __init__(self, n):
        self.column = np.arange(n) % 4

    def observe(self):
        board = np.zeros((len(self.column), 6, 6, 2), np.uint8)
        for i, c in enumerate(self.column):
            board[i, 2:4, c:c + 2, 0] = 255
            board[i, :, :, 1] = 20 * c
        return board

    def step(self, actions):
        self.column = np.clip(self.column + actions - 1, 0, 4)
        done = self.column == 4
        self.column[done] = 0
        return self.observe(), done * 1.0 - 0.01, done


def discount_with_dones(rewards, dones, gamma):
    discounted, r = [], 0
    for reward, done in zip(rewards[::-1], dones[::-1]):
        r = reward + gamma * r * (1. - done)
        discounted.append(r)
    return discounted[::-1]


def learn(nenvs=3, nsteps=5):
    tf.set_random_seed(0)
    config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1)
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)
    model, env = Model(sess, nenvs, nsteps, 3), Blocks(nenvs)
    obs = env.observe()
    for update in range(8):
        mb = [[], [], [], [], []]
        for _ in range(nsteps):
            actions, values = model.step(obs)
            after, rewards, dones = env.step(actions)
            for kept, new in zip(mb, (obs, rewards, actions, values, dones)):
                kept.append(new)
            obs = after
        mb = [np.asarray(m).swapaxes(1, 0) for m in mb]
        last = model.value(obs)
        returns = np.array([
            discount_with_dones(list(r) + [v], list(d) + [0], 0.9)[:-1] if not d[-1]
            else discount_with_dones(list(r), list(d), 0.9)
            for r, d, v in zip(mb[1], mb[4], last)])
        out = model.train(mb[0].reshape(-1, 6, 6, 2), returns.ravel(), mb[2].ravel(),
                          mb[3].ravel(), update)
        print('update %d pg %.4f vf %.4f entropy %.5f norm %.4f' % ((update,) + tuple(out)),
              mb[2].ravel()[:6])
    print(sess.run(model.params[-1]).round(4), tf.trainable_variables('model/v')[0].name)
    sess.close()


if __name__ == '__main__':
    learn()

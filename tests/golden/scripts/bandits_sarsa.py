# Bandits and tables: softmax and UCB arms, a contextual bandit, Q-learning and SARSA in graphs.
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim


class Arms(object):
    def __init__(self, means, seed):
        self.means, self.rng = np.array(means), np.random.RandomState(seed)

    def pull(self, arm, state=None):
        mean = self.means[arm] if state is None else self.means[state, arm]
        return 1.0 if self.rng.randn() > mean else -1.0


def policy_bandit():
    tf.reset_default_graph()
    arms, rng = Arms([0.2, 0, -0.5, -2], 3), np.random.RandomState(5)
    weights = tf.Variable(tf.ones([4]))
    chosen_action = tf.argmax(weights, 0)
    reward_holder = tf.placeholder(shape=[1], dtype=tf.float32)
    action_holder = tf.placeholder(shape=[1], dtype=tf.int32)
    responsible_weight = tf.slice(weights, action_holder, [1])
    loss = -(tf.log(responsible_weight) * reward_holder)
    update = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    total = np.zeros(4)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(60):
            action = rng.randint(4) if rng.rand() < 0.3 else sess.run(chosen_action)
            reward = arms.pull(action)
            _, _, ww = sess.run([update, responsible_weight, weights],
                                {reward_holder: [reward], action_holder: [action]})
            total[action] += reward
        print('bandit', total, ww.round(4), chosen_action.dtype)


def sampled_arms():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(8)
        counts = tf.get_variable('counts', [3], initializer=tf.zeros_initializer())
        sums = tf.get_variable('sums', [3], initializer=tf.zeros_initializer())
        means = tf.where(counts > 0, sums / tf.maximum(counts, 1.), tf.zeros([3]))
        n = tf.reduce_sum(counts)
        bonus = tf.where(counts > 0, tf.sqrt(2 * tf.log(n + 1) / tf.maximum(counts, 1.)),
                         tf.fill([3], 100.))
        ucb = tf.to_int32(tf.argmax(means + bonus))
        boltzmann = tf.squeeze(tf.multinomial([means / 0.5], 1, seed=4), [0, 1])
        arm, reward = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
        learn = tf.group(tf.scatter_add(counts, [arm], [1.]),
                         tf.scatter_add(sums, arm[tf.newaxis], reward[tf.newaxis]))
        arms = Arms([0.8, 0., -0.9], 11)
        sess.run(tf.global_variables_initializer())
        pulled = []
        for i in range(24):
            pulled.append(int(sess.run(ucb if i < 12 else boltzmann)))
            sess.run(learn, {arm: pulled[-1], reward: arms.pull(pulled[-1])})
        print(pulled, sess.run(means).round(3), sess.run(counts))


def contextual():
    tf.reset_default_graph()
    arms = Arms([[0.2, 0, -0.0, -5], [0.1, -5, 1, 0.25], [-5, 5, 5, 5]], 6)
    rng = np.random.RandomState(7)
    state_in = tf.placeholder(shape=[1], dtype=tf.int32)
    one_hot = slim.one_hot_encoding(state_in, 3)
    output = slim.fully_connected(one_hot, 4, biases_initializer=None, activation_fn=tf.nn.sigmoid,
                                  weights_initializer=tf.ones_initializer())
    values = tf.reshape(output, [-1])
    best = tf.argmax(values, 0)
    reward_holder = tf.placeholder(shape=[1], dtype=tf.float32)
    action_holder = tf.placeholder(shape=[1], dtype=tf.int32)
    loss = -(tf.log(tf.slice(values, action_holder, [1])) * reward_holder)
    update = tf.train.GradientDescentOptimizer(learning_rate=0.1).minimize(loss)
    weights = tf.trainable_variables()[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(50):
            s = rng.randint(3)
            a = rng.randint(4) if rng.rand() < 0.2 else sess.run(best, {state_in: [s]})
            feed = {reward_holder: [arms.pull(a, s)], action_holder: [a], state_in: [s]}
            _, ww = sess.run([update, weights], feed)
        print(weights.op.name, loss.shape, np.argmax(ww, 1))
        print(ww.round(4))


def move(state, action):
    row, column = divmod(state, 4)
    row = min(max(row + (action == 1) - (action == 3), 0), 3)
    column = min(max(column + (action == 2) - (action == 0), 0), 3)
    after = row * 4 + column
    hole = after in (5, 7, 11, 12)
    return after, 1.0 if after == 15 else (-0.2 if hole else 0.), hole or after == 15


def table(on_policy):
    tf.reset_default_graph()
    rng = np.random.RandomState(13)
    q = tf.get_variable('q', [16, 4], tf.float64, tf.constant_initializer(
        np.random.RandomState(1).rand(16, 4) * 0.01), use_resource=on_policy)
    s, a = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    s2, a2 = tf.placeholder(tf.int32, []), tf.placeholder_with_default(0, [])
    r, done = tf.placeholder(tf.float64, []), tf.placeholder(tf.bool, [])
    rows = tf.nn.embedding_lookup(q, tf.stack([s, s2]))
    after = rows[1, a2] if on_policy else tf.reduce_max(rows[1])
    target = r + tf.cond(done, lambda: tf.constant(0., tf.float64), lambda: 0.9 * after)
    error = tf.stop_gradient(target) - tf.gather_nd(q, tf.stack([s, a])[tf.newaxis])[0]
    learn = tf.scatter_nd_add(q, [[s, a]], [0.5 * error])
    greedy = tf.argmax(tf.gather(q, s), output_type=tf.int32)
    errors = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())

        def choose(state):
            return rng.randint(4) if rng.rand() < 0.4 else sess.run(greedy, {s: state})

        for _ in range(12):
            state, action, over = 0, choose(0), False
            while not over and len(errors) < 150:
                after_state, reward, over = move(state, action)
                following = choose(after_state)
                found, _ = sess.run([error, learn], {s: state, a: action, s2: after_state,
                                                     a2: following, r: reward, done: over})
                errors.append(abs(found))
                state, action = after_state, following
        print('SARSA' if on_policy else 'Q', len(errors), '%.5f' % np.sum(errors), q.dtype.name)
        print(sess.run(tf.reduce_max(q, 1)).reshape(4, 4).round(4))


policy_bandit()
sampled_arms()
contextual()
table(False)
table(True)

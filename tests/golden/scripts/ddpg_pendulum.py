# DDPG: an actor and a critic, copies of both that follow slowly, replay and noise.
from __future__ import division
from __future__ import print_function

from collections import deque
import random

import numpy as np
import tensorflow as tf

STATE, ACTION, BOUND = 3, 1, 2.0
TAU, GAMMA, BATCH = 0.05, 0.95, 8


class Pendulum(object):
    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def _observe(self):
        return np.array([np.cos(self.angle), np.sin(self.angle), self.speed])

    def reset(self):
        self.angle, self.speed = self.rng.uniform(-np.pi, np.pi), self.rng.uniform(-1, 1)
        return self._observe()

    def step(self, torque):
        torque = float(np.clip(torque, -BOUND, BOUND))
        cost = ((self.angle + np.pi) % (2 * np.pi) - np.pi) ** 2 + .1 * self.speed ** 2
        self.speed = np.clip(self.speed + .05 * (15 * np.sin(self.angle) + 3 * torque), -8, 8)
        self.angle += self.speed * .05
        return self._observe(), -cost - .001 * torque ** 2


class OrnsteinUhlenbeck(object):
    def __init__(self, rng, sigma=0.3, theta=.15, dt=1e-2):
        self.rng, self.sigma, self.theta, self.dt, self.x = rng, sigma, theta, dt, np.zeros(ACTION)

    def __call__(self):
        self.x = self.x - self.theta * self.x * self.dt + \
            self.sigma * np.sqrt(self.dt) * self.rng.normal(size=ACTION)
        return self.x


class Actor(object):
    def __init__(self, sess, name='actor'):
        self.sess = sess
        self.inputs, self.out = self._build(name)
        self.params = tf.trainable_variables(name)
        self.target_inputs, self.target_out = self._build(name + '_target')
        self.target_params = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, name + '_target')
        self.params = [v for v in self.params if v not in self.target_params]
        self.update = [t.assign(TAU * p + (1. - TAU) * t)
                       for p, t in zip(self.params, self.target_params)]
        self.action_gradient = tf.placeholder(tf.float32, [None, ACTION])
        unnormalized = tf.gradients(self.out, self.params, -self.action_gradient)
        self.gradients = list(map(lambda g: tf.div(g, BATCH), unnormalized))
        self.optimize = tf.train.AdamOptimizer(0.01).apply_gradients(
            zip(self.gradients, self.params))

    def _build(self, name):
        with tf.variable_scope(name):
            inputs = tf.placeholder(tf.float32, [None, STATE], 'state')
            net = tf.layers.dense(inputs, 12, tf.nn.relu, name='l1', kernel_initializer=
                                  tf.glorot_uniform_initializer(seed=1))
            net = tf.layers.batch_normalization(net, training=False, name='bn')
            init = tf.random_uniform_initializer(-0.03, 0.03, seed=2)
            out = tf.layers.dense(net, ACTION, tf.nn.tanh, kernel_initializer=init, name='out')
            return inputs, tf.multiply(out, BOUND, name='scaled')

    def train(self, states, gradient):
        self.sess.run(self.optimize, {self.inputs: states, self.action_gradient: gradient})


class Critic(object):
    def __init__(self, sess):
        self.sess = sess
        self.inputs, self.action, self.out = self._build('critic')
        self.target_inputs, self.target_action, self.target_out = self._build('critic_target')
        params = tf.trainable_variables('critic/')
        target_params = tf.trainable_variables('critic_target/')
        print(len(params), len(target_params), [v.op.name for v in params])
        self.copy = [t.assign(p) for p, t in zip(params, target_params)]
        self.update = [tf.assign(t, tf.multiply(p, TAU) + tf.multiply(t, 1. - TAU))
                       for p, t in zip(params, target_params)]
        self.wanted = tf.placeholder(tf.float32, [None, 1])
        decay = tf.add_n([tf.nn.l2_loss(v) for v in params if 'kernel' in v.name])
        self.loss = tf.losses.mean_squared_error(self.wanted, self.out) + 1e-3 * decay
        self.optimize = tf.train.AdamOptimizer(0.02).minimize(self.loss, var_list=params)
        self.action_grads = tf.gradients(self.out, self.action)[0]

    def _build(self, name):
        glorot = tf.glorot_normal_initializer(seed=3)
        with tf.variable_scope(name, initializer=glorot):
            inputs = tf.placeholder(tf.float32, [None, STATE])
            action = tf.placeholder(tf.float32, [None, ACTION])
            w1 = tf.get_variable('w1', [STATE, 10])
            w2 = tf.get_variable('w2', [ACTION, 10])
            b = tf.get_variable('b', [10], initializer=tf.zeros_initializer())
            net = tf.nn.relu(tf.matmul(inputs, w1) + tf.matmul(action, w2) + b)
            return inputs, action, tf.layers.dense(net, 1, name='q')


def main():
    tf.set_random_seed(31)
    random.seed(4)
    rng = np.random.RandomState(6)
    env, buffer = Pendulum(9), deque(maxlen=40)
    with tf.Session() as sess:
        actor, critic = Actor(sess), Critic(sess)
        noise = OrnsteinUhlenbeck(rng)
        sess.run(tf.global_variables_initializer())
        sess.run(critic.copy)
        for episode in range(3):
            state, total, losses, q_max = env.reset(), 0., [], 0.
            for _ in range(15):
                action = sess.run(actor.out, {actor.inputs: state[None]})[0] + noise()
                after, reward = env.step(action[0])
                buffer.append((state, action, reward, after))
                state, total = after, total + reward
                if len(buffer) < BATCH:
                    continue
                s, a, r, s2 = map(np.array, zip(*random.sample(list(buffer), BATCH)))
                a2 = sess.run(actor.target_out, {actor.target_inputs: s2})
                q2 = sess.run(critic.target_out, {critic.target_inputs: s2, critic.target_action: a2})
                feed = {critic.inputs: s, critic.action: a,
                        critic.wanted: r[:, None] + GAMMA * q2}
                q, loss, _ = sess.run([critic.out, critic.loss, critic.optimize], feed)
                losses.append(loss)
                q_max += q.max()
                chosen = sess.run(actor.out, {actor.inputs: s})
                grads = sess.run(critic.action_grads, {critic.inputs: s, critic.action: chosen})
                actor.train(s, grads)
                sess.run([actor.update, critic.update])
            print('episode %d reward %.3f loss %.3f %.3f qmax %.3f' % (
                episode, total, losses[0], losses[-1], q_max))
        print(len(tf.global_variables()), [v.op.name for v in actor.params][:3])
        print(sess.run(actor.out, {actor.inputs: np.eye(3)}).round(3).T)


main()

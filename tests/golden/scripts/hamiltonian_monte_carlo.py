# Hamiltonian Monte Carlo of a banana-shaped density, the whole chain in tf.while_loop.
from __future__ import print_function

import collections

import numpy as np
import tensorflow as tf

State = collections.namedtuple('State', ['position', 'log_prob', 'grad'])
Info = collections.namedtuple('Info', ['accepted', 'energy'])


def banana(x):
    """Log density, up to a constant, of a batch of points [n, 2]."""
    a, b = tf.unstack(x, num=2, axis=-1)
    return -0.5 * (tf.square(a) / 4.0 + tf.square(b - 0.25 * tf.square(a)))


def bootstrap(fn, position):
    log_prob = fn(position)
    grad, = tf.gradients(log_prob, position, name='bootstrap_grad')
    return State(position, log_prob, grad)


def leapfrog(fn, state, momentum, step_size, num_steps):
    def body(i, state, momentum):
        momentum = momentum + 0.5 * step_size * state.grad
        position = state.position + step_size * momentum
        state = bootstrap(fn, position)
        return i + 1, state, momentum + 0.5 * step_size * state.grad

    _, state, momentum = tf.while_loop(
        lambda i, *_: i < num_steps, body, (tf.constant(0), state, momentum),
        back_prop=False, parallel_iterations=1, name='leapfrog')
    return state, momentum


def transition(fn, state, step_size, num_steps, seed):
    with tf.name_scope('transition'):
        momentum = tf.random_normal(tf.shape(state.position), seed=seed)
        energy = -state.log_prob + 0.5 * tf.reduce_sum(tf.square(momentum), -1)
        proposed, moved = leapfrog(fn, state, momentum, step_size, num_steps)
        new_energy = -proposed.log_prob + 0.5 * tf.reduce_sum(tf.square(moved), -1)
        log_u = tf.log(tf.random_uniform(tf.shape(energy), seed=seed))
        accepted = log_u < energy - new_energy

        def choose(new, old):
            return tf.where(accepted, new, old)

        chosen = State(*[choose(n, o) for n, o in zip(proposed, state)])
        return chosen, Info(accepted, tf.where(accepted, new_energy, energy))


def sample_chain(fn, start, results, step_size, num_steps, seed=None):
    chain = tf.TensorArray(tf.float32, size=results, element_shape=start.shape, name='chain')
    accepts = tf.TensorArray(tf.bool, size=results, clear_after_read=False, name='accepts')
    sizes = tf.TensorArray(tf.float32, size=0, dynamic_size=True, name='sizes')

    def body(i, state, size, chain, accepts, sizes):
        state, info = transition(fn, state, size, num_steps, seed)
        rate = tf.reduce_mean(tf.to_float(info.accepted))
        size = tf.cond(rate > 0.8, lambda: size * 1.05, lambda: size * 0.95)
        return (i + 1, state, size, chain.write(i, state.position),
                accepts.write(i, info.accepted), sizes.write(i, size))

    loop = tf.while_loop(
        cond=lambda i, *_: tf.less(i, results), body=body,
        loop_vars=[0, bootstrap(fn, start), step_size, chain, accepts, sizes],
        parallel_iterations=1, swap_memory=True, name='chain_loop')
    return loop[3].stack(), loop[4].stack(), loop[5].stack()


tf.set_random_seed(5)
np.random.seed(5)
with tf.name_scope('hmc'):
    start = tf.constant(np.random.randn(16, 2), tf.float32, name='start')
    step_size = tf.Variable(0.4, trainable=False, name='step_size')
    samples, accepted, sizes = sample_chain(banana, start, 40, step_size.read_value(), 5, seed=9)
keep = samples[10:]
mean, variance = tf.nn.moments(keep, axes=[0, 1])
adapt = tf.assign(step_size, sizes[-1])
for t in (samples, accepted, sizes, keep, mean, variance, adapt):
    print(t)

types = collections.Counter(op.type for op in tf.get_default_graph().get_operations())
for kind in ['TensorArrayV3', 'TensorArrayGatherV3', 'RandomStandardNormal', 'Assign']:
    print('%-22s %d' % (kind, types[kind]))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    first, ok, size = sess.run([samples, accepted, sizes])
    print(first[0, :3].round(4), first[1, :2].round(4))
    print(ok.shape, ok[:4].mean(1))
    print(size[:5].round(4))
    print('%.1f %d' % (sess.run(adapt), len(tf.global_variables())))
    m, v = sess.run([mean, variance])
    print(m.shape, v.shape, abs(m[0]) < 1.5, v[0] > 1)
    grad = tf.gradients(banana(start), start)[0]
    print(sess.run(tf.norm(grad, axis=1))[:4].round(4))

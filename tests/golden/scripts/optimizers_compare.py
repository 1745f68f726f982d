# Every optimizer of tf.train on one problem, with slots, schedules and clipping.
from __future__ import print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
A = rng.randn(30, 4).astype(np.float32)
target = A.dot(np.float32([1., -2., 0.5, 3.]))

OPTIMIZERS = [
    ('GradientDescent', lambda lr: tf.train.GradientDescentOptimizer(lr)),
    ('Momentum', lambda lr: tf.train.MomentumOptimizer(lr, 0.9)),
    ('Nesterov', lambda lr: tf.train.MomentumOptimizer(lr, 0.9, use_nesterov=True)),
    ('Adagrad', lambda lr: tf.train.AdagradOptimizer(lr)),
    ('AdagradDA', lambda lr: tf.train.AdagradDAOptimizer(
        lr, tf.train.get_or_create_global_step())),
    ('Adadelta', lambda lr: tf.train.AdadeltaOptimizer(lr, 0.9, 1e-4)),
    ('Adam', lambda lr: tf.train.AdamOptimizer(lr)),
    ('RMSProp', lambda lr: tf.train.RMSPropOptimizer(lr, 0.9, centered=True)),
    ('Ftrl', lambda lr: tf.train.FtrlOptimizer(lr, l1_regularization_strength=0.01)),
    ('ProximalGD', lambda lr: tf.train.ProximalGradientDescentOptimizer(lr, 0.01)),
    ('ProximalAdagrad', lambda lr: tf.train.ProximalAdagradOptimizer(lr)),
    ('Nadam', lambda lr: tf.contrib.opt.NadamOptimizer(lr)),
    ('LazyAdam', lambda lr: tf.contrib.opt.LazyAdamOptimizer(lr)),
    ('AdamW', lambda lr: tf.contrib.opt.AdamWOptimizer(0.001, learning_rate=lr)),
]


def run(name, make):
    with tf.Graph().as_default():
        w = tf.get_variable('w', initializer=tf.fill([4], 0.5))
        loss = tf.losses.mean_squared_error(target, tf.reduce_sum(A * w, 1))
        opt = make(0.05)
        grads_and_vars = opt.compute_gradients(loss)
        clipped = [(tf.clip_by_norm(g, 5.0), v) for g, v in grads_and_vars]
        train = opt.apply_gradients(clipped, tf.train.get_or_create_global_step())
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(5):
                sess.run(train)
            print('%-15s %.5f' % (name, sess.run(loss)), sess.run(w).round(4),
                  opt.get_slot_names(), opt.get_name())


for name, make in OPTIMIZERS:
    run(name, make)

step = tf.placeholder(tf.int32, [])
schedules = [
    tf.train.exponential_decay(1., step, 10, 0.5),
    tf.train.exponential_decay(1., step, 10, 0.5, staircase=True),
    tf.train.inverse_time_decay(1., step, 10, 0.5),
    tf.train.natural_exp_decay(1., step, 10, 0.5),
    tf.train.polynomial_decay(1., step, 20, 0.1, power=2., cycle=True),
    tf.train.piecewise_constant(step, [5, 15], [1., 0.5, 0.1]),
    tf.train.cosine_decay(1., step, 20, alpha=0.1),
    tf.train.cosine_decay_restarts(1., step, 10, t_mul=1.5, m_mul=0.9),
    tf.train.linear_cosine_decay(1., step, 20),
]
with tf.Session() as sess:
    for at in (0, 5, 12, 27):
        print(at, np.round(sess.run(schedules, {step: at}), 4))
    grads = [tf.constant([3., 4.]), None, tf.constant([[12.]])]
    clipped, norm = tf.clip_by_global_norm(grads, 6.5)
    print(sess.run([c for c in clipped if c is not None] + [norm]), clipped[1])
    print(sess.run(tf.clip_by_average_norm(tf.constant([3., 4.]), 1.)))
    print(sess.run(tf.clip_by_value([-2., 0.3, 7.], -1., 1.)))

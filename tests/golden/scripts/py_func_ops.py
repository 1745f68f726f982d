# Python inside graphs: py_func, gradients by override, RegisterGradient, tf.Print.
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import function, ops
from tensorflow.python.ops import gen_nn_ops


def np_spiky(x):
    r = x % 1
    return np.where(r <= 0.5, r, 0).astype(np.float32)


def np_d_spiky(x):
    return np.where(x % 1 <= 0.5, 1, 0).astype(np.float32)


def py_func(func, inp, Tout, stateful=True, name=None, grad=None):
    """py_func with a gradient, by the trick of gradient_override_map."""
    rnd_name = 'PyFuncGrad' + str(np.random.RandomState(0).randint(0, 100000000))
    tf.RegisterGradient(rnd_name)(grad)
    g = tf.get_default_graph()
    with g.gradient_override_map({'PyFunc': rnd_name}):
        return tf.py_func(func, inp, Tout, stateful=stateful, name=name)


def spikygrad(op, grad):
    x = op.inputs[0]
    n_gr = tf.py_func(np_d_spiky, [x], tf.float32, name='d_spiky')
    return grad * n_gr


with tf.Session() as sess:
    x = tf.constant([0.2, 0.7, 1.2, 1.7])
    with tf.name_scope('spiky'):
        y, = py_func(np_spiky, [x], [tf.float32], name='spiky', grad=spikygrad)
    print(y, x.eval(), y.eval(), tf.gradients(y, [x])[0].eval())

    @ops.RegisterGradient('GuidedRelu')
    def _guided(op, grad):
        return tf.where(0. < grad, gen_nn_ops.relu_grad(grad, op.outputs[0]),
                        tf.zeros(grad.get_shape()))

    v = tf.constant([[-1., 2., 3.]])
    w = tf.constant([[1.], [1.], [-1.]])
    plain = tf.gradients(tf.matmul(tf.nn.relu(v), w), v)[0]
    with tf.get_default_graph().gradient_override_map({'Relu': 'GuidedRelu'}):
        guided = tf.gradients(tf.matmul(tf.nn.relu(v), w), v)[0]
    print(sess.run([plain, guided]))

    @tf.RegisterGradient('FlipGradient')
    def _flip_gradients(op, grad):
        return [tf.negative(grad) * 0.5]

    with sess.graph.gradient_override_map({'Identity': 'FlipGradient'}):
        flipped = tf.identity(v, name='flipped')
    print(flipped.op.get_attr('_gradient_op_type'), tf.gradients(flipped, v)[0].eval())

    @function.Defun(tf.float32, tf.float32)
    def bprop(x, dy):
        return dy * (2. * x + 1.)

    @function.Defun(tf.float32, grad_func=bprop)
    def poly(x):
        return x * x + x

    z = poly(tf.constant(3.))
    print(z.eval())

    @tf.custom_gradient
    def hard(x):
        return tf.round(x), lambda dy: dy * 3.

    h = hard(v * 0.3)
    print(h.eval(), tf.gradients(h, v)[0].eval())
    state = []

    def remember(value):
        state.append(float(value))
        return np.int64(len(state))

    counted = tf.py_func(remember, [tf.random_uniform([], seed=3)], tf.int64)
    print(counted.shape, [sess.run(counted) for _ in range(3)], len(state))
    parts = tf.py_func(lambda a, s: (a.sum(axis=0), s + b'!'),
                       [np.eye(2), 'text'], [tf.float64, tf.string])
    print(sess.run(parts), parts[0].get_shape())
    parts[0].set_shape([2])
    print(parts[0])
    printed = tf.Print(v, [tf.shape(v)], 'shape: ', summarize=3)
    with tf.control_dependencies([tf.assert_positive(w + 2.)]):
        checked = tf.check_numerics(printed, 'numbers')
    print(checked.op.type, checked.eval())
    try:
        sess.run(tf.py_func(lambda a: 1 / 0, [v], tf.float32))
    except tf.errors.UnknownError as error:
        print('UnknownError', 'ZeroDivisionError' in error.message)
    try:
        sess.run(tf.py_func(lambda a: a.astype(np.float64), [v], tf.float32))
    except tf.errors.InvalidArgumentError as error:
        print('InvalidArgumentError', error.message.split(',')[0])
    for op in tf.get_default_graph().get_operations()[:5]:
        print(op.name, op.type)

# Debugging in a graph: Print, Assert, control dependencies, numeric checks and their errors.
from __future__ import print_function

import numpy as np
import tensorflow as tf


def failing(sess, fetch, feed=None):
    try:
        print('fine', sess.run(fetch, feed))
    except tf.errors.InvalidArgumentError as error:
        first = error.message.split('\n')[0]
        print(type(error).__name__, error.op.type, '|', first.split(' [[')[0])


def asserts(sess):
    x = tf.placeholder(tf.float32, [None], name='x')
    n = tf.placeholder(tf.int32, [], name='n')
    positive = tf.Assert(tf.reduce_all(x > 0), [x, tf.shape(x)], summarize=2, name='positive')
    with tf.control_dependencies([positive]):
        root = tf.sqrt(x, name='root')
    failing(sess, root, {x: [1., 4.]})
    failing(sess, root, {x: [1., -4., 9.]})
    checks = [
        tf.assert_equal(n, 3, data=['n is', n], message='three'),
        tf.assert_less(n, 5, message='small'),
        tf.assert_greater_equal(tf.shape(x)[0], n),
        tf.assert_rank(x, 1),
        tf.assert_non_negative(x)]
    with tf.control_dependencies([c for c in checks if c is not None]):
        out = tf.reduce_sum(x) / tf.to_float(n)
    failing(sess, out, {x: [1., 2., 3.], n: 3})
    failing(sess, checks[1], {n: 7})
    failing(sess, checks[2], {x: [1.], n: 3})
    failing(sess, checks[4], {x: [-1.]})
    for bad in (lambda: tf.assert_equal(tf.constant(2), tf.constant(3)),
                lambda: tf.assert_rank_at_least(x, 2),
                lambda: tf.assert_type(x, tf.int32),
                lambda: tf.assert_integer(x),
                lambda: tf.assert_rank_in(x, [0, 2])):
        try:
            bad()
        except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:
            print(type(error).__name__, str(error).split('\n')[0].strip())
    print(tf.is_numeric_tensor(x), tf.is_non_decreasing([1, 2, 2]).eval(),
          tf.is_strictly_increasing([1, 2, 2]).eval())


def dependencies(sess):
    counter = tf.Variable(0, name='counter')
    add = tf.assign_add(counter, 1, name='add')
    with tf.control_dependencies([add]):
        after = tf.identity(counter)
        with tf.control_dependencies(None):
            free = tf.constant(5, name='free')
        with tf.control_dependencies([tf.no_op('nothing')]):
            both = tf.constant(1, name='both')
    sess.run(counter.initializer)
    print([op.name for op in after.op.control_inputs], free.op.control_inputs,
          [op.name for op in both.op.control_inputs])
    print(sess.run([after, free]), sess.run(both), counter.eval())
    joined = tf.tuple([add * 10, tf.constant(2)], control_inputs=[add])
    print(sess.run(joined), counter.eval())
    grouped = tf.group(add, free, name='grouped')
    print(grouped.type, sess.run(grouped), counter.eval())
    late = tf.cond(counter > 2, lambda: tf.identity(add), lambda: tf.constant(-1))
    print(sess.run(late), counter.eval())
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, add)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        print(sess.run(tf.convert_to_tensor(7)), counter.eval())


def printing(sess):
    v = tf.constant([[1., 2.], [3., 4.]])
    shown = tf.Print(v, [v, tf.shape(v)], message='v: ', first_n=2, summarize=3)
    print(shown.op.type, shown.op.get_attr('first_n'), shown.op.get_attr('summarize'))
    total = tf.reduce_sum(shown * shown)
    print(sess.run(total), tf.gradients(total, v)[0].eval())
    spoken = tf.print('value', v[0], output_stream=tf.logging.info)
    print(spoken.type)


def numerics():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, [None, 2], name='x')
        w = tf.get_variable('w', initializer=[[1.], [2.]])
        y = tf.log(tf.matmul(x, w), name='logs')
        branch = tf.identity(y, name='same')
        loss = tf.reduce_mean(branch, name='loss')
        check = tf.add_check_numerics_ops()
        checked = [op.name for op in tf.get_default_graph().get_operations()
                   if op.type == 'CheckNumerics']
        print(check.type, checked)
        sess.run(tf.global_variables_initializer())
        feed = {x: [[1., 1.], [2., 0.5]]}
        print(sess.run([loss, check], feed)[0].round(4))
        failing(sess, [loss, check], {x: [[0., 0.]]})
        failing(sess, tf.check_numerics(loss, 'the loss'), {x: [[-1., 0.]]})
        failing(sess, tf.verify_tensor_all_finite(loss, 'not finite'), {x: [[0., 0.]]})
        clean = tf.where(tf.is_finite(y), y, tf.zeros_like(y))
        print(sess.run([clean, tf.is_nan(y), tf.is_inf(y)], {x: [[0., 0.], [-1., 0.]]}))
        bad = tf.gradients(tf.reduce_sum(tf.where(x > 0, tf.sqrt(x), tf.zeros_like(x))), x)[0]
        print(sess.run(bad, {x: [[0., 4.]]}))


with tf.Session() as session:
    asserts(session)
    dependencies(session)
    printing(session)
numerics()

# while_loop, TensorArray, scan, map_fn, folds, case and cond: a program of each.
from __future__ import print_function

import numpy as np
import tensorflow as tf


def collatz(start):
    def body(n, steps, largest):
        after = tf.cond(tf.equal(n % 2, 0), lambda: n // 2, lambda: 3 * n + 1)
        return after, steps + 1, tf.maximum(largest, after)
    return tf.while_loop(lambda n, *_: n > 1, body, [start, 0, start], parallel_iterations=1)[1:]


def primes(n):
    def sieve(i, flags):
        multiples = tf.logical_and(tf.equal(tf.range(n) % i, 0), tf.range(n) > i)
        return i + 1, tf.logical_and(flags, tf.logical_not(multiples))
    start = tf.concat([[False, False], tf.ones([n - 2], tf.bool)], 0)
    flags = tf.while_loop(lambda i, _: i * i < n, sieve, [tf.constant(2), start])[1]
    return tf.squeeze(tf.where(flags), 1)


def recurrent(x, lengths, units=3):
    """A GRU written with while_loop and TensorArrays."""
    cell = tf.nn.rnn_cell.GRUCell(units, kernel_initializer=tf.constant_initializer(0.2))
    steps, batch = tf.shape(x)[0], tf.shape(x)[1]
    inputs = tf.TensorArray(tf.float32, steps, name='inputs').unstack(x)
    outputs = tf.TensorArray(tf.float32, steps, element_shape=[None, units], clear_after_read=False)

    def body(t, state, outputs):
        out, new = cell(inputs.read(t), state)
        alive = tf.less(t, lengths)
        return t + 1, tf.where(alive, new, state), outputs.write(
            t, tf.where(alive, out, tf.zeros_like(out)))

    zero = tf.zeros([batch, units])
    _, state, outputs = tf.while_loop(lambda t, *_: t < steps, body, [0, zero, outputs], swap_memory=True,
                                      shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, units]),
                                                        tf.TensorShape(None)])
    return outputs.stack(), state


def growing():
    final = tf.while_loop(
        lambda i, x: i < 4, lambda i, x: (i + 1, tf.concat([x, tf.reshape(x[-1] * 2 + i, [1])], 0)),
        [tf.constant(0), tf.constant([1])],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    try:
        tf.while_loop(lambda x: tf.size(x) < 4, lambda x: tf.concat([x, x], 0), [tf.constant([1])])
    except ValueError as error:
        print(str(error)[:60])
    return final


def functional():
    elems = tf.constant([1., 2., 3., 4.])
    pairs = (elems, tf.constant([[1, 0], [0, 1], [1, 1], [2, 0]], tf.int32))
    fibonacci = tf.scan(lambda a, _: (a[1], a[0] + a[1]), tf.range(8), initializer=(0, 1))
    return {
        'cumulative': tf.scan(lambda a, x: a * x, elems),
        'reverse': tf.scan(lambda a, x: a - x, elems, reverse=True),
        'fibonacci': fibonacci[0],
        'foldl': tf.foldl(lambda a, x: a * 2 + x, elems), 'foldr': tf.foldr(lambda a, x: a * 2 + x, elems),
        'fold start': tf.foldl(lambda a, x: tf.maximum(a, x), elems, initializer=2.5, back_prop=False),
        'pairs': tf.map_fn(lambda p: p[0] * tf.to_float(tf.reduce_sum(p[1])), pairs, dtype=tf.float32),
        'two': tf.map_fn(lambda x: (x, -x), elems, dtype=(tf.float32, tf.float32))[1],
        'nested': tf.map_fn(lambda x: tf.map_fn(lambda y: x * y, elems), elems),
        'strings': tf.map_fn(lambda s: tf.size(tf.string_split([s]).values),
                             tf.constant(['a b', 'c', 'd e f']), dtype=tf.int32),
    }


def arrays():
    ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True, infer_shape=False,
                        clear_after_read=False)
    ta = ta.write(0, [1., 2.]).write(1, [3.]).write(2, [4., 5., 6.])
    parts = tf.TensorArray(tf.float32, 3, infer_shape=False, clear_after_read=False).split(tf.range(6.), [1, 2, 3])
    scattered = tf.TensorArray(tf.int32, 4, clear_after_read=False).scatter([2, 0], [[1, 1], [2, 2]]).write(1, [0, 0]).write(3, [9, 9])
    return [ta.concat(), ta.size(), ta.read(1), parts.read(2), scattered.gather([0, 3]), scattered.stack()]


def choices(x):
    named = tf.case([(x < 0, lambda: tf.constant('negative')), (x > 10, lambda: tf.constant('large'))],
                    default=lambda: tf.constant('small'), exclusive=True, name='kind')
    nested = tf.cond(x > 0, lambda: tf.cond(x > 5, lambda: x * 10, lambda: x * 2), lambda: tf.abs(x))
    structure = tf.cond(x > 0, lambda: {'a': x, 'b': (x + 1, x - 1)}, lambda: {'a': -x, 'b': (x, x)})
    return named, nested, structure


with tf.Session() as sess:
    print(sess.run([collatz(tf.constant(n)) for n in (6, 27)]))
    print(sess.run(primes(30)))
    rng = np.random.RandomState(41)
    x = tf.constant(rng.randn(5, 2, 4).astype(np.float32))
    outputs, state = recurrent(x, [3, 5])
    v = tf.trainable_variables()
    grads = tf.gradients(tf.reduce_sum(outputs ** 2) + tf.reduce_sum(state), [x, v[0]])
    sess.run(tf.global_variables_initializer())
    print([t.op.name for t in v], outputs.shape, state.shape)
    print(sess.run(state).round(4), sess.run(outputs)[3].round(4))
    print(sess.run(grads[0])[2].round(4), sess.run(tf.reduce_sum(grads[1], 0)).round(4))
    print(sess.run(growing()))
    for name, value in sorted(sess.run(functional()).items()):
        print(name, np.asarray(value).tolist())
    print(sess.run(arrays()))
    k = tf.placeholder(tf.int32, [])
    fetches = choices(k)
    for given in (-3, 4, 12):
        print(sess.run(fetches, {k: given}))
    y = tf.constant(2.)
    power = tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * y), [0, tf.constant(1.)])[1]
    first = tf.gradients(power, y)[0]
    limited = tf.while_loop(lambda a: a < 1000., lambda a: a * y, [y], maximum_iterations=4)
    print(sess.run([power, first, limited]), power.shape)
    s = tf.scan(lambda a, e: a * y + e, tf.constant([1., 2., 3.]))
    print(sess.run(tf.gradients(s, y)), sess.run(tf.gradients(tf.foldl(tf.multiply, s), y)))

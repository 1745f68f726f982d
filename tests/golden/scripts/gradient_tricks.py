# Gradients by hand: clipping, accumulation over batches, overrides, Hessians, Jacobians, checks.
from __future__ import print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(19)
data = rng.randn(12, 3).astype(np.float32)
labels = (data[:, :1] - data[:, 1:2] > 0).astype(np.float32)


@tf.RegisterGradient('QuantizeGrad')
def _quantize_grad(op, grad):
    return tf.clip_by_value(tf.identity(grad), -1, 1)


@tf.RegisterGradient('ReverseGrad')
def _reverse_grad(op, grad):
    return -0.3 * grad


def quantize(x, bits=2):
    n = float(2 ** bits - 1)
    with tf.get_default_graph().gradient_override_map({'Round': 'Identity', 'Floor': 'QuantizeGrad'}):
        return tf.round(x * n) / n + 0. * tf.floor(x)


def straight_through(x):
    return x + tf.stop_gradient(tf.sign(x) - x)


def accumulate():
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
        w = tf.get_variable('w', [3, 1], initializer=tf.ones_initializer())
        b = tf.get_variable('b', [1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
            labels=y, logits=tf.matmul(quantize(x), w) + b))
        opt = tf.train.GradientDescentOptimizer(0.5)
        pairs = opt.compute_gradients(loss, gate_gradients=opt.GATE_GRAPH)
        sums = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for _, v in pairs]
        zero = [s.assign(tf.zeros_like(s)) for s in sums]
        add = [s.assign_add(g) for s, (g, _) in zip(sums, pairs)]
        apply_op = opt.apply_gradients([(s / 3., v) for s, (_, v) in zip(sums, pairs)])
        sess.run(tf.global_variables_initializer())
        for epoch in range(3):
            sess.run(zero)
            for i in range(3):
                sess.run(add, {x: data[4 * i:4 * i + 4], y: labels[4 * i:4 * i + 4]})
            norm = sess.run(tf.global_norm(sums))
            sess.run(apply_op)
            print('epoch %d loss %.5f norm %.5f' % (epoch, sess.run(loss, {x: data, y: labels}), norm))
        print(opt.get_name(), [v.op.name for _, v in pairs], pairs[0][0].op.type)
        error = tf.test.compute_gradient_error(w, [3, 1], tf.nn.softplus(w), [3, 1])
        print(error < 1e-3)


def reversal():
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.constant([[0.5, -1.5]])
        with graph.gradient_override_map({'Identity': 'ReverseGrad'}):
            flipped = tf.identity(x, name='flip')
        double = tf.gradients(tf.reduce_sum(flipped ** 2), x)[0]
        straight = tf.gradients(tf.reduce_sum(3. * straight_through(x)), x)[0]
        both = tf.gradients([flipped * 2, x ** 3], [x, flipped], grad_ys=[tf.ones_like(x) * 5, None])
        print(sess.run([double, straight, both]))
        stopped = tf.gradients(x * tf.stop_gradient(x), x)[0]
        through = tf.gradients(tf.exp(flipped), x, stop_gradients=[flipped])
        kept = tf.gradients(x ** 2, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
        print(sess.run(stopped), through, sess.run(kept))
        print(tf.gradients(tf.argmax(x, 1), x), flipped.op.get_attr('_gradient_op_type'))


def second_order():
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable('v', initializer=[1., 2., -0.5])
        f = tf.reduce_sum(v ** 3) + v[0] * tf.exp(v[2]) + tf.reduce_prod(v)
        hessian = tf.hessians(f, v)[0]
        out = tf.stack([v[0] * v[1], tf.sin(v[2]), tf.reduce_sum(v * v), v[1] ** 2])
        rows = [tf.gradients(o, v)[0] for o in tf.unstack(out)]
        looped = tf.while_loop(
            lambda i, _: i < 4,
            lambda i, ta: (i + 1, ta.write(i, tf.gradients(out[i], v)[0])),
            [0, tf.TensorArray(tf.float32, 4)])[1].stack()
        vector = tf.constant([1., 0., 2.])
        product = tf.gradients(tf.reduce_sum(tf.gradients(f, v)[0] * tf.stop_gradient(vector)), v)[0]
        third = tf.gradients(tf.gradients(tf.gradients(v ** 4, v), v), v)[0]
        dummy = tf.ones_like(out)
        forward = tf.gradients(tf.gradients(out, v, dummy)[0], dummy, vector)[0]
        sess.run(v.initializer)
        print(sess.run(hessian))
        print(sess.run(tf.stack(rows)))
        print(np.allclose(*sess.run([tf.stack(rows), looped])), sess.run(product), sess.run(third))
        print(sess.run(forward), sess.run(tf.linalg.eigvalsh(hessian)).round(4))
        newton = v.assign_sub(tf.squeeze(tf.matrix_solve(hessian, tf.gradients(f, v)[0][:, None]), 1))
        for _ in range(3):
            sess.run(newton)
        print(sess.run(v).round(4))


def embeddings():
    with tf.Graph().as_default(), tf.Session() as sess:
        table = tf.get_variable('table', [5, 2], initializer=tf.constant_initializer(0.5))
        picked = tf.nn.embedding_lookup(table, [1, 3, 1])
        grad = tf.gradients(tf.reduce_sum(picked * [[1.], [2.], [3.]]), table)[0]
        print(type(grad).__name__, grad.values.shape, grad.dense_shape is not None)
        clipped, norm = tf.clip_by_global_norm([grad, tf.constant([3.])], 2.)
        print(sess.run(tf.convert_to_tensor(grad), {table: np.zeros([5, 2])}))
        sess.run(table.initializer)
        print(sess.run([clipped[0].values, norm]))
        noisy = [(g if g is None else tf.clip_by_norm(g, 1.), v) for g, v in
                 tf.train.AdamOptimizer(0.1).compute_gradients(tf.reduce_sum(picked ** 2), [table])]
        train = tf.train.AdamOptimizer(0.1).apply_gradients(noisy)
        sess.run(tf.global_variables_initializer())
        sess.run([train, train])
        print(sess.run(table).round(4))


accumulate()
reversal()
second_order()
embeddings()

"""tf.gradients in a function, of tensors that were computed outside of it."""

import twinflow as tf
from twinflow.contrib import eager as tfe


def _outside(x, w):
    product = x * x * w
    branch = tf.cond(x > 2.0, lambda: x * x * x, lambda: x)
    loop = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * x), [0, x])
    return product, branch, loop[1]


def test_nested():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(3.0)
        w = tf.get_variable("w", initializer=2.0, use_resource=True)
        ys = _outside(x, w)

        @tfe.defun
        def around():
            inner = tfe.defun(lambda: [tf.gradients(y, x) for y in ys])
            return inner(), tf.gradients(ys[0], w)

        found = around()
        sess.run(w.initializer)
        assert sess.run(found) == ([[12.0], [27.0], [27.0]], [9.0])

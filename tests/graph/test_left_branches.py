"""What a branch of tf.cond computes, used outside it: there if the branch ran."""

import pytest

import twinflow as tf

DEAD = "does not have value"


class Left:
    """Two conditionals, one in the other, and what their branches leave behind."""

    def __init__(self):
        self.outer, self.inner = (
            tf.placeholder(tf.bool, []),
            tf.placeholder(tf.bool, []),
        )
        self.x, self.count = tf.constant(2.0), tf.Variable(0.0)
        tf.cond(self.outer, self._outer, lambda: 0.0)

    def _outer(self):
        self.counted = tf.assign_add(self.count, 1.0)
        self.grouped = tf.group(self.counted)
        return tf.cond(self.inner, self._inner, lambda: 1.0)

    def _inner(self):
        self.tripled = self.x * 3.0
        return 5.0

    def run(self, fetch, outer, inner):
        with tf.Session() as sess:
            sess.run(self.count.initializer)
            found = sess.run(fetch, {self.outer: outer, self.inner: inner})
            return found, sess.run(self.count)


def uses(left):
    """{name: (a tensor, its value if both branches ran)}"""
    t = left.tripled
    loop = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + t), [0, 0.0])
    return {
        "plain": (t + 1.0, 7.0),
        "loop": (loop[1], 18.0),
        "branch": (tf.cond(left.outer, lambda: t * 2.0, lambda: t), 12.0),
        "function": (tf.contrib.eager.defun(lambda y: y * y)(t), 36.0),
    }


@pytest.mark.parametrize("outer, inner", [(1, 1), (1, 0), (0, 1), (0, 0)])
@pytest.mark.parametrize("use", ["plain", "loop", "branch", "function"])
def test_a_value_is_there_if_its_branch_ran(use, outer, inner):
    with tf.Graph().as_default():
        left = Left()
        y, expected = uses(left)[use]
        if outer and inner:
            assert left.run(y, outer, inner)[0] == expected
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match=DEAD):
                left.run(y, outer, inner)


@pytest.mark.parametrize("ran", [True, False])
def test_a_branch_that_does_not_use_it_has_its_value(ran):
    with tf.Graph().as_default():
        left = Left()
        y = tf.cond(left.outer, lambda: left.tripled, lambda: tf.constant(-1.0))
        assert left.run(y, ran, True)[0] == (6.0 if ran else -1.0)


@pytest.mark.parametrize("ran", [True, False])
def test_slopes(ran):
    with tf.Graph().as_default():
        left = Left()
        slope = tf.gradients(left.tripled**2, left.x)[0]
        assert left.run(slope, ran, ran)[0] == (36.0 if ran else 0.0)


@pytest.mark.parametrize("name", ["counted", "grouped"])
def test_what_waits_for_a_branch_has_it_run_or_does_not_run(name):
    with tf.Graph().as_default():
        left = Left()
        with tf.control_dependencies([getattr(left, name)]):
            y = tf.constant(3.0) * 2.0
        assert left.run(y, True, False) == (6.0, 1.0)
        assert left.run(y.op, False, False) == (None, 0.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match=DEAD):
            left.run(y, False, False)


def test_an_update_without_a_value_is_made_once():
    """Not what else the branch would do, either."""
    with tf.Graph().as_default(), tf.Session() as sess:
        ran, ops = tf.placeholder(tf.bool, []), []
        a, b = (
            tf.get_variable(n, initializer=0.0, use_resource=True) for n in ("a", "b")
        )

        def branch():
            ops.extend([a.assign_add(1.0), b.assign_add(1.0).op])
            return tf.constant(1.0)

        tf.cond(ran, branch, lambda: 0.0)
        for op in ops:
            with tf.control_dependencies([op]):
                done = tf.constant(3.0) * 2.0
        sess.run(tf.global_variables_initializer())
        assert sess.run(done, {ran: True}) == 6.0
        with pytest.raises(tf.errors.InvalidArgumentError, match=DEAD):
            sess.run(done, {ran: False})
        assert sess.run([a, b]) == [0.0, 1.0]


@pytest.mark.parametrize("copied", [False, True])
def test_a_check_in_a_branch(copied):
    with tf.Graph().as_default() as graph:
        ran, x, checks = tf.placeholder(tf.bool, []), tf.placeholder(tf.int32, []), []
        check = lambda: checks.append(tf.Assert(x > 0, [x])) or 1
        tf.cond(ran, check, lambda: 0)
        with tf.control_dependencies(checks):
            done = tf.constant(3.0) * 2.0
    if copied:
        graph = tf.Graph()
        tf.contrib.copy_graph.copy_op_to_graph(done.op, graph, [])
    names = [t.name for t in (ran, x)]
    with tf.Session(graph=graph) as sess:
        assert sess.run(done.name, dict(zip(names, (True, 1), strict=True))) == 6.0
        for fed, text in ((True, -1), "assertion failed"), ((False, -1), DEAD):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                sess.run(done.name, dict(zip(names, fed, strict=True)))


def test_updates_of_a_batch_normalization_in_a_branch():
    with tf.Graph().as_default():
        training = tf.placeholder(tf.bool, [])
        x = tf.constant([[1.0], [3.0]])

        def normalized(now):
            layer = tf.layers.BatchNormalization(
                momentum=0.5, name="bn", _reuse=tf.AUTO_REUSE
            )
            return layer.apply(x, training=now)

        tf.cond(training, lambda: normalized(True), lambda: normalized(False))
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            done = tf.constant(1.0) * 1.0
        mean = next(v for v in tf.global_variables() if "moving_mean" in v.name)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(done.op, {training: False})
            assert sess.run(mean) == [0.0]
            sess.run(done.op, {training: True})
            assert sess.run(mean) == [1.0]

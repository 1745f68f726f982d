"""Guards: a compiled step that fails changes nothing and names the user's line."""

import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted, plans, states

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def bad_gather(i):
    return tf.gather([1.0, 2.0, 3.0], i)


def bad_label(i):
    logits = tf.reshape(tf.range(3.0), [1, 3])
    labels = tf.reshape(i, [1])
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)[
        0
    ]


def bad_division(i):
    return tf.cast(tf.floordiv(7, 9 - i), tf.float32)


def bad_in_branch(i):
    return tf.cond(i >= 0, lambda: bad_gather(i), lambda: 0.0)


def bad_in_loop(i):
    return tf.while_loop(
        lambda j, y: j <= i, lambda j, y: (j + 5, y + bad_gather(j)), [i, 0.0]
    )[1]


def bad_in_condition(i):
    return tf.while_loop(
        lambda j, y: bad_gather(j) < 0.0, lambda j, y: (j, y), [i, 0.0]
    )[1]


def bad_in_function(i):
    return tfe.defun(bad_gather)(i)


BAD = [
    bad_gather, bad_label, bad_division, bad_in_branch, bad_in_loop, bad_in_condition,
    bad_in_function,
]  # fmt: skip


@pytest.mark.parametrize("engine", [interpreted, compiled])
@pytest.mark.parametrize("bad", BAD)
def test_a_guard_that_fails_changes_nothing_and_names_the_line(bad, engine):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(5)

    @tfe.defun
    def f(i):
        v.assign_add([1.0, 1.0])
        y = bad(i)
        w.assign(i)
        v.assign(v * y)
        return y

    with engine():
        for _ in range(2):
            f(tf.constant(0))
        before = v.numpy().tolist(), w.numpy()
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError) as found:
                f(tf.constant(9))
            assert (v.numpy().tolist(), w.numpy()) == before
        assert "(defined at " in str(found.value)
        assert "test_guards.py:" in str(found.value)
        line = found.value.frames[0][0].co_name
        assert line in ("bad_gather", "bad_label", "bad_division", "<lambda>"), line
        f(tf.constant(1))
        assert w.numpy() == 1
    if engine is compiled:
        assert "chosen" in states(plans(f, tf.constant(0))[0])


def test_a_guard_in_a_session():
    with compiled(), tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(0.0)
        i = tf.placeholder(tf.int32, [])
        step = v.assign_add(1.0)
        y = bad_gather(i)
        session.run(v.initializer)
        assert session.run([step, y], {i: 1}) == [1.0, 2.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="indices = 9"):
            session.run([step, y], {i: 9})
        assert session.run(v) == 1.0
        assert session.run([step, y], {i: 2}) == [2.0, 3.0]


def test_a_guard_under_a_tape():
    v = tf.Variable([1.0, 2.0, 3.0])
    f = tfe.defun(lambda i: tf.gather(v, i) * 2.0)
    with compiled():
        for i in (0, 9, 1):
            with tf.GradientTape() as tape:
                if i == 9:
                    with pytest.raises(tf.errors.InvalidArgumentError):
                        f(tf.constant(i))
                    continue
                y = f(tf.constant(i))
            dv = tf.convert_to_tensor(tape.gradient(y, v)).numpy()
            assert dv.tolist() == [2.0 * (i == k) for k in range(3)]

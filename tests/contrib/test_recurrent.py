"""tf.contrib.recurrent: loops over time, and their gradients."""

import numpy as np
import pytest

import twinflow as tf

recurrent = tf.contrib.recurrent
X = np.random.RandomState(0).randn(4, 3, 2).astype("f")


def _cell(theta, state, inputs):
    x = tf.concat([inputs["x"], state["h"]], 1)
    h = tf.tanh(tf.matmul(x, theta["w"]))
    return {"h": h}, {"e": h}


def _doubled(theta, state, inputs, extras, dstate):
    d = 2 * dstate["h"] * (1 - extras["e"] ** 2)
    x = tf.concat([inputs["x"], state["h"]], 1)
    dx = tf.matmul(d, theta["w"], transpose_b=True)
    return {"w": tf.matmul(x, d, transpose_a=True)}, {"h": dx[:, 2:] / 2}, {
        "x": dx[:, :2]
    }  # fmt: skip


def _run(**options):
    with tf.Graph().as_default(), tf.Session() as sess:
        theta, state = {"w": tf.fill([4, 2], 0.3)}, {"h": tf.fill([3, 2], 0.1)}
        states, last = recurrent.Recurrent(
            theta, state, {"x": tf.constant(X)}, _cell, **options
        )
        loss = tf.reduce_sum(states["h"] ** 2) + tf.reduce_sum(last["h"])
        slopes = tf.gradients(loss, [theta["w"]])
        return sess.run([states["h"], last["h"], *slopes])


def _expected(count):
    h, found = np.full([3, 2], 0.1, "f"), []
    for x in X[:count]:
        h = np.tanh(np.concatenate([x, h], 1) @ np.full([4, 2], 0.3, "f"))
        found.append(h)
    return found


def test_states_of_all_times():
    states, last, _ = _run()
    np.testing.assert_allclose(states, _expected(4), rtol=1e-5)
    np.testing.assert_array_equal(last, states[-1])


def test_gradients_of_ones_own():
    np.testing.assert_allclose(
        _run(cell_grad=_doubled, extras={"e": 0})[2], 2 * _run()[2], rtol=1e-5
    )


@pytest.mark.parametrize("aligned_end", [False, True])
def test_shorter_inputs(aligned_end):
    states, last, _ = _run(max_input_length=2, aligned_end=aligned_end)
    run, rest = (states[2:], states[:2]) if aligned_end else (states[:2], states[2:])
    assert not rest.any()
    np.testing.assert_array_equal(last, run[-1])
    if not aligned_end:
        np.testing.assert_allclose(run, _expected(2), rtol=1e-5)


def test_cells_go_in_both_directions():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(X.transpose(1, 0, 2))
        cells = [tf.nn.rnn_cell.GRUCell(2) for _ in range(2)]
        lengths = [4, 2, 1]
        (there, back), _ = recurrent.bidirectional_functional_rnn(
            *cells, x, dtype=tf.float32, sequence_length=lengths
        )
        with tf.variable_scope("bidirectional_rnn/bw", reuse=True) as scope:
            alone, last = recurrent.functional_rnn(
                tf.nn.rnn_cell.GRUCell(2), x, lengths, dtype=tf.float32, reverse=True,
                scope=scope,
            )  # fmt: skip
        sess.run(tf.global_variables_initializer())
        there, back, alone, last = sess.run([there, back, alone, last])
    np.testing.assert_allclose(back, alone, rtol=1e-5)
    np.testing.assert_allclose(last, alone[:, 0], rtol=1e-5)
    assert not there[1, 2:].any()

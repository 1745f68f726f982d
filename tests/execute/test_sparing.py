"""Kernels leave out what nothing reads, and only that."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import watching
from twinflow.base.dispatch import apply
from twinflow.base.op_lookup import known_op
from twinflow.execute.sparing import Sparing

_ATTRS = {"forget_bias": 1.0, "cell_clip": -1.0, "use_peephole": False}


def gradients_of(sources):
    """Those of a small LSTM, in a session."""
    rng = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [5, 3, 4])
        w = tf.constant(rng.randn(10, 24).astype("f"))
        b = tf.constant(rng.randn(24).astype("f"))
        c, h, peep = tf.zeros([3, 6]), tf.zeros([3, 6]), tf.zeros([6])
        ins = tf.constant(5, tf.int64), x, c, h, w, peep, peep, peep, b
        out = apply(known_op("BlockLSTM"), ins, _ATTRS)[-1]
        given = {"x": x, "w": w, "b": b, "c": c}
        slopes = tf.gradients(out * out, [given[s] for s in sources])
        return session.run(slopes, {x: rng.randn(5, 3, 4).astype("f")})


@pytest.fixture
def spared(monkeypatch):
    """What the kernels that run are told to leave out."""
    seen, call = [], Sparing.__call__

    def told(self, *arrays):
        seen.append(self._run.keywords["spared"])
        return call(self, *arrays)

    monkeypatch.setattr(Sparing, "__call__", told)
    return seen


def test_what_is_read_stays_the_same(spared):
    whole = gradients_of("xwbc")
    assert spared.pop() == {2, 4, 5, 6}  # of h_prev, wci, wcf, wco
    for i, name in enumerate("xwbc"):
        np.testing.assert_array_equal(gradients_of(name)[0], whole[i])
        assert (0 in spared.pop()) == (name != "x")


def test_a_watcher_sees_all(spared):
    seen = {}

    class Looks(watching.Watcher):
        def ended(self, run):
            seen[run.op.type] = run.outputs

    with watching.watched_by(Looks()):
        gradients_of("w")
    assert not spared
    assert all(type(a) is np.ndarray for a in seen["BlockLSTMGrad"])


def test_a_kernel_may_be_told_anew():
    op = known_op("BlockLSTMGrad")
    kernel = Sparing(op.np, {"use_peephole": False}, [3, 4, 5])
    kernel.let_go((4, 9))
    assert kernel._run.keywords["spared"] == {1}
    kernel.let_go(())
    assert not kernel._run.keywords["spared"]

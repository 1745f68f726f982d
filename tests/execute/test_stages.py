"""The stages of a function that a user can look at."""

import pytest

import twinflow as tf
from twinflow.base.dispatch import entered
from twinflow.eager.mode import MODE
from twinflow.execute import tiers


@pytest.fixture
def double():
    with entered(MODE):
        yield tf.contrib.eager.defun(lambda x: tf.tanh(x * 1.0) * 2.0)


def test_the_graph_and_what_the_passes_leave(double):
    trace = double.trace(tf.constant([1.0, 2.0]))
    assert str(trace).count("Mul") > trace.optimized().count("Mul") == 1
    assert "return" in trace.optimized()


def test_what_xla_gets(double):
    trace = double.trace(tf.constant([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="Call the function first"):
        trace.lowered()
    double(tf.constant([1.0, 2.0]))
    assert "stablehlo.tanh" in trace.lowered()


def test_the_report_names_the_engine(double, monkeypatch):
    double(tf.constant([1.0]))
    assert "interpreted (cold), 1 calls" in double.report()
    monkeypatch.setattr(tiers.POLICY, "at_once", True)
    double(tf.constant([1.0]))
    assert "compiled, 2 calls" in double.report()

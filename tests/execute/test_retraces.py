"""A function says which argument made it trace again."""

import numpy as np

import twinflow as tf
from tests.ways import eager
from twinflow.base import logging
from twinflow.contrib import eager as tfe


def reasons(f):
    return [trace.reason for trace in f.traces.values()]


def test_the_argument_that_changed_is_named():
    with eager():
        f = tfe.defun(lambda x, n=2, d=None: x * float(n))
        x = tf.ones([2])
        f(x)
        f(tf.ones([3]))
        f(x, 5)
        f(tf.cast(x, tf.float64))
        f(x, d={"a": tf.ones([1])})
        f(np.float32(3.0))
    assert reasons(f) == [
        "the first call",
        "x: float32(2,) became float32(3,)",
        "n: not there became 5",
        "x: float32(2,) became float64(2,)",
        "d['a']: not there became float32(1,)",
        "x: float32(2,) became float32()",
    ]
    assert "because of x: float32(2,) became float32(3,)" in f.report()


def test_other_objects_are_told_apart():
    with eager():
        f = tfe.defun(lambda v: v * 2.0)
        a, b = tfe.Variable(1.0, name="a"), tfe.Variable(1.0, name="b")
        f(a)
        f(b)
    assert "v: variable a:0" in reasons(f)[1] and "variable b:0" in reasons(f)[1]


def test_many_traces_are_reported_once(monkeypatch):
    said = []
    monkeypatch.setattr(logging, "warning", said.append)
    with eager():
        f = tfe.defun(lambda x, n: x * n, input_signature=None)
        for n in range(12):
            f(tf.ones([]), float(n))
    assert len(said) == 1
    assert "was traced 8 times; the last time because of n: " in said[0]

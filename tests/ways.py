"""One program, run in every way there is: what the tests of the core share."""

import contextlib

import numpy as np

import twinflow as tf
from twinflow.base import dispatch, nest
from twinflow.eager.mode import MODE
from twinflow.execute.tiers import POLICY
from twinflow.execute.worker import WORKER

WAYS = ("eager", "function", "compiled function", "session", "compiled session")


def eager():
    """A block that runs eagerly."""
    return dispatch.entered(MODE)


@contextlib.contextmanager
def compiled(refusals=None):
    """Compile every cluster at its first call.

    Args:
        refusals: what the compiler may say (or raise) where it refuses; by default it
            may not.
    """
    entries, put = [], WORKER.put

    def noted(spec, entry, *args, **kwargs):
        entries.append(entry)
        put(spec, entry, *args, **kwargs)

    before = POLICY.enabled
    WORKER.put, POLICY.at_once, POLICY.enabled = noted, True, True
    try:
        yield entries
    finally:
        POLICY.at_once, POLICY.enabled = False, before
        del WORKER.put
    errors = [e.error for e in entries if e.error is not None]
    assert all(_may_be(e, refusals) for e in errors), errors


def _may_be(error, refusals):
    if isinstance(refusals, type):
        return isinstance(error, refusals)
    return bool(refusals) and refusals in str(error)


@contextlib.contextmanager
def interpreted():
    """Compile nothing."""
    before, POLICY.enabled = POLICY.enabled, False
    try:
        yield
    finally:
        POLICY.enabled = before


def run(way, build, *arrays, calls=1, shapes=None, refusals=None):
    """The results of the last of some calls.

    Args:
        way: one of WAYS.
        build: makes the variables and returns the function of tensors to run.
        arrays: the arguments. calls: how often it runs on the same variables.
        shapes: the static shapes of the placeholders; those of the arrays if not given.
        refusals: see `compiled`.
    Returns:
        What the function returns, with ndarrays in place of tensors.
    """
    return run_each(way, build, [arrays] * calls, shapes, refusals)[-1]


def run_each(way, build, calls, shapes=None, refusals=None):
    """The results of calls, a list, of one function: it is compiled for the first.

    Args:
        calls: a sequence of arguments for each. The others: see `run`.
    """
    calls = [
        [np.int32(a) if type(a) is int else np.asarray(a) for a in arrays]
        for arrays in calls
    ]
    engine = compiled(refusals) if way.startswith("compiled") else interpreted()
    with engine:
        if way.endswith("session"):
            return _in_session(build, calls, shapes)
        with eager():
            f = build()
            f = f if way == "eager" else tf.contrib.eager.defun(f)
            outs = [f(*map(tf.constant, arrays)) for arrays in calls]
            return [nest.map_structure(lambda t: t.numpy(), out) for out in outs]


def _in_session(build, calls, shapes):
    with tf.Graph().as_default() as graph:
        f = build()
        shapes = shapes or [a.shape for a in calls[0]]
        feeds = [
            tf.placeholder(a.dtype, s) for a, s in zip(calls[0], shapes, strict=True)
        ]
        out = f(*feeds)
        with tf.Session(graph=graph) as session:
            session.run(tf.global_variables_initializer())
            return [
                session.run(out, dict(zip(feeds, arrays, strict=True)))
                for arrays in calls
            ]


def plans(function, *args):
    """The plans that a Function has made for its trace of `args`."""
    return list(function.trace(*args).graph.state["plans"].values())


def states(plan):
    """The state of every entry of every cluster of a plan."""
    return [e.state for c in plan.clusters for e in c.entries.values()]

"""Requests joined in batches, and runs that need no thread."""

import asyncio
import threading

import numpy as np
import pytest

import twinflow as tf
from tests.serving.conftest import save_half
from twinflow.base import errors
from twinflow.serving.batches import Batches
from twinflow.serving.loading import load
from twinflow.serving.paces import Paces
from twinflow.serving.runs import Runs
from twinflow.serving.servable import size_of
from twinflow.serving.versions import Version


@pytest.fixture
def version(tmp_path):
    save_half(tmp_path)
    found = Version("half", 1, str(tmp_path))
    found.ready(load(str(tmp_path)))
    found.hold()
    yield found
    found.release()


def joined(version, rows, wait, signature, values, during=None):
    """(the answers of requests at once, the sizes of the runs)."""
    runs, sizes = Runs(2, 10, 30.0), []
    name = next(iter(version.servable.signatures[signature].inputs))

    async def main():
        batches = Batches(runs, rows, wait, lambda version, rows: sizes.append(rows))
        one = version.servable.signatures[signature]

        def asked(value):
            feeds = {name: np.float32(value)}
            return batches.run(version, one, feeds, tuple(one.outputs))

        first = asyncio.gather(*map(asked, values), return_exceptions=True)
        if during is None:
            return await first
        later, release = during
        await asyncio.sleep(0.05)
        rest = asyncio.gather(*map(asked, later))
        await asyncio.sleep(0.05)
        release()
        return await first + await rest

    try:
        return asyncio.run(main()), sizes
    finally:
        runs.close()


def test_a_request_that_fails_in_a_batch(version):
    values = [[1.0]], [[np.nan]], [[2.0]]
    found, sizes = joined(version, 3, 5.0, "checked", values)
    assert [found[0]["m"].tolist(), found[2]["m"].tolist()] == [[[1.0]], [[2.0]]]
    assert isinstance(found[1], errors.InvalidArgumentError)
    assert sizes == [3, 1, 1, 1]


def test_nobody_waits_while_nothing_runs(version):
    (found,), sizes = joined(version, 8, 1e6, "serving_default", [[1.0, 2.0]])
    assert (found["y"].tolist(), sizes) == ([2.5, 4.5], [2])


def test_who_comes_during_a_run_goes_together(version, monkeypatch):
    gate, run = threading.Event(), version.servable.run

    def slow(*args):
        assert gate.wait(30)
        return run(*args)

    monkeypatch.setattr(version.servable, "run", slow)
    later = [[2.0], [3.0], [4.0]]
    found, sizes = joined(
        version, 8, 1e6, "serving_default", [[1.0]], (later, gate.set)
    )
    assert [f["y"].tolist() for f in found] == [[2.5], [4.5], [6.5], [8.5]]
    assert sizes == [1, 3]


def test_quick_runs(version):
    servable = version.servable
    one = servable.signatures["serving_default"]
    feeds = {"x": np.ones(4, np.float32)}
    assert not servable.is_quick(one, size_of(feeds))
    for _ in range(50):
        out = servable.run(one, feeds, ("y",))
    assert out["y"].tolist() == [2.5] * 4
    assert servable.is_quick(one, size_of(feeds))
    assert not servable.is_quick(one, 10**6)  # nothing is known of such ones
    for name in "strings", "checked", "classify":  # not in the list of bounded ops
        other = servable.signatures[name]
        assert not servable.is_quick(other, 16)


def test_a_run_that_the_machine_held_up_is_no_proof():
    paces = Paces()
    for _ in range(20):
        paces.took(100, 1e-4)
    paces.took(100, 1.0)
    assert paces.quick(100)
    for _ in range(10):
        paces.took(100, 0.01)
    assert not paces.quick(100)
    assert not paces.quick(1000)


def test_loops_are_not_bounded(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        n = tf.placeholder(tf.int32, [])
        y = tf.while_loop(lambda i: i < n, lambda i: i + 1, [tf.constant(0)])
        tf.saved_model.simple_save(sess, str(tmp_path / "1"), {"n": n}, {"y": y})
    servable = load(str(tmp_path / "1"))
    one = servable.signatures["serving_default"]
    for _ in range(5):
        assert servable.run(one, {"n": np.int32(3)}, ("y",))["y"] == 3
    assert not servable.is_quick(one, 4)
    servable.close()

"""The ops of boosted trees against what TensorFlow 1.12 says of the same data."""

import numpy as np
import pytest

from twinflow.base import dispatch, errors
from twinflow.base.dispatch import apply
from twinflow.eager.mode import MODE
from twinflow.estimator.trees import calls, quantile_calls
from twinflow.execute.session import Session
from twinflow.formats import tree_protos
from twinflow.graph.graph import Graph
from twinflow.ops.trees import ops, quantile_ops

FEATURES = np.array([[0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 2, 2]], np.int32)
LABELS = np.array([[1], [2], [-1], [0.5], [3], [-2]], np.float32)
GROWN = (
    b"\nK\n\x17\x12\x06\x10\x01\x18\x01 \x02\xca0\x0c\rO\n+A\x12\x05\x1d\x9a\x99\x19?\n"
    b"\x15\x12\x04\x18\x03 \x04\xca0\x0c\rh\x05\x0f@\x12\x05\x1dr\x1c\x87?\n\x07\n\x05"
    b"\x1d\x8c\xc2u\xbe\n\x07\n\x05\x1d\xef\xeen?\n\x07\n\x05\x1d\x11\x11\xd1?\n$\n\x10"
    b"\x12\x06\x10\x01\x18\x01 \x02\xca0\x05\r\x16\xa3)@\n\x07\n\x05\x1d\r\x7f\x1b>\n"
    b"\x07\n\x05\x1d%\x06\x01\xbf\x12\x08\x00\x00\x80?\x00\x00\x80?\x1a#\x10\x02\x18\x01"
    b'"\x00"\x02\x08\x01"\x02\x08\x02"\x02\x08\x03"\x02\x08\x04"\x02\x08\x02"\x07\x08'
    b'\x02\x15%\x06\x01?\x1a\x02\x10\x01"\x08\x08\x02\x10\x03\x18\x01 \x03'
)
PREDICTED = [1.0851852, 1.7851852, -0.74399996]


@pytest.fixture(params=["eager", "graph"])
def run(request):
    """Runs what a function of no arguments makes: now, or in a session."""
    if request.param == "eager":
        with dispatch.entered(MODE):
            yield lambda make: _arrays(make())
    else:
        with Graph().as_default(), Session() as session:
            yield lambda make: session.run(make())


def _arrays(found):
    if isinstance(found, list | tuple):
        return [_arrays(part) for part in found]
    return found.numpy() if hasattr(found, "numpy") else found


def _ensemble(run, serialized=b"", stamp=3):
    handle = apply(ops.BoostedTreesEnsembleResourceHandleOp, (), {"shared_name": "e"})
    run(lambda: apply(ops.BoostedTreesCreateEnsemble, (handle, stamp, serialized)))
    return handle


def _grow(run, handle, steps):
    logits, trees = np.zeros((6, 1), np.float32), np.zeros(6, np.int32)
    nodes = np.full(6, -1, np.int32)
    for _ in range(steps):
        states = run(lambda: apply(ops.BoostedTreesGetEnsembleStates, (handle,)))
        more, trees, nodes = run(
            lambda at=(trees, nodes): calls.training_predict(handle, *at, FEATURES, 1)
        )
        logits = logits + more
        stats = run(
            lambda at=(nodes, logits - LABELS): calls.make_stats_summary(
                *at, np.ones((6, 1), np.float32), list(FEATURES), 3, 3
            )
        )
        best = run(
            lambda of=(states[4], list(stats)): calls.calculate_best_gains_per_feature(
                *of, 0.0, 0.5, 0.1, 0.0, 3
            )
        )
        run(lambda best=best: calls.update_ensemble(handle, [0, 1], *best, 2, 0.5, 2))
    return logits, trees, nodes


def test_trees_grow(run):
    handle = _ensemble(run)
    first = run(lambda: calls.center_bias(handle, [[-0.6]], [[1.0]], 0.0, 0.0))
    logits, trees, nodes = _grow(run, handle, 3)
    assert first
    np.testing.assert_allclose(logits[:3, 0], [0.9333333, 1.6333333, -0.24], 1e-6)
    np.testing.assert_array_equal([trees, nodes], [[1] * 6, [0] * 6])
    stamp, serialized = run(lambda: apply(ops.BoostedTreesSerializeEnsemble, (handle,)))
    assert (int(stamp), bytes(np.asarray(serialized)[()])) == (7, GROWN)


def test_trees_predict(run):
    handle = _ensemble(run, GROWN, 7)
    found = run(lambda: calls.predict(handle, list(FEATURES), 1))
    np.testing.assert_allclose(found[:, 0], PREDICTED * 2, 1e-6)
    paths = run(lambda: calls.example_debug_outputs(handle, list(FEATURES), 1))
    path = tree_protos.DebugOutput.FromString(paths[0])
    assert list(path.feature_ids) == [0, 0, 0]
    np.testing.assert_allclose(
        path.logits_path, [0.6, 1.0555556, 0.9333333, 1.0851852], 1e-6
    )
    states = run(lambda: apply(ops.BoostedTreesGetEnsembleStates, (handle,)))
    assert [np.asarray(s).tolist() for s in states] == [7, 2, 1, 3, [1, 3]]


def test_what_is_refused(run):
    handle = apply(ops.BoostedTreesEnsembleResourceHandleOp, (), {"shared_name": "no"})
    with pytest.raises(errors.NotFoundError, match="BoostedTreesEnsembleResource"):
        run(lambda: calls.predict(handle, list(FEATURES), 1))
    ready = run(lambda: apply(ops.IsBoostedTreesEnsembleInitialized, (handle,)))
    assert not ready
    with pytest.raises(errors.InvalidArgumentError, match="Unable to parse"):
        _ensemble(run, b"\xff")
    handle = _ensemble(run, GROWN)
    with pytest.raises(errors.InvalidArgumentError, match="only one dimensional"):
        run(lambda: calls.predict(handle, list(FEATURES), 2))
    with pytest.raises(errors.InvalidArgumentError, match="num_buckets=2"):
        ones = np.ones((6, 1), np.float32)
        run(lambda: calls.make_stats_summary([0] * 6, ones, ones, [FEATURES[0]], 1, 2))


NUMBERS = (np.arange(40) * 7 % 23).astype(np.float32)[:, None]
SUMMARY = [
    [0, 4, 0, 4], [1, 1, 4, 18], [5, 1, 16, 19], [6, 2, 17, 27], [8, 5, 26, 32],
    [11, 1, 35, 39], [12, 3, 39, 44], [13, 3, 42, 56], [15, 3, 45, 59],
    [17, 4, 57, 63], [20, 3, 68, 72], [22, 3, 76, 79],
]  # fmt: skip


@pytest.mark.parametrize(
    ("quantiles", "wanted", "buckets"),
    [
        (False, [0, 6, 11, 15, 20, 22], [0, 2, 3, 5, 1, 3]),
        (True, [0, 5, 12, 17, 22], [0, 2, 3, 4, 1, 2]),
    ],
)
def test_quantiles(run, quantiles, wanted, buckets):
    weights = (1 + np.arange(40) % 3).astype(np.float32)
    (summary,) = run(
        lambda: quantile_calls.make_quantile_summaries([NUMBERS], weights, 0.3)
    )
    np.testing.assert_allclose(summary, SUMMARY)
    handle = apply(
        quantile_ops.BoostedTreesQuantileStreamResourceHandleOp,
        (),
        {"shared_name": "q"},
    )
    run(lambda: quantile_calls.create_quantile_stream_resource(handle, 0.1, 1, 80))
    for _ in range(2):
        run(lambda: quantile_calls.quantile_add_summaries(handle, [summary]))
    run(lambda: quantile_calls.quantile_flush(handle, 5, quantiles))
    found = run(lambda: quantile_calls.get_bucket_boundaries(handle, 1))
    np.testing.assert_allclose(found[0], wanted)
    op = quantile_ops.BoostedTreesBucketize
    (places,) = run(lambda: apply(op, ([NUMBERS[:6]], found)))
    assert places[:, 0].tolist() == buckets

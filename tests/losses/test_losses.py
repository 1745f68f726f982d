"""tf.losses against TensorFlow 1.12, in both modes."""

import numpy as np
import pytest

from tests.modes import both, eagerly, in_graph
from twinflow import losses
from twinflow.execute.session import Session
from twinflow.losses import Reduction
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant

LABELS = np.array([[0, 1, 0], [1, 0, 0]], np.float32)
LOGITS = np.array([[0.1, 0.9, -0.3], [0.2, -0.4, 0.5]], np.float32)
PROBABILITIES = 1 / (1 + np.exp(-LOGITS))
SPARSE = np.array([1, 0])
ROWS = np.array([1, 0], np.float32)
COLUMN = np.array([[1], [0.5]], np.float32)

# function, labels, other, weights; then plain, SUM, MEAN, SUM_OVER_BATCH_SIZE,
# SUM_BY_NONZERO_WEIGHTS with these weights, and the plain one with weights=2.
TABLE = [
    (
        losses.softmax_cross_entropy, LABELS, LOGITS, ROWS,
        [0.8120834, 0.5599147, 0.5599147, 0.27995735, 0.5599147, 1.6241668],
    ),
    (
        losses.sparse_softmax_cross_entropy, SPARSE, LOGITS, ROWS,
        [0.8120834, 0.5599147, 0.5599147, 0.27995735, 0.5599147, 1.6241668],
    ),
    (
        losses.sigmoid_cross_entropy, LABELS, LOGITS, COLUMN,
        [0.62085617, 2.6825213, 0.5961158, 0.4470869, 0.4470869, 1.2417123],
    ),
    (
        losses.mean_squared_error, LABELS, PROBABILITIES, COLUMN,
        [0.21523488, 0.91583085, 0.20351797, 0.15263848, 0.15263848, 0.43046975],
    ),
    (
        losses.absolute_difference, LABELS, PROBABILITIES, COLUMN,
        [0.45225418, 1.9765561, 0.43923467, 0.32942602, 0.32942602, 0.90450835],
    ),
    (
        losses.log_loss, LABELS, PROBABILITIES, COLUMN,
        [0.620856, 2.6825206, 0.5961157, 0.44708678, 0.44708678, 1.241712],
    ),
    (
        losses.hinge_loss, LABELS, LOGITS, COLUMN,
        [0.8, 3.3500001, 0.7444445, 0.55833334, 0.55833334, 1.6],
    ),
    (
        losses.huber_loss, LABELS * 3, LOGITS, COLUMN,
        [0.69249994, 2.9024997, 0.6449999, 0.48374996, 0.48374996, 1.3849999],
    ),
]  # fmt: skip
table = pytest.mark.parametrize(
    ("loss", "labels", "other", "weights", "wanted"), TABLE,
    ids=[row[0].__name__ for row in TABLE],
)  # fmt: skip
REDUCTIONS = (
    Reduction.SUM, Reduction.MEAN, Reduction.SUM_OVER_BATCH_SIZE,
    Reduction.SUM_BY_NONZERO_WEIGHTS,
)  # fmt: skip


@both
@table
def test_numbers(run, loss, labels, other, weights, wanted):
    def build():
        found = [loss(labels, other)]
        found += [loss(labels, other, weights=weights, reduction=r) for r in REDUCTIONS]
        return [*found, loss(labels, other, weights=2.0)]

    np.testing.assert_allclose(run(build), wanted, rtol=1e-6)


@both
@table
def test_no_reduction_and_no_weight(run, loss, labels, other, weights, wanted):
    def build():
        each = loss(labels, other, weights=weights, reduction=Reduction.NONE)
        return each, loss(labels, other, weights=0.0)

    each, none = run(build)
    assert each.shape == ((2,) if weights is ROWS else (2, 3))
    np.testing.assert_allclose(each.sum(), wanted[1], rtol=1e-6)
    assert none == 0


@both
def test_smoothing_and_delta(run):
    found = run(
        lambda: [
            losses.softmax_cross_entropy(LABELS, LOGITS, label_smoothing=0.1),
            losses.sigmoid_cross_entropy(LABELS, LOGITS, label_smoothing=0.1),
            losses.huber_loss(LABELS * 3, LOGITS, delta=0.5),
        ]
    )
    np.testing.assert_allclose(found, [0.8504168, 0.6308561, 0.40916666], rtol=1e-6)


@both
def test_weights_and_labels_with_a_last_axis_of_one(run):
    column, weights = SPARSE[:, None], np.array([[1.0], [2.0]], np.float32)
    found = run(
        lambda: [
            losses.sparse_softmax_cross_entropy(column, LOGITS),
            losses.sparse_softmax_cross_entropy(column, LOGITS, weights=weights),
            losses.sparse_softmax_cross_entropy(SPARSE, LOGITS, weights=weights),
        ]
    )
    np.testing.assert_allclose(found, [0.8120834, 1.3442094, 1.3442094], rtol=1e-6)


@both
def test_dtypes(run):
    found = run(
        lambda: [
            losses.mean_squared_error(np.array([1, 2]), np.array([3, 5])),
            losses.softmax_cross_entropy(LABELS.astype("d"), LOGITS.astype("d")),
            losses.compute_weighted_loss(np.array([1, 2, 4])),
            losses.compute_weighted_loss(
                np.array([1.0, 2, 3]), weights=[1.0, 0.0, 1.0]
            ),
        ]
    )
    assert [x.dtype.name for x in found] == ["float32", "float64", "int64", "float64"]
    np.testing.assert_allclose(found, [6.5, 0.8120834231376648, 2, 2.0], rtol=1e-12)


@both
def test_errors(run):
    def build():
        with pytest.raises(
            ValueError, match=r"Shapes \(2, 2\) and \(2, 3\) are incomp"
        ):
            losses.softmax_cross_entropy(LABELS, LOGITS[:, :2])
        with pytest.raises(ValueError, match="Shape mismatch: The shape of labels"):
            losses.sparse_softmax_cross_entropy(np.array([1, 0, 2]), LOGITS)
        for call, name in (
            (lambda: losses.softmax_cross_entropy(None, LOGITS), "onehot_labels"),
            (lambda: losses.softmax_cross_entropy(LABELS, None), "logits"),
            (lambda: losses.mean_squared_error(None, LOGITS), "labels"),
            (lambda: losses.mean_squared_error(LABELS, None), "predictions"),
            (lambda: losses.hinge_loss(LABELS, LOGITS, weights=None), "weights"),
        ):
            with pytest.raises(ValueError, match=f"{name} must not be None"):
                call()
        with pytest.raises(ValueError, match="Invalid ReductionKey foo"):
            losses.mean_squared_error(LABELS, LOGITS, reduction="foo")
        with pytest.raises(
            ValueError,
            match=r"weights can not be broadcast to values. Mismatch at dim 0. "
            r"values.shape=\[2 3\] weights.shape=\[3 1\].",
        ):
            losses.mean_squared_error(LABELS, LOGITS, np.ones([3, 1], np.float32))
        with pytest.raises(
            ValueError, match=r"values.rank=2. weights.rank=1. values.shape=\(2, 3\)"
        ):
            losses.mean_squared_error(LABELS, LOGITS, np.ones([2], np.float32))
        return constant(0.0)

    run(build)


def test_the_graph_collects_losses(graph):
    first = losses.mean_squared_error(LABELS, LOGITS)
    second = losses.hinge_loss(LABELS, LOGITS, scope="mine")
    losses.huber_loss(LABELS, LOGITS, loss_collection=None)
    graph.add_to_collection("regularization_losses", constant(10.0))
    assert [x.name for x in losses.get_losses()] == [
        "mean_squared_error/value:0", "mine/value:0",
    ]  # fmt: skip
    assert losses.get_losses("mine") == [second]
    total, plain = losses.get_total_loss(), losses.get_total_loss(False)
    assert total.name == "total_loss:0"
    with Session() as session:
        a, b, t, p, r = session.run(
            [first, second, total, plain, losses.get_regularization_loss()]
        )
    np.testing.assert_allclose([t, p, r], [a + b + 10, a + b, 10])


def test_nothing_is_collected_eagerly(eager):
    losses.mean_squared_error(LABELS, LOGITS)
    losses.add_loss(constant(1.0))
    assert losses.get_losses() == losses.get_regularization_losses() == []
    assert losses.get_regularization_loss().numpy() == 0
    with pytest.raises(ValueError, match="inputs must be a list of at least one"):
        losses.get_total_loss()


def test_an_unknown_batch(graph):
    x = placeholder("float32", [None, 3])
    loss = losses.mean_squared_error(x * 0.0, x)
    with Session() as session:
        assert session.run(loss, {x: np.ones([4, 3])}) == 1
        assert session.run(loss, {x: np.ones([0, 3])}) == 0


def test_an_empty_batch_has_no_loss():
    empty = np.zeros([0, 3], np.float32)
    for run in (eagerly, in_graph):
        assert run(lambda: losses.mean_squared_error(empty, empty)) == 0


def test_the_names_of_reductions():
    assert Reduction.all() == (
        "none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size",
        "weighted_sum_by_nonzero_weights", "weighted_sum_by_nonzero_weights",
    )  # fmt: skip

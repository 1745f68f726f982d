"""Heads: losses, metrics and texts as TensorFlow 1.12 has them."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.estimator.canned.binary_head import BinaryHead
from twinflow.estimator.canned.multi_class_head import MultiClassHead
from twinflow.estimator.canned.regression_head import RegressionHead

X = {"x": np.ones((2, 1), "float32")}
EVAL, PREDICT, TRAIN = "eval", "infer", "train"


def run(tensors):
    with tf.Session() as sess:
        sess.run([tf.local_variables_initializer(), tf.tables_initializer()])
        return sess.run(tensors)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def test_multi_class_metrics():
    head = MultiClassHead(3, name="h")
    logits = np.array([[10.0, 0, 0], [0, 10, 0]], "float32")
    spec = head.create_estimator_spec(X, EVAL, logits, np.array([[1], [1]]))
    updates = {k: update for k, (_, update) in spec.eval_metric_ops.items()}
    loss, found = run([spec.loss, updates])
    assert loss == pytest.approx(10.0, abs=1e-3)
    assert found == pytest.approx({"accuracy/h": 0.5, "average_loss/h": 5.0}, abs=1e-3)


def test_binary_predictions_have_names():
    head = BinaryHead(label_vocabulary=["no", "yes"])
    spec = head.create_estimator_spec(X, PREDICT, [[-1.0], [1.0]])
    found = run(spec.predictions)
    assert found["classes"].tolist() == [[b"no"], [b"yes"]]
    assert found["logistic"][1] == pytest.approx(0.7310586)
    assert sorted(spec.export_outputs) == [
        "classification", "predict", "regression", "serving_default",
    ]  # fmt: skip


def test_weights_of_a_regression_may_be_of_each_logit():
    head = RegressionHead(2, "w", tf.losses.Reduction.SUM_OVER_BATCH_SIZE)
    features = {"w": np.array([[1.0, 2.0], [0.0, 3.0]], "float32")}
    found = head.create_loss(features, EVAL, [[1.0, 1.0], [1.0, 1.0]], [[0.0, 3.0]] * 2)
    assert run(found.training_loss) == pytest.approx((1 + 8 + 0 + 12) / 4)


def test_training_adds_regularization_and_updates():
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.no_op(name="an_update"))
    spec = BinaryHead().create_estimator_spec(
        X, TRAIN, [[0.0], [0.0]], [[1], [0]], train_op_fn=lambda loss: tf.no_op(),
        regularization_losses=[1.0, 2.0],
    )  # fmt: skip
    assert run(spec.loss) == pytest.approx(2 * np.log(2) + 3)
    assert [op.name for op in spec.train_op.control_inputs][1] == "an_update"
    tags = [t.op.name for t in tf.get_collection(tf.GraphKeys.SUMMARIES)]
    assert tags == ["loss", "average_loss", "regularization_loss"]


@pytest.mark.parametrize(("labels", "text"), [
    (None, "You must provide a labels Tensor. Given: None."),
    ([[1, 0], [0, 1]], "Mismatched label shape. Expected labels dimension=1"),
    ([[1.0], [0.0]], "Labels dtype should be integer"),
])  # fmt: skip
def test_labels_are_checked(labels, text):
    with pytest.raises(ValueError, match=text):
        MultiClassHead(3).create_loss(X, EVAL, np.ones((2, 3), "float32"), labels)


def test_labels_out_of_range_fail_when_run():
    loss = MultiClassHead(3).create_loss(
        X, EVAL, np.ones((2, 3), "float32"), np.array([[3], [0]])
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="Labels must <= n_class"):
        run(loss.training_loss)

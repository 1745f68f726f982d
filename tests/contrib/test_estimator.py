"""tf.contrib.estimator; the numbers are those of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf

ce = tf.contrib.estimator
X = tf.feature_column.numeric_column("x")
FEATURES = {"x": np.ones((2, 1), "float32")}
LOGITS = np.array([[1.0, -1.0], [0.0, 2.0]], "float32")


def data():
    return tf.data.Dataset.from_tensors(({"x": [[1.0], [3.0]]}, [[1.0], [2.0]]))


def run(tensors):
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        return sess.run(tensors)


@pytest.mark.parametrize(("full", "losses"), [
    (True, [[1.7182817, 0.36787945], [4.1572633, 4.0408626]]),
    (False, [[1.7182817, 0.36787945], [1.0, 3.3890562]]),
])  # fmt: skip
def test_poisson_losses(full, losses):
    head = ce.poisson_regression_head(label_dimension=2, compute_full_loss=full)
    with tf.Graph().as_default():
        labels = np.array([[1.0, 0.0], [4.0, 2.0]], "float32")
        found = head.create_loss(FEATURES, "eval", LOGITS, labels)
        assert run(found.unreduced_loss) == pytest.approx(np.array(losses), rel=1e-5)


def test_several_heads():
    kinds, size = ce.multi_label_head(2, name="kinds"), ce.regression_head(name="size")
    head = ce.multi_head([kinds, size], [1.0, 2.0])
    labels = {"kinds": np.array([[1, 0], [0, 1]]), "size": np.array([[1.0], [3.0]])}
    with tf.Graph().as_default():
        logits = np.array([[1.0, -1.0, 1.0], [0.0, 2.0, 2.0]], "float32")
        spec = head.create_estimator_spec(FEATURES, "eval", logits, labels)
        kinds_loss = np.mean(np.log1p(np.exp([-1.0, -1.0, 0.0, -2.0])))
        assert run(spec.loss) == pytest.approx(kinds_loss + 2 * 0.5, rel=1e-5)
    assert sorted(spec.eval_metric_ops) == [
        "auc/kinds", "auc_precision_recall/kinds", "average_loss/kinds",
        "average_loss/size", "label/mean/size", "loss/kinds", "loss/size",
        "prediction/mean/size",
    ]  # fmt: skip


def test_gradients_are_clipped():
    with tf.Graph().as_default():
        w = tf.Variable(1.0)
        plain = tf.train.GradientDescentOptimizer(1.0)
        step = ce.clip_gradients_by_norm(plain, 3.0).minimize(-5.0 * w, var_list=[w])
        with tf.Session() as sess:
            sess.run(w.initializer)
            sess.run(step)
            assert sess.run(w) == 4.0


def test_training_ends_early(tmp_path):
    first = tf.estimator.LinearRegressor([X], str(tmp_path / "a"))
    first.train(data, steps=1)
    loss = first.evaluate(data)["loss"]
    assert dict(ce.read_eval_metrics(first.eval_dir()))[1]["loss"] == loss
    then = tf.estimator.LinearRegressor([X], str(tmp_path / "b"))
    hook = ce.stop_if_higher_hook(
        then, "loss", loss / 2, first.eval_dir(), run_every_secs=None, run_every_steps=1
    )
    then.train(lambda: data().repeat(), hooks=[hook], steps=50)
    assert then.get_variable_value("global_step") < 5


def test_evaluations_in_memory(tmp_path):
    estimator = tf.estimator.LinearRegressor([X], str(tmp_path))
    hook = ce.InMemoryEvaluatorHook(estimator, data, every_n_iter=2)
    estimator.train(lambda: data().repeat(), hooks=[hook], steps=4)
    found = ce.read_eval_metrics(estimator.eval_dir())
    assert found[4]["loss"] == pytest.approx(float(estimator.evaluate(data)["loss"]))
    assert found[4]["loss"] < found[0]["loss"]


def test_recurrent_classifier(tmp_path):
    price = tf.contrib.feature_column.sequence_numeric_column("price")
    estimator = ce.RNNClassifier(
        [price], [X], num_units=[3, 2], cell_type="lstm", model_dir=str(tmp_path)
    )

    def sequences():
        prices = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2])
        return {"price": prices, "x": [[1.0], [2.0]]}, [[1], [0]]

    estimator.train(sequences, steps=1)
    name = "rnn/rnn/multi_rnn_cell/cell_0/basic_lstm_cell/kernel"
    assert estimator.get_variable_value(name).shape == (5, 12)
    assert estimator.evaluate(sequences, steps=1)["global_step"] == 1


def test_graphs_of_all_modes_are_exported(tmp_path):
    estimator = tf.estimator.LinearRegressor([X], str(tmp_path / "m"))
    estimator.train(data)
    with tf.Graph().as_default():
        x, y = (
            tf.placeholder("float32", [None, 1]),
            tf.placeholder("float32", [None, 1]),
        )
        supervised = ce.build_raw_supervised_input_receiver_fn({"x": x}, y)
        serving = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": x})
    modes = {"train": supervised, "eval": supervised, "infer": serving}
    folder = ce.export_all_saved_models(estimator, str(tmp_path / "e"), modes)
    with tf.Session(graph=tf.Graph()) as sess:
        meta = tf.saved_model.loader.load(sess, ["eval"], folder)
    assert "metrics/average_loss/value" in meta.signature_def["eval"].outputs
    assert set(meta.signature_def["eval"].inputs) == {"x", "label"}

"""tf.contrib.learn's estimators, monitors and experiments."""

import os

import numpy as np
import pytest

import twinflow as tf

learn = tf.contrib.learn
X = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1]], np.float32)
Y = np.array([2, 3, 5, 7], np.float32)
METRICS = {"rmse": learn.MetricSpec(tf.metrics.root_mean_squared_error, "scores")}


def model_fn(features, labels, mode, params):
    if isinstance(features, dict):
        features = features["x"]
    w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
    scores = tf.matmul(features, w)[:, 0]
    loss = train_op = None
    if labels is not None:
        loss = tf.losses.mean_squared_error(labels, scores)
    if mode == learn.ModeKeys.TRAIN:
        step = tf.train.get_global_step()
        train_op = tf.contrib.layers.optimize_loss(loss, step, params["rate"], "SGD")
    return learn.ModelFnOps(mode, {"scores": scores}, loss, train_op)


def made(folder, **options):
    return learn.Estimator(model_fn, str(folder), params={"rate": 0.1}, **options)


def input_fn():
    return {"x": tf.constant(X)}, tf.constant(Y)


def test_arrays_are_fitted(tmp_path):
    model = learn.SKCompat(made(tmp_path)).fit(X, Y, steps=300, batch_size=4)
    np.testing.assert_allclose(model.predict(X)["scores"], Y, atol=0.05)
    found = model.score(X, Y, metrics=METRICS)
    assert sorted(found) == ["global_step", "loss", "rmse"]
    np.testing.assert_allclose(found["rmse"] ** 2, found["loss"], rtol=1e-4)


def test_monitors_see_and_stop(tmp_path):
    model = made(tmp_path, config=learn.RunConfig(save_checkpoints_steps=5))
    seen = learn.monitors.CaptureVariable("w", every_n=10)
    judge = learn.monitors.ValidationMonitor(
        input_fn=input_fn, eval_steps=1, every_n_steps=5, early_stopping_rounds=20,
        check_interval_secs=None,
    )  # fmt: skip
    model.fit(input_fn=input_fn, steps=30, monitors=[seen, judge])
    assert sorted(seen.values) == [1, 11, 21]
    assert judge.best_step == 30 and not judge.early_stopped
    model.fit(input_fn=input_fn, monitors=[learn.monitors.StopAtStep(num_steps=3)])
    assert model.evaluate(input_fn=input_fn, steps=1)["global_step"] == 33


def test_an_experiment_trains_evaluates_and_exports(tmp_path):
    def serving():
        x = tf.placeholder(tf.float32, [None, 2])
        return learn.InputFnOps({"x": x}, None, {"x": x})

    def experiment_fn(run_config, hparams):
        return learn.Experiment(
            learn.Estimator(model_fn, config=run_config, params={"rate": hparams.rate}),
            input_fn, input_fn, METRICS, train_steps=6, eval_steps=1,
            export_strategies=learn.make_export_strategy(serving),
        )  # fmt: skip

    found, (export,) = learn.learn_runner.run(
        experiment_fn, run_config=learn.RunConfig(model_dir=str(tmp_path)),
        hparams=tf.contrib.training.HParams(rate=0.1),
    )  # fmt: skip
    assert found["global_step"] == 6 and "rmse" in found
    with tf.Session(graph=tf.Graph()) as sess:
        tags = [tf.saved_model.tag_constants.SERVING]
        signatures = tf.saved_model.loader.load(sess, tags, export).signature_def
    assert list(signatures["serving_default"].outputs) == ["scores"]
    assert os.path.dirname(export).endswith(b"export/Servo")


def test_misuse():
    model = made("nowhere")
    with pytest.raises(ValueError, match="Either x or input_fn must be provided"):
        model.fit()
    with pytest.raises(ValueError, match="Can not provide both steps and max_steps"):
        model.fit(input_fn=input_fn, steps=1, max_steps=2)
    with pytest.raises(learn.NotFittedError, match="Couldn't find trained model"):
        model.evaluate(X, Y)
    with pytest.raises(ValueError, match="does not have a params argument"):
        learn.Estimator(lambda features, labels: None, params={})


@pytest.fixture(scope="module")
def iris():
    found = learn.datasets.load_iris()
    columns = learn.infer_real_valued_columns_from_input(found.data)
    return found.data.astype(np.float32), found.target, columns


def test_a_classifier_with_hidden_layers(iris, tmp_path):
    x, y, columns = iris
    config = learn.RunConfig(tf_random_seed=1)
    model = learn.DNNClassifier([10], columns, str(tmp_path), 3, config=config)
    model.fit(x, y, steps=150, batch_size=50)
    found = model.evaluate(x, y)
    assert sorted(found) == ["accuracy", "global_step", "loss"]
    assert found["accuracy"] > 0.8
    assert model.get_variable_value("dnn/hiddenlayer_0/weights").shape == (4, 10)
    classes = model.predict(x[:3], as_iterable=False)
    assert classes.dtype == np.int64 and classes.shape == (3,)
    assert next(model.predict_proba(x[:1])).shape == (3,)


def test_linear_models_and_combined_ones(iris, tmp_path):
    x, y, columns = iris
    model = learn.LinearClassifier(columns, str(tmp_path / "linear"))
    found = model.fit(x[:100], y[:100], steps=60).evaluate(x[:100], y[:100])
    assert found["accuracy"] == 1 and found["accuracy/baseline_label_mean"] == 0.5
    assert found["precision/positive_threshold_0.500000_mean"] == 1
    sums = x.sum(1)
    model = learn.DNNLinearCombinedRegressor(
        str(tmp_path / "both"), linear_feature_columns=columns,
        dnn_feature_columns=columns, dnn_hidden_units=[4],
        fix_global_step_increment_bug=True,
    )  # fmt: skip
    found = model.fit(x, sums, steps=100).evaluate(x, sums)
    assert found["global_step"] == 100 and found["loss"] < 1
    assert next(model.predict_scores(x[:1])).dtype == np.float32

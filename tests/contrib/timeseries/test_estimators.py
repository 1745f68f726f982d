"""Estimators of time series, with the numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf

ts = tf.contrib.timeseries
TIMES = np.array([[3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16]])
VALUES = np.stack([np.sin(TIMES / 2.0), np.cos(TIMES / 3.0) + 2.0], -1)


def autoregressive(window):
    return ts.ARRegressor(
        periodicities=[5], input_window_size=4, output_window_size=window,
        num_features=2, hidden_layer_sizes=[3],
    )  # fmt: skip


def structural(_):
    return ts.StructuralEnsembleRegressor(
        periodicities=[5, 4.5], num_features=2, cycle_num_latent_values=3,
        moving_average_order=1, autoregressive_order=2, anomaly_prior_probability=0.1,
    )  # fmt: skip


def run(regressor, mode):
    """The loss and some predictions, with variables that are known."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.create_global_step()
        features = {"times": tf.constant(TIMES), "values": tf.constant(VALUES)}
        spec = regressor.model_fn(features, None, mode, None)
        session.run(tf.global_variables_initializer())
        for variable in tf.trainable_variables():
            shape = variable.shape.as_list()
            pattern = 0.3 * np.sin(np.arange(int(np.prod(shape))) + 1.0)
            variable.load(pattern.reshape(shape), session)
        for variable in tf.global_variables():
            if "prior_state_mean" in variable.name:
                variable.load(np.zeros(variable.shape.as_list()), session)
        if mode == "train":
            return session.run(spec.loss), None
        ops = spec.eval_metric_ops
        return session.run([spec.loss, [ops["covariance"][1], ops["mean"][1]]])


GOLDEN = {  # what TensorFlow 1.12 gives for the same variables
    autoregressive: (
        1.4682, 2.26594, [1.34722, 1.3907, 1.06008, 0.76586],
        [0.29804, 0.3298, 0.05834, -0.26676],
    ),
    structural: (
        -10.26239, 5.60769, [6.13256, 0.09927, 0.09927, 5.3249],
        [0.0, 0.0, 0.21591, 0.08514],
    ),
}  # fmt: skip


@pytest.mark.parametrize("make", GOLDEN)
def test_losses_and_predictions_are_those_of_tensorflow(make):
    train, evaluated, covariance, mean = GOLDEN[make]
    assert run(make(8), "train")[0] == pytest.approx(train, abs=2e-5)
    loss, parts = run(make(3), "eval")
    assert loss == pytest.approx(evaluated, abs=2e-5)
    np.testing.assert_allclose(parts[0].ravel()[:4], covariance, atol=2e-5)
    np.testing.assert_allclose(parts[1].ravel()[:4], mean, atol=2e-5)


def test_forecast_goes_on_after_export(tmp_path):
    times = np.arange(40)
    values = np.sin(times / 4.0)
    regressor = ts.ARRegressor(
        periodicities=25, input_window_size=6, output_window_size=4, num_features=1,
        model_dir=str(tmp_path / "model"),
    )  # fmt: skip
    reader = ts.NumpyReader({"times": times, "values": values})
    windows = ts.RandomWindowInputFn(
        reader, window_size=10, batch_size=8, queue_capacity_multiplier=4,
        num_threads=1, shuffle_seed=1,
    )  # fmt: skip
    regressor.train(windows, steps=30)
    seen = regressor.evaluate(ts.WholeDatasetInputFn(reader), steps=1)
    assert seen["loss"] == seen["average_loss"] and seen["mean"].shape == (1, 32, 1)
    coming = ts.predict_continuation_input_fn(seen, steps=5)
    (forecast,) = regressor.predict(coming)
    assert forecast["times"].tolist() == [40, 41, 42, 43, 44]

    path = regressor.export_savedmodel(
        str(tmp_path / "export"), regressor.build_raw_serving_input_receiver_fn()
    )
    with tf.Graph().as_default(), tf.Session() as session:
        signatures = tf.saved_model.loader.load(session, ["serve"], path)
        state = ts.saved_model_utils.cold_start_filter(
            signatures, session,
            {"times": times[None, :30], "values": values[None, :30]},
        )  # fmt: skip
        state = ts.saved_model_utils.filter_continuation(
            state, signatures, session,
            {"times": times[None, 30:], "values": values[None, 30:]},
        )  # fmt: skip
        again = ts.saved_model_utils.predict_continuation(
            state, signatures, session, steps=5
        )
    np.testing.assert_allclose(again["mean"][0], forecast["mean"], rtol=1e-5)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({"times": [[1, 2]]}, "Expected a 'values' feature"),
        ({"times": [[1, 2]], "values": [[[1.0], [2.0]]]}, "expects feature 'times'"),
    ],
)
def test_what_cannot_be_trained_is_refused(features, message):
    regressor = ts.ARRegressor(3, 2, 1, 1)
    with pytest.raises(ValueError, match=message):
        regressor.train(
            lambda: ({k: tf.constant(v) for k, v in features.items()}, None), steps=1
        )


def test_anomalies_need_a_share():
    with pytest.raises(ValueError, match="anomaly_prior_probability is required"):
        ts.ARRegressor(3, 2, 1, 1, anomaly_distribution="cauchy")

"""Contract R: Estimators and TPUEstimators, in programs of both modes."""

import os

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import process
from tests.modes import fresh
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

tpu = tf.contrib.tpu
MODES = tf.estimator.ModeKeys
X = np.linspace(-1, 1, 32).astype(np.float32)[:, None]
Y = (2 * X - 1).astype(np.float32)


@pytest.fixture(params=["eager", "graph"], autouse=True)
def program(request):
    """A program that runs eagerly, or makes graphs."""
    if request.param == "eager":
        with dispatch.entered(MODE):
            fresh()
            yield request.param
    else:
        with tf.Graph().as_default():
            yield request.param
    tf.summary.FileWriterCache.clear()


class Line(tf.keras.Model):
    """The Keras model that the model function wraps."""

    def __init__(self, units):
        super().__init__()
        self.norm = tf.keras.layers.BatchNormalization()
        self.dense = tf.keras.layers.Dense(units, kernel_initializer="zeros")

    def call(self, x, training=True):
        return self.dense(self.norm(x, training=training))


def model_fn(features, labels, mode, params):
    model = Line(params["hyperparameters"].units)
    found = model(features, training=mode == MODES.TRAIN)
    if mode == MODES.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=found)
    loss = tf.losses.mean_squared_error(labels, found)
    if mode == MODES.EVAL:
        error = tf.metrics.mean_absolute_error(labels, found)
        return tf.estimator.EstimatorSpec(
            mode=mode, loss=loss, eval_metric_ops={"error": error}
        )
    optimizer = tf.train.MomentumOptimizer(0.2, 0.5)
    with tf.control_dependencies(model.get_updates_for(features)):
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)


def records(path):
    """The pairs of numbers as TFRecords, every fourth in a batch of eight."""
    x_values, y_values = (t.reshape(8, 4).T.ravel() for t in (X, Y))
    with tf.python_io.TFRecordWriter(path) as writer:
        for x, y in zip(x_values, y_values, strict=True):
            example = tf.train.Example()
            for name, value in ("x", x), ("y", y):
                example.features.feature[name].float_list.value.append(value)
            writer.write(example.SerializeToString())
    return path


def input_fn_of(path, epochs):
    def parser(record):
        spec = {name: tf.FixedLenFeature([1], tf.float32) for name in "xy"}
        found = tf.parse_single_example(record, spec)
        return found["x"], found["y"]

    def input_fn():
        dataset = tf.data.TFRecordDataset(path)
        return dataset.repeat(epochs).map(parser).batch(8)

    return input_fn


@pytest.fixture
def estimator(tmp_path):
    params = {"hyperparameters": tf.contrib.training.HParams(units=1)}
    return tf.estimator.Estimator(model_fn, str(tmp_path / "model"), params=params)


def test_r01_r03_a_model_function_around_a_keras_model(estimator, tmp_path):
    path = records(str(tmp_path / "data"))
    estimator.train(input_fn_of(path, 20))
    found = estimator.evaluate(input_fn_of(path, 1))
    assert found["global_step"] == 80 and found["loss"] < 0.3
    mean = estimator.get_variable_value("line/batch_normalization/moving_mean")
    assert mean != 0  # get_updates_for came before the step
    assert estimator.params["hyperparameters"].units == 1


def test_r02_modes_and_specs(program):
    assert (MODES.TRAIN, MODES.EVAL, MODES.PREDICT) == ("train", "eval", "infer")
    with tf.Graph().as_default():
        loss, op = tf.constant([1.0]), tf.no_op()
        spec = tf.estimator.EstimatorSpec(mode=MODES.TRAIN, loss=loss, train_op=op)
        assert spec.loss.shape == () and spec.predictions == {}
        assert (
            spec.train_op is op and spec._replace(loss=tf.constant(2.0)).train_op is op
        )
        for mode, given, text in [
            (MODES.TRAIN, {"loss": loss}, "Missing train_op"),
            (MODES.EVAL, {}, "Missing loss"),
            (MODES.PREDICT, {}, "Missing predictions"),
            (MODES.EVAL, {"loss": tf.zeros([2])}, "Loss must be scalar"),
        ]:
            with pytest.raises(ValueError, match=text):
                tf.estimator.EstimatorSpec(mode=mode, **given)


def test_r04_train_evaluate_predict_and_what_the_folder_holds(estimator, tmp_path):
    path = records(str(tmp_path / "data"))
    estimator.train(input_fn_of(path, None), steps=6)
    assert estimator.train(input_fn_of(path, None), max_steps=10) is estimator
    found = estimator.evaluate(input_fn_of(path, 1))
    assert set(found) == {"loss", "error", "global_step"}
    rows = np.array(list(estimator.predict(input_fn_of(path, 1))))
    wanted = Y.reshape(8, 4).T.reshape(32, 1)
    np.testing.assert_allclose(np.abs(rows - wanted).mean(), found["error"], rtol=1e-5)
    folder = estimator.model_dir
    names = {name for name in os.listdir(folder) if "tfevents" not in name}
    kept = {
        f"model.ckpt-{n}.{end}"
        for n in (0, 6, 10)
        for end in ("index", "meta", "data-00000-of-00001")
    }
    assert names == {"checkpoint", "graph.pbtxt", "eval", *kept}
    assert all("tfevents" in n for n in os.listdir(os.path.join(folder, "eval")))
    assert tf.train.latest_checkpoint(folder) == os.path.join(folder, "model.ckpt-10")


# ------------------------------------------------------------------ TPUs
def tpu_model_fn(features, labels, mode, params):
    assert params["batch_size"] == 8
    w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    found = tf.matmul(features, w) + b
    if mode == MODES.PREDICT:
        return tpu.TPUEstimatorSpec(mode, predictions={"found": found})
    loss = tf.losses.mean_squared_error(labels, found)
    optimizer = tf.train.GradientDescentOptimizer(0.2)
    if params["use_tpu"]:
        optimizer = tpu.CrossShardOptimizer(optimizer)
    return tpu.TPUEstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, tf.train.get_global_step()),
        eval_metrics=(_metrics, [labels, found]),
    )  # fmt: skip


def _metrics(labels, found):
    return {"error": tf.metrics.mean_absolute_error(labels, found)}


def tpu_input_fn(params):
    data = tf.data.Dataset.from_tensor_slices((X, Y)).repeat()
    return data.apply(tf.contrib.data.batch_and_drop_remainder(params["batch_size"]))


def tpu_trained(folder, use_tpu, shards):
    config = tpu.RunConfig(
        model_dir=str(folder),
        tpu_config=tpu.TPUConfig(iterations_per_loop=2, num_shards=shards),
    )
    estimator = tpu.TPUEstimator(
        tpu_model_fn, config=config, use_tpu=use_tpu, params={"use_tpu": use_tpu},
        train_batch_size=8, eval_batch_size=8, predict_batch_size=8,
    )  # fmt: skip
    estimator.train(tpu_input_fn, steps=12)
    values = [estimator.get_variable_value(name).item() for name in "wb"]
    return estimator, values


def reference():
    """w and b after twelve steps by hand."""
    w = b = 0.0
    for i in range(12):
        rows = slice(i * 8 % 32, i * 8 % 32 + 8)
        error = w * X[rows] + b - Y[rows]
        w -= 0.2 * float((2 * error * X[rows]).mean())
        b -= 0.2 * float((2 * error).mean())
    return w, b


@pytest.mark.parametrize("use_tpu, shards", [(True, 1), (True, 4), (False, None)])
def test_r05_r07_three_steps_make_a_tpu_estimator(tmp_path, use_tpu, shards):
    estimator, values = tpu_trained(tmp_path, use_tpu, shards)
    np.testing.assert_allclose(values, reference(), rtol=1e-5)
    found = estimator.evaluate(tpu_input_fn, steps=2)
    assert set(found) == {"loss", "error", "global_step"}
    rows = estimator.predict(tpu_input_fn)
    w, b = values
    np.testing.assert_allclose(next(rows)["found"], w * X[0] + b, rtol=1e-5)
    rows.close()


def test_r06_a_keras_model_for_a_tpu(program):
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(1, kernel_initializer="zeros", input_shape=(1,))]
    )
    rate = tf.train.GradientDescentOptimizer(0.2)
    model.compile(rate, "mse", metrics=["mae"])
    made = tpu.keras_to_tpu_model(model, tpu.TPUDistributionStrategy())
    made.fit(X, Y, batch_size=8, epochs=3, shuffle=False, verbose=0)
    values = [w.item() for w in made.sync_to_cpu().get_weights()]
    np.testing.assert_allclose(values, reference(), rtol=1e-5)
    assert made.evaluate(X, Y, verbose=0) == model.evaluate(X, Y, verbose=0)
    with pytest.raises(ValueError, match="takes functional and Sequential models"):
        tpu.keras_to_tpu_model(Line(1))


def test_r05_a_program_of_a_process(program, tmp_path):
    """A script, switched by one line."""
    switch = "tf.enable_eager_execution()" if program == "eager" else ""
    found = process(f"""
        import numpy as np
        import twinflow as tf
        {switch}
        tpu = tf.contrib.tpu

        def model_fn(features, labels, mode, params):
            w = tf.get_variable("w", initializer=[0.0, 0.0])
            loss = tf.reduce_mean((features - w) ** 2)
            optimizer = tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.5))
            op = optimizer.minimize(loss, tf.train.get_global_step())
            return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=op)

        def input_fn(params):
            data = tf.data.Dataset.from_tensors(np.float32([3, 5]))
            return data.repeat().batch(params["batch_size"], drop_remainder=True)

        config = tpu.RunConfig(tpu_config=tpu.TPUConfig(num_shards=2))
        e = tpu.TPUEstimator(
            model_fn, {str(tmp_path)!r}, config, {{}}, train_batch_size=4
        )
        e.train(input_fn, steps=1)
        print(e.get_variable_value("w"))
    """)
    assert found == "[1.5 2.5]\n"

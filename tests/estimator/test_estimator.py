"""Estimators: training, evaluation, prediction, and what their folder holds."""

import os

import numpy as np
import pytest

import twinflow as tf

X = np.linspace(-1, 1, 64, dtype=np.float32).reshape(64, 1)
Y = 3 * X + 2
TRAIN, PREDICT = tf.estimator.ModeKeys.TRAIN, tf.estimator.ModeKeys.PREDICT


def model_fn(features, labels, mode, params):
    zeros = tf.zeros_initializer()
    w = tf.get_variable("w", [1, 1], initializer=zeros)
    b = tf.get_variable("b", [1], initializer=zeros)
    p = tf.matmul(features["x"], w) + b
    if mode == PREDICT:
        return tf.estimator.EstimatorSpec(
            mode, predictions={"p": p, "x": features["x"]}
        )
    loss = tf.losses.mean_squared_error(labels, p)
    optimizer = tf.train.GradientDescentOptimizer(params["rate"])
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, tf.train.get_global_step()),
        eval_metric_ops={"mae": tf.metrics.mean_absolute_error(labels, p)},
    )  # fmt: skip


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(4).batch(16)


@pytest.fixture
def estimator(tmp_path):
    config = tf.estimator.RunConfig(save_checkpoints_steps=10)
    yield tf.estimator.Estimator(model_fn, str(tmp_path), config, {"rate": 0.3})
    tf.summary.FileWriterCache.clear()


def reference(steps):
    """w and b after so many steps of gradient descent, in NumPy."""
    w = b = 0.0
    for i in range(steps):
        rows = slice(i * 16 % 64, i * 16 % 64 + 16)
        error = w * X[rows] + b - Y[rows]
        w -= 0.3 * float((2 * error * X[rows]).mean())
        b -= 0.3 * float((2 * error).mean())
    return w, b


def test_training_ends_with_the_input_and_goes_on(estimator):
    estimator.train(input_fn)
    assert int(estimator.get_variable_value("global_step")) == 16
    found = [float(estimator.get_variable_value(name).ravel()[0]) for name in "wb"]
    np.testing.assert_allclose(found, reference(16), rtol=1e-5)
    estimator.train(input_fn, steps=4)
    assert int(estimator.get_variable_value("global_step")) == 20
    estimator.train(input_fn, max_steps=20)
    assert int(estimator.get_variable_value("global_step")) == 20
    assert sorted(estimator.get_variable_names()) == ["b", "global_step", "w"]


def test_the_folder_holds_what_tensorflow_puts_there(estimator):
    estimator.train(input_fn, steps=12)
    estimator.evaluate(input_fn, steps=1)
    names = {name.partition("-")[0] for name in os.listdir(estimator.model_dir)}
    events = {name for name in names if name.startswith("events")}
    assert names - events == {"checkpoint", "graph.pbtxt", "model.ckpt", "eval"}
    state = tf.train.get_checkpoint_state(estimator.model_dir)
    paths = [os.path.basename(path) for path in state.all_model_checkpoint_paths]
    assert paths == ["model.ckpt-0", "model.ckpt-10", "model.ckpt-12"]
    (path,) = os.listdir(estimator.eval_dir())
    events = tf.train.summary_iterator(os.path.join(estimator.eval_dir(), path))
    tags = {v.tag: e.step for e in events for v in e.summary.value}
    assert tags == {"mae": 12, "loss": 12, "checkpoint_path": 12}


def test_evaluation_and_prediction(estimator):
    estimator.train(input_fn)
    w, b = reference(16)
    found = estimator.evaluate(input_fn, steps=2, name="half")
    error = np.abs(w * X[:32] + b - Y[:32])
    np.testing.assert_allclose(found["mae"], error.mean(), rtol=1e-3)
    np.testing.assert_allclose(found["loss"], (error**2).mean(), rtol=1e-3)
    assert found["global_step"] == 16 and os.path.isdir(estimator.eval_dir("half"))
    inputs = tf.estimator.inputs.numpy_input_fn({"x": X[:3]}, shuffle=False)
    rows = list(estimator.predict(inputs, predict_keys=["p"]))
    np.testing.assert_allclose([row["p"] for row in rows], w * X[:3] + b, rtol=1e-5)
    (batch,) = estimator.predict(inputs, yield_single_examples=False)
    assert batch["x"].shape == (3, 1)


def test_train_and_evaluate(estimator):
    train = tf.estimator.TrainSpec(input_fn, max_steps=15)
    found, exported = tf.estimator.train_and_evaluate(
        estimator, train, tf.estimator.EvalSpec(input_fn, steps=1, throttle_secs=0)
    )
    assert found["global_step"] == 15 and exported == []
    (path,) = os.listdir(estimator.eval_dir())
    events = tf.train.summary_iterator(os.path.join(estimator.eval_dir(), path))
    steps = sorted({e.step for e in events for v in e.summary.value})
    assert steps == [10, 15]


def test_it_works_in_a_program_that_runs_eagerly(estimator, eager):
    estimator.train(input_fn, steps=2)
    assert estimator.evaluate(input_fn, steps=1)["global_step"] == 2


def test_a_warm_start_takes_the_variables_of_a_checkpoint(estimator, tmp_path):
    estimator.train(input_fn)
    other = tf.estimator.Estimator(
        model_fn, str(tmp_path / "other"), params={"rate": 0.0},
        warm_start_from=estimator.model_dir,
    ).train(input_fn, steps=1)  # fmt: skip
    for name in "wb":
        np.testing.assert_array_equal(
            other.get_variable_value(name), estimator.get_variable_value(name)
        )
    assert int(other.get_variable_value("global_step")) == 1


@pytest.mark.parametrize("call, error, text", [
    (lambda e: e.train(input_fn, steps=1, max_steps=2), ValueError,
     "Can not provide both steps and max_steps"),
    (lambda e: e.train(input_fn, steps=0), ValueError, "Must specify steps > 0"),
    (lambda e: e.train(lambda: (1, 2, 3)), ValueError, "as a len 2 tuple"),
    (lambda e: e.train(input_fn, hooks=[1]), TypeError, "must be a SessionRunHook"),
    (lambda e: list(e.predict(input_fn, predict_keys=["z"])), ValueError,
     "Expected to run at least one output"),
    (lambda e: tf.estimator.Estimator(None), ValueError, "model_fn must be provided"),
    (lambda e: tf.estimator.Estimator(lambda labels: 1), ValueError,
     "must include features argument"),
    (lambda e: tf.estimator.Estimator(lambda features: 1, params={"a": 1}), ValueError,
     "does not include params argument"),
    (lambda e: tf.estimator.EstimatorSpec(TRAIN, loss=1.0), ValueError,
     "Missing train_op"),
    (lambda e: e.config.replace(save_checkpoints_steps=1, save_checkpoints_secs=2),
     ValueError, "cannot be both set"),
    (lambda e: e.config.replace(tf_random_seed="a"), ValueError, "must be integer"),
    (lambda e: e.config.replace(session_config=3), ValueError,
     "must be instance of ConfigProto"),
    (lambda e: e.config.replace(log_step_count_steps=0), ValueError,
     "log_step_count_steps should be > 0"),
    (lambda e: e.config.replace(device_fn=lambda x: ""), ValueError,
     'exactly one argument "op"'),
    (lambda e: e.train(input_fn, saving_listeners=[3]), TypeError,
     "must be a list of CheckpointSaverListener, given: 3"),
    (lambda e: tf.estimator.TrainSpec(input_fn, hooks=[3]), TypeError,
     "All hooks must be `SessionRunHook` instances, given: 3"),
    (lambda e: tf.estimator.EvalSpec(input_fn, exporters=3), TypeError,
     "`exporters` must be an Exporter.*found 3"),
    (lambda e: e.get_variable_names(), ValueError,
     "Could not find trained model in model_dir: "),
    (lambda e: tf.estimator.inputs.numpy_input_fn({"x": X}), ValueError,
     "shuffle must be provided"),
    (lambda e: tf.estimator.train_and_evaluate(e, 1, 2), TypeError, "eval_spec"),
])  # fmt: skip
def test_what_does_not_do_is_said(estimator, call, error, text):
    with pytest.raises(error, match=text):
        call(estimator)


def test_numpy_inputs_are_shuffled_and_repeated():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        inputs = tf.estimator.inputs.numpy_input_fn(
            np.arange(5), np.arange(5), batch_size=4, num_epochs=2, shuffle=True
        )
        x, y = inputs()
        rows = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found = sess.run([x, y])
                np.testing.assert_array_equal(*found)
                rows.extend(found[0].tolist())
    assert sorted(rows) == sorted([*range(5)] * 2) and rows != [*range(5)] * 2


def serving():
    spec = {"x": tf.FixedLenFeature([1], tf.float32)}
    return tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)()


def served(folder, x):
    """What the model of a folder predicts for a number."""
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.append(x)
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], folder)
        signature = meta.signature_def["serving_default"]
        feeds = {signature.inputs["examples"].name: [example.SerializeToString()]}
        return sess.run(signature.outputs["p"].name, feeds).item()


def test_a_trained_model_is_exported_and_served(estimator, tmp_path):
    estimator.train(input_fn)
    (tmp_path / "note").write_text("hello")
    folder = estimator.export_savedmodel(
        str(tmp_path / "out"), serving, {"note.txt": str(tmp_path / "note")}
    ).decode()
    w, b = reference(16)
    np.testing.assert_allclose(served(folder, 0.5), w * 0.5 + b, rtol=1e-5)
    assert os.listdir(os.path.join(folder, "assets.extra")) == ["note.txt"]
    raw = tf.estimator.export.build_raw_serving_input_receiver_fn
    with tf.Graph().as_default():
        x = {"x": tf.placeholder(tf.float32, [3, 1], name="x")}
        assert raw(x)().features["x"].shape.as_list() == [None, 1]


def test_exporters_write_the_best_the_last_and_the_final_model(estimator):
    exporters = [
        tf.estimator.BestExporter("best", serving),
        tf.estimator.LatestExporter("last", serving, exports_to_keep=1),
        tf.estimator.FinalExporter("final", serving),
    ]
    _, exported = tf.estimator.train_and_evaluate(
        estimator, tf.estimator.TrainSpec(input_fn, max_steps=15),
        tf.estimator.EvalSpec(
            input_fn, steps=1, throttle_secs=0, exporters=exporters
        ),
    )  # fmt: skip
    folder = os.path.join(estimator.model_dir, "export")
    counts = {name: len(os.listdir(os.path.join(folder, name)))
              for name in os.listdir(folder)}  # fmt: skip
    assert counts == {"best": 2, "last": 1, "final": 1}
    w, b = reference(15)
    np.testing.assert_allclose(served(exported[2].decode(), -1.0), b - w, rtol=1e-4)


def test_an_evaluation_writes_the_graph_arrays_and_its_checkpoint(tmp_path):
    """What TensorFlow 1.12 writes to eval/, in its order."""

    def with_array(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        pair = (tf.constant([1.0, 2.0]), tf.no_op())
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, "array": pair})

    estimator = tf.estimator.Estimator(
        with_array, str(tmp_path), params={"rate": 0.3}
    ).train(input_fn, steps=2)
    found = estimator.evaluate(input_fn)
    tf.summary.FileWriterCache.clear()
    assert list(found) == ["array", "loss", "mae", "global_step"]
    (path,) = os.listdir(estimator.eval_dir())
    events = list(tf.train.summary_iterator(os.path.join(estimator.eval_dir(), path)))
    assert [e.WhichOneof("what") for e in events] == [
        "file_version", "graph_def", "meta_graph_def", "summary", "summary"
    ]  # fmt: skip
    array, loss, mae = events[3].summary.value
    assert tf.make_ndarray(array.tensor).tolist() == [1, 2]
    assert loss.simple_value == found["loss"] and mae.simple_value == found["mae"]
    (where,) = events[4].summary.value
    wanted = os.path.join(str(tmp_path), "model.ckpt-2")
    assert where.tag == "checkpoint_path"
    assert where.tensor.string_val[0].decode() == wanted


def test_a_warm_start_is_evaluated_and_predicts_before_it_trains(estimator, tmp_path):
    estimator.train(input_fn)
    wanted = estimator.evaluate(input_fn)
    other = tf.estimator.Estimator(
        model_fn, str(tmp_path / "other"), params={"rate": 0.0},
        warm_start_from=estimator.model_dir,
    )  # fmt: skip
    found = other.evaluate(input_fn)
    assert found == {**wanted, "global_step": 0}
    rows = [next(iter(e.predict(input_fn)))["p"] for e in (estimator, other)]
    np.testing.assert_array_equal(*rows)


def test_a_failed_export_leaves_nothing(estimator, tmp_path):
    estimator.train(input_fn, steps=1)
    with pytest.raises(tf.errors.NotFoundError):
        estimator.export_savedmodel(str(tmp_path / "out"), serving, {"a": "nope"})
    assert os.listdir(tmp_path / "out") == []


def test_the_best_exporter_knows_the_results_of_former_programs(estimator):
    """A program that is started again does not take a worse model for the best."""

    def exported(rate, steps, **kwargs):
        estimator._params["rate"] = rate
        tf.summary.FileWriterCache.clear()
        exporter = tf.estimator.BestExporter("best", serving, **kwargs)
        _, (found,) = tf.estimator.train_and_evaluate(
            estimator, tf.estimator.TrainSpec(input_fn, max_steps=steps),
            tf.estimator.EvalSpec(
                input_fn, steps=None, throttle_secs=0, exporters=exporter
            ),
        )  # fmt: skip
        return found

    assert exported(0.3, 10) is not None
    assert exported(-0.3, 12) is None  # worse
    assert exported(-0.3, 14, event_file_pattern=None) is not None
    assert exported(0.4, 20, compare_fn=lambda best_eval_result, current_eval_result: (
        current_eval_result["mae"] < best_eval_result["mae"] + 100
    )) is not None  # fmt: skip


@pytest.mark.parametrize("kind, wanted", [
    ("ServingInputReceiver", dict), ("TensorServingInputReceiver", tf.Tensor)
])  # fmt: skip
def test_features_that_are_one_tensor_are_served(tmp_path, kind, wanted):
    """As in TensorFlow: a dict with the key "feature", or the tensor as it is."""
    seen = []

    def of_one(features, labels, mode):
        seen.append(features)
        x = features["feature"] if isinstance(features, dict) else features
        p = x * tf.get_variable("w", initializer=2.0)
        loss = None if labels is None else tf.reduce_mean(p)
        step = tf.assign_add(tf.train.get_global_step(), 1)
        return tf.estimator.EstimatorSpec(mode, p, loss, step)

    def receiver():
        x = tf.placeholder(tf.float32, [None, 1])
        return getattr(tf.estimator.export, kind)(x, x)

    estimator = tf.estimator.Estimator(of_one, str(tmp_path / "m"))
    estimator.train(lambda: tf.data.Dataset.from_tensors((X, Y)))
    folder = estimator.export_savedmodel(str(tmp_path / "out"), receiver).decode()
    assert isinstance(seen[-1], wanted)
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], folder)
        signature = meta.signature_def["serving_default"]
        feeds = {signature.inputs["input"].name: [[3.0]]}
        assert sess.run(signature.outputs["output"].name, feeds) == [[6.0]]

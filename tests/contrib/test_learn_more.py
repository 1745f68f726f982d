"""Further parts of tf.contrib.learn: heads, graphs, small models, batches of files."""

import numpy as np
import pytest

import twinflow as tf

learn = tf.contrib.learn


@pytest.mark.parametrize("mode", ["train", "eval", "infer"])
def test_multi_head(mode):
    with tf.Graph().as_default(), tf.Session() as session:
        head = learn.multi_head(
            [
                learn.regression_head("la", head_name="a"),
                learn.multi_class_head(3, "lb", head_name="b"),
            ],
            loss_weights=[1.0, 2.0],
        )
        logits = tf.constant(np.arange(8, dtype=np.float32).reshape(2, 4))
        labels = {"la": tf.constant([[1.0], [2.0]]), "lb": tf.constant([[0], [1]])}
        ops = head.create_model_fn_ops({}, mode, labels, learn.no_op_train_fn, logits)
        if mode == "infer":
            assert sorted(ops.output_alternatives) == ["a", "b"]
            return
        np.testing.assert_allclose(session.run(ops.loss), 6.315212, rtol=1e-6)
        if mode == "eval":
            assert "accuracy/b" in ops.eval_metric_ops
            assert ("a", "scores") in ops.predictions
        else:
            session.run(ops.train_op)


def test_unnamed_heads():
    with pytest.raises(ValueError, match="must have names"):
        learn.multi_head([learn.regression_head()])
    with pytest.raises(ValueError, match="must have same size"):
        learn.multi_head([learn.regression_head(head_name="a")], [1.0, 2.0])


def test_graph_actions(tmp_path):
    folder = str(tmp_path)
    actions = learn.graph_actions

    def weight():
        return tf.get_variable("w", [], initializer=tf.constant_initializer(5.0))

    dump = learn.monitors.GraphDump()
    with tf.Graph().as_default() as graph:
        step, w = tf.train.create_global_step(), weight()
        loss = w * w
        op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        last = actions.train(graph, folder, op, loss, steps=5, monitors=[dump])
        with pytest.raises(ValueError, match="both steps and max_steps"):
            actions.train(graph, folder, op, loss, steps=5, max_steps=3)
    np.testing.assert_allclose(last, 4.1943035, rtol=1e-6)
    alike, apart = dump.compare(dump, (1, 2))
    assert apart and len(alike) + len(apart) == len(dump.data[1])
    path = tf.train.latest_checkpoint(folder)
    with tf.Graph().as_default() as graph:
        step, w = tf.train.create_global_step(), weight()
        found, at = actions.evaluate(graph, folder, path, {"w": w})
        assert at == 5
        np.testing.assert_allclose(found["w"], 1.6383998, rtol=1e-6)
        np.testing.assert_allclose(learn.infer(path, {"w": w})["w"], 1.6383998)
        x = tf.placeholder(tf.float32)
        runs = learn.run_feeds({"y": x * 2}, [{x: 1.0}, {x: 2.0}])
        assert [run["y"] for run in runs] == [2, 4]
        assert len(learn.run_n({"w": w}, n=3)) == 3


def test_small_models():
    models, ops = learn.models, learn.ops
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    with tf.Graph().as_default(), tf.Session() as session:
        found = models.linear_regression_zero_init(x, [[1.0], [2.0], [3.0]])
        classes = models.logistic_regression_zero_init(x, np.eye(3, dtype=np.float32))
        names = [v.name for v in tf.global_variables()]
        weighted = ops.softmax_classifier(
            tf.constant(x), np.eye(3, dtype=np.float32), tf.ones([2, 3]),
            tf.constant([0.0, 1, 2]), class_weight=tf.constant([1.0, 2, 3]),
        )  # fmt: skip
        _, decoder, wanted = ops.seq2seq_inputs(
            tf.ones([2, 3, 4]), 2 * tf.ones([2, 2, 4]), 3, 2
        )
        cell = tf.nn.rnn_cell.BasicRNNCell(4)
        outputs = ops.rnn_seq2seq(decoder, decoder, cell)
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(found[1]), 4.666667, rtol=1e-6)
        np.testing.assert_allclose(session.run(classes[1]), 1.0986123, rtol=1e-6)
        np.testing.assert_allclose(session.run(weighted[1]), 5.669058, rtol=1e-5)
        assert session.run([decoder[0], wanted[-1]])[1].sum() == 0
        assert [len(part) for part in outputs] == [3, 4, 3, 4]
    assert names[:2] == ["linear_regression/weights:0", "linear_regression/bias:0"]


@pytest.mark.parametrize("random", [False, True])
def test_reading(tmp_path, random):
    path = str(tmp_path / "data.tfrecord")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(5):
            numbers = tf.train.Int64List(value=[i])
            feature = {"a": tf.train.Feature(int64_list=numbers)}
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())
    with tf.Graph().as_default():
        found = learn.read_batch_record_features(
            path, 2, {"a": tf.FixedLenFeature([], tf.int64)}, random, num_epochs=1
        )
        rows = []
        with tf.train.MonitoredSession() as session:
            while not session.should_stop():
                rows += session.run(found["a"]).tolist()
    assert sorted(rows) == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="No files match"):
        learn.read_batch_record_features(path + "-none", 2, {})


def test_generators():
    def rows():
        for i in range(4):
            yield {"x": np.float32([i]), "y": np.int64(i % 2)}

    with tf.Graph().as_default():
        input_fn = learn.io.generator_input_fn(rows, "y", 2, shuffle=False)
        features, labels = input_fn()
        with tf.train.MonitoredSession() as session:
            x, y = session.run([features["x"], labels])
    assert x.tolist() == [[0], [1]] and y.tolist() == [0, 1]
    with pytest.raises(TypeError, match="x must be generator function; got int"):
        learn.io.generator_input_fn(3)


def test_k_means():
    rng = np.random.RandomState(0)
    points = np.concatenate([rng.randn(20, 2), rng.randn(20, 2) + 6]).astype("f")
    model = learn.KMeansClustering(
        2, initial_clusters=points[[0, 30]], use_mini_batch=False
    )

    def input_fn():
        return tf.constant(points), None

    model.fit(input_fn=input_fn, steps=5)
    means = points[:20].mean(0), points[20:].mean(0)
    np.testing.assert_allclose(model.clusters(), means, atol=1e-4)
    assert list(model.predict_cluster_idx(input_fn=input_fn))[18:22] == [0, 0, 1, 1]
    assert model.transform(input_fn=input_fn).shape == (40, 2)


def test_distribution_head():
    def normal(logits):
        return tf.distributions.Normal(logits[:, 0], tf.exp(logits[:, 1]))

    logits, labels = np.float32([[0, -1], [1, 0.5]]), np.float32([[-1], [0]])
    with tf.Graph().as_default(), tf.Session() as session:
        head = tf.contrib.distributions.estimator_head_distribution_regression(
            normal, logits_dimension=2
        )
        given = tf.constant(logits)
        ops = head.create_model_fn_ops({}, "eval", labels, None, given)
        loss, scores = session.run([ops.loss, ops.predictions["scores"]])
        assert len(head.distributions) == 1
    z = (labels[:, 0] - logits[:, 0]) / np.exp(logits[:, 1])
    wanted = 0.5 * (z**2 + np.log(2 * np.pi)) + logits[:, 1]
    np.testing.assert_allclose(loss, wanted.mean(), rtol=1e-6)
    assert scores.tolist() == [0, 1]

"""Metrics of single classes beside NumPy, and learning rates of embeddings."""

import numpy as np
import pytest

import twinflow as tf

learn, layers = tf.contrib.learn, tf.contrib.layers
LOGITS = np.array(
    [[1.0, -1.0, 0.0], [0.5, 2.0, -3.0], [-1.0, 0.2, 0.3], [0, 1, 2]], "f"
)
WEIGHTS = np.array([[1.0], [2.0], [0.5], [3.0]], "f")


def evaluated(head, labels):
    """{metric: its value} of LOGITS, weighted."""
    with tf.Graph().as_default(), tf.Session() as session:
        ops = head.create_model_fn_ops(
            {"w": tf.constant(WEIGHTS)}, "eval", labels(), None, tf.constant(LOGITS)
        )
        session.run([tf.local_variables_initializer(), tf.tables_initializer()])
        session.run([update for _, update in ops.eval_metric_ops.values()])
        return session.run({k: v for k, (v, _) in ops.eval_metric_ops.items()})


def area(labels, shares, weights, curve):
    """What tf.metrics.auc, which has tests of its own, gives of these."""
    with tf.Graph().as_default(), tf.Session() as session:
        _, update = tf.metrics.auc(labels, shares, weights, curve=curve)
        session.run(tf.local_variables_initializer())
        return session.run(update)


def test_metrics_of_one_class_of_several():
    head = learn.multi_class_head(3, None, "w", metric_class_ids=[0, 2])
    found = evaluated(head, lambda: tf.constant([[0], [1], [2], [0]]))
    e = np.exp(LOGITS)
    shares, w = e / e.sum(1, keepdims=True), WEIGHTS[:, 0]
    picked = LOGITS.argmax(1)
    for i in (0, 2):
        wanted = {
            "actual_label_mean": np.array([0, 1, 2, 0]) == i,
            "prediction_mean": picked == i,
            "probability_mean": shares[:, i],
            "logits_mean": LOGITS[:, i],
        }
        for name, values in wanted.items():
            mean = (values * w).sum() / w.sum()
            np.testing.assert_allclose(
                found[f"labels/{name}/class{i}"], mean, rtol=1e-5, err_msg=name
            )
    assert not [name for name in found if name.endswith("class1")]


@pytest.mark.parametrize("sparse", [False, True], ids=["indicators", "sparse"])
def test_metrics_where_an_example_has_several_classes(sparse):
    dense = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, 1]], "f")
    rows = [[0, 0], [1, 0], [1, 1], [2, 0], [3, 0]]

    def labels():
        if not sparse:
            return tf.constant(dense)
        return tf.SparseTensor(rows, tf.constant([0, 0, 1, 2, 2], tf.int64), [4, 2])

    head = learn.multi_label_head(3, None, "w", metric_class_ids=[1])
    found = evaluated(head, labels)
    w = WEIGHTS[:, 0]
    mean = lambda values: (values * w).sum() / w.sum()
    np.testing.assert_allclose(
        found["labels/actual_label_mean/class1"], mean(dense[:, 1])
    )
    np.testing.assert_allclose(
        found["labels/prediction_mean/class1"], mean(LOGITS[:, 1] > 0), rtol=1e-6
    )
    right = (LOGITS > 0) == dense  # 0 is not above 0, as in TensorFlow
    np.testing.assert_allclose(found["accuracy"], mean(right.mean(1)), rtol=1e-6)
    shares = 1 / (1 + np.exp(-LOGITS))
    for key, curve in (("auc", "ROC"), ("auc_precision_recall", "PR")):
        whole = area(dense, shares, np.repeat(WEIGHTS, 3, 1), curve)
        one = area(dense[:, 1], shares[:, 1], w, curve)
        np.testing.assert_allclose(found[key], whole, rtol=1e-6)
        np.testing.assert_allclose(found[f"{key}/class1"], one, rtol=1e-6)
    assert whole != one != 1 / 2


def test_classes_that_are_none():
    with pytest.raises(ValueError, match="invalid for n_classes==2"):
        learn.multi_class_head(2, metric_class_ids=[1])
    for head in (learn.multi_class_head, learn.multi_label_head):
        with pytest.raises(ValueError, match=r"Class ID 3 not in \[0, 3\)"):
            head(3, metric_class_ids=[3])


def trained(tmp_path, kind, multipliers):
    """The embedding after some steps with factors of its learning rate."""
    ids = np.arange(8) % 4
    column = layers.embedding_column(
        layers.sparse_column_with_integerized_feature("id", 4), 2,
        initializer=tf.constant_initializer(0.1),
    )  # fmt: skip
    x = layers.real_valued_column("x", 1)
    factors = {{"column": column, "x": x}[k]: f for k, f in multipliers.items()}
    options = {
        "embedding_lr_multipliers": factors, "model_dir": str(tmp_path),
        "config": learn.RunConfig(tf_random_seed=3),
    }  # fmt: skip
    descent = tf.train.GradientDescentOptimizer(0.1)
    if kind == "deep":
        model = learn.DNNClassifier([3], [column, x], optimizer=descent, **options)
    else:
        model = learn.DNNLinearCombinedRegressor(
            dnn_feature_columns=[column, x], linear_feature_columns=[x],
            dnn_hidden_units=[3], dnn_optimizer=descent, **options,
        )  # fmt: skip

    def data():
        rows = [[i, 0] for i in range(8)]
        given = tf.SparseTensor(rows, tf.constant(ids, tf.int64), [8, 1])
        features = {"id": given, "x": tf.constant(ids[:, None] * 1.0)}
        return features, tf.constant((ids > 1)[:, None].astype("int32"))

    model.fit(input_fn=data, steps=4)
    (name,) = [n for n in model.get_variable_names() if n.endswith("embedding/weights")]
    return model.get_variable_value(name)


@pytest.mark.parametrize("kind", ["deep", "combined"])
def test_learning_rates_of_embeddings(tmp_path, kind):
    plain = trained(tmp_path / "plain", kind, {})
    still = trained(tmp_path / "still", kind, {"column": 0.0})
    fast = trained(tmp_path / "fast", kind, {"column": 5.0})
    np.testing.assert_array_equal(still, np.full([4, 2], 0.1, "f"))
    moved, further = (np.abs(v - 0.1).max() for v in (plain, fast))
    assert 0 < 2 * moved < further


def test_learning_rates_of_what_is_no_embedding(tmp_path):
    with pytest.raises(ValueError, match="only be defined for embedding columns"):
        trained(tmp_path, "deep", {"x": 2.0})

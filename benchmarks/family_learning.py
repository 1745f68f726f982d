"""Families of tf.contrib: models that learn by rules of their own."""

import importlib

import numpy as np

from benchmarks.family_tools import row


def _module(name):
    return importlib.import_module("tensorflow.contrib." + name)


# -------------------------------------------------------------------- factorization
@row("k-means step", eager=False)
def _clusters(t):
    clusters = t.tf.contrib.factorization.KMeans(
        [t.normal(t.many(2000), 16)], 10, use_mini_batch=False, random_seed=1,
        initial_clusters=t.random.randn(10, 16).astype(np.float32),
    )  # fmt: skip
    _, _, scores, _, start, train = clusters.training_graph()
    t.first += [start]
    return lambda: [getattr(train, "op", train), scores[0]]


@row("GMM step", eager=False)
def _mixture(t):
    factory = _module("factorization.python.ops.gmm_ops").gmm
    loss, _, _, train, start, _ = factory(
        t.normal(t.many(1000), 8), t.random.randn(5, 8).astype(np.float32), 5, 1
    )
    t.first += [start]
    return lambda: [train, loss]


@row("WALS sweep", eager=False)
def _factors(t):
    tf, model_of = t.tf, t.tf.contrib.factorization.WALSModel
    at = np.argwhere(t.random.rand(200, 100) < 0.1)
    entries = tf.SparseTensor(
        at.astype(np.int64), t.random.rand(len(at)).astype(np.float32), [200, 100]
    )
    model = model_of(
        200, 100, 8, unobserved_weight=0.1, regularization=0.01,
        row_init=t.random.randn(200, 8).astype(np.float32),
        col_init=t.random.randn(100, 8).astype(np.float32),
        row_weights=None, col_weights=None,
    )  # fmt: skip
    t.first += [model.initialize_op, model.worker_init]
    t.first += [model.row_update_prep_gramian_op, model.initialize_row_update_op]
    return lambda: model.update_row_factors(sp_input=entries)[1:3]


@row("SDCA step", eager=False)
def _dual(t):
    tf = t.tf
    ops = importlib.import_module(
        "tensorflow.contrib.linear_optimizer.python.ops.sdca_ops"
    )
    n = t.many(500)
    dense = t.random.randn(n, 20).astype(np.float32)
    examples = {
        "sparse_features": [], "dense_features": [tf.constant(dense)],
        "example_weights": [1.0] * n,
        "example_labels": (dense[:, 0] > 0).astype(np.float32).tolist(),
        "example_ids": [str(i) for i in range(n)],
    }  # fmt: skip
    weights = tf.Variable(tf.zeros([20]))
    variables = {"sparse_features_weights": [], "dense_features_weights": [weights]}
    options = {
        "symmetric_l2_regularization": 1.0, "symmetric_l1_regularization": 0.0,
        "num_table_shards": 1, "loss_type": "logistic_loss",
    }  # fmt: skip
    model = ops.SdcaModel(examples, variables, options)
    train = model.minimize()

    def step():
        with tf.control_dependencies([model.update_weights(train)]):
            return tf.identity(weights)

    return step


# ---------------------------------------------------------------- series and forests
@row("timeseries ARModel step", eager=False)
def _series(t):
    tf, series = t.tf, t.tf.contrib.timeseries
    model = series.ARModel(
        periodicities=10, input_window_size=7, output_window_size=3, num_features=1
    )
    times = np.arange(10)[None] + np.arange(32)[:, None]
    values = (np.sin(times) + 0.1 * t.random.randn(32, 10))[..., None]
    model.initialize_graph()
    features = {
        series.TrainEvalFeatures.TIMES: t.given(times, tf.int64),
        series.TrainEvalFeatures.VALUES: t.given(values.astype(np.float32)),
    }
    loss = model.define_loss(features, tf.estimator.ModeKeys.TRAIN).loss
    step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    return lambda: [step, loss]


@row("tensor_forest training", eager=False, called=True)
def _forest(t):
    forest = t.tf.contrib.tensor_forest.python.tensor_forest
    estimator_of = t.tf.contrib.tensor_forest.client.random_forest.TensorForestEstimator
    x = t.random.rand(200, 4).astype(np.float32)
    y = (x[:, 0] + x[:, 1] > 1).astype(np.int32)
    hparams = forest.ForestHParams(
        num_classes=2, num_features=4, num_trees=3, max_nodes=50,
        split_after_samples=20,
    ).fill()  # fmt: skip
    inputs = t.tf.estimator.inputs.numpy_input_fn(
        {"x": x}, y, batch_size=50, num_epochs=2, shuffle=False
    )

    def train():
        estimator_of(hparams).fit(input_fn=inputs)
        return []

    return train


@row("cluster_loss, gradient")
def _grouped(t):
    ops = _module("losses.python.metric_learning.metric_loss_ops")
    ops.HAS_SKLEARN = True  # this margin needs none, and yet it is asked for
    labels = t.given(t.random.randint(0, 4, (24, 1)).astype(np.int64))
    loss, x = t.tf.contrib.losses.metric_learning.cluster_loss, t.random.randn(24, 8)
    x = (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32)
    return t.slopes(lambda x: loss(labels, x, 1.0, True, "const"), t.given(x))

"""tf.contrib.linear_optimizer: what TensorFlow 1.12 finds, and the C loop in Python."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.ops.variables import sdca

L = tf.contrib.linear_optimizer
N = 40
RNG = np.random.RandomState(0)
X = RNG.randn(N, 3).astype(np.float32)
IDS = RNG.randint(0, 6, N)
SCORES = X @ [1, -2, 0.5] + 0.3 * (IDS == 2)
LOSSES = [
    "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"
]  # fmt: skip


def labels(loss):
    if loss == "squared_loss":
        return SCORES.astype(np.float32)
    counts = np.round(np.exp(SCORES / 2)) if loss[0] == "p" else SCORES > 0
    return counts.astype(np.float32)


def a_pass(loss, state, dense, **options):
    at, one = np.arange(N), np.ones(N, np.float32)
    numbers = {"l1": 0.1, "l2": 1.0, "num_loss_partitions": 1}
    return sdca.sdca_optimizer(
        [at], [IDS], [2 * one], [X], one, labels(loss), [np.arange(6)],
        [np.zeros(6, np.float32)], [dense], state, loss, **numbers,
        num_inner_iterations=1, **options,
    )  # fmt: skip


@pytest.mark.parametrize("loss", LOSSES)
def test_pass(loss, monkeypatch):
    state, dense = np.zeros((N, 4), np.float32), np.zeros(3, np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(a_pass(loss, state, dense))
        monkeypatch.setattr(sdca, "_fast", None)
        again = session.run(a_pass(loss, state, dense, name="again"))
    for a, b in zip(found, again, strict=True):
        np.testing.assert_allclose(a[0], b[0], rtol=1e-4, atol=1e-5)
    assert np.abs(found.out_delta_dense_weights[0]).max() > 0.1


@pytest.mark.parametrize("adaptative", [False, True])
def test_both_modes(adaptative):
    state, dense = np.zeros((N, 4), np.float32), np.zeros(3, np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        options = {"adaptative": adaptative}
        later = session.run(a_pass("squared_loss", state, dense, **options))
    traced = tf.contrib.eager.defun(
        lambda: a_pass("squared_loss", state, dense, **options)[0]
    )
    with tf.Graph().as_default(), tf.Session() as session:
        np.testing.assert_array_equal(session.run(traced()), later[0])
    assert np.count_nonzero(later.out_example_state_data[:, 0]) > N / 3


EXPECTED = {  # loss, with regularisation; the dense weights after 60 passes of 1.12
    "logistic_loss": (0.156, 0.267, [1.19, -2.59, 0.44]),
    "smooth_hinge_loss": (0.138, 0.188, [0.69, -1.62, 0.38]),
}


@pytest.mark.parametrize("loss", EXPECTED)
def test_model(loss):
    rng = np.random.RandomState(0)
    x, ids = rng.randn(N, 3).astype(np.float32), rng.randint(0, 6, N)
    y = (x @ [1, -2, 0.5] + 0.3 * (ids == 2) > 0).astype(np.float32)
    # The weights of examples that the numbers were made with, case by case.
    skip = 2 * LOSSES.index(loss) + 1
    weights = [1 + rng.rand(N) for _ in range(skip + 1)][-1].astype(np.float32)
    examples = {
        "dense_features": [x], "example_labels": y, "example_weights": weights,
        "example_ids": [f"e{i}" for i in range(N)],
    }  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        examples["sparse_features"] = [
            L.SparseFeatureColumn(np.arange(N), ids, np.ones(N, np.float32)),
            L.SparseFeatureColumn(np.arange(N), (ids + 1) % 6, 2 * np.ones(N, "f")),
        ]
        sparse = [tf.Variable(tf.zeros([6])) for _ in range(2)]
        dense = tf.Variable(tf.zeros([3]))
        model = L.SdcaModel(
            examples,
            {"sparse_features_weights": sparse, "dense_features_weights": [dense]},
            {
                "symmetric_l1_regularization": 0.5, "symmetric_l2_regularization": 1.0,
                "loss_type": loss, "num_table_shards": 3,
            },
        )  # fmt: skip
        train = model.minimize()
        update = model.update_weights(train)
        losses = model.unregularized_loss(examples), model.regularized_loss(examples)
        gap = model.approximate_duality_gap()
        session.run(tf.global_variables_initializer())
        for _ in range(60):
            session.run(train)
        session.run(update)
        found = session.run([*losses, dense])
        assert session.run(gap) < 0.01
        assert session.run(sparse[0]).tolist() == [0] * 6
    for a, b in zip(found, EXPECTED[loss], strict=True):
        np.testing.assert_allclose(a, b, atol=0.02)


def test_refusals():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="must all be specified"):
            L.SdcaModel({}, {}, {})
        with pytest.raises(ValueError, match="Unsupported loss_type"):
            L.SdcaModel({"a": 1}, {"a": 1}, {"loss_type": "a"})
        op = sdca.sdca_optimizer(
            [], [], [], [X[:1]], [1.0], [3.0], [], [], [np.zeros(3, np.float32)],
            np.zeros((1, 4), np.float32), "hinge_loss", 0, 1, 1, 1,
        )  # fmt: skip
        with (
            tf.Session() as session,
            pytest.raises(tf.errors.InvalidArgumentError, match="Only labels of 0"),
        ):
            session.run(op)


def test_fingerprints():
    texts = ["a", "ab" * 10, "x" * 200, "", "0123456789abcdef"]
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(tf.train.sdca_fprint(texts))
    assert found.tolist() == [
        [7969074168056553668, 5955762262185338209],
        [-2044243603504314256, 6604106716877226942],
        [3241542516515520948, 5611991705382383809],
        [4463240938071824939, 4374473821787594281],
        [-2347567976820271828, -3177687296717892822],
    ]


def test_shrinking():
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.Variable([1.0, -2.0, 0.1]), tf.Variable([0.6])
        op = tf.train.sdca_shrink_l1([a, b], 0.5, 1.0)
        session.run(tf.global_variables_initializer())
        session.run(op)
        np.testing.assert_allclose(session.run(a), [0.5, -1.5, 0], rtol=1e-6)
        np.testing.assert_allclose(session.run(b), [0.1], rtol=1e-5)


def test_svm():
    rng, n = np.random.RandomState(0), 60
    x = rng.randn(n, 2).astype(np.float32)
    words = rng.choice(["a", "b", "c"], n)
    y = (x @ [1, -1] + (words == "a") > 0).astype(np.int32)
    rows = np.stack([np.arange(n), np.zeros(n)], 1).astype(np.int64)

    def input_fn():
        features = {
            "id": tf.constant([str(i) for i in range(n)]), "x": tf.constant(x),
            "w": tf.SparseTensor(rows, words, [n, 1]), "b": tf.constant(x[:, :1]),
        }  # fmt: skip
        return features, tf.constant(y[:, None])

    layers = tf.contrib.layers
    columns = [
        layers.real_valued_column("x", 2),
        layers.sparse_column_with_hash_bucket("w", 10),
        layers.bucketized_column(layers.real_valued_column("b"), [0.0, 0.5]),
    ]
    model = tf.contrib.learn.SVM("id", columns, l2_regularization=1.0)
    model.fit(input_fn=input_fn, steps=20)
    found = model.evaluate(input_fn=input_fn, steps=1)
    pair = [found["accuracy"], found["loss"]]
    np.testing.assert_allclose(pair, [0.967, 0.082], atol=0.01)
    weights = model.get_variable_value("linear/x/weight")
    np.testing.assert_allclose(weights.ravel(), [1.42, -1.89], atol=0.03)

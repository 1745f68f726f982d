"""tf.contrib.factorization: centers as TensorFlow 1.12 moves them."""

import numpy as np
import pytest

import twinflow as tf

F = tf.contrib.factorization
X = np.random.RandomState(0).rand(20, 3).astype(np.float32)
EUCLIDEAN = [[0.4611, 0.8015, 0.5323], [0.5247, 0.2789, 0.5447], [0.0, 0.0, 0.0]]
CASES = {
    "full": ({}, EUCLIDEAN),
    "batches": (
        {"use_mini_batch": True},
        [[0.4971, 0.8615, 0.5286], [0.5074, 0.3559, 0.5587], [0.6564, 1.3377, 1.4455]],
    ),
    "cosine": (
        {"distance_metric": "cosine"},
        [[0.3728, 0.9193, 0.1265], [0.6321, 0.3216, 0.7050], [0.4089, 0.7209, 0.5596]],
    ),
    "iterations": (
        {"use_mini_batch": True, "mini_batch_steps_per_iteration": 3},
        [[0.5556, 0.9189, 0.5288], [0.4812, 0.4128, 0.5417], [0.6564, 1.3377, 1.4455]],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_steps(case):
    options, expected = CASES[case]
    with tf.Graph().as_default(), tf.Session() as session:
        points, first = tf.constant(X), X[:3] * 1.5
        graph = F.KMeans(points, 3, initial_clusters=first, **options).training_graph()
        distances, places, scores, ready, start, train = graph
        session.run(tf.global_variables_initializer())
        session.run(start)
        assert session.run(ready)
        for _ in range(4):
            session.run(train)
        centers = session.run(tf.global_variables()[0])
        far, at, near = session.run([distances[0], places[0], scores[0]])
    np.testing.assert_allclose(centers, expected, atol=2e-4)
    np.testing.assert_array_equal(at, far.argmin(1))
    np.testing.assert_allclose(near, far.min(1), atol=1e-5)


@pytest.mark.parametrize("way", ["random", "kmeans_plus_plus", "kmc2", "function"])
def test_ways_to_begin(way):
    chosen = (lambda inputs, count: inputs[:count]) if way == "function" else way
    with tf.Graph().as_default(), tf.Session() as session:
        model = F.KMeans(tf.constant(X), 4, chosen, random_seed=3)
        _, _, _, ready, start, _ = model.training_graph()
        session.run(tf.global_variables_initializer())
        runs = 0
        while not session.run(ready):
            session.run(start)
            runs += 1
        centers = session.run(tf.global_variables()[0])
    assert runs == (4 if way == "kmc2" else 1)
    assert {tuple(c) for c in centers} <= {tuple(x) for x in X}
    assert len({tuple(c) for c in centers}) == 4


def test_the_estimator(tmp_path):
    def points(epochs=1):
        return tf.train.limit_epochs(tf.constant(X), num_epochs=epochs)

    model = F.KMeansClustering(
        3, tmp_path, initial_clusters=X[:3] * 1.5, use_mini_batch=False
    )  # fmt: skip
    model.train(lambda: points(4))
    centers = model.cluster_centers()
    np.testing.assert_allclose(centers, EUCLIDEAN, atol=2e-4)
    squares = ((X[:, None] - centers) ** 2).sum(2)
    np.testing.assert_allclose(list(model.transform(points)), squares, atol=1e-5)
    assert list(model.predict_cluster_index(points)) == squares.argmin(1).tolist()
    np.testing.assert_allclose(model.score(points), squares.min(1).sum(), rtol=1e-5)


def test_it_stops_when_little_changes(tmp_path):
    model = F.KMeansClustering(
        2, tmp_path, use_mini_batch=False, relative_tolerance=1e-4
    )  # fmt: skip
    model.train(lambda: tf.constant(X))
    assert model.get_variable_value("global_step") < 20


def test_what_is_refused():
    with pytest.raises(ValueError, match="initialization algorithm 'x'"):
        F.KMeansClustering(3, initial_clusters="x")
    with pytest.raises(ValueError, match="distance metric 'y'"):
        F.KMeans(X, 3, distance_metric="y")

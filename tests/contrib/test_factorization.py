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


U = np.float32([[0.5, 0.1], [0.2, 0.9], [0.4, 0.3], [0.7, 0.6]])
V = np.float32([[0.3, 0.8], [0.6, 0.2], [0.9, 0.5]])
MATRIX = np.float32([[1, 0, 2], [0, 3, 0], [4, 0, 0], [0, 5, 6]])


def sparse(matrix):
    return tf.SparseTensor(np.argwhere(matrix), matrix[matrix != 0], matrix.shape)


def best_rows(matrix, weights, factors, w0=0.1, c=0.5):
    """The rows that least squares finds, one by one."""
    found = []
    for x, w in zip(matrix, weights * (matrix != 0), strict=True):
        left = (factors.T * (w + w0)) @ factors + c * np.eye(factors.shape[1])
        found.append(np.linalg.solve(left, factors.T @ ((w + w0) * x)))
    return np.array(found)


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("rows", [True, False])
def test_wals_steps(rows, shards):
    own, other = (U, V) if rows else (V, U)
    half = -(-len(own) // 2), -(-len(other) // 2)
    cut = [own[: half[0]], own[half[0] :]], [other[: half[1]], other[half[1] :]]
    first = (own, other) if shards == 1 else cut
    names = ("row", "col") if rows else ("col", "row")
    init = {f"{name}_init": value for name, value in zip(names, first, strict=True)}
    matrix = MATRIX if rows else MATRIX.T
    with tf.Graph().as_default(), tf.Session() as session:
        model = F.WALSModel(
            4, 3, 2, 0.1, 0.5, num_row_shards=shards, num_col_shards=shards,
            row_weights=2.0, **init,
        )  # fmt: skip
        key = names[0]
        step = getattr(model, f"update_{key}_factors")(sparse(MATRIX))
        project = getattr(model, f"project_{key}_factors")(sparse(MATRIX))
        session.run(model.initialize_op)
        session.run(model.worker_init)
        session.run(getattr(model, f"{key}_update_prep_gramian_op"))
        session.run(getattr(model, f"initialize_{key}_update_op"))
        values, loss, penalty, weights = session.run([step[0], *step[2:]])
        projected = session.run(project)
        session.run(step[1])
        factors = np.concatenate(session.run(getattr(model, f"{key}_factors")))
    expected = best_rows(matrix, 2.0, other)
    np.testing.assert_allclose(factors, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(sorted(values[:, 0]), sorted(expected[:, 0]), rtol=1e-3)
    wanted = best_rows(matrix, 1.0 if rows else 2.0, other)
    np.testing.assert_allclose(projected.sum(), wanted.sum(), rtol=1e-4)
    all_weights = 0.1 + 2.0 * (matrix != 0)
    errors = all_weights * (matrix - expected @ other.T) ** 2
    np.testing.assert_allclose(loss, errors.sum(), rtol=1e-4)
    np.testing.assert_allclose(weights, all_weights.sum(), rtol=1e-5)
    squares = (expected**2).sum() + (other**2).sum()
    np.testing.assert_allclose(penalty, 0.5 * squares, rtol=1e-4)


def test_wals_estimator():
    rng = np.random.RandomState(0)
    x = (rng.rand(6, 2).astype("f") @ rng.rand(2, 5).astype("f")).astype("f")
    rng = np.random.RandomState(1)
    u, v = rng.rand(6, 2).astype("f"), rng.rand(5, 2).astype("f")

    def input_fn():
        return {
            "input_rows": sparse(x), "input_cols": sparse(x.T),
            "project_row": tf.constant(True),
        }, None  # fmt: skip

    model = F.WALSMatrixFactorization(6, 5, 2, 0.01, 0.01, u, v, max_sweeps=4)
    model.fit(input_fn=input_fn)
    assert model.get_variable_value("completed_sweeps") == 4
    # The numbers of TensorFlow 1.12.
    np.testing.assert_allclose(model.get_variable_value("WALS_loss"), 0.19392715, 1e-4)
    loss = model.evaluate(input_fn=input_fn, steps=1)["loss"]
    np.testing.assert_allclose(loss, 0.18938194, rtol=1e-4)
    np.testing.assert_allclose(model.get_col_factors()[0].sum(), 5.6325221, rtol=1e-4)
    assert np.stack(list(model.get_projections(input_fn))).shape == (6, 2)


def mixture():
    """60 points about (2, 2), 40 about (-2, -1)."""
    rng = np.random.RandomState(0)
    rng.rand(12), rng.rand(10), rng.rand(12), rng.rand(10)
    parts = rng.randn(60, 2) * 0.3 + [2, 2], rng.randn(40, 2) * 0.5 - [2, 1]
    return np.concatenate(parts).astype(np.float32)


def log_likelihoods(points, means, full, steps=3):
    """log sum_x p(x) before each step, by NumPy."""
    cov = np.cov(points.T) + 1e-3 * np.eye(2)
    covs = np.array([cov if full else np.diag(np.diag(cov))] * 2)
    shares, found = np.ones(2) / 2, []
    for _ in range(steps):
        logs = []
        for share, mean, cov in zip(shares, means, covs, strict=True):
            cov = cov + 1e-3 * np.eye(2)
            far = np.einsum(
                "ni,ij,nj->n", points - mean, np.linalg.inv(cov), points - mean
            )
            logs.append(
                np.log(share) - 0.5 * (far + np.log(np.linalg.det(2 * np.pi * cov)))
            )
        scores = np.logaddexp(*logs)
        found.append(np.log(np.exp(scores).sum()))
        w = np.exp(np.array(logs) - scores)
        shares = w.mean(1)
        means = w @ points / w.sum(1)[:, None]
        covs = np.einsum("kn,ni,nj->kij", w, points, points) / w.sum(1)[:, None, None]
        covs = covs - means[:, :, None] * means[:, None] + 1e-3 * np.eye(2)
        covs = covs if full else covs * np.eye(2)
    return found


@pytest.mark.parametrize("kind", ["full", "diag"])
def test_gmm(kind):
    points = mixture()
    first = points[[0, 70]]
    with tf.Graph().as_default(), tf.Session() as session:
        likelihood, _, classes, step, init, ready = F.gmm(
            tf.constant(points), first, 2, 0, kind
        )
        session.run(tf.global_variables_initializer())
        assert not session.run(ready)
        session.run(init)
        assert session.run(ready)
        found = []
        for _ in range(3):
            found.append(session.run(likelihood))
            session.run(step)
        assert session.run(classes)[0].tolist() == [0] * 60 + [1] * 40
    wanted = log_likelihoods(points.astype(float), first.astype(float), kind == "full")
    np.testing.assert_allclose(found, wanted, rtol=1e-4)


def test_gmm_estimator():
    points = mixture()
    model = F.GMM(2, initial_clusters=points[[0, 70]])

    def input_fn():
        return tf.constant(points), None

    model.fit(input_fn=input_fn, steps=5)
    np.testing.assert_allclose(model.clusters(), [[2, 2], [-2, -1]], atol=0.2)
    np.testing.assert_allclose(model.weights(), [0.6, 0.4], atol=0.01)
    assert model.covariances().shape == (2, 2, 2)
    assert list(model.predict_assignments(input_fn=input_fn))[58:62] == [0, 0, 1, 1]
    assert model.score(input_fn=input_fn, steps=1) > 2

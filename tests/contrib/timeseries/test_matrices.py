"""Matrices and state space models of time series, with TensorFlow 1.12's numbers."""

import numpy as np
import pytest

import twinflow as tf
from tests import modes
from twinflow.contrib.timeseries import matrices as m
from twinflow.contrib.timeseries.state_space.level_trend import AdderStateSpaceModel
from twinflow.contrib.timeseries.state_space.periodic import (
    CycleStateSpaceModel,
    ResolutionCycleModel,
)
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModelConfiguration,
)
from twinflow.contrib.timeseries.state_space.varma import VARMA

A = np.array([[0.5, 0.2], [-0.3, 0.8]])
C = np.array([[2.0, 0.5], [0.5, 1.0]])
RAW = np.array([[0.1, 0.7], [-0.4, 0.2]])
BLOCKS = np.arange(8.0).reshape(2, 2, 2)
CASES = {
    "powers": (
        lambda: m.matrix_to_powers(tf.constant(A), [2, 0]),
        [[[0.19, 0.26], [-0.39, 0.58]], [[1, 0], [0, 1]]],
    ),
    "power of each": (
        lambda: m.batch_matrix_pow(tf.constant(np.stack([A, C])), [3, 2]),
        [[[0.017, 0.246], [-0.369, 0.386]], [[4.25, 1.5], [1.5, 1.25]]],
    ),
    "sums of powers": (
        lambda: m.power_sums_tensor(4, tf.constant(A), tf.constant(C))[2:],
        [[[2.64, 0.53], [0.53, 1.58]], [[2.8292, 0.537], [0.537, 1.9944]]],
    ),
    "positive": (
        lambda: m.sign_magnitude_positive_definite(tf.constant(RAW), 0.3, -0.5),
        [[0.67032005, -0.30036317], [-0.30036317, 0.87540771]],
    ),
    "clipped": (
        lambda: m.clip_covariance(
            tf.constant([[1e3, 0.1], [0.1, 1e-3]], tf.float64), 100.0, 0.5
        ),
        [[1000.0, 0.1], [0.1, 10.0]],
    ),
    "toeplitz": (
        lambda: m.make_toeplitz_matrix(tf.constant(BLOCKS))[1:3],
        [[2, 3, 6, 7], [4, 5, 0, 1]],
    ),
    "blocks": (
        lambda: m.block_diagonal(
            [tf.constant(A), tf.ones([1, 1], tf.float64)], "float64"
        ),
        [[0.5, 0.2, 0], [-0.3, 0.8, 0], [0, 0, 1]],
    ),
    "batch times": (
        lambda: m.batch_times_matrix(tf.constant(C[None]), tf.constant(A), adj_x=True),
        [[[0.85, 0.8], [-0.05, 0.9]]],
    ),
    "times batch": (
        lambda: m.matrix_times_batch(tf.constant(A), tf.constant(C[None]), adj_y=True),
        [[[1.1, 0.45], [-0.2, 0.65]]],
    ),
    "scales": (
        lambda: m.entropy_matched_cauchy_scale(tf.constant(C)),
        [0.46509568, 0.32887231],
    ),
    "prior": (
        lambda: m.log_noninformative_covariance_prior(tf.constant(C)),
        -0.83942371,
    ),
}


@modes.both
def test_numbers(run):
    found = run(lambda: {name: build() for name, (build, _) in CASES.items()})
    for name, (_, expected) in CASES.items():
        np.testing.assert_allclose(found[name], expected, atol=1e-8, err_msg=name)


@modes.both
def test_sums_of_powers_have_slopes(run):
    def slope():
        a = tf.constant(A)
        with tf.GradientTape() as tape:
            tape.watch(a)
            total = tf.reduce_sum(m.power_sums(a, tf.constant(C), [3]))
        return tape.gradient(total, a)

    step = 1e-6
    totals = [
        sum((p := np.linalg.matrix_power(a, i)) @ C @ p.T for i in range(3)).sum()
        for a in (A + [[step, 0], [0, 0]], A - [[step, 0], [0, 0]])
    ]
    expected = (totals[0] - totals[1]) / (2 * step)
    assert run(slope)[0, 0] == pytest.approx(expected)


Q = np.exp(-5.0)  # how much less than values states change at first
MODELS = {  # (model, power of the transition for 3 times, the noise of 3 times)
    "adder": (
        lambda c: AdderStateSpaceModel(configuration=c),
        [[1, 3], [0, 1]], [[8 * Q, 3 * Q], [3 * Q, 3 * Q]],
    ),
    "cycle": (
        lambda c: CycleStateSpaceModel(4, configuration=c),
        [[0, 1, 0], [0, 0, 1], [-1, -1, -1]],
        [[2 * Q, -Q, 0], [-Q, 2 * Q, -Q], [0, -Q, Q]],
    ),
    "resolution": (
        lambda c: ResolutionCycleModel(3, 5, configuration=c),
        [[-0.46965902, 0.67871595], [-0.67871595, -1.14837497]],
        [[0.01601207, -0.00702814], [-0.00702814, 0.01122991]],
    ),
    "broken period": (
        lambda c: ResolutionCycleModel(3, 5.5, configuration=c),
        [[-0.79683461, 0.32531674], [-0.32531674, -1.12215134]],
        [[0.01484201, -0.00719298], [-0.00719298, 0.01256481]],
    ),
    "varma": (
        lambda c: VARMA(2, 1, configuration=c), [[0, 0], [0, 0]], [[1, 1], [1, 2]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_models_move(name):
    make, power, noise = MODELS[name]
    with tf.Graph().as_default(), tf.Session() as session:
        model = make(StateSpaceModelConfiguration(dtype=tf.float64))
        model.initialize_graph()
        session.run(tf.global_variables_initializer())
        found = session.run(
            [
                model.transition_to_powers([3])[0],
                model.transition_power_noise_accumulator([3])[0],
                model.generate(2, 4, model.random_model_parameters(1), seed=2),
            ]
        )
    np.testing.assert_allclose(found[0], power, atol=1e-7)
    np.testing.assert_allclose(found[1], noise, atol=1e-7)
    assert found[2]["times"].tolist() == [[0, 1, 2, 3]] * 2
    assert np.isfinite(found[2]["values"]).all() and found[2]["values"].std() > 0


def test_even_numbers_of_latent_values_are_refused():
    with pytest.raises(ValueError, match="an odd number of at least 3, got 4"):
        ResolutionCycleModel(4, 5)

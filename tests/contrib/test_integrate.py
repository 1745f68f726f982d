"""tf.contrib.integrate against closed forms and the steps of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, in_graph
from twinflow.contrib.integrate import parts

C = tf.contrib.integrate
TIMES = np.linspace(0, 2, 5)


def forced(y, t):
    return tf.stack([y[1], 0.1 * t - y[0]])


def start():
    return tf.constant([1.0, 0.0], tf.float64)


SOLUTION = np.stack([
    np.cos(TIMES) - 0.1 * np.sin(TIMES) + 0.1 * TIMES,
    -np.sin(TIMES) - 0.1 * np.cos(TIMES) + 0.1,
], 1)  # fmt: skip


@both
def test_solutions(run):
    found = run(lambda: C.odeint(forced, start(), TIMES))
    np.testing.assert_allclose(found, SOLUTION, atol=1e-5)
    for method, atol in (("rk4", 1e-4), ("midpoint", 2e-2)):
        fixed = run(lambda m=method: C.odeint_fixed(forced, start(), TIMES, 0.2, m))
        np.testing.assert_allclose(fixed, SOLUTION, atol=atol)
    turning = run(lambda: C.odeint(lambda y, _: 1j * y, 1 + 0j, [0.0, np.pi]))
    np.testing.assert_allclose(turning[1], -1, atol=1e-5)


def test_what_happened():
    build = lambda: C.odeint(forced, start(), TIMES, 1e-3, 1e-3, full_output=True)
    _, notes = in_graph(build)
    assert notes["num_func_evals"] == 13
    np.testing.assert_allclose(notes["integrate_points"], [1, 2.22075], atol=1e-5)
    np.testing.assert_allclose(notes["error_ratio"], [0.21781, 0.63671], atol=1e-5)


def test_gradients():
    def slopes():
        y0 = tf.constant([1.0, 2.0], tf.float64)
        times = [0.0, 0.5, 1.0]
        ways = C.odeint, C.odeint_fixed
        return [tf.gradients(f(lambda y, _: -y, y0, times)[2], y0)[0] for f in ways]

    for found, atol in zip(in_graph(slopes), (1e-6, 1e-3)):
        np.testing.assert_allclose(found, [np.exp(-1)] * 2, atol=atol)


def test_what_is_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        for call, error, text in (
            (lambda: C.odeint(forced, 1.0, [0, 1], method="x"), ValueError, "invalid"),
            (lambda: C.odeint(forced, 1, [0, 1]), TypeError, "`y0` must have"),
            (lambda: C.odeint(forced, 1.0, [0], options={}), ValueError, "without"),
            (lambda: C.odeint_fixed(forced, 1.0, [0.0], method="x"), ValueError, "not"),
            (
                lambda: C.odeint_fixed(forced, 1.0, [0.0, 1.0], dt=[0.1, 0.2]),
                ValueError, "incompatible lengths",
            ),
        ):  # fmt: skip
            with pytest.raises(error, match=text):
                call()
        for solve in (C.odeint, C.odeint_fixed):
            with pytest.raises(tf.errors.InvalidArgumentError, match="monotonic"):
                session.run(solve(lambda y, _: y, 1.0, [1.0, 0.0]))
        steep = C.odeint(
            lambda y, _: y, 1.0, [0.0, 9.0], method="dopri5",
            options={"max_num_steps": 3},
        )  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match="max_num_steps"):
            session.run(steep)


# ------------------------------------------------------------------ the parts
@both
def test_a_quartic_goes_through_what_it_was_fitted_to(run):
    curve = np.poly1d([5.0, 4.0, 3.0, 2.0, 1.0])
    slope = curve.deriv()

    def build():
        ends = [tf.constant(f, tf.float64) for f in (
            curve(0), curve(1), curve(0.5), slope(0), slope(1), 1.0
        )]  # fmt: skip
        found = parts.interp_fit(*ends)
        return found, parts.interp_evaluate(found, 0.0, 10.0, 2.0)

    coefficients, value = run(build)
    np.testing.assert_allclose(coefficients, [5, 4, 3, 2, 1])
    np.testing.assert_allclose(value, curve(0.2))


@both
def test_lengths_of_steps(run):
    cases = [
        (1.0, 1.0, 2),
        (1.0, 100.0, 2),
        (1.0, 1e-6, 2),
        (2.0, 0.5, 5),
        (1.0, 0.0, 5),
    ]
    found = run(lambda: [
        parts.optimal_step_size(tf.constant(last), tf.constant(error), order=order)
        for last, error, order in cases
    ])  # fmt: skip
    np.testing.assert_allclose(found, [0.9, 0.2, 10, 2.0676, 10], 1e-4)


@both
def test_a_step_of_its_own(run):
    found = run(lambda: parts.runge_kutta_step(
        lambda y, t: y * t, tf.constant(1.0), tf.constant(0.5), tf.constant(0.5),
        tf.constant(0.1),
    )[:2])  # fmt: skip
    np.testing.assert_allclose(found, [np.exp(0.055), 0.6 * np.exp(0.055)], 1e-6)

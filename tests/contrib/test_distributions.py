"""tf.contrib.distributions against SciPy, and bijectors against slopes."""

import numpy as np
import pytest
from scipy import stats

from tests.modes import both, eagerly
from twinflow.base.errors import InvalidArgumentError
from twinflow.contrib import distributions as ds
from twinflow.contrib.distributions import bijectors as bs
from twinflow.contrib.distributions.bijectors import cumulative
from twinflow.contrib.distributions.gumbel import _Gumbel
from twinflow.distributions.categorical import Categorical
from twinflow.distributions.normal import Normal

A, B = np.array([0.7, 2.5]), np.array([[1.5], [3.0]])
X = np.array([0.2, 0.9])
COUNTS = np.array([1.0, 3.0])

NUMBERS = [
    (lambda: ds.Logistic(A, B), stats.logistic(A, B), X),
    (lambda: ds.Cauchy(A, B), stats.cauchy(A, B), X),
    (lambda: _Gumbel(A, B), stats.gumbel_r(A, B), X),
    (lambda: ds.HalfNormal(A), stats.halfnorm(scale=A), X),
    (lambda: ds.InverseGamma(A + 2, B), stats.invgamma(A + 2, scale=B), X),
    (lambda: ds.Chi2(A), stats.chi2(A), X),
    (lambda: ds.Poisson(A), stats.poisson(A), COUNTS),
    (lambda: ds.Binomial(np.float64(5), probs=X), stats.binom(5, X), COUNTS),
    (lambda: ds.Geometric(probs=X), stats.geom(X, loc=-1), COUNTS),
    (
        lambda: ds.NegativeBinomial(np.array([5.0, 2.0]), probs=1 - X),
        stats.nbinom([5, 2], X), COUNTS,
    ),
]  # fmt: skip


@both
@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case[1].dist.name)
def test_numbers(run, case):
    make, wanted, x = case
    density = getattr(wanted, "logpmf", None) if x is COUNTS else wanted.logpdf

    def build():
        d = make()
        return [d.log_prob(x), d.cdf(x)]

    for found, e in zip(run(build), (density(x), wanted.cdf(x)), strict=True):
        np.testing.assert_allclose(found, np.broadcast_to(e, found.shape), rtol=1e-6)
    if wanted.dist.name != "cauchy":
        found = run(lambda: [make().mean(), make().variance()])
        for f, e in zip(found, (wanted.mean(), wanted.var()), strict=True):
            np.testing.assert_allclose(f, np.broadcast_to(e, f.shape), rtol=1e-6)
    if wanted.dist.name == "binom":
        return  # 1.12 does not draw these
    y = eagerly(lambda: make().sample(2000, seed=5))
    assert np.abs(np.median(wanted.cdf(y)) - 0.6) < 0.4


@both
def test_vectors(run):
    loc, x = np.array([1.0, -1.0]), np.array([0.3, 0.5])
    tril = np.array([[1.5, 0.0], [0.5, 2.0]])
    covariance = tril @ tril.T
    factor = np.array([[1.0], [0.5]])
    low_rank = np.diag([1.0, 2.0]) + factor @ factor.T

    def build():
        normals = [
            ds.MultivariateNormalTriL(loc, tril),
            ds.MultivariateNormalFullCovariance(loc, covariance),
            ds.MultivariateNormalDiag(loc, np.array([1.0, 2.0])),
            ds.MultivariateNormalDiagPlusLowRank(
                loc, np.array([1.0, 2.0]), scale_perturb_factor=factor
            ),
        ]
        found = [[d.log_prob(x), d.covariance(), d.entropy()] for d in normals]
        found.append(normals[0].kl_divergence(normals[2]))
        return found

    *found, kl = run(build)
    covariances = [covariance, covariance, np.diag([1.0, 4.0]), low_rank @ low_rank]
    for f, c in zip(found, covariances, strict=True):
        d = stats.multivariate_normal(loc, c)
        for part, e in zip(f, (d.logpdf(x), c, d.entropy()), strict=True):
            np.testing.assert_allclose(part, e, rtol=1e-6, atol=1e-9)
    b = covariances[2]
    expected = np.trace(np.linalg.solve(b, covariance)) - 2
    expected += np.log(np.linalg.det(b) / np.linalg.det(covariance))
    np.testing.assert_allclose(kl, expected / 2, rtol=1e-6)


@both
def test_mixtures(run):
    p, loc, scale = np.array([0.25, 0.75]), np.array([0.0, 4.0]), np.array([1.0, 2.0])

    def build():
        cat = Categorical(probs=p)
        parts = [Normal(m, s) for m, s in zip(loc, scale, strict=True)]
        found = []
        for d in (
            ds.Mixture(cat, parts),
            ds.MixtureSameFamily(Categorical(probs=p), Normal(loc, scale)),
        ):
            x = d.sample(4000, seed=2)
            found.append([d.log_prob(0.5), d.mean(), d.stddev(), d.log_cdf(0.5), x])
        return found

    each = stats.norm(loc, scale)
    spread = np.sqrt(p @ (scale**2 + (loc - 3.0) ** 2))
    expected = np.log(p @ each.pdf(0.5)), 3.0, spread, np.log(p @ each.cdf(0.5))
    for *found, x in run(build):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        assert abs(x.mean() - 3.0) < 0.15 and abs(x.std() - spread) < 0.15


def _flow(y):
    return 0.5 * y[..., :1] * [0.0, 1.0], 0.1 * y[..., :1] * [0.0, 1.0]


HALF, TWO = np.float64(0.5), np.float64(2.0)
BIJECTORS = [
    (lambda: bs.Exp(), 0),
    (lambda: bs.PowerTransform(0.5), 0),
    (lambda: bs.Sigmoid(), 0),
    (lambda: bs.Softplus(TWO), 0),
    (lambda: bs.Softsign(), 0),
    (lambda: bs.Square(), 0),
    (lambda: bs.Gumbel(HALF, TWO), 0),
    (lambda: bs.SinhArcsinh(HALF, TWO), 0),
    (lambda: bs.Kumaraswamy(TWO, np.float64(3.0)), 0),
    (lambda: bs.Invert(bs.Softplus()), 0),
    (lambda: bs.Chain([bs.Exp(), bs.AffineScalar(np.float64(1.0), HALF)]), 0),
    (lambda: bs.Affine(A, scale_tril=np.array([[1.5, 0.0], [0.5, 2.0]])), 1),
    (lambda: bs.Permute([1, 0]), 1),
    (lambda: bs.Ordered(), 1),
    (lambda: bs.MaskedAutoregressiveFlow(_flow), 1),
]


@pytest.mark.parametrize("case", BIJECTORS)
def test_bijectors(case):
    """The inverse of y is x, and the log Jacobian that of differences."""
    make, axes = case
    x = np.array([0.3, 0.6])

    def build():
        bijector = make()
        y = bijector.forward(x)
        return [
            y, bijector.inverse(y + 0.0),
            bijector.forward_log_det_jacobian(x, event_ndims=axes),
            bijector.inverse_log_det_jacobian(y + 0.0, event_ndims=axes),
        ]  # fmt: skip

    _, back, found, inverse = eagerly(build)
    np.testing.assert_allclose(back, x, rtol=1e-6)
    np.testing.assert_allclose(found, -inverse, rtol=1e-6)
    h = 1e-6
    columns = [
        (
            eagerly(lambda d=d: make().forward(x + h * d))
            - eagerly(lambda d=d: make().forward(x - h * d))
        )
        / (2 * h)
        for d in np.eye(2)
    ]
    slopes = np.stack(columns, axis=-1)
    if axes:
        expected = np.log(np.abs(np.linalg.det(slopes)))
    else:
        expected = np.log(np.abs(np.diag(slopes)))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@both
def test_relaxed_classes(run):
    """Samples are simplices; in one dimension the densities agree."""

    def build():
        t, p = np.float64(0.5), np.array([0.3, 0.7])
        d = ds.RelaxedOneHotCategorical(t, probs=p)
        one = ds.RelaxedBernoulli(t, probs=np.float64(0.3))
        at = np.array([0.2, 0.8])
        return [d.sample(5, seed=1), d.prob(at), one.prob(np.float64(0.2))]

    x, found, expected = run(build)
    np.testing.assert_allclose(x.sum(-1), 1.0)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@both
def test_statistics(run):
    x = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 7.0]])

    def build():
        return [
            ds.percentile(x, 50.0), ds.percentile(x, 50.0, axis=1),
            ds.percentile(x, 30.0, axis=[0], interpolation="lower"),
            ds.fill_triangular([1, 2, 3]), ds.softplus_inverse(np.float64(1.0)),
        ]  # fmt: skip

    middle, rows, low, triangle, inverse = run(build)
    assert middle in (3.0, 5.0) and rows.tolist() == [2.0, 6.0]
    assert low.tolist() == [3.0, 1.0, 2.0] and triangle.tolist() == [[3, 0], [2, 1]]
    np.testing.assert_allclose(inverse, np.log(np.e - 1))


@both
@pytest.mark.parametrize("name", ["Gumbel", "Weibull", "Kumaraswamy"])
def test_distribution_functions_have_inverses_of_zero_and_one(run, name):
    """The ends are valid there; what lies outside is not."""

    def inverse(y):
        made = getattr(cumulative, name)(2.0, 3.0, validate_args=True)
        return made.inverse(np.float32(y))

    assert not np.isnan([run(lambda y=y: inverse(y)) for y in (0.0, 1.0)]).any()
    for y in (-0.5, 1.5):
        with pytest.raises(InvalidArgumentError):
            run(lambda y=y: inverse(y))

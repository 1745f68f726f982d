"""The numbers of tf.distributions against SciPy, in both modes."""

import numpy as np
import pytest
from scipy import stats

from tests.modes import both, eagerly
from twinflow.autodiff.tape import GradientTape
from twinflow.distributions.bernoulli import Bernoulli
from twinflow.distributions.beta import Beta
from twinflow.distributions.categorical import Categorical
from twinflow.distributions.dirichlet import Dirichlet
from twinflow.distributions.dirichlet_multinomial import DirichletMultinomial
from twinflow.distributions.exponential import Exponential
from twinflow.distributions.gamma import Gamma
from twinflow.distributions.laplace import Laplace
from twinflow.distributions.multinomial import Multinomial
from twinflow.distributions.normal import Normal
from twinflow.distributions.special_math import log_ndtr, ndtr, ndtri
from twinflow.distributions.student_t import StudentT
from twinflow.distributions.uniform import Uniform
from twinflow.ops.core.constant import constant
from twinflow.ops.core.reduction import reduce_mean

A, B = np.array([0.7, 2.5]), np.array([[1.5], [3.0]])
X, FOUR = np.array([0.2, 0.9]), np.float64(4)

# how it is made, the same in SciPy
NUMBERS = [
    (lambda: Normal(A, B), stats.norm(A, B)),
    (lambda: Laplace(A, B), stats.laplace(A, B)),
    (lambda: Uniform(A - 3, A + B), stats.uniform(A - 3, B + 3)),
    (lambda: Exponential(B), stats.expon(scale=1 / B)),
    (lambda: Gamma(A, B), stats.gamma(A, scale=1 / B)),
    (lambda: Beta(A, B[:, 0]), stats.beta(A, B[:, 0])),
    (lambda: StudentT(A + 2, A, B[:, 0]), stats.t(A + 2, A, B[:, 0])),
]


@both
@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case[1].dist.name)
def test_numbers(run, case):
    make, wanted = case

    def build():
        d = make()
        return [
            d.log_prob(X), d.prob(X), d.cdf(X), d.log_cdf(X), d.survival_function(X),
            d.log_survival_function(X), d.mean(), d.variance(), d.stddev(), d.entropy(),
        ]  # fmt: skip

    expected = [
        wanted.logpdf(X), wanted.pdf(X), wanted.cdf(X), wanted.logcdf(X), wanted.sf(X),
        wanted.logsf(X), wanted.mean(), wanted.var(), wanted.std(), wanted.entropy(),
    ]  # fmt: skip
    for found, e in zip(run(build), expected, strict=True):
        e = np.broadcast_to(e, found.shape)
        np.testing.assert_allclose(found, e, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case[1].dist.name)
def test_samples_are_distributed_so(case):
    make, wanted = case
    found = eagerly(lambda: make().sample(2000, seed=3))
    assert found.dtype == np.float64
    ranks = np.sort(wanted.cdf(found), axis=0)
    steps = np.linspace(0, 1, len(ranks)).reshape(-1, *[1] * (ranks.ndim - 1))
    assert np.abs(ranks - steps).max() < 2 / np.sqrt(len(ranks))


@both
def test_classes(run):
    p = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
    counts = np.array([1.0, 2.0, 1.0])

    def build():
        c, m = Categorical(probs=p), Multinomial(FOUR, probs=p)
        return [
            c.prob([2, 0]), c.cdf([1, 2]), c.entropy(), c.mode(),
            m.prob(counts), m.covariance(),
            Bernoulli(probs=p).entropy(), Bernoulli(probs=p).log_prob(1),
            Dirichlet(p * 9).entropy(), Dirichlet(p * 9).covariance(),
            DirichletMultinomial(FOUR, p * 9).prob(counts),
            DirichletMultinomial(FOUR, p * 9).covariance(),
        ]  # fmt: skip

    each = [stats.multinomial(4, q) for q in p]
    dirichlet = [stats.dirichlet(q * 9) for q in p]
    compound = [stats.dirichlet_multinomial(q * 9, 4) for q in p]
    expected = [
        [0.5, 0.6], [0.2, 0.9], stats.entropy(p, axis=1), [2, 0],
        [m.pmf(counts) for m in each], [m.cov() for m in each],
        stats.bernoulli(p).entropy(), np.log(p),
        [d.entropy() for d in dirichlet], [d.cov() for d in dirichlet],
        [d.pmf(counts.astype(int)) for d in compound], [d.cov() for d in compound],
    ]  # fmt: skip
    for found, e in zip(run(build), expected, strict=True):
        np.testing.assert_allclose(found, e, rtol=1e-6, atol=1e-9)


@both
def test_divergences(run):
    """KL(a || b) as the mean of log a - log b over the quantiles of a."""

    def build():
        p, q = [0.2, 0.8], [0.5, 0.5]
        return [
            Normal(0.5, 2.0).kl_divergence(Normal(-1.0, 1.5)),
            Gamma(2.0, 3.0).kl_divergence(Gamma(1.5, 2.0)),
            Beta(2.0, 3.0).kl_divergence(Beta(1.5, 2.0)),
            Categorical(probs=p).kl_divergence(Categorical(probs=q)),
            Bernoulli(probs=0.2).kl_divergence(Bernoulli(probs=0.5)),
            Dirichlet([2.0, 3.0]).kl_divergence(Dirichlet([1.5, 2.0])),
            Normal(0.5, 2.0).cross_entropy(Normal(-1.0, 1.5)),
        ]

    u = (np.arange(200000) + 0.5) / 200000

    def far(a, b):
        x = a.ppf(u)
        return np.mean(a.logpdf(x) - b.logpdf(x))

    normal = stats.norm(0.5, 2), stats.norm(-1, 1.5)
    betas = far(stats.beta(2, 3), stats.beta(1.5, 2))
    classes = stats.entropy([0.2, 0.8], [0.5, 0.5])
    expected = [
        far(*normal), far(stats.gamma(2, scale=1 / 3), stats.gamma(1.5, scale=1 / 2)),
        betas, classes, classes, betas, far(*normal) + normal[0].entropy(),
    ]  # fmt: skip
    np.testing.assert_allclose(run(build), expected, rtol=2e-4)


def test_samples_have_slopes(eager):
    """d E[x] / d parameter, through samples."""
    for make, values, slopes in (
        (Normal, (0.5, 2.0), (1.0, 0.0)),
        (Gamma, (2.0, 4.0), (1 / 4, -2 / 16)),
        (Uniform, (1.0, 4.0), (0.5, 0.5)),
        (Beta, (2.0, 3.0), (3 / 25, -2 / 25)),
    ):
        parameters = [constant(v) for v in values]
        with GradientTape() as tape:
            tape.watch(parameters)
            y = reduce_mean(make(*parameters).sample(20000, seed=1))
        found = tape.gradient(y, parameters)
        np.testing.assert_allclose([g.numpy() for g in found], slopes, atol=0.02)


@both
def test_normal_tails(run):
    x = np.array([-40.0, -12.0, -1.0, 0.0, 3.0, 9.0])
    p = np.array([0.0, 1e-30, 0.02, 0.5, 0.97, 1.0])
    found = run(lambda: [ndtr(x), log_ndtr(x), ndtri(p)])
    expected = stats.norm.cdf(x), stats.norm.logcdf(x), stats.norm.ppf(p)
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f, e, rtol=1e-6)

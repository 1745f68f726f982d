# Made by `make stubs` from the table of the index.
from twinflow.contrib.distributions import bijectors as bijectors
from twinflow.distributions.distribution import Distribution as Distribution
from twinflow.distributions.distribution import ReparameterizationType as ReparameterizationType
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED
from twinflow.distributions.distribution import NOT_REPARAMETERIZED as NOT_REPARAMETERIZED
from twinflow.distributions.kullback_leibler import RegisterKL as RegisterKL
from twinflow.distributions.kullback_leibler import kl_divergence as kl_divergence
from twinflow.distributions.bernoulli import Bernoulli as Bernoulli
from twinflow.distributions.beta import Beta as Beta
from twinflow.distributions.beta import BetaWithSoftplusConcentration as BetaWithSoftplusConcentration
from twinflow.distributions.categorical import Categorical as Categorical
from twinflow.distributions.dirichlet import Dirichlet as Dirichlet
from twinflow.distributions.dirichlet_multinomial import DirichletMultinomial as DirichletMultinomial
from twinflow.distributions.exponential import Exponential as Exponential
from twinflow.distributions.exponential import ExponentialWithSoftplusRate as ExponentialWithSoftplusRate
from twinflow.distributions.gamma import Gamma as Gamma
from twinflow.distributions.gamma import GammaWithSoftplusConcentrationRate as GammaWithSoftplusConcentrationRate
from twinflow.distributions.laplace import Laplace as Laplace
from twinflow.distributions.laplace import LaplaceWithSoftplusScale as LaplaceWithSoftplusScale
from twinflow.distributions.multinomial import Multinomial as Multinomial
from twinflow.distributions.normal import Normal as Normal
from twinflow.distributions.normal import NormalWithSoftplusScale as NormalWithSoftplusScale
from twinflow.distributions.student_t import StudentT as StudentT
from twinflow.distributions.student_t import StudentTWithAbsDfSoftplusScale as StudentTWithAbsDfSoftplusScale
from twinflow.distributions.uniform import Uniform as Uniform
from twinflow.distributions.transformed_distribution import TransformedDistribution as TransformedDistribution
from twinflow.distributions.arrays import fill_triangular as fill_triangular
from twinflow.distributions.arrays import fill_triangular_inverse as fill_triangular_inverse
from twinflow.distributions.arrays import matrix_diag_transform as matrix_diag_transform
from twinflow.distributions.arrays import tridiag as tridiag
from twinflow.distributions.numbers import reduce_weighted_logsumexp as reduce_weighted_logsumexp
from twinflow.distributions.numbers import softplus_inverse as softplus_inverse
from twinflow.contrib.distributions.mvn import MultivariateNormalDiag as MultivariateNormalDiag
from twinflow.contrib.distributions.mvn import MultivariateNormalDiagPlusLowRank as MultivariateNormalDiagPlusLowRank
from twinflow.contrib.distributions.mvn import MultivariateNormalDiagWithSoftplusScale as MultivariateNormalDiagWithSoftplusScale
from twinflow.contrib.distributions.mvn import MultivariateNormalFullCovariance as MultivariateNormalFullCovariance
from twinflow.contrib.distributions.mvn import MultivariateNormalTriL as MultivariateNormalTriL
from twinflow.contrib.distributions.onehot_categorical import OneHotCategorical as OneHotCategorical
from twinflow.contrib.distributions.relaxed import ExpRelaxedOneHotCategorical as ExpRelaxedOneHotCategorical
from twinflow.contrib.distributions.relaxed import RelaxedBernoulli as RelaxedBernoulli
from twinflow.contrib.distributions.relaxed import RelaxedOneHotCategorical as RelaxedOneHotCategorical
from twinflow.contrib.distributions.logistic import Logistic as Logistic
from twinflow.contrib.distributions.cauchy import Cauchy as Cauchy
from twinflow.contrib.distributions.half_normal import HalfNormal as HalfNormal
from twinflow.contrib.distributions.inverse_gamma import InverseGamma as InverseGamma
from twinflow.contrib.distributions.inverse_gamma import InverseGammaWithSoftplusConcentrationRate as InverseGammaWithSoftplusConcentrationRate
from twinflow.contrib.distributions.chi2 import Chi2 as Chi2
from twinflow.contrib.distributions.chi2 import Chi2WithAbsDf as Chi2WithAbsDf
from twinflow.contrib.distributions.counts import Binomial as Binomial
from twinflow.contrib.distributions.counts import Geometric as Geometric
from twinflow.contrib.distributions.counts import NegativeBinomial as NegativeBinomial
from twinflow.contrib.distributions.counts import Poisson as Poisson
from twinflow.contrib.distributions.seed_stream import SeedStream as SeedStream
from twinflow.contrib.distributions.mixture import Mixture as Mixture
from twinflow.contrib.distributions.vector_diffeomixture import VectorDiffeomixture as VectorDiffeomixture
from twinflow.contrib.distributions.poisson_lognormal import PoissonLogNormalQuadratureCompound as PoissonLogNormalQuadratureCompound
from twinflow.contrib.distributions.quadratures import quadrature_scheme_lognormal_gauss_hermite as quadrature_scheme_lognormal_gauss_hermite
from twinflow.contrib.distributions.quadratures import quadrature_scheme_lognormal_quantiles as quadrature_scheme_lognormal_quantiles
from twinflow.contrib.distributions.quadratures import quadrature_scheme_softmaxnormal_gauss_hermite as quadrature_scheme_softmaxnormal_gauss_hermite
from twinflow.contrib.distributions.quadratures import quadrature_scheme_softmaxnormal_quantiles as quadrature_scheme_softmaxnormal_quantiles
from twinflow.contrib.distributions.mixture_same_family import MixtureSameFamily as MixtureSameFamily
from twinflow.contrib.distributions.independent import Independent as Independent
from twinflow.contrib.distributions.deterministic import Deterministic as Deterministic
from twinflow.contrib.distributions.deterministic import VectorDeterministic as VectorDeterministic
from twinflow.contrib.distributions.normal_conjugates import normal_conjugates_known_scale_posterior as normal_conjugates_known_scale_posterior
from twinflow.contrib.distributions.normal_conjugates import normal_conjugates_known_scale_predictive as normal_conjugates_known_scale_predictive
from twinflow.contrib.distributions.quantized_distribution import QuantizedDistribution as QuantizedDistribution
from twinflow.contrib.distributions.kumaraswamy import Kumaraswamy as Kumaraswamy
from twinflow.contrib.distributions.sinh_arcsinh import SinhArcsinh as SinhArcsinh
from twinflow.contrib.distributions.conditional import ConditionalDistribution as ConditionalDistribution
from twinflow.contrib.distributions.conditional import ConditionalTransformedDistribution as ConditionalTransformedDistribution
from twinflow.contrib.distributions.sample_stats import auto_correlation as auto_correlation
from twinflow.contrib.distributions.sample_stats import percentile as percentile
from twinflow.contrib.distributions.vectors import VectorExponentialDiag as VectorExponentialDiag
from twinflow.contrib.distributions.vectors import VectorLaplaceDiag as VectorLaplaceDiag
from twinflow.contrib.distributions.vectors import VectorSinhArcsinhDiag as VectorSinhArcsinhDiag
from twinflow.contrib.distributions.moving_stats import assign_log_moving_mean_exp as assign_log_moving_mean_exp
from twinflow.contrib.distributions.moving_stats import assign_moving_mean_variance as assign_moving_mean_variance
from twinflow.contrib.distributions.moving_stats import moving_mean_variance as moving_mean_variance
from twinflow.contrib.distributions.autoregressive import Autoregressive as Autoregressive
from twinflow.contrib.distributions.wishart import WishartCholesky as WishartCholesky
from twinflow.contrib.distributions.wishart import WishartFull as WishartFull
from twinflow.contrib.distributions.batch_reshape import BatchReshape as BatchReshape
from twinflow.contrib.learn.distribution_head import estimator_head_distribution_regression as estimator_head_distribution_regression

__all__ = [
"bijectors", "Distribution", "ReparameterizationType", "FULLY_REPARAMETERIZED",
"NOT_REPARAMETERIZED", "RegisterKL", "kl_divergence", "Bernoulli", "Beta",
"BetaWithSoftplusConcentration", "Categorical", "Dirichlet", "DirichletMultinomial",
"Exponential", "ExponentialWithSoftplusRate", "Gamma",
"GammaWithSoftplusConcentrationRate", "Laplace", "LaplaceWithSoftplusScale",
"Multinomial", "Normal", "NormalWithSoftplusScale", "StudentT",
"StudentTWithAbsDfSoftplusScale", "Uniform", "TransformedDistribution",
"fill_triangular", "fill_triangular_inverse", "matrix_diag_transform", "tridiag",
"reduce_weighted_logsumexp", "softplus_inverse", "MultivariateNormalDiag",
"MultivariateNormalDiagPlusLowRank", "MultivariateNormalDiagWithSoftplusScale",
"MultivariateNormalFullCovariance", "MultivariateNormalTriL", "OneHotCategorical",
"ExpRelaxedOneHotCategorical", "RelaxedBernoulli", "RelaxedOneHotCategorical",
"Logistic", "Cauchy", "HalfNormal", "InverseGamma",
"InverseGammaWithSoftplusConcentrationRate", "Chi2", "Chi2WithAbsDf", "Binomial",
"Geometric", "NegativeBinomial", "Poisson", "SeedStream", "Mixture",
"VectorDiffeomixture", "PoissonLogNormalQuadratureCompound",
"quadrature_scheme_lognormal_gauss_hermite", "quadrature_scheme_lognormal_quantiles",
"quadrature_scheme_softmaxnormal_gauss_hermite",
"quadrature_scheme_softmaxnormal_quantiles", "MixtureSameFamily", "Independent",
"Deterministic", "VectorDeterministic", "normal_conjugates_known_scale_posterior",
"normal_conjugates_known_scale_predictive", "QuantizedDistribution", "Kumaraswamy",
"SinhArcsinh", "ConditionalDistribution", "ConditionalTransformedDistribution",
"auto_correlation", "percentile", "VectorExponentialDiag", "VectorLaplaceDiag",
"VectorSinhArcsinhDiag", "assign_log_moving_mean_exp", "assign_moving_mean_variance",
"moving_mean_variance", "Autoregressive", "WishartCholesky", "WishartFull",
"BatchReshape", "estimator_head_distribution_regression"
]

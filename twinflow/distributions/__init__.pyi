# Made by `make stubs` from the table of the index.
from twinflow.distributions.distribution import Distribution as Distribution
from twinflow.distributions.distribution import ReparameterizationType as ReparameterizationType
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED
from twinflow.distributions.distribution import NOT_REPARAMETERIZED as NOT_REPARAMETERIZED
from twinflow.distributions.kullback_leibler import RegisterKL as RegisterKL
from twinflow.distributions.kullback_leibler import kl_divergence as kl_divergence
from twinflow.distributions.bernoulli import Bernoulli as Bernoulli
from twinflow.distributions.categorical import Categorical as Categorical
from twinflow.distributions.normal import Normal as Normal
from twinflow.distributions.beta import Beta as Beta
from twinflow.distributions.dirichlet import Dirichlet as Dirichlet
from twinflow.distributions.dirichlet_multinomial import DirichletMultinomial as DirichletMultinomial
from twinflow.distributions.exponential import Exponential as Exponential
from twinflow.distributions.gamma import Gamma as Gamma
from twinflow.distributions.laplace import Laplace as Laplace
from twinflow.distributions.multinomial import Multinomial as Multinomial
from twinflow.distributions.student_t import StudentT as StudentT
from twinflow.distributions.uniform import Uniform as Uniform

__all__ = [
"Distribution", "ReparameterizationType", "FULLY_REPARAMETERIZED",
"NOT_REPARAMETERIZED", "RegisterKL", "kl_divergence", "Bernoulli", "Categorical",
"Normal", "Beta", "Dirichlet", "DirichletMultinomial", "Exponential", "Gamma",
"Laplace", "Multinomial", "StudentT", "Uniform"
]

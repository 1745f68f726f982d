# Made by `make stubs` from the table of the index.
from twinflow.ops.random.draws import random_normal as normal
from twinflow.ops.random.draws import random_uniform as uniform
from twinflow.ops.random.draws import truncated_normal as truncated_normal
from twinflow.ops.random.gamma import random_gamma as gamma
from twinflow.ops.random.gamma import random_poisson as poisson
from twinflow.ops.random.choice import multinomial as multinomial
from twinflow.ops.random.choice import random_shuffle as shuffle
from twinflow.ops.random.choice import categorical as categorical
from twinflow.ops.nn.samplers import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from twinflow.ops.nn.samplers import uniform_candidate_sampler as uniform_candidate_sampler
from twinflow.ops.random.streams import get_seed as get_seed
from twinflow.ops.random.streams import set_random_seed as set_random_seed

__all__ = [
"normal", "uniform", "truncated_normal", "gamma", "poisson", "multinomial", "shuffle",
"categorical", "log_uniform_candidate_sampler", "uniform_candidate_sampler", "get_seed",
"set_random_seed"
]

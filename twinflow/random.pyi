# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.ops.random import random_normal as normal
from twinflow.ops.random import random_uniform as uniform
from twinflow.ops.random import truncated_normal as truncated_normal
from twinflow.ops.random_gamma import random_gamma as gamma
from twinflow.ops.random_gamma import random_poisson as poisson
from twinflow.ops.random_choice import multinomial as multinomial
from twinflow.ops.random_choice import random_shuffle as shuffle
from twinflow.ops.random_choice import categorical as categorical
from twinflow.ops.samplers import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from twinflow.ops.samplers import uniform_candidate_sampler as uniform_candidate_sampler
from twinflow.ops.streams import get_seed as get_seed
from twinflow.ops.streams import set_random_seed as set_random_seed

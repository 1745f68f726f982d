"""tf.random: random numbers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.random.draws: normal=random_normal uniform=random_uniform truncated_normal
twinflow.ops.random.gamma: gamma=random_gamma poisson=random_poisson
twinflow.ops.random.choice: multinomial shuffle=random_shuffle categorical
twinflow.ops.nn.samplers: log_uniform_candidate_sampler uniform_candidate_sampler
twinflow.ops.random.streams: get_seed set_random_seed
""",
)

"""tf.train: optimizers and the global step."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.train.optimizer: Optimizer
twinflow.train.gradient_descent: GradientDescentOptimizer
twinflow.train.momentum: MomentumOptimizer
twinflow.train.adam: AdamOptimizer
twinflow.train.training_util: get_global_step create_global_step
twinflow.train.training_util: get_or_create_global_step
twinflow.train.training_util: global_step assert_global_step
""",
)

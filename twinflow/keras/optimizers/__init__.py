"""tf.keras.optimizers: rules that update variables against gradients."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.optimizers.base: Optimizer
twinflow.keras.optimizers.algorithms: Adadelta Adagrad Adam Adamax Nadam RMSprop SGD
twinflow.keras.optimizers.algorithms: TFOptimizer deserialize get serialize
twinflow.keras.optimizers.algorithms: adadelta adagrad adam adamax nadam rmsprop sgd
""",
)

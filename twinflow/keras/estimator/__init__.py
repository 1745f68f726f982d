"""tf.keras.estimator."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.estimator.keras_model: model_to_estimator
""",
)

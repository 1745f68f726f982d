"""tf.keras.wrappers: models for other libraries."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.wrappers.scikit_learn: scikit_learn=*
""",
)

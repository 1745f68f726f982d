"""tf.keras.preprocessing: sequences, texts and images as arrays."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.preprocessing.image: image=*
twinflow.keras.preprocessing.sequence: sequence=*
twinflow.keras.preprocessing.text: text=*
""",
)

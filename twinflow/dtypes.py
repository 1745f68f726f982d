"""tf.dtypes: data types and conversions between them."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.dtypes: DType as_dtype
twinflow.ops.math.clip: saturate_cast
twinflow.ops.core.complex: complex
twinflow.ops.core.constant: cast
twinflow.ops.strings.number: as_string
""",
)

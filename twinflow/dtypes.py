"""tf.dtypes: data types and conversions between them."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.dtypes: DType as_dtype
twinflow.ops.clip: saturate_cast
twinflow.ops.complex: complex
twinflow.ops.constant: cast
twinflow.ops.string_number: as_string
""",
)

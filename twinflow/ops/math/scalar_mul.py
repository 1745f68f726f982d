"""Products with one number."""

from typing import Any

from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import Mul
from twinflow.ops.core.index import IndexedSlices


def scalar_mul(scalar: Any, x: TensorValue) -> Any:
    """`x` times a single number.

    Args:
        scalar: a scalar, of the dtype of x where it is a tensor.
        x: a numeric tensor of any shape, or IndexedSlices, which stay so.
    Raises:
        ValueError: `scalar` is not a scalar.
    Example:
        tf.scalar_mul(2.0, tf.constant([1.0, 3.0]))  # [2., 6.]
    """
    if not is_tensor_like(x):
        x = convert_to_tensor(x)
    scalar = convert_to_tensor(scalar, x.dtype.base_dtype, name="scalar")
    if scalar._shape != ():
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    if isinstance(x, IndexedSlices):
        values = apply(Mul, (scalar, x.values), None, "mul")
        return IndexedSlices(values, x.indices, x.dense_shape)
    return apply(Mul, (scalar, x), None, "mul")

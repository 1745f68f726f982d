"""The number of elements of a tensor, dense or sparse."""

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast
from twinflow.ops.core.reduction import Prod
from twinflow.ops.core.shape import dense_size
from twinflow.ops.core.sparse_values import dense_shape_of


def size(
    input: TensorValue, name: str | None = None, out_type: DTypeValue = dtypes.int32
) -> Tensor:
    """The number of elements of `input`, an `out_type` scalar.

    Args:
        input: a tensor of any dtype, or a SparseTensor: the size of the whole.
        name: the name of the node in a graph. out_type: int32 or int64.
    Example:
        tf.size([[1, 2, 3]])  # 3
    """
    if (sparse := dense_shape_of(input)) is None:
        return dense_size(input, name, out_type)
    sizes = cast(sparse, dtypes.as_dtype(out_type))
    return apply(Prod, (sizes, 0), None, name)

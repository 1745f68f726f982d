"""Elements chosen by a mask."""

from twinflow.base import dispatch
from twinflow.base.annotations import AxisValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.index import gather
from twinflow.ops.core.infer import one_int, static_value
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape, squeeze


def boolean_mask(
    tensor: TensorValue, mask: TensorValue, name: str | None = "boolean_mask",
    axis: AxisValue | None = None,
) -> Tensor:  # fmt: skip
    """The elements of `tensor` where `mask` is true; how many depends on the values.

    Args:
        tensor: a tensor. name: the name of the scope in a graph.
        mask: a bool tensor of known rank, of the shape of some axes of `tensor`.
        axis: the first of these axes; 0 if not given.
    Returns:
        `tensor` with the masked axes replaced by one.
    Raises:
        ValueError: the mask is a scalar, of unknown rank, or does not fit.
    Example:
        tf.boolean_mask([1, 2, 3], [True, False, True])  # [1, 3]
    """
    with dispatch.current_mode().name_scope(name):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        axis = 0 if axis is None else one_int(static_value(axis))
        n = _check_mask(tensor, mask, axis)
        with dispatch.current_mode().counted(27):
            if n > 1:
                tensor = reshape(tensor, _joined(tensor, axis, n))
                mask = reshape(mask, [-1])
            return gather(tensor, squeeze(where(mask), axis=[1]), axis=axis)


def _check_mask(tensor, mask, axis):
    """The rank of the mask, if it fits."""
    if mask._shape is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are "
            "None.  E.g. shape=[None] is ok, but shape=None is not."
        )
    n = len(mask._shape)
    if n == 0:
        raise ValueError("mask cannot be scalar.")
    tensor.shape[axis : axis + n].assert_is_compatible_with(mask.shape)
    return n


def _joined(tensor, axis, n):
    """The shape of `tensor` with `n` axes from `axis` on made one."""
    if tensor._shape is None:
        sizes = shape(tensor)
        return concat([sizes[:axis], [-1], sizes[axis + n :]], 0)
    sizes = tensor._shape_value()
    if type(sizes) is not tuple:
        sizes = shape(tensor)
    others = [i for i in range(len(tensor._shape)) if not axis <= i < axis + n]
    dims = [
        tensor._shape[i] if tensor._shape[i] is not None else sizes[i] for i in others
    ]
    return [*dims[:axis], -1, *dims[axis:]]

"""Second derivatives of graphs."""

from typing import Any

from twinflow.base import dispatch
from twinflow.graph.gradients import gradients, listed
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.tensor_array.arrays import TensorArray


def hessians(
    ys: Any, xs: Any, name: str | None = "hessians",
    colocate_gradients_with_ops: Any = False, gate_gradients: Any = False,
    aggregation_method: Any = None,
) -> list[Any]:  # fmt: skip
    """The matrices of second derivatives of the sum of `ys`, one for each x.

    Args:
        ys: a tensor or a list of tensors. xs: a tensor or variable, or a list of them.
        name: the name scope of the new nodes.
        colocate_gradients_with_ops, gate_gradients, aggregation_method: accepted.
    Returns:
        A list with a tensor[shape of x + shape of x] for each x.
    Raises:
        RuntimeError: eager execution is enabled.
        ValueError: no y depends on an x.
    Example:
        x = tf.constant([1., 2.])
        hessian, = tf.hessians(tf.reduce_sum(x ** 3), x)
        with tf.Session() as sess: sess.run(hessian)  # [[6., 0.], [0., 12.]]
    """
    xs = listed(xs)
    slopes = gradients(ys, xs, name=name, aggregation_method=aggregation_method)
    return [_hessian(x, dx) for x, dx in zip(xs, slopes, strict=True)]


def _hessian(x: Any, dx: Any) -> Any:
    if dx is None:
        raise ValueError(f"tf.hessians: no y depends on {x}.")
    dx = reshape(convert_to_tensor(dx), [-1])
    n = size(x)

    def row(j: Any, rows: Any) -> tuple:
        found = gradients(dx[j], x)[0]
        found = zeros_like(x) if found is None else convert_to_tensor(found)
        return j + 1, rows.write(j, found)

    rows = TensorArray(x.dtype.base_dtype, n)
    _, rows = while_loop(lambda j, _: j < n, row, [0, rows])
    dims = shape(x)
    out = reshape(rows.stack(), concat([dims, dims], 0))
    if dispatch.current_mode().eager or x._shape is None:
        return out
    out.set_shape((*x._shape, *x._shape))
    return out

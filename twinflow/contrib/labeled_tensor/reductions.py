"""Sums and others along the axes of labeled tensors."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.labeled_tensor.axes import Axis
from twinflow.contrib.labeled_tensor.labeled import (
    LabeledTensor,
    convert_to_labeled_tensor,
)
from twinflow.graph.scopes import name_scope
from twinflow.ops.core import reduction
from twinflow.ops.core.constant import identity
from twinflow.ops.core.shape import squeeze


def define_reduce_op(op_name: str, reduce_fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function along axes of a labeled tensor.

    Args:
        op_name: its name. reduce_fn: the one of a tensor, `axis`, `keepdims`, `name`.
    """

    def op(
        labeled_tensor: Any, axes: Any = None, name: str | None = None
    ) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            kept = _kept(x, axes)
            places = [i for i, n in enumerate(x.axes) if n in kept]
            found = reduce_fn(x.tensor, places, keepdims=True)
            gone = [i for i in places if kept[list(x.axes)[i]] is None]
            named = {n: Axis(n, [v]) for n, v in kept.items() if v is not None}
            left = [
                named.get(n, a)
                for n, a in x.axes.items()
                if n in named or n not in kept
            ]
            found = squeeze(found, gone, name=scope) if gone else identity(found, scope)
            return LabeledTensor(found, left)

    op.__name__ = op.__qualname__ = op_name
    op.__doc__ = f"""tf.{op_name} along axes.

    Args:
        labeled_tensor: a LabeledTensor.
        axes: a name, or some; a pair of a name and a label keeps the axis, with that
            label. All axes by default.
        name: of the op.
    Raises:
        ValueError: there is no such axis.
    """
    return op


def _kept(x: LabeledTensor, axes: Any) -> dict[str, Any]:
    """{name of an axis: the label that is left, or None}."""
    if axes is None:
        axes = list(x.axes)
    if isinstance(axes, str | tuple):
        axes = [axes]
    found = dict(a if isinstance(a, tuple) else (a, None) for a in axes)
    for name in found:
        if name not in x.axes:
            raise ValueError(f"Axis {name} not in axes {x.axes!r}")
    return found


reduce_all = define_reduce_op("reduce_all", reduction.reduce_all)
reduce_any = define_reduce_op("reduce_any", reduction.reduce_any)
reduce_logsumexp = define_reduce_op("reduce_logsumexp", reduction.reduce_logsumexp)
reduce_max = define_reduce_op("reduce_max", reduction.reduce_max)
reduce_mean = define_reduce_op("reduce_mean", reduction.reduce_mean)
reduce_min = define_reduce_op("reduce_min", reduction.reduce_min)
reduce_prod = define_reduce_op("reduce_prod", reduction.reduce_prod)
reduce_sum = define_reduce_op("reduce_sum", reduction.reduce_sum)

"""LabeledTensor, and functions of the order of its axes."""

import contextlib
from collections.abc import Callable, Iterator
from numbers import Number
from typing import Any

import numpy as np

from twinflow.base.convert import register_tensor_conversion_function
from twinflow.base.dispatch import local
from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.contrib.labeled_tensor.axes import Axes, Axis, AxisOrderError, checked
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.constant import identity as plain_identity
from twinflow.ops.core.shape import reshape as plain_reshape
from twinflow.ops.core.transposing import transpose as plain_transpose

_SCALARS = (Number, bool, bytes, str)


def _deferred(name: str, turned: bool = False) -> Callable:
    """An operator that elementwise.py defines: it needs LabeledTensor first."""

    def method(self: "LabeledTensor", *other: Any) -> "LabeledTensor":
        args = (*other, self) if turned else (self, *other)
        return OPERATORS[name](*args)

    return method


OPERATORS: dict[str, Callable] = {}


class LabeledTensor:
    """A tensor with an axis, by name, for each of its dimensions.

    Args:
        tensor: a tensor. axes: an Axes; or a list with a name, an Axis, or a pair of a
            name and labels or a size for each dimension.
    Raises:
        ValueError: there are not as many axes as dimensions, a size is another one than
            that of the dimension, or a name comes twice.
    Example:
        lt = tf.contrib.labeled_tensor
        x = lt.LabeledTensor(tf.ones([2, 3]), ["row", ("color", ["r", "g", "b"])])
        lt.select(x, {"color": "g"}).shape  # (2,)
    """

    def __init__(self, tensor: Any, axes: Any) -> None:
        checked(tensor, Tensor, "the tensor of a LabeledTensor")
        shape = tensor.get_shape()
        if not isinstance(axes, Axes):
            sizes = dict(enumerate(shape.dims or ()))
            listed = list(checked(axes, (list, tuple), "the axes of a LabeledTensor"))
            axes = Axes([
                (a, sizes.get(i)) if isinstance(a, str) else a
                for i, a in enumerate(listed)
            ])  # fmt: skip
        if shape.ndims != len(axes):
            raise ValueError(
                f"Tensor rank was not equal to the number of axes: {shape!r}, {axes!r}"
            )
        for size, axis in zip(shape.as_list(), axes.values(), strict=True):
            if axis.size != size:
                raise ValueError(
                    f"Provided axis size {axis.size} does not match tensor dimension "
                    f"size {size}"
                )
        self._tensor, self._axes = tensor, axes

    @property
    def tensor(self) -> Any:
        """The tensor without its labels."""
        return self._tensor

    def _as_graph_element(self) -> Any:
        return self._tensor

    @property
    def axes(self) -> Axes:
        """The axes."""
        return self._axes

    @property
    def name(self) -> str:
        """The name of the tensor."""
        return self._tensor.name

    @property
    def dtype(self) -> Any:
        """The dtype of the tensor."""
        return self._tensor.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the tensor."""
        return self._tensor.shape

    def get_shape(self) -> TensorShape:
        """The shape of the tensor."""
        return self._tensor.get_shape()

    def __getitem__(self, key: Any) -> "LabeledTensor":
        key = key if isinstance(key, tuple) else (key,)
        if len(key) != len(self.axes):
            raise ValueError(
                f"indexer {key!r} must have the same length as the Tensor rank "
                f"({len(self.axes)})"
            )
        whole = slice_function  # the name that LabeledTensor's users know is `slice`
        return whole(self, dict(zip(self.axes, key, strict=True)))

    def __repr__(self) -> str:
        axes = (",\n" + " " * 7).join(
            f"({a.name!r}, {a.value!r})" for a in self.axes.values()
        )
        named = getattr(self._tensor, "name", "eager")
        return (
            f"<LabeledTensor {named!r} shape={self.shape} dtype={self.dtype.name}\n"
            f" axes=[{axes}]>"
        )

    __abs__ = _deferred("abs")
    __neg__ = _deferred("neg")
    __invert__ = _deferred("logical_not")
    __add__, __radd__ = _deferred("add"), _deferred("add", True)
    __sub__, __rsub__ = _deferred("sub"), _deferred("sub", True)
    __mul__, __rmul__ = _deferred("mul"), _deferred("mul", True)
    __truediv__, __rtruediv__ = _deferred("div"), _deferred("div", True)
    __mod__, __rmod__ = _deferred("mod"), _deferred("mod", True)
    __pow__, __rpow__ = _deferred("pow"), _deferred("pow", True)
    __lt__, __le__ = _deferred("less"), _deferred("less_equal")
    __gt__, __ge__ = _deferred("greater"), _deferred("greater_equal")
    __and__, __rand__ = _deferred("logical_and"), _deferred("logical_and", True)
    __or__, __ror__ = _deferred("logical_or"), _deferred("logical_or", True)
    __xor__, __rxor__ = _deferred("logical_xor"), _deferred("logical_xor", True)


def _as_plain(
    value: Any, dtype: Any = None, name: Any = None, as_ref: Any = False
) -> Any:
    return convert_to_tensor(value.tensor, dtype=dtype, name=name)


register_tensor_conversion_function(LabeledTensor, _as_plain)


def convert_to_labeled_tensor(
    value: Any, dtype: Any = None, name: str | None = None
) -> LabeledTensor:
    """A LabeledTensor: itself, or one without axes of a scalar.

    Args:
        value: a LabeledTensor, tensor, array or Python scalar.
        dtype: what it should have.
    Raises:
        ValueError: it has another dtype, or dimensions and no names for them.
    """
    if isinstance(value, LabeledTensor):
        axes: Any = value.axes
        value = value.tensor
    else:
        checked(value, (Tensor, np.ndarray, *_SCALARS), "convert_to_labeled_tensor")
        axes = []
    wanted = None if dtype is None else as_dtype(dtype)
    with name_scope(name, "lt_convert_to_labeled_tensor") as scope:
        named = None if isinstance(value, Tensor) else scope
        tensor = convert_to_tensor(value, dtype=wanted, name=named)
    if len(tensor.get_shape()) != len(axes):
        raise ValueError(
            "cannot automatically convert unlabeled arrays or tensors with rank>0 into "
            f"LabeledTensors: {value!r}"
        )
    return LabeledTensor(tensor, axes)


def identity(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """The same, as a node of its own."""
    with name_scope(name, "lt_identity", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(plain_identity(x.tensor, name=scope), x.axes)


def slice_function(
    labeled_tensor: Any, selection: Any, name: str | None = None
) -> LabeledTensor:
    """Places along axes; `lt.select` takes labels.

    Args:
        selection: dict from names of axes to integers, whose axis goes, or slices.
    """
    with name_scope(name, "lt_slice", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        keys = tuple(selection.get(n, slice(None)) for n in x.axes)
        tensor = plain_identity(x.tensor[keys], name=scope)
        sizes = iter(tensor.get_shape().dims)
        axes = []
        for axis, key in zip(x.axes.values(), keys, strict=True):
            if isinstance(key, slice):
                size = next(sizes)
                axes.append((axis.name, axis.labels[key] if axis.labels else size))
        return LabeledTensor(tensor, axes)


def transpose(
    labeled_tensor: Any, axis_order: Any = None, name: str | None = None
) -> LabeledTensor:
    """The axes in another order; turned round by default.

    Args:
        axis_order: their names.
    Raises:
        ValueError: these are not its names.
    """
    with name_scope(name, "lt_transpose", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        before = list(x.axes)
        order = before[::-1] if axis_order is None else list(axis_order)
        if sorted(order) != sorted(before):
            raise ValueError(
                "The new axis order must have the same names as the original axes, but "
                f"the new order is {order!r} while the original order is {before!r}"
            )
        places = [before.index(n) for n in order]
        tensor = plain_transpose(x.tensor, places, name=scope)
        return LabeledTensor(tensor, Axes([x.axes[n] for n in order]))


def expand_dims(
    labeled_tensor: Any, axes: Any, name: str | None = None
) -> LabeledTensor:
    """New axes of size 1.

    Args:
        axes: the names of all, in order; a pair of a name and a label for one that gets
            the label.
    Raises:
        AxisOrderError: the old ones are not in this order.
    """
    with name_scope(name, "lt_expand_dims", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names = [a if isinstance(a, str) else a[0] for a in axes]
        check_axis_order(x, names)
        made = [
            x.axes[n] if n in x.axes else Axis(n, 1 if isinstance(a, str) else [a[1]])
            for n, a in zip(names, axes, strict=True)
        ]
        sizes = x.tensor.get_shape().as_list()
        if sizes.count(None) <= 1:
            old = iter(-1 if s is None else s for s in sizes)
            shape: Any = [next(old) if n in x.axes else 1 for n in names]
            tensor = plain_reshape(x.tensor, shape, name=scope)
        else:
            key = tuple(slice(None) if n in x.axes else None for n in names)
            tensor = plain_identity(x.tensor[key], name=scope)
        return LabeledTensor(tensor, Axes(made))


# ------------------------------------------------------------------------ order
@contextlib.contextmanager
def axis_order_scope(axis_order: Any = None) -> Iterator[None]:
    """A block in which axes have an order.

    Args:
        axis_order: names; None for none.
    Example:
        lt = tf.contrib.labeled_tensor
        x = lt.LabeledTensor(tf.ones([2, 3]), ["x", "y"])
        with lt.axis_order_scope(["y", "x"]):
            lt.impose_axis_order(x).shape  # (3, 2)
    """
    outer = _scope_order()
    local.axis_order = axis_order
    try:
        yield
    finally:
        local.axis_order = outer


def _scope_order() -> Any:
    return getattr(local, "axis_order", None)


def _order(x: LabeledTensor, axis_order: Any) -> list[str]:
    """The wanted order of the names of `x`."""
    order = _scope_order() if axis_order is None else axis_order
    if order is None:
        raise AxisOrderError(
            "an explicit axis order must be provided with the axis_order argument or "
            "by using an axis_order_scope"
        )
    order = list(order)
    if not set(x.axes) <= set(order):
        raise AxisOrderError(
            f"not all axis names appear in the required axis order {order!r}: {x!r}"
        )
    return order


def check_axis_order(labeled_tensor: Any, axis_order: Any = None) -> None:
    """Hold that axes are in an order.

    Args:
        axis_order: names, also others; those of the block around by default.
    Raises:
        AxisOrderError: they are not.
    """
    x = convert_to_labeled_tensor(labeled_tensor)
    order = _order(x, axis_order)
    if [n for n in order if n in x.axes] != list(x.axes):
        raise AxisOrderError(
            "axes on a labeled tensor do not appear in the same order as the required "
            f"axis order {order!r}: {x!r}"
        )


def impose_axis_order(
    labeled_tensor: Any, axis_order: Any = None, name: str | None = None
) -> LabeledTensor:
    """The axes in an order; see `check_axis_order`."""
    with name_scope(name, "lt_impose_axis_order", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        order = list(axis_order) if axis_order is not None else _order(x, None)
        return transpose(x, [n for n in order if n in x.axes], name=scope)


def consistent_order(a: list, b: list) -> list | None:
    """The names of both in an order that both have, or None."""
    rest_a, rest_b, found = list(a), list(b), []
    while rest_a or rest_b:
        if rest_a and (rest_a[0] not in rest_b or rest_a[0] == rest_b[0]):
            found.append(rest_a.pop(0))
            if rest_b and rest_b[0] == found[-1]:
                rest_b.pop(0)
        elif rest_b and rest_b[0] not in rest_a:
            found.append(rest_b.pop(0))
        else:
            return None
    return found


def align(
    labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None
) -> tuple[LabeledTensor, LabeledTensor, Axes]:
    """Two tensors with the same axes, of size 1 where they had none.

    Returns:
        Both, and the axes that they have together.
    Raises:
        ValueError: an axis of a name is not the same in both.
        AxisOrderError: there is no order that both have.
    """
    with name_scope(name, "lt_align", [labeled_tensor_0, labeled_tensor_1]):
        x = convert_to_labeled_tensor(labeled_tensor_0)
        y = convert_to_labeled_tensor(labeled_tensor_1)
        for n in x.axes:
            if n in y.axes and x.axes[n] != y.axes[n]:
                raise ValueError(
                    f"Mismatched {n!r} axis on input tensors: {x.axes[n]!r} and "
                    f"{y.axes[n]!r}"
                )
        order = _common_order(x, y)
        known = {**y.axes, **x.axes}
        together = Axes([known[n] for n in order])
        return (
            expand_dims(x, order, name="lt_align/0"),
            expand_dims(y, order, name="lt_align/1"),
            together,
        )


def _common_order(x: LabeledTensor, y: LabeledTensor) -> list[str]:
    scoped = _scope_order()
    if scoped is not None:
        check_axis_order(x, scoped)
        check_axis_order(y, scoped)
        return [n for n in scoped if n in x.axes or n in y.axes]
    found = consistent_order(list(x.axes), list(y.axes))
    if found is None:
        raise AxisOrderError(
            "No consistent axis order allows for aligning tensors with axis orders "
            f"{x.axes.keys()!r} and {y.axes.keys()!r} without copying data. Use "
            "transpose or impose_axis_order to reorder axes on one of more of the "
            "inputs."
        )
    return found

"""Nested lists with tensors in them, as one tensor."""

from typing import Any

from twinflow.base.convert import holds_tensor, is_tensor_like
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast
from twinflow.ops.core.joining import Pack


def stack_nested(value: TensorValue, dtype: Any, name: str | None = "packed") -> Tensor:
    """A nested list with tensors in it as a tensor.

    Args:
        dtype: the DType that it becomes; None = that of its first tensor.
    Raises:
        TypeError: its tensors are of several dtypes (in a graph).
    """
    first = next(_tensors_in(value)).dtype.base_dtype
    if dtype is not None and dtype.base_dtype is not first:
        value = _cast_in(value, dtype.base_dtype)
    elif not current_mode().eager:
        for t in _tensors_in(value):
            if t.dtype.base_dtype is not first:
                raise TypeError(
                    f"Cannot convert a list containing a tensor of dtype "
                    f"{t.dtype.base_dtype} to {first} (Tensor is: {t!r})"
                )
    return _packed(value, name)


def _packed(value, name):
    parts = [_packed(v, "packed") if holds_tensor(v) and not is_tensor_like(v) else v
             for v in value]  # fmt: skip
    return apply(Pack, (parts,), {"axis": 0}, name)


def _tensors_in(value):
    if is_tensor_like(value):
        yield value
    elif isinstance(value, list | tuple):
        for v in value:
            yield from _tensors_in(v)


def _cast_in(value, dtype):
    """The nested list with its tensors cast."""
    if is_tensor_like(value):
        return cast(value, dtype)
    if isinstance(value, list | tuple):
        return [_cast_in(v, dtype) for v in value]
    return value

"""The handle that every value is reached by, now or later."""

from collections.abc import Callable
from typing import Any

from twinflow.base import shapes
from twinflow.base.dtypes import DType


class Tensor:
    """A value of one dtype: held now (eager) or promised for later (a graph).

    Subclasses give ``dtype``, ``_shape`` (a tuple of int or None; None = unknown rank)
    and ``_shape_value()`` (a tuple where known, else a tensor). The operators are put
    here by ops.operators.
    """

    __slots__ = ()
    symbolic = False  # True for the tensors of a graph
    __array_priority__ = 100  # ndarray op Tensor goes to the Tensor's reflected method

    dtype: DType
    _shape: tuple | None
    _id: Any  # the int under which tapes know it, in a slot of the subclass
    _shape_value: Callable
    __getitem__: Callable[..., Any]

    @property
    def shape(self):
        """The static shape, a TensorShape."""
        return shapes.TensorShape(self._shape)

    def get_shape(self):
        """Same as `shape`."""
        return self.shape


class ResourceHandle:
    """Marks objects (variables) that ops reach through a tensor of their own.

    Subclasses give ``_as_tensor(dtype, name)``, the value as a tensor, and ``handle``,
    the tensor that stands for the object; tapes know it by ``handle_id()``.
    """

    __slots__ = ()

    dtype: DType
    handle: Tensor
    trainable: bool
    _as_tensor: Callable[..., Any]
    _graph_element: Callable[..., Any]
    handle_id: Callable[[], int]

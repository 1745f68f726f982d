"""The handle that every value is reached by, now or later."""

from twinflow.base import shapes


class Tensor:
    """A value of one dtype: held now (eager) or promised for later (a graph).

    Subclasses give ``dtype``, ``_shape`` (a tuple of int or None; None = unknown rank)
    and ``_shape_value()`` (a tuple where known, else a tensor). The operators are put
    here by ops.operators.
    """

    __slots__ = ()
    symbolic = False  # True for the tensors of a graph
    __array_priority__ = 100  # ndarray op Tensor goes to the Tensor's reflected method

    @property
    def shape(self):
        """The static shape, a TensorShape."""
        return shapes.TensorShape(self._shape)

    def get_shape(self):
        """Same as `shape`."""
        return self.shape


class ResourceHandle:
    """Marks objects (variables) that ops reach through a tensor of their own.

    Subclasses give ``_as_tensor(dtype, name)``: the value as a tensor, and ``handle``.
    """

    __slots__ = ()

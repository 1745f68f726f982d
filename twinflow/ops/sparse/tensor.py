"""SparseTensor: the places and values of the elements of a tensor that are not zero."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, Tensor, loop_shape
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core import part_cards
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.sparse_values import SparseTensorValue
from twinflow.ops.sparse.cwise import (
    SparseDenseCwiseDiv,
    SparseDenseCwiseMul,
    combined,
)

__all__ = [
    "SparseTensor", "SparseTensorValue", "convert_to_tensor_or_sparse_tensor",
    "is_sparse", "sparse_input", "sparse_inputs", "sparse_placeholder",
]  # fmt: skip


class SparseTensor(Composite):
    """The tensor ``x`` with ``x[indices[i]] == values[i]``, zero elsewhere.

    Most ops want the rows of `indices` in ascending order, none of them twice; see
    tf.sparse_reorder. Times (and divided by) a dense tensor it stays sparse.

    Args:
        indices: int64[n, ndims]. values: a tensor[n].
        dense_shape: int64[ndims], the shape of the whole.
    Raises:
        ValueError: the shapes of the three do not fit together.
    Example:
        x = tf.SparseTensor([[0, 0], [1, 2]], [1., 2.], [2, 3])
        tf.sparse_tensor_to_dense(x)  # [[1., 0., 0.], [0., 0., 2.]]
    """

    __slots__ = ("_dense_shape", "_indices", "_values")
    __array_priority__ = 100
    _value = SparseTensorValue

    def __init__(
        self, indices: TensorValue, values: TensorValue, dense_shape: ShapeValue
    ) -> None:
        mode = dispatch.current_mode()
        if mode.eager:
            self._convert(indices, values, dense_shape)
        else:
            with mode.name_scope("SparseTensor"):
                self._convert(indices, values, dense_shape)
        self._check()

    def _convert(self, indices, values, dense_shape):
        self._indices = convert_to_tensor(indices, dtypes.int64, name="indices")
        self._values = convert_to_tensor(values, name="values")
        self._dense_shape = convert_to_tensor(
            dense_shape, dtypes.int64, name="dense_shape"
        )

    def _check(self):
        indices = self._indices.shape.with_rank(2)
        values = self._values.shape.with_rank(1)
        dense_shape = self._dense_shape.shape.with_rank(1)
        indices[0].merge_with(values[0])
        indices[1].merge_with(dense_shape[0])

    def _repr_html_(self) -> str:
        return part_cards.of_parts(self)

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> "SparseTensor":
        """A SparseTensor of a SparseTensorValue, or of another SparseTensor.

        Raises:
            TypeError: it is neither.
        """
        if not is_sparse(sparse_tensor_value):
            raise TypeError(
                "Neither a SparseTensor nor SparseTensorValue: "
                f"{sparse_tensor_value!s}."
            )
        v = sparse_tensor_value
        return cls(v.indices, v.values, v.dense_shape)

    indices = property(
        attrgetter("_indices"), doc="The places of the elements, int64[n, ndims]."
    )
    values = property(attrgetter("_values"), doc="The elements, a tensor[n].")
    dense_shape = property(
        attrgetter("_dense_shape"), doc="The shape of the whole, int64[ndims]."
    )
    dtype = property(attrgetter("_values.dtype"), doc="The DType of the values.")

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape of the whole, a TensorShape."""
        known = self._dense_shape._known_value()
        if known is None:
            size = self._dense_shape._shape
            n = size[0] if size else None
            return TensorShape(None if n is None else [None] * n)
        return TensorShape([None if d is None or d < 0 else int(d) for d in known])

    def get_shape(self) -> Any:
        """Same as `shape`."""
        return self.shape

    op = property(attrgetter("_values.op"), doc="The node of the values (graph mode).")
    graph = property(attrgetter("_indices.graph"), doc="The graph (graph mode).")

    def consumers(self) -> list[Any]:
        """The nodes that take one of the three tensors."""
        nodes = [n for t in self._components() for n in t.consumers()]
        return list(dict.fromkeys(nodes))

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The SparseTensorValue in `session`; see Session.run."""
        found = (t.eval(feed_dict, session) for t in self._components())
        return SparseTensorValue(*found)

    def _components(self):
        return self._indices, self._values, self._dense_shape

    def _with(self, components):
        made = object.__new__(SparseTensor)
        made._indices, made._values, made._dense_shape = components
        return made

    def _loop_shapes(self, invariant=None):
        """Any number of elements; `invariant` is the shape of `dense_shape`."""
        part = "shape tensor of this SparseTensor"
        size = loop_shape(self._dense_shape, invariant, part)
        return [(None, size[0] if size else None), (None,), size]

    def __mul__(self, y):
        return self._with(combined(SparseDenseCwiseMul, self, y, "mul"))

    __rmul__ = __mul__

    def __truediv__(self, y):
        return self._with(combined(SparseDenseCwiseDiv, self, y, "truediv"))

    def __div__(self, y):
        return self._with(combined(SparseDenseCwiseDiv, self, y, "div"))

    def __str__(self):
        return (
            f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
            f"dense_shape={self._dense_shape!s})"
        )


def is_sparse(value):
    """Whether `value` is a SparseTensor or a SparseTensorValue."""
    return isinstance(value, SparseTensor | SparseTensorValue)


def sparse_input(value):
    """`value` as a SparseTensor.

    Raises:
        TypeError: it is neither a SparseTensor nor a SparseTensorValue.
    """
    if isinstance(value, SparseTensor):
        return value
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    raise TypeError("Input must be a SparseTensor.")


def sparse_inputs(values):
    """A list of SparseTensors; TypeError where `values` is no list."""
    if isinstance(values, SparseTensorValue) or not isinstance(values, list | tuple):
        raise TypeError("Inputs must be a list or tuple.")
    return [sparse_input(v) for v in values]


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: DTypeValue | None = None, name: str | None = None
) -> Any:
    """`value` as a SparseTensor if it is sparse, else as a tensor.

    Args:
        value: a SparseTensor, a SparseTensorValue, or what converts to a tensor.
        dtype: the DType it must have. name: the name of the Const in a graph.
    Raises:
        RuntimeError: a sparse value has another dtype.
    """
    if not is_sparse(value):
        return convert_to_tensor(value, dtype, name)
    value = sparse_input(value)
    if dtype is not None and not value.dtype.is_compatible_with(dtype):
        raise RuntimeError(
            f"Sparse dtype: requested = {dtypes.as_dtype(dtype).name}, "
            f"actual = {value.dtype.name}"
        )
    return value


def sparse_placeholder(
    dtype: DTypeValue, shape: ShapeValue | None = None, name: str | None = None
) -> SparseTensor:
    """A SparseTensor that must be fed when the graph runs.

    Args:
        dtype: the DType of the values.
        shape: the shape of the whole, where it is known: ints, a TensorShape, or an
            int64 tensor; with unknown sizes only the number of axes counts.
        name: the prefix of the three names.
    Returns:
        A SparseTensor; feed it a SparseTensorValue or (indices, values, dense_shape).
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        x = tf.sparse_placeholder(tf.float32)
    """
    if dispatch.current_mode().eager:
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    label = (lambda part: None) if name is None else (lambda part: f"{name}/{part}")
    dense_shape, rank = _known_shape(shape, label("shape"))
    if dense_shape is None:
        dense_shape = placeholder(dtypes.int64, [rank], label("shape"))
    values = placeholder(dtype, [None], label("values"))
    indices = placeholder(dtypes.int64, [None, rank], label("indices"))
    return SparseTensor(indices, values, dense_shape)


def _known_shape(shape, name):
    """(int64 tensor or None, number of axes or None) of a shape as users give it."""
    if shape is None:
        return None, None
    if isinstance(shape, Tensor):
        dense_shape = convert_to_tensor(shape, dtypes.int64)
        return dense_shape, dense_shape.shape[0].value
    shape = TensorShape(shape)
    if not shape.is_fully_defined():
        return None, shape.ndims
    dims = np.array(shape.as_list(), np.int64)
    return convert_to_tensor(dims, name=name), shape.ndims

"""IndexedSlices: some rows of a tensor whose other rows are zero."""

import math
import warnings
from typing import NamedTuple

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, Tensor, TensorLike, loop_shape
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import negative
from twinflow.ops.core.joining import concat


class IndexedSlicesValue(NamedTuple):
    """The arrays of an IndexedSlices, as a Session returns them."""

    values: np.ndarray
    indices: np.ndarray
    dense_shape: np.ndarray | None


_LARGE = 100_000_000  # elements


def _warn_of_size(dense_shape):
    """Warn in a graph where the dense form is large, or may be."""
    known = () if dispatch.current_mode().eager else dense_shape._known_value()
    if known is None or None in tuple(known):
        size = "of unknown shape"
    elif (count := math.prod(int(d) for d in known)) >= _LARGE:
        size = f"with {count} elements"
    else:
        return
    warnings.warn(
        f"Converting sparse IndexedSlices to a dense Tensor {size}. This may consume "
        "a large amount of memory.",
        stacklevel=3,
    )


class IndexedSlices(TensorLike, Composite):
    """The tensor ``x`` with ``x[indices[i]] += values[i]``, zero elsewhere.

    The gradient of tf.gather, and so of embeddings; taken as a tensor it becomes dense.

    Args:
        values: a tensor[n, ...], the rows.
        indices: int32 or int64[n], where they belong; the same place may come twice.
        dense_shape: the shape of the whole, int[ndims], where it is known.
    Example:
        tf.convert_to_tensor(tf.IndexedSlices([[1., 2.]], [1], [3, 2]))
    """

    __slots__ = ("_dense_shape", "_indices", "_values")
    _value = IndexedSlicesValue

    def __init__(self, values, indices, dense_shape=None):
        self._values, self._indices = values, indices
        self._dense_shape = dense_shape

    @property
    def values(self):
        """The rows."""
        if not isinstance(self._values, Tensor):
            self._values = convert_to_tensor(self._values)
        return self._values

    @property
    def indices(self):
        """Which rows they are."""
        if not isinstance(self._indices, Tensor):
            self._indices = convert_to_tensor(self._indices)
        return self._indices

    @property
    def dense_shape(self):
        """The shape of the whole, a tensor, or None."""
        if self._dense_shape is not None and not isinstance(self._dense_shape, Tensor):
            self._dense_shape = convert_to_tensor(self._dense_shape)
        return self._dense_shape

    @property
    def dtype(self):
        """The DType of the values."""
        return self.values.dtype

    @property
    def _shape(self):
        """What is known of the shape of the whole."""
        if isinstance(self._dense_shape, tuple):
            return self._dense_shape
        rest = self.values._shape
        return None if rest is None else (None, *rest[1:])

    def _shape_value(self):
        shape = self._dense_shape
        return self._as_tensor()._shape_value() if shape is None else shape

    @property
    def shape(self):
        """What is known of the shape of the whole, a TensorShape."""
        return TensorShape(self._shape)

    @property
    def name(self):
        """The name of the values (graph mode)."""
        return self.values.name

    @property
    def op(self):
        """The node of the values (graph mode)."""
        return self.values.op

    @property
    def graph(self):
        """The graph (graph mode)."""
        return self.values.graph

    @property
    def device(self):
        """Where the values are."""
        return self.values.device

    def _as_tensor(self, dtype=None, name=None):
        if self._dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape: "
                f"{self}"
            )
        _warn_of_size(self.dense_shape)
        inputs = (self.values, self.indices, self._dense_shape[0])
        return apply(registry["UnsortedSegmentSum"], inputs, None, name)

    def _components(self):
        return self.values, self.indices, self.dense_shape

    def _with(self, components):
        return IndexedSlices(*components)

    def _loop_shapes(self, invariant=None):
        """`invariant` is the shape of `values`."""
        part = "values tensor of this IndexedSlices"
        rows = loop_shape(self.values, invariant, part)
        if invariant is None:
            return super()._loop_shapes()
        indices = None if rows is None else rows[:1]
        dense = () if self._dense_shape is None else (rows and (len(rows),),)
        return [rows, indices, *dense]

    def __neg__(self):
        return IndexedSlices(negative(self.values), self.indices, self._dense_shape)

    def __str__(self):
        end = "" if self._dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{end})"


def joined(parts):
    """The sum of several IndexedSlices of one tensor: all their rows."""
    if len({p.indices.dtype for p in parts}) > 1:
        parts = [p._with((p.values, _wide(p.indices), p._dense_shape)) for p in parts]
    values = concat([p.values for p in parts], 0)
    shapes = [p._dense_shape for p in parts if p._dense_shape is not None]
    indices = concat([p.indices for p in parts], 0)
    return IndexedSlices(values, indices, shapes[0] if shapes else None)


def _wide(indices):
    return cast(indices, dtypes.int64)


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    """`value` itself if it is IndexedSlices, else as a tensor.

    Args:
        value: anything that converts to a tensor, or IndexedSlices.
        dtype: the DType it must have. name: for a graph.
    Raises:
        ValueError: `value` has another dtype.
    """
    if not isinstance(value, IndexedSlices):
        return convert_to_tensor(value, dtype, name)
    if dtype is not None and not value.dtype.is_compatible_with(dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtype} for IndexedSlices with dtype "
            f"{value.dtype.name}: {value}"
        )
    return value

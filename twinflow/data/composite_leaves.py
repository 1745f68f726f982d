"""Leaves of a structure that are more than one tensor, or stand for a dataset.

A template has one of these in the place of such a leaf, and None for a plain tensor.
"""

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.sparse.tensor import SparseTensor


class SparseLeaf:
    """A SparseTensor: its indices, values and dense shape are three components.

    Args:
        shape: the static dense shape, a tuple or None.
    """

    size, cls = 3, SparseTensor

    def __init__(self, shape=None):
        self.shape = shape

    def pack(self, parts):
        """The SparseTensor of three tensors."""
        return SparseTensor(*parts)

    def dtype(self, types):
        """The DType of the leaf, given those of its components."""
        return types[1]

    def static_shape(self, shapes):
        """The TensorShape of the leaf."""
        return TensorShape(self.shape)

    def components(self, dtype, shape):
        """(types, shapes) of the components of a leaf of this DType and shape."""
        rank = None if shape is None else len(shape)
        shapes = ((None, rank), (None,), (rank,))
        return (dtypes.int64, dtype, dtypes.int64), shapes


class DatasetLeaf:
    """A dataset as an element: one component, the source of its passes.

    Args:
        structure: the Structure of its elements. make: (structure, tensor) -> Dataset.
    """

    size = 1

    def __init__(self, structure, make, cls):
        self.structure, self.make, self.cls = structure, make, cls

    def pack(self, parts):
        """The Dataset of a tensor that stands for its source."""
        return self.make(self.structure, parts[0])

    def dtype(self, types):
        """As TensorFlow says it: those of the elements."""
        return self.structure.output_types

    def static_shape(self, shapes):
        """Those of the elements."""
        return self.structure.output_shapes


def class_of(leaf):
    """The class of what a leaf of a template stands for."""
    return Tensor if leaf is None else leaf.cls

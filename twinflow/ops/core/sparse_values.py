"""Functions of dense tensors that sparse ones are given to as well."""

from typing import Any, NamedTuple

from twinflow.base.factory import slow_path
from twinflow.base.tensor import Composite, TensorLike


class SparseTensorValue(NamedTuple):
    """The arrays of a SparseTensor, as a Session returns and takes them."""

    indices: Any
    values: Any
    dense_shape: Any


def dense_shape_of(x):
    """The shape of the whole where `x` is a sparse tensor or its value, else None."""
    value = isinstance(x, SparseTensorValue)
    sparse = value or (isinstance(x, Composite) and not isinstance(x, TensorLike))
    return x.dense_shape if sparse else None


def on_values(x, function):
    """`x` with `function` of its values, where it is a sparse tensor; else None."""
    if not isinstance(x, Composite) or isinstance(x, TensorLike):
        return None
    indices, values, dense_shape = x._components()
    return x._with((indices, function(values), dense_shape))


def sparse_too(op, slow=None):
    """The slow path of a function of one tensor whose value at 0 is not asked for.

    Args:
        op: the Op. slow: what the fast path leaves to it, see factory.unary.
    """
    slow = slow or slow_path(op)

    def either(fast, inputs, name):
        found = on_values(inputs[0], lambda values: fast(values, name))
        return slow(fast, inputs, name) if found is None else found

    return either

"""tensorflow.python.ops.gradients_impl: what gradients are made of."""

from twinflow.graph.gradients import gradients
from twinflow.ops.core.constant import stop_gradient
from twinflow.ops.core.creation import range as range_
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.indexed_slices import joined
from twinflow.ops.core.shape import shape


def as_indexed_slices(x, optimize=True):
    """A tensor as IndexedSlices of all its rows; IndexedSlices as they are."""
    if isinstance(x, IndexedSlices):
        return x
    sizes = shape(x)
    return IndexedSlices(x, range_(0, sizes[0]), sizes)


def as_indexed_slices_list(inputs, optimize=True):
    """`as_indexed_slices` of each of a list.

    Raises:
        TypeError: it is no list.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError(f"Expected a list or tuple, not a {type(inputs)}")
    return [as_indexed_slices(x) for x in inputs]


def added_slices(grads):
    """The sum of IndexedSlices and tensors as IndexedSlices; None for none."""
    if len(grads) < 2:
        return grads[0] if grads else None
    found = [g for g in grads if g is not None]
    return joined(as_indexed_slices_list(found))


def hessian_vector_product(ys, xs, v):
    """The second derivatives of `ys` by `xs`, times vectors.

    Args:
        v: a list of tensors like `xs`.
    Raises:
        ValueError: the lists have different lengths.
    """
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    products = [
        multiply(grad, stop_gradient(w))
        for grad, w in zip(gradients(ys, xs), v)
        if grad is not None
    ]
    return gradients(products, xs)

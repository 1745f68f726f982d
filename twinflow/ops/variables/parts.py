"""Writing into parts of a variable: rows, places, slices.

Every function here is a method of variables, and public as tf.scatter_...; each gives
what `Variable.assign` gives: the new value in a graph, the variable in eager mode.
"""

import builtins
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import range, zeros_like
from twinflow.ops.core.describe import published
from twinflow.ops.core.elementwise import add, negative
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.joining import stack
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.slicing import entries_of, getitem, slice_of
from twinflow.ops.variables.cells import count_up_to
from twinflow.ops.variables.scatter import RESOURCE_SCATTERS, SCATTERS
from twinflow.ops.variables.scatter_vectors import ND_SCATTERS, RESOURCE_ND_SCATTERS
from twinflow.ops.variables.slice_assign import (
    ResourceStridedSliceAssign,
    StridedSliceAssign,
)

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1


def _variable(ref, function) -> Any:
    if isinstance(ref, ResourceHandle) or _is_reference(ref):
        return ref
    raise TypeError(f"tf.{function} writes into a variable, got {ref!r}.")


def _is_reference(ref):
    return ref.dtype._is_ref_dtype if hasattr(ref, "dtype") else False


def _written(ref, op, indices, updates, name):
    attrs = {**op.sig.attrs, "shape": ref._shape}
    return ref._assigned(apply(op, (ref.handle, indices, updates), attrs, name))


def _scattered(ref, kind, indices, updates, use_locking, name):
    ref = _variable(ref, f"scatter_{kind.lower()}")
    if _is_reference(ref):
        attrs = {"use_locking": bool(use_locking)}
        return apply(SCATTERS[kind], (ref, indices, updates), attrs, name)
    updates = convert_to_tensor(updates, ref.dtype.base_dtype)
    return _written(ref, RESOURCE_SCATTERS[kind], indices, updates, name)


_AFTER = {  # what [4., 5., 1.] becomes in the examples
    "Update": "[1., 5., 2.]", "Add": "[5., 5., 3.]", "Sub": "[3., 5., -1.]",
    "Mul": "[4., 5., 2.]", "Div": "[4., 5., 0.5]", "Min": "[1., 5., 1.]",
    "Max": "[4., 5., 2.]",
}  # fmt: skip


def _public(kind, default, meaning):
    def write(
        ref: Any, indices: TensorValue, updates: TensorValue,
        use_locking: Any = default, name: str | None = None,
    ) -> "VariableV1":  # fmt: skip
        return _scattered(ref, kind, indices, updates, use_locking, name)

    fname = f"scatter_{kind.lower()}"
    doc = f"""Change rows of a variable: {meaning}.

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.{fname}(v, [0, 2], [1., 2.])  # {_AFTER[kind]}
    """
    return published(write, fname, doc)


_ROW = "ref[indices[i]] {} updates[i]"
scatter_update = _public("Update", True, _ROW.format("="))
scatter_add = _public("Add", False, _ROW.format("+="))
scatter_sub = _public("Sub", False, _ROW.format("-="))
scatter_mul = _public("Mul", False, _ROW.format("*="))
scatter_div = _public("Div", False, _ROW.format("/="))
scatter_min = _public("Min", False, "ref[i] = min(ref[i], update)")
scatter_max = _public("Max", False, "ref[i] = max(ref[i], update)")


def _scattered_nd(ref, kind, indices, updates, use_locking, name):
    ref = _variable(ref, f"scatter_nd_{kind.lower()}")
    if _is_reference(ref):
        op, attrs = ND_SCATTERS[kind], {"use_locking": bool(use_locking)}
        return apply(op, (ref, indices, updates), attrs, name)
    updates = convert_to_tensor(updates, ref.dtype.base_dtype)
    if kind == "Sub":
        kind, updates = "Add", negative(updates)
    return _written(ref, RESOURCE_ND_SCATTERS[kind], indices, updates, name)


def _public_nd(kind, default, sign):
    def write(
        ref: Any, indices: TensorValue, updates: TensorValue,
        use_locking: Any = default, name: str | None = None,
    ) -> "VariableV1":  # fmt: skip
        return _scattered_nd(ref, kind, indices, updates, use_locking, name)

    fname = f"scatter_nd_{kind.lower()}"
    doc = f"""Change a variable at index vectors: ref[indices] {sign} updates.

    Args:
        ref: a variable.
        indices: int32 or int64[..., n]; each vector says where along the first n axes.
        updates: a tensor[indices.shape[:-1] + ref.shape[n:]].
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.{fname}(v, [[0], [2]], [1., 2.])  # {_AFTER[kind]}
    """
    return published(write, fname, doc)


scatter_nd_update = _public_nd("Update", True, "=")
scatter_nd_add = _public_nd("Add", False, "+=")
scatter_nd_sub = _public_nd("Sub", False, "-=")


def batch_scatter_update(
    ref: Any, indices: TensorValue, updates: TensorValue, use_locking: bool = True,
    name: str | None = None,
) -> "VariableV1":  # fmt: skip
    """Change rows of each batch of a variable: ref[b, indices[b, i]] = updates[b, i].

    Args:
        ref: a variable[batch..., rows, ...].
        indices: int32 or int64[batch..., n], which rows of each batch.
        updates: a tensor[batch..., n, ...].
        use_locking: has no effect. name: the name scope in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([[1., 2.], [3., 4.]], use_resource=True)
        tf.batch_scatter_update(v, [[0], [1]], [[5.], [6.]])  # [[5., 2.], [3., 6.]]
    """
    with dispatch.current_mode().name_scope(name or "batch_scatter_update"):
        indices = convert_to_tensor(indices, name="indices")
        if indices._shape is None:
            raise ValueError("batch_scatter_update needs indices of known rank.")
        n = len(indices._shape)
        sizes = indices._shape_value()
        if type(sizes) is not tuple:
            sizes = shape(indices, out_type=indices.dtype)
        blank = zeros_like(indices)
        places = [
            add(blank, reshape(_count(sizes[a], indices.dtype), _along(a, n)))
            for a in builtins.range(n - 1)
        ]
        return scatter_nd_update(ref, stack([*places, indices], n), updates)


def _count(n, dtype):
    return range(constant(n, dtype) if isinstance(n, int) else n, dtype=dtype)


def _along(axis, n):
    return [-1 if i == axis else 1 for i in builtins.range(n)]


# ------------------------------------------------------------------ methods
def _rows_of(sparse_delta):
    if not isinstance(sparse_delta, IndexedSlices):
        raise ValueError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
    return sparse_delta.indices, sparse_delta.values


def _method(kind, meaning):
    def write(
        self: Any, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Tensor:
        indices, rows = _rows_of(sparse_delta)
        return _scattered(self, kind, indices, rows, use_locking, name)

    fname = f"scatter_{kind.lower()}"
    doc = f"{meaning} IndexedSlices; see tf.{fname}."
    return published(write, fname, doc, __name__)


def _method_nd(function):
    def write(
        self: Any, indices: TensorValue, updates: TensorValue, name: str | None = None
    ) -> Any:
        return function(self, indices, updates, name=name)

    fname = function.__name__
    return published(write, fname, f"See tf.{fname}.", __name__)


def _item(self: Any, key: Any) -> Tensor:
    """A part of the value; its `assign(x)` writes to this part of the variable."""
    part = getitem(self._as_tensor(), key)

    def assign(value, name=None):
        node = part.op if part.symbolic else None
        if node is None or node.type != "StridedSlice":
            return self._part_assigner(*slice_of(entries_of(key)))(value, name)
        assigner = self._part_assigner(node.inputs[1:], node.attrs)
        return assigner(value, name or f"{node.name}/_assign")

    part.assign = assign
    return part


def _part_assigner(self, bounds, masks):
    """The function that assigns to one slice of the variable."""

    def assign(value, name=None):
        if _is_reference(self):
            inputs = (self, *bounds, value)
            return apply(StridedSliceAssign, inputs, masks, name)
        value = convert_to_tensor(value, self.dtype.base_dtype)
        attrs = {**masks, "shape": self._shape}
        inputs = (self.handle, *bounds, value)
        return self._assigned(apply(ResourceStridedSliceAssign, inputs, attrs, name))

    return assign


def _count_up_to(self: Any, limit: TensorValue) -> Any:
    """See tf.count_up_to."""
    return count_up_to(self, limit)


METHODS = {
    "scatter_update": _method("Update", "Replace rows by those of"),
    "scatter_add": _method("Add", "Add"),
    "scatter_sub": _method("Sub", "Subtract"),
    **{
        function.__name__: _method_nd(function)
        for function in (scatter_nd_update, scatter_nd_add, scatter_nd_sub)
    },
    "count_up_to": _count_up_to,
    "_part_assigner": _part_assigner,
    "__getitem__": _item,
}


def install(cls):
    """Give a class of variables the methods that write into parts of it.

    Args:
        cls: a class whose objects have `handle`, `dtype`, `_shape` and
            ``_assigned(node)``, what an assignment gives back.
    """
    for name, function in METHODS.items():
        setattr(cls, name, function)

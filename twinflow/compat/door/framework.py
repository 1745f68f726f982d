"""What tensorflow.python.framework.ops and its neighbours have beside public names."""

import contextlib
from typing import Any, NamedTuple

from twinflow.base import dispatch
from twinflow.base.dtypes import as_dtype, int32
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.graph import defaults, scopes
from twinflow.ops.arrays.constant import convert_to_tensor, identity
from twinflow.ops.arrays.shape import rank, shape, size
from twinflow.ops.indexed_slices import convert_to_tensor_or_indexed_slices
from twinflow.ops.variables.resource import ResourceVariable

ENABLE_COND_V2 = ENABLE_WHILE_V2 = False


class NullContextmanager(contextlib.nullcontext):
    """A block like any other, whatever the arguments."""

    def __init__(self, *args, **kwargs):
        super().__init__()


def internal_convert_to_tensor(
    value, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None
):
    """As tf.convert_to_tensor; `as_ref` and `ctx` are accepted."""
    return convert_to_tensor(value, dtype, name, preferred_dtype)


def internal_convert_to_tensor_or_indexed_slices(
    value, dtype=None, name=None, as_ref=False
):
    """As tf.convert_to_tensor_or_indexed_slices; `as_ref` is accepted."""
    return convert_to_tensor_or_indexed_slices(value, dtype, name)


def convert_n_to_tensor(values, dtype=None, name=None, preferred_dtype=None):
    """A tensor of each value; the names are numbered.

    Raises:
        TypeError: `values` is no sequence.
    """
    if not hasattr(values, "__len__"):
        raise TypeError(f"values must be a list, but got {values!r}.")
    return [
        convert_to_tensor(v, dtype, f"{name}_{i}" if name else None, preferred_dtype)
        for i, v in enumerate(values)
    ]


internal_convert_n_to_tensor = convert_n_to_tensor


def convert_n_to_tensor_or_indexed_slices(values, dtype=None, name=None):
    """As `convert_n_to_tensor`; IndexedSlices and None stay as they are."""
    return [
        v if v is None else convert_to_tensor_or_indexed_slices(v, dtype, name)
        for v in values
    ]


internal_convert_n_to_tensor_or_indexed_slices = convert_n_to_tensor_or_indexed_slices


class IndexedSlicesValue(NamedTuple):
    """IndexedSlices as arrays, which a session gives and takes."""

    values: Any
    indices: Any
    dense_shape: Any


def is_dense_tensor_like(value):
    """Whether a value is a tensor or a variable."""
    return isinstance(value, Tensor | TensorLike)


def add_to_collections(names, value):
    """Append to one or several collections of the current graph."""
    for name in [names] if isinstance(names, str) else names:
        scopes.add_to_collection(name, value)


def get_all_collection_keys():
    """The names of the collections of the default graph that have members."""
    graph = defaults.get_default_graph()
    return [key for key, members in graph.collections.items() if members]


def has_default_graph():
    """Whether a block has made a graph the default."""
    return len(dispatch.local.frames) > 1


def strip_name_scope(name, export_scope):
    """A node's name without the scope that it is in."""
    return name.removeprefix(f"{export_scope}/") if export_scope else name


def prepend_name_scope(name, import_scope):
    """A node's name with a scope before it."""
    return f"{import_scope}/{name}" if import_scope else name


def get_name_scope():
    """The name scope of this place, without its last '/'."""
    return dispatch.current_mode().scope.rstrip("/")


def colocate_with(op, ignore_existing=False):
    """A block that would put ops beside `op`; one process has one place for both."""
    return contextlib.nullcontext()


def container(container_name):
    """A block with a resource container; each session has one."""
    return contextlib.nullcontext()


def args_to_matching_eager(values, ctx=None, default_dtype=None):
    """The dtype and the tensors of values that must have one dtype."""
    known = next((v.dtype for v in values if hasattr(v, "dtype")), None)
    wanted = as_dtype(known) if known is not None else None
    tensors = [convert_to_tensor(v, wanted, None, default_dtype) for v in values]
    return tensors[0].dtype, tensors


def convert_to_eager_tensor(value, ctx=None, dtype=None):
    """A tensor of a value."""
    return convert_to_tensor(value, dtype)


def is_constant(tensor_or_op):
    """Whether a tensor of a graph is a constant."""
    return getattr(tensor_or_op, "op", tensor_or_op).type == "Const"


def is_resource_variable(var):
    """Whether this is a variable of twinflow: all are of this kind."""
    return isinstance(var, ResourceVariable)


def rank_internal(input, name=None, optimize=True):
    """As tf.rank; `optimize` is accepted."""
    return rank(input, name)


def shape_internal(input, name=None, optimize=True, out_type=int32):
    """As tf.shape; `optimize` is accepted."""
    return shape(input, name, out_type)


def size_internal(input, name=None, optimize=True, out_type=int32):
    """As tf.size; `optimize` is accepted."""
    return size(input, name, out_type)


def with_dependencies(dependencies, output_tensor, name=None):
    """The tensor, once the dependencies have run."""
    names = scopes.name_scope(name, "control_dependency", [output_tensor])
    with names, scopes.control_dependencies(dependencies):
        return identity(output_tensor)

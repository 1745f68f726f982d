"""What tensorflow.python.framework.ops and its neighbours have beside public names."""

import contextlib
from typing import Any

from twinflow.base import dispatch
from twinflow.base.advice import advised
from twinflow.base.dtypes import as_dtype, int32
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.graph import defaults, scopes
from twinflow.graph.graph_def.scoped_names import (  # noqa: F401 - names of modules
    prepend_name_scope,
    strip_name_scope,
)
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.indexed_slices import convert_to_tensor_or_indexed_slices
from twinflow.ops.core.shape import rank, shape
from twinflow.ops.core.size import size
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


def is_dense_tensor_like(value):
    """Whether a value is a tensor or a variable."""
    return isinstance(value, Tensor | TensorLike) and not isinstance(value, Composite)


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


class DefaultGraphs:
    """The graphs that blocks of this thread have made the default one."""

    @property
    def stack(self):
        """The list, outermost first."""
        frames = dispatch.local.frames[1:]
        return [f.mode for f in frames if f.mode is not None and not f.mode.eager]

    def get_default(self):
        """The innermost one, or the one kept for the process."""
        return defaults.get_default_graph()

    def is_cleared(self):
        """Whether no block has made a graph the default."""
        return not self.stack

    def get_controller(self, default):
        """A block in which `default` is it."""
        return default.as_default()

    def reset(self):
        """Start with an empty graph."""
        if self.is_cleared():
            defaults.reset_default_graph()


DEFAULT_GRAPHS = DefaultGraphs()


def get_name_scope():
    """The name scope of this place, without its last '/'."""
    return dispatch.current_mode().scope.rstrip("/")


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


def get_graph_from_inputs(op_input_list: Any, graph: Any = None) -> Any:
    """The graph of the first input that is of a graph, or the default one.

    Raises:
        ValueError: the inputs are of several graphs, or not of `graph`.
    """
    first = None
    for x in op_input_list:
        own = getattr(x, "graph", None)
        if own is None or isinstance(x, dispatch.EagerTensor):
            continue
        if graph is not None and own is not graph:
            raise ValueError(f"{x} is not from the passed-in graph.")
        if graph is None and first is not None and own is not first.graph:
            raise advised(ValueError, f"{x} must be from the same graph as {first}.")
        first = x if first is None else first
    found = graph or getattr(first, "graph", None)
    return found or defaults.get_default_graph()


class _OfAnyKind(type):
    """Whose instances are all that is made of tensors."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor | TensorLike | Composite)


class AnyTensor(metaclass=_OfAnyKind):
    """Tensors, IndexedSlices and SparseTensors: TensorFlow 1.12's `_TensorLike`."""


def as_graph_element(obj):
    """The tensor or operation of what has one (a variable), else None."""
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if callable(convert) else None


def assert_same_graph(original_item, item):
    """Refuse two things of different graphs."""
    get_graph_from_inputs([original_item, item])

"""The variables that optimizers keep for each variable they update: its slots."""

from contextlib import nullcontext

from twinflow.base import dispatch
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.graph.defaults import graph_of
from twinflow.graph.scopes import colocate_with
from twinflow.graph.variable_scope import get_variable_scope
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.partitioned import SaveSliceInfo
from twinflow.ops.variables.kinds import Variable, is_resource_variable


def create_slot(primary, val, name, colocate_with_primary=True):
    """A slot with a value.

    Args:
        primary: the variable (or tensor of a graph) that it is for.
        val: its first value, a tensor. name: what comes after the name of `primary`.
        colocate_with_primary: put it on the device of `primary`.
    Returns:
        A variable that is not trained.
    Example:
        from twinflow.train.slot_creator import create_slot
        v = tf.Variable([1., 2.], name="v")
        create_slot(v, tf.zeros([2]), "momentum").name  # "v/momentum:0"
    """
    known = TensorShape(val._shape).is_fully_defined()
    beside = colocate_with_primary
    return _slot(primary, val, name, val.dtype.base_dtype, known, beside)


def create_slot_with_initializer(
    primary, initializer, shape, dtype, name, colocate_with_primary=True
):
    """A slot with the value that `initializer(shape, dtype=dtype)` gives.

    Args:
        initializer: see above; or a tensor, where the shape is not known.
        Others: see create_slot.
    """
    shape = TensorShape(shape)
    value = initializer
    if callable(initializer):
        value = lambda: initializer(shape.as_list(), dtype=dtype)
    known, beside = shape.is_fully_defined(), colocate_with_primary
    return _slot(primary, value, name, dtype, known, beside)


def create_zeros_slot(primary, name, dtype=None, colocate_with_primary=True):
    """A slot in the shape of `primary`, with zeros in its dtype or another.

    Args: see create_slot.
    """
    dtype = primary.dtype.base_dtype if dtype is None else dtype
    shape = TensorShape(primary.shape)
    if shape.is_fully_defined():
        value, beside = lambda: zeros(shape.as_list(), dtype), colocate_with_primary
        return _slot(primary, value, name, dtype, True, beside)
    like = primary.initialized_value() if _is_variable(primary) else primary
    return create_slot(primary, zeros_like(like, dtype), name, colocate_with_primary)


def _is_variable(primary):
    return isinstance(primary, ResourceHandle)


def _slot(primary, value, name, dtype, known_shape, beside):
    around = get_variable_scope().name
    start = primary._shared_name if _is_variable(primary) else primary.op.name
    name = f"{around}/" * bool(around) + f"{start}/{name}"
    owner = current_mode().variable_owner()
    with dispatch.entered(owner), owner.name_scope(""):
        if owner.eager:
            name = _numbered(owner, name)
        with colocate_with(primary.op) if beside and not owner.eager else nullcontext():
            slot = Variable(
                value, trainable=False, name=name, dtype=dtype,
                validate_shape=known_shape, use_resource=is_resource_variable(primary),
            )  # fmt: skip
    _mark_part(slot, primary, start)
    return slot


def _mark_part(slot, primary, start):
    """The slot of a part of a variable is that part of the slot of the whole.

    The name is what TensorFlow makes of it: so many letters of the name of the slot are
    left out as that of the variable has, even if more stand before it.
    """
    part = getattr(primary, "_save_slice_info", None)
    if part is not None:
        own = slot.name.removesuffix(":0")[len(start) + 1 :]
        offset, sizes = list(part.var_offset), list(part.var_shape)
        name = f"{part.full_name}/{own}"
        slot._set_save_slice_info(SaveSliceInfo(name, part.full_shape, offset, sizes))


def _numbered(mode, name):
    """`name`, counted as a graph would: eager and graph checkpoints agree."""
    counts = graph_of(mode).state.setdefault("slot_names", {})
    n = counts[name] = counts.get(name, -1) + 1
    return f"{name}_{n}" if n else name

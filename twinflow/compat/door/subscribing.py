"""tensorflow.python.framework.subscribe: side effects whenever a tensor is computed."""

import re

from twinflow.base.tensor import TensorLike
from twinflow.graph.node import GraphTensor
from twinflow.ops.core.constant import identity

_NAME = re.compile(r"/subscription/Identity(_\d+)?$")


def _is_subscribed_identity(tensor):
    """Whether a tensor is what `subscribe` gave for another."""
    op = tensor.op
    if op.type != "Identity" or not _NAME.search(op.name):
        return False
    source = op.inputs[0].op.name
    return op.name.startswith(f"{source}/subscription/")


def subscribe(tensors, side_effects):
    """Let something happen whenever tensors are computed.

    Args:
        tensors: a tensor, or a list, tuple or dict of them.
        side_effects: a function from a tensor to a list of tensors or operations, which
            then run with it; or a list of such functions.
    Returns:
        The tensors, in the same structure, that all their users have now.
    Raises:
        TypeError: something is no tensor.
    """
    if not isinstance(side_effects, list | tuple):
        side_effects = [side_effects]
    return _applied(tensors, lambda t: _subscribed(t, side_effects))


def _applied(tensors, function):
    if isinstance(tensors, GraphTensor | TensorLike) and hasattr(tensors, "op"):
        return function(tensors)
    if isinstance(tensors, tuple) and hasattr(tensors, "_fields"):
        return type(tensors)(*(_applied(t, function) for t in tensors))
    if isinstance(tensors, list | tuple):
        return type(tensors)(_applied(t, function) for t in tensors)
    if isinstance(tensors, dict):
        return {key: _applied(t, function) for key, t in tensors.items()}
    raise TypeError(
        f"_recursive_apply argument {tensors!r} has invalid type {type(tensors)!r}"
    )


def _subscribed(value, side_effects):
    tensor = value._as_tensor() if isinstance(value, TensorLike) else value
    if tensor.dtype.np is None:  # a handle
        return tensor
    known = tensor if _is_subscribed_identity(tensor) else _identity_of(tensor)
    if known is not None:
        outs = _effects(known.op.inputs[0], side_effects)
        known.op._add_control_inputs(outs)
        return known
    users = [
        (n, i)
        for n in tensor.consumers()
        for i, t in enumerate(n.inputs)
        if t is tensor
    ]
    waiting = tensor.op._control_outputs
    outs = _effects(tensor, side_effects)
    graph = tensor.graph
    scope = graph.name_scope(f"{tensor.op.name}/subscription/")
    with graph.control_dependencies(outs), graph.device(None), scope:
        found = identity(tensor)
    found.op.device = tensor.op.device
    for node, i in dict.fromkeys(users):
        node._update_input(i, found)
    for node in waiting:
        _wait_instead(node, tensor.op, found.op)
    return found


def _identity_of(tensor):
    """What an earlier call gave for a tensor, or None."""
    for node in tensor.consumers():
        if _is_subscribed_identity(node.outputs[0] if node.outputs else tensor):
            return node.outputs[0]
    return None


def _effects(tensor, side_effects):
    """The operations of side effects, on the device of the tensor."""
    graph, made = tensor.graph, []
    place = graph.device(tensor.op.device or None)
    scope = graph.name_scope(f"{tensor.op.name}/subscription/")
    with graph.control_dependencies(None), place, scope:
        for effect in side_effects:
            made += effect(tensor)
    return [getattr(t, "op", t) for t in made]


def _wait_instead(node, before, now):
    """Let a node wait for another one."""
    kept = [n for n in node.after if n is not before]
    several = [n for n in node.after if n is before and len(before.outputs) > 1]
    node._remove_all_control_inputs()
    node._add_control_inputs([*kept, *several, now])

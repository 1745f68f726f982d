"""Who uses which tensor, changed in the graph as it stands.

Each pair of tensors or views goes one of three ways: their users are swapped, or those
of the second take the first. Programs should not have run the operations yet.
"""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.graph_editor.elements import (
    Users,
    check_graphs,
    get_consuming_ops,
    make_list_of_op,
    make_list_of_t,
)
from twinflow.contrib.graph_editor.subgraph import SubGraphView, make_view
from twinflow.graph.node import GraphTensor, Node


def _check_compatible(ts0: list, ts1: list) -> None:
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(ts0)} != {len(ts1)}")
    for a, b in zip(ts0, ts1, strict=True):
        if not a.dtype.is_compatible_with(b.dtype):
            raise ValueError(f"Dtypes {a.dtype} and {b.dtype} are not compatible.")
        if not a.shape.is_compatible_with(b.shape):
            raise ValueError(f"Shapes {a.shape} and {b.shape} are not compatible.")


def _uses(ts: list, allowed: Callable) -> list:
    """The places, (operation, index), at which each of some tensors is used."""
    users = Users(ts[0].graph if ts else None)
    return [
        [(op, i) for op in users.of(t) if allowed(op) for i in _places(op, t)]
        for t in ts
    ]


def _places(op: Node, t: GraphTensor) -> list[int]:
    return [i for i, x in enumerate(op.inputs) if x is t]


def _reroute_ts(
    ts0: Any, ts1: Any, swap: bool, can_modify: Any = None, cannot_modify: Any = None
) -> int:
    ts0, ts1 = make_list_of_t(ts0), make_list_of_t(ts1)
    _check_compatible(ts0, ts1)
    may = None if can_modify is None else set(make_list_of_op(can_modify))
    never = set(make_list_of_op(() if cannot_modify is None else cannot_modify))

    def allowed(op: Node) -> bool:
        return (may is None or op in may) and op not in never

    pairs = zip(ts0, ts1, _uses(ts0, allowed), _uses(ts1, allowed), strict=True)
    changes = []
    for a, b, uses_a, uses_b in pairs:
        if a is not b:
            changes += [(*use, a) for use in uses_b]
            changes += [(*use, b) for use in uses_a if swap]
    for op, index, t in changes:
        op._update_input(index, t)
    return len(changes)


def swap_ts(
    ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None
) -> int:
    """Let the users of each tensor use its partner.

    Args:
        ts0, ts1: tensors, as many.
        can_modify: the operations that may change; all by default.
        cannot_modify: those that may not.
    Returns:
        How many inputs have changed.
    Raises:
        ValueError: the numbers, dtypes or shapes do not fit.
    Example:
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        a, b = tf.square(x), tf.square(y)
        tf.contrib.graph_editor.swap_ts(x, y)  # 2
    """
    return _reroute_ts(ts0, ts1, True, can_modify, cannot_modify)


def reroute_ts(
    ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None
) -> int:
    """Let the users of each tensor of `ts1` use its partner in `ts0`.

    Args:
        ts0, ts1, can_modify, cannot_modify: see `swap_ts`.
    Returns:
        How many inputs have changed.
    Example:
        x, y = tf.constant(1.), tf.constant(2.)
        z = tf.square(x)
        tf.contrib.graph_editor.reroute_ts(y, x)
        tf.Session().run(z)  # 4.0
    """
    return _reroute_ts(ts0, ts1, False, can_modify, cannot_modify)


def _views(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    sgv0, sgv1 = make_view(sgv0), make_view(sgv1)
    check_graphs(sgv0, sgv1)
    return sgv0, sgv1


def _reroute_inputs(sgv0: Any, sgv1: Any, swap: bool) -> tuple:
    sgv0, sgv1 = _views(sgv0, sgv1)
    passed = [*sgv0.passthroughs, *sgv1.passthroughs]
    may = sgv0.ops + sgv1.ops + get_consuming_ops(passed)
    _reroute_ts(sgv0.inputs, sgv1.inputs, swap, can_modify=may)
    _remap(sgv0, sgv1, swap)
    return sgv0, sgv1


def _remap(sgv0: SubGraphView, sgv1: SubGraphView, swap: bool) -> None:
    """Let the views see their new inputs; what passed through comes out as the new."""
    old0, old1 = sgv0.copy(), sgv1.copy()
    changes = [(sgv1, old1, old0)] + ([(sgv0, old0, old1)] if swap else [])
    for view, _, other in changes:
        view._input_ts = list(other._input_ts)
        view._passthrough_ts = list(other._passthrough_ts)
    for view, old, other in changes:
        moved = dict(zip(old._input_ts, other._input_ts, strict=False))
        passed = old._passthrough_ts
        view._output_ts = [moved[t] if t in passed else t for t in old._output_ts]


def _reroute_outputs(sgv0: Any, sgv1: Any, swap: bool) -> tuple:
    sgv0, sgv1 = _views(sgv0, sgv1)
    never = sgv0.ops + sgv1.ops
    _reroute_ts(sgv0.outputs, sgv1.outputs, swap, cannot_modify=never)
    return sgv0, sgv1


def _reroute_ios(sgv0: Any, sgv1: Any, swap: bool) -> tuple:
    sgv0, sgv1 = _views(sgv0, sgv1)
    _reroute_outputs(sgv0, sgv1, swap)
    return _reroute_inputs(sgv0, sgv1, swap)


def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[Any, ...]:
    """Let two views take each other's inputs; they are changed, and returned."""
    return _reroute_inputs(sgv0, sgv1, True)


def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[Any, ...]:
    """Let the second of two views take the inputs of the first."""
    return _reroute_inputs(sgv0, sgv1, False)


def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[Any, ...]:
    """Let those who use the outputs of two views use the other's."""
    return _reroute_outputs(sgv0, sgv1, True)


def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[Any, ...]:
    """Let those who use the outputs of the second of two views use the first's."""
    return _reroute_outputs(sgv0, sgv1, False)


def swap_ios(sgv0: Any, sgv1: Any) -> tuple[Any, ...]:
    """`swap_outputs` and `swap_inputs`."""
    return _reroute_ios(sgv0, sgv1, True)


def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[Any, ...]:
    """`reroute_outputs` and `reroute_inputs`."""
    return _reroute_ios(sgv0, sgv1, False)


def remove_control_inputs(op: Node, cops: Any) -> None:
    """Let an operation no longer wait for some others.

    Args:
        op: an operation. cops: some of its `control_inputs`.
    Raises:
        TypeError: it is no operation. ValueError: it does not wait for one of them.
    """
    cops = _checked(op, cops)
    for cop in cops:
        if cop not in op.control_inputs:
            raise ValueError(f"{op.name} is not a control_input of {cop.name}")
    kept = [c for c in op.control_inputs if c not in cops]
    op._remove_all_control_inputs()
    op._add_control_inputs(kept)


def add_control_inputs(op: Node, cops: Any) -> None:
    """Let an operation wait for some others.

    Args:
        op: an operation. cops: operations that it does not wait for yet.
    Raises:
        TypeError: it is no operation. ValueError: it waits for one of them already.
    Example:
        a, b = tf.placeholder(tf.float32).op, tf.no_op()
        tf.contrib.graph_editor.add_control_inputs(b, a)
        b.control_inputs == [a]  # True
    """
    cops = _checked(op, cops)
    for cop in cops:
        if cop in op.control_inputs:
            raise ValueError(f"{cop.name} is already a control_input of {op.name}")
    op._add_control_inputs(cops)


def _checked(op: Node, cops: Any) -> list[Node]:
    if not isinstance(op, Node):
        raise TypeError(f"Expected a tf.Operation, got: {type(op)}")
    return make_list_of_op(cops, allow_graph=False)

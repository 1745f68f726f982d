"""A step of an optimizer for several towers: their gradients added up, one update."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.variables.creators import VariableAggregation


def apply_for_towers(
    optimizer: Any, strategy: Any, pairs: list, global_step: Any, name: Any
) -> Any:
    """Update each variable on all devices; in code of all towers.

    Args:
        optimizer: that of the first tower. strategy: the DistributionStrategy.
        pairs: (gradient by device or None, variable).
        global_step: a variable to be increased by one, or None.
        name: the name of the train op; that of the optimizer if not given.
    Returns:
        The train op (graph), or None (eager).
    Raises:
        ValueError: all gradients are None.
    """
    wanted = [(g, v) for g, v in pairs if g is not None]
    if not wanted:
        raise advised(
            ValueError,
            f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.",
        )
    variables = [v for _, v in wanted]
    totals = strategy.batch_reduce(VariableAggregation.SUM, wanted)
    mode = current_mode()
    optimizer._make_slots(mode, variables)
    with mode.name_scope(name or optimizer._name) as scope:
        optimizer._begin_step()
        done = [
            node
            for v, total in zip(variables, totals, strict=True)
            for node in strategy.update(v, _update_of(optimizer), total, grouped=False)
        ]
        done = _ended(strategy, optimizer, variables, done)
        if mode.eager:
            _count(strategy, global_step)
            return None
        with control_dependencies(done):
            last = _count(strategy, global_step)
        op = group(*(done if last is None else [last]), name=scope)
    train_ops = mode.get_collection_ref("train_op")
    if op not in train_ops:
        train_ops.append(op)
    return op


def _update_of(optimizer: Any) -> Any:
    def update(copy: Any, grad: Any) -> Any:
        mode = current_mode()
        if mode.eager:
            return optimizer._apply(grad, copy)
        return optimizer._update_node(mode, grad, copy)

    return update


def _ended(strategy: Any, optimizer: Any, variables: list, done: list) -> list:
    """What comes after the updates, on each device."""
    done = [node for node in done if node is not None]
    places = strategy.non_slot_devices(variables)
    ends = strategy.update_non_slot(
        places, lambda: optimizer._end_step(done, "update"), grouped=False
    )
    return [node for node in ends if node is not None]


def _count(strategy: Any, global_step: Any) -> Any:
    if global_step is None:
        return None
    return strategy.update(global_step, lambda v: v.assign_add(1, read_value=False))

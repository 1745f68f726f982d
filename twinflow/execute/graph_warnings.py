"""Warnings about graphs: two traps that run without an error.

Note [Traps]: a graph that grows between the runs of a loop becomes slower and larger
with each; and updates that nobody fetches (the moving averages of batch normalisation)
leave a model that works in training only. Both are looked for when a plan is made,
never when it is run again: a program in the first trap makes a plan for each run, and a
plan in the second counts its own first runs.
"""

import collections
from typing import TYPE_CHECKING, Any

from twinflow.base import frames, logging
from twinflow.graph.regions import captured
from twinflow.ops.variables.collections import GraphKeys

if TYPE_CHECKING:
    from twinflow.execute.plan import Plan
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program

GROWTHS = 5  # runs with new nodes from one line before the warning
TRAININGS = 10  # runs of a training op without the updates


def look(graph: "Graph", plan: "Plan") -> None:
    """Look at a plan that was made for a run of `graph`."""
    state = graph.state.setdefault("traps", _State())
    if not state.growth_said:
        _look_at_growth(graph, state)
    updates = updates_of(graph)
    if updates and not state.updates_said:
        _look_at_updates(graph, plan, updates, state)


class _State:
    """What is known of one graph."""

    def __init__(self) -> None:
        self.size = 0  # nodes at the last plan
        self.lines: collections.Counter = collections.Counter()
        self.growth_said = self.updates_said = False
        self.updates_run: set = set()


# ---------------------------------------------------------------------- growth
def _look_at_growth(graph: "Graph", state: _State) -> None:
    before, state.size = state.size, len(graph.nodes)
    if not before or state.size == before:
        return
    first = graph.nodes[before]
    if not first.frames:
        return
    place = first.frames[0]
    state.lines[place] += 1
    if state.lines[place] >= GROWTHS:
        state.growth_said = True
        logging.warn(
            "The graph grows between runs: %s has added nodes before each of %d runs, "
            "and the graph has %d by now. Each run gets slower and takes more memory. "
            "Make these operations once, before the loop, and feed what changes.\n"
            "  %s: %s\n  (the first new node of the last run is %r, a %s)",
            frames.format_frame(place), state.lines[place], state.size,
            frames.format_frame(place), frames.source_line(place),
            first.name, first.type,
        )  # fmt: skip


# ---------------------------------------------------------------------- updates
def updates_of(graph: "Graph") -> "list[Node]":
    """The nodes of the updates that layers have asked for."""
    found = graph.collections.get(GraphKeys.UPDATE_OPS, ())
    own = graph.state.get("updates of layers", ())
    nodes = (getattr(u, "op", u) for u in (*found, *own))
    return [n for n in nodes if hasattr(n, "control_inputs")]


def _look_at_updates(
    graph: "Graph", plan: "Plan", updates: "list", state: _State
) -> None:
    there = set(plan.program.nodes)
    state.updates_run.update(n for n in updates if n in there)
    skipped = [n for n in updates if n not in state.updates_run]
    if not skipped or not _trains(graph, plan.program):
        return
    using = _using(graph, there)
    skipped = [n for n in skipped if any(t.op in using for t in n.inputs)]
    if skipped:
        _count(plan, skipped, state)


def _trains(graph: "Graph", program: "Program") -> bool:
    """Whether a program changes variables that are to be trained."""
    variables = graph.collections.get(GraphKeys.TRAINABLE_VARIABLES, ())
    handles = {getattr(v, "handle", v).op for v in variables if hasattr(v, "op")}
    return any(
        n.opdef.step and n.opdef.writes_cell and program.resolve(t).op in handles
        for n in program.nodes
        for t in n.inputs[:1]
    )


_PLAIN = ("Const", "VarHandleOp", "VariableV2", "ReadVariableOp", "Identity")


def _using(graph: "Graph", there: "set[Node]") -> "set[Node]":
    """The nodes that use what a program computes, found in one pass."""
    found: set = set()
    for node in graph.nodes:
        before = (t.op for t in (*node.inputs, *captured(node)))
        own = node in there and node.type not in _PLAIN
        if own or not found.isdisjoint(before):
            found.add(node)
    return found


def _count(plan: Any, skipped: "list[Node]", state: _State) -> None:
    """Let a plan count its runs, and warn once there are enough."""
    left, plain = TRAININGS, plan.use_up

    def counting_run(feeds: list) -> list:
        nonlocal left
        left -= 1
        if left <= 0:
            vars(plan).pop("use_up", None)
            _warn_of_updates([n for n in skipped if n not in state.updates_run], state)
        return plain(feeds)

    plan.use_up = counting_run


def _warn_of_updates(skipped: "list[Node]", state: _State) -> None:
    if not skipped or state.updates_said:
        return
    state.updates_said = True
    node = skipped[0]
    where = frames.format_frame(node.frames[0]) if node.frames else "unknown"
    logging.warn(
        "A training op has run %d times, but %d update%s of its layers never: %r "
        "(defined at %s), for example. The moving averages of batch normalisation stay "
        "what they were, and the model fails when it is not training. Make the "
        "training op depend on them:\n"
        "  with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n"
        "    train_op = optimizer.minimize(loss)\n"
        "  (layers of tf.keras: model.get_updates_for(inputs) in place of the "
        "collection)",
        TRAININGS, len(skipped), "s"[: len(skipped) > 1], node.name, where,
    )  # fmt: skip

"""The ops that save the place of a graph's iterator, and put another there."""

import numpy as np

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.data.functions import Env
from twinflow.data.iterators import packing
from twinflow.data.iterators.ops import check_types, export_nothing
from twinflow.execute.interpreter import special_steps
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.graph.graph_def import revived
from twinflow.graph.program import build
from twinflow.passes import optimize

ATTRIBUTE = "ITERATOR_STATE"  # what checkpoints of objects call it


def _export_state(parts):
    """No state: the dataset stays in this process."""
    nothing = np.array(b"", object)
    parts.add("", "Const", value=nothing, dtype=dtypes.string)
    revived.mark(parts)


IteratorState = define(
    "TwinIteratorState(iterator: resource) -> (state: string)",
    infer=lambda iterator: (),
    kernel=lambda xp: lambda cell: np.array(cell.save(), object),
    export=_export_state,
    stateful=True,
    host=True,
)

ResumeIterator = define(
    "TwinResumeIterator(iterator: resource, state: string) -> ()",
    infer=None,
    export=export_nothing,
    stateful=True,
    host=True,
)

SerializeIterator = define(
    "SerializeIterator",
    infer=lambda resource_handle: (),
    kernel=lambda xp: lambda cell: np.array(cell.save(), object),
    export=_export_state,
    stateful=True,
    host=True,
)

DeserializeIterator = define(
    "DeserializeIterator",
    infer=None,
    export=export_nothing,
    stateful=True,
    host=True,
)


def _revive_state(graph, name, inputs, _):
    return graph.append_node(IteratorState, inputs, {}, name, [(dtypes.string, ())])


def _revive_resume(graph, name, inputs, _):
    return graph.append_node(ResumeIterator, inputs, {}, name, [])


revived.rules["TwinIteratorState"] = _revive_state
revived.rules["TwinResumeIterator"] = _revive_resume


def state_of(handle):
    """string[]: where the iterator is, see data.iterators.packing."""
    return dispatch.apply(IteratorState, (handle,), None, "SerializeIterator")


def resume(handle, state):
    """The op that puts the iterator where it was when `state` was taken.

    An iterator that was not initialised starts over the dataset of its initializer.
    """
    graph = dispatch.current_mode()
    args = [graph.tensor(handle), graph.tensor(state)]
    return graph.append_node(ResumeIterator, args, {}, "DeserializeIterator", [])


def _resume_step(asm, node, program):
    iterator, state = (asm.slot(t, program) for t in node.inputs)

    def run(v):
        cell, data = v[iterator], np.asarray(v[state])[()]
        saved = _saved(data, cell.types)
        if saved is not None:
            cell.begin(saved.dataset, Env(saved.env.values, asm.cell_of), data)
        elif cell.started is None:
            cell.begin(*_start(node.inputs[0], asm.cell_of), data)
        else:
            cell.restore(data)

    return run


special_steps["TwinResumeIterator"] = _resume_step
special_steps["DeserializeIterator"] = _resume_step


def _saved(data, types):
    """What the saved pass was started with, if this process still has it.

    Not if it needs the cells of a session: tables, variables.
    """
    found = revived.of_token(packing.token_of(data))
    if found is None or any(isinstance(v, Cell) for v in found.env.values.values()):
        return None
    check_types(types, found.dataset.structure.types)
    return found


def _start(handle, cell_of):
    """The dataset that the only initializer of an iterator starts, and its Env."""
    makers = [n for n in handle.consumers() if n.type == "MakeIterator"]
    if len(makers) != 1:
        raise _too_early(f"it has {len(makers)} initializers")
    dataset, inputs = makers[0].attrs["dataset"], makers[0].inputs[1:]
    fed = _placeholder(inputs)
    if fed is not None:
        raise _too_early(f"its initializer needs the placeholder {fed.name}")
    plan = Plan(optimize(build(makers[0].graph, inputs)), cell_of, INTERPRET)
    values = plan.run([]) if inputs else []
    return dataset, Env(dict(zip(dataset.inputs, values)), cell_of)


def _placeholder(tensors):
    """A placeholder that tensors depend on, or None."""
    seen, stack = set(), [t.op for t in tensors]
    while stack:
        node = stack.pop()
        if node.type == "Placeholder":
            return node
        if node not in seen:
            seen.add(node)
            stack.extend(t.op for t in node.inputs)
    return None


def _too_early(why):
    return errors.FailedPreconditionError(
        None,
        None,
        "Restore() failed because the iterator has not been initialized, and cannot "
        f"be: {why}. Run the initializer operation of the iterator before restoring.",
    )

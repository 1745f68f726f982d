"""Loops, branches and calls."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.onnx.library import onnx


def _while(w: Any, node: Any) -> list:
    """A Loop, whose body computes the condition of the next turn at its end.

    What is kept of every turn, for a gradient, are its scan outputs; behind them is how
    many turns there were.
    """
    cond, body = node.extra.regions
    count = len(body.params)
    programs = w.scope.program.bodies
    kept = programs[body].fetches[count:]
    wanted = [i for i, t in enumerate(kept) if t is not None]
    start = w.values(node.inputs)
    kinds = _lists(w, body.params, node.inputs)
    kinds.update(_lists(w, cond.params, node.inputs))
    first = _condition(w, programs[cond], cond.params, start, kinds)
    scalar = onnx.helper.make_tensor_type_proto
    with w.body(f"{node.name}/body") as block:
        names = [w.unique(p.op.name) for p in body.params]
        with w.inside(programs[body], dict(zip(body.params, names)), lists=kinds):
            types = [w.type_of(p) for p in body.params]
            w.run(programs[body])
            new = w.values(programs[body].fetches[:count])
            stacked = [(_stacked(w, kept[i]), w.type_of(kept[i])) for i in wanted]
        again = _condition(w, programs[cond], cond.params, new, kinds)
        turn = (w.unique("turn"), scalar(onnx.TensorProto.INT64, ()))
        going = (w.unique("going"), scalar(onnx.TensorProto.BOOL, ()))
        turns = (w.unique("turns"), turn[1])
        block.inputs = [turn, going, *zip(names, types), turns]
        done = w.op("Add", turn[0], w.constant(np.int64(1)))
        ends = _ends(w, [again, *new, done, *(name for name, _ in stacked)])
        every = [going[1], *types, turn[1], *(kind for _, kind in stacked)]
        block.outputs = list(zip(ends, every))
    _note_lists(w, node.outputs[:count], node.inputs)
    start = ["", first, *start, w.constant(np.int64(0))]
    found = w.ops("Loop", start, count + 1 + len(wanted), body=block)
    if len(node.outputs) == count:
        return found[:count]
    stacks = dict(zip(wanted, found[count + 1 :]))
    turns = w.cast(found[count], dtypes.int32)
    return [*found[:count], turns, *(stacks.get(i) for i in range(len(kept)))]


def _stacked(w: Any, t: Any) -> str:
    """The name of what a turn keeps."""
    if t.dtype is dtypes.flow:
        w.refuse("it keeps a tensor array of every turn, for a gradient")
    return w.value(t)


def _stack_read(w: Any, node: Any) -> str:
    stack, index = node.inputs
    return w.op("Gather", w.value(stack), w.value(index), axis=0)


def _stack_entry(w: Any, node: Any) -> str:
    """Zeros, and a value in one place."""
    value, index, shape = node.inputs
    sizes = w.sizes(shape)
    zeros = w.op("Expand", w.constant(np.zeros((), value.dtype.np)), sizes)
    place = w.op("Reshape", w.cast(w.value(index), dtypes.int64), w.ints([1, 1]))
    update = w.op("Unsqueeze", w.value(value), w.ints([0]))
    return w.op("ScatterND", zeros, place, update)


def _condition(w: Any, program: Any, params: list, names: list, kinds: dict) -> str:
    with w.inside(program, dict(zip(params, names)), lists=kinds):
        w.run(program)
        return w.value(program.fetches[0])


def _ends(w: Any, names: list) -> list[str]:
    """The outputs of a body, each the output of a node of its own."""
    return [w.op("Identity", name) for name in names]


def _lists(w: Any, params: list, inputs: Any) -> dict:
    """{param: dtype of the elements} of the tensor arrays among params."""
    pairs = zip(params, inputs)
    return {p: w.list_dtype(t) for p, t in pairs if t.dtype is dtypes.flow}


def _note_lists(w: Any, outputs: Any, sources: Any) -> None:
    w.scope.lists.update(_lists(w, outputs, sources))


def _if(w: Any, node: Any) -> list:
    programs = [w.scope.program.bodies[r] for r in node.extra.regions]
    known = w.known(node.inputs[0])
    if known is not None:
        return _taken(w, node, programs[0 if known else 1])
    pairs = list(zip(*(p.fetches for p in programs)))
    wanted = [i for i, pair in enumerate(pairs) if pair != (None, None)]
    pred = w.value(node.inputs[0])
    blocks = [_branch(w, node, p, wanted) for p in programs]
    attrs = {"then_branch": blocks[0], "else_branch": blocks[1]}
    found = iter(w.ops("If", [pred], len(wanted), **attrs))
    return [next(found) if i in wanted else None for i in range(len(pairs))]


def _taken(w: Any, node: Any, program: Any) -> list:
    """The one branch that is taken, without an If."""
    with w.inside(program, {}):
        w.run(program)
        names = [None if t is None else w.value(t) for t in program.fetches]
        kinds = {
            o: w.list_dtype(t)
            for o, t in zip(node.outputs, program.fetches)
            if t is not None and t.dtype is dtypes.flow
        }
    w.scope.lists.update(kinds)
    return names


def _branch(w: Any, node: Any, program: Any, wanted: list) -> Any:
    """A branch; of what only the other one gives, for a gradient, nothing is read."""
    fetches = [program.fetches[i] for i in wanted]
    with w.body(f"{node.name}/branch") as block, w.inside(program, {}) as scope:
        w.run(program)
        pairs = list(zip(fetches, (node.outputs[i] for i in wanted)))
        types = [w.type_of(like if t is None else t) for t, like in pairs]
        names = [_nothing(w, o) if t is None else w.value(t) for t, o in pairs]
        block.outputs = list(zip(_ends(w, names), types))
        kinds = {
            o: w.list_dtype(t)
            for t, o in pairs
            if t is not None and t.dtype is dtypes.flow
        }
    scope.parent.lists.update(kinds)
    return block


def _nothing(w: Any, t: Any) -> str:
    """A value without elements."""
    if t.dtype is dtypes.flow:
        w.refuse("only one of its branches gives a tensor array, for a gradient")
    return w.constant(np.zeros(0, t.dtype.base_dtype.np))


def _call(w: Any, node: Any) -> list[str]:
    """The nodes of a function in place of its call."""
    graph, outputs = node.attrs["f"], node.attrs["outputs"]
    names, given = {}, {}
    for inner, t in zip(graph.all_inputs, node.inputs):
        if t.dtype is dtypes.resource:
            given[inner] = w.found_cell(t)
            continue
        names[inner] = w.value(t)
        known = w.known(t)
        if known is not None:
            given[inner] = known
    kinds = _lists(w, graph.all_inputs, node.inputs)
    program = w.program(graph, outputs)
    with w.inside(program, names, given, kinds):
        w.run(program)
        return w.values(program.fetches)


def _none(w: Any, node: Any) -> tuple:
    return ()


WRITERS = {
    "If": _if, "PartitionedCall": _call, "TwinStackEntry": _stack_entry,
    "TwinStackRead": _stack_read, "While": _while,
    **dict.fromkeys(
        ("NoOp", "Assert", "ControlTrigger", "PrintV2", "VarHandleOp", "VariableV2",
         "Variable", "Const", "TensorArrayCloseV3"), _none,
    ),
}  # fmt: skip

"""Loops, branches and calls."""

from typing import Any

from twinflow.base import dtypes
from twinflow.interchange.onnx.library import onnx


def _while(w: Any, node: Any) -> list[str]:
    """A Loop, whose body computes the condition of the next turn at its end."""
    cond, body = node.extra.regions
    count = len(body.params)
    programs = w.scope.program.bodies
    if any(t is not None for t in programs[body].fetches[count:]):
        w.refuse("it keeps values of every turn, for a gradient")
    start = w.values(node.inputs)
    kinds = _lists(w, body.params, node.inputs)
    kinds.update(_lists(w, cond.params, node.inputs))
    first = _condition(w, programs[cond], cond.params, start, kinds)
    with w.body(f"{node.name}/body") as block:
        names = [w.unique(p.op.name) for p in body.params]
        with w.inside(programs[body], dict(zip(body.params, names)), lists=kinds):
            types = [w.type_of(p) for p in body.params]
            w.run(programs[body])
            new = w.values(programs[body].fetches[:count])
        again = _condition(w, programs[cond], cond.params, new, kinds)
        scalar = onnx.helper.make_tensor_type_proto
        turn = (w.unique("turn"), scalar(onnx.TensorProto.INT64, ()))
        going = (w.unique("going"), scalar(onnx.TensorProto.BOOL, ()))
        block.inputs = [turn, going, *zip(names, types)]
        ends = _ends(w, [again, *new])
        block.outputs = list(zip(ends, [going[1], *types]))
    _note_lists(w, node.outputs, node.inputs)
    return w.ops("Loop", ["", first, *start], count, body=block)


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
    if any(None in pairs[i] for i in wanted):
        w.refuse("only one of its branches gives a value, for a gradient")
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
    fetches = [program.fetches[i] for i in wanted]
    with w.body(f"{node.name}/branch") as block, w.inside(program, {}) as scope:
        w.run(program)
        types = [w.type_of(t) for t in fetches]
        block.outputs = list(zip(_ends(w, w.values(fetches)), types))
        flows = [(i, t) for i, t in zip(wanted, fetches) if t.dtype is dtypes.flow]
        kinds = {node.outputs[i]: w.list_dtype(t) for i, t in flows}
    scope.parent.lists.update(kinds)
    return block


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
    "While": _while, "If": _if, "PartitionedCall": _call,
    **dict.fromkeys(
        ("NoOp", "Assert", "ControlTrigger", "PrintV2", "VarHandleOp", "VariableV2",
         "Variable", "Const", "TensorArrayCloseV3"), _none,
    ),
}  # fmt: skip

"""Calling a FuncGraph: now, or as one node of another graph, and its gradient.

Note [Function gradients]: under a tape a call is one record. The forward graph returns,
besides its results, the intermediate values that its gradient reads (closed under
differentiating again, as often as tapes are nested); the gradient is a FuncGraph too,
so it differentiates by the same means.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.collecting import no_full_collection
from twinflow.base.devices import accelerators
from twinflow.base.dispatch import next_id
from twinflow.base.errors import UsageError
from twinflow.base.op import define
from twinflow.base.tensor import Composite, Tensor
from twinflow.eager.accelerator import asked_place, given, place_of, wrapped
from twinflow.execute.cutting import on_host
from twinflow.execute.interpreter import special_steps
from twinflow.execute.lifetimes import clear
from twinflow.execute.places import Places
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET, POLICY
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.gradients import records_by_node, walked_back
from twinflow.graph.node import Node
from twinflow.graph.program import build
from twinflow.graph.regions import Recorded, lifted, remade
from twinflow.passes import optimize

if TYPE_CHECKING:
    from twinflow.autodiff.tape import GradientTape
    from twinflow.execute.interpreter import Assembler
    from twinflow.graph.node import GraphTensor
    from twinflow.graph.program import Program


def program_of(graph: "BackwardGraph | FuncGraph", outputs: Sequence) -> "Program":
    """The optimized Program of a FuncGraph for some of its tensors, made once."""
    programs = graph.state.setdefault("programs", {})
    key = tuple(outputs)
    found = programs.get(key)
    if found is None:
        with no_full_collection():
            program = build(graph, outputs, (), graph.all_inputs, keep_effects=True)
            found = programs[key] = optimize(program)
    return found


def plan_of(
    graph: "BackwardGraph | FuncGraph", outputs: list[Tensor], inputs: Sequence = ()
) -> Plan:
    """The Plan of a FuncGraph for some of its tensors, made once for each place.

    It runs where the device scope says, else where its inputs or variables are, else on
    the first accelerator if that is faster (Note [Accelerators]).
    """
    plans = graph.state.setdefault("plans", {})
    place = FREE if not accelerators() else _place_of(graph, inputs)
    key = tuple(outputs), place
    found = plans.get(key)
    if found is None:
        places = Places(0 if place == FREE else place, place not in (FREE, None), True)
        found = plans[key] = Plan(
            program_of(graph, key[0]), lambda cell: cell, POLICY, graph.random_owner(),
            places=places,
        )  # fmt: skip
    return found


FREE = -1  # the place of a call that nothing binds


def _place_of(graph: "BackwardGraph | FuncGraph", inputs: Sequence) -> Any:
    """The accelerator of a call, None for the CPU, or FREE."""
    if dispatch.local.device is not None:
        return asked_place("")
    cells = (getattr(v(), "_cell", None) for v in graph.variables.values())
    found = [place_of(t) for t in inputs] + [getattr(c, "place", None) for c in cells]
    return next((p for p in found if p is not None), FREE)


def plans_of(graph: FuncGraph) -> list[Plan]:
    """The plans that a FuncGraph has been run with."""
    return list(graph.state.get("plans", {}).values())


Call = define(
    "PartitionedCall(args: N*Tin) -> (output: N*Tout); f=None, outputs=None",
    infer=None,
    stateful=True,
)


class _CallStep:
    """The step of a call inside another program: a plan of its own."""

    def __init__(self, asm: "Assembler", node: Node, program: "Program") -> None:
        inner = node.extra.program(node)
        policy = POLICY if any(on_host(n, inner) for n in inner.nodes) else INTERPRET
        self.plan = Plan(inner, asm.cell_of, policy, node.graph.random_owner())
        self.ins = [asm.slot(t, program) for t in node.inputs]
        self.outs = [asm.slot(t, program) for t in node.outputs]
        self.ended: tuple = ()

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Leave these arguments to the function (Note [Lifetimes])."""
        self.ended = tuple(s for s in dying if s in self.ins)

    def __call__(self, v: list) -> None:
        args = [v[i] for i in self.ins]
        clear(v, self.ended)
        for o, value in zip(self.outs, self.plan.use_up(args), strict=True):
            v[o] = value


special_steps["PartitionedCall"] = _CallStep


def placed(graph: Any, value: Any) -> Any:
    """Make `value` an output of `graph`: its place, for `taken`.

    A sparse form has a place per component; None and operations have none.
    """
    if value is None or isinstance(value, Node):
        return None
    if isinstance(value, Composite):
        return value, [placed(graph, c) for c in value._components()]
    graph.outputs.append(graph.tensor(value))
    return len(graph.outputs) - 1


def taken(place: int | None, outputs: list[Tensor]) -> Any:
    """What stands at a place among the outputs of a call."""
    if isinstance(place, tuple):
        like, places = place
        return like._with([taken(p, outputs) for p in places])
    return None if place is None else outputs[place]


def call(graph: "BackwardGraph | FuncGraph", args: list[Tensor]) -> list[Tensor]:
    """Run a FuncGraph.

    Args:
        graph: the FuncGraph. args: one tensor per input.
    Returns:
        The output tensors.
    """
    check_alive(graph)
    mode = dispatch.current_mode()
    if mode.eager:
        inputs = [*args, *graph.captures]
        del args
        return _call_now(graph, inputs)
    args = [mode.tensor(t) for t in (*args, *graph.captures)]
    for ref in graph.variables.values():
        mode.note_variable(ref())
    return call_node(mode, graph, args)


def check_alive(graph: "BackwardGraph | FuncGraph") -> None:
    """Refuse a function whose variables are gone."""
    if None in [v() for v in graph.variables.values()]:
        raise advised(
            UsageError,
            "Called a function referencing variables which have been deleted. This "
            "likely means that function-local variables were created and not "
            "referenced elsewhere in the program. This is generally a mistake; "
            "consider storing variables in an object attribute on first call.",
        )


def _call_now(graph: "BackwardGraph | FuncGraph", inputs: Any) -> list[Tensor]:
    """Run a FuncGraph; empties `inputs`, so that only the caller may hold them."""
    if dispatch.local.device is not None:
        asked_place("")  # which raises where there is no such device
    tapes = dispatch.local.top.tapes
    wanted = _wanted(graph, inputs, tapes) if tapes else ()
    outputs = graph.outputs
    if wanted:
        outputs = forward_outputs(graph, wanted, len(tapes))
    plan = plan_of(graph, outputs, inputs)
    arrays = [given(t) for t in inputs]
    if not wanted:
        inputs.clear()
    values = plan.use_up(arrays)
    if plan.places.there:
        values = plan.places.results(values, len(graph.outputs))
    results = [wrapped(a, t.dtype) for a, t in zip(values, outputs, strict=True)]
    if not wanted:
        return results
    for t in results:
        t._id = next_id()
    kept = dict(zip(outputs, results, strict=True))
    _record(graph, inputs, outputs, results, kept, tapes)
    return results[: len(graph.outputs)]


def _wanted(graph: "BackwardGraph | FuncGraph", inputs: list, tapes: "tuple") -> tuple:
    """The places of the inputs that some tape watches."""
    for ref in graph.variables.values():
        variable = ref()
        for tape in tapes:
            tape.accessed(variable, variable.handle_id())
    return tuple(
        i for i, t in enumerate(inputs) if any(t._id in tape.watched for tape in tapes)
    )


def _record(
    graph: Any, inputs: list, outputs: list, results: list, kept: dict, tapes: "tuple"
) -> None:
    slopes = {t._id for t in results if t.dtype.is_inexact}
    for tape in tapes:
        wanted = tuple(i for i, t in enumerate(inputs) if t._id in tape.watched)
        if not wanted or not slopes:
            continue
        tape.watched |= slopes
        ids = tuple(inputs[i]._id for i in wanted)
        vjp = CallVjp(graph, outputs, wanted, dict(kept), _is_once(tape))
        tape.records.append((vjp, ids, tuple(t._id for t in results), None, None))


def _is_once(tape: "GradientTape") -> bool:
    """Whether a tape goes back only once."""
    once = not getattr(tape, "_persistent", True)
    return once and not hasattr(tape.records, "history")  # tape.explain goes back, too


class CallVjp:
    """The way back through a call; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(
        self, graph: Any, outputs: list, wanted: tuple, kept: Any, once: bool = False
    ) -> None:
        self.graph, self.outputs, self.wanted = graph, outputs, wanted
        self.kept = kept  # from inner tensors to their values outside
        self.once = once  # whether `kept` may be used up

    def back(self, kept: Any, attrs: Any, dys: list) -> list:
        """The gradients of the wanted inputs."""
        pattern = tuple(i for i, d in enumerate(dys) if d is not None)
        outputs = tuple(self.outputs)
        backward = backward_graph(self.graph, outputs, pattern, self.wanted)
        given = [dys[i] for i in pattern]
        found = call(backward, given + self._taken(backward.intermediates))
        return [taken(k, found) for k in backward.places]

    def _taken(self, tensors: Any) -> list[Tensor]:
        """The values of inner tensors, left to the caller if nobody asks again."""
        values = [self.kept[t] for t in tensors]
        if self.once:
            self.kept.clear()
        return values


class _Exports:
    """Inner tensors to outer ones, for a call that is a node: outputs on demand."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def __getitem__(self, t: "GraphTensor") -> "GraphTensor":
        outputs = self.node.attrs["outputs"]
        if t not in outputs:
            outputs.append(t)
            self.node.extra.add_output(self.node, t.dtype, t._shape)
        return self.node.outputs[outputs.index(t)]


class CallExtra(Recorded):
    """What a call node knows besides its facts: how it is recorded."""

    def called(self, node: Node) -> tuple:
        """The FuncGraph and the outputs of it that the call gives."""
        return node.attrs["f"], tuple(node.attrs["outputs"])

    def program(self, node: Node) -> "Program":
        """The Program that the call runs."""
        return program_of(node.attrs["f"], node.attrs["outputs"])

    def record(self, node: Node, tapes: tuple) -> None:
        """Put the node on `tapes`."""
        graph, outputs = node.attrs["f"], node.attrs["outputs"]
        for ref in graph.variables.values():
            for tape in tapes:
                if hasattr(tape, "accessed") and ref() is not None:
                    tape.accessed(ref(), ref().handle_id())

        def make(places: list[int]) -> CallVjp:
            return CallVjp(graph, outputs, tuple(places), _Exports(node))

        self.put_each(node, tapes, node.inputs, make)


def call_node(
    mode: Any, graph: "BackwardGraph | FuncGraph", args: list, name: str | None = None
) -> list:
    """The outputs of a node of `mode` that calls a FuncGraph with all its inputs."""
    attrs = {"f": graph, "outputs": list(graph.outputs)}
    node = mode.append_node(
        Call, [list(args)], attrs, name or graph.name,
        [(t.dtype, t._shape) for t in graph.outputs],
    )  # fmt: skip
    node.extra = CallExtra()
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    return list(node.outputs)


def forward_outputs(graph: Any, wanted: tuple, order: int) -> list:
    """The outputs of `graph` and the intermediates that `order` gradients read."""
    cache = graph.state.setdefault("forward", {})
    found = cache.get((wanted, order))
    if found is None:
        found = list(graph.outputs)
        for _ in range(order):
            pattern = tuple(i for i, t in enumerate(found) if t.dtype.is_inexact)
            backward = backward_graph(graph, tuple(found), pattern, wanted)
            more = [t for t in backward.intermediates if t not in found]
            found += more
            if not more:
                break
        cache[wanted, order] = found
    return found


class BackwardGraph(FuncGraph):
    """The gradient of a FuncGraph, whose tensors become inputs when they are read.

    Attributes:
        forward: the FuncGraph. intermediates: its tensors that are read, in the order
        of the inputs after the incoming gradients.
        places: for each wanted input the place of its gradient in the outputs, or None.
    """

    def __init__(self, forward: "BackwardGraph | FuncGraph") -> None:
        super().__init__(f"{forward.name}_gradient", forward.outer)
        self.forward = forward
        self.intermediates: dict = {}
        self.places: list = []

    def capture(self, value: Any) -> Any:
        if getattr(value, "graph", None) is not self.forward:
            return super().capture(value)
        if value.dtype in (dtypes.resource, dtypes.array_handle):
            outer = _outer_of(self.forward, value)
            if outer is not None:
                return super().capture(outer)
        made = remade(value, self)
        if made is not None:
            return made
        if value.op.region is not None:
            return lifted(value, self)
        found = self.intermediates.get(value)
        if found is None:
            found = self.intermediates[value] = self.add_input(
                value.dtype, value._shape, "intermediate"
            )
        return found

    def keep_shape(self, t: "GraphTensor") -> None:
        """The forward graph gives the shape, whichever gradients come."""
        known = t._shape is not None and None not in t._shape
        mine = t.graph is self.forward and t.op.region is None
        if mine and not known and t.dtype.np is not None:
            self.tensor(self.shape_tensor(t))

    def shape_tensor(self, t: Any) -> Any:
        """Of a tensor of the forward graph only the shape is kept."""
        if t.graph is not self.forward or t.op.region is not None:
            return super().shape_tensor(t)
        with dispatch.entered(self.forward):
            return self.forward.shape_tensor(t)


def _outer_of(graph: Any, inner: Any) -> Any:
    return next((o for o, i in graph.captures.items() if i is inner), None)


def backward_graph(
    graph: Any, outputs: tuple, pattern: tuple, wanted: tuple
) -> BackwardGraph:
    """The gradient of `outputs[i] for i in pattern` for the inputs `wanted`."""
    cache = graph.state.setdefault("backward", {})
    key = (outputs, pattern, wanted)
    if key not in cache:
        cache[key] = _backward(graph, outputs, pattern, wanted)
    return cache[key]


def _backward(
    graph: Any, outputs: tuple, pattern: tuple, wanted: tuple
) -> BackwardGraph:
    backward = BackwardGraph(graph)
    ids = [graph.all_inputs[i]._id for i in wanted]
    pairs = records_by_node([n for n in graph.nodes if n.region is None], ids)
    grads: dict = {}
    with dispatch.entered(backward), backward.exports():
        for i in pattern:
            y = outputs[i]
            dy = backward.add_input(y.dtype, y._shape, "dy")
            grads[y._id] = grads[y._id] + dy if y._id in grads else dy
        found = walked_back(pairs, grads, ids)
        backward.places = [placed(backward, found.get(i)) for i in ids]
    return backward

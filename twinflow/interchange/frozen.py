"""What is exported, as a program with inputs, outputs and the values of variables."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, nest
from twinflow.base.tensor import Tensor
from twinflow.base.tensor_spec import TensorSpec
from twinflow.execute.concrete import ConcreteFunction
from twinflow.execute.default_sessions import get_default_session
from twinflow.execute.function import Function
from twinflow.execute.plan import Plan
from twinflow.execute.session import Session
from twinflow.execute.tiers import INTERPRET
from twinflow.execute.trace import Trace
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph import Graph
from twinflow.graph.program import Program, build
from twinflow.keras.backend import sessions
from twinflow.keras.engine.base_layer import Layer
from twinflow.passes import optimize


class Frozen:
    """A program to be exported.

    Attributes:
        name: of the model. inputs, outputs: {name: tensor}.
        given: {captured tensor: its array or Cell}. cell_of: see execute.plan.Plan.
    """

    def __init__(
        self, name: str, inputs: dict, outputs: dict, given: dict, cell_of: Callable
    ) -> None:
        self.name, self.inputs, self.outputs = name, inputs, outputs
        self.given, self.cell_of = given, cell_of

    def program(self) -> Program:
        """The program, after the passes."""
        outputs = list(self.outputs.values())
        feeds = [*self.inputs.values(), *self.given]
        graph = (outputs or feeds)[0].op.graph
        return prepared(build(graph, outputs, (), feeds))

    def run(self, arrays: Sequence) -> list:
        """Our own values of the outputs for those of the inputs."""
        plan = Plan(self.program(), self.cell_of, INTERPRET)
        return [np.asarray(a) for a in plan.run([*arrays, *self.given.values()])]


def frozen(
    what: Any, signature: Any, inputs: Any, outputs: Any, session: Any
) -> Frozen:
    """What the user gave, as one kind of thing; see `export`."""
    if isinstance(what, Session):
        what, session = what.graph, what
    if isinstance(what, Graph) and not isinstance(what, FuncGraph):
        return of_graph(what, inputs, outputs, session)
    if isinstance(what, Layer):
        return _of_layer(what, signature, session)
    if isinstance(what, ConcreteFunction):
        return _of_concrete(what.graph, what.graph.name, session)
    if callable(what):
        return _of_function(what, signature, session)
    raise TypeError(
        f"Cannot export {what!r}: expected a function, a tf.Graph, a "
        "tf.Session or a Keras model."
    )


# ------------------------------------------------------------------------------- graphs
def of_graph(graph: Graph, inputs: Any, outputs: Any, session: Any) -> Frozen:
    if outputs is None:
        raise ValueError(
            "A graph does not say what its results are: give outputs=, a tensor, a "
            "name, a list of them, or a dict from names to tensors."
        )
    found = _named(graph, outputs)
    if inputs is None:
        nodes = build(graph, list(found.values())).nodes
        inputs = [n.outputs[0] for n in nodes if n.type == "Placeholder"]
    cell_of = _cells(session, graph)
    return Frozen("graph", _named(graph, inputs), found, {}, cell_of)


def _named(graph: Graph, tensors: Any) -> dict:
    """{name: tensor} of what a user gives as inputs or outputs."""
    if not isinstance(tensors, dict):
        several = tensors if isinstance(tensors, list | tuple) else [tensors]
        elements = [_element(graph, t) for t in several]
        tensors = dict(_distinct([(t.op.name, t) for t in elements]))
    return {name: _element(graph, t) for name, t in tensors.items()}


def _element(graph: Graph, t: Any) -> Any:
    if isinstance(t, str) and ":" not in t:
        t += ":0"
    return graph.as_graph_element(t, allow_operation=False)


def _distinct(pairs: list) -> list:
    """Pairs with a number behind each name that is there already."""
    seen: dict = {}
    found = []
    for name, t in pairs:
        n = seen[name] = seen.get(name, -1) + 1
        found.append((f"{name}_{n}" if n else name, t))
    return found


def _cells(session: Any, graph: Graph) -> Callable:
    """Where the cells of a graph have their values."""
    session = session or get_default_session()
    if session is None:
        return _without_session
    if session.graph is not graph:
        raise ValueError("The session is one of another graph than what is exported.")
    return session._home


def _without_session(cell: Any) -> Any:
    raise ValueError(
        f"The variable '{cell.name}' has its value in a session: give session=, or "
        "export within `with tf.Session() as session:`."
    )


# ---------------------------------------------------------------------------- functions
def _of_function(function: Any, signature: Any, session: Any) -> Frozen:
    if not isinstance(function, Function):
        function = Function(function, autograph=True)
    specs = function.input_signature
    if signature is not None:
        specs = tuple(signature) if isinstance(signature, list | tuple) else signature
        specs = specs if isinstance(specs, tuple) else (specs,)
    if specs is None:
        raise ValueError(
            f"'{function.name}' does not say what it takes: give input_signature=, a "
            "list of tf.TensorSpec(shape, dtype)."
        )
    trace = Trace(function, specs, {})
    names = [p.name for p in function._parameters]
    return _of_concrete(trace.graph, function.name, session, names, specs)


def _of_concrete(
    graph: FuncGraph, name: str, session: Any, names: Sequence = (), specs: Any = ()
) -> Frozen:
    flat = [getattr(s, "name", None) for s in nest.flatten(list(specs))]
    plain = len(flat) == len(specs) == len(graph.inputs)
    pairs = []
    for i, t in enumerate(graph.inputs):
        own = flat[i] if i < len(flat) else None
        named = names[i] if plain and i < len(names) else f"input_{i}"
        pairs.append((own or named, t))
    given = {inner: outer_value(t, session) for t, inner in graph.captures.items()}
    outputs = [(f"output_{i}", t) for i, t in enumerate(graph.outputs)]
    if graph.structure is not None:
        outputs = _structured(graph, outputs)
    cell_of = given_cells(session)
    inputs = dict(_distinct(pairs))
    return Frozen(name, inputs, dict(_distinct(outputs)), given, cell_of)


def _structured(graph: FuncGraph, outputs: list) -> list:
    """The outputs by their keys, where the function returns a dict of tensors."""
    places, pack = graph.structure
    if all(isinstance(p, int) for p in places):
        result = pack([graph.outputs[p] for p in places])
        flat = isinstance(result, dict) and all(
            isinstance(t, Tensor) for t in result.values()
        )
        if flat:
            return [(str(k), t) for k, t in result.items()]
        return [(f"output_{i}", graph.outputs[p]) for i, p in enumerate(places)]
    return outputs


def given_cells(session: Any) -> Callable:
    """Where cells of a function have their values: in a session, if there is one."""
    session = session or get_default_session()
    return (lambda cell: cell) if session is None else session._home


def outer_value(t: Any, session: Any) -> Any:
    """The value of a captured tensor: an array, or the Cell of a variable."""
    if isinstance(t, dispatch.EagerTensor):
        return t._a
    session = session or get_default_session()
    if t.op.opdef.home is not None:
        return _cells(session, t.graph)(t.op.attrs["cell"])
    if session is None:
        raise ValueError(f"{t} has its value in a session: give session=.")
    return session.run(t)


# -------------------------------------------------------------------------------- Keras
def _of_layer(layer: Any, signature: Any, session: Any) -> Frozen:
    inputs = nest.flatten(getattr(layer, "inputs", None) or [])
    in_graph = bool(inputs) and not dispatch.current_mode().eager
    if in_graph and signature is None:
        session = session or sessions.get_session()
        names = getattr(layer, "input_names", None) or [t.op.name for t in inputs]
        found = _named_outputs(layer, nest.flatten(layer.outputs))
        given = dict(zip(names, inputs, strict=True))
        return Frozen(layer.name, given, found, {}, _cells(session, inputs[0].graph))
    if signature is None:
        if not inputs:
            raise ValueError(
                f"The model '{layer.name}' does not know its inputs yet: give "
                "input_signature=, a list of tf.TensorSpec(shape, dtype)."
            )
        names = layer.input_names
        signature = [
            TensorSpec(t.shape, t.dtype, n) for t, n in zip(inputs, names, strict=True)
        ]
    specs = signature if isinstance(signature, list | tuple) else [signature]
    found = _of_function(called_layer(layer, len(specs)), list(specs), session)
    found.name = layer.name
    found.outputs = _named_outputs(layer, list(found.outputs.values()))
    return found


def called_layer(layer: Any, count: int) -> Callable:
    """A function of `count` tensors that calls a layer, not in training."""

    def called(*tensors: Any) -> Any:
        given = tensors[0] if count == 1 else list(tensors)
        return layer(given)

    called.__name__ = layer.name
    return called


def _named_outputs(layer: Any, tensors: list) -> dict:
    names = getattr(layer, "output_names", None) or []
    if len(names) != len(tensors):
        names = [f"output_{i}" for i in range(len(tensors))]
    return dict(_distinct(list(zip(names, tensors, strict=True))))


# ------------------------------------------------------------------------------ passes
def prepared(program: Program) -> Program:
    """The program with defaults in place of what nobody feeds, and then optimized."""
    _take_defaults(program)
    return optimize(program)


def _take_defaults(program: Program) -> None:
    for node in program.nodes:
        if node.type == "PlaceholderWithDefault" and not program.is_fed(node):
            program.alias[node.outputs[0]] = node.inputs[0]
    for body in program.bodies.values():
        _take_defaults(body)

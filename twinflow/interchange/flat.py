"""What is exported as a program of jax: functions, graphs and models, made flat."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, nest
from twinflow.base.tensor import Tensor
from twinflow.base.tensor_spec import TensorSpec
from twinflow.execute.concrete import ConcreteFunction
from twinflow.execute.function import Function
from twinflow.execute.session import Session
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph import Graph
from twinflow.interchange.frozen import Frozen, called_layer, frozen, of_graph
from twinflow.interchange.pure import Pure, PureProgram
from twinflow.keras.backend import sessions
from twinflow.keras.engine.base_layer import Layer


class Flat:
    """A program of a list of tensors.

    Attributes:
        name: of it. pure: the PureProgram. specs: [(shape, NumPy's dtype)] of its
        arguments. packed: from the list of its results to what it returns.
    """

    def __init__(
        self, name: str, pure: PureProgram, specs: list, packed: Callable
    ) -> None:
        self.name, self.pure, self.specs, self.packed = name, pure, specs, packed


def flat(what: Any, signature: Any, inputs: Any, outputs: Any, session: Any) -> Flat:
    """What the user gave, as one kind of thing; see `tf.stablehlo.export`."""
    if isinstance(what, Session):
        what, session = what.graph, what
    if isinstance(what, Graph) and not isinstance(what, FuncGraph):
        return _of_graph(what, inputs, outputs, session)
    if isinstance(what, Layer):
        return _of_layer(what, signature, session)
    if isinstance(what, ConcreteFunction):
        taken = what.graph.inputs
        return _of_function(what, what.graph.name, _specs(taken), session)
    if callable(what):
        name = getattr(what, "name", None) or getattr(what, "__name__", "function")
        return _of_function(what, name, _signature(what, name, signature), session)
    raise TypeError(
        f"Cannot export {what!r}: expected a function, a tf.Graph, a tf.Session or a "
        "Keras model."
    )


def _specs(tensors: Any) -> list:
    return [(t.shape.tuple, t.dtype.np) for t in tensors]


def _signature(function: Any, name: str, signature: Any) -> list:
    if signature is None:
        signature = getattr(function, "input_signature", None)
    if signature is None:
        raise ValueError(
            f"'{name}' does not say what it takes: give input_signature=, a list of "
            "tf.TensorSpec(shape, dtype)."
        )
    several = isinstance(signature, list | tuple)
    return _specs(nest.flatten(list(signature) if several else [signature]))


def _of_function(function: Any, name: str, specs: list, session: Any) -> Flat:
    if not isinstance(function, Function | ConcreteFunction | Layer):
        function = Function(function, autograph=True)
    found: dict = {}

    def call(tensors: list) -> list:
        result = function(*tensors)
        found["like"] = result
        return nest.flatten(result)

    made = Pure(call, specs, name, session)
    like = found["like"]
    return Flat(name, made, specs, lambda flat: nest.pack_sequence_as(like, flat))


def _of_graph(graph: Graph, inputs: Any, outputs: Any, session: Any) -> Flat:
    return _of_frozen(of_graph(graph, inputs, outputs, session), outputs)


def _of_frozen(found: Frozen, outputs: Any) -> Flat:
    """A graph, whose gradients jax finds."""
    ends = list(found.outputs.values())
    made = PureProgram(found.name, found.program(), {}, found.cell_of, ends)
    named = isinstance(outputs, dict)
    single = isinstance(outputs, str | Tensor) or len(ends) == 1

    def packed(flat: list) -> Any:
        if named:
            return dict(zip(found.outputs, flat, strict=True))
        return flat[0] if single else flat

    return Flat(found.name, made, _specs(found.inputs.values()), packed)


def _of_layer(layer: Any, signature: Any, session: Any) -> Flat:
    in_graph = bool(getattr(layer, "inputs", None)) and signature is None
    if in_graph and not dispatch.current_mode().eager:
        return _of_frozen(frozen(layer, None, None, None, session), layer.outputs)
    if signature is None:
        inputs = nest.flatten(getattr(layer, "inputs", None) or [])
        if not inputs:
            raise ValueError(
                f"The model '{layer.name}' does not know its inputs yet: give "
                "input_signature=, a list of tf.TensorSpec(shape, dtype)."
            )
        signature = [TensorSpec(t.shape, t.dtype) for t in inputs]
    several = signature if isinstance(signature, list | tuple) else [signature]
    if not dispatch.current_mode().eager:
        session = session or sessions.get_session()
    called = Function(called_layer(layer, len(several)), name=layer.name)
    return _of_function(called, layer.name, _specs(several), session)

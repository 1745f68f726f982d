"""One form of a function, for arguments of certain dtypes and shapes."""

from typing import Any

from twinflow.base.tensor import Tensor, TensorLike
from twinflow.execute.call import backward_graph, call, forward_outputs, taken
from twinflow.graph import picture
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph_def import library
from twinflow.graph.graph_def.export import node_defs
from twinflow.ops.core.constant import convert_to_tensor


class ConcreteFunction:
    """A graph that is called with tensors; what get_concrete_function gives.

    Args:
        func_graph: the FuncGraph. attrs: dict of AttrValues of the function.
    Attributes:
        graph: the FuncGraph.
    Example:
        square = tfe.defun(lambda x: x * x).get_concrete_function(tf.constant(1.))
        square(tf.constant(3.))  # 9.0
    """

    def __init__(self, func_graph: FuncGraph, attrs: dict | None = None) -> None:
        self.graph, self._attrs = func_graph, dict(attrs or {})

    @property
    def inputs(self) -> list[Tensor]:
        """The inputs of the graph: the arguments, then what it captures."""
        return self.graph.all_inputs

    @property
    def outputs(self) -> list[Tensor]:
        """The outputs of the graph."""
        return self.graph.outputs

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors from outside that it uses."""
        return self.graph.captured_outer

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, in their structure."""
        return self._packed([t.shape for t in self.outputs])

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, in their structure."""
        return self._packed([t.dtype for t in self.outputs])

    @property
    def function_def(self) -> Any:
        """The FunctionDef."""
        return Registered(self.graph, tuple(self.outputs), self._attrs).definition

    def _repr_html_(self) -> str:
        return picture.graph_card(self.graph)

    def __call__(self, *args: Any) -> Any:
        for i, value in enumerate(args):
            if not isinstance(value, Tensor | TensorLike):
                raise ValueError(
                    "All inputs to `Function`s must be Tensors; on invocation of "
                    f"{self.graph.name}, the {i}-th input ({value}) was not a Tensor."
                )
        return self._packed(call(self.graph, [convert_to_tensor(a) for a in args]))

    def _packed(self, flat: list) -> Any:
        structure = self.graph.structure
        if structure is None:
            return flat[0] if len(flat) == 1 else flat or None
        places, pack = structure
        return pack([taken(p, flat) for p in places])


class Registered:
    """A function in the library of a graph, by its name.

    Attributes:
        name: its name there. grad_func: none.
    """

    grad_func = None

    def __init__(
        self, graph: Any, outputs: tuple, attrs: dict, name: str | None = None
    ) -> None:
        self._graph, self._outputs, self.attrs = graph, outputs, attrs
        self.name = name or library.name_of(graph, outputs)

    @property
    def definition(self) -> Any:
        """The FunctionDef."""
        found = library.function_def(self.name, self._graph, self._outputs, node_defs)
        for key, value in self.attrs.items():
            found.attr[key].CopyFrom(value)
        return found


def register_in(graph: Any, function: ConcreteFunction, attr: Any) -> None:
    """Put a function, its forward form and its gradient into a library.

    Args:
        graph: the Graph. attr: from a text to an AttrValue.
    """
    inner, outputs = function.graph, tuple(function.outputs)
    wanted = tuple(i for i, t in enumerate(inner.all_inputs) if t.dtype.is_inexact)
    forward = forward_outputs(inner, wanted, 1)
    pattern = tuple(i for i, t in enumerate(outputs) if t.dtype.is_inexact)
    backward = backward_graph(inner, outputs, pattern, wanted)
    number = library.name_of(inner, outputs).rpartition("_")[2]
    names = [f"__forward_{inner.name}_{number}"]
    names.append(f"__inference___backward_{inner.name}_{number}")
    own = function._attrs
    made = [
        Registered(inner, outputs, own),
        Registered(inner, tuple(forward), {**own, _BACKWARD: attr(names[1])}, names[0]),
        Registered(
            backward, tuple(backward.outputs), {**own, _FORWARD: attr(names[0])},
            names[1],
        ),
    ]  # fmt: skip
    for one in made:
        graph._functions.setdefault(one.name, one)


_BACKWARD, _FORWARD = "backward_function_name", "forward_function_name"

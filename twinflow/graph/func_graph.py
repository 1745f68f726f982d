"""FuncGraph: the graph of a traced function.

Note [Captures]: what a trace uses from outside becomes an extra input. The inner tensor
carries the id of the outer one, so that a tape inside the function finds it.
"""

import contextlib
import weakref
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply, next_id
from twinflow.base.tensor import Tensor
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor
from twinflow.graph.regions import lifted, visible
from twinflow.ops.arrays.placeholder import Placeholder


class FuncGraph(Graph):
    """A graph with inputs and outputs.

    Attributes:
        inputs: the placeholders of the arguments. outputs: the tensors returned.
        has_seed: whether ops with seeds of their own have the graph's beside it, where
            the numbers of TensorFlow are wanted: not in functions of datasets.
        captures: dict from the id of an outer tensor to (outer, inner).
        outer: the mode in which the function was traced.
        structure: where the parts of the result are (execute.call.taken), and what
            puts them together; None where they are the outputs.
    """

    is_function = has_seed = True
    defined: Any = None  # the function of the library that it is the graph of
    captured_name = "captured"

    def __init__(self, name: str, outer: Any = None) -> None:
        super().__init__()
        outer = dispatch.current_mode() if outer is None else outer
        self.name, self.outer = name, outer
        self.depth = getattr(outer, "depth", -1) + 1
        self.structure: Any = None
        self.inputs: list = []
        self.outputs: list = []
        self.captures: dict = {}
        self.variables: dict = {}  # weak references to the variables read, by id

    @contextlib.contextmanager
    def exports(self) -> Any:
        """As in Graph; values leave the regions of the graphs around it as well."""
        outer = self.outer
        around = contextlib.nullcontext() if outer.eager else outer.exports()
        with around, super().exports():
            yield

    def random_owner(self) -> Any:
        return self.outer.random_owner()

    def variable_owner(self) -> Any:
        return self.outer.variable_owner()

    def uses_resources(self) -> bool:
        """Variables that a function makes are resources."""
        return True

    def note_variable(self, variable: Any) -> None:
        """Remember that the function reads `variable`."""
        super().note_variable(variable)
        self.variables[id(variable)] = weakref.ref(variable)
        self.outer.note_variable(variable)

    def add_input(self, dtype: dtypes.DType, shape: Any, name: str) -> GraphTensor:
        """A new argument."""
        t = self._outside(dtype, shape, name)
        self.inputs.append(t)
        return t

    def _outside(self, dtype: dtypes.DType, shape: Any, name: str) -> Any:
        with self.outside_regions(), dispatch.tapes_paused():
            attrs = {"dtype": dtype, "shape": shape}
            return apply(Placeholder, (), attrs, name)

    def capture(self, value: Any) -> Any:
        """The inner tensor that stands for the outer tensor `value`."""
        if isinstance(value, GraphTensor) and not self._encloses(value.graph):
            raise ValueError(
                f"The tensor {value} belongs to another function or graph that is not "
                f"around the function '{self.name}'. Return it from there and pass it "
                "in as an argument."
            )
        inside = self.exporting and isinstance(value, GraphTensor)
        if inside and not visible(value, value.graph.region):
            return lifted(value, self)  # which finds the entry of an iteration
        if isinstance(self.outer, Graph) and value not in self.captures:
            value = self.outer.tensor(value)
        found = self.captures.get(value)
        if found is None:
            found = self._capture(value)
            self.captures[value] = found
        return found

    def _capture(self, value: Tensor) -> GraphTensor:
        if not value._id:
            value._id = next_id()
        shape = () if value.dtype is dtypes.resource else value._shape
        with dispatch.entered(self):
            inner = self._outside(value.dtype.base_dtype, shape, self.captured_name)
        inner._id = value._id
        return inner

    def _encloses(self, graph: "FuncGraph | Graph") -> bool:
        mode = self.outer
        while isinstance(mode, Graph):
            if mode is graph:
                return True
            mode = getattr(mode, "outer", None)
        return False

    @property
    def captured_outer(self) -> list[Tensor]:
        """The outer tensors, in the order of the extra inputs."""
        return list(self.captures)

    external_captures = captured_outer

    @property
    def internal_captures(self) -> list[Tensor]:
        """The extra inputs."""
        return list(self.captures.values())

    @property
    def all_inputs(self) -> list[Tensor]:
        """Arguments, then captures."""
        return self.inputs + list(self.captures.values())

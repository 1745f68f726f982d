"""A trace: one traced form of a function, its stages, and what became of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.autodiff.memory import of_tensors
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.convert import is_tensor_like, to_array
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, Tensor
from twinflow.execute.call import (
    call,
    forward_outputs,
    placed,
    plans_of,
    program_of,
    taken,
)
from twinflow.graph.format import format_graph, format_program
from twinflow.graph.func_graph import FuncGraph
from twinflow.ops.core import array
from twinflow.ops.variables.kinds import Variable

if TYPE_CHECKING:
    from twinflow.execute.function import Function


def is_spec(value: Any) -> bool:
    """Whether `value` is a TensorSpec or like one."""
    held = isinstance(value, Tensor | Variable | Composite)
    plain = not held and hasattr(value, "dtype")
    return plain and isinstance(getattr(value, "shape", None), TensorShape)


class Trace:
    """One traced form of a Function: a FuncGraph and how to call it.

    Attributes:
        kinds, reason: what it depends on, and why it was made (execute.retraces).
    """

    kinds: dict
    reason = ""

    def __init__(self, function: "Function", args: tuple, kwargs: dict) -> None:
        outer = dispatch.current_mode()
        graph = self.graph = FuncGraph(function.name, outer)
        with dispatch.entered(graph):
            args, kwargs = _placeholders((args, kwargs), graph)
            result = function.run_python(args, kwargs)
            self._set_outputs(graph, result)

    def _set_outputs(self, graph: FuncGraph, result: Any) -> None:
        flat = nest.flatten(result)
        self.result = result if nest.is_sequence(result) else None
        self.places = [_placed(graph, r) for r in flat]
        graph.structure = self.places, self._packed

    def structured(self) -> Any:
        """What the function returned, with the outputs of the graph in it."""
        return self._packed([taken(p, self.graph.outputs) for p in self.places])

    def __str__(self) -> str:
        return format_graph(self.graph)

    def optimized(self) -> str:
        """The program after the passes, as text."""
        return format_program(program_of(self.graph, self.graph.outputs))

    def lowered(self) -> str:
        """The StableHLO of each cluster that has run, as text.

        Raises:
            RuntimeError: the function has not been called with these arguments yet, or
                XLA cannot compile what it does (the reason is in the message).
        """
        clusters = [c for plan in plans_of(self.graph) for c in plan.clusters]
        entries = [c.compiled_entry() for c in clusters if c.entries]
        if not entries:
            raise RuntimeError("Call the function first: shapes are known then.")
        texts = []
        for entry in entries:
            if entry.executable is None:
                raise RuntimeError(f"XLA does not compile this: {entry.error}")
            texts.append(entry.executable.as_text())
        return "\n".join(texts)

    def memory(self) -> Any:
        """What a call under a tape keeps for its gradient, a Memory (bytes by line)."""
        graph = self.graph
        slopes = (
            t.dtype.is_inexact or t.dtype is dtypes.resource for t in graph.all_inputs
        )
        wanted = tuple(i for i, yes in enumerate(slopes) if yes)
        given = {*graph.outputs, *graph.all_inputs}
        found = forward_outputs(graph, wanted, 1)
        return of_tensors([t for t in found if t not in given])

    def __call__(self, tensors: Any) -> Any:
        outputs = call(self.graph, tensors)
        mode = dispatch.current_mode()
        if not outputs and not mode.eager and self.result is None:
            return mode.nodes[-1]  # of a function that gives nothing, to be run
        return self._packed([taken(p, outputs) for p in self.places])

    def _packed(self, flat: list) -> Any:
        if self.result is None:
            return flat[0]
        return nest.pack_sequence_as(self.result, flat)


def _placed(graph: FuncGraph, value: Any) -> int | None:
    """`execute.call.placed`, for what the user's function returned."""
    try:
        return placed(graph, value)
    except (TypeError, ValueError):
        if is_tensor_like(value):
            raise
        raise TypeError(
            "To be compatible with tf.contrib.eager.defun, Python functions must "
            f"return zero or more Tensors; in compilation of {graph.name}, found "
            f"return value of type {type(value)}, which is not a Tensor."
        ) from None


def _placeholders(value: Any, graph: Any) -> Any:
    """The arguments with a placeholder in place of each tensor or spec."""
    if isinstance(value, Tensor | np.ndarray | np.generic):
        if not isinstance(value, Tensor):
            value = array.constant(value) if dispatch.current_mode().eager else value
            a, dtype = to_array(value)
            return graph.add_input(dtype, a.shape, "placeholder")
        shape = () if value.dtype is dtypes.resource else value._shape
        return graph.add_input(value.dtype, shape, "placeholder")
    if isinstance(value, Composite):
        return value._with(
            [c if c is None else _placeholders(c, graph) for c in value._components()]
        )
    if is_spec(value):
        return graph.add_input(value.dtype, value.shape.tuple, "placeholder")
    if nest.is_sequence(value):
        flat = [_placeholders(v, graph) for v in nest.flatten(value)]
        return nest.pack_sequence_as(value, flat)
    return value


def report_lines(trace: Trace) -> Iterator[str]:
    """What `Function.report` says of one trace."""
    shapes = ", ".join(f"{t.dtype.name}{t.shape}" for t in trace.graph.inputs)
    yield f"({shapes}), because of {trace.reason}"
    for plan in plans_of(trace.graph):
        hosts = len(plan.steps) - len(plan.clusters)
        yield f"  {len(plan.clusters)} clusters, {hosts} host steps"
        for cluster in plan.clusters:
            for entry in cluster.entries.values():
                yield f"    {len(cluster.spec.nodes)} nodes: {entry.describe()}"

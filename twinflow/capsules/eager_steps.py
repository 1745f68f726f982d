"""Eager ops as the nodes of a graph, whose feeds are the values from before."""

from typing import Any

import numpy as np

from twinflow.base import bind, dtypes
from twinflow.base.op import Op
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun
from twinflow.capsules.outside import needs_given
from twinflow.capsules.steps import EagerStep
from twinflow.capsules.values import Absent
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.node import Node
from twinflow.graph.program import Program, build
from twinflow.ops.arrays.placeholder import Placeholder
from twinflow.ops.core.flow import Elements

_PASSED_ON = np.ndarray | np.generic | Elements


class EagerGraph:
    """The graph of an EagerStep.

    Args:
        step: the EagerStep. failed: the OpRun that failed, and what it raised.
    Attributes:
        values: of the feeds. first, given: see steps.Unit. program: the Program.
    """

    def __init__(self, step: EagerStep, failed: tuple = (None, None)) -> None:
        self.graph = FuncGraph("step")
        self.values: list = []
        self.first: dict = {}
        self.nodes: dict = {}  # {id of an OpRun: its Node}
        self.given: list = []
        self._failed, self._error = failed
        self._made: dict = {}  # {id of a value: the tensor that is it}
        self._names: dict = {}
        for run, before in step.runs:
            for key, entry in before.items():
                self.first.setdefault(key, entry)
            self._add(run)
        made = list(self.nodes.values())
        self.program: Program = build(self.graph, [], made, self.graph.inputs)

    def _add(self, run: OpRun) -> None:
        op = run.op
        types: dict = {}
        args: list = []
        for spec, value in zip(op.sig.inputs, run.inputs, strict=False):
            many = spec.is_list and isinstance(value, list | tuple)
            found = [self._tensor(v) for v in value] if many else self._tensor(value)
            args.append(found)
            first = found[0] if many and found else found
            if spec.type_attr and not isinstance(first, list):
                types.setdefault(spec.type_attr, first.dtype.base_dtype)
            if spec.mixed and isinstance(found, list):
                types[spec.type_attr] = tuple([t.dtype.base_dtype for t in found])
        specs = _specs(op, run, types)
        name = self._name(run.name or op.type)
        node = self.graph._make_node(op, args, run.attrs, types, name, specs)
        node.frames = run.frames
        if run.forward:
            node.original = _Forward(run.forward)
        self.nodes[id(run)] = node
        if needs_given(node):
            gave = self._error if run is self._failed else list(run.outputs or ())
            self.given.append((node, 1, list(run.inputs), gave, []))
        for t, value in zip(node.outputs, run.outputs or (), strict=False):
            if isinstance(value, _PASSED_ON):
                self._made[id(value)] = t

    def _tensor(self, value: Any) -> Any:
        found = self._made.get(id(value))
        if found is None:
            dtype, shape = _kind(value)
            attrs = {"dtype": dtype, "shape": shape}
            name = self._name("before")
            node = self.graph._make_node(
                Placeholder, [], attrs, {"dtype": dtype}, name, [(dtype, shape)]
            )
            node.frames = ()
            found = node.outputs[0]
            self.graph.inputs.append(found)
            self.values.append(value)
            if isinstance(value, _PASSED_ON | Cell):
                self._made[id(value)] = found
        return found

    def _name(self, name: str) -> str:
        name = name.rstrip("/") or "op"
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return self._name(f"{name}_{count}") if count else name

    def node_of(self, run: OpRun) -> Node | None:
        """The node of an op that ran."""
        return self.nodes.get(id(run))


class _Forward:
    _original_op = None

    def __init__(self, frames: tuple) -> None:
        self.frames = frames


def _kind(value: Any) -> tuple:
    """The dtype and shape of a value."""
    if isinstance(value, Cell):
        return dtypes.resource, ()
    if isinstance(value, Elements):
        return dtypes.flow, ()
    if isinstance(value, Absent):
        return dtypes.variant, ()
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype == object:
            return dtypes.string, np.shape(value)
        return dtypes.from_numpy(value.dtype), np.shape(value)
    return dtypes.int32, None  # a number or numbers that an op takes from Python


def _specs(op: Op, run: OpRun, types: dict) -> list[tuple]:
    """(dtype, shape) of the outputs: what they were, or what can be told."""
    known = {**run.attrs, **types}
    if run.outputs is not None:
        kinds = [_kind(v)[0] for v in run.outputs]
        for spec, dtype in zip(op.sig.outputs, kinds, strict=False):
            if spec.type_attr and not spec.mixed:
                types.setdefault(spec.type_attr, known.get(spec.type_attr, dtype))
        try:
            kinds = bind.output_dtypes(op, {**run.attrs, **types}, len(kinds))
        except (KeyError, TypeError, ZeroDivisionError):
            pass
        shapes = [np.shape(v) if hasattr(v, "shape") else None for v in run.outputs]
        return list(zip(kinds, shapes, strict=True))
    found = []
    for spec in op.sig.outputs:
        dtype = spec.dtype or known.get(spec.type_attr)
        one = isinstance(dtype, dtypes.DType)
        found.append((dtype if one else dtypes.float32, None))
    return found

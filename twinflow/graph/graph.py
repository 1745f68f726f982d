"""Graph: nodes in creation order, with names, scopes, collections and regions."""

import contextlib
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import bind, dispatch, dtypes, frames
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue
from twinflow.base.convert import (
    CONVERSIONS,
    converted,
    for_graph,
    holds_tensor,
    to_array,
)
from twinflow.base.errors import UsageError
from twinflow.base.op import InferError, Op
from twinflow.base.tape_record import record
from twinflow.base.tensor import ResourceHandle, Tensor, TensorLike
from twinflow.graph import static
from twinflow.graph.as_protos import GraphAsProto
from twinflow.graph.collections import Collections
from twinflow.graph.cond import cond
from twinflow.graph.custom import OverriddenExtra, identity_with_gradient
from twinflow.graph.elements import Elements
from twinflow.graph.ids import Ids
from twinflow.graph.marking import Marking
from twinflow.graph.node import GraphTensor, Node, Region
from twinflow.graph.older_names import OlderNames
from twinflow.graph.order import ControlScope, order_of
from twinflow.graph.regions import lifted, waited_for
from twinflow.graph.shape_errors import shape_error
from twinflow.graph.type_errors import type_error
from twinflow.ops.core.constant import Const
from twinflow.ops.core.nested_lists import stack_nested
from twinflow.ops.core.shape import Shape

if TYPE_CHECKING:
    from twinflow.graph.func_graph import FuncGraph

_INSIDE = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")  # of a scope inside another
_VALID_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")


class Graph(
    Elements, Collections, GraphAsProto, Marking, Ids, OlderNames, dispatch.Mode
):
    """A program to be run later.

    Appending nodes never changes what is there; `version` counts them.
    """

    eager = False
    is_function = False
    depth = 0  # in how many functions it is
    first_seed: int | None = None  # that new graphs begin with
    scope = ""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[Node] = []
        self.left_ids = 0
        self.by_name: dict[str, Node] = {}
        self.used_names: dict[str, int] = {}
        self.control: tuple[Any, ...] = ()
        self.device_scopes: tuple[Any, ...] = ()
        self.markers: tuple[Any, ...] = ()  # see graph.marking
        self.building = threading.RLock()  # held while a node is made
        self.overrides: dict[Any, Any] = {}  # from op types to registered gradients
        self.region: Region | None = None
        self.collections: dict[Any, Any] = {}
        self.seed = self.first_seed
        self.made_at: Any = None  # the frames of nodes that are made together
        self.finalized = False
        self.not_fetchable: set[Any] = set()
        self.not_feedable: set[Any] = set()
        self.exporting = False  # Note [Exports]

    # ------------------------------------------------------------------ building
    def run_op(self, op: Any, inputs: Any, attrs: Any, name: str | None) -> Any:
        """Append a node; see base.dispatch.Mode. Inputs of another graph go first."""
        other = self.graph_of(inputs)
        if other is not self:
            with dispatch.entered(other):
                return other.run_op(op, inputs, attrs, name)
        with self.building:
            name = self._node_name(name or op.type)
            with _restored(self, "scope", name + "/"):
                args, types = self._bind(op, inputs, attrs, name)
            node = self._append(op, args, attrs, types, name)
        tapes = dispatch.local.top.tapes
        if tapes:
            record(op, tapes, args, node.outputs, attrs)
        if op.single:
            return node.outputs[0]
        return list(node.outputs) if op.sig.outputs else node

    def graph_of(self, inputs: Any) -> Any:
        """The graph of the first tensor among `inputs`; functions capture instead."""
        if self.is_function:
            return self
        first: Any = None
        for x in _flat(inputs):
            if isinstance(x, _WITH_GRAPH):
                found = getattr(x, "graph", None)
                if found is None:
                    continue
                if first is not None and found is not first.graph:
                    raise advised(
                        ValueError, f"{x} must be from the same graph as {first}."
                    )
                first = x if first is None else first
        found = self if first is None else first.graph
        return self if found.is_function else found

    stack = staticmethod(stack_nested)

    def make_constant(
        self, array: Any, dtype: Any, name: str | None = None
    ) -> GraphTensor:
        """A Const node."""
        attrs = {"value": array, "dtype": dtype}
        return self.run_op(Const, (), attrs, name or "Const")

    def with_gradient(self, results: Any, sources: Any, vjp: Any) -> list[Tensor]:
        """Results that carry a gradient of their own: see graph.custom."""
        return identity_with_gradient(self, results, sources, vjp)

    def cond(
        self, pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any]
    ) -> Any:
        """See graph.cond; how ops reach it."""
        return cond(pred, true_fn, false_fn)

    def _bind(self, op: Op, inputs: tuple, attrs: dict, name: str) -> tuple:
        try:
            return bind.bind(op, inputs, attrs, self.tensor, self._host)
        except bind.Mismatch as m:
            raise type_error(op, m, inputs) from None
        except bind.NoReference as arg:
            raise TypeError(
                f"'{op.type}' Op requires that input '{arg}' be a mutable tensor "
                "(e.g.: a tf.Variable)"
            ) from None

    def tensor(
        self, value: Any, dtype: DTypeValue | None = None, name: str | None = None
    ) -> Any:
        """`value` as a tensor of this graph."""
        if isinstance(value, TensorLike):
            value = value._as_tensor()
        if isinstance(value, GraphTensor):
            if value.op.graph is not self:
                return self.capture(value)
            here = value.op.region is None or value.op.region is self.region
            return value if here else lifted(value, self)
        if isinstance(value, Tensor):
            return self.capture(value)
        if isinstance(value, list | tuple) and holds_tensor(value):
            return self.stack(value, dtype)
        if CONVERSIONS and (found := converted(value, dtype, name)) is not None:
            return self.tensor(found)
        if isinstance(value, Node):
            raise TypeError(value._why_no_tensor())
        array, found = _array(value, dtype)
        return self.make_constant(array, found, name)

    def _host(self, value: Any, name: Any, dtype: dtypes.DType | None) -> Any:
        if isinstance(value, Tensor | TensorLike):
            return self.tensor(value)
        if isinstance(value, list | tuple) and holds_tensor(value):
            return self.stack(value, dtype)
        array, found = _array(static.plain(value), dtype)
        if dtype is None and not array.size:  # [] is as good as no index
            array, found = array.astype(np.int32), dtypes.int32
        return self.make_constant(array, found, name)

    def capture(self, value: Any) -> None:
        """Refuse what is not of this graph; a function's graph captures it instead."""
        if isinstance(value, GraphTensor):
            raise advised(
                ValueError, f"{value} must be from the same graph as the other inputs."
            )
        raise RuntimeError(
            "Attempting to capture an EagerTensor without building a function."
        )

    def _append(self, op: Op, args: list, attrs: dict, types: dict, name: str) -> Node:
        if op.home is not None:
            attrs = self._with_home(op, attrs, name)
        shapes = self._infer(op, args, attrs, name)
        kinds = bind.output_dtypes(op, types, len(shapes))
        specs = list(zip(kinds, shapes, strict=True))
        return self._make_node(op, args, attrs, types, name, specs)

    def _with_home(self, op: Any, attrs: Any, name: Any) -> dict[str, Any]:
        """The attributes with a cell: one for each shared name of a container."""
        key = op.type, attrs.get("container"), attrs.get("shared_name") or name
        shared = self.state.setdefault("homes", {})
        cell = attrs[op.cell] or shared.get(key) or op.home(name, attrs)
        shared[key] = cell
        return {**attrs, op.cell: cell}

    def append_node(
        self, op: Any, args: Any, attrs: Any, name: str, specs: Any
    ) -> Node:
        """A node whose outputs are given as (dtype, shape): calls and control flow."""
        with self.building:
            return self._make_node(op, args, attrs, {}, self._node_name(name), specs)

    def append_output(self, node: Any, dtype: Any, shape: Any) -> GraphTensor:
        """One more output for a call or control-flow node."""
        node.outputs.append(GraphTensor(node, len(node.outputs), dtype, shape))
        return node.outputs[-1]

    def _make_node(
        self, op: Op, args: list, attrs: dict, types: dict, name: str, specs: list
    ) -> Node:
        if self.finalized:
            raise advised(RuntimeError, "Graph is finalized and cannot be modified.")
        node = Node()
        node.opdef, node.name, node.graph = op, name, self
        lists = any(type(a) is list for a in args)
        node.counts = (
            [len(a) if type(a) is list else None for a in args] if lists else None
        )
        node.inputs = tuple(_flat(args))
        node.attrs, node.types = attrs, types
        self._note_order(node)
        node.device, node.region = "", self.region
        node.frames, node.marks = self.made_at or frames.user_frames(), None
        node.index, node.static, node.extra = len(self.nodes), None, None
        if self.region is not None:
            self.enter(self.region, node.inputs)
        if op.type in self.overrides:
            node.extra = OverriddenExtra(self.overrides[op.type])
        node.outputs = [GraphTensor(node, i, d, s) for i, (d, s) in enumerate(specs)]
        self._mark(node)
        self.nodes.append(node)
        self.by_name[name] = node
        return node

    def _note_order(self, node: Any) -> None:
        """What `node` has to wait for, by the control dependencies around it."""
        node.after, node.implied = (), frozenset()
        if self.control:
            node.after, node.implied = order_of(node, self.control)

    def _infer(self, op: Op, args: list, attrs: dict, name: str) -> list:
        if op.infer is None:
            return []
        known = [
            static.partial_value(a) if arg.host else a
            for arg, a in zip(op.sig.inputs, args, strict=True)
        ]
        try:
            shapes = op.infer(*known, **attrs)
        except InferError as error:
            if not error.later:
                raise shape_error(op, list(_flat(args)), name, error) from None
            shapes = None
        if shapes is None and not op.single:
            shapes = [None] * len(op.sig.outputs)
        return [shapes] if op.single else list(shapes)

    def keep_shape(self, t: Any) -> None:
        """Called for what may have to be zeros when gradients are missing."""

    def shape_tensor(self, t: Any) -> GraphTensor:
        """The run-time shape of `t` as a tensor: one Shape node per tensor."""
        found = self.state.setdefault("shapes", {}).get(t)
        if found is None or not _visible(found.op.region, self.region):
            with dispatch.tapes_paused(), _restored(self, "control", ()):
                found = dispatch.apply(Shape, (t,))
            self.state["shapes"][t] = found
        else:
            self.leave_ids(1)
            self.enter_as(found, t)
        return found

    # ------------------------------------------------------------------ names
    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` inside the current scope, numbered where it is taken."""
        full = self.scope + name if self.scope else name
        count = self.used_names.get(full.lower(), 0)
        found = full
        while count and found.lower() in self.used_names:
            found, count = f"{full}_{count}", count + 1
        if mark_as_used:
            self.used_names[full.lower()] = max(count, 1)
            self.used_names.setdefault(found.lower(), 1)
        return found

    def _node_name(self, name: str, kind: str = "node") -> str:
        if name.endswith("/"):
            return name[:-1]
        inside = self.scope and kind == "scope"
        full = name if inside else self.scope + name
        if not (_INSIDE if inside else _VALID_NAME).match(full):
            raise advised(ValueError, f"'{full}' is not a valid {kind} name")
        return self.unique_name(name)

    def get_name_scope(self) -> Any:
        """The current name scope, without its '/' at the end."""
        return self.scope.removesuffix("/")

    @contextlib.contextmanager
    def name_scope(self, name: Any) -> Iterator[str]:
        """Prefix the names of the nodes made in the block."""
        if not isinstance(name, str | None):
            raise TypeError("expected string or bytes-like object")
        if not name:
            scope = ""
        elif name.endswith("/"):
            scope = name
        else:
            scope = self._node_name(name, "scope") + "/"
        with _restored(self, "scope", scope):
            yield scope

    # ------------------------------------------------------------------ scopes
    @contextlib.contextmanager
    def as_default(self) -> "Iterator[Graph]":
        """Make this the graph that ops are added to.

        Raises:
            AssertionError: a block that began later has not ended yet.
        """
        with dispatch.entered(self):
            yield self
            if dispatch.local.top.mode is not self:
                raise UsageError(
                    f"Nesting violated for default stack of {Graph} objects"
                )

    @contextlib.contextmanager
    def control_dependencies(self, inputs: Any) -> Iterator[None]:
        """Run what the block adds after `inputs`; None clears the outer ones."""
        scope = ControlScope(() if inputs is None else tuple(_nodes(inputs, self)))
        scopes = () if inputs is None else (*self.control, scope)
        with _restored(self, "control", scopes):
            yield

    @contextlib.contextmanager
    def in_region(self, region: Any) -> Iterator[Region | None]:
        """Add nodes to `region`."""
        with _restored(self, "region", region), _restored(self, "control", ()):
            yield region

    def uses_resources(self) -> Any:
        """What the variable scope says of the variables made here."""
        scopes = self.state.get("variable_scopes")
        return None if scopes is None else scopes.current.use_resource

    def note_variable(self, variable: Any) -> None:
        """Remember in every region around this place that `variable` is read there."""
        region = self.region
        while region is not None:
            region.variables.append(variable)
            region = region.parent

    def exports(self) -> Any:
        """Let values leave the regions they were computed in (Note [Exports])."""
        return _restored(self, "exporting", True)

    @contextlib.contextmanager
    def outside_regions(self) -> Iterator[None]:
        """Add nodes outside every region, and free of control dependencies."""
        with self.in_region(None):
            yield

    # ------------------------------------------------------------------ looking
    @property
    def version(self) -> int:
        """How many nodes there are."""
        return len(self.nodes)

    def finalize(self) -> None:
        """Refuse further nodes."""
        self.finalized = True

    def get_operations(self) -> list[Node]:
        """All nodes in creation order."""
        return list(self.nodes)

    def is_fetchable(self, t: Any) -> bool:
        """Whether a Session may return `t`."""
        node = t.op if isinstance(t, GraphTensor) else t
        return node not in self.not_fetchable and node.region is None

    def prevent_fetching(self, op: Any) -> None:
        """Let no Session return `op` or its tensors."""
        self.not_fetchable.add(op)

    def is_feedable(self, tensor: Any) -> bool:
        """Whether a Session may replace the value of `tensor`."""
        return tensor not in self.not_feedable

    def prevent_feeding(self, tensor: Any) -> None:
        """Let no Session replace the value of `tensor`."""
        self.not_feedable.add(tensor)


class _restored:
    """A block in which an attribute of a graph has another value: each node has one."""

    __slots__ = ("attribute", "graph", "value")

    def __init__(self, graph: Any, attribute: str, value: Any) -> None:
        self.graph, self.attribute, self.value = graph, attribute, value

    def __enter__(self) -> None:
        inner, self.value = self.value, getattr(self.graph, self.attribute)
        setattr(self.graph, self.attribute, inner)

    def __exit__(self, *exc: Any) -> None:
        setattr(self.graph, self.attribute, self.value)


def _nodes(inputs: list, graph: "FuncGraph | Graph") -> Iterator[Node]:
    for x in inputs:
        found = x
        handle = isinstance(x, ResourceHandle)
        if hasattr(x, "_as_graph_element") and (not handle or x.graph is graph):
            found = x._as_graph_element()
        if isinstance(x, str) or (type(x) in _OF_GRAPHS and not graph.is_function):
            found = graph.as_graph_element(x)
        found = found if isinstance(found, Node) else getattr(found, "op", None)
        if found is None:
            kind = type(x).__name__
            raise TypeError(f"Can not convert a {kind} into a Tensor or Operation.")
        yield from waited_for(found, graph)


_OF_GRAPHS = (GraphTensor, Node)
_WITH_GRAPH = (GraphTensor, ResourceHandle)


def _visible(region: Region | None, seen_from: Region | None) -> bool:
    return region is None or (seen_from is not None and seen_from.inside(region))


def _array(value: Any, dtype: Any) -> tuple:
    try:
        return to_array(value, dtype)
    except ValueError as error:
        raise for_graph(error, dtype) from None


def _flat(args: Sequence) -> Iterator[Any]:
    for a in args:
        if type(a) is list:
            yield from a
        else:
            yield a

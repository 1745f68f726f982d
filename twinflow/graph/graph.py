"""Graph: nodes in creation order, with names, scopes, collections and regions."""

import contextlib
import re

from twinflow.base import bind, devices, dispatch, frames
from twinflow.base.convert import CONVERSIONS, converted, for_graph, to_array
from twinflow.base.op import InferError, registry
from twinflow.base.record import record
from twinflow.base.tensor import ResourceHandle, Tensor, TensorLike
from twinflow.graph import static
from twinflow.graph.cond import cond
from twinflow.graph.custom import OverriddenExtra, identity_with_gradient
from twinflow.graph.node import GraphTensor, Node, Region
from twinflow.graph.regions import lifted

_VALID_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")


class Graph(dispatch.Mode):
    """A program to be run later.

    Appending nodes never changes what is there; `version` counts them.
    """

    eager = False
    is_function = False
    scope = ""

    def __init__(self):
        super().__init__()
        self.nodes: list[Node] = []
        self.by_name: dict[str, Node] = {}
        self.used_names: dict[str, int] = {}
        self.control: tuple = ()
        self.device_scopes: tuple = ()
        self.overrides: dict = {}  # from op types to registered gradients
        self.region: Region | None = None
        self.collections: dict = {}
        self.seed = None
        self.finalized = False
        self.not_fetchable: set = set()
        self.not_feedable: set = set()
        self.exporting = False  # Note [Exports]

    # ------------------------------------------------------------------ building
    def run_op(self, op, inputs, attrs, name):
        """Append a node; see base.dispatch.Mode."""
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

    def make_constant(self, array, dtype, name=None):
        """A Const node."""
        attrs = {"value": array, "dtype": dtype}
        return self.run_op(registry["Const"], (), attrs, name or "Const")

    def with_gradient(self, results, sources, vjp):
        """Results that carry a gradient of their own: see graph.custom."""
        return identity_with_gradient(self, results, sources, vjp)

    def cond(self, pred, true_fn, false_fn):
        """See graph.cond; how ops reach it."""
        return cond(pred, true_fn, false_fn)

    def _bind(self, op, inputs, attrs, name):
        try:
            return bind.bind(op, inputs, attrs, self.tensor, self._host)
        except bind.Mismatch as m:
            raise _mismatch(op, m) from None

    def tensor(self, value, dtype=None, name=None):
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
        if isinstance(value, list | tuple) and _has_tensor(value):
            return dispatch.Mode.stack(value, dtype)
        if CONVERSIONS and (found := converted(value, dtype, name)) is not None:
            return self.tensor(found)
        array, found = _array(value, dtype)
        return self.make_constant(array, found, name)

    def _host(self, value, name, dtype):
        if isinstance(value, Tensor | TensorLike):
            return self.tensor(value)
        if isinstance(value, list | tuple) and _has_tensor(value):
            return dispatch.Mode.stack(value, dtype)
        array, found = _array(static.plain(value), dtype)
        return self.make_constant(array, found, name)

    def capture(self, value):
        """Refuse what is not of this graph; a function's graph captures it instead."""
        if isinstance(value, GraphTensor):
            raise ValueError(
                f"{value} must be from the same graph as the other inputs."
            )
        raise RuntimeError(
            "Attempting to capture an EagerTensor without building a function."
        )

    def _append(self, op, args, attrs, types, name):
        shapes = self._infer(op, args, attrs, name)
        kinds = bind.output_dtypes(op, types, len(shapes))
        specs = list(zip(kinds, shapes, strict=True))
        return self._make_node(op, args, attrs, types, name, specs)

    def append_node(self, op, args, attrs, name, specs):
        """A node whose outputs are given as (dtype, shape): calls and control flow."""
        return self._make_node(op, args, attrs, {}, self._node_name(name), specs)

    def append_output(self, node, dtype, shape):
        """One more output for a call or control-flow node."""
        node.outputs.append(GraphTensor(node, len(node.outputs), dtype, shape))
        return node.outputs[-1]

    def _make_node(self, op, args, attrs, types, name, specs):
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        node = Node()
        node.opdef, node.name, node.graph = op, name, self
        lists = any(type(a) is list for a in args)
        node.counts = (
            [len(a) if type(a) is list else None for a in args] if lists else None
        )
        node.inputs = tuple(_flat(args))
        node.attrs, node.types = attrs, types
        node.control_inputs = self.control
        node.device, node.region = "", self.region
        for scope in self.device_scopes:
            node.device = scope(node)
        node.frames = frames.user_frames()
        node.index, node.static, node.extra = len(self.nodes), None, None
        if op.type in self.overrides:
            node.extra = OverriddenExtra(self.overrides[op.type])
        node.outputs = [GraphTensor(node, i, d, s) for i, (d, s) in enumerate(specs)]
        self.nodes.append(node)
        self.by_name[name] = node
        return node

    def _infer(self, op, args, attrs, name):
        if op.infer is None:
            return []
        known = [
            static.partial_value(a) if arg.host else a
            for arg, a in zip(op.sig.inputs, args, strict=True)
        ]
        try:
            shapes = op.infer(*known, **attrs)
        except InferError as error:
            raise self._bad_shapes(op, args, name, error) from None
        return [shapes] if op.single else list(shapes)

    def _bad_shapes(self, op, args, name, error):
        text = ", ".join(_shape_text(t._shape) for t in _flat(args))
        return ValueError(
            f"{error.graph_message} for '{name}' (op: '{op.type}') "
            f"with input shapes: {text}."
        )

    def keep_shape(self, t):
        """Called for what may have to be zeros when gradients are missing."""

    def shape_tensor(self, t):
        """The run-time shape of `t` as a tensor: one Shape node per tensor."""
        found = self.state.setdefault("shapes", {}).get(t)
        if found is None or not _visible(found.op.region, self.region):
            with dispatch.tapes_paused(), _restored(self, "control", ()):
                found = dispatch.apply(registry["Shape"], (t,))
            self.state["shapes"][t] = found
        return found

    # ------------------------------------------------------------------ names
    def unique_name(self, name, mark_as_used=True):
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

    def _node_name(self, name):
        if name.endswith("/"):
            return name[:-1]
        if not _VALID_NAME.match(name) and not self.scope:
            raise ValueError(f"'{name}' is not a valid scope name")
        return self.unique_name(name)

    @contextlib.contextmanager
    def name_scope(self, name):
        """Prefix the names of the nodes made in the block."""
        if not name:
            scope = ""
        elif name.endswith("/"):
            scope = name
        else:
            scope = self._node_name(name) + "/"
        with _restored(self, "scope", scope):
            yield scope

    # ------------------------------------------------------------------ scopes
    def as_default(self):
        """Make this the graph that ops are added to."""
        return dispatch.entered(self)

    @contextlib.contextmanager
    def control_dependencies(self, inputs):
        """Run what the block adds after `inputs`; None clears the outer ones."""
        nodes = () if inputs is None else self.control + tuple(_nodes(inputs, self))
        with _restored(self, "control", nodes):
            yield

    @contextlib.contextmanager
    def device(self, name):
        """Ask for a device by name, or by a function from a node to a name."""
        scopes = () if name is None else (_device_of(name), *self.device_scopes)
        with _restored(self, "device_scopes", scopes):
            yield

    def gradient_override_map(self, op_type_map):
        """A block whose nodes take registered gradients.

        Args:
            op_type_map: dict from op type to a name of tf.RegisterGradient.
        """
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary from strings to strings")
        return _restored(self, "overrides", {**self.overrides, **op_type_map})

    @contextlib.contextmanager
    def in_region(self, region):
        """Add nodes to `region`."""
        with _restored(self, "region", region), _restored(self, "control", ()):
            yield region

    def note_variable(self, variable):
        """Remember in every region around this place that `variable` is read there."""
        region = self.region
        while region is not None:
            region.variables.append(variable)
            region = region.parent

    def exports(self):
        """Let values leave the regions they were computed in (Note [Exports])."""
        return _restored(self, "exporting", True)

    @contextlib.contextmanager
    def outside_regions(self):
        """Add nodes outside every region, and free of control dependencies."""
        with self.in_region(None):
            yield

    # ------------------------------------------------------------------ looking
    @property
    def version(self):
        """How many nodes there are."""
        return len(self.nodes)

    def finalize(self):
        """Refuse further nodes."""
        self.finalized = True

    def get_operations(self):
        """All nodes in creation order."""
        return list(self.nodes)

    def get_operation_by_name(self, name):
        """The node `name`. Raises KeyError where there is none."""
        if name not in self.by_name:
            raise KeyError(
                f"The name {name!r} refers to an Operation not in the graph."
            )
        return self.by_name[name]

    def get_tensor_by_name(self, name):
        """The tensor `node:index`. Raises KeyError or ValueError."""
        node, colon, index = name.partition(":")
        if not colon or not index.isdigit():
            raise ValueError(
                f"The name {name!r} looks like an (invalid) Operation name, not a "
                'Tensor. Tensor names must be of the form "<op_name>:<output_index>".'
            )
        if node not in self.by_name:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. "
                f"The operation, {node!r}, does not exist in the graph."
            )
        outputs = self.by_name[node].outputs
        if int(index) >= len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The "
                f"operation, {node!r}, exists but only has {len(outputs)} outputs."
            )
        return outputs[int(index)]

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        """A tensor or node of this graph from itself, a variable, or its name."""
        if isinstance(obj, ResourceHandle):
            obj = obj._graph_element()
        if isinstance(obj, str):
            find = self.get_tensor_by_name if ":" in obj else self.get_operation_by_name
            obj = find(obj)
        allowed = {"Tensor": allow_tensor, "Operation": allow_operation}
        wanted = " or ".join(name for name, yes in allowed.items() if yes)
        kind = {GraphTensor: "Tensor", Node: "Operation"}.get(type(obj))
        if kind is None or not allowed[kind]:
            found = kind or type(obj).__name__
            raise TypeError(f"Can not convert a {found} into a {wanted}.")
        if obj.graph is not self:
            raise ValueError(f"{obj} is not an element of this graph.")
        return obj

    def is_fetchable(self, t):
        """Whether a Session may return `t`."""
        node = _node_of(t)
        return node not in self.not_fetchable and node.region is None

    def prevent_fetching(self, op):
        """Let no Session return `op` or its tensors."""
        self.not_fetchable.add(op)

    def is_feedable(self, tensor):
        """Whether a Session may replace the value of `tensor`."""
        return tensor not in self.not_feedable

    def prevent_feeding(self, tensor):
        """Let no Session replace the value of `tensor`."""
        self.not_feedable.add(tensor)

    def add_to_collection(self, name, value):
        """Append to a named list."""
        self.collections.setdefault(name, []).append(value)

    def get_collection(self, name, scope=None):
        """A copy of a named list, of those whose name starts with `scope`."""
        found = list(self.collections.get(name, []))
        if scope is None:
            return found
        return [v for v in found if re.match(scope, getattr(v, "name", ""))]

    def get_collection_ref(self, name):
        """The named list itself."""
        return self.collections.setdefault(name, [])


@contextlib.contextmanager
def _restored(graph, attribute, value):
    old = getattr(graph, attribute)
    setattr(graph, attribute, value)
    try:
        yield
    finally:
        setattr(graph, attribute, old)


def _nodes(inputs, graph):
    for x in inputs if isinstance(inputs, list | tuple) else [inputs]:
        if x is None:
            continue
        x = x.op if hasattr(x, "op") and not isinstance(x, Node) else x
        yield _lifted(_node_of(x), graph.region)


def _lifted(node, region):
    """A control edge from another region starts at the region's owner."""
    while node.region is not None and not (region and region.inside(node.region)):
        node = node.region.owner or node
        if node.region is None:
            break
    return node


def _node_of(x):
    return x.op if isinstance(x, GraphTensor) else x


def _visible(region, seen_from):
    return region is None or (seen_from is not None and seen_from.inside(region))


def _array(value, dtype):
    try:
        return to_array(value, dtype)
    except ValueError as error:
        raise for_graph(error) from None


def _device_of(name):
    """A function from a node to its device within a scope `name`."""
    if callable(name):
        return name
    outer = devices.canonical(name)
    return lambda node: devices.merged(outer, node.device) if node.device else outer


def _has_tensor(value):
    if isinstance(value, list | tuple):
        return any(_has_tensor(v) for v in value)
    return isinstance(value, Tensor | TensorLike)


def _flat(args):
    for a in args:
        if type(a) is list:
            yield from a
        else:
            yield a


def _shape_text(shape):
    if shape is None:
        return "<unknown>"
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


def _mismatch(op, m):
    names = [a.name for a in op.sig.inputs]
    attr = op.sig.inputs[m.place].type_attr
    if attr is None:
        return TypeError(
            f"Input '{m.first}' of '{op.type}' Op has type {m.found.name} that does "
            f"not match expected type of {m.wanted.name}."
        )
    first = next(a.name for a in op.sig.inputs if a.type_attr == attr)
    return TypeError(
        f"Input '{names[m.place]}' of '{op.type}' Op has type {m.found.name} that does "
        f"not match type {m.wanted.name} of argument '{first}'."
    )

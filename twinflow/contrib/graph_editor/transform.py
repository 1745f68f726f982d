"""Parts of a graph copied, with other inputs, into the same graph or another one."""

from collections.abc import Callable
from typing import Any

from twinflow.base.text import as_text
from twinflow.contrib.graph_editor.elements import (
    ControlOutputs,
    flatten_tree,
    get_predefined_collection_names,
    get_unique_graph,
    inputs_of,
    make_placeholder_from_tensor,
    scope_finalize,
    transform_tree,
)
from twinflow.contrib.graph_editor.reroute import add_control_inputs
from twinflow.contrib.graph_editor.select import get_walks_intersection_ops
from twinflow.contrib.graph_editor.subgraph import SubGraphView, make_view
from twinflow.formats import protos
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.copying import (
    Copies,
    copied_node,
    copied_regions,
    is_inside,
    outermost,
)
from twinflow.graph.node import GraphTensor, Node


# ------------------------------------------------------------------------ handlers
def replace_t_with_placeholder_handler(info: Any, t: GraphTensor) -> GraphTensor:
    """A placeholder of the new graph for a tensor."""
    with info.graph_.as_default(), info.graph_.outside_regions():
        return make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info: Any, t: GraphTensor) -> GraphTensor:
    """The tensor itself within one graph, else a placeholder."""
    if info.graph is info.graph_:
        return t
    return replace_t_with_placeholder_handler(info, t)


def assign_renamed_collections_handler(info: Any, elem: Any, elem_: Any) -> None:
    """Put a copy into the collections of its original; own ones are renamed."""
    known = get_predefined_collection_names()
    for name, collection in info.collections.items():
        if elem in collection:
            renamed = name if name in known else info.new_name(name)
            info.graph_.add_to_collection(renamed, elem_)


def transform_op_if_inside_handler(
    info: Any, op: Node, keep_if_possible: bool = True
) -> Any:
    """The copy of an operation; itself, or None, where it was not copied.

    Args:
        keep_if_possible: take itself within one graph.
    """
    if op in info.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(
    info: Any, op: Node, new_inputs: Any, copy_shape: bool = False,
    nodedef_fn: Callable[..., Any] | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """A copy of an operation.

    Args:
        info: what the Transformer knows. new_inputs: the tensors that it takes.
        copy_shape: give its outputs the shapes of the original's.
        nodedef_fn: takes the NodeDef of the copy and gives back what it should be.
    Returns:
        The copy and its outputs.
    Raises:
        TypeError: `new_inputs` is a bool, as in an older signature.
    """
    if isinstance(new_inputs, bool):
        raise TypeError("the `new_inputs` argument must be an iterable.")
    name = info.graph_.unique_name(info.new_name(op.name))
    if nodedef_fn is None:
        made = copied_node(op, info.graph_, name, list(new_inputs), info.copies)
    else:
        made = _from_def(info, op, name, list(new_inputs), nodedef_fn)
    for t, copied in zip(op.outputs, made.outputs, strict=True):
        if copy_shape:
            copied.set_shape(t.shape)
    if op._original_op:
        made.original = op._original_op
    return made, made.outputs


def _from_def(
    info: Any, op: Node, name: str, inputs: list, nodedef_fn: Callable
) -> Node:
    """A copy with what a function makes of its NodeDef."""
    before = op.node_def
    wanted = protos.NodeDef.FromString(before.SerializeToString())
    wanted.name = name
    wanted = nodedef_fn(wanted)
    if wanted.op != op.type:
        with info.graph_.as_default(), info.graph_.name_scope(None):
            attrs = {str(k): v for k, v in wanted.attr.items() if not k.startswith("_")}
            made = info.graph_.create_op(
                wanted.op, inputs, [], name=f"{wanted.name}/", attrs=attrs
            )
    else:
        made = copied_node(op, info.graph_, wanted.name, inputs, info.copies)
    for key, value in wanted.attr.items():
        if key not in before.attr or before.attr[key] != value:
            made._set_attr(as_text(key), value)
    made._set_device(wanted.device)
    return made


# ------------------------------------------------------------------------ results
class TransformerInfo:
    """What has become of what, after a copy.

    Args:
        info: what the Transformer knew.
    """

    def __init__(self, info: Any) -> None:
        self._graph, self._scope = info.graph, info.scope
        self._graph_, self._scope_ = info.graph_, info.scope_
        self._transformed_ops = info.transformed_ops
        self._transformed_ts = info.transformed_ts

    def _map(self, top: Any) -> dict:
        if isinstance(top, Node):
            return self._transformed_ops
        if isinstance(top, GraphTensor):
            return self._transformed_ts
        if isinstance(top, str):
            pairs = self._transformed_ts if ":" in top else self._transformed_ops
            return pairs
        raise TypeError(f"Expected a tf.Tensor or a tf.Operation, got a {type(top)}")

    def _found(self, top: Any, missing_fn: Any, back: bool) -> Any:
        for pair in self._map(top).items():
            ours, other = reversed(pair) if back else pair
            if ours is top or (isinstance(top, str) and ours.name == top):
                return other
        return None if missing_fn is None else missing_fn(top)

    def transformed(self, original: Any, missing_fn: Any = None) -> Any:
        """The copies of operations and tensors, in the same structure.

        Args:
            original: operations, tensors or names of them.
            missing_fn: gives what stands for those that were not copied; None if not
                given.
        """
        return transform_tree(original, self._transformed(missing_fn))

    def _transformed(self, missing_fn: Any) -> Callable:
        return lambda top: (
            self._found(top, missing_fn, back=False)
            if isinstance(top, str) or top not in self._map(top)
            else self._map(top)[top]
        )

    def original(self, transformed: Any, missing_fn: Any = None) -> Any:
        """What operations and tensors are copies of; see `transformed`."""
        return transform_tree(
            transformed, lambda top: self._found(top, missing_fn, back=True)
        )

    def __str__(self) -> str:
        lines = ["Transform result info:"]
        if self._graph is self._graph_:
            place = "" if self._scope_ else " IN-PLACE"
            lines.append(f"  Within graph[{id(self._graph)}]{place}")
        else:
            lines.append(f"  graph[{id(self._graph)}] => graph[{id(self._graph_)}]")
        if self._scope:
            lines.append(f"  Relative to source scope: {self._scope}")
        if self._scope_:
            lines.append(f"  Scope destination: {self._scope_}")
        pairs = self._transformed_ops.items()
        lines += ["Operations mapping:", *(f"  {a.name} => {b.name}" for a, b in pairs)]
        return "\n".join(lines) + "\n"


class _Info:
    """What handlers are told: the names of TensorFlow, for programs have their own."""

    def __init__(
        self, sgv: SubGraphView, dst_graph: Graph, dst_scope: str, src_scope: str
    ) -> None:
        self.sgv, self.graph = sgv, sgv.graph
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.ops = frozenset(n for op in sgv.ops for n in _all_of(op))
        self.control_outputs = ControlOutputs(sgv.graph)
        self.scope, self.graph_, self.scope_ = src_scope, dst_graph, dst_scope
        self.transformed_ops: dict[Any, Any] = {}
        self.transformed_ts: dict[Any, Any] = {}
        self.copies = Copies({}, {})
        self.collections = {
            key: self.graph.get_collection(key)
            for key in self.graph.get_all_collection_keys()
        }
        self.late: list[Any] = []  # (tensor, what stands for it, who uses it)

    def new_name(self, name: str) -> str:
        """The name that a copy of `name` should have."""
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


# ------------------------------------------------------------------------ copying
class Transformer:
    """Copies parts of graphs; its handlers say how, and may be replaced.

    Attributes:
        transform_op_handler: `(info, op, new_inputs) -> (op, outputs)`.
        assign_collections_handler: `(info, original, copy)`.
        transform_external_input_handler: `(info, tensor) -> tensor` for inputs.
        transform_external_hidden_input_handler: for tensors that are used but no inputs
            of the view.
        transform_control_input_handler, transform_original_op_handler:
            `(info, op) -> op or None`.
    Example:
        y = tf.square(tf.placeholder(tf.float32, name="x"), name="y")
        graph = tf.Graph()
        tf.contrib.graph_editor.Transformer()(tf.get_default_graph(), graph, "a")
        [op.name for op in graph.get_operations()] == ["a/x", "a/y"]  # True
    """

    def __init__(self) -> None:
        self.transform_op_handler: Callable[..., Any] = copy_op_handler
        self.transform_control_input_handler: Callable[..., Any] = (
            transform_op_if_inside_handler
        )
        self.assign_collections_handler: Callable[..., Any] = (
            assign_renamed_collections_handler
        )
        self.transform_external_input_handler: Callable[..., Any] = (
            replace_t_with_placeholder_handler
        )
        self.transform_external_hidden_input_handler: Callable[..., Any] = (
            keep_t_if_possible_handler
        )
        self.transform_original_op_handler: Callable[..., Any] = (
            transform_op_if_inside_handler
        )

    def __call__(
        self, sgv: Any, dst_graph: Graph, dst_scope: str, src_scope: str = "",
        reuse_dst_scope: bool = False,
    ) -> tuple[Any, ...]:  # fmt: skip
        """Copy a view.

        Args:
            sgv: a view or what makes one. dst_graph: where the copy goes.
            dst_scope: the scope of the copy. src_scope: what names of originals start
                with, and those of copies do not.
            reuse_dst_scope: put it into the scope even if that is there.
        Returns:
            The view of the copy, and a TransformerInfo.
        Raises:
            TypeError: `dst_graph` is none. ValueError: a name is outside `src_scope`.
        """
        view = make_view(sgv)
        _check_graph(dst_graph)
        scope = scope_finalize(dst_scope)
        if scope and not reuse_dst_scope:
            scope = scope_finalize(dst_graph.unique_name(scope[:-1]))
        info = _Info(view, dst_graph, scope, scope_finalize(src_scope))
        for op in sorted(view.ops, key=lambda op: op.index):
            owner = outermost(op)
            if op is owner:
                self._copy(info, op)
            elif owner not in info.ops:
                raise ValueError(
                    f"{op.name} lies inside {owner.name}, which is not to be copied: "
                    "take all of it."
                )
        self._finish(info)
        return _view_of(info, view), TransformerInfo(info)

    def _copy(self, info: _Info, op: Node) -> None:
        outside = [t for t in inputs_of(op) if not is_inside(t, op)]
        found = {t: self._tensor(info, t, op) for t in dict.fromkeys(outside)}
        info.copies.tensors.update(found)
        copied_regions(op, info.graph_, info.copies, lambda n: self._copy(info, n))
        new_inputs = [found.get(t, info.copies.tensor(t)) for t in op.inputs]
        made, outputs = self.transform_op_handler(info, op, new_inputs)
        if made is op:
            raise ValueError("In-place transformation not allowed.")
        tensors = dict(zip(op.outputs, outputs, strict=False))
        info.transformed_ops[op] = made
        info.transformed_ts.update(tensors)
        info.copies.tensors.update(tensors)
        for old, new in {op: made, **tensors}.items():
            self.assign_collections_handler(info, old, new)

    def _tensor(self, info: _Info, t: GraphTensor, user: Node) -> GraphTensor:
        if t in info.transformed_ts:
            return info.transformed_ts[t]
        if t.op.region is not None and t in info.copies.tensors:
            return info.copies.tensors[t]
        if t in info.sgv_inputs_set:
            return self.transform_external_input_handler(info, t)
        if t.op not in info.ops:
            return self.transform_external_hidden_input_handler(info, t)
        with info.graph_.as_default():  # rewired graphs may use what is made later
            made = make_placeholder_from_tensor(t, info.scope_, "geph_tmp")
        info.late.append((t, made, user))
        return made

    def _finish(self, info: _Info) -> None:
        for t, stand_in, user in info.late:
            op_ = info.transformed_ops[user]
            for place, used in enumerate(op_.inputs):
                if used is stand_in:
                    op_._update_input(place, info.transformed_ts[t])
        for op, op_ in list(info.transformed_ops.items()):
            if op._original_op:
                origin = self.transform_original_op_handler(info, op._original_op)
                if origin is not None:
                    op_.original = origin
            handler = self.transform_control_input_handler
            waits = [handler(info, earlier) for earlier in op.control_inputs]
            new = [w for w in waits if w is not None and w not in op_.control_inputs]
            add_control_inputs(op_, new)


def _view_of(info: _Info, view: SubGraphView) -> SubGraphView:
    """The view of the copies, its inputs and outputs in the order of the original's."""
    made = SubGraphView(list(info.transformed_ops.values()))

    def places(ts: Any, among: list) -> list[int]:
        copies = [info.transformed_ts[t] for t in ts if t in info.transformed_ts]
        return [among.index(t) for t in copies if t in among]

    return made.remap(
        places(view.inputs, list(made.inputs)), places(view.outputs, list(made.outputs))
    )


def _check_graph(graph: Any) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")


def copy(
    sgv: Any, dst_graph: Any = None, dst_scope: str = "", src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """Copy a view; placeholders stand for its inputs.

    Args:
        sgv: a view or what makes one. dst_graph: where it goes; its own by default.
        dst_scope, src_scope, reuse_dst_scope: see `Transformer`.
    Returns:
        The view of the copy, and a TransformerInfo.
    Example:
        y = tf.square(tf.placeholder(tf.float32))
        view, info = tf.contrib.graph_editor.copy(y.op, dst_scope="a")
        info.transformed(y).name == "a/Square:0"  # True
    """
    return copy_with_input_replacements(
        sgv, None, dst_graph, dst_scope, src_scope, reuse_dst_scope
    )


def copy_with_input_replacements(
    sgv: Any, replacement_ts: Any, dst_graph: Any = None, dst_scope: str = "",
    src_scope: str = "", reuse_dst_scope: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """Copy a view with other tensors for some of its inputs.

    Args:
        replacement_ts: dict from inputs to the tensors in their place.
        sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope: see `copy`.
    Returns:
        The view of the copy, and a TransformerInfo.
    """
    view = make_view(sgv)
    dst_graph = view.graph if dst_graph is None else dst_graph
    _check_graph(dst_graph)
    copier = Transformer()
    if replacement_ts is not None:
        copier.transform_external_input_handler = lambda info, t: (
            replacement_ts[t]
            if t in replacement_ts
            else keep_t_if_possible_handler(info, t)
        )
    return copier(view, dst_graph, dst_scope, src_scope, reuse_dst_scope)


def graph_replace(
    target_ts: Any, replacement_ts: dict[Any, Any], dst_scope: str = "",
    src_scope: str = "", reuse_dst_scope: bool = False,
) -> Any:  # fmt: skip
    """Tensors computed anew from other tensors.

    Args:
        target_ts: the tensors, in a structure.
        replacement_ts: dict from tensors that they need to those in their place.
        dst_scope, src_scope, reuse_dst_scope: see `Transformer`.
    Returns:
        The new tensors, in the same structure.
    Raises:
        ValueError: no target needs one of the tensors.
    Example:
        x = tf.placeholder(tf.float32)
        y = x * x + 1.
        z = tf.contrib.graph_editor.graph_replace(y, {x: tf.constant(3.)})
        tf.Session().run(z)  # 10.0
    """
    targets = flatten_tree(target_ts)
    control = ControlOutputs(get_unique_graph(targets, GraphTensor))
    ops = get_walks_intersection_ops(list(replacement_ts), targets, control_ios=control)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    whole = dict.fromkeys(n for op in ops for n in _all_of(outermost(op)))
    _, info = copy_with_input_replacements(
        list(whole), replacement_ts, None, dst_scope, src_scope, reuse_dst_scope
    )
    return info.transformed(target_ts, lambda t: t)


def _all_of(op: Node) -> list[Node]:
    """An operation and what lies in its regions."""
    found = [op]
    for region in getattr(op.extra, "regions", ()):
        inside = op.graph.nodes[region.first : region.last]
        found += [n for n in inside if n.region is not None and n.region.inside(region)]
    return found

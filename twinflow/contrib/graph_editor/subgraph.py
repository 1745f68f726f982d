"""Views of parts of a graph: some operations with the tensors at their boundary."""

import copy
from collections.abc import Callable, Iterable
from typing import Any

from twinflow.contrib.graph_editor.elements import (
    ListView,
    Users,
    concatenate_unique,
    get_unique_graph,
    make_list_of_op,
    make_list_of_t,
)
from twinflow.contrib.graph_editor.select import (
    compute_boundary_ts,
    get_name_scope_ops,
    get_walks_union_ops,
    select_ops_and_ts,
)
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor, Node


class SubGraphView:
    """Some operations of a graph, seen as a function of tensors.

    Its inputs are what the operations use from outside, its outputs what others use
    of theirs, or nobody. Tensors that pass through are both. The `remap_` methods give
    views with other inputs and outputs; the graph stays as it is.

    Args:
        inside_ops: the operations.
        passthrough_ts: tensors that pass through; those of the operations do not.
    Raises:
        TypeError: these are no operations or tensors.
    Example:
        x = tf.placeholder(tf.float32)
        view = tf.contrib.graph_editor.sgv(tf.square(x).op)
        list(view.inputs) == [x]  # True
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        self._ops = make_list_of_op(inside_ops)
        ts = make_list_of_t(passthrough_ts)
        self._graph = get_unique_graph([*self._ops, *ts], none_if_empty=True)
        inputs, outputs, inside = compute_boundary_ts(self._ops)
        known = {*inputs, *outputs, *inside}
        self._passthrough_ts = [t for t in ts if t not in known]
        self._input_ts = inputs + self._passthrough_ts
        self._output_ts = outputs + self._passthrough_ts

    def __copy__(self) -> "SubGraphView":
        made = type(self).__new__(type(self))
        made._assign_from(self)
        return made

    def _assign_from(self, other: "SubGraphView") -> None:
        """See what another view sees."""
        if not isinstance(other, SubGraphView):
            raise TypeError(f"Expected SubGraphView, got: {type(other)}")
        for name, value in vars(other).items():
            setattr(self, name, list(value) if isinstance(value, list) else value)

    def copy(self) -> "SubGraphView":
        """Another view of the same; the operations are not copied."""
        return copy.copy(self)

    # -------------------------------------------------------------------- what it sees
    @property
    def graph(self) -> Any:
        """The Graph, or None of an empty view."""
        return self._graph

    @property
    def ops(self) -> list[Node]:
        """The operations."""
        return self._ops

    @property
    def inputs(self) -> ListView:
        """The tensors that go in."""
        return ListView(self._input_ts)

    @property
    def outputs(self) -> ListView:
        """The tensors that come out."""
        return ListView(self._output_ts)

    @property
    def passthroughs(self) -> ListView:
        """The tensors that no operation of the view uses or computes."""
        return ListView(self._passthrough_ts)

    @property
    def connected_inputs(self) -> list[GraphTensor]:
        """The inputs that operations of the view use."""
        return [t for t in self._input_ts if t not in self._passthrough_ts]

    @property
    def connected_outputs(self) -> list[GraphTensor]:
        """The outputs that operations of the view compute."""
        return [t for t in self._output_ts if t not in self._passthrough_ts]

    def __bool__(self) -> bool:
        return self._graph is not None

    def op(self, op_id: int) -> Node:
        """The operation at a place."""
        return self._ops[op_id]

    def is_passthrough(self, t: GraphTensor) -> bool:
        """Whether a tensor passes through."""
        return t in self._passthrough_ts

    def find_op_by_name(self, op_name: str) -> Node:
        """The operation of a name.

        Raises:
            ValueError: there is none.
        """
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"{op_name} not in subgraph.")

    def input_index(self, t: GraphTensor) -> int:
        """The place of a tensor among the inputs.

        Raises:
            ValueError: it is none of them.
        """
        return _place(t, self._input_ts, "inputs")

    def output_index(self, t: GraphTensor) -> int:
        """The place of a tensor among the outputs.

        Raises:
            ValueError: it is none of them.
        """
        return _place(t, self._output_ts, "outputs")

    def consumers(self) -> list[Node]:
        """The operations outside that use outputs of the view."""
        users, found = Users(self._graph), dict[Node, None]()
        for t in self._output_ts:
            found.update(dict.fromkeys(users.of(t)))
        return [op for op in found if op not in self._ops]

    def __enter__(self) -> "SubGraphView":
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"
        parts = {"ops": self._ops, "inputs": self._input_ts, "outputs": self._output_ts}
        lines = [f"SubGraphView (graphid={id(self.graph)}):"]
        for name, elements in parts.items():
            there = f"** {name}[{len(elements)}]:" if elements else f"** {name}: empty"
            lines += [there, *(f"  {self._shown(x)}" for x in elements)]
        return "\n".join(lines) + "\n"

    def _shown(self, element: Any) -> str:
        return element.name + (" *" if element in self._passthrough_ts else "")

    # -------------------------------------------------------------------- other views
    def _changed(self, change: Callable[["SubGraphView"], None]) -> "SubGraphView":
        made = self.copy()
        change(made)
        return made

    def _remap_default(self, inputs: bool = True, outputs: bool = True) -> None:
        found = compute_boundary_ts(self._ops)
        if inputs:
            self._input_ts = found[0] + self._passthrough_ts
        if outputs:
            self._output_ts = found[1] + self._passthrough_ts

    def remap_default(
        self, remove_input_map: bool = True, remove_output_map: bool = True
    ) -> "SubGraphView":
        """The view with the inputs and outputs that it had at first."""
        return self._changed(
            lambda v: v._remap_default(remove_input_map, remove_output_map)
        )

    def _remap_inputs(self, new: Iterable) -> None:
        self._input_ts = _chosen(new, self._input_ts, repeated=False)

    def _remap_outputs(self, new: Iterable) -> None:
        self._output_ts = _chosen(new, self._output_ts, repeated=True)

    def remap_inputs(self, new_input_indices: Iterable[Any]) -> "SubGraphView":
        """The view with some of its inputs, in another order.

        Args:
            new_input_indices: their places, or the tensors.
        Raises:
            ValueError: it has no such input, or one comes twice.
        """
        return self._changed(lambda v: v._remap_inputs(new_input_indices))

    def remap_outputs(self, new_output_indices: Iterable[Any]) -> "SubGraphView":
        """The view with some of its outputs, in another order, or several times.

        Args:
            new_output_indices: their places, or the tensors.
        Raises:
            ValueError: it has no such output.
        """
        return self._changed(lambda v: v._remap_outputs(new_output_indices))

    def remap(
        self, new_input_indices: Any = None, new_output_indices: Any = None
    ) -> "SubGraphView":
        """`remap_inputs` and `remap_outputs`, where they are given."""
        made = self.copy()
        if new_input_indices is not None:
            made._remap_inputs(new_input_indices)
        if new_output_indices is not None:
            made._remap_outputs(new_output_indices)
        return made

    def _remap_outputs_make_unique(self) -> None:
        self._output_ts = concatenate_unique([], self._output_ts)

    def remap_outputs_make_unique(self) -> "SubGraphView":
        """The view with each output once."""
        return self._changed(lambda v: v._remap_outputs_make_unique())

    def _remap_outputs_to_consumers(self) -> None:
        unique: list = concatenate_unique([], self._output_ts)
        self._output_ts = [t for t in unique for _ in t.consumers()]

    def remap_outputs_to_consumers(self) -> "SubGraphView":
        """The view with each output as often as it is used."""
        return self._changed(lambda v: v._remap_outputs_to_consumers())

    def _remove_unused_ops(self, control_inputs: bool = True) -> None:
        used = set(
            get_walks_union_ops(
                self.connected_inputs, self.connected_outputs,
                within_ops=self._ops, control_inputs=control_inputs,
            )
        )  # fmt: skip
        self._ops = [op for op in self._ops if op in used]

    def remove_unused_ops(self, control_inputs: bool = True) -> "SubGraphView":
        """The view without operations that touch neither inputs nor outputs.

        Args:
            control_inputs: whether these edges count.
        """
        return self._changed(lambda v: v._remove_unused_ops(control_inputs))


def _place(t: GraphTensor, ts: list, what: str) -> int:
    if t not in ts:
        raise ValueError(f"Can't find {t.name} in {what} of subgraph.")
    return ts.index(t)


def _chosen(places: Iterable, ts: list, repeated: bool) -> list:
    """The tensors at places, which may be tensors."""
    found = [p if isinstance(p, int) else ts.index(p) for p in places]
    for place in found:
        if not 0 <= place < len(ts):
            raise ValueError(f"Out of [0, {len(ts)}[ range: {place}")
    if not repeated and len(set(found)) < len(found):
        raise ValueError(f"Found repetition in mapping: {found}")
    return [ts[p] for p in found]


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of selected operations and tensors.

    Args:
        args: what `select_ops_and_ts` takes, or one view.
        graph: where regular expressions look.
    Raises:
        ValueError: the view is one of another graph.
    Example:
        tf.square(tf.placeholder(tf.float32), name="a/y")
        view = tf.contrib.graph_editor.make_view("^a/.*", graph=tf.get_default_graph())
        [op.name for op in view.ops] == ["a/y"]  # True
    """
    graph = kwargs.get("graph")
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        view = args[0]
    else:
        view = SubGraphView(*select_ops_and_ts(*args, **kwargs))
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    if graph is not None and view.graph is not None and view.graph is not graph:
        raise ValueError("Graph mismatch.")
    return view


def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the operations in a name scope."""
    return SubGraphView(get_name_scope_ops(graph, scope))

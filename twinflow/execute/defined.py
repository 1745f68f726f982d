"""Functions of graphs that are op types of their own: how they are traced and called.

Note [Functions as op types]: a function that `Defun` makes is a FuncGraph with a
definition in the library of the graphs that call it. A call is a node whose type is the
name of the function, which engines run as they run any call. Its gradient is a node of
type SymbolicGradient, which computes the function once more, or what a gradient
function of the user's gives.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.op import define
from twinflow.base.op_defs import find
from twinflow.base.op_lookup import known_op
from twinflow.execute.call import Call, CallExtra, call_node, program_of
from twinflow.execute.library_graph import graph_of, graph_of_op
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.gradients import gradients
from twinflow.graph.graph_def import made
from twinflow.graph.graph_def.library_function import LibraryFunction
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.regions import dense
from twinflow.graph.variable_scope import get_variable_scope, variable_scope
from twinflow.ops.arrays.passing import guarantee_const
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.variables.kinds import ResourceVariable

if TYPE_CHECKING:
    from twinflow.base.tensor import Tensor
    from twinflow.graph.program import Program


class DefinedGraph(FuncGraph):
    """The graph of a function that is an op type.

    Attributes:
        extra_vars: the variables that tf.get_variable gave inside.
    """

    captured_name = "placeholder"

    def __init__(self, name: str, outer: Any, by_value: bool) -> None:
        super().__init__(name, outer)
        self._by_value = by_value
        self.extra_vars: list = []
        self._guaranteed: dict = {}

    @property
    def extra_args(self) -> list:
        """The inputs that stand for `extra_inputs`."""
        return list(self.captures.values())

    @property
    def extra_inputs(self) -> list:
        """What the function uses from outside."""
        return list(self.captures)

    def uses_resources(self) -> Any:
        """As outside."""
        return self.outer.uses_resources()

    def capture(self, value: Any) -> Any:
        """An input that stands for `value`, or what it is computed from once more."""
        if self._by_value and isinstance(value, GraphTensor):
            return self._copied(value.op).outputs[value.value_index]
        inner = super().capture(value)
        if not _is_guaranteed(value):
            return inner
        if inner not in self._guaranteed:
            with self.outside_regions(), dispatch.tapes_paused():
                self._guaranteed[inner] = guarantee_const(inner)
        return self._guaranteed[inner]

    def _copied(self, node: Node) -> Node:
        if node.type.startswith("Placeholder"):
            raise ValueError(
                f"Cannot capture a placeholder (name:{node.name}, type:{node.type}) "
                "by value."
            )
        found = find(node.type)
        if node.opdef.stateful or (found and "stateful" in found.flags):
            raise ValueError(
                f"Cannot capture a stateful node (name:{node.name}, type:{node.type}) "
                "by value."
            )
        copies = self.state.setdefault("copies", {})
        if node not in copies:
            args = [
                [self.tensor(t) for t in a] if type(a) is list else self.tensor(a)
                for a in node.args()
            ]
            made = dispatch.apply(node.opdef, tuple(args), dict(node.attrs), node.name)
            copies[node] = made[0].op if isinstance(made, list) else made.op
        return copies[node]

    @contextlib.contextmanager
    def control_dependencies(self, inputs: Any) -> Iterator[None]:
        """As in Graph; nothing from outside can be waited for."""
        for x in inputs or ():
            if isinstance(x, GraphTensor | Node):
                self.as_graph_element(x)
        with super().control_dependencies(inputs):
            yield

    def get_variable(self, getter: Callable, name: str, **options: Any) -> Any:
        """A variable of the graph around the function; a resource as its value."""
        with dispatch.entered(self.outer):
            found = getter(name, **options)
            self.extra_vars.append(found)
            graph_mode = not self.outer.eager
            if graph_mode and isinstance(found, ResourceVariable):
                return found.value()
        return found


def _is_guaranteed(t: Any) -> bool:
    """Whether a tensor comes from GuaranteeConst alone."""
    if not isinstance(t, GraphTensor):
        return False
    waiting, seen = [t.op], set()
    while waiting:
        node = waiting.pop()
        if node in seen or node.type == "GuaranteeConst":
            continue
        if not node.inputs:
            return False
        seen.add(node)
        waiting.extend(x.op for x in node.inputs)
    return True


def traced(
    function: Callable, name: str, arg_names: list[str], types: list,
    by_value: bool = False, device_scopes: tuple = (), shapes: Any = None,
) -> DefinedGraph:  # fmt: skip
    """The graph of a Python function of tensors.

    Args:
        arg_names, types, shapes: of the arguments. by_value: whether it computes what
            it uses from outside itself. device_scopes: those that it is made in.
    Raises:
        ValueError: it returns None among its results.
    """
    graph = DefinedGraph(name, dispatch.current_mode(), by_value)
    graph.device_scopes = device_scopes
    known = shapes or [None] * len(types)
    with dispatch.entered(graph), dispatch.tapes_paused():
        scope = get_variable_scope()
        with variable_scope(
            scope, custom_getter=graph.get_variable, auxiliary_name_scope=False
        ):
            for arg, dtype, shape in zip(arg_names, types, known, strict=True):
                graph.add_input(dtype, shape, arg)
            graph.outputs = _results(graph, function(*graph.inputs))
    return graph


def _results(graph: DefinedGraph, found: Any) -> list:
    if found is None:
        return []
    listed = list(found) if isinstance(found, list | tuple) else [found]
    if any(value is None for value in listed):
        raise ValueError("Function can not return None.")
    return [graph.tensor(convert_to_tensor(value)) for value in listed]


# --------------------------------------------------------------------------- calls
class DefinedExtra(CallExtra):
    """A call of a function that is an op type."""

    def __init__(self, defined: Any) -> None:
        super().__init__()
        self.defined = defined

    def record(self, node: Node, tapes: tuple) -> None:
        """Put the node on `tapes`, with the gradient that the function has."""
        own = self.defined.grad_func or self.defined.python_grad_func
        if own is None and any(t.dtype is dtypes.resource for t in node.inputs):
            super().record(node, tapes)
            return
        inputs = node.inputs
        self.put_each(node, tapes, inputs, lambda p: _DefinedVjp(node, self.defined, p))


class _DefinedVjp:
    """The way back through a call; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, node: Node, defined: Any, places: list[int]) -> None:
        self.node, self.defined, self.places = node, defined, places

    def back(self, kept: Any, attrs: Any, dys: list) -> list:
        """The gradients of the wanted inputs."""
        node = self.node
        pairs = zip(dys, node.outputs, strict=True)
        dys = [zeros_like(t) if dy is None else dense(dy) for dy, t in pairs]
        if self.defined.python_grad_func is not None:
            found = self.defined.python_grad_func(node, *dys)
            found = list(found) if isinstance(found, list | tuple) else [found]
            if len(found) != len(node.inputs):
                raise ValueError(
                    f"Num gradients {len(found)} generated for op {node.name} do not "
                    f"match num inputs {len(node.inputs)}"
                )
        else:
            types = [t.dtype.base_dtype for t in node.inputs]
            imported = isinstance(self.defined, LibraryFunction)
            f = self.defined if imported else self.defined.name
            found = symbolic_gradient([*node.inputs, *dys], types, f)
        return [found[i] for i in self.places]


def call_defined(defined: Any, graph: Any, args: list, name: str | None) -> Node:
    """A node of the current graph that calls a function that is an op type.

    Args:
        defined: the function, with a `name`. graph: its FuncGraph. args: one tensor
            per input of that, without those for captures.
    """
    mode = dispatch.current_mode()
    inputs = [mode.tensor(t) for t in (*args, *graph.captures)]
    _check_types(defined, inputs, graph.all_inputs, name)
    for ref in graph.variables.values():
        mode.note_variable(ref())
    attrs = {"f": graph, "outputs": list(graph.outputs)}
    specs = [(t.dtype.base_dtype, None) for t in graph.outputs]
    with mode.name_scope(name or defined.name) as scope:
        op = Call.renamed(defined.name)
        node = mode.append_node(op, [inputs], attrs, scope, specs)
    node.extra = DefinedExtra(defined)
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    return node


def _check_types(defined: Any, inputs: list, wanted: list, name: str | None) -> None:
    for i, (t, arg) in enumerate(zip(inputs, wanted, strict=True)):
        if t.dtype.base_dtype is not arg.dtype.base_dtype:
            signature = defined.definition.signature
            raise ValueError(
                f"Input '{signature.input_arg[i].name}' passed {_cpp(t.dtype)} "
                f"expected {_cpp(arg.dtype)} while building NodeDef "
                f"'{name or defined.name}' using Op<name={defined.name}; signature="
                f"{_listed(signature.input_arg)} -> {_listed(signature.output_arg)}>"
            )


def _cpp(dtype: Any) -> str:
    return dtypes.cpp_name(dtypes.as_dtype(dtype).base_dtype)


def _listed(args: Any) -> str:
    return ", ".join(f"{a.name}:{_cpp(a.type)}" for a in args)


# ------------------------------------------------------------------------ gradients
class GradientExtra(CallExtra):
    """A SymbolicGradient: the gradient of a function that the graph knows by name."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.graph: Any = None

    def called(self, node: Node) -> tuple | None:  # type: ignore[override]
        """The function whose gradient it is, for the library."""
        graph = _graph_of(_function(node))
        return graph and (graph, tuple(graph.outputs))

    def program(self, node: Node) -> "Program":
        """The Program of the gradient, made when it is first run."""
        if self.graph is None:
            self.graph = self._made(node)
        return program_of(self.graph, self.graph.outputs)

    def _made(self, node: Node) -> FuncGraph:
        function, graph = _function(node), FuncGraph(node.attrs["f"], node.graph)
        with dispatch.entered(graph), dispatch.tapes_paused():
            given = [graph.add_input(t.dtype, t._shape, "x") for t in node.inputs]
            if function is not None and function.grad_func is not None:
                found = call_node(graph, _graph_of(function.grad_func), given)
            else:
                found = self._slopes(node, graph, function, given)
            self._check(node, found)
            graph.outputs = [graph.tensor(t) for t in found]
        return graph

    def _slopes(self, node: Node, graph: Any, function: Any, given: list) -> list:
        xs, dys = given[: self.count], given[self.count :]
        called = _graph_of(function) or _op_as_graph(node, xs)
        ys = call_node(graph, called, xs)
        some = [(y, dy) for y, dy in zip(ys, dys, strict=True) if y.dtype.is_inexact]
        found = gradients([y for y, _ in some], xs, [dy for _, dy in some])
        pairs = zip(xs, found, strict=True)
        return [zeros_like(x) if dx is None else dense(dx) for x, dx in pairs]

    def _check(self, node: Node, found: list) -> None:
        if len(found) != self.count:
            raise errors.InvalidArgumentError(
                node.node_def, node, f"SymGrad expects to return {self.count} "
                f"tensor(s), but get {len(found)} tensor(s) instead.",
            )  # fmt: skip

    def record(self, node: Node, tapes: tuple) -> None:
        """Refuse to go back through a gradient, as TensorFlow does."""
        if any(t._id in tape.watched for tape in tapes for t in node.inputs):
            if node.graph.defined is not None:
                _refuse_second(node)
            raise LookupError(
                f"No gradient defined for operation '{node.name}' (op type: "
                "SymbolicGradient)"
            )


def _graph_of(function: Any) -> Any:
    """The FuncGraph of a function that is an op type; None for None."""
    if isinstance(function, LibraryFunction):
        return graph_of(function)
    return function and function.graph()


def _refuse_second(node: Node) -> None:
    text = "Can't take gradient of SymbolicGradient"
    raise errors.InvalidArgumentError(node.node_def, node, text)


def _op_as_graph(node: Node, xs: list) -> FuncGraph:
    """An op whose gradient a node is, in place of a function.

    Raises:
        NotFoundError: there is no op of this name.
    """
    f = node.attrs["f"]
    name, named = getattr(f, "name", f), getattr(f, "named", None)
    op = known_op(name)
    if name == SymbolicGradient.type:
        _refuse_second(node)
    if named is None or op is None or not (op.joint or op.mask):
        text = f"No gradient defined for op: {name}"
        raise errors.NotFoundError(node.node_def, node, text)
    return graph_of_op(named, [x.dtype for x in xs])


def _function(node: Node) -> Any:
    """The function that a node names, found in its graph or in one around that."""
    graph, f = node.graph, node.attrs["f"]
    if isinstance(f, LibraryFunction):
        return f if f.is_there else None
    while graph is not None and not graph.eager:
        found = graph._functions.get(f)
        if found is not None:
            return found
        graph = getattr(graph, "outer", None)
    return None


def symbolic_gradient(
    input: Any, Tout: Any, f: Any, name: str | None = None
) -> "list[Tensor]":
    """The gradient of a function that is an op type.

    Args:
        input: the arguments of the function, then a slope for each of its results.
        Tout: the dtypes of the arguments. f: the function, or its name.
    Returns:
        A list with a tensor per argument, of its shape.
    """
    mode = dispatch.current_mode()
    if hasattr(f, "add_to_graph"):
        f.add_to_graph(mode)
    inputs = [mode.tensor(t) for t in input]
    types = [dtypes.as_dtype(t) for t in Tout]
    shapes = [t._shape for t in inputs[: len(types)]]
    attrs = {"f": f if isinstance(f, LibraryFunction) else getattr(f, "name", f)}
    specs = list(zip(types, shapes, strict=True))
    name = name or SymbolicGradient.type
    node = mode.append_node(SymbolicGradient, [inputs], attrs, name, specs)
    node.extra = GradientExtra(len(types))
    return list(node.outputs)


SymbolicGradient = define("SymbolicGradient", infer=None, stateful=True)
SymbolicGradient.engine = Call.engine


# ------------------------------------------------------------------------- imported
def _imported_gradient(graph: Any, name: str, args: list, attrs: dict) -> None:
    """See Note [Calls that stay]."""
    symbolic_gradient(args[0], attrs["Tout"], attrs["f"], name)


def _imported_call(graph: Any, name: str, args: list, attrs: dict) -> None:
    function = attrs["f"].sibling(attrs["f"].named)
    node = call_defined(function, graph_of(function), args[0], name)
    node.marks = dict(function.named.attr) or None


made.RULES["SymbolicGradient"] = _imported_gradient
made.RULES["PartitionedCall"] = _imported_call

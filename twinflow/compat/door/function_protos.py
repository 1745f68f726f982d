"""FunctionDefs as graphs and as functions: function_def_to_graph and its neighbours."""

from twinflow.base import dispatch
from twinflow.base.dtypes import as_dtype
from twinflow.base.op_defs import find
from twinflow.base.op_lookup import known_op
from twinflow.base.shapes import TensorShape
from twinflow.base.versions import GRAPH_DEF_VERSION
from twinflow.execute.defined import DefinedGraph
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_proto
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.graph_def.own import op_def


def function_def_to_graph(fdef, input_shapes=None):
    """A FunctionDef as a graph with inputs and outputs.

    Args:
        fdef: the FunctionDef; the functions that it calls are in the current graph.
        input_shapes: one for each argument, or None.
    Raises:
        ValueError: there are not as many shapes as arguments.
    """
    graph = DefinedGraph(fdef.signature.name, dispatch.current_mode(), False)
    _fill(graph, fdef, input_shapes)
    return graph


def _fill(graph, fdef, input_shapes=None):
    graph_def, names = function_def_to_graph_def(fdef, input_shapes)
    with dispatch.entered(graph), dispatch.tapes_paused():
        import_graph_def(graph_def, name="")
        args = fdef.signature.input_arg
        graph.inputs = [graph.get_tensor_by_name(f"{a.name}:0") for a in args]
        ends = [names[fdef.ret[a.name]] for a in fdef.signature.output_arg]
        graph.outputs = [graph.get_tensor_by_name(end) for end in ends]


def function_def_to_graph_def(fdef, input_shapes=None):
    """A FunctionDef as a GraphDef.

    Returns:
        The GraphDef, in which placeholders stand for the arguments, and a dict from the
        names of tensors in the FunctionDef to those in the GraphDef.
    Raises:
        ValueError: there are not as many shapes as arguments.
    """
    args = fdef.signature.input_arg
    _check_shapes(input_shapes, args)
    graph_def = protos.GraphDef()
    graph_def.versions.producer = GRAPH_DEF_VERSION
    for i, arg in enumerate(args):
        node = graph_def.node.add(name=arg.name, op="Placeholder")
        node.attr["dtype"].type = arg.type
        if input_shapes and input_shapes[i] is not None:
            node.attr["shape"].shape.CopyFrom(shape_proto(TensorShape(input_shapes[i])))
    graph_def.node.extend(fdef.node_def)
    functions = _functions()
    _take(graph_def, fdef, functions)
    names = _names(fdef, functions)
    for node in graph_def.node[len(args) :]:
        node.input[:] = [names.get(text, text) for text in node.input]
    return graph_def, names


def _check_shapes(shapes, args):
    if shapes and len(shapes) != len(args):
        raise ValueError(
            "Length of input_shapes must match the number of input_args. "
            f"len(input_shapes): {len(shapes)} len(input_arg): {len(args)}"
        )


def _functions():
    """{name: function} of the libraries of the current graph and of those around it."""
    graph, found = get_default_graph(), {}
    if not dispatch.current_mode().eager:
        graph = dispatch.current_mode()
    while graph is not None and not graph.eager:
        found = {**graph._functions, **found}
        graph = getattr(graph, "outer", None)
    return found


def _take(graph_def, fdef, functions):
    """Put the functions that a FunctionDef calls into the library of a GraphDef."""
    known = {f.signature.name for f in graph_def.library.function}
    for node in fdef.node_def:
        called = [node.op, *(a.func.name for a in node.attr.values())]
        for name in called:
            if name in functions and name not in known:
                known.add(name)
                graph_def.library.function.append(functions[name].definition)
                _take(graph_def, functions[name].definition, functions)


def _names(fdef, functions):
    """From the names of tensors in a FunctionDef to those in a GraphDef."""
    found = {}
    for arg in fdef.signature.input_arg:
        found[arg.name], found[f"^{arg.name}"] = f"{arg.name}:0", f"^{arg.name}"
    for node in fdef.node_def:
        found[f"^{node.name}"], place = f"^{node.name}", 0
        for arg, count in _outputs(node, functions):
            for i in range(count):
                found[f"{node.name}:{arg}:{i}"] = f"{node.name}:{place}"
                place += 1
    return found


def _outputs(node, functions):
    """(name, number of tensors) of each output of a NodeDef."""
    if node.op in functions:
        outs = functions[node.op].definition.signature.output_arg
        return [(arg.name, 1) for arg in outs]
    definition = find(node.op) or op_def(known_op(node.op))
    return [(arg.name, _get_num_args(arg, node)) for arg in definition.outputs]


def _get_num_args(arg, node):
    if arg.number_attr:
        return node.attr[arg.number_attr].i
    return len(node.attr[arg.list_attr].list.type) if arg.list_attr else 1


class FromProto:
    """What a function that is made from a FunctionDef does in another way."""

    def __init__(self, fdef, grad_func=None):
        args = fdef.signature.input_arg
        types = [as_dtype(arg.type) for arg in args]
        names = [arg.name for arg in args]
        name = fdef.signature.name
        super().__init__(None, names, types, name, grad_func)
        self._definition = protos.FunctionDef()
        self._definition.CopyFrom(fdef)
        self._graph = None

    def graph(self):
        """The graph of the function."""
        if self._graph is None:
            found = function_def_to_graph(self._definition)
            found.defined, self._graph = self, found
        return self._graph

    @property
    def captured_inputs(self):
        """None: they are arguments."""
        return []

    def _make(self):
        self.graph()


def from_library(library, make):
    """The functions of a FunctionDefLibrary; those that others need come first.

    Args:
        make: from a FunctionDef and the function that gives the gradients, or None, to
            the function.
    """
    defs = {f.signature.name: f for f in library.function}
    gradients = {g.function_name: g.gradient_func for g in library.gradient}
    for name in [*gradients, *gradients.values()]:
        if name not in defs:
            raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef")
    made, left = {}, dict(defs)
    while left:
        ready = [n for n in left if gradients.get(n) is None or gradients[n] in made]
        if not ready:
            raise ValueError(
                "FunctionDefLibrary contains cyclic gradient functions!\n"
                f"{library.gradient}"
            )
        for name in ready:
            made[name] = make(left.pop(name), made.get(gradients.get(name)))
    return list(made.values())

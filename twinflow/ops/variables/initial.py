"""The first values of variables: where they come from, and what they may depend on."""

from twinflow.base import dispatch
from twinflow.base.tensor import ResourceHandle
from twinflow.formats import protos
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.random.draws import initializing
from twinflow.ops.variables.collections import GraphKeys

_INSIDE = (
    "Tensor-typed variable initializers must either be wrapped in an init_scope or "
    "callable (e.g., `tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when "
    "building functions. Please file a feature request if this restriction "
    "inconveniences you."
)

_IN_BODY = (
    "Initializer for variable {name}/ is from inside a control-flow construct, such as "
    "a loop or conditional. When creating a variable inside a loop or conditional, use "
    "a lambda as the initializer."
)


def called(initial_value, name):
    """The initial value itself, where a function gives it.

    Raises:
        ValueError: it is a tensor of a function or a body, which may never run.
    """
    with initializing(name):
        value = initial_value() if callable(initial_value) else initial_value
        if getattr(getattr(value, "graph", None), "is_function", False):
            raise ValueError(_INSIDE)
        if getattr(getattr(value, "op", None), "region", None) is not None:
            raise ValueError(_IN_BODY.format(name=name))
        return value._as_tensor() if isinstance(value, ResourceHandle) else value


def first_value(graph, initial_value, scope, dtype):
    """The tensor that a variable starts with; what a function makes stays beside it.

    Args:
        graph: the Graph. initial_value: a value, or a function of no arguments.
        scope: the name scope of the variable. dtype: the DType, or None.
    """
    if not callable(initial_value):
        value = called(initial_value, scope[:-1])
        return convert_to_tensor(value, dtype, name="initial_value")
    with beside(graph, scope), graph.name_scope("Initializer"), graph.device(None):
        value = called(initial_value, scope[:-1])
        return convert_to_tensor(value, dtype, name="initial_value")


def beside(graph, scope):
    """A block whose nodes are to be where the variable of a name scope will be."""
    place = protos.AttrValue()
    place.list.s.append(f"loc:@{scope[:-1]}".encode())
    return graph._attr_scope({"_class": place})


_LEAVES = ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp")


def guarded(value, name):
    """`value` computed from the initial values of the variables that have none yet.

    Args:
        value: a tensor of a graph. name: that of the new variable, with ':0': what is
            computed anew is called after it.
    """
    graph, tensors = value.graph, {}
    for node in _ancestors(value):
        if node.type in ("VariableV2", "Variable"):
            variable = _variable_of(graph, node)
            if variable is not None:
                tensors[node.outputs[0]] = variable.initialized_value()
        elif any(t in tensors for t in node.inputs):
            tensors.update(_again(graph, node, tensors, name))
    return tensors.get(value, value)


def _ancestors(value):
    """The nodes that `value` is computed from, in order of creation."""
    seen: dict = {}
    stack = [value.op]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            if node.type not in _LEAVES:
                stack.extend(t.op for t in node.inputs)
    return sorted(seen, key=lambda n: n.index)


def _variable_of(graph, node):
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in graph.get_collection(key):
            if getattr(variable, "name", None) == f"{node.name}:0":
                return variable
    return None


def _again(graph, node, tensors, name):
    """The outputs of a node like `node` on other inputs: dict from the old ones."""
    if node.type in _LEAVES or node.opdef.infer is None:
        return {}
    args = [
        [tensors.get(t, t) for t in a] if type(a) is list else tensors.get(a, a)
        for a in node.args()
    ]
    called = f"{node.name}_{name}".replace(":", "_")
    with dispatch.tapes_paused():
        made = graph.run_op(node.opdef, args, node.attrs, called)
    made = made if isinstance(made, list) else [made]
    return dict(zip(node.outputs, made, strict=True))

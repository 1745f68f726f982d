"""tensorflow.python.eager.function beside tfe.defun."""

import functools
import re

from twinflow.base import dispatch, nest
from twinflow.base.tensor import Tensor
from twinflow.compat.door.defined import attribute
from twinflow.execute.concrete import register_in
from twinflow.execute.function import Function, defun
from twinflow.execute.trace import Trace
from twinflow.formats.protos import AttrValue
from twinflow.graph.defaults import get_default_graph
from twinflow.ops.core.constant import identity

FORWARD_FUNCTION_ATTRIBUTE_NAME = "forward_function_name"
BACKWARD_FUNCTION_ATTRIBUTE_NAME = "backward_function_name"
WHITELIST_FUNCTION_ATTRIBUTE_REGEX = [
    "experimental_.*", FORWARD_FUNCTION_ATTRIBUTE_NAME,
    BACKWARD_FUNCTION_ATTRIBUTE_NAME,
]  # fmt: skip


def _parse_func_attrs(attributes):
    """The attributes of a function as AttrValues.

    Raises:
        ValueError: one is not to be had, or is of another type.
    """
    found = {}
    for name, value in (attributes or {}).items():
        if not any(re.match(p, name) for p in WHITELIST_FUNCTION_ATTRIBUTE_REGEX):
            raise ValueError(
                "Attribute name is not whitelisted. Whitelisted: prefix "
                f"{WHITELIST_FUNCTION_ATTRIBUTE_REGEX}, got: {name}"
            )
        kept = isinstance(value, AttrValue)
        found[name] = value if kept else attribute(name, value)
    return found


def defun_with_attributes(func=None, input_signature=None, attributes=None):
    """tfe.defun of a function that has attributes in the library of a graph.

    Args:
        attributes: dict of bools, numbers and texts, by names that may be had.
    """
    if func is None:
        return functools.partial(
            defun_with_attributes, input_signature=input_signature,
            attributes=attributes,
        )  # fmt: skip
    found = defun(func, input_signature)
    found.attributes = _parse_func_attrs(attributes)
    return found


def register(func, *args, **kwargs):
    """Put a function for some arguments into the library of the default graph.

    Returns:
        The ConcreteFunction.
    Raises:
        ValueError: it was not made by defun.
    """
    if not isinstance(func, Function):
        raise ValueError(
            f"Only defun function is allowed to be registered. Got type: {type(func)}"
        )
    found = func.get_concrete_function(*args, **kwargs)
    register_in(get_default_graph(), found, lambda text: AttrValue(s=text.encode()))
    return found


def func_graph_from_py_func(
    name, python_func, args, kwargs, signature=None, func_graph=None
):
    """The FuncGraph of a Python function.

    Args:
        name: of the graph. args, kwargs: the arguments. signature: TensorSpecs in their
            place. func_graph: accepted.
    """
    trace = Trace(Function(python_func, None, name), signature or args, kwargs or {})
    graph = trace.graph
    graph.structured_outputs = trace.structured()
    return graph


class AutomaticControlDependencies:
    """A block of graph mode whose ops with effects run in their order.

    Example:
        v = tf.get_variable("v", initializer=1., use_resource=True)
        with AutomaticControlDependencies() as a:
            v.assign_add(1.)
            value = a.mark_as_return(v + 1.)
        with tf.Session() as sess:
            sess.run(v.initializer)
            sess.run(value)  # 3.0
    """

    def __init__(self):
        self._returned: list = []
        self._graph = None

    def mark_as_return(self, tensor):
        """A tensor that is there when all effects of the block are."""
        if not isinstance(tensor, Tensor):
            return tensor
        found = identity(tensor)
        if found.symbolic:
            self._returned.append(found.op)
        return found

    def __enter__(self):
        if not dispatch.current_mode().eager:
            self._graph = get_default_graph()
            self._before = len(self._graph.nodes)
        return self

    def __exit__(self, *exc):
        if self._graph is None or exc[0] is not None:
            return
        last = None
        for node in self._graph.nodes[self._before :]:
            if node.opdef.stateful and not node.type.endswith("HandleOp"):
                self._wait(node, last)
                last = node
        for node in self._returned:
            self._wait(node, last)

    @staticmethod
    def _wait(node, last):
        if last is not None and last is not node and last not in node.after:
            node.after = (*node.after, last)


def automatic_control_dependencies(f):
    """A decorator: see AutomaticControlDependencies."""

    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        with AutomaticControlDependencies() as a:
            found = f(*args, **kwargs)
            return nest.map_structure(a.mark_as_return, found)

    return wrapped

"""tensorflow.python.framework.ops: what files near the core ask of graphs."""

import functools

from twinflow.autodiff.registry import is_registered, registered_gradient
from twinflow.base import dispatch
from twinflow.base.advice import advised
from twinflow.execute.default_sessions import get_default_session
from twinflow.graph.gradients import gradients

_dense_like: list = []


def numpy_text(tensor, is_repr=False):
    """The value of an eager tensor as text."""
    array = tensor.numpy()
    return repr(array) if is_repr else str(array)


def tensor_id(tensor):
    """The number that tapes know a tensor by."""
    tensor._id = tensor._id or dispatch.next_id()
    return tensor._id


def get_gradient_function(op):
    """The function that gives the gradients of a node; None where it has no inputs.

    Raises:
        LookupError: an override of its gradient is not registered.
    """
    if not op.inputs:
        return None
    marks = getattr(op, "marks", None) or {}
    if "_gradient_op_type" in marks:
        name = marks["_gradient_op_type"].s.decode()
        if not is_registered(name):
            raise LookupError(f"gradient registry has no entry for: {name}")
        return registered_gradient(name, op)
    if is_registered(op.type):
        return registered_gradient(op.type, op)
    return _gradients_of if op.opdef.mask else None


def _gradients_of(op, *grads):
    """The gradients of a node's inputs from those of its outputs."""
    inputs = list(op.inputs)
    return gradients(op.outputs, inputs, list(grads), stop_gradients=inputs)


def dismantle_graph(graph):
    """Nothing is left to do: a graph goes with its last user."""


def name_from_scope_name(name):
    """The name of an op from that of a scope: without the last '/'."""
    return name.removesuffix("/")


def set_shape_and_handle_data_for_outputs(op):
    """Nothing is left to do: nodes are made with their shapes."""


def set_call_cpp_shape_fn(call_cpp_shape_fn):
    """Nothing is left to do: see `set_shape_and_handle_data_for_outputs`."""


def register_dense_tensor_like_type(tensor_type):
    """Note a class as one of values like tensors.

    Raises:
        TypeError: it has no properties `name` and `dtype`.
    """
    for name in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, name, None), property):
            raise TypeError(
                f"Type {tensor_type.__name__} does not define a `{name}` property"
            )
    _dense_like.append(tensor_type)


def run_using_default_session(operation, feed_dict, graph, session=None):
    """Run a node in a session, the default one if not given.

    Raises:
        ValueError: there is none, or it is of another graph.
    """
    _session("execute operation", "the operation's graph", graph, session).run(
        operation, feed_dict
    )


def eval_using_default_session(tensors, feed_dict, graph, session=None):
    """The values of tensors in a session; see `run_using_default_session`."""
    found = _session("evaluate tensor", "the tensor's graph", graph, session)
    return found.run(tensors, feed_dict)


def _session(action, whose, graph, session):
    found = get_default_session() if session is None else session
    if found is None:
        raise advised(
            ValueError,
            f"Cannot {action}: No default session is registered. Use `with "
            "sess.as_default()` or pass an explicit session.",
        )
    if found.graph is not graph:
        raise ValueError(
            f"Cannot use the default session to {action}: {whose} is different from "
            "the session's graph. Pass an explicit session."
        )
    return found


class RegisterShape:
    """A decorator of shape functions, which are not asked any more."""

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")

    def __call__(self, f):
        return f


def get_filtered_grad_fn(grad_fn):
    """A function that leaves out the pairs without a gradient."""

    @functools.wraps(grad_fn)
    def filtered(*args, **kwargs):
        return [pair for pair in grad_fn(*args, **kwargs) if pair[0] is not None]

    return filtered

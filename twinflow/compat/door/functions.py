"""tensorflow.python.eager.function beside tfe.defun."""

import functools

from twinflow.base import dispatch, nest
from twinflow.base.tensor import Tensor
from twinflow.execute.function import defun
from twinflow.graph.defaults import get_default_graph
from twinflow.ops.core.constant import identity


def defun_with_attributes(func=None, input_signature=None, attributes=None):
    """tfe.defun; the attributes are accepted."""
    if func is None:
        return functools.partial(defun_with_attributes, input_signature=input_signature)
    return defun(func, input_signature)


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

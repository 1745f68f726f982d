"""tf.gradients: the nodes between xs and ys become records, and are walked back."""

from twinflow.autodiff.backprop import backprop
from twinflow.base import dispatch, nest
from twinflow.base.record import record
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.node import Node
from twinflow.graph.regions import captured
from twinflow.ops import array


class Watch:
    """What records are made for: the ids that lead to the sources."""

    __slots__ = ("__weakref__", "records", "watched")

    def __init__(self, watched):
        self.watched, self.records = set(watched), []


def records_of(nodes, watched, stopped=()):
    """The records of `nodes`, those that depend on the ids in `watched`."""
    tape = Watch(watched)
    for node in nodes:
        if node.extra is not None:
            node.extra.record(node, (tape,))
        else:
            record(node.opdef, (tape,), node.args(), node.outputs, node.attrs)
        if stopped:
            tape.watched.difference_update(stopped)
    return tape.records


def ancestors(tensors):
    """The nodes that `tensors` are computed from, in order of creation."""
    seen: dict = {}
    stack = [t.op for t in tensors]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen[node] = None
        stack.extend(t.op for t in node.inputs)
        stack.extend(t.op for t in captured(node))
    return sorted(seen, key=lambda n: n.index)


def gradients(
    ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False,
    gate_gradients=False, aggregation_method=None, stop_gradients=None,
):  # fmt: skip
    """Symbolic derivatives of the sum of `ys` with respect to each of `xs`.

    Args:
        ys: a tensor or list of tensors. xs: a tensor or variable, or a list of them.
        grad_ys: the incoming gradient of each y; ones by default.
        name: the name scope of the new nodes.
        stop_gradients: tensors to treat as constants.
    Returns:
        A list with one tensor per x, None where no y depends on it.
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        tf.gradients(y, [w, b])
    """
    graph = dispatch.current_mode()
    if graph.eager:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. "
            "Use tf.GradientTape instead."
        )
    ys, xs = _listed(ys), _listed(xs)
    grad_ys = [None] * len(ys) if grad_ys is None else _listed(grad_ys)
    ids = [_id(x) for x in xs]
    stopped = {_id(s) for s in _listed(stop_gradients or [])} - set(ids)
    with graph.name_scope(name), graph.exports(), dispatch.tapes_paused():
        ys = [graph.tensor(y) for y in ys]
        records = records_of(ancestors(ys), ids, stopped)
        grads: dict = {}
        for y, dy in zip(ys, grad_ys, strict=True):
            dy = array.ones_like(y) if dy is None else graph.tensor(dy, y.dtype)
            grads[y._id] = grads[y._id] + dy if y._id in grads else dy
        found = backprop(records, grads, ids)
    return [found.get(i) for i in ids]


def _listed(value):
    if isinstance(value, Tensor | ResourceHandle | Node):
        return [value]
    return list(value) if isinstance(value, list | tuple) else nest.flatten(value)


def _id(x):
    return x.handle_id() if isinstance(x, ResourceHandle) else x._id

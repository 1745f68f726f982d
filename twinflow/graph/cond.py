"""tf.cond: two regions in one graph, of which one runs.

The gradient of a Cond is a Cond on the same predicate; what its branches read from the
forward branches leaves those as further outputs (Note [Exports] in graph.regions). The
branch that was not taken gives nothing for them, and nothing there is read.
"""

from twinflow.autodiff.backprop import backprop
from twinflow.base import dispatch, nest
from twinflow.base.op import define
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.gradients import records_of
from twinflow.graph.node import Node, Region
from twinflow.graph.regions import (
    Recorded,
    captured,
    nodes_of,
    traced,
    watch_variables,
    zero_gradient,
)
from twinflow.ops import array

If = define("If(cond: bool, input: N*Tin) -> (output: N*Tout)", infer=None)


class CondExtra(Recorded):
    """What a Cond node owns: its two regions."""

    def __init__(self, then, orelse):
        super().__init__()
        self.regions = (then, orelse)

    def fetches(self, region):
        """What is taken from a region; None where only the other one gives it."""
        return list(region.results)

    def export(self, node, region, t):
        """One more output with the value of `t`, which lies in one of the regions."""
        for place, found in enumerate(region.results):
            if found is t:
                return node.outputs[place]
        for r in self.regions:
            r.results.append(t if r is region else None)
        return self.add_output(node, t.dtype, t._shape)

    def record(self, node, tapes):
        """Put the node on `tapes`: its inputs are what its regions capture."""
        watch_variables(self.regions, tapes)
        self.put(node, tapes, captured(node), lambda wanted: CondVjp(node, wanted))


class CondVjp:
    """The way back through a Cond; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, node, wanted):
        self.node, self.wanted = node, wanted

    def back(self, kept, attrs, dys):
        """The gradients of the captured tensors `wanted`."""
        graph = dispatch.current_mode()
        pred = graph.tensor(self.node.inputs[0])

        def branch(region):
            return lambda: self._branch(region, dys)

        then, orelse = map(branch, self.node.extra.regions)
        with graph.exports():
            return _cond_node(graph, pred, then, orelse, "cond_grad")[0]

    def _branch(self, region, dys):
        ids = [t._id for t in self.wanted]
        records = records_of(nodes_of(self.node.graph, region), ids)
        grads: dict = {}
        for y, dy in zip(region.results, dys, strict=False):
            if dy is not None and y is not None and y.dtype.is_inexact:
                grads[y._id] = grads[y._id] + dy if y._id in grads else dy
        found = backprop(records, grads, ids)
        return [
            zero_gradient(t, self.node) if found.get(t._id) is None else found[t._id]
            for t in self.wanted
        ]


def cond(
    pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None
):
    """`true_fn()` if `pred`, else `false_fn()`.

    Args:
        pred: a bool scalar.
        true_fn, false_fn: functions of no arguments that return the same structure with
            the same dtypes. In a graph both are traced, and one runs.
        strict: keep a list of one tensor as a list.
        name: the name scope.
    Returns:
        What the function returns (a list of one tensor as the tensor).
    Raises:
        TypeError, ValueError: the branches do not return the same kind of thing.
    Example:
        tf.cond(x < y, lambda: x, lambda: y)
    """
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    if not callable(true_fn) or not callable(false_fn):
        raise TypeError("true_fn and false_fn must be callable.")
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool")
    mode = dispatch.current_mode()
    if mode.eager:
        return _unpacked((true_fn if pred else false_fn)(), strict)
    with mode.name_scope(name or "cond"):
        result, template = _cond_node(
            mode, mode.tensor(pred), true_fn, false_fn, "cond"
        )
    if template is None:
        return result[0]
    if result and not isinstance(result[0], Tensor):
        return result[0]
    return _unpacked(nest.pack_sequence_as(template, result), strict)


def _unpacked(value, strict):
    if not strict and isinstance(value, list | tuple) and len(value) == 1:
        return value[0]
    return value


def _cond_node(graph, pred, true_fn, false_fn, name):
    """Build the node; returns (flat outputs, the structure or None for one tensor)."""
    then, orelse = Region(graph.region, "then"), Region(graph.region, "else")
    r1 = traced(graph, then, _results, graph, then, true_fn)
    r2 = traced(graph, orelse, _results, graph, orelse, false_fn)
    _same(r1, r2, then, orelse)
    specs = [_merged(a, b) for a, b in zip(then.results, orelse.results, strict=True)]
    node = graph.append_node(If, [pred, []], {}, name, specs)
    node.extra = CondExtra(then, orelse)
    then.owner = orelse.owner = node
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    if r1 is None:
        return [node], None
    return list(node.outputs), r1 if nest.is_sequence(r1) else None


def _results(graph, region, function):
    result = function()
    flat = nest.flatten(result) if result is not None else []
    region.results = [_result(graph, r) for r in flat]
    return result


def _result(graph, value):
    if isinstance(value, Node):
        with graph.control_dependencies([value]):
            return array.identity(array.constant(True))
    if isinstance(value, ResourceHandle):
        value = value._as_tensor()
    return graph.tensor(value)


def _same(r1, r2, then, orelse):
    if (r1 is None) != (r2 is None) or nest.is_sequence(r1) != nest.is_sequence(r2):
        raise ValueError(
            f"true_fn and false_fn must return the same structure; got {r1} and {r2}."
        )
    if nest.is_sequence(r1):
        nest.assert_same_structure(r1, r2)
    for a, b in zip(then.results, orelse.results, strict=True):
        if a.dtype is not b.dtype:
            raise ValueError(
                f"Outputs of true_fn and false_fn must have the same type: "
                f"{a.dtype.name}, {b.dtype.name}"
            )


def _merged(a, b):
    """The dtype and shape of an output that is `a` or `b`."""
    s, t = a._shape, b._shape
    if s is None or t is None or len(s) != len(t):
        return a.dtype, None
    pairs = zip(s, t, strict=True)
    return a.dtype, tuple(p if p == q else None for p, q in pairs)

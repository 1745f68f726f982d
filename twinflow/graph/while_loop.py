"""tf.while_loop: two regions in one graph, run as often as the first says.

The gradient of a While is a While that runs backwards. What its body reads from the
forward body is kept on a stack, one entry per iteration (Note [Exports] in
graph.regions); the stack leaves the loop as one tensor whose first axis is at least the
number of iterations.
"""

import numpy as np

from twinflow.autodiff.backprop import backprop
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.dispatch import apply
from twinflow.base.op import Op, define
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph import static
from twinflow.graph.gradients import records_of
from twinflow.graph.node import Region
from twinflow.graph.regions import (
    Recorded,
    captured,
    nodes_of,
    traced,
    watch_variables,
    zero_gradient,
)
from twinflow.ops import array, compare
from twinflow.ops.infer import ints
from twinflow.ops.placeholder import Param

While = define("While(input: N*T) -> (output: N*T)", infer=None)

StackRead = define(
    "TwinStackRead(stack: T, index: int32) -> (value: T)",
    infer=lambda stack, index: None if stack._shape is None else stack._shape[1:],
    kernel=lambda xp: lambda stack, index: xp.take(stack, index, 0),
    grad=[lambda dy, index, shape_stack: apply(StackEntry, (dy, index, shape_stack))],
)


def _entry_kernel(xp):
    def kernel(value, index, shape):
        n = ints(shape)[0]
        hit = xp.reshape(xp.arange(n) == index, (n,) + (1,) * xp.ndim(value))
        return xp.where(hit, value, xp.zeros((), value.dtype))

    return kernel


StackEntry: Op = define(
    "TwinStackEntry(value: T, index: int32, shape: host int32) -> (stack: T)",
    infer=lambda value, index, shape: None if shape is None else ints(shape),
    kernel=_entry_kernel,
    grad=[lambda dy, index: apply(StackRead, (dy, index))],
)


class WhileExtra(Recorded):
    """What a While node owns.

    Attributes:
        regions: the condition and the body; their params are the loop variables.
        saved: tensors of the body that are kept for every iteration.
        capacity: how many iterations a compiled stack must hold; the interpreter notes
            the largest number it has seen.
        limit: the greatest number of iterations, or None.
    """

    def __init__(self, cond, body, limit):
        super().__init__()
        self.regions = (cond, body)
        self.cond, self.body, self.limit = cond, body, limit
        self.saved: list = []
        self.trips = None
        self.capacity = 8

    def fetches(self, region):
        """What is taken from a region in every iteration."""
        return region.results + (self.saved if region is self.body else [])

    def export(self, node, region, t):
        """The stack of the values of `t`, a tensor of the body."""
        if t not in self.saved:
            self.count(node)
            self.saved.append(t)
            shape = None if t._shape is None else (None, *t._shape)
            self.add_output(node, t.dtype, shape)
        first = len(self.body.params) + 1
        return node.outputs[first + self.saved.index(t)]

    def count(self, node):
        """The number of iterations, as one more output."""
        if self.trips is None:
            self.trips = self.add_output(node, dtypes.int32, ())
        return self.trips

    def read(self, stack, index):
        """The entry of a stack for one iteration."""
        return apply(StackRead, (stack, index))

    def record(self, node, tapes):
        """Put the node on `tapes`: its inputs are the first values and the captures."""
        watch_variables(self.regions, tapes)
        inputs = [*node.inputs, *captured(node)]
        self.put(node, tapes, inputs, lambda wanted: WhileVjp(node, wanted))


class WhileVjp:
    """The way back through a While; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, node, wanted):
        self.node, self.wanted = node, wanted
        self.n = len(node.extra.body.params)

    def back(self, kept, attrs, dys):
        """The gradients of `wanted`: first values and captured tensors."""
        graph, node = dispatch.current_mode(), self.node
        body = node.extra.body
        slopes = [i for i, p in enumerate(body.params) if p.dtype.is_inexact]
        inner = [t for t in captured(node) if t in self.wanted]
        with graph.exports():
            dvars = [self._dy(graph, i, dys) for i in slopes]
            totals = [zero_gradient(t, node) for t in inner]
            count = graph.tensor(node.extra.count(node))
            first = [array.identity(count), *dvars, *totals]
            out = self._loop(graph, body, slopes, inner, first, dys)
        grads: dict = {}
        for i, d in zip(slopes, out[1:], strict=False):
            t = node.inputs[i]
            grads[t] = grads[t] + d if t in grads else d
        for t, d in zip(inner, out[1 + len(slopes) :], strict=True):
            grads[t] = grads[t] + d if t in grads else d
        return [grads.get(t) for t in self.wanted]

    def _dy(self, graph, i, dys):
        if dys[i] is not None:
            return dys[i]
        return array.zeros_like(graph.tensor(self.node.outputs[i]))

    def _loop(self, graph, body, slopes, inner, first, dys):
        ids = [body.params[i]._id for i in slopes] + [t._id for t in inner]

        def step(count, *values):
            index = count - 1
            graph.region.mirror = (body, index)
            dvars, totals = values[: len(slopes)], values[len(slopes) :]
            grads: dict = {}
            for i, d in zip(slopes, dvars, strict=True):
                y = body.results[i]
                grads[y._id] = grads[y._id] + d if y._id in grads else d
            self._stack_gradients(graph, grads, dys, index)
            nodes = nodes_of(self.node.graph, body)
            found = backprop(records_of(nodes, ids), grads, ids)
            new = [
                array.zeros_like(body.params[i]) if (d := found.get(k)) is None else d
                for i, k in zip(slopes, ids, strict=False)
            ]
            more = [
                a if (d := found.get(t._id)) is None else a + d
                for a, t in zip(totals, inner, strict=True)
            ]
            return (index, *new, *more)

        return _while_node(
            graph, lambda count, *_: count > 0, step, first, "while_grad"
        )

    def _stack_gradients(self, graph, grads, dys, index):
        """Second order: what arrives for the stacks belongs to their iteration."""
        for t, dy in zip(self.node.extra.saved, dys[self.n + 1 :], strict=False):
            if dy is not None:
                d = apply(StackRead, (dy, index))
                grads[t._id] = grads[t._id] + d if t._id in grads else d


def while_loop(
    cond, body, loop_vars, shape_invariants=None, parallel_iterations=10,
    back_prop=True, swap_memory=False, name=None, maximum_iterations=None,
    return_same_structure=False,
):  # fmt: skip
    """Repeat `body` while `cond` holds.

    Args:
        cond: a function of the loop variables that gives a bool scalar.
        body: a function of the loop variables that gives their next values.
        loop_vars: the first values, in any structure.
        shape_invariants: TensorShapes, in the structure of `loop_vars`, for variables
            whose shape changes.
        maximum_iterations: stop after so many iterations.
        return_same_structure: keep a list of one variable as a list.
        parallel_iterations, back_prop, swap_memory: accepted.
    Returns:
        The last values, in the structure of `loop_vars`.
    Raises:
        ValueError: there are no loop variables, or a shape without an invariant
            changes.
    Example:
        tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])
    """
    if not callable(cond) or not callable(body):
        raise TypeError("cond and body must be callable.")
    if not loop_vars and not isinstance(loop_vars, dict):
        raise ValueError("No loop variables provided")
    single = len(loop_vars) == 1 and not return_same_structure
    mode = dispatch.current_mode()
    if mode.eager:
        out = _run_now(cond, body, loop_vars, maximum_iterations)
    else:
        with mode.name_scope(name or "while"):
            out = _run_later(
                mode, cond, body, loop_vars, shape_invariants, maximum_iterations
            )
    return out[0] if single and isinstance(out, list | tuple) else out


def _run_now(cond, body, loop_vars, limit):
    count, loop_vars = 0, _tensors(loop_vars)
    while cond(*loop_vars) and (limit is None or count < int(limit)):
        out = body(*loop_vars)
        loop_vars = _tensors(out if isinstance(out, list | tuple) else (out,))
        count += 1
    return loop_vars


def _tensors(structure):
    return nest.map_structure(
        lambda v: v if isinstance(v, ResourceHandle) else array.convert_to_tensor(v),
        structure,
    )


def _run_later(graph, cond, body, loop_vars, invariants, limit):
    first = [_first(graph, v) for v in nest.flatten(loop_vars)]
    shapes = [t._shape for t in first]
    if invariants is not None:
        shapes = [TensorShape(s).tuple for s in _shapes(invariants)]

    def packed(function):
        return lambda *flat: function(*nest.pack_sequence_as(loop_vars, list(flat)))

    def flat_body(*flat):
        out = packed(body)(*flat)
        out = out if isinstance(out, list | tuple) else [out]
        if len(loop_vars) == 1 and not _same_kind(out, loop_vars):
            out = [out]
        nest.assert_same_structure(list(loop_vars), list(out), check_types=False)
        return nest.flatten(out)

    limit = _known_limit(graph, limit)
    test, step = packed(cond), flat_body
    if isinstance(limit, Tensor):
        first, shapes = [graph.tensor(0, limit.dtype), *first], [(), *shapes]
        test, step = _counted(test, step, limit)
    out = _while_node(graph, test, step, first, "while", shapes, limit)
    return nest.pack_sequence_as(loop_vars, out[-len(nest.flatten(loop_vars)) :])


def _known_limit(graph, limit):
    """The greatest number of iterations: an int, None, or a tensor only a run knows."""
    if limit is None:
        return None
    limit = graph.tensor(limit)
    found = static.constant_value(limit)
    return limit if found is None else int(found)


def _counted(cond, body, limit):
    """The functions of a loop with a counter before its variables."""
    return (
        lambda n, *values: compare.logical_and(n < limit, cond(*values)),
        lambda n, *values: [n + 1, *body(*values)],
    )


def _same_kind(out, loop_vars):
    return len(nest.flatten(list(out))) == len(nest.flatten(list(loop_vars)))


def _shapes(invariants):
    if isinstance(invariants, TensorShape):
        return [invariants]
    if isinstance(invariants, dict):
        return [s for k in sorted(invariants) for s in _shapes(invariants[k])]
    return [s for v in invariants for s in _shapes(v)]


def _first(graph, value):
    if isinstance(value, ResourceHandle):
        value = value._as_tensor()
    return graph.tensor(value)


def _while_node(graph, cond, body, first, name, shapes=None, limit=None):
    """Build the node; returns the outputs for the loop variables."""
    shapes = shapes or [t._shape for t in first]
    r1, r2 = Region(graph.region, "cond"), Region(graph.region, "body")
    traced(graph, r1, _condition, graph, r1, cond, first, shapes)
    traced(graph, r2, _body, graph, r2, body, first, shapes)
    _check(r2, first, shapes)
    specs = [(t.dtype, s) for t, s in zip(first, shapes, strict=True)]
    node = graph.append_node(While, [list(first)], {}, name, specs)
    node.extra = WhileExtra(r1, r2, limit if isinstance(limit, int) else None)
    r1.owner = r2.owner = node
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    return list(node.outputs[: len(first)])


def _params(region, first, shapes):
    for t, s in zip(first, shapes, strict=True):
        p = apply(Param, (), {"dtype": t.dtype, "shape": s}, "loop_var")
        region.params.append(p)
    return region.params


def _condition(graph, region, cond, first, shapes):
    region.results = [graph.tensor(cond(*_params(region, first, shapes)), dtypes.bool)]


def _body(graph, region, body, first, shapes):
    out = body(*_params(region, first, shapes))
    region.results = [
        graph.tensor(v._as_tensor() if isinstance(v, ResourceHandle) else v, t.dtype)
        for v, t in zip(out, first, strict=True)
    ]


def _check(region, first, shapes):
    for t, s, r in zip(first, shapes, region.results, strict=True):
        if r.dtype is not t.dtype:
            raise TypeError(
                f"The loop variable {t.name!r} starts with dtype {t.dtype.name} and "
                f"has dtype {r.dtype.name} after one iteration."
            )
        if not _fits(s, r._shape):
            raise ValueError(
                f"The shape for {t.name} is not an invariant for the loop. It enters "
                f"the loop with shape {TensorShape(s)}, but has shape "
                f"{TensorShape(r._shape)} after one iteration. Provide shape invariants"
                " using either the `shape_invariants` argument of tf.while_loop or "
                "set_shape() on the loop variables."
            )


def _fits(wanted, found):
    if wanted is None:
        return True
    if found is None or len(found) != len(wanted):
        return False
    return all(w is None or w == f for w, f in zip(wanted, found, strict=True))


def capacity_for(trips):
    """The length of a stack for so many iterations: a power of two, at least 8."""
    return max(8, 1 << int(np.ceil(np.log2(max(trips, 1)))))

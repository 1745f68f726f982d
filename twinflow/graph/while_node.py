"""The While node: its regions, how it is built, and its way back.

The gradient of a While is a While that runs backwards. What its body reads from the
forward body is kept on a stack, one entry per iteration (Note [Exports] in
graph.regions); the stack leaves the loop as one tensor whose first axis is at least the
number of iterations.
"""

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.autodiff.backprop import joined_total
from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import Array
from twinflow.base.dispatch import apply
from twinflow.base.op import Op, define
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.gradients import records_by_node, walked_back
from twinflow.graph.node import Node, Region
from twinflow.graph.regions import (
    Recorded,
    captured,
    carries_slope,
    dense,
    no_gradient,
    nodes_of,
    params_behind,
    traced,
    watch_variables,
    zero_gradient,
)
from twinflow.graph.rows import kept_rows, rows_behind
from twinflow.graph.structure import tensor_in
from twinflow.ops.arrays.placeholder import Param
from twinflow.ops.core import array
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.infer import fits, ints

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor

While = define("While(input: N*T) -> (output: N*T)", infer=None)

StackRead = define(
    "TwinStackRead(stack: T, index: int32) -> (value: T)",
    infer=lambda stack, index: None if stack._shape is None else stack._shape[1:],
    kernel=lambda xp: lambda stack, index: xp.take(stack, index, 0),
    grad=[lambda dy, index, shape_stack: apply(StackEntry, (dy, index, shape_stack))],
)


def _entry_kernel(xp: ModuleType) -> Callable:
    def kernel(value: Any, index: Any, shape: Array) -> Any:
        n = ints(shape)[0]
        if len(ints(shape)) == 1 and xp.ndim(value):  # entries of different shapes
            found = np.zeros(n, object)
            found[index] = value
            return found
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
    """

    def __init__(self, cond: Region, body: Region) -> None:
        super().__init__()
        self.regions = (cond, body)
        self.cond, self.body = cond, body
        self.saved: list = []
        self.trips: Any = None
        self.capacity = 8

    def fetches(self, region: Region, node: Node, taken: set[Tensor] | None) -> list:
        """What a region has to give in every iteration for the outputs that are `taken`
        (None = all). Of the loop variables that play no part, the body gives the old
        values."""
        if region is self.cond:
            return region.results
        if taken is None:
            return region.results + self.saved
        stacks = zip(self.saved, node.outputs[len(region.params) + 1 :], strict=True)
        saved = [t if o in taken else None for t, o in stacks]
        needed = self._needed(node, taken, saved)
        pairs = enumerate(zip(region.results, region.params, strict=True))
        return [r if i in needed else p for i, (r, p) in pairs] + saved

    def _needed(self, node: Node, taken: set[Tensor], saved: Any) -> set[int]:
        """The places of the loop variables from which what is taken is computed."""
        cond, body = self.regions
        found: set = set()
        todo = params_behind(cond, cond.results)
        todo |= params_behind(body, [t for t in saved if t is not None])
        todo |= {i for i in range(len(body.params)) if node.outputs[i] in taken}
        while todo:
            found |= todo
            todo = params_behind(body, [body.results[i] for i in todo]) - found
        return found

    def export(self, node: Node, region: Region, t: "GraphTensor") -> "GraphTensor":
        """The stack of the values of `t`, a tensor of the body."""
        if t not in self.saved:
            self.count(node)
            self.saved.append(t)
            shape = None if t._shape is None else (None, *t._shape)
            self.add_output(node, t.dtype.base_dtype, shape)
        first = len(self.body.params) + 1
        return node.outputs[first + self.saved.index(t)]

    def count(self, node: Any) -> Any:
        """The number of iterations, as one more output."""
        if self.trips is None:
            self.trips = self.add_output(node, dtypes.int32, ())
        return self.trips

    def read(self, stack: "GraphTensor", index: "GraphTensor") -> Any:
        """The entry of a stack for one iteration."""
        return apply(StackRead, (stack, index))

    def record(self, node: Node, tapes: tuple) -> None:
        """Put the node on `tapes`: its inputs are the first values and the captures."""
        watch_variables(self.regions, tapes)
        inputs = [*node.inputs, *captured(node)]
        self.put(node, tapes, inputs, lambda wanted: WhileVjp(node, wanted))


class WhileVjp:
    """The way back through a While; see base.vjp.Vjp for the protocol.

    Loop variables that no gradient can reach take no part in it; as in TensorFlow the
    gradient of their first values, and of what only they are computed from, is zero.
    """

    none_ok = True

    def __init__(self, node: Node, wanted: list[Tensor]) -> None:
        self.node, self.wanted = node, wanted
        self.body = node.extra.body
        self.n = len(self.body.params)
        self.rows: dict = {}  # from places among `ids` to the rows of an iteration

    def back(self, kept: Any, attrs: Any, dys: list[Tensor | None]) -> list:
        """The gradients of `wanted`: first values and captured tensors."""
        graph, node = dispatch.current_mode(), self.node
        for t in (*node.outputs[: self.n], *self.wanted):
            graph.keep_shape(t)
        self._find_active(dys)
        with graph.exports():
            dvars = [self._dy(i, dys) for i in self.slopes]
            totals = [zero_gradient(t, node) for t in self.inner]
            first = [array.identity(graph.tensor(node.extra.count(node)))]
            last, *out = self._loop(graph, [*first, *dvars, *totals], dys)
            for place, parts in self.rows.items():
                whole = totals[place - len(dvars)]
                out[place] = rows_behind(last.op, parts, whole)
            ends = [node.inputs[i] for i in self.slopes] + self.inner
            grads: dict = {}
            for t, d in zip(ends, out, strict=True):
                grads[t] = joined_total(grads[t], d) if t in grads else d
            for t in self.still.difference(grads):
                grads[t] = zero_gradient(t, node)
        return [grads.get(t) for t in self.wanted]

    def _find_active(self, dys: list[Tensor | None]) -> None:
        """Which loop variables and captured tensors a gradient can reach."""
        body, saved = self.body, self.node.extra.saved
        slopes = [i for i, p in enumerate(body.params) if carries_slope(p.dtype)]
        inner = [t for t in captured(self.node) if t in self.wanted]
        self.ids = [body.params[i]._id for i in slopes] + [t._id for t in inner]
        nodes = nodes_of(self.node.graph, body)
        self.pairs = records_by_node(nodes, self.ids)
        self.records = [record for _, record in self.pairs]
        active = {i for i in slopes if dys[i] is not None}
        more = zip(saved, dys[self.n + 1 :], strict=False)
        seeds = {t._id for t, dy in more if dy is not None}
        while True:
            ends = seeds | {body.results[i]._id for i in active}
            reached = _reached(self.records, ends)
            found = active | {i for i in slopes if body.params[i]._id in reached}
            if found == active:
                break
            active = found
        self.slopes = sorted(active)
        self.inner = [t for t in inner if t._id in reached]
        in_loop = _reached(self.records, {body.results[i]._id for i in slopes})
        self.still = {t for t in inner if t._id in in_loop}
        self.still |= {self.node.inputs[i] for i in slopes} & set(self.wanted)
        self.ids = [body.params[i]._id for i in self.slopes]
        self.ids += [t._id for t in self.inner]

    def _dy(self, i: int, dys: list[Tensor | None]) -> Any:
        if dys[i] is not None:
            return dense(dys[i])
        return no_gradient(self.node.outputs[i])

    def _loop(self, graph: Any, first: list[Tensor], dys: list) -> list[Tensor]:
        body, n = self.body, len(self.slopes)

        def step(count: "GraphTensor", *values: Any) -> tuple[Tensor, ...]:
            index = count - 1
            graph.region.mirror = (body, index)
            grads: dict = {}
            for i, d in zip(self.slopes, values[:n], strict=True):
                _add(grads, body.results[i], d)
            self._stack_gradients(grads, dys, index)
            slopes = walked_back(self.pairs, grads, self.ids)
            found = [self._kept(p, slopes.get(k)) for p, k in enumerate(self.ids)]
            new = [
                no_gradient(body.params[i]) if d is None else d
                for i, d in zip(self.slopes, found[:n], strict=True)
            ]
            more = [
                so_far if d is None else joined_total(so_far, d)
                for so_far, d in zip(values[n:], found[n:], strict=True)
            ]
            return (index, *new, *more)

        shapes = [t._shape for t in first]
        shapes[1 : 1 + n] = [body.params[i]._shape for i in self.slopes]
        found = repeated(
            graph, lambda count, *_: count > 0, step, first, "while_grad", shapes
        )
        for i, slope in zip(self.slopes, found[1:]):
            slope.set_shape(self.node.inputs[i].shape)
        return found

    def _kept(self, place: int, slope: Any) -> Any:
        """A gradient to add up; rows are noted, to be joined behind the loop."""
        if place >= len(self.slopes) and isinstance(slope, IndexedSlices):
            parts = kept_rows(slope)
            if parts is not None:
                self.rows[place] = parts
                return None
        return dense(slope)

    def _stack_gradients(self, grads: dict, dys: list, index: Any) -> None:
        """Second order: what arrives for the stacks belongs to their iteration."""
        for t, dy in zip(self.node.extra.saved, dys[self.n + 1 :], strict=False):
            if dy is not None:
                _add(grads, t, apply(StackRead, (dy, index)))


def _add(grads: dict, t: Tensor, d: Any) -> None:
    """One more gradient of a tensor."""
    grads[t._id] = joined_total(grads[t._id], d) if t._id in grads else d


def _reached(records: list[tuple], ids: set[int]) -> set[int]:
    """The ids that gradients of `ids` can flow to."""
    found = set(ids)
    for _, in_ids, out, *_ in reversed(records):
        outs = (out,) if type(out) is int else out
        if not found.isdisjoint(outs):
            for i in in_ids:
                found.update((i,) if type(i) is int else i)
    return found


def repeated(
    graph: Any, cond: Callable, body: Callable, first: Any, name: str,
    shapes: list | None = None,
) -> list:  # fmt: skip
    """Build the node; returns the outputs for the loop variables."""
    shapes = shapes or [t._shape for t in first]
    r1, r2 = Region(graph.region, "cond"), Region(graph.region, "body")
    r2.entered = r1.entered
    graph.leave_ids(len(first))  # Enter
    traced(graph, r1, _condition, graph, r1, cond, first, shapes)
    graph.leave_ids(len(first) + 1)  # LoopCond, Switch
    traced(graph, r2, _body, graph, r2, body, first, shapes)
    graph.leave_ids(len(first) - 1)  # NextIteration, less the While
    _check(r2, first, shapes)
    return looped(graph, r1, r2, first, name, shapes)


def looped(
    graph: Any, r1: Region, r2: Region, first: list, name: str, shapes: list
) -> list:
    """The node of a traced condition `r1` and body `r2`; its outputs."""
    specs = [(t.dtype.base_dtype, s) for t, s in zip(first, shapes, strict=True)]
    node = graph.append_node(While, [list(first)], {}, name, specs)
    node.extra = WhileExtra(r1, r2)
    r1.owner = r2.owner = node
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    return list(node.outputs[: len(first)])


def _params(region: Region, first: list, shapes: list, name: str) -> list[Tensor]:
    for t, s in zip(first, shapes, strict=True):
        p = apply(Param, (), {"dtype": t.dtype.base_dtype, "shape": s}, name)
        region.params.append(p)
    region.firsts = list(first)
    return region.params


def _condition(
    graph: Any, region: Region, cond: Callable, first: list, shapes: list
) -> None:
    go = graph.tensor(cond(*_params(region, first, shapes, "Merge")))
    if go.dtype.base_dtype is not dtypes.bool:
        raise advised(
            TypeError,
            f"Input 'input' of 'LoopCond' Op has type {go.dtype.name} that does not "
            "match expected type of bool.",
        )
    if go._shape:
        dims = list(go._shape)
        raise advised(
            ValueError,
            f"Shape must be rank 0 but is rank {len(dims)} for '{graph.scope}LoopCond' "
            f"(op: 'LoopCond') with input shapes: {dims}.",
        )
    region.results = [go]


def _body(
    graph: Any, region: Region, body: Callable, first: list, shapes: list
) -> None:
    out = body(*_params(region, first, shapes, "Identity"))
    for v in out:
        if isinstance(v, Node):
            raise TypeError(
                f"Can't convert Operation {v.name!r} to Tensor (target dtype=None, "
                "name=None, as_ref=False)"
            )
    region.results = [
        tensor_in(graph, v, t.dtype.base_dtype) for v, t in zip(out, first, strict=True)
    ]


def _check(region: Region, first: list[Tensor], shapes: list) -> None:
    for t, s, r in zip(first, shapes, region.results, strict=True):
        if r.dtype.base_dtype is not t.dtype.base_dtype:
            raise advised(
                TypeError,
                f"The loop variable {t.name!r} starts with dtype {t.dtype.name} and "
                f"has dtype {r.dtype.name} after one iteration.",
            )
        if not fits(s, r._shape):
            raise advised(
                ValueError,
                f"Input tensor {t.name!r} enters the loop with shape {t.shape}, "
                f"but has shape {TensorShape(r._shape)} after one iteration. To allow "
                "the shape to vary across iterations, use the `shape_invariants` "
                "argument of tf.while_loop to specify a less-specific shape.",
            )


def capacity_for(trips: int) -> int:
    """The length of a stack for so many iterations: a power of two, at least 8."""
    return max(8, 1 << int(np.ceil(np.log2(max(trips, 1)))))

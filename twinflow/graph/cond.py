"""tf.cond: two regions in one graph, of which one runs.

The gradient of a Cond is a Cond on the same predicate; what its branches read from the
forward branches leaves those as further outputs (Note [Exports] in graph.regions). The
branch that was not taken gives nothing for them, and nothing there is read.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.autodiff.backprop import joined_total
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.op import define
from twinflow.base.tensor import Tensor
from twinflow.graph.gradients import records_by_node, walked_back
from twinflow.graph.node import Node, Region
from twinflow.graph.regions import (
    Recorded,
    captured,
    carries_slope,
    dense,
    nodes_of,
    traced,
    watch_variables,
    zero_gradient,
)
from twinflow.graph.rows import all_rows
from twinflow.graph.structure import filled, leaves, tensor_in
from twinflow.ops.core import array
from twinflow.ops.core.index import IndexedSlices

if TYPE_CHECKING:
    from twinflow.graph.func_graph import FuncGraph
    from twinflow.graph.gradients import Watch
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor

If = define("If(cond: bool, input: N*Tin) -> (output: N*Tout)", infer=None)


class CondExtra(Recorded):
    """What a Cond node owns: its two regions."""

    def __init__(self, then: Region, orelse: Region) -> None:
        super().__init__()
        self.regions = (then, orelse)

    def fetches(self, region: Region, node: Node, taken: set[Tensor]) -> list:
        """What a region has to give for the outputs that are `taken` (None = all): None
        where it is not taken, or only the other region gives it."""
        pairs = zip(region.results, node.outputs, strict=True)
        return [t if taken is None or o in taken else None for t, o in pairs]

    def export(self, node: Node, region: Region, t: "GraphTensor") -> "GraphTensor":
        """One more output with the value of `t`, which lies in one of the regions."""
        for place, found in enumerate(region.results):
            if found is t:
                return node.outputs[place]
        for r in self.regions:
            r.results.append(t if r is region else None)
        return self.add_output(node, t.dtype.base_dtype, t._shape)

    def record(self, node: Node, tapes: "tuple[Watch, ...]") -> None:
        """Put the node on `tapes`: its inputs are what its regions capture."""
        watch_variables(self.regions, tapes)
        self.put(node, tapes, captured(node), lambda wanted: CondVjp(node, wanted))


class CondVjp:
    """The way back through a Cond; see base.vjp.Vjp for the protocol."""

    none_ok = True

    def __init__(self, node: Node, wanted: list[Tensor]) -> None:
        self.node, self.wanted = node, wanted
        self.sparse: set[Any] = set()  # those of which a branch reads some rows only

    def back(self, kept: Any, attrs: Any, dys: list) -> list[Tensor]:
        """The gradients of the captured tensors `wanted`."""
        graph = dispatch.current_mode()
        pred = graph.tensor(self.node.inputs[0])
        for t in self.wanted:
            graph.keep_shape(t)

        def branch(region: Region) -> Callable:
            return lambda: self._branch(region, dys)

        then, orelse = map(branch, self.node.extra.regions)
        with graph.exports():
            found = branched(graph, pred, then, orelse, "cond_grad")[0]
        pairs = zip(self.wanted, found, strict=True)
        return [all_rows(d) if t in self.sparse else d for t, d in pairs]

    def _branch(self, region: Region, dys: list) -> list[Tensor]:
        ids = [t._id for t in self.wanted]
        pairs = records_by_node(nodes_of(self.node.graph, region), ids)
        grads: dict = {}
        for y, dy in zip(region.results, dys, strict=False):
            dy = dense(dy)
            if dy is not None and y is not None and carries_slope(y.dtype):
                seen = grads.get(y._id)
                grads[y._id] = dy if seen is None else joined_total(seen, dy)
        found = walked_back(pairs, grads, ids)
        slices = (t for t in self.wanted if isinstance(found.get(t._id), IndexedSlices))
        self.sparse.update(slices)
        return [
            zero_gradient(t, self.node) if d is None else d
            for t, d in ((t, dense(found.get(t._id))) for t in self.wanted)
        ]


def cond(
    pred: Any, true_fn: Any = None, false_fn: Any = None, strict: bool = False,
    name: str | None = None, fn1: Any = None, fn2: Any = None,
) -> Any:  # fmt: skip
    """`true_fn()` if `pred`, else `false_fn()`.

    Args:
        pred: a bool scalar.
        true_fn, false_fn: functions of no arguments that return the same structure with
            the same dtypes. In a graph both are traced, and one runs.
        strict: in a graph, keep a list of one tensor as a list.
        name: the name scope. fn1, fn2: older names of the functions.
    Returns:
        What the function returns (a list of one tensor as the tensor).
    Raises:
        TypeError, ValueError: the branches do not return the same kind of thing.
    Example:
        x, y = tf.constant(1), tf.constant(2)
        tf.cond(x < y, lambda: x, lambda: y)  # 1
    """
    true_fn = _function("true_fn", true_fn, "fn1", fn1)
    false_fn = _function("false_fn", false_fn, "fn2", fn2)
    mode = dispatch.current_mode()
    if mode.eager:
        with mode.name_scope("cond" if name is None else name):
            return _unpacked((true_fn if pred else false_fn)())
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool")
    with mode.name_scope("cond" if name is None else name):
        pred = predicate(mode, pred)
        found, template = branched(mode, pred, true_fn, false_fn, "cond", strict)
        if not found:
            raise ValueError("true_fn and false_fn must return at least one result.")
        found = [array.identity(t, name="Merge") for t in found]
    return filled(template, found)


def _function(name: str, function: Any, old_name: str, old: Any) -> Callable:
    if old is not None:
        if function is not None:
            raise TypeError(
                f"cond(): {name} and {old_name} may not be set simultaneously."
            )
        function = old
    if function is None:
        raise TypeError(f"cond(): {name} argument required")
    if not callable(function):
        raise advised(TypeError, f"{name} must be callable.")
    return function


def predicate(graph: "FuncGraph | Graph", pred: Any) -> "GraphTensor":
    """`pred` as a bool scalar of `graph`."""
    pred = graph.tensor(pred)
    if pred.dtype.base_dtype is not dtypes.bool:
        raise advised(
            TypeError,
            f"Input 'pred' of 'Switch' Op has type {pred.dtype.name} that does not "
            "match expected type of bool.",
        )
    if pred._shape:
        s = list(pred._shape)
        raise advised(
            ValueError,
            f"Shape must be rank 0 but is rank {len(s)} for '{graph.scope}Switch' "
            f"(op: 'Switch') with input shapes: {s}, {s}.",
        )
    return pred


def _unpacked(value: Any) -> Any:
    single = isinstance(value, list | tuple) and len(value) == 1
    return value[0] if single and type(value) in (list, tuple) else value


def branched(
    graph: Any, pred: "GraphTensor", true_fn: Callable, false_fn: Callable, name: str,
    strict: bool = True,
) -> tuple:  # fmt: skip
    """Build the node.

    Returns:
        (its outputs, flat; the structure that the branches return)
    """
    then, orelse = Region(graph.region, "then"), Region(graph.region, "else")
    graph.leave_ids(4)  # Switch, its two sides, the predicate
    r1 = traced(graph, then, _results, graph, then, "true_fn", true_fn, strict)
    r2 = traced(graph, orelse, _results, graph, orelse, "false_fn", false_fn, strict)
    _same(r1, r2, then, orelse)
    return joined(graph, pred, then, orelse, name), r1


def joined(
    graph: Any, pred: "GraphTensor", then: Region, orelse: Region, name: str
) -> list:
    """The node of two traced branches, whose results are alike; its outputs."""
    for region in (then, orelse):
        graph.enter(region, region.results)
    graph.leave_ids(-1)  # the If
    specs = [merged(a, b) for a, b in zip(then.results, orelse.results, strict=True)]
    node = graph.append_node(If, [pred, []], {}, name, specs)
    node.extra = CondExtra(then, orelse)
    then.owner = orelse.owner = node
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    return list(node.outputs)


def _results(
    graph: Any, region: Region, name: str, function: Callable, strict: bool
) -> Any:
    result = function()
    if result is None:
        raise advised(ValueError, f"{name} must have a return value.")
    result = result if strict else _unpacked(result)
    region.results = [_result(graph, r) for r in leaves(result)]
    return result


def _result(graph: "FuncGraph | Graph", value: Any) -> Tensor:
    if isinstance(value, Node):
        with graph.control_dependencies([value]):
            return array.identity(array.constant(True))
    return tensor_in(graph, value)


def _same(r1: Node | Tensor | list, r2: Any, then: Region, orelse: Region) -> None:
    try:
        nest.assert_same_structure(r1, r2)
    except ValueError as error:
        raise advised(
            ValueError, f"Incompatible return values of true_fn and false_fn: {error}"
        ) from None
    except TypeError as error:
        raise TypeError(
            f"Incompatible return types of true_fn and false_fn: {error}"
        ) from None
    for a, b in zip(then.results, orelse.results, strict=True):
        if a.dtype.base_dtype is not b.dtype.base_dtype:
            raise advised(
                ValueError,
                f"Outputs of true_fn and false_fn must have the same type: "
                f"{a.dtype.name}, {b.dtype.name}",
            )


def merged(a: "GraphTensor", b: "GraphTensor") -> tuple:
    """The dtype and shape of an output that is `a` or `b`."""
    s, t = a._shape, b._shape
    if s is None or t is None or len(s) != len(t):
        return a.dtype.base_dtype, None
    pairs = zip(s, t, strict=True)
    return a.dtype.base_dtype, tuple(p if p == q else None for p, q in pairs)

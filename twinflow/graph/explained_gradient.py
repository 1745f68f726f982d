"""Why a gradient in a graph is None, zero or not finite."""

from collections.abc import Callable, Iterator
from typing import Any

from twinflow.autodiff.reasons.paths import Explanation, Passage, Paths, cut_of, opened
from twinflow.autodiff.reasons.why import flat, of_values
from twinflow.base import dispatch
from twinflow.base.tape_record import record
from twinflow.base.tensor import ResourceHandle
from twinflow.graph.gradients import Watch, ancestors
from twinflow.graph.program import regions

_HANDLES = ("VarHandleOp", "Variable", "VariableV2")


def explained(
    target: Any,
    source: Any,
    values: Callable[[list], dict] | None = None,
    now: Any = None,
) -> Explanation:
    """Why the gradient of `target` with respect to `source` is what it is.

    Args:
        target: a tensor of a graph. source: a tensor or variable of it.
        values: from nodes to {Node: (inputs, outputs)} as eager tensors, or None where
            nothing runs.
        now: the eager mode, in which these are computed with.
    """
    start, dtype = start_of(source), source.dtype.base_dtype
    if not (dtype.is_floating or dtype.is_complex):
        return Explanation(
            "dtype", f"the source is of {dtype.name}, and only floats have gradients."
        )
    nodes = list(_all_nodes(target))
    passages = [p for n in nodes for p in _passages(n)]
    paths = Paths(passages, start, target._id)
    cut = cut_of(paths)
    if cut is not None:
        return cut
    if target._id not in paths.reached:
        return _apart(source, target, paths)
    if values is None:
        return Explanation(
            "connected", "gradients go from the target to the source. Give a session "
            "(or `with session.as_default()`) and feeds to see the values.",
            path=paths.path(),
        )  # fmt: skip
    return _of_values(nodes, paths, values, now)


def with_gradient(targets: list) -> set:
    """The ids of all tensors and variables to which gradients of `targets` go."""
    before: dict = {}
    for node in {n: None for t in targets for n in _all_nodes(t)}:
        for p in _passages(node):
            for o in p.outs:
                before.setdefault(o, []).append(p)
    found = {t._id for t in targets}
    stack = list(found)
    while stack:
        for p in before.get(stack.pop(), ()):
            more = p.open.difference(found)
            found |= more
            stack += more
    return found


def start_of(source: Any) -> int:
    if hasattr(source, "_ref"):
        return source._ref()._id
    return source.handle_id() if isinstance(source, ResourceHandle) else source._id


def _all_nodes(target: Any) -> Iterator[Any]:
    """What the target is computed by, the nodes inside of loops and calls included."""
    for node in ancestors([target]):
        yield from _inside(node, set())


def _inside(node: Any, seen: set) -> Iterator[Any]:
    owned = regions(node)
    for r in owned:
        for n in node.graph.nodes[r.first : r.last]:
            if n.region is r:
                yield from _inside(n, seen)
    called = node.attrs.get("f")
    if hasattr(called, "nodes") and called not in seen:
        seen.add(called)
        for n in called.nodes:
            if n.region is None:
                yield from _inside(n, seen)
    yield node


def _passages(node: Any) -> Iterator[Passage]:
    frame = node.frames[0] if node.frames else None
    if node.type == "While":
        yield from _loop(node)
    elif node.type == "If":
        for r in regions(node):
            yield from _handed(r.results, node.outputs)
        ins, outs = _ids(node.inputs[:1]), _ids(node.outputs)
        yield Passage("If", ins, outs, [], frame)
    elif hasattr(node.attrs.get("f"), "all_inputs"):
        f = node.attrs["f"]
        yield from _handed(node.inputs, f.all_inputs)
        yield from _handed(node.attrs["outputs"], node.outputs)
    elif node.type not in _HANDLES and node.inputs:
        slopes = _slopes(node)
        dtype = node.outputs[0].dtype if node.outputs else None
        found = Passage(
            node.type, _ids(node.inputs), _ids(node.outputs), slopes, frame, dtype
        )
        yield found


def _slopes(node: Any) -> list:
    """The ids of inputs that gradients go to, asked of the node itself."""
    if node.extra is None:
        return _ids(opened(node.opdef, node.args(), node.outputs))
    watch = Watch(_ids(node.inputs))
    node.extra.record(node, (watch,))
    return [i for r in watch.records for i in r[1]]


def _ids(tensors: Any) -> list:
    return [t._id for t in tensors]


def _handed(before: Any, after: Any) -> Iterator[Passage]:
    """Tensors that are others by another name."""
    for a, b in zip(before, after, strict=False):
        if a is not None and b is not None and a._id != b._id:
            yield Passage("", [a._id], [b._id], [a._id])


def _loop(node: Any) -> Iterator[Passage]:
    cond, body = regions(node)
    n = len(body.params)
    for r in (cond, body):
        yield from _handed(node.inputs, r.params)
    yield from _handed(body.results, body.params)
    yield from _handed(body.results, cond.params)
    yield from _handed(body.results[:n], node.outputs[:n])
    for t in cond.results:
        frame = node.frames[0] if node.frames else None
        yield Passage("While", [t._id], _ids(node.outputs[:n]), [], frame)


def _apart(source: Any, target: Any, paths: Paths) -> Explanation:
    made = [p for o in paths.needed for p in paths.before[o] if p.type]
    unique = list({id(p): p for p in made}.values())
    own = _assigned(source, target, paths)
    if own is not None:
        return own
    return Explanation(
        "not connected", "the target is not computed from the source.", path=unique[:12]
    )


def _assigned(source: Any, target: Any, paths: Paths) -> Explanation | None:
    """Whether the source was assigned to a variable that the target reads."""
    for node in target.graph.nodes:
        if "Assign" not in node.type or len(node.inputs) < 2:
            continue
        variable, value = node.inputs[:2]
        if variable._id not in paths.needed:
            continue
        start = start_of(source)
        behind = {i._id for n in ancestors([value]) for i in n.inputs} | {value._id}
        if start in behind:
            frame = node.frames[0] if node.frames else None
            cut = Passage(node.type, [value._id], [variable._id], [], frame)
            return Explanation(
                "assign", "the value was assigned to a variable, and the variable is "
                "read: gradients do not go through an assignment.", cut.line, [cut],
                cut=cut,
            )  # fmt: skip
    return None


def _of_values(nodes: list, paths: Paths, values: Callable, now: Any) -> Explanation:
    """Replay the ops on the paths with the values of a run."""
    between = paths.between()
    asked = [n for n in nodes if not between.isdisjoint(_ids(n.outputs))]
    found = values(nodes)
    for n in asked:
        side = _side_not_taken(n, found, paths)
        if side is not None:
            return side
    inner = any(regions(n) or hasattr(n.attrs.get("f"), "nodes") for n in asked)
    if inner:
        return Explanation(
            "connected", "gradients go from the target to the source, through a loop, "
            "a branch or a function, whose values are not looked at here. Use "
            "tf.check_numerics_everywhere() for values that are not finite.",
            path=paths.path(),
        )  # fmt: skip
    with dispatch.entered(now):
        return _replayed(asked, paths, found)


def _side_not_taken(node: Any, found: dict, paths: Paths) -> Explanation | None:
    if node.type != "If" or node not in found:
        return None
    then, orelse = regions(node)
    taken = then if bool(found[node][0][0]._a) else orelse
    reach = [
        r for r in (then, orelse)
        if any(t is not None and t._id in paths.open for t in r.results)
    ]  # fmt: skip
    if not reach or taken in reach:
        return None
    frame = node.frames[0] if node.frames else None
    cut = Passage("If", _ids(node.inputs), _ids(node.outputs), [], frame)
    side = "true" if taken is then else "false"
    return Explanation(
        "branch not taken", f"the predicate of tf.cond was {side}, and the other "
        "branch uses the source.", cut.line, [*paths.path(), cut], cut=cut,
    )  # fmt: skip


def _are_tensors(node: Any, ins: list, outs: list) -> bool:
    """Whether a tape could record the values: tensor arrays and the like are none."""
    pairs = zip(ins, node.opdef.rules, strict=False)
    used = [a for a, rule in pairs if rule is not None]
    return all(hasattr(t, "_id") for t in (*flat(used), *outs))


def _replayed(asked: list, paths: Paths, found: dict) -> Explanation:
    watch, passages = Watch([paths.source]), []
    target: Any = None
    names: dict = {}  # from names of a variable to the variable
    for n in asked:
        if n not in found:
            if n.type in ("Identity", "ReadVariableOp"):
                first = n.inputs[0]._id
                names[n.outputs[0]._id] = names.get(first, first)
            continue
        ins, outs = found[n]
        if not _are_tensors(n, ins, outs):
            target = None
            break
        for t in flat(ins):
            if getattr(t, "_id", None) in names:
                t._id = names[t._id]
        before = len(watch.records)
        if n.extra is None:
            record(n.opdef, (watch,), ins, outs, n.attrs)
        for t in outs:
            target = t if t._id == paths.target else target
        for r in watch.records[before:]:
            (p,) = _passages(n)
            p.record, p.inputs = r, ins
            passages.append(p)
    if target is None or not passages:
        return Explanation(
            "connected", "gradients go from the target to the source; the run told no "
            "values of the ops between.", path=paths.path(),
        )  # fmt: skip
    return of_values(passages, paths, target, paths.source, "the source")

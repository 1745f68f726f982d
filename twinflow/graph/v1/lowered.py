"""If and While of functions as Switches, Merges and so on, as TensorFlow lowers them.

Here `body` is what makes the nodes of a call: (NameAttrList, scope, arguments, control
inputs of what takes nothing) -> Body.
"""

from typing import Any

from twinflow.base import dtypes
from twinflow.formats import protos

_BOOL = dtypes.bool.as_datatype_enum


class Body:
    """The nodes of one call.

    Attributes:
        nodes: its NodeDefs. results: what the inputs that take its outputs say.
        effects: the control inputs of what comes after what it does.
    """

    def __init__(self, nodes: Any, results: Any, effects: Any) -> None:
        self.nodes, self.results, self.effects = nodes, results, effects


def inputs_of(node: Any) -> tuple:
    """The inputs and the control inputs of a NodeDef."""
    inputs = [i for i in node.input if not i.startswith("^")]
    return inputs, [i for i in node.input if i.startswith("^")]


def whole(node: Any, results: Any, waits: Any, types: Any) -> Any:
    """The node of a call, once its results are there."""
    if not results:
        return _node(node.name, "NoOp", waits)
    proto = _node(node.name, "IdentityN", [*results, *waits])
    proto.attr["T"].list.type.extend(types)
    return proto


def _node(name: str, op: Any, inputs: Any, **types: Any) -> Any:
    proto = protos.NodeDef(name=name, op=op, input=inputs)
    for key, value in types.items():
        proto.attr[key].type = value
    return proto


def _merge(name: str, inputs: Any, kind: Any) -> Any:
    proto = _node(name, "Merge", inputs, T=kind)
    proto.attr["N"].i = len(inputs)
    return proto


def _as_bool(name: str, source: Any, kind: Any) -> Any:
    """A predicate as a bool."""
    if kind == _BOOL:
        return _node(name, "Identity", [source], T=_BOOL)
    return _node(name, "Cast", [source], SrcT=kind, DstT=_BOOL)


# ------------------------------------------------------------------------- branches
def branch(node: Any, body: Any) -> list:
    """The NodeDefs of an If."""
    (pred, *args), waits = inputs_of(node)
    name = node.name
    made = [
        _as_bool(f"{name}/pred", pred, node.attr["Tcond"].type),
        _node(f"{name}/pivot", "Switch", [f"{name}/pred"] * 2 + waits, T=_BOOL),
        _node(f"{name}/pred_id", "Identity", [f"{name}/pred", *waits], T=_BOOL),
    ]
    kinds = node.attr["Tin"].list.type
    for i, (arg, kind) in enumerate(zip(args, kinds, strict=True)):
        ins = [arg, f"{name}/pred_id"]
        made.append(_node(f"{name}/Switch_{i}", "Switch", ins, T=kind))
    sides = [_side(node, side, len(args), made, body) for side in (0, 1)]
    kinds = list(node.attr["Tout"].list.type)
    pairs = zip(zip(*sides, strict=True), [*kinds, _BOOL], strict=True)
    merges = [_merge(f"{name}/Merge_{i}", p, k) for i, (p, k) in enumerate(pairs)]
    names = [m.name for m in merges[:-1]]
    end = whole(node, names, [f"^{merges[-1].name}", *waits], kinds)
    return [*made, *merges, end]


def _side(node: Any, side: Any, count: int, made: Any, body: Any) -> Any:
    """One branch: what it gives, and a mark that it is done; both after its effects."""
    scope = f"{node.name}/{('else', 'then')[side]}"
    func = node.attr[("else_branch", "then_branch")[side]].func
    pivot = _node(f"{scope}/pivot", "Identity", [f"{node.name}/pivot:{side}"], T=_BOOL)
    args = [f"{node.name}/Switch_{i}:{side}" for i in range(count)]
    found = body(func, scope, args, [f"^{pivot.name}"])
    made += [pivot, *found.nodes]
    if not found.effects:
        return [*found.results, pivot.name]
    results = zip(found.results, node.attr["Tout"].list.type, strict=True)
    out = []
    for i, (text, kind) in enumerate([*results, (pivot.name, _BOOL)]):
        ins = [text, *found.effects]
        made.append(_node(f"{scope}/result_{i}", "Identity", ins, T=kind))
        out.append(made[-1].name)
    return out


# ------------------------------------------------------------------------- loops
def loop(node: Any, body: Any, fixed: Any, go_kind: Any) -> list:
    """The NodeDefs of a While.

    Args:
        fixed: the places of the variables that its body gives back as they are.
        go_kind: the type of what its condition gives.
    """
    args, waits = inputs_of(node)
    name, kinds = node.name, node.attr["T"].list.type
    made = [_enter(node, i, a, waits, i in fixed) for i, a in enumerate(args)]
    before, inside, ends = [], [], []
    for i, arg in enumerate(args):
        enter = f"{name}/Enter_{i}"
        before.append(enter if i in fixed else f"{name}/Merge_{i}")
        inside.append(enter if i in fixed else f"{name}/Switch_{i}:1")
        ends.append(arg if i in fixed else f"{name}/Exit_{i}")
    moving = [i for i in range(len(args)) if i not in fixed]
    first = moving[0] if moving else 0
    test = body(node.attr["cond"].func, f"{name}/cond", before, [f"^{before[first]}"])
    made += [*test.nodes, _as_bool(f"{name}/go", test.results[0], go_kind)]
    made.append(_node(f"{name}/LoopCond", "LoopCond", [f"{name}/go"]))
    pivot = _node(f"{name}/body/pivot", "Identity", [inside[first]], T=kinds[first])
    found = body(node.attr["body"].func, f"{name}/body", inside, [f"^{pivot.name}"])
    made += [pivot, *found.nodes]
    for i in moving:
        made += _variable(name, i, kinds[i], [found.results[i], *found.effects])
    return [*made, whole(node, ends, waits, kinds)]


def _enter(node: Any, i: Any, arg: Any, waits: Any, fixed: Any) -> Any:
    kind = node.attr["T"].list.type[i]
    proto = _node(f"{node.name}/Enter_{i}", "Enter", [arg, *waits], T=kind)
    proto.attr["frame_name"].s = f"{node.name}/frame".encode()
    proto.attr["is_constant"].b = fixed
    return proto


def _variable(name: str, i: Any, kind: Any, following: Any) -> list:
    ins = [f"{name}/Enter_{i}", f"{name}/NextIteration_{i}"]
    asked = [f"{name}/Merge_{i}", f"{name}/LoopCond"]
    return [
        _merge(f"{name}/Merge_{i}", ins, kind),
        _node(f"{name}/Switch_{i}", "Switch", asked, T=kind),
        _node(f"{name}/Exit_{i}", "Exit", [f"{name}/Switch_{i}"], T=kind),
        _node(f"{name}/NextIteration_{i}", "NextIteration", following, T=kind),
    ]

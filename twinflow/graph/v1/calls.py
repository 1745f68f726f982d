"""For and BatchFunction of functions, in terms of loops and of Batch and Unbatch.

As in graph.v1.lowered, `body` makes the nodes of a call.
"""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.formats import protos
from twinflow.graph.v1 import lowered

_INT, _BOOL = (t.as_datatype_enum for t in (dtypes.int32, dtypes.bool))
_SHARED = (
    "num_batch_threads", "max_batch_size", "batch_timeout_micros", "container",
    "max_enqueued_batches", "allowed_batch_sizes", "shared_name", "batching_queue",
)  # fmt: skip
_MICROS = 3_600_000_000  # that a call waits for its part


def _node(name: str, op: str, inputs: Any, **types: int) -> Any:
    proto = protos.NodeDef(name=name, op=op, input=inputs)
    for key, kind in types.items():
        proto.attr[key].type = kind
    return proto


# ------------------------------------------------------------------------- For
def numbered_loop(node: Any, body: Callable) -> list:
    """The NodeDefs of a For: a While of the number, limit, step and the rest."""
    (start, limit, delta, *args), waits = lowered.inputs_of(node)
    kinds = list(node.attr["T"].list.type)
    loop = _node(f"{node.name}/loop", "While", [start, limit, delta, *args, *waits])
    loop.attr["T"].list.type.extend([_INT] * 3 + kinds)
    loop.attr["cond"].func.name, called = "", node.attr["body"].func
    loop.attr["body"].func.CopyFrom(called)

    def part(func: Any, scope: str, inputs: list, after: list) -> Any:
        if not func.name:
            return _test(scope, inputs, after)
        found = body(func, scope, [inputs[0], *inputs[3:]], after)
        step = _node(f"{scope}/step", "Add", [inputs[0], inputs[2]], T=_INT)
        results = [step.name, *inputs[1:3], *found.results]
        return lowered.Body([*found.nodes, step], results, found.effects)

    made = lowered.loop(loop, part, {1, 2}, _BOOL)
    results = [f"{loop.name}:{i + 3}" for i in range(len(args))]
    return [*made, lowered.whole(node, results, [], kinds)]


def _test(scope: str, inputs: list, after: list) -> Any:
    """Whether a number has not reached its limit, up or down."""
    number, limit, delta = inputs[:3]
    zero = _node(f"{scope}/zero", "Sub", [delta, delta, *after], T=_INT)
    pairs = {
        "up": ("Greater", delta, zero.name), "below": ("Less", number, limit),
        "down": ("Less", delta, zero.name), "above": ("Greater", number, limit),
    }  # fmt: skip
    nodes = [
        _node(f"{scope}/{k}", op, [a, b], T=_INT) for k, (op, a, b) in pairs.items()
    ]
    for name, sides in (("rise", ("up", "below")), ("fall", ("down", "above"))):
        ins = [f"{scope}/{side}" for side in sides]
        nodes.append(_node(f"{scope}/{name}", "LogicalAnd", ins))
    last = _node(f"{scope}/go", "LogicalOr", [f"{scope}/rise", f"{scope}/fall"])
    return lowered.Body([zero, *nodes, last], [last.name], [])


# ------------------------------------------------------------------------- batches
def batched(node: Any, body: Callable) -> list:
    """The NodeDefs of a BatchFunction."""
    args, waits = lowered.inputs_of(node)
    kinds, outs = (list(node.attr[k].list.type) for k in ("Tin", "Tout"))
    count = len(kinds)
    batch = _node(f"{node.name}/batch", "Batch", [*args[:count], *waits])
    for key in _SHARED:
        if key in node.attr:
            batch.attr[key].CopyFrom(node.attr[key])
    batch.attr["T"].list.type.extend(kinds)
    batch.attr["grad_timeout_micros"].i = _MICROS
    rows = [f"{batch.name}:{i}" for i in range(count)]
    found = body(node.attr["f"].func, node.name, [*rows, *args[count:]], waits)
    made = [batch, *found.nodes]
    for i, (text, kind) in enumerate(zip(found.results, outs, strict=True)):
        ins = [text, f"{batch.name}:{count}", f"{batch.name}:{count + 1}"]
        part = _node(f"{node.name}/part_{i}", "Unbatch", ins, T=kind)
        part.attr["timeout_micros"].i = _MICROS
        made.append(part)
    parts = [n.name for n in made[-len(outs) :]]
    return [*made, lowered.whole(node, parts, [*waits, *found.effects], outs)]

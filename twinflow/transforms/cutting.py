"""Transforms that leave nodes out: unused ones, doubles, what can be computed now."""

from typing import Any

from twinflow.base import dtypes, errors, logging
from twinflow.base.errors import invalid
from twinflow.base.op_defs import find
from twinflow.base.op_lookup import known_op
from twinflow.base.shapes import TensorShape
from twinflow.execute.session import Session
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_proto
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.transforms.parsing import Options
from twinflow.transforms.weights import const
from twinflow.transforms.wiring import (
    by_name,
    name_of,
    needed,
    redirected,
    users,
    with_nodes,
)

_OLDER = {"float": "float32", "double": "float64", "half": "float16"}


def _type(text: str) -> int:
    try:
        return dtypes.as_dtype(_OLDER.get(text, text)).as_datatype_enum
    except TypeError:
        raise invalid(f"Couldn't understand type argument '{text}'") from None


def _shape(text: str) -> TensorShape:
    try:
        sizes = [int(size) for size in text.split(",")] if text else []
    except ValueError:
        raise invalid(f"Couldn't understand shape argument '{text}'") from None
    return TensorShape([None if size < 0 else size for size in sizes])


def strip_unused_nodes(
    graph_def: Any, inputs: Any, outputs: Any, options: Options
) -> Any:
    """Keep what lies between the inputs, which become placeholders, and the outputs."""
    inputs = [name_of(i) for i in inputs]
    kept = needed(graph_def, outputs, inputs)
    shapes = dict.fromkeys(inputs, options.one("shape"))
    types = dict.fromkeys(inputs, options.one("type"))
    for found, key in ((shapes, "shape_for_name"), (types, "type_for_name")):
        if values := options.all(key):
            found.update(zip(options.all("name"), values, strict=True))
    nodes = []
    for node in graph_def.node:
        if node.name not in kept:
            continue
        if node.name in inputs:
            node = _placeholder(node, types[node.name], shapes[node.name])
        nodes.append(node)
    return with_nodes(graph_def, nodes)


def _placeholder(node: Any, kind: str, shape: str) -> Any:
    made = protos.NodeDef()
    if node.op == "Placeholder":
        made.CopyFrom(node)
    else:
        made.name, made.op, made.device = node.name, "Placeholder", node.device
        made.attr["dtype"].type = _type("float")
        made.attr["shape"].shape.CopyFrom(shape_proto(TensorShape([])))
    if kind:
        made.attr["dtype"].type = _type(kind)
    if shape:
        made.attr["shape"].shape.CopyFrom(shape_proto(_shape(shape)))
    return made


def remove_nodes(graph_def: Any, inputs: Any, outputs: Any, options: Options) -> Any:
    """Let the first input take the place of nodes of the types `op`."""
    kinds, most = set(options.all("op")), options.number("max_inputs", 1)
    ends, places = {name_of(x) for x in (*inputs, *outputs)}, {}
    for node in graph_def.node:
        data = [text for text in node.input if text[0] != "^"]
        if node.op not in kinds or not 0 < len(data) <= most:
            continue
        if node.name in ends:
            logging.info("Skipping replacement for %s", node.name)
        else:
            places[node.name] = data[0]
    nodes = [n for n in graph_def.node if n.name not in places]
    return with_nodes(graph_def, redirected(nodes, places))


def merge_duplicate_nodes(
    graph_def: Any, inputs: Any, outputs: Any, options: Options
) -> Any:
    """Let one node stand for all that do the same with the same."""
    ends = {name_of(x) for x in (*inputs, *outputs)}
    ordered = sort_by_execution_order(graph_def, inputs, outputs, options)
    known: dict = {}
    places: dict[str, str] = {}
    nodes = []
    for node in ordered.node:
        (made,) = redirected([node], places)
        key = _key(made)
        first = known.setdefault(key, made.name) if key else made.name
        if first != made.name and made.name not in ends:
            for place in range(_count(made)):
                end = f":{place}" * bool(place)
                places[made.name + end] = first + end
        else:
            nodes.append(made)
    return with_nodes(graph_def, nodes)


def _key(node: Any) -> bytes | None:
    """What nodes that do the same have in common; None if each does its own."""
    op = known_op(node.op)
    if op is None or op.stateful or node.op == "Placeholder":
        return None
    made = protos.NodeDef()
    made.CopyFrom(node)
    made.name = ""
    return made.SerializeToString(deterministic=True)


def _count(node: Any) -> int:
    """How many tensors a node gives."""
    found, count = find(node.op), 0
    for arg in found.outputs if found else ():
        if arg.number_attr:
            count += node.attr[arg.number_attr].i
        else:
            kinds = node.attr[arg.list_attr].list.type if arg.list_attr else [0]
            count += len(kinds)
    return max(count, 1)


def sort_by_execution_order(
    graph_def: Any, inputs: Any, outputs: Any, options: Options
) -> Any:
    """Put each node after what it takes; those of loops come at the end as they are."""
    nodes, taken = by_name(graph_def), users(graph_def)
    waits = {
        n.name: len(set(map(name_of, n.input)) & nodes.keys()) for n in nodes.values()
    }
    ready, found = [n for n in graph_def.node if not waits[n.name]], []
    while ready:
        node = ready.pop(0)
        found.append(node)
        for user in taken[node.name]:
            waits[user.name] -= 1
            if not waits[user.name]:
                ready.append(user)
    done = {n.name for n in found}
    return with_nodes(
        graph_def, [*found, *(n for n in graph_def.node if n.name not in done)]
    )


# ---------------------------------------------------------------------- folding
def fold_constants(graph_def: Any, inputs: Any, outputs: Any, options: Options) -> Any:
    """Compute what depends on constants alone, and leave out what nothing needs."""
    careful = options.flag("ignore_errors") or options.flag("ignore_error")
    kept = needed(graph_def, outputs)
    kept |= {name_of(i) for i in inputs}
    cut = with_nodes(graph_def, (n for n in graph_def.node if n.name in kept))
    if options.flag("clear_output_shapes", True):
        for node in cut.node:
            node.attr.pop("_output_shapes", None)
    fixed, taken = _fixed(cut, inputs), users(cut)
    ends = [
        n for n in cut.node
        if n.name in fixed and n.op != "Const"
        and (n.name in outputs or any(u.name not in fixed for u in taken[n.name]))
    ]  # fmt: skip
    try:
        values = _values(cut, ends, fixed)
    except errors.OpError as error:
        if not careful:
            raise
        logging.warning("Constants are not folded: %s", error)
        return cut
    return _with_values(cut, ends, values, outputs)


def _fixed(graph_def: Any, inputs: Any) -> set[str]:
    """The names of the nodes that give the same in every run."""
    found: set = set()
    ends = {name_of(i) for i in inputs}
    for node in sort_by_execution_order(graph_def, (), (), Options({})).node:
        op = known_op(node.op)
        plain = op is not None and not op.stateful and op.type != "Placeholder"
        data = [text for text in node.input if text[0] != "^"]
        stays = node.name in ends or len(data) < len(node.input)
        known = all(name_of(text) in found for text in data)
        if plain and not stays and known and (data or node.op == "Const"):
            found.add(node.name)
    return found


def _values(graph_def: Any, ends: list, fixed: set) -> list:
    """The arrays that some nodes give."""
    part = with_nodes(graph_def, (n for n in graph_def.node if n.name in fixed))
    with Graph().as_default() as graph:
        import_graph_def(part, name="")
        with Session(graph=graph) as session:
            nodes = [graph.get_operation_by_name(n.name) for n in ends]
            return session.run([list(n.outputs) for n in nodes])


def _with_values(graph_def: Any, ends: list, values: list, outputs: Any) -> Any:
    """The GraphDef with constants in the place of some nodes."""
    made: dict = {}
    places: dict[str, str] = {}
    for node, arrays in zip(ends, values, strict=True):
        names = [node.name, *(f"{node.name}/_{i}" for i in range(1, len(arrays)))]
        kinds = [dtypes.as_dtype(a.dtype).as_datatype_enum for a in arrays]
        made[node.name] = [
            const(name, array, kind, node.device)
            for name, array, kind in zip(names, arrays, kinds, strict=True)
        ]
        for i, name in enumerate(names[1:], 1):
            places[f"{node.name}:{i}"] = name
    nodes: list = []
    for node in redirected(graph_def.node, places):
        nodes += made.get(node.name, [node])
    found = with_nodes(graph_def, nodes)
    kept = needed(found, outputs) | {
        n.name for n in found.node if n.op.startswith("Placeholder")
    }
    return with_nodes(found, (n for n in found.node if n.name in kept))


_ALL = (
    strip_unused_nodes,
    remove_nodes,
    merge_duplicate_nodes,
    sort_by_execution_order,
    fold_constants,
)
TABLE = {function.__name__: function for function in _ALL}

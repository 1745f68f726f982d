"""GraphDefs in which parts become single nodes."""

from typing import Any

from twinflow.formats import protos

_INDICES = "_tflite_input_indices"
_PACKED, _UNPACKED = "OpHintStack", "OpHintUnstack"


def _base(text: str) -> str:
    """The name of the node that an input names."""
    return text.removeprefix("^").partition(":")[0]


def _output(name: str, index: int) -> str:
    return f"{name}:{index}" if index else name


def _behind(nodes: dict, ends: list, stops: set) -> set:
    """The names of the nodes that `ends` need, not beyond `stops`."""
    found: set = set()
    todo = list(ends)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            if name not in stops:
                todo += map(_base, nodes[name].input)
    return found


def without_part(graph_def: Any, part: Any) -> Any:
    """A GraphDef with one node in place of a part; see hints.Part.

    Raises:
        TypeError: the part uses something from outside that is no argument.
    """
    nodes = {node.name: node for node in graph_def.node}
    ins = [n for i in sorted(part.inputs) for n in part.inputs[i].chosen()]
    outs = [n for i in sorted(part.outputs) for n in part.outputs[i].chosen()]
    stops = {n.name for n in ins}
    before = _behind(nodes, [n.name for n in ins], set())
    inner = _behind(nodes, [n.name for n in outs], stops) - stops
    for name in sorted(inner & before):
        raise TypeError(f"Node {outs[0].name} uses input {name} not in input_nodes.")
    made = protos.GraphDef()
    made.node.extend(n for n in graph_def.node if n.name in before)
    _add_stub(made, part)
    for node in graph_def.node:
        uses = {_base(i) for i in node.input}
        gone = node.name in inner or node.name in before
        if not gone and not uses & (inner - {n.name for n in outs}):
            made.node.append(node)
    made.library.CopyFrom(graph_def.library)
    made.versions.CopyFrom(graph_def.versions)
    return made


def _add_stub(made: Any, part: Any) -> None:
    stub = protos.NodeDef(name=part.name, op=part.kind)
    for index in sorted(part.inputs):
        stub.input.append(_joined(made, part.inputs[index].chosen()))
    stub.attr[_INDICES].list.i.extend(sorted(part.inputs))
    for key, value in part.attrs.items():
        stub.attr[key].CopyFrom(value)
    types = [part.outputs[i].chosen()[0].attr["T"].type for i in sorted(part.outputs)]
    stub.attr["_output_types"].list.type.extend(types)
    stub.attr["_output_quantized"].b = False
    made.node.append(stub)
    for place, index in enumerate(sorted(part.outputs)):
        _spread(made, part.outputs[index].chosen(), _output(part.name, place))


def _joined(made: Any, nodes: list) -> str:
    """The name of an argument, for which several become a stack."""
    if len(nodes) == 1:
        return nodes[0].name
    name = f"{_PACKED}-{nodes[0].name}"
    node = made.node.add(name=name, op="Pack", input=[n.name for n in nodes])
    node.attr["N"].i = len(nodes)
    node.attr["T"].type = nodes[0].attr["T"].type
    return name


def _spread(made: Any, nodes: list, source: str) -> None:
    """The nodes that take an output, each its part of a stack if they are several."""
    sources = [source]
    if len(nodes) > 1:
        name = f"{_UNPACKED}-{nodes[0].name}"
        stack = made.node.add(name=name, op="Unpack", input=[source])
        stack.attr["num"].i = len(nodes)
        stack.attr["T"].type = nodes[0].attr["T"].type
        sources = [_output(name, i) for i in range(len(nodes))]
    for node, text in zip(nodes, sources, strict=True):
        copy = made.node.add()
        copy.CopyFrom(node)
        del copy.input[:]
        copy.input.append(text)


def without_pairs(graph_def: Any) -> Any:
    """A GraphDef without stacks of all that an unstacking gives."""
    nodes = {node.name: node for node in graph_def.node}
    same = {}
    for node in graph_def.node:
        if node.op == "Pack":
            source = _unstacked(nodes, node)
            if source is not None:
                same[node.name] = source
    if not same:
        return graph_def
    made = protos.GraphDef()
    made.CopyFrom(graph_def)
    for node in made.node:
        node.input[:] = [_followed(same, i) for i in node.input]
    _drop(made, set(same), graph_def)
    return made


def _followed(same: dict, text: str) -> str:
    while _base(text) in same:
        text = same[_base(text)]
    return text


def _unstacked(nodes: dict, pack: Any) -> str | None:
    """What is unstacked, where a stack holds all of it in order."""
    found = []
    for text in pack.input:
        while nodes[_base(text)].op == "Identity":
            text = nodes[_base(text)].input[0]
        found.append(text)
    source = nodes[_base(found[0])]
    is_all = source.op == "Unpack" and source.attr["num"].i == len(found)
    is_all = is_all and source.attr["axis"].i == pack.attr["axis"].i
    wanted = [_output(source.name, i) for i in range(len(found))]
    return source.input[0] if is_all and found == wanted else None


def _drop(made: Any, gone: set, before: Any) -> None:
    """Take away stacks, and what only they used."""
    ends = _unused(before)
    while gone:
        kept = [n for n in made.node if n.name not in gone]
        del made.node[:]
        made.node.extend(kept)
        gone = _unused(made) - ends


def _unused(graph_def: Any) -> set:
    """The names of the nodes that no other one uses."""
    used = {_base(i) for node in graph_def.node for i in node.input}
    return {n.name for n in graph_def.node if n.name not in used}

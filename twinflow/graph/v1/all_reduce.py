"""NcclAllReduce nodes, each of which gives what all of their group take, as one op.

Who calls NCCL on GPUs has one of them a device. The first of a group becomes an
NcclReduce of the inputs of all, the others NcclBroadcasts of what that gives.
"""

import collections
from typing import Any

from twinflow.formats import protos

KIND = "NcclAllReduce"


def joined(node_defs: list) -> list:
    """The NodeDefs, without any NcclAllReduce.

    Raises:
        ValueError: a group has not as many members as they say.
    """
    groups = collections.defaultdict(list)
    for node in node_defs:
        if node.op == KIND:
            groups[node.attr["shared_name"].s].append(node)
    made = {n.name: n for group in groups.values() for n in _group(group)}
    return [made.get(n.name, n) for n in node_defs] if made else node_defs


def _group(members: list) -> list:
    first, *others = members
    size = first.attr["num_devices"].i
    if size != len(members):
        raise ValueError(
            f"Node '{first.name}': {KIND} is of a group of {size}, but there are "
            f"{len(members)} with the shared_name {first.attr['shared_name'].s!r}"
        )
    whole = protos.NodeDef(name=first.name, op="NcclReduce", device=first.device)
    for key in ("reduction", "T", "num_devices"):
        whole.attr[key].CopyFrom(first.attr[key])
    texts = [text for n in members for text in n.input]
    whole.input.extend(sorted(texts, key=lambda text: text.startswith("^")))
    return [whole, *(_copy(n, first.name) for n in others)]


def _copy(node: Any, source: str) -> Any:
    made = protos.NodeDef(name=node.name, op="NcclBroadcast", device=node.device)
    made.input.append(source)
    made.attr["T"].CopyFrom(node.attr["T"])
    made.attr["shape"].shape.unknown_rank = True
    return made

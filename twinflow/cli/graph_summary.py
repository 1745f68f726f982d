"""`twinflow graph`: what is in a GraphDef, a MetaGraph or a SavedModel."""

import collections
from typing import Any, NamedTuple

from google.protobuf import message, text_format

from twinflow.base import dtypes, files
from twinflow.base.damage import UnreadableFile
from twinflow.cli import drawing
from twinflow.export.loading import (
    maybe_saved_model_directory,
    of_tags,
    read_saved_model,
)
from twinflow.formats import protos

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable")
_INPUTS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")


def main(path: str, tags: str | None = None, as_json: bool = False) -> int:
    """Summarize a file; returns the exit status."""

    def work() -> int:
        found = summary(graph_of(path, tags))
        if as_json:
            drawing.write_json(found._asdict())
        else:
            _tell(path, found)
        return 0

    return drawing.guarded("graph", work)


def graph_of(path: str, tags: str | None) -> Any:
    """The GraphDef of a file or folder."""
    if maybe_saved_model_directory(path):
        return meta_graph(path, tags).graph_def
    content = files.read_file_to_string(path, binary_mode=True)
    kinds = [protos.GraphDef, protos.MetaGraphDef]
    for kind in reversed(kinds) if ".meta" in path else kinds:
        found = kind()
        try:
            if path.endswith((".pbtxt", ".meta.txt")):
                text_format.Parse(content.decode(), found)
            else:
                found.MergeFromString(content)
        except (message.DecodeError, text_format.ParseError, UnicodeDecodeError):
            continue
        graph = getattr(found, "graph_def", found)
        if graph.node:
            return graph
    raise UnreadableFile(f"{path} holds neither a GraphDef nor a MetaGraph")


def meta_graph(path: str, tags: str | None) -> Any:
    """One of the MetaGraphs of a SavedModel: that of the tags, or the only one."""
    saved = read_saved_model(path)
    if tags is not None:
        return of_tags(saved, tags.split(","), path)
    if len(saved.meta_graphs) > 1:
        known = [",".join(sorted(m.meta_info_def.tags)) for m in saved.meta_graphs]
        if "serve" not in known:
            raise ValueError(f"{path} holds graphs of the tags {known}: give --tags")
        return of_tags(saved, ["serve"], path)
    return saved.meta_graphs[0]


class Summary(NamedTuple):
    """What is in a graph: ends and variables are {name: type}, sizes bytes."""

    nodes: int
    bytes: int
    inputs: dict[str, str]
    outputs: dict[str, str]
    variables: dict[str, str]
    constants: int
    functions: dict[str, int]
    ops: dict[str, int]


def summary(graph: Any) -> Summary:
    """The Summary of a GraphDef."""
    nodes = list(graph.node)
    inner = [n for f in graph.library.function for n in f.node_def]
    used = {i.removeprefix("^").partition(":")[0] for n in nodes for i in n.input}
    ends = [n for n in nodes if n.name not in used and n.op not in _VARIABLES]
    counts = collections.Counter(n.op for n in nodes + inner)
    return Summary(
        nodes=len(nodes), bytes=graph.ByteSize(),
        inputs={n.name: _type(n) for n in nodes if n.op in _INPUTS},
        outputs={n.name: n.op for n in ends if n.op not in ("NoOp", *_INPUTS)},
        variables={n.name: _type(n) for n in nodes if n.op in _VARIABLES},
        constants=sum(n.ByteSize() for n in nodes + inner if n.op == "Const"),
        functions={f.signature.name: len(f.node_def) for f in graph.library.function},
        ops=dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
    )  # fmt: skip


def _type(node: Any) -> str:
    shape = node.attr["shape"].shape
    sizes = ["?" if d.size < 0 else str(d.size) for d in shape.dim]
    kind = dtypes.as_dtype(node.attr["dtype"].type).name
    known = "shape" in node.attr and not shape.unknown_rank
    return f"{kind}[{', '.join(sizes)}]" if known else f"{kind}, any shape"


def _tell(path: str, found: Summary) -> None:
    inside = sum(found.functions.values())
    more = f", {inside:,d} in {len(found.functions)} functions" if inside else ""
    print(f"{path}: {found.nodes:,d} nodes{more}, {drawing.size(found.bytes)}, "
          f"{drawing.size(found.constants)} of constants")  # fmt: skip
    for title, part in (
        ("inputs", found.inputs), ("outputs", found.outputs),
        ("variables", found.variables), ("functions", found.functions),
    ):  # fmt: skip
        if part:
            print()
            rows = [(f"  {name}", text) for name, text in part.items()]
            drawing.show(rows, ("name", "type"), title=f"{title} ({len(part)})")
    print()
    rows = [(f"  {name}", count) for name, count in found.ops.items()]
    drawing.show(rows, ("op", "count"), right=("count",), title="ops by type")

"""A drawing in the language of Graphviz."""

from collections.abc import Iterator

from twinflow.graph.picture.drawing import Box, Drawing
from twinflow.graph.picture.svg import LOOKS


def dot(drawing: Drawing) -> str:
    """The drawing as a digraph: containers are clusters."""
    names: dict = {}
    lines = [
        "digraph G {",
        f'  label={_quoted(drawing.root.lines)}; labelloc="t"; compound=true;',
        '  node [shape="box", style="rounded,filled", fontname="Helvetica", '
        "fontsize=11];",
        '  edge [fontname="Helvetica", fontsize=9, color="#8a93a1"];',
    ]
    for box in drawing.root.boxes:
        lines += _box(box, names, "  ")
    for line in drawing.lines:
        facts = [f"label={_quoted([line.text])}"] if line.text else []
        if line.waits:
            facts.append('style="dotted"')
        if line.faint:
            facts.append('color="#d3d8e0"')
        start, end = _leaf(line.start), _leaf(line.end)
        if start is not line.start:
            facts.append(f"ltail={_quoted(['cluster_' + names[line.start]])}")
        if end is not line.end:
            facts.append(f"lhead={_quoted(['cluster_' + names[line.end]])}")
        lines.append(f"  {names[start]} -> {names[end]} [{', '.join(facts)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _box(box: Box, names: dict, pad: str) -> Iterator[str]:
    name = names[box] = f"n{len(names)}"
    fill, border, _, dashed = LOOKS[box.kind]
    look = [f"label={_quoted(box.lines)}", f'fillcolor="{fill}"', f'color="{border}"']
    if box.tip:
        look.append(f"tooltip={_quoted([box.tip])}")
    if not box.boxes:
        yield f"{pad}{name} [{', '.join(look)}];"
        return
    look.append(f'style="{"filled,dashed" if dashed else "filled"}"')
    yield f'{pad}subgraph "cluster_{name}" {{'
    yield f"{pad}  {'; '.join(look)};"
    for inner in box.boxes:
        yield from _box(inner, names, pad + "  ")
    yield pad + "}"


def _leaf(box: Box) -> Box:
    """A box that is a node: lines to a cluster go to one in it."""
    while box.boxes:
        box = box.boxes[0]
    return box


def _quoted(texts: list[str]) -> str:
    joined = "\n".join(texts)
    for old, new in ("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"):
        joined = joined.replace(old, new)
    return f'"{joined}"'

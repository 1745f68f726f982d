"""`python -m benchmarks.depth`: memory over the depth of a network.

A stack of residual blocks of two convolutions each, trained by one step: all values
kept, computed anew from checkpoints, and reversible; twinflow and PyTorch. Each number
is that of a process of its own. Draws docs/guides/depth.png and writes its table into
docs/guides/memory.md; `--quick` only prints,
`--resume` keeps what a run that was stopped had measured.
"""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks import environments, marked

DEPTHS = (4, 8, 16, 32)
WAYS = {
    "twinflow": ("ordinary", "recomputed", "reversible"),
    "torch": ("ordinary", "recomputed"),
}
MODES = ("eager", "compiled")
SECONDS = 300  # of one process
KEPT = Path(__file__).parent / "output" / "depth.json"
DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "guides" / "memory.md"


def rows():
    """(framework, mode, way) of everything that is measured."""
    yield from (("twinflow", mode, way) for mode in MODES for way in WAYS["twinflow"])
    yield from (("torch", "eager", way) for way in WAYS["torch"])


def measured(python, framework, mode, way, depth):
    """{"bytes", "seconds"} of a step, from a new process."""
    command = [python, "-m", f"benchmarks.depth_{framework}", mode, way, str(depth)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS,
        env=os.environ | {"PYTHONPATH": str(DOCUMENT.parents[2])},
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def table(found, depths):
    """Lines of Markdown: megabytes at each depth, and the seconds of the deepest."""
    head = "".join(f" {d} |" for d in depths)
    lines = [f"| MB at a depth of |{head} seconds of a step at {depths[-1]} |"]
    lines.append("|---|" + "---:|" * (len(depths) + 1))
    for row, values in found.items():
        cells = "".join(f" {v['bytes'] / 1e6:.0f} |" for v in values)
        lines.append(f"| {', '.join(row)} |{cells} {values[-1]['seconds']:.2f} |")
    return "\n".join(lines)


def plot(found, depths, path):
    """A line for each row over the depth."""
    drawing = importlib.import_module("benchmarks.plot")
    figure = drawing.sized(8, 4.5)
    axes = figure.add_subplot()
    looks = {"ordinary": ":", "recomputed": "--", "reversible": "-"}
    for (framework, mode, way), values in found.items():
        marker, color = drawing.STYLES[framework]
        color = "#2a9d8f" if mode == "compiled" else color
        axes.plot(
            depths, [v["bytes"] / 1e6 for v in values], marker + looks[way],
            color=color, label=f"{framework}, {mode}, {way}",
        )  # fmt: skip
    axes.set(xlabel="residual blocks", ylabel="MB that a step needs at its peak")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110)


def main(quick=False, resume=False):
    """Measure, print, and write unless quick."""
    depths = DEPTHS[:2] if quick else DEPTHS
    pythons = environments.prepare(["torch"]).pythons
    kept = json.loads(KEPT.read_text()) if resume and KEPT.exists() else {}
    found = {}
    for row in (r for r in rows() if r[0] in pythons):
        for depth in depths:
            key = " ".join(map(str, (*row, depth)))
            if key not in kept:
                kept[key] = measured(pythons[row[0]], *row, depth)
                KEPT.parent.mkdir(exist_ok=True)
                KEPT.write_text(json.dumps(kept))
            found.setdefault(row, []).append(kept[key])
        print(*row, *(f"{v['bytes'] / 1e6:.0f}" for v in found[row]), flush=True)
    text = table(found, depths)
    print(text)
    if not quick:
        plot(found, depths, DOCUMENT.with_name("depth.png"))
        marked.write(DOCUMENT, "depth", text)


if __name__ == "__main__":
    main("--quick" in sys.argv[1:], "--resume" in sys.argv[1:])

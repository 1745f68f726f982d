"""`python -m benchmarks.cores`: what another core, and another process, gives.

One program on 1, 2, ... cores of this machine, and 1, 2, ... processes with one core
each (what data parallel training has before it sums gradients; benchmarks.scaling
measures these sums). Steps a second, next to one core. Draws docs/cores.png and writes
its table into docs/scaling.md; `--quick` only prints.
"""

import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import marked

MODELS = ("transformer", "resnet20", "mlp")
SECONDS = 3.0  # of measuring, once everything is compiled
START = 12  # seconds until all of them begin: enough to compile
LIMIT = 240  # seconds of one process
DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "scaling.md"


def train(model, cores, start):
    """Steps a second of a model on some cores; print them. A process of its own."""
    os.sched_setaffinity(0, cores)
    cases = importlib.import_module("benchmarks.with_twinflow")
    step = cases.start_model(model, "function", "defun")
    for _ in range(30):  # compiled after some of them
        step()
    time.sleep(max(0.0, start - time.time()))
    begun, count = time.perf_counter(), 0
    while time.perf_counter() < begun + SECONDS:
        step()
        count += 1
    print(json.dumps(count / (time.perf_counter() - begun)))


def together(model, parts):
    """Steps a second of processes that train at the same time, each on its cores."""
    start = str(time.time() + START)
    env = os.environ | {"TWINFLOW_COMPILE": "wait"}
    ran = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.cores", model, json.dumps(cores), start],
            stdout=subprocess.PIPE, text=True, env=env,
        )
        for cores in parts
    ]  # fmt: skip
    try:
        lines = [p.communicate(timeout=LIMIT)[0] for p in ran]
    finally:
        for process in ran:
            process.kill()
    return sum(json.loads(line.splitlines()[-1]) for line in lines)


def measured(models):
    """{model: ([steps/s on 1, 2, ... cores], [of 1, 2, ... processes])}."""
    cores = sorted(os.sched_getaffinity(0))
    counts = range(1, len(cores) + 1)
    found = {}
    for model in models:
        one = [together(model, [cores[:n]]) for n in counts]
        many = [together(model, [[c] for c in cores[:n]]) for n in counts[1:]]
        found[model] = one, [one[0], *many]
        print(model, found[model], flush=True)
    return found


def table(found):
    """Lines of Markdown."""
    count = len(next(iter(found.values()))[0])
    more = range(2, count + 1)
    heads = [f"{n} cores" for n in more] + [f"{n} processes" for n in more]
    lines = ["| model | steps/s on one core | " + " | ".join(heads) + " |"]
    lines.append("|---|" + "---:|" * (1 + len(heads)))
    for model, (cores, processes) in found.items():
        ratios = [x / cores[0] for x in (*cores[1:], *processes[1:])]
        cells = " | ".join(f"{r:.2f}" for r in ratios)
        lines.append(f"| {model} | {cores[0]:.1f} | {cells} |")
    return "\n".join(lines)


def plot(found, path):
    """Speed next to one core: solid for cores, dashed for processes."""
    drawing = importlib.import_module("benchmarks.plot")
    figure = drawing.sized(6, 4)
    axes = figure.add_subplot()
    for i, (model, both) in enumerate(found.items()):
        for line, what, rates in zip(("o-", "s--"), ("cores", "processes"), both):
            counts = range(1, len(rates) + 1)
            ratios = [r / both[0][0] for r in rates]
            axes.plot(counts, ratios, line, color=f"C{i}", label=f"{model}, {what}")
    axes.plot(counts, counts, color="#999999", linewidth=1, label="ideal")
    axes.set(xlabel="cores, or processes of one core", ylabel="speed next to one core",
             xticks=counts, ylim=(0, None))  # fmt: skip
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110)


def main(quick=False):
    """Measure, print, and write unless quick."""
    found = measured(MODELS[-1:] if quick else MODELS)
    text = table(found)
    print(text)
    if not quick:
        plot(found, DOCUMENT.with_name("cores.png"))
        marked.write(DOCUMENT, "cores", text)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        train(sys.argv[1], json.loads(sys.argv[2]), float(sys.argv[3]))
    else:
        main("--quick" in sys.argv[1:])

"""Run the digits program in three ways, compare the numbers, and draw them.

The yardstick for "the same numbers": two eager runs whose first weights differ by one
unit in the last place drift apart as well. What two ways of running differ by may be at
most three times that.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(sys.argv[0]).resolve().parent
RUNS = {
    "eager": ["eager"],
    "functions": ["functions"],
    "graph": ["graph"],
    "eager + 1 ulp": ["eager", "--nudged"],
}
FIRST = 10  # steps that must agree to 1e-5
# The first epoch waits for the compiler, so that each run repeats its numbers (Note
# [Swaps]) and the seconds of the others are those of compiled steps.
WAITING = {**os.environ, "TWINFLOW_COMPILE": "wait"}


# %% [markdown]
# ## Four runs
# Each in a process of its own, since the mode belongs to the process.


# %%
def train(epochs):
    """Results of every run, each in a process of its own."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, args in RUNS.items():
            out = os.path.join(folder, "result.json")
            command = [sys.executable, str(HERE / "program.py"), *args]
            command += ["--epochs", str(epochs), "--out", out]
            subprocess.run(command, check=True, env=WAITING)
            with open(out) as f:
                found[name] = json.load(f)
    return found


# %% [markdown]
# ## Side by side
# Losses, accuracy and seconds of each epoch, and what was promised.


# %%
def table(found):
    """One line per epoch: losses, test accuracy, seconds."""
    ways = ["eager", "functions", "graph"]
    head = "epoch | loss: " + "  ".join(f"{w:>9}" for w in ways)
    head += " | test accuracy: " + "  ".join(f"{w:>9}" for w in ways)
    head += " | seconds: " + "  ".join(f"{w:>9}" for w in ways)
    lines = [head, "-" * len(head)]
    for e in range(len(found["eager"]["seconds"])):
        losses = "  ".join(f"{np.mean(found[w]['losses'][e]):9.5f}" for w in ways)
        right = "  ".join(f"{found[w]['accuracy'][e]:9.1%}" for w in ways)
        seconds = "  ".join(f"{found[w]['seconds'][e]:9.3f}" for w in ways)
        lines.append(
            f"{e + 1:5} |       {losses} |                {right} |          {seconds}"
        )
    return "\n".join(lines)


def differences(found):
    """|loss - eager loss| / eager loss at every step, for each other run."""
    flat = {k: np.concatenate(v["losses"]) for k, v in found.items()}
    base = flat.pop("eager")
    return {k: np.abs(v - base) / np.abs(base) for k, v in flat.items()}


def verdicts(found):
    """What was promised, and whether it holds."""
    apart = differences(found)
    yardstick = apart.pop("eager + 1 ulp").max()
    first = max(d[:FIRST].max() for d in apart.values())
    later = max(d.max() for d in apart.values())
    seconds = {k: sum(v["seconds"][1:]) for k, v in found.items()}
    right = min(found[w]["accuracy"][-1] for w in ("eager", "functions", "graph"))
    return [
        (f"test accuracy at least 97 %: {right:.1%}", right >= 0.97),
        (f"first {FIRST} steps agree to 1e-5: {first:.1e}", first <= 1e-5),
        (
            f"largest difference at most 3 x that of one ulp: {later:.1e} and "
            f"{yardstick:.1e}",
            later <= 3 * yardstick,
        ),
        (
            f"functions faster than eager from epoch 2 on: {seconds['functions']:.2f} s"
            f" and {seconds['eager']:.2f} s",
            seconds["functions"] < seconds["eager"],
        ),
        (
            f"graph faster than eager from epoch 2 on: {seconds['graph']:.2f} s and "
            f"{seconds['eager']:.2f} s",
            seconds["graph"] < seconds["eager"],
        ),
    ]


# %% [markdown]
# ## The picture


# %%
def plot(found, path):
    """The losses, and how far each run is from the eager one."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    styles = {
        "eager": "-C0",
        "functions": "--C1",
        "graph": ":C2",
        "eager + 1 ulp": "-.C3",
    }
    for name, result in found.items():
        losses = np.concatenate(result["losses"])
        left.plot(losses, styles[name], label=name, linewidth=1.6)
    left.set(
        xlabel="step",
        ylabel="training loss",
        yscale="log",
        title="Three runs of one program",
    )
    for name, difference in differences(found).items():
        right.plot(
            np.maximum(difference, 1e-9), styles[name], label=name, linewidth=1.2
        )
    right.axhline(1e-5, color="gray", linewidth=0.8)
    right.axvline(FIRST, color="gray", linewidth=0.8)
    right.set(
        xlabel="step", ylabel="|loss - eager loss| / eager loss", yscale="log",
        title="How far from the eager run",
    )  # fmt: skip
    for axes in (left, right):
        axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/digits", help="for the picture")
    args = parser.parse_args()
    start = time.perf_counter()
    found = train(1 if args.short else args.epochs)
    print("\n" + table(found) + "\n")
    held = [] if args.short else verdicts(found)
    for text, holds in held:
        print(f"{'ok  ' if holds else 'MISS'} {text}")
    print(f"{time.perf_counter() - start:.0f} seconds in all")
    os.makedirs(args.folder, exist_ok=True)
    path = os.path.join(args.folder, "digits.png")
    plot(found, path)
    print(f"The picture is {path}.")
    return 0 if all(holds for _, holds in held) else 1


if __name__ == "__main__" and main():
    sys.exit(1)

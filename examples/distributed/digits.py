"""Digits, learned by several processes that stay in step: twinflow launch.

    python digits.py                  # as a graph; --eager runs it eagerly
    python digits.py --short          # some seconds, to see that it runs

The same program, `worker.py`, is started once, and then as two processes of which each
sees half of every batch. They give each other their gradients. The curve of the loss
should not know how many there were.
"""

# %%
import argparse
import json
import os
import subprocess
import sys

import numpy as np
from matplotlib import pyplot

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/distributed", help="for all files")
options = parser.parse_args()
epochs = 1 if options.short else 12
os.makedirs(options.folder, exist_ok=True)

# %% [markdown]
# ## The processes
# `worker.py` is beside this program. What makes it one of many is three lines: the
# strategy, the part of the dataset, and `distribute=` when the model is compiled.
#
# `twinflow launch -n 2` starts it twice, tells each its number, shares out the cores,
# and puts the number before every line that is printed.

# %%
worker = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "worker.py")


def launch(count):
    """Train with some processes; what the first of them found."""
    command = [sys.executable, "-m", "twinflow", "launch", "-n", str(count), worker]
    command += [options.folder, "--epochs", str(epochs)]
    command += ["--eager"] if options.eager else []
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True,
    )  # fmt: skip
    said = []
    for line in process.stdout:
        said.append(line)
        if line.startswith("["):
            print(line, end="", flush=True)
    if process.wait():
        raise RuntimeError("".join(said))
    with open(os.path.join(options.folder, f"{count}.json")) as file:
        return json.load(file)


# %% [markdown]
# First alone:

# %%
found = {1: launch(1)}

# %% [markdown]
# Then two, with half of each batch for each:

# %%
found[2] = launch(2)

# %% [markdown]
# ## The same curve
# Sums of floating-point numbers depend on their order a little, and on nothing else.

# %%
one, two = (np.array(found[n]["losses"]) for n in (1, 2))
apart = np.abs(one - two) / one
for count, result in found.items():
    later = result["seconds"][1:] or result["seconds"]
    print(f"{count} of them: loss {result['losses'][-1]:.5f}, accuracy "
          f" {result['accuracy']:.3f}, "
          f"{1000 * np.median(later):.0f} ms an epoch")  # fmt: skip
print(f"the losses differ by at most {apart.max():.1e} of themselves")

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.8))
numbers = np.arange(1, epochs + 1)
left.plot(numbers, one, "o-", label="one process")
left.plot(numbers, two, "x--", label="two processes")
left.set(xlabel="epoch", ylabel="loss", yscale="log", title="The loss of both")
left.legend()
right.bar(numbers, np.maximum(apart, 1e-9))
right.set(xlabel="epoch", ylabel="relative difference", yscale="log",
          title="How far they are apart")  # fmt: skip
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "losses.png"), dpi=110)
print(f"The picture is {options.folder}/losses.png.")

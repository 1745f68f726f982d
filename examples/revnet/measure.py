"""Speed and memory of RevNet over its depth: reversible against ordinary.

    python measure.py            # tables and two pictures; --short: some seconds

A network of depth d has d - 2 convolutions; only the backward pass differs. It runs
eagerly, in a function and in a session's graph; the last two interpreted and compiled,
each in a process of its own. Memory is the most that is alive within a training step,
beyond what was there before (the weights and the images): of arrays where the program
is interpreted (`tracemalloc`; NumPy reports its arrays to it), of the process where XLA
runs it (Linux only). The gradients, which are as large as the weights and so grow with
the depth in both ways, are a column of their own.
"""

import argparse
import contextlib
import ctypes
import gc
import json
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import config as configs
import model as models
import numpy as np

import twinflow as tf

WAYS = {"reversible": True, "ordinary": False}
# What runs the program, and TWINFLOW_COMPILE for it.
MODES = {
    "eager": "auto",
    "function, interpreted": "never",
    "function, compiled": "wait",
    "graph, interpreted": "never",
    "graph, compiled": "wait",
}


def batch(size, pixels):
    """Random images and labels."""
    random = np.random.RandomState(0)
    images = random.normal(size=[size, pixels, pixels, 3]).astype(np.float32)
    return tf.constant(images), tf.constant(random.randint(0, 10, size))


def step(model, images, labels):
    """The gradients of one step: what the two ways do differently."""
    if model.config.reversible:
        hidden = model(images, training=True)[1]
        return model.compute_gradients(hidden, labels)
    return model.taped_gradients(images, labels)


def runner(mode, config, images, labels):
    """A function that runs one training step of a new network."""
    if mode == "eager":
        model = models.RevNet(config)
        return lambda: step(model, images, labels)
    if mode.startswith("function"):
        model = models.RevNet(config)
        model(images, training=True)  # makes the variables
        traced = tf.contrib.eager.defun(lambda x, y: step(model, x, y))
        return lambda: traced(images, labels)
    return in_graph(config, images.numpy(), labels.numpy())


def in_graph(config, images, labels):
    """The step in a graph and a session of its own."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, images.shape)
        y = tf.placeholder(tf.int64, labels.shape)
        grads, loss = step(models.RevNet(config), x, y)
        fetches = [loss, *(g for g in grads if g is not None)]
        session = tf.Session()
        session.run(tf.global_variables_initializer())
    return lambda: session.run(fetches, {x: images, y: labels})


def peak_bytes(run, compiled=False):
    """The most bytes alive within a step."""
    gc.collect()
    if compiled:
        return resident_bytes(run)
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def resident_bytes(run):
    """How much the memory of the process grows within a step, at most."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what is free goes back first
    Path("/proc/self/clear_refs").write_text("5")  # begin a new maximum
    before = _status("VmRSS")
    run()
    return max(_status("VmHWM") - before, 0)


def _status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(s.split()[1]) * 1024 for s in lines if s.startswith(name))


def gradient_bytes(made):
    """The bytes of the floats that a step gives: the gradients, and the loss."""
    arrays = [np.asarray(x) for x in tf.contrib.framework.nest.flatten(made)]
    return sum(x.nbytes for x in arrays if x.dtype.kind == "f")


def speeds(pair, size, repeats):
    """Examples per second of each step: the fastest of some, taken in turn."""
    seconds = [[] for _ in pair]
    for _ in range(repeats):
        for run, found in zip(pair, seconds):
            start = time.perf_counter()
            run()
            found.append(time.perf_counter() - start)
    return [size / min(s) if s else 0.0 for s in seconds]


def measure(units, images, labels, repeats, mode="eager", **changes):
    """{way: [(depth, examples/s, bytes, of gradients)]} for blocks in each stage."""
    found = {way: [] for way in WAYS}
    for n in units:
        pair = []
        for reversible in WAYS.values():
            config = configs.named(
                "revnet-38-cifar", blocks=[n] * 3, reversible=reversible, **changes
            )
            pair.append(runner(mode, config, images, labels))
            slopes = gradient_bytes(pair[-1]())  # makes what the first step makes
        rates = speeds(pair, int(images.shape[0]), repeats)
        for way, run, rate in zip(WAYS, pair, rates):
            size = peak_bytes(run, mode.endswith(" compiled"))
            found[way].append((configs.depth(config), rate, size, slopes))
    return found


def in_own_process(mode, args):
    """`measure` in a new process with the engine of a mode."""
    command = [sys.executable, __file__, "--mode", mode, "--batch", str(args.batch)]
    command += ["--repeats", str(args.repeats), "--units", *map(str, args.units)]
    environment = {**os.environ, "TWINFLOW_COMPILE": MODES[mode]}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def table(found):
    """One line per depth."""
    head = "depth | examples/s: reversible  ordinary | peak MB: reversible  ordinary"
    lines = [f"{head} | of these gradients"]
    for (depth, speed, size, slopes), (_, speed2, size2, _) in zip(*found.values()):
        lines.append(
            f"{depth:5} | {speed:22.1f} {speed2:9.1f} | {size / 1e6:19.1f} "
            f"{size2 / 1e6:9.1f} | {slopes / 1e6:18.1f}"
        )
    return "\n".join(lines)


def plot(tables, column, label, path):
    """A line for each mode and way over the depth."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    for i, (mode, found) in enumerate(tables.items()):
        for way, rows in found.items():
            values = [row[column] / (1e6 if column == 2 else 1) for row in rows]
            looks = {"linestyle": "-" if WAYS[way] else ":", "color": f"C{i}"}
            depths = [row[0] for row in rows]
            axes.plot(depths, values, marker="o", label=f"{way}, {mode}", **looks)
    axes.set(xlabel="depth", ylabel=label, title="RevNet on images of 32 x 32")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=32, help="images in a step")
    parser.add_argument(
        "--units", type=int, nargs="+", default=[1, 3, 5, 7, 9],
        help="numbers of blocks in each of the three stages",
    )  # fmt: skip
    parser.add_argument("--repeats", type=int, default=5, help="steps that are timed")
    parser.add_argument("--folder", default="output/revnet-measure", help="for all")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--mode", choices=MODES, help="measure this one, print JSON")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    args = parser.parse_args()
    if args.short:
        args.batch, args.repeats, args.units = 2, 1, [1]
    if args.mode:
        tf.enable_eager_execution()
        pictures = batch(args.batch, 32)
        print(json.dumps(measure(args.units, *pictures, args.repeats, args.mode)))
        return
    tables, bar = {}, tf.keras.utils.Progbar(len(args.modes))
    for mode in args.modes:
        tables[mode] = in_own_process(mode, args)
        bar.add(1)
    for mode, found in tables.items():
        print(f"{mode}\n{table(found)}")
    os.makedirs(args.folder, exist_ok=True)
    speed, memory = (os.path.join(args.folder, f"{n}.png") for n in ("speed", "memory"))
    plot(tables, 1, "examples / second", speed)
    plot(tables, 2, "peak of live MB within a step", memory)
    print(f"The pictures are {speed} and {memory}.")


if __name__ == "__main__":
    main()

"""Speed and memory of RevNet over its depth: reversible against ordinary.

    python measure.py            # writes revnet-speed.png, revnet-memory.png, a table

A network of depth d has d - 2 convolutions; only the backward pass differs. Memory is
the most bytes of arrays alive within a training step, beyond what was there before:
the weights and the images. See `tracemalloc`; NumPy reports its arrays to it.
"""

import argparse
import gc
import time
import tracemalloc

import config as configs
import model as models
import numpy as np

import twinflow as tf

WAYS = {"reversible": True, "ordinary": False}


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


def peak_bytes(model, images, labels):
    """The most bytes alive within a step."""
    gc.collect()
    tracemalloc.start()
    try:
        step(model, images, labels)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def speeds(pair, images, labels, repeats):
    """Examples per second of each model: the fastest of some steps, taken in turn."""
    seconds = [[] for _ in pair]
    for _ in range(repeats):
        for model, found in zip(pair, seconds):
            start = time.perf_counter()
            step(model, images, labels)
            found.append(time.perf_counter() - start)
    return [int(images.shape[0]) / min(s) if s else 0.0 for s in seconds]


def measure(units, images, labels, repeats, **changes):
    """{way: [(depth, examples/s, bytes)]} for numbers of blocks in each stage."""
    found = {way: [] for way in WAYS}
    for n in units:
        pair = []
        for reversible in WAYS.values():
            config = configs.named(
                "revnet-38-cifar", blocks=[n] * 3, reversible=reversible, **changes
            )
            pair.append(models.RevNet(config))
            step(pair[-1], images, labels)  # makes the variables
        rates = speeds(pair, images, labels, repeats)
        for way, model, rate in zip(WAYS, pair, rates):
            size = peak_bytes(model, images, labels)
            found[way].append((configs.depth(config), rate, size))
    return found


def table(found):
    """One line per depth."""
    lines = ["depth | examples/s: reversible  ordinary | peak MB: reversible  ordinary"]
    for (depth, speed, size), (_, speed2, size2) in zip(*found.values()):
        lines.append(
            f"{depth:5} | {speed:22.1f} {speed2:9.1f} | {size / 1e6:19.1f} "
            f"{size2 / 1e6:9.1f}"
        )
    return "\n".join(lines)


def plot(found, column, label, path):
    """A line for each way over the depth."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for way, rows in found.items():
        values = [row[column] / (1e6 if column == 2 else 1) for row in rows]
        axes.plot([row[0] for row in rows], values, "o-", label=way)
    axes.set(xlabel="depth", ylabel=label, title="RevNet on images of 32 x 32")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--units", type=int, nargs="+", default=[1, 3, 5, 7, 9])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--plots", default="revnet", help="how the files begin")
    args = parser.parse_args()
    tf.enable_eager_execution()
    found = measure(args.units, *batch(args.batch, 32), args.repeats)
    print(table(found))
    plot(found, 1, "examples / second", f"{args.plots}-speed.png")
    plot(found, 2, "peak of live MB within a step", f"{args.plots}-memory.png")
    print(f"The plots are {args.plots}-speed.png and {args.plots}-memory.png.")


if __name__ == "__main__":
    main()

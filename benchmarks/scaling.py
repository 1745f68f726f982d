"""`python -m benchmarks.scaling`: what grows with the number of processes.

Measures sums of arrays (Gloo on this machine's own network) and input pipelines with 1,
2, 4 and 8 processes, fits a model of time to the sums, and computes from it and from
a stated network what thousands of machines would see. Writes docs/scaling.png, and
prints what docs/scaling.md says.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import matplotlib
import numpy as np

import twinflow as tf
from benchmarks.scaling_input import WAIT
from benchmarks.scaling_sums import GRADIENT, SIZES, STEP

matplotlib.use("Agg")
from matplotlib import pyplot as plt

COUNTS, LIMIT = (1, 2, 4, 8), 300
DOCS = Path(__file__).resolve().parents[1] / "docs"
# a network of 100 Gbit/s between machines: seconds for a message, and for a byte
LATENCY, BYTE = 20e-6, 1 / 12.5e9
DEVICES = tuple(2**k for k in range(3, 13))


def workers(kind, count, where):
    """What so many processes print, by rank."""
    env = os.environ | {"OMP_NUM_THREADS": "1"}
    found = [
        subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.scaling_{kind}", str(rank), str(count),
             str(where)], stdout=subprocess.PIPE, text=True, env=env,
        )
        for rank in range(count)
    ]  # fmt: skip
    try:
        lines = [p.communicate(timeout=LIMIT)[0] for p in found]
    finally:
        for process in found:
            process.kill()
    return [json.loads(line.splitlines()[-1]) for line in lines]


def sums(count):
    """The sums of so many processes, as the slowest rank saw them."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    ranks = workers("sums", count, port)
    found = {k: max(r[k] for r in ranks) for k in ("start", "one", "pieces")}
    found["sum"] = {
        size: [max(r["sum"][str(size)][i] for r in ranks) for i in (0, 1)]
        for size in SIZES
    }
    return found


def write_records(folder, files=16, each=200):
    """TFRecord files of tf.Examples with 64 floats."""
    rng = np.random.RandomState(0)
    for i in range(files):
        with tf.python_io.TFRecordWriter(f"{folder}/{i:03}.tfrecord") as writer:
            for _ in range(each):
                values = tf.train.FloatList(value=rng.rand(64))
                feature = {"x": tf.train.Feature(float_list=values)}
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())


def pipelines(count, folder):
    """Records in a second of waiting, or of processor time, of a process."""
    ranks = workers("input", count, folder)
    return {k: sum(r[k] for r in ranks) / count for k in ranks[0]}


def fitted(times):
    """(a, b) of a + b size, by the smallest times; relative errors count alike."""
    rows = np.array([[1 / t, size / t] for size, (t, _) in times.items()])
    return np.linalg.lstsq(rows, np.ones(len(rows)), rcond=None)[0]


def ring(n, size):
    """Seconds of a sum around a ring, on the stated network."""
    return 2 * (n - 1) * LATENCY + 2 * (n - 1) / n * size * BYTE


def tree(n, size):
    """Seconds of a sum up and down a binary tree, whole messages."""
    return 2 * np.log2(n) * (LATENCY + size * BYTE)


def host():
    """Single-process costs that thousands of processes multiply."""
    found = {}
    with tempfile.TemporaryDirectory() as top:
        for count in (1_000, 10_000):
            folder = Path(top) / str(count)
            folder.mkdir()
            for i in range(count):
                (folder / f"{i}.tfrecord").touch()
            start = time.perf_counter()
            assert len(tf.gfile.Glob(f"{folder}/*.tfrecord")) == count
            found[f"list {count}"] = time.perf_counter() - start
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.get_variable("w", initializer=tf.ones([25_000_000]))
            sess.run(tf.global_variables_initializer())
            start = time.perf_counter()
            tf.train.Saver().save(sess, f"{top}/m")
            found["save 1e8 bytes"] = time.perf_counter() - start
    return found


def plot(found):
    """docs/scaling.png."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 4.4))
    for count, color in zip(COUNTS[1:], ("tab:blue", "tab:orange", "tab:green")):
        sizes = np.array(SIZES, float)
        times = found["sums"][count]["sum"]
        a, b = fitted(times)
        smallest = [times[s][0] * 1e3 for s in SIZES]
        left.loglog(sizes, smallest, "o", color=color, label=f"{count} processes")
        left.loglog(sizes, (a + b * sizes) * 1e3, "-", color=color)
    left.set(xlabel="bytes", ylabel="ms", title="measured: a sum (lines: a + b bytes)")
    for key, label in ("one", "as one array"), ("pieces", "as 64 arrays"):
        share = [STEP / found["sums"][n][key] * 100 for n in COUNTS]
        middle.plot(COUNTS, share, "o-", label=f"steps, gradient {label}")
    base = found["input"][1] | {"waiting": 4 / WAIT}
    for key in base:
        share = [found["input"][n][key] / base[key] * 100 for n in COUNTS]
        middle.plot(COUNTS, share, "s--", label=f"input, {key}")
    middle.set(xlabel="processes on two cores", ylabel="% of ideal", xticks=COUNTS,
               ylim=(0, 150), title="measured: weak scaling")  # fmt: skip
    for size, color in (1e5, "tab:blue"), (1e7, "tab:orange"), (1e9, "tab:green"):
        n = np.array(DEVICES)
        label = f"{size:.0e} bytes"
        right.loglog(n, ring(n, size) * 1e3, "-", color=color, label=f"ring, {label}")
        right.loglog(n, tree(n, size) * 1e3, ":", color=color, label=f"tree, {label}")
    right.set(xlabel="machines", ylabel="ms", title="computed: 20 µs, 100 Gbit/s")
    for axes in (left, middle, right):
        axes.legend(fontsize=8, loc="best")
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(DOCS / "scaling.png", dpi=90)


def main():
    """Measure, print and draw."""
    found = {"sums": {}, "input": {}, "host": host()}
    with tempfile.TemporaryDirectory() as folder:
        write_records(folder)
        for count in COUNTS:
            found["sums"][count] = sums(count)
            found["input"][count] = pipelines(count, folder)
            print(count, json.dumps(found["sums"][count]), found["input"][count])
            a, b = fitted(found["sums"][count]["sum"])
            print(f"  {a * 1e6:.0f} us, {1 / b / 1e9:.2f} GB/s")
    print(found["host"])
    for n in (8, 64, 512, 4096):
        cells = [f"{f(n, s) * 1e3:.1f}" for s in (1e5, 1e7, 1e9) for f in (ring, tree)]
        print(n, *cells)
    print(f"a gradient of {GRADIENT} bytes beside {STEP} s")
    plot(found)


if __name__ == "__main__":
    main()

"""A picture of the curves that event files hold."""

import glob
import os

import twinflow as tf


def curve(folder, tag):
    """[(step, value)] of a scalar in the event files of a folder."""
    return [
        (event.step, float(tf.make_ndarray(v.tensor) if v.HasField("tensor")
                           else v.simple_value))
        for path in sorted(glob.glob(os.path.join(folder, "events*")))
        for event in tf.train.summary_iterator(path)
        for v in event.summary.value if v.tag == tag
    ]  # fmt: skip


def draw(curves, path):
    """Curves by their labels; the picture is named last of all."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for label, points in curves.items():
        axes.plot(*zip(*points), label=label, marker="." if len(points) < 20 else None)
    axes.set(xlabel="step", ylabel="loss")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    print(f"The picture is {path}.")

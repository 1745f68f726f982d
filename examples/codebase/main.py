"""One code base for both modes: debug some epochs eagerly, then go on as a graph.

    python main.py                    # some epochs eagerly, then some as a graph
    python main.py --eager            # only eagerly; --graph: only as a graph
    python main.py --short            # some seconds, to see that it runs

A run takes up weights and Adam's averages where the last one ended. The plot shows all
losses so far as one curve: there is no step in it where the mode changes.
"""

import argparse
import os

import numpy as np
from data import build_inputs
from model import Model
from train import train

import twinflow as tf

tfe = tf.contrib.eager


# %% [markdown]
# ## Two loops
# What trains is in `train.py`, and does not know the mode. Eagerly it is called for
# each batch; in a graph it is called once, and a session runs what it made.


# %%
def run_eagerly(model, optimizer, dataset, epochs):
    bar = tf.keras.utils.Progbar(epochs)
    for epoch in range(epochs):
        for inputs, labels in tfe.Iterator(dataset):
            loss, _ = train(model, optimizer, inputs, labels)
            yield float(loss)
        bar.update(epoch + 1)


def run_graph(sess, iterator, loss, train_op, epochs):
    bar = tf.keras.utils.Progbar(epochs)
    for epoch in range(epochs):
        sess.run(iterator.initializer)
        while True:
            try:
                value, _ = sess.run([loss, train_op])
            except tf.errors.OutOfRangeError:
                break
            yield float(value)
        bar.update(epoch + 1)


# %% [markdown]
# An object-based checkpoint goes from one mode to the other.


# %%
def parts(folder):
    """The model, its optimizer, the data, their checkpoint, and the last one kept."""
    tf.set_random_seed(1)
    model, optimizer = Model(24, 3), tf.train.AdamOptimizer(0.01)
    checkpoint = tfe.Checkpoint(model=model, optimizer=optimizer)
    last = tf.train.latest_checkpoint(folder)
    return model, optimizer, build_inputs(600, 50), checkpoint, last


def eagerly(folder, epochs):
    """The losses of some epochs."""
    model, optimizer, dataset, checkpoint, last = parts(folder)
    checkpoint.restore(last)
    losses = list(run_eagerly(model, optimizer, dataset, epochs))
    checkpoint.save(os.path.join(folder, "ckpt"))
    return losses


def as_a_graph(folder, epochs):
    """The same in a session."""
    model, optimizer, dataset, checkpoint, last = parts(folder)
    iterator = dataset.make_initializable_iterator()
    loss, train_op = train(model, optimizer, *iterator.get_next())
    with tf.Session() as sess:
        checkpoint.restore(last).initialize_or_restore(sess)
        losses = list(run_graph(sess, iterator, loss, train_op, epochs))
        checkpoint.save(os.path.join(folder, "ckpt"), session=sess)
    return losses


def keep(folder, mode, losses):
    """Write the losses of a run, and say how they went."""
    number = len([n for n in os.listdir(folder) if n.startswith("losses")])
    np.savetxt(os.path.join(folder, f"losses-{number}-{mode}.txt"), losses)
    print(f"{mode}: loss {losses[0]:.4f} -> {losses[-1]:.4f}")


# %% [markdown]
# ## One curve


# %%
def plot(folder, path):
    """The losses of all runs; one colour for each run."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    start = 0
    for name in sorted(n for n in os.listdir(folder) if n.startswith("losses")):
        losses = np.loadtxt(os.path.join(folder, name), ndmin=1)
        axes.plot(start + np.arange(len(losses)), losses, label=name[7:-4])
        start += len(losses)
    axes.set(xlabel="step", ylabel="loss", title="Begun eagerly, continued as a graph")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--eager", action="store_true", help="only eagerly")
    parser.add_argument("--graph", action="store_true", help="only as a graph")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/spiral", help="where all files go")
    parser.add_argument("--epochs", type=int, default=6, help="of each mode")
    args = parser.parse_args()
    epochs = 1 if args.short else args.epochs
    if not args.graph:
        tf.enable_eager_execution()  # the one line between the two
        keep(args.folder, "eager", eagerly(args.folder, epochs))
    if not args.eager:
        with tf.Graph().as_default():  # an eager program can make graphs, too
            keep(args.folder, "graph", as_a_graph(args.folder, epochs))
    path = os.path.join(args.folder, "spiral.png")
    plot(args.folder, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()

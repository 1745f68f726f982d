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
# each batch; in a graph it is called once, and a session runs what it made. An
# object-based checkpoint goes from one mode to the other.


# %%
class Program:
    """The model, its optimizer and their checkpoint, in the mode that it is made in."""

    def __init__(self, folder):
        self.model, self.optimizer = Model(24, 3), tf.train.AdamOptimizer(0.01)
        self.dataset, self.prefix = build_inputs(600, 50), os.path.join(folder, "ckpt")
        self.checkpoint = tfe.Checkpoint(model=self.model, optimizer=self.optimizer)
        self.last = tf.train.latest_checkpoint(folder)

    def run_eagerly(self, epochs):
        """The losses of some epochs."""
        self.checkpoint.restore(self.last)
        bar, losses = tf.keras.utils.Progbar(epochs), []
        for epoch in range(epochs):
            for inputs, labels in tfe.Iterator(self.dataset):
                loss, _ = train(self.model, self.optimizer, inputs, labels)
                losses.append(float(loss))
            bar.update(epoch + 1)
        self.checkpoint.save(self.prefix)
        return losses

    def run_graph(self, epochs):
        """The same in a session."""
        iterator = self.dataset.make_initializable_iterator()
        fetches = train(self.model, self.optimizer, *iterator.get_next())
        bar, losses = tf.keras.utils.Progbar(epochs), []
        with tf.Session() as sess:
            self.checkpoint.restore(self.last).initialize_or_restore(sess)
            for epoch in range(epochs):
                sess.run(iterator.initializer)
                while True:
                    try:
                        losses.append(float(sess.run(fetches)[0]))
                    except tf.errors.OutOfRangeError:
                        break
                bar.update(epoch + 1)
            self.checkpoint.save(self.prefix, session=sess)
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
        tf.set_random_seed(1)
        keep(args.folder, "eager", Program(args.folder).run_eagerly(epochs))
    if not args.eager:
        with tf.Graph().as_default():  # an eager program can make graphs, too
            tf.set_random_seed(1)
            keep(args.folder, "graph", Program(args.folder).run_graph(epochs))
    path = os.path.join(args.folder, "spiral.png")
    plot(args.folder, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()

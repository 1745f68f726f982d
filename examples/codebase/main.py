"""One code base for both modes: debug some epochs eagerly, then go on as a graph.

    python main.py --folder spiral --epochs 4            # eager
    python main.py --folder spiral --epochs 16 --graph --plot spiral.png

The second run takes up weights and Adam's averages from the first. The plot shows all
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
    for _ in range(epochs):
        for inputs, labels in tfe.Iterator(dataset):
            loss, _ = train(model, optimizer, inputs, labels)
            yield float(loss)


def run_graph(sess, iterator, loss, train_op, epochs):
    for _ in range(epochs):
        sess.run(iterator.initializer)
        while True:
            try:
                value, _ = sess.run([loss, train_op])
            except tf.errors.OutOfRangeError:
                break
            yield float(value)


# %% [markdown]
# ## The same checkpoint
# An object-based checkpoint goes from one mode to the other.


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
    parser.add_argument("--folder", default="spiral", help="for checkpoints and losses")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--graph", action="store_true")
    parser.add_argument("--plot", help="a PNG file to write")
    args = parser.parse_args()
    if not args.graph:
        tf.enable_eager_execution()  # the one line between the two
    tf.set_random_seed(1)
    model, optimizer = Model(24, 3), tf.train.AdamOptimizer(0.01)
    dataset = build_inputs(600, 50)
    checkpoint = tfe.Checkpoint(model=model, optimizer=optimizer)
    last, prefix = tf.train.latest_checkpoint(args.folder), args.folder + "/ckpt"
    if args.graph:
        iterator = dataset.make_initializable_iterator()
        loss, train_op = train(model, optimizer, *iterator.get_next())
        with tf.Session() as sess:
            checkpoint.restore(last).initialize_or_restore(sess)
            losses = list(run_graph(sess, iterator, loss, train_op, args.epochs))
            checkpoint.save(prefix, session=sess)
    else:
        checkpoint.restore(last)
        losses = list(run_eagerly(model, optimizer, dataset, args.epochs))
        checkpoint.save(prefix)
    number = len([n for n in os.listdir(args.folder) if n.startswith("losses")])
    name = f"losses-{number}-{'graph' if args.graph else 'eager'}.txt"
    np.savetxt(os.path.join(args.folder, name), losses)
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}")
    if args.plot:
        plot(args.folder, args.plot)
        print(f"The picture is {args.plot}.")


if __name__ == "__main__":
    main()

"""A character RNN: a GRU learns a text letter by letter, and then writes.

    python char_rnn.py                # as a graph; --eager runs it eagerly
    python char_rnn.py --text FILE --epochs 30
    python char_rnn.py --short        # some seconds, to see that it runs

The state is carried from one piece of the text to the next. The plot shows the loss in
bits a letter; what is printed is what the network writes after "the ".
"""

import argparse
import os

import numpy as np

import twinflow as tf

TEXT = "the cat sat on the mat. the dog sat on the log. the cat saw the dog. " * 12
BATCH, LENGTH = 4, 24


# %% [markdown]
# ## The network
# The state comes in and goes out, so that the next piece of the text can go on from it.


# %%
class Writer(tf.keras.Model):
    """Letters to vectors, a GRU, and one logit per letter."""

    def __init__(self, letters, units=48):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(letters, 16)
        self.gru = tf.keras.layers.GRU(
            units, return_sequences=True, return_state=True,
            recurrent_activation="sigmoid",
        )  # fmt: skip
        self.logits = tf.keras.layers.Dense(letters)

    def call(self, letters, state=None):
        y, state = self.gru(self.embedding(letters), initial_state=state)
        return self.logits(y), state


# %% [markdown]
# ## The text in pieces
# The text is cut into rows, and the rows into pieces: what follows a piece is in the
# same row of the next one.


# %%
def pieces(codes):
    """(inputs, targets), int32[batch, length]; a row goes on in the next piece."""
    rows = len(codes) // BATCH
    table = np.reshape(codes[: rows * BATCH], [BATCH, rows])
    ends = [slice(i, i + LENGTH) for i in range(0, rows - LENGTH, LENGTH)]
    return [(table[:, e], table[:, e.start + 1 : e.stop + 1]) for e in ends]


# %% [markdown]
# ## Training and writing
# Gradients are clipped, since the loss of a recurrent network has cliffs. In a graph
# they come from `tf.gradients`: TensorFlow 1.12's tapes do not pass a GRU's loop there.


# %%
def train(model, optimizer, inputs, targets, state):
    """A step: (the loss, the next state, the update)."""
    with tf.GradientTape() as tape:
        logits, state = model(inputs, state=state)
        loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
    slopes = tape.gradient if tf.executing_eagerly() else tf.gradients
    grads = slopes(loss, model.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 1.0)
    update = optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss, state, update


def follow(model, inputs, state):
    """The most likely letter after each row, and the next state."""
    logits, state = model(inputs, state=state)
    return tf.argmax(logits[:, -1:], axis=-1, output_type=tf.int32), state


# %% [markdown]
# Eagerly the two are called each time; in a graph they are called once, and a session
# runs what they made. Both ways give functions of arrays.


# %%
def eager_steps(model, optimizer):
    """Functions that train and follow."""

    def step(*arrays):
        loss, state, _ = train(model, optimizer, *map(tf.constant, arrays))
        return loss.numpy(), state.numpy()

    def following(*arrays):
        return [t.numpy() for t in follow(model, *map(tf.constant, arrays))]

    return step, following


def graph_steps(model, optimizer, units):
    """The same in a graph and a session."""
    inputs, targets = (tf.placeholder(tf.int32, [None, None]) for _ in range(2))
    state, session = tf.placeholder(tf.float32, [None, units]), tf.Session()
    fetches = train(model, optimizer, inputs, targets, state)
    found = follow(model, inputs, state)
    session.run(tf.global_variables_initializer())

    def step(*arrays):
        return session.run(fetches, dict(zip([inputs, targets, state], arrays)))[:2]

    def following(*arrays):
        return session.run(found, dict(zip([inputs, state], arrays)))

    return step, following


def write(following, start, letters, units, count=60):
    """The most likely letters after `start`."""
    inputs = np.array([[letters.index(c) for c in start]], np.int32)
    state, text = np.zeros([1, units], np.float32), start
    for _ in range(count):
        inputs, state = following(inputs, state)
        text += letters[int(inputs[0, 0])]
    return text


# %% [markdown]
# ## All of it


# %%
def plot(losses, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    axes.plot(losses)
    axes.set(xlabel="step", ylabel="bits a letter", title="A GRU learns a text")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--eager", action="store_true", help="not as a graph")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/char_rnn", help="for the picture")
    parser.add_argument("--text", help="a file; sentences about pets if not given")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--units", type=int, default=48)
    args = parser.parse_args()
    if args.eager:
        tf.enable_eager_execution()
    tf.set_random_seed(1)
    text = TEXT
    if args.text:
        with open(args.text) as f:
            text = f.read()
    letters = sorted(set(text))
    batches = pieces(np.array([letters.index(c) for c in text], np.int32))
    model, optimizer = Writer(len(letters), args.units), tf.train.AdamOptimizer(0.01)
    if args.eager:
        step, following = eager_steps(model, optimizer)
    else:
        step, following = graph_steps(model, optimizer, args.units)
    epochs, losses = 1 if args.short else args.epochs, []
    bar = tf.keras.utils.Progbar(epochs * len(batches))
    for _ in range(epochs):
        state = np.zeros([BATCH, args.units], np.float32)
        for inputs, targets in batches:
            loss, state = step(inputs, targets, state)
            losses.append(loss / np.log(2))
            bar.update(len(losses))
    print(f"{len(losses)} steps, bits a letter {losses[0]:.4f} -> {losses[-1]:.4f}")
    print(repr(write(following, text[:4], letters, args.units)))
    tf.gfile.MakeDirs(args.folder)
    path = os.path.join(args.folder, "char_rnn.png")
    plot(losses, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()

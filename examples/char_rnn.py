"""A character RNN: a GRU learns a text letter by letter, and then writes.

    python char_rnn.py --text FILE --epochs 30 --plot char_rnn.png

The state is carried from one piece of the text to the next. The plot shows the loss in
bits a letter; what is printed is what the network writes after "the ".
"""

import argparse

import numpy as np

import twinflow as tf

tfe = tf.contrib.eager
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
    """int32 [batch, length] inputs and targets; each row goes on in the next piece."""
    rows = len(codes) // BATCH
    table = np.reshape(codes[: rows * BATCH], [BATCH, rows])
    starts = range(0, rows - LENGTH, LENGTH)
    inputs = np.stack([table[:, i : i + LENGTH] for i in starts])
    targets = np.stack([table[:, i + 1 : i + LENGTH + 1] for i in starts])
    return tf.data.Dataset.from_tensor_slices((inputs, targets))


# %% [markdown]
# ## Training and writing
# Gradients are clipped, since the loss of a recurrent network has cliffs.


# %%
def train(model, dataset, optimizer, state):
    """One pass over the text; returns the losses in bits."""
    losses = []
    for inputs, targets in dataset:
        with tf.GradientTape() as tape:
            logits, state = model(inputs, state=state)
            loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        state = tf.stop_gradient(state)
        losses.append(float(loss) / np.log(2))
    return losses


def write(model, start, letters, units, count=60):
    """The most likely letters after `start`."""
    codes, state = [letters.index(c) for c in start], tf.zeros([1, units])
    text, inputs = start, tf.constant([codes])
    for _ in range(count):
        logits, state = model(inputs, state=state)
        inputs = tf.argmax(logits[:, -1:], axis=-1, output_type=tf.int32)
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
    parser.add_argument(
        "--text", help="a file; a few sentences about pets if not given"
    )
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--units", type=int, default=48)
    parser.add_argument("--plot", help="a PNG file to write")
    args = parser.parse_args()
    tf.enable_eager_execution()
    tf.set_random_seed(1)
    text = TEXT
    if args.text:
        with open(args.text) as f:
            text = f.read()
    letters = sorted(set(text))
    dataset = pieces(np.array([letters.index(c) for c in text], np.int32))
    model, optimizer = Writer(len(letters), args.units), tf.train.AdamOptimizer(0.01)
    losses = []
    for _ in range(args.epochs):
        state = tf.zeros([BATCH, args.units])
        losses += train(model, dataset, optimizer, state)
    print(f"{len(losses)} steps, bits a letter {losses[0]:.4f} -> {losses[-1]:.4f}")
    print(repr(write(model, text[:4], letters, args.units)))
    if args.plot:
        plot(losses, args.plot)
        print(f"The picture is {args.plot}.")


if __name__ == "__main__":
    main()

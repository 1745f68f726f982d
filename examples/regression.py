"""Fit a line to points around 3 x + 2, in three styles that give the same numbers.

    python regression.py --plot regression.png

By hand: variables, a tape and `assign_sub`. Implicitly: a plain class, and the
gradients of all variables that the loss used, handed to an optimizer. As a model:
tf.keras.Model, with a step counter. The plot shows the three curves of the loss on top
of each other.
"""

# %% [markdown]
# The points lie about a line, and noise of one is added to each.

# %%
import argparse

import numpy as np

import twinflow as tf

tfe = tf.contrib.eager
RATE = 0.01


def points(count=1000):
    """x, and y = 3 x + 2 with noise."""
    random = np.random.RandomState(0)
    x, noise = random.normal(size=[2, count]).astype(np.float32)
    return tf.constant(x), tf.constant(3 * x + 2 + noise)


def error(guess, y):
    return tf.reduce_mean(tf.square(guess - y))


# %% [markdown]
# ## Three styles
# By hand: a tape records the loss, and `assign_sub` moves the variables.


# %%
def by_hand(x, y, steps):
    """Every part of gradient descent written out."""
    w, b = tfe.Variable(5.0), tfe.Variable(10.0)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = error(w * x + b, y)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(dw * RATE)
        b.assign_sub(db * RATE)
        yield float(loss), w.numpy(), b.numpy()


# %% [markdown]
# Implicitly: no list of variables is kept. `implicit_value_and_gradients` finds those
# that the loss used.


# %%
class Line:
    """Two variables and what is computed with them."""

    def __init__(self):
        self.w = tfe.Variable(5.0, name="weight")
        self.b = tfe.Variable(10.0, name="bias")

    def predict(self, x):
        return x * self.w + self.b


def implicitly(x, y, steps):
    """tfe finds the variables by itself."""
    line = Line()
    optimizer = tf.train.GradientDescentOptimizer(RATE)
    slopes = tfe.implicit_value_and_gradients(lambda: error(line.predict(x), y))
    for _ in range(steps):
        loss, pairs = slopes()
        optimizer.apply_gradients(pairs)
        yield float(loss), line.w.numpy(), line.b.numpy()


# %% [markdown]
# As a model: Keras keeps the variables, and the optimizer counts the steps.


# %%
class Model(tf.keras.Model):
    """The same as a model: it knows its variables, and checkpoints find them."""

    def __init__(self):
        super().__init__()
        self.w = tfe.Variable(5.0, name="weight")
        self.b = tfe.Variable(10.0, name="bias")

    def call(self, inputs):
        return inputs * self.w + self.b


def as_a_model(x, y, steps):
    """A model, a tape and an optimizer."""
    model, step = Model(), tf.train.get_or_create_global_step()
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=RATE)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = error(model(x), y)
        grads = tape.gradient(loss, [model.w, model.b])
        optimizer.apply_gradients(zip(grads, [model.w, model.b]), global_step=step)
        yield float(loss), model.w.numpy(), model.b.numpy()


# %% [markdown]
# ## All three
# The same numbers, so the curves lie on top of each other.

# %%
STYLES = {"by hand": by_hand, "implicitly": implicitly, "as a model": as_a_model}


def plot(curves, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for (name, losses), style in zip(curves.items(), ["-", "--", ":"]):
        axes.plot(losses, style, label=name, linewidth=2)
    axes.set(xlabel="step", ylabel="mean squared error", yscale="log")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--plot", help="a PNG file to write")
    args = parser.parse_args()
    tf.enable_eager_execution()
    x, y = points()
    curves = {}
    for name, style in STYLES.items():
        losses, ws, bs = zip(*style(x, y, args.steps))
        curves[name] = losses
        print(f"{name:10} loss {losses[0]:.4f} -> {losses[-1]:.4f}, "
              f"w = {ws[-1]:.4f}, b = {bs[-1]:.4f}")  # fmt: skip
    if args.plot:
        plot(curves, args.plot)
        print(f"The picture is {args.plot}.")


if __name__ == "__main__":
    main()

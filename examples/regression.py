"""Fit a line to points around 3 x + 2, in three styles that give the same numbers.

    python regression.py              # as a graph; --eager runs it eagerly
    python regression.py --short      # some seconds, to see that it runs

By hand: variables, a tape and `assign_sub`. Implicitly: a plain class, and the
gradients of all variables that the loss used, handed to an optimizer. As a model:
tf.keras.Model, with a step counter. The plot shows the three curves of the loss on top
of each other.
"""

# %% [markdown]
# The points lie about a line, and noise of one is added to each.

# %%
import argparse
import os

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
# Each gives a function for a step, and the two variables.
#
# By hand: a tape records the loss, and `assign_sub` moves the variables.


# %%
def by_hand(x, y):
    """Every part of gradient descent written out."""
    w, b = tfe.Variable(5.0), tfe.Variable(10.0)

    def step():
        with tf.GradientTape() as tape:
            loss = error(w * x + b, y)
        dw, db = tape.gradient(loss, [w, b])
        return loss, [w.assign_sub(dw * RATE), b.assign_sub(db * RATE)]

    return step, w, b


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


def implicitly(x, y):
    """tfe finds the variables by itself."""
    line = Line()
    optimizer = tf.train.GradientDescentOptimizer(RATE)
    slopes = tfe.implicit_value_and_gradients(lambda: error(line.predict(x), y))

    def step():
        loss, pairs = slopes()
        return loss, optimizer.apply_gradients(pairs)

    return step, line.w, line.b


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


def as_a_model(x, y):
    """A model, a tape and an optimizer."""
    model, count = Model(), tf.train.get_or_create_global_step()
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=RATE)

    def step():
        with tf.GradientTape() as tape:
            loss = error(model(x), y)
        grads = tape.gradient(loss, [model.w, model.b])
        pairs = zip(grads, [model.w, model.b])
        return loss, optimizer.apply_gradients(pairs, global_step=count)

    return step, model.w, model.b


# %% [markdown]
# ## In either mode
# Eagerly a step is called each time; in a graph it is called once, and a session runs
# what it made.


# %%
def run(style, x, y, steps):
    """(loss, w, b) of each step, and a bar that says how far it is."""
    step, *line = style(x, y)
    bar = tf.keras.utils.Progbar(steps)
    if tf.executing_eagerly():
        for i in range(steps):
            loss, _ = step()
            bar.update(i + 1)
            yield [float(loss)] + [v.numpy() for v in line]
        return
    fetches = step()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i in range(steps):
            loss, _ = session.run(fetches)
            bar.update(i + 1)
            yield [loss] + session.run(line)


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
    parser.add_argument("--eager", action="store_true", help="not as a graph")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/regression", help="for the picture")
    parser.add_argument("--steps", type=int, default=300)
    args = parser.parse_args()
    if args.eager:
        tf.enable_eager_execution()
    (x, y), curves = points(), {}
    for name, style in STYLES.items():
        steps = 20 if args.short else args.steps
        losses, ws, bs = zip(*run(style, x, y, steps))
        curves[name] = losses
        print(f"{name:10} loss {losses[0]:.4f} -> {losses[-1]:.4f}, "
              f"w = {ws[-1]:.4f}, b = {bs[-1]:.4f}")  # fmt: skip
    tf.gfile.MakeDirs(args.folder)
    path = os.path.join(args.folder, "regression.png")
    plot(curves, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()

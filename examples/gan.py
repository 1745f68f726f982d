"""A generative adversarial network: points on a ring, from noise.

    python gan.py                     # as a graph; --eager runs it eagerly
    python gan.py --short             # some seconds, to see that it runs

The generator makes points, the discriminator tells them from true ones; each learns
from the other. The plot shows both kinds of points, and the two losses.
"""

import argparse
import os

import numpy as np

import twinflow as tf

tfe = tf.contrib.eager
NOISE = 4


# %% [markdown]
# ## Two networks
# Both are small: a plane has two dimensions.


# %%
def network(outputs):
    """Two hidden layers."""
    return tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="tanh"),
        tf.keras.layers.Dense(32, activation="tanh"),
        tf.keras.layers.Dense(outputs),
    ])  # fmt: skip


def ring(count, random):
    """Points near the circle of radius 2."""
    angle = random.uniform(0, 2 * np.pi, count)
    radius = random.normal(2, 0.1, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return points.astype(np.float32)


def noise(count, random):
    return random.normal(size=[count, NOISE]).astype(np.float32)


# %% [markdown]
# ## Two losses
# What is good for one is bad for the other.


# %%
def discriminator_loss(true_logits, false_logits):
    """Cross entropy: true points are 0.9, which keeps it modest, others zeros."""
    true = tf.losses.sigmoid_cross_entropy(0.9 * tf.ones_like(true_logits), true_logits)
    false = tf.losses.sigmoid_cross_entropy(tf.zeros_like(false_logits), false_logits)
    return true + false


def generator_loss(false_logits):
    """What was made should be taken for true."""
    return tf.losses.sigmoid_cross_entropy(tf.ones_like(false_logits), false_logits)


# %% [markdown]
# ## A step of both
# Two tapes record the same forward pass; each gives the gradients of one loss. Neither
# network is changed before both gradients are there.


# %%
class Game:
    """The two networks and their optimizers."""

    def __init__(self, rate=2e-3):
        self.generator, self.discriminator = network(2), network(1)
        self.optimizers = [tf.train.AdamOptimizer(rate, beta1=0.5) for _ in range(2)]

    def play(self, true, seeds):
        """A step of both; returns their losses, and the updates."""
        with tf.GradientTape() as tape, tf.GradientTape() as tape2:
            made = self.generator(seeds)
            false_logits = self.discriminator(made)
            loss = discriminator_loss(self.discriminator(true), false_logits)
            loss2 = generator_loss(false_logits)
        nets = [self.discriminator, self.generator]
        grads = [
            t.gradient(target, net.variables)
            for t, target, net in zip([tape, tape2], [loss, loss2], nets)
        ]
        with tf.control_dependencies([g for slopes in grads for g in slopes]):
            updates = [
                optimizer.apply_gradients(zip(slopes, net.variables))
                for optimizer, slopes, net in zip(self.optimizers, grads, nets)
            ]
        return loss, loss2, updates


# %% [markdown]
# ## Playing
# Eagerly a step is called each time, and `--functions` compiles it with `tfe.defun`. In
# a graph it is called once, and a session runs what it made. The numbers stay.


# %%
def eager_game(functions):
    """Functions for a step, and for what the generator makes of noise."""
    game = Game()
    play = tfe.defun(game.play) if functions else game.play

    def step(true, seeds):
        return [float(x) for x in play(tf.constant(true), tf.constant(seeds))[:2]]

    return step, lambda seeds: game.generator(tf.constant(seeds)).numpy()


def graph_game():
    """The same in a graph and a session."""
    game, session = Game(), tf.Session()
    true = tf.placeholder(tf.float32, [None, 2])
    seeds = tf.placeholder(tf.float32, [None, NOISE])
    fetches, made = game.play(true, seeds), game.generator(seeds)
    session.run(tf.global_variables_initializer())

    def step(*arrays):
        return session.run(fetches, dict(zip([true, seeds], arrays)))[:2]

    return step, lambda array: session.run(made, {seeds: array})


def plot(true, made, losses, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.5))
    left.scatter(*true.T, s=6, label="true")
    left.scatter(*made.T, s=6, label="made")
    left.set_aspect("equal")
    left.legend()
    right.plot(losses, label=["discriminator", "generator"])
    right.set(xlabel="step", ylabel="loss")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--eager", action="store_true", help="not as a graph")
    parser.add_argument("--functions", action="store_true", help="eagerly, with defun")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/gan", help="for the picture")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=64)
    args = parser.parse_args()
    eager = args.eager or args.functions
    if eager:
        tf.enable_eager_execution()
    tf.set_random_seed(1)
    steps = 20 if args.short else args.steps
    random, losses = np.random.RandomState(0), []
    step, generate = eager_game(args.functions) if eager else graph_game()
    bar = tf.keras.utils.Progbar(steps)
    for i in range(steps):
        losses.append(step(ring(args.batch, random), noise(args.batch, random)))
        bar.update(i + 1)
    made = generate(noise(500, random))
    print(f"losses {losses[-1][0]:.4f} and {losses[-1][1]:.4f}")
    print(f"the radius of true points is 2, of made ones {radius(made):.3f}")
    tf.gfile.MakeDirs(args.folder)
    path = os.path.join(args.folder, "gan.png")
    plot(ring(500, random), made, losses, path)
    print(f"The picture is {path}.")


def radius(points):
    """The mean distance from the middle."""
    return np.sqrt((points**2).sum(1)).mean()


if __name__ == "__main__":
    main()

"""A generative adversarial network: points on a ring, from noise.

    python gan.py --steps 2000 --plot gan.png

The generator makes points, the discriminator tells them from true ones; each learns
from the other. The plot shows both kinds of points, and the two losses.
"""

import argparse

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
        """A step of both; returns their losses."""
        with tf.GradientTape() as tape, tf.GradientTape() as tape2:
            made = self.generator(seeds)
            false_logits = self.discriminator(made)
            loss = discriminator_loss(self.discriminator(true), false_logits)
            loss2 = generator_loss(false_logits)
        for t, target, net, optimizer in zip(
            [tape, tape2], [loss, loss2], [self.discriminator, self.generator],
            self.optimizers,
        ):  # fmt: skip
            grads = t.gradient(target, net.variables)
            optimizer.apply_gradients(zip(grads, net.variables))
        return loss, loss2


# %% [markdown]
# ## Playing
# One option, `--functions`, compiles a step with `tfe.defun`; the numbers stay.


# %%
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
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--functions", action="store_true", help="compile with defun")
    parser.add_argument("--plot", help="a PNG file to write")
    args = parser.parse_args()
    tf.enable_eager_execution()
    tf.set_random_seed(1)
    random, game, losses = np.random.RandomState(0), Game(), []
    game.play(tf.constant(ring(2, random)), tf.constant(noise(2, random)))
    play = tfe.defun(game.play) if args.functions else game.play
    for _ in range(args.steps):
        true, seeds = ring(args.batch, random), noise(args.batch, random)
        losses.append([float(x) for x in play(tf.constant(true), tf.constant(seeds))])
    made = game.generator(tf.constant(noise(500, random))).numpy()
    print(f"losses {losses[-1][0]:.4f} and {losses[-1][1]:.4f}")
    print(f"the radius of true points is 2, of made ones {radius(made):.3f}")
    if args.plot:
        plot(ring(500, random), made, losses, args.plot)
        print(f"The picture is {args.plot}.")


def radius(points):
    """The mean distance from the middle."""
    return np.sqrt((points**2).sum(1)).mean()


if __name__ == "__main__":
    main()

"""A variational autoencoder draws digits: tf.distributions and what they know.

    python vae.py                     # as a graph; --eager runs it eagerly
    python vae.py --short             # some seconds, to see that it runs

An encoder turns an image into a cloud of points in a plane, a decoder turns a point
into an image. What lies between two digits in the plane is a digit between the two, and
a walk over the plane shows all that the network can draw.
"""

# %%
import argparse
import os

import numpy as np
from matplotlib import pyplot
from sklearn.datasets import load_digits

import twinflow as tf

tfd = tf.distributions
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/vae", help="where all files go")
options = parser.parse_args()
steps = 40 if options.short else 6000
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## The images
# 1797 handwritten digits of 8 x 8 pixels, which scikit-learn brings along. A pixel is
# the chance of ink.

# %%
images, labels = load_digits(return_X_y=True)
images = (images / 16).astype(np.float32)
random, BATCH, PLANE = np.random.RandomState(0), 128, 2
print(f"{len(images)} images of {images.shape[1]} pixels, {images.mean():.2f} ink")

# %% [markdown]
# ## Two networks and two distributions
# The encoder gives a normal distribution over the plane, the decoder a Bernoulli
# distribution over pixels. `tf.distributions` knows how to draw from the first so that
# gradients pass, how likely an image is under the second, and how far one normal
# distribution is from another, so that the bound on the likelihood is three lines.

# %%
dense = tf.keras.layers.Dense
encoder = tf.keras.Sequential([
    dense(96, "relu", input_shape=[64]), dense(48, "relu"), dense(2 * PLANE),
])  # fmt: skip
decoder = tf.keras.Sequential([
    dense(48, "relu", input_shape=[PLANE]), dense(96, "relu"), dense(64),
])  # fmt: skip
optimizer = tf.train.AdamOptimizer(2e-3)


def places(images):
    """The distribution of each image over the plane."""
    mean, scale = tf.split(encoder(images), 2, axis=1)
    return tfd.Normal(mean, tf.nn.softplus(scale) + 1e-3)


def bound(images):
    """The mean of what the log likelihood is at least (ELBO), and its two parts."""
    prior, posterior = tfd.Normal(0.0, 1.0), places(images)
    pixels = tfd.Bernoulli(logits=decoder(posterior.sample()))
    likelihood = tf.reduce_sum(pixels.log_prob(images), axis=1)
    apart = tf.reduce_sum(tfd.kl_divergence(posterior, prior), axis=1)
    return [tf.reduce_mean(x) for x in (likelihood - apart, likelihood, apart)]


def train(images):
    with tf.GradientTape() as tape:
        parts = bound(images)
        loss = -parts[0]
    variables = encoder.variables + decoder.variables
    grads = tape.gradient(loss, variables)
    return parts, optimizer.apply_gradients(zip(grads, variables))


# %% [markdown]
# ## Training
# Eagerly `train` runs at each call; in a graph it runs once, and a session runs what it
# made. `compute` does the same for everything that is asked afterwards.

# %%
if options.eager:

    def step(batch):
        return [float(x) for x in train(tf.constant(batch))[0]]

    def compute(function, array):
        return function(tf.constant(array)).numpy()
else:
    feed = tf.placeholder(tf.float32, [None, 64])
    fetches = train(feed)
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def step(batch):
        return session.run(fetches, {feed: batch})[0]

    def compute(function, array):
        return session.run(function(tf.constant(array)))


curve, bar = [], tf.keras.utils.Progbar(steps, stateful_metrics=["bound"])
for number in range(steps):
    curve.append(step(images[random.randint(0, len(images), BATCH)]))
    if number % 20 == 19:
        bar.update(number + 1, [("bound", np.mean([c[0] for c in curve[-50:]]))])
print("the bound, {:.2f}, is likelihood {:.2f} minus divergence {:.2f}".format(
    *np.mean(curve[-100:], axis=0)))  # fmt: skip

# %% [markdown]
# ## The plane
# Left, where the encoder puts the images: it never saw their labels, by which they are
# coloured here. Right, what the decoder makes of the points of a grid; the grid is
# dense where the prior is.

# %%
means = compute(lambda x: places(x).mean(), images)
SIDE = 11
along = compute(
    tfd.Normal(0.0, 1.0).quantile, np.linspace(0.03, 0.97, SIDE, dtype="f4")
)
grid = np.stack(np.meshgrid(along, along[::-1]), axis=-1).reshape(-1, PLANE)
drawn = compute(lambda z: tf.sigmoid(decoder(z)), grid.astype(np.float32))
tiles = np.pad(drawn.reshape(SIDE, SIDE, 8, 8), [(0, 0), (0, 0), (1, 1), (1, 1)])
tiles = tiles.transpose(0, 2, 1, 3).reshape(SIDE * 10, -1)
figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 5.2))
shown = left.scatter(*means.T, c=labels, s=7, cmap="tab10", vmin=-0.5, vmax=9.5)
figure.colorbar(shown, ax=left, ticks=range(10), fraction=0.046)
left.set(title="Where the encoder puts them", xlim=(-3.5, 3.5), ylim=(-3.5, 3.5))
right.imshow(tiles, cmap="gray_r")
right.set(title="What the decoder draws there", xticks=[], yticks=[])
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "plane.png"), dpi=110)
print(f"The picture is {options.folder}/plane.png.")

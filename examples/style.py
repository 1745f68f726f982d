"""Style transfer: the strokes of one picture, the content of another.

    python style.py                   # as a graph; --eager runs it eagerly
    python style.py --short           # some seconds, to see that it runs

A network that knows pictures tells apart what is in one and how it is drawn: content is
what a deep layer sees and where, style is which features of its layers occur together.
A picture is changed, pixel by pixel, until it has the content of one and the style of
another.
"""

# %%
import argparse
import os

import numpy as np
from matplotlib import pyplot
from scipy import ndimage

import twinflow as tf

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/style", help="where all files go")
options = parser.parse_args()
learning, painting = (4, 3) if options.short else (400, 200)
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## Textures, to know pictures by
# In 2015 one took a network that had learned a million photographs. A small one that
# has learned to tell eight kinds of texture apart is enough for strokes; it trains
# here, in some seconds, and its weights stay in the folder for the next time.

# %%
KINDS, SIDE = 8, 96
random = np.random.RandomState(0)


def texture(kind, side, random):
    """float32[side, side, 3] of one of the kinds, in two colours drawn at random."""
    y, x = np.mgrid[:side, :side] + random.uniform(0, side, [2, 1, 1])
    turn, size = random.uniform(0, np.pi), random.uniform(4, 7)
    along, across = (
        np.cos(turn) * x + np.sin(turn) * y,
        np.cos(turn) * y - np.sin(turn) * x,
    )
    noise = ndimage.gaussian_filter(random.randn(side, side), 2, mode="wrap") * 7
    shades = [
        np.sin(along * 2 * np.pi / size),
        np.sin(along * np.pi / size) * np.sin(across * np.pi / size),
        np.sin(np.hypot(x - x.mean(), y - y.mean()) * 2 * np.pi / size),
        np.sin((along + 3 * np.sin(across / size)) * 2 * np.pi / size),
        noise,
        np.sign(np.sin(along * np.pi / size) * np.sin(across * np.pi / size)),
        np.cos(along * np.pi / size) ** 8 * 2 - 1,
        ndimage.gaussian_filter(noise, [0.1, 5], mode="wrap") * 4,
    ]
    part = np.clip(0.5 + 0.5 * shades[kind], 0, 1)[..., None]
    colours = random.uniform(0, 1, [2, 3]) * 0.5 + [[0.0], [0.5]]
    return (part * colours[0] + (1 - part) * colours[1]).astype(np.float32)


conv, pool = tf.keras.layers.Conv2D, tf.keras.layers.AveragePooling2D
stem = [
    conv(16, 3, activation="relu", padding="same", input_shape=[None, None, 3]),
    conv(16, 3, activation="relu", padding="same"), pool(),
    conv(32, 3, activation="relu", padding="same"), pool(),
    conv(32, 3, activation="relu", padding="same"),
]  # fmt: skip
features = tf.keras.Sequential(stem)
ending = [tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(KINDS)]
classifier = tf.keras.Sequential([features, *ending])

# %% [markdown]
# One function learns a step; it runs at each call, or makes a graph for a session.

# %%
optimizer = tf.train.AdamOptimizer(3e-3)


def train(images, kinds):
    with tf.GradientTape() as tape:
        logits = classifier(images)
        loss = tf.losses.sparse_softmax_cross_entropy(kinds, logits)
    grads = tape.gradient(loss, classifier.variables)
    right = tf.reduce_mean(tf.to_float(tf.equal(tf.argmax(logits, 1), kinds)))
    return right, optimizer.apply_gradients(zip(grads, classifier.variables))


def batch(count=24, side=32):
    kinds = random.randint(0, KINDS, count)
    return np.stack([texture(kind, side, random) for kind in kinds]), kinds


if options.eager:

    def learn(images, kinds):
        return float(train(tf.constant(images), tf.constant(kinds))[0])
else:
    feeds = tf.placeholder(tf.float32, [None, None, None, 3]), tf.placeholder(tf.int64)
    feeds[1].set_shape([None])
    fetches, session = train(*feeds), tf.Session()
    tf.keras.backend.set_session(session)
    session.run(tf.global_variables_initializer())

    def learn(*arrays):
        return session.run(fetches, dict(zip(feeds, arrays)))[0]


weights, scores = os.path.join(options.folder, "weights"), []
if tf.train.latest_checkpoint(options.folder):
    classifier.load_weights(weights)
    print(f"The weights are those of {weights}.")
else:
    bar = tf.keras.utils.Progbar(learning, stateful_metrics=["right"])
    for number in range(learning):
        scores.append(learn(*batch()))
        bar.update(number + 1, [("right", np.mean(scores[-10:]))])
    classifier.save_weights(weights)

# %% [markdown]
# ## Two pictures
# The content is a drawing: a house under the moon. The style is one of the textures.


# %%
def drawing():
    """float32[SIDE, SIDE, 3]: a house, a hill and the moon."""
    y, x = np.mgrid[:SIDE, :SIDE] / SIDE
    picture = np.full([SIDE, SIDE, 3], [0.25, 0.35, 0.6])
    picture[y > 0.75 + 0.08 * np.sin(5 * x)] = [0.3, 0.5, 0.25]
    picture[np.hypot(x - 0.78, y - 0.2) < 0.1] = [0.95, 0.9, 0.6]
    picture[(abs(x - 0.38) < 0.22) & (abs(y - 0.66) < 0.16)] = [0.85, 0.75, 0.6]
    picture[(abs(x - 0.38) < 0.9 * (y - 0.22)) & (y < 0.5)] = [0.65, 0.25, 0.2]
    picture[(abs(x - 0.45) < 0.06) & (abs(y - 0.73) < 0.1)] = [0.35, 0.22, 0.15]
    picture[(abs(x - 0.28) < 0.06) & (abs(y - 0.62) < 0.06)] = [0.95, 0.85, 0.4]
    return ndimage.gaussian_filter(picture, [0.6, 0.6, 0]).astype(np.float32)


content, style = drawing(), texture(3, SIDE, np.random.RandomState(5))

# %% [markdown]
# ## What is compared
# Content: what the third convolution sees. Style: for three layers the Gram matrix,
# which says how often two features occur together, wherever that is.


# %%
def looks(picture):
    """What the network sees: the outputs of the layers that count."""
    seen, x = [], picture[None]
    for layer in stem:
        x = layer(x)
        seen.append(x)
    return seen[1], seen[3], seen[5]


def gram(x):
    """float[features, features]: how often two of them occur together."""
    x = tf.reshape(x, [-1, x.shape[-1].value])
    return tf.matmul(x, x, transpose_a=True) / tf.to_float(tf.shape(x)[0])


def relative(x, wanted):
    """The squared distance, in parts of what is wanted."""
    return tf.reduce_mean(tf.square(x - wanted)) / np.mean(np.square(wanted))


def value(tensors):
    """The arrays of tensors, in either mode."""
    return [t.numpy() for t in tensors] if options.eager else session.run(tensors)


wanted = value(looks(tf.constant(content)))[1]
grams = value([gram(x) for x in looks(tf.constant(style))])


def distance(picture, strength):
    """How far a picture is from the content and the style."""
    seen = looks(picture)
    apart = tf.add_n([relative(gram(x), g) for x, g in zip(seen, grams)])
    rough = tf.image.total_variation(picture) / SIDE**2
    return relative(seen[1], wanted) + strength * apart + 0.02 * rough


# %% [markdown]
# ## Painting
# Now the picture is the variable, and Adam changes its pixels. How strong the style
# should be is a matter of taste, so here are three.

# %%
STRENGTHS = [0.05, 0.5, 5.0]
pictures = [tf.contrib.eager.Variable(content) for _ in STRENGTHS]
painter = tf.train.AdamOptimizer(0.02)


def paint():
    """A step for each of the pictures; their distances."""
    with tf.GradientTape() as tape:
        far = [distance(p, strength) for p, strength in zip(pictures, STRENGTHS)]
    grads = tape.gradient(far, pictures)
    return far, painter.apply_gradients(zip(grads, pictures))


if options.eager:

    def step():
        return [float(x) for x in paint()[0]]
else:
    painted = paint()
    session.run(tf.variables_initializer(pictures + painter.variables()))

    def step():
        return session.run(painted)[0]


curve, bar = [], tf.keras.utils.Progbar(painting, stateful_metrics=["distance"])
for number in range(painting):
    curve.append(step())
    bar.update(number + 1, [("distance", np.mean(curve[-1]))])
first, last = curve[0], curve[-1]
for strength, before, after in zip(STRENGTHS, first, last):
    print(f"style {strength}: distance {before:.3f} -> {after:.3f}")

# %% [markdown]
# ## The pictures

# %%
shown = {"content": content, "style": style}
for strength, picture in zip(STRENGTHS, value(pictures)):
    shown[f"style x {strength:g}"] = picture
figure, axes = pyplot.subplots(1, len(shown), figsize=(12, 2.8))
for axis, (title, picture) in zip(axes, shown.items()):
    axis.imshow(np.clip(picture, 0, 1))
    axis.set(title=title, xticks=[], yticks=[])
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "style.png"), dpi=110)
print(f"The picture is {options.folder}/style.png.")

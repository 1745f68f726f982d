"""RevNet: a deep network whose memory does not grow with its depth.

    python reversible.py              # as a graph; --eager runs it eagerly
    python reversible.py --short      # some seconds, to see that it runs

Training keeps what each layer gave, since the way back needs it. A reversible block can
be undone: the way back computes its input again from its output, so that of a whole
stack of blocks only the last output is kept. It costs a third more time.
"""

# %%
import argparse
import os

import blocks
import config as configs
import data
import measure
import model as models
import numpy as np
from matplotlib import pyplot

import twinflow as tf

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/revnet", help="where all files go")
options = parser.parse_args()
steps, depths = (3, [1, 2]) if options.short else (150, [1, 3, 5, 7])
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## A block, and back
# The channels of a picture are halved, and each half is changed by a function of the
# other one: `y1 = x1 + f(x2)`, `y2 = x2 + g(y1)`. Whatever `f` and `g` are, that can be
# undone: `x2 = y2 - g(y1)`, `x1 = y1 - f(x2)`. Here they are two convolutions each.
# `tf.contrib.reversible` has the block, and sequences of them; any layers will do.

# %%
block = blocks.residual(16)
x = tf.random_normal([4, 16, 16, 16], seed=2)
y = block(x, training=True)
again, dx, grads = block.backward_grads(y, tf.ones_like(y))
apart = tf.reduce_max(tf.abs(again - x)), tf.reduce_max(tf.abs(y - x))

session = None if options.eager else tf.Session()


def start():
    """Give variables of a graph that have no value yet their first one."""
    if session:
        tf.keras.backend.set_session(session)
        names = set(session.run(tf.report_uninitialized_variables()))
        missing = [v for v in tf.global_variables() if v.op.name.encode() in names]
        session.run([v.initializer for v in missing])


def values(tensors):
    """The numbers of tensors, in either mode."""
    if session:
        return session.run(tensors)
    return [t.numpy() for t in tensors]


start()
print("The input is found again to {:.0e}; the output is {:.1f} away.".format(
    *values(apart)))  # fmt: skip

# %% [markdown]
# ## A network
# A convolution, two stages of such blocks, and a dense layer. The first block of a
# stage has fewer pixels and more channels, and cannot be undone: its input is kept.
# `model.py` computes the gradients from the end to the start; they are those of one
# tape over everything, up to rounding.

# %%
config = configs.named("revnet-tiny", rates=[0.05] * 3)
model, optimizer = models.RevNet(config), tf.train.MomentumOptimizer(0.05, 0.9)


def pictures(count, seed):
    """Waves in ten directions, which are the classes, of mean 0 and deviation 1."""
    found, labels = data.made_up(count, seed)
    return ((found - data.MEAN) / data.DEVIATION).astype(np.float32), labels


def gradients(images, labels):
    """Those of the model's own way back, and those of a tape."""
    _, hidden = model(images, training=True)
    own, loss = model.compute_gradients(hidden, labels)
    for stage in model.stages:
        stage.reversible = False  # the tape keeps what each block gave
    taped, _ = model.taped_gradients(images, labels)
    for stage in model.stages:
        stage.reversible = True
    return [tf.reduce_max(tf.abs(a - b)) for a, b in zip(own, taped)] + [loss]


images, labels = pictures(8, 5)
found = gradients(tf.constant(images), tf.constant(labels))
start()
*apart, loss = values(found)
print(f"{len(apart)} variables, gradients differ by at most {max(apart):.0e}")

# %% [markdown]
# ## Training
# On pictures that are made up here: waves, whose direction is the class.


# %%
def train(images, labels):
    """A step: (the loss, the update)."""
    _, hidden = model(images, training=True)
    grads, loss = model.compute_gradients(hidden, labels)
    moved = [] if options.eager else model.get_updates_for(images)  # statistics
    with tf.control_dependencies(moved):
        pairs = zip(grads, model.trainable_variables)
        return loss, optimizer.apply_gradients(pairs)


if options.eager:

    def step(*arrays):
        return float(train(*map(tf.constant, arrays))[0])
else:
    feeds = [
        tf.placeholder(tf.float32, [None, 32, 32, 3]),
        tf.placeholder(tf.int64, [None]),
    ]
    fetches = train(*feeds)
    start()

    def step(*arrays):
        return session.run(fetches, dict(zip(feeds, arrays)))[0]


images, labels = pictures(2000, 0)
random, losses = np.random.RandomState(0), []
bar = tf.keras.utils.Progbar(steps, stateful_metrics=["loss"])
for number in range(steps):
    chosen = random.randint(0, len(images), config.batch_size)
    losses.append(step(images[chosen], labels[chosen]))
    bar.update(number + 1, [("loss", np.mean(losses[-10:]))])

images, labels = pictures(500, 9)
logits, _ = model(tf.constant(images), training=False)
(logits,) = values([logits])
right = 100 * np.mean(logits.argmax(1) == labels)
print(f"loss {losses[0]:.3f} -> {np.mean(losses[-10:]):.3f}, {right:.1f} % of new "
      "pictures are right")  # fmt: skip

# %% [markdown]
# ## Memory over the depth
# `measure.py` trains networks of several depths, with blocks that are undone and with
# ordinary ones, in a process of its own each, and looks at the most bytes that arrays
# take within a step. What still grows are the gradients, which are as large as the
# weights. `make revnet` measures speed, too, in all modes and engines.

# %%
mode = "eager" if options.eager else "graph, interpreted"
rows, bar = {way: [] for way in measure.WAYS}, tf.keras.utils.Progbar(len(depths))
for i, count in enumerate(depths):
    wanted = argparse.Namespace(batch=8, repeats=1, units=[count])
    for way, measured in measure.in_own_process(mode, wanted).items():
        rows[way] += measured
    bar.update(i + 1)
for (depth, _, size, _), (_, _, ordinary, _) in zip(*rows.values()):
    print(f"depth {depth}: {size / 1e6:.1f} MB, ordinary {ordinary / 1e6:.1f} MB")

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
left.plot(losses)
left.set(xlabel="step", ylabel="loss", title="A small RevNet learns")
for way, measured in rows.items():
    depth, _, size, _ = zip(*measured)
    right.plot(depth, np.array(size) / 1e6, marker="o", label=way)
right.set(xlabel="depth", ylabel="MB within a step", title="Memory, batch of 8")
right.set_ylim(bottom=0)
right.legend()
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "revnet.png"), dpi=110)
print(f"The picture is {options.folder}/revnet.png.")

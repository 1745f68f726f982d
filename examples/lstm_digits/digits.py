"""An LSTM reads digits: one network as a Keras model, and out of single ops.

    python digits.py                  # as a graph; --eager runs it eagerly
    python digits.py --short          # some seconds, to see that it runs

Digits are drawn, and come from a TFRecord file. Two convolutions look at one, and what
each of their channels saw is a step of an LSTM. Curves for TensorBoard and a checkpoint
of both networks go into the folder, so that the next run goes on.
"""

# %%
import argparse
import os

import low_level
import model
import numpy as np
import records
from matplotlib import pyplot

import twinflow as tf

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/lstm_digits", help="for all files")
options = parser.parse_args()
count, batch, epochs = (48, 16, 1) if options.short else (1000, 32, 5)
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.get_variable_scope().set_use_resource(True)  # a tape sees those of get_variable
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## Records
# `records.py` draws digits of 28 x 28 pixels, shifted and noisy, and writes each as a
# `tf.train.Example`. tf.data reads, parses, shuffles and batches them.

# %%
path = os.path.join(options.folder, "train.tfrecords")
records.write(path, count)
dataset = records.dataset(path, batch)
print(f"{count} digits, {os.path.getsize(path)} bytes")

# %% [markdown]
# ## One network, twice
# `model.py` has it as a Keras model, `low_level.py` as functions that call
# `tf.get_variable` and single ops. `tf.make_template` gives those functions their
# variables once, in both modes; then the two are alike from outside. Eagerly a tape has
# the gradients. In a graph it could here, too, but those of TensorFlow 1.12 do not pass
# the loop that an LSTM is there, and `tf.gradients` does.

# %%
networks = {
    "Keras model": model.Reader(64, 10),
    "single ops": tf.make_template("low", low_level.logits_of, units=64, classes=10),
}
optimizers = [tf.train.AdamOptimizer(1e-3) for _ in networks]
steps = tf.train.get_or_create_global_step()


def train(network, optimizer, images, labels):
    """A step: (the loss, how many were right, the update)."""
    with tf.GradientTape() as tape:
        logits = network(images)
        loss = tf.losses.softmax_cross_entropy(labels, logits)
    variables = network.trainable_variables
    slopes = tape.gradient if options.eager else tf.gradients
    grads = slopes(loss, variables)
    update = optimizer.apply_gradients(zip(grads, variables))
    right = tf.equal(tf.argmax(labels, axis=1), tf.argmax(logits, axis=1))
    return loss, tf.reduce_mean(tf.to_float(right)), update


def train_both(images, labels):
    """A step of each network, on the same digits, with its curve for TensorBoard."""
    found = []
    with tf.contrib.summary.always_record_summaries():
        for (name, network), optimizer in zip(networks.items(), optimizers):
            loss, right, update = train(network, optimizer, images, labels)
            tf.contrib.summary.scalar(name.replace(" ", "_"), loss)
            found.append((loss, right, update))
    return found, steps.assign_add(1)


# %% [markdown]
# ## In either mode
# Eagerly `train_both` runs at each batch; in a graph it runs once, and a session runs
# what it made. An object-based checkpoint knows both networks, their optimizers and the
# step, and is the same in both modes.

# %%
writer = tf.contrib.summary.create_file_writer(options.folder)
checkpoint = tf.train.Checkpoint(
    model=networks["Keras model"], low=networks["single ops"], steps=steps,
    optimizer=optimizers[0], low_optimizer=optimizers[1],
)  # fmt: skip
last = tf.train.latest_checkpoint(options.folder)
if options.eager:
    session = None
    checkpoint.restore(last)

    def epoch():
        for images, labels in dataset:
            with writer.as_default():
                found, _ = train_both(images, labels)
            yield [[float(loss), float(right)] for loss, right, _ in found]
else:
    session = tf.Session()
    iterator = dataset.make_initializable_iterator()
    with writer.as_default():
        fetches = train_both(*iterator.get_next())
        fetches = [fetches, tf.contrib.summary.all_summary_ops()]
        tf.contrib.summary.initialize(tf.get_default_graph(), session=session)
    checkpoint.restore(last).initialize_or_restore(session)

    def epoch():
        session.run(iterator.initializer)
        while True:
            try:
                (found, _), _ = session.run(fetches)
            except tf.errors.OutOfRangeError:
                return
            yield [[loss, right] for loss, right, _ in found]


# %% [markdown]
# ## Training
# Both learn from the same batches. Where one is ahead of the other it is by chance: the
# weights begin elsewhere.

# %%
curves, bar = [], tf.keras.utils.Progbar(epochs * (count // batch))
for _ in range(epochs):
    for row in epoch():
        curves.append(row)
        bar.update(len(curves))
    checkpoint.save(os.path.join(options.folder, "ckpt"), session=session)
flushed = writer.flush()
if session:
    session.run(flushed)
curves = np.array(curves)  # step, network, (loss, right)
for i, name in enumerate(networks):
    first, last = curves[0, i], curves[-10:, i].mean(0)
    print(f"{name}: loss {first[0]:.4f} -> {last[0]:.4f}, right {last[1]:.3f}")

# %% [markdown]
# ## What they read
# New digits, with what the Keras model reads; mistakes are red, and come first.

# %%
images, labels = records.digits(1000, seed=9)
pixels = tf.constant(images.reshape(-1, 784).astype(np.float32) / 255)
answers = [tf.argmax(network(pixels), axis=1) for network in networks.values()]
answers = [a.numpy() for a in answers] if options.eager else session.run(answers)
for name, answer in zip(networks, answers):
    right = 100 * np.mean(answer == labels)
    print(f"{name}: {right:.1f} % of {len(labels)} new digits are right")

figure = pyplot.figure(figsize=(11, 4.2))
left = figure.add_axes([0.07, 0.13, 0.4, 0.78])
for i, name in enumerate(networks):
    left.plot(curves[:, i, 0], label=name, linewidth=1.2)
left.set(xlabel="step", ylabel="loss", title="Two forms of one network")
left.legend()
wrong = np.flatnonzero(answers[0] != labels)[:8]
shown = np.concatenate([wrong, np.flatnonzero(answers[0] == labels)])[:40]
for place, i in enumerate(shown):
    axes = figure.add_axes([0.52 + place % 8 * 0.059, 0.75 - place // 8 * 0.17,
                            0.055, 0.13])  # fmt: skip
    axes.imshow(images[i], cmap="gray_r")
    axes.set(xticks=[], yticks=[])
    color = "black" if answers[0][i] == labels[i] else "red"
    axes.set_title(answers[0][i], fontsize=8, pad=1, color=color)
figure.savefig(os.path.join(options.folder, "digits.png"), dpi=110)
print(f"The picture is {options.folder}/digits.png.")

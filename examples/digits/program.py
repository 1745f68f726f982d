"""Handwritten digits: one program, three ways to run it.

    python program.py eager       # every op runs at once
    python program.py functions   # the three steps are compiled with tfe.defun
    python program.py graph       # the line below is taken out: a TF1 graph and Session

The result is one JSON file with the loss of every step; see demo.py for the comparison.
"""

import argparse
import json
import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import twinflow as tf

tfe = tf.contrib.eager
BATCH = 32


class Net(tf.keras.Model):
    """Two convolutions and two dense layers for images of 8 x 8 pixels."""

    def __init__(self):
        super().__init__()
        layers = tf.keras.layers
        self.conv1 = layers.Conv2D(16, 3, padding="same", activation="relu")
        self.conv2 = layers.Conv2D(32, 3, padding="same", activation="relu")
        self.pool = layers.MaxPool2D()
        self.flatten = layers.Flatten()
        self.dense = layers.Dense(64, activation="relu")
        self.dropout = layers.Dropout(0.25)
        self.logits = layers.Dense(10)

    def call(self, images, training=False):
        x = self.pool(self.conv1(images))
        x = self.pool(self.conv2(x))
        x = self.dense(self.flatten(x))
        return self.logits(self.dropout(x, training=training))


def data():
    """(images, labels) to train on, and to test on."""
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[..., np.newaxis]
    labels = digits.target.astype(np.int64)
    x, x_test, y, y_test = train_test_split(
        images, labels, test_size=360, random_state=0, stratify=labels
    )
    return (x, y), (x_test, y_test)


class Program:
    """The model and its three steps: gradient, update, evaluation."""

    def __init__(self):
        self.model = Net()
        self.optimizer = tf.train.AdamOptimizer(3e-3)

    def gradient(self, images, labels):
        with tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        return loss, tape.gradient(loss, self.model.trainable_variables)

    def update(self, gradients):
        return self.optimizer.apply_gradients(
            zip(gradients, self.model.trainable_variables)
        )

    def accuracy(self, images, labels):
        guesses = tf.argmax(self.model(images), axis=1)
        return tf.reduce_mean(tf.cast(tf.equal(guesses, labels), tf.float32))


def nudge(variables):
    """Move every weight to the next float: one unit in the last place."""
    for v in variables:
        v.assign(np.nextafter(v.numpy(), np.float32(np.inf)))


def run_eagerly(program, train, test, epochs, bar, nudged):
    """The loop that runs ops (or compiled functions) at once."""
    dataset = tf.data.Dataset.from_tensor_slices(train).shuffle(len(train[0]), seed=1)
    dataset = dataset.batch(BATCH).prefetch(2)
    if nudged:
        program.model(train[0][:1])
        nudge(program.model.variables)
    for _ in range(epochs):
        losses, start = [], time.perf_counter()
        for images, labels in dataset:
            loss, gradients = program.gradient(images, labels)
            program.update(gradients)
            losses.append(float(loss))
            bar.add(1, [("loss", losses[-1])])
        seconds = time.perf_counter() - start
        yield losses, seconds, float(program.accuracy(*test))


def run_graph(program, train, test, epochs, bar):
    """The loop around a Session: the same calls, made once."""
    dataset = tf.data.Dataset.from_tensor_slices(train).shuffle(len(train[0]), seed=1)
    iterator = dataset.batch(BATCH).prefetch(2).make_initializable_iterator()
    loss, gradients = program.gradient(*iterator.get_next())
    update = program.update(gradients)
    accuracy = program.accuracy(*test)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(epochs):
            losses, start = [], time.perf_counter()
            sess.run(iterator.initializer)
            while True:
                try:
                    value, _ = sess.run([loss, update])
                except tf.errors.OutOfRangeError:
                    break
                losses.append(float(value))
                bar.add(1, [("loss", losses[-1])])
            seconds = time.perf_counter() - start
            yield losses, seconds, float(sess.run(accuracy))


def main(mode, epochs=14, nudged=False, out=None):
    """Train, and return what there is to compare."""
    if mode != "graph":
        tf.enable_eager_execution()  # the one line between the two
    tf.set_random_seed(42)
    train, test = data()
    program = Program()
    if mode == "functions":
        program.gradient = tfe.defun(program.gradient)
        program.update = tfe.defun(program.update)
        program.accuracy = tfe.defun(program.accuracy)
    print(mode + (", one ulp away" if nudged else ""))
    steps = epochs * -(-len(train[0]) // BATCH)
    bar = tf.keras.utils.Progbar(steps, stateful_metrics=["loss"])
    if mode == "graph":
        results = run_graph(program, train, test, epochs, bar)
    else:
        results = run_eagerly(program, train, test, epochs, bar, nudged)
    losses, seconds, accuracy = zip(*results, strict=True)
    found = {"losses": losses, "seconds": seconds, "accuracy": accuracy}
    if out:
        with open(out, "w") as f:
            json.dump(found, f)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=["eager", "functions", "graph"])
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--nudged", action="store_true", help="start one ulp away")
    parser.add_argument("--out", help="a JSON file for the results")
    args = parser.parse_args()
    main(args.mode, args.epochs, args.nudged, args.out)

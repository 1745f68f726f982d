"""A program as users write it with annotations: strict checkers find nothing here.

Two ways of training one classifier of irises, eagerly and by an estimator, and a third
as a graph with a session. `tests/typing/test_strict.py` hands it to the checkers, and
runs it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

import twinflow as tf

tfe = tf.contrib.eager
Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]
NAMES = ("sepal_length", "sepal_width", "petal_length", "petal_width")


def flowers(count: int, seed: int = 0) -> tuple[Floats, Labels]:
    """Look-alikes of irises: features, and which of three kinds each one is."""
    random = np.random.RandomState(seed)
    labels = random.randint(0, 3, size=count).astype(np.int64)
    noise = random.normal(scale=0.2, size=(count, len(NAMES)))
    return (labels[:, np.newaxis] + noise).astype(np.float32), labels


def augmented(features: tf.Tensor, label: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """A flower with a little noise."""
    noise = tf.random_normal(tf.shape(features), stddev=0.01)
    return features + noise, tf.cast(label, tf.int32)


def pipeline(features: Floats, labels: Labels, batch: int) -> tf.data.Dataset:
    """Shuffled batches of flowers."""
    data = tf.data.Dataset.from_tensor_slices((features, labels))
    data = data.shuffle(buffer_size=100, seed=1).map(augmented, num_parallel_calls=2)
    return data.batch(batch, drop_remainder=True).prefetch(1)


class Residual(tf.keras.layers.Layer):
    """A dense layer whose input is added to what it gives."""

    def __init__(self, units: int, name: str | None = None) -> None:
        super().__init__(name=name)
        self.units = units
        self.dense = tf.keras.layers.Dense(units, activation=tf.nn.relu)

    def build(self, input_shape: tf.TensorShape) -> None:
        self.scale = self.add_weight("scale", shape=[], initializer="ones")
        super().build(input_shape)

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        return inputs + self.scale * self.dense(inputs)


class Classifier(tf.keras.Model):
    """From four numbers to the logits of three kinds."""

    def __init__(self, width: int = 16, kinds: int = 3) -> None:
        super().__init__(name="classifier")
        self.first = tf.keras.layers.Dense(width, kernel_initializer="he_normal")
        self.block = Residual(width, name="block")
        self.norm = tf.keras.layers.BatchNormalization(momentum=0.9)
        self.drop = tf.keras.layers.Dropout(0.1)
        self.last = tf.keras.layers.Dense(kinds)

    def call(self, inputs: tf.Tensor, training: bool = False) -> tf.Tensor:
        hidden = tf.nn.relu(self.first(inputs))
        hidden = self.norm(self.block(hidden), training=training)
        return self.last(self.drop(hidden, training=training))


@tf.custom_gradient
def tamed(x: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    """The value itself, whose gradient is kept short."""

    def grad(dy: tf.Tensor) -> tf.Tensor:
        return tf.clip_by_norm(dy, 1.0)

    return tf.identity(x), grad


def loss_of(logits: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    """The mean cross entropy."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=tamed(logits)
    )
    return tf.reduce_mean(losses)


@tfe.defun
def confusion(logits: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    """How often each kind was taken for each other one."""
    return tf.confusion_matrix(labels, tf.argmax(logits, axis=1), num_classes=3)


def counted(data: tf.data.Dataset) -> Iterator[tuple[int, tf.Tensor, tf.Tensor]]:
    """The batches with their numbers."""
    for number, (features, labels) in enumerate(data):
        yield number, features, labels


def train_eagerly(folder: str, epochs: int) -> float:
    """Train by hand, with summaries and checkpoints; the accuracy of the end."""
    model = Classifier()
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.05, step, 100, 0.9)
    optimizer = tf.train.AdamOptimizer(rate)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, step=step)
    checkpoint.restore(tf.train.latest_checkpoint(folder))
    writer = tf.contrib.summary.create_file_writer(folder, flush_millis=1000)
    features, labels = flowers(64)
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        for _ in range(epochs):
            for number, inputs, wanted in counted(pipeline(features, labels, 16)):
                with tf.GradientTape() as tape:
                    logits = model(inputs, training=True)
                    loss = loss_of(logits, wanted) + tf.add_n(model.losses or [0.0])
                grads = tape.gradient(loss, model.trainable_variables)
                grads, norm = tf.clip_by_global_norm(grads, 5.0)
                optimizer.apply_gradients(
                    zip(grads, model.trainable_variables), global_step=step
                )
                tf.contrib.summary.scalar("loss", loss)
                tf.contrib.summary.histogram("norm", norm)
                if number == 0:
                    print(f"step {int(step)}: loss {float(loss):.3f}")
    path = checkpoint.save(os.path.join(folder, "model"))
    table = confusion(model(features), tf.constant(labels))
    print("saved", path, table.numpy().tolist())
    accuracy = tfe.metrics.Accuracy()
    accuracy(tf.argmax(model(features), axis=1), labels)
    return float(accuracy.result())


def train_as_graph(folder: str, steps: int) -> float:
    """The same by a graph and a session; the last loss."""
    features, labels = flowers(64)
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None, len(NAMES)], name="x")
        y = tf.placeholder(tf.int64, [None], name="y")
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            w = tf.get_variable(
                "w", [len(NAMES), 3], initializer=tf.zeros_initializer()
            )
            b = tf.get_variable("b", [3], initializer=tf.zeros_initializer())
        logits = tf.layers.dense(x, 3, activation=None) + tf.nn.xw_plus_b(x, w, b)
        loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
        step = tf.train.get_or_create_global_step()
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, global_step=step)
        tf.summary.scalar("loss", loss)
        summaries = tf.summary.merge_all()
        saver = tf.train.Saver(max_to_keep=2)
        init = tf.global_variables_initializer()
    value = 0.0
    with tf.Session(graph=graph) as sess:
        sess.run(init)
        writer = tf.summary.FileWriter(folder, sess.graph)
        for number in range(steps):
            feeds = {x: features, y: labels}
            _, value, text = sess.run([train, loss, summaries], feed_dict=feeds)
            writer.add_summary(text, global_step=number)
        writer.close()
        print(
            "saved", saver.save(sess, os.path.join(folder, "graph"), global_step=step)
        )
    return float(value)


def input_fn() -> tuple[dict[str, tf.Tensor], tf.Tensor]:
    """What the estimator is fed with."""
    features, labels = flowers(64)
    columns = {name: features[:, i] for i, name in enumerate(NAMES)}
    data = tf.data.Dataset.from_tensor_slices((columns, labels)).repeat().batch(16)
    given: tuple[dict[str, tf.Tensor], tf.Tensor]
    given = data.make_one_shot_iterator().get_next()
    return given


def train_an_estimator(folder: str, steps: int) -> float:
    """The same by a ready-made estimator with feature columns."""
    numbers = [tf.feature_column.numeric_column(name) for name in NAMES]
    widths = tf.feature_column.bucketized_column(numbers[1], boundaries=[0.5, 1.5])
    config = tf.estimator.RunConfig(model_dir=folder, tf_random_seed=1)
    estimator = tf.estimator.DNNClassifier(
        hidden_units=[8, 8], feature_columns=[*numbers, widths], n_classes=3,
        optimizer=tf.train.AdagradOptimizer(0.1), config=config,
    )  # fmt: skip
    estimator.train(input_fn, steps=steps)
    scores = estimator.evaluate(input_fn, steps=2)
    print(sorted(scores), next(estimator.predict(input_fn))["class_ids"])
    return float(scores["accuracy"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--mode", choices=["eager", "graph", "estimator"])
    given = parser.parse_args()
    folder: str = given.folder
    if given.mode == "eager":
        tf.enable_eager_execution()
        tf.set_random_seed(1)
        print("accuracy", train_eagerly(folder, epochs=10))
    elif given.mode == "graph":
        print("loss", train_as_graph(folder, steps=20))
    else:
        tf.logging.set_verbosity(tf.logging.ERROR)
        print("accuracy", train_an_estimator(folder, steps=20))


if __name__ == "__main__":
    main()

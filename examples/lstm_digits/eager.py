"""Two convolutions and an LSTM read digits, eagerly: a Keras model and a tape.

    python eager.py --folder digits

Summaries are written for TensorBoard and a checkpoint after each epoch; run it again
and it goes on. low_level.py is the same network out of variables and single ops.
"""

import argparse
import os

import records

import twinflow as tf

tfe = tf.contrib.eager
layers = tf.keras.layers


class Reader(tf.keras.Model):
    """The channels of the last convolution are the steps of the LSTM."""

    def __init__(self, units, classes):
        super().__init__()
        self.image = layers.Reshape([28, 28, 1], name="input_reshape")
        self.conv1 = layers.Conv2D(32, 5, padding="SAME", name="conv1")
        self.pool1 = layers.MaxPool2D(padding="SAME", name="conv1/pool")
        self.conv2 = layers.Conv2D(64, 5, padding="SAME", name="conv2")
        self.pool2 = layers.MaxPool2D(padding="SAME", name="conv2/pool")
        self.steps = layers.Reshape([49, 64], name="conv_feat_reshape")
        self.lstm = layers.LSTM(units=units, use_bias=True)
        self.dense = layers.Dense(units=classes)

    def call(self, images):
        x = self.pool1(self.conv1(self.image(images)))
        x = self.pool2(self.conv2(x))
        x = tf.transpose(self.steps(x), perm=[0, 2, 1], name="conv_transpose")
        return self.dense(self.lstm(x))


def train(model, optimizer, dataset, step, every=10):
    """One epoch; returns its losses and the accuracy over it."""
    losses, accuracy = [], tfe.metrics.Accuracy("accuracy")
    for images, labels in dataset:
        with tf.contrib.summary.record_summaries_every_n_global_steps(every, step):
            with tf.GradientTape() as tape:
                logits = model(images)
                loss = tf.losses.softmax_cross_entropy(labels, logits)
            accuracy(tf.argmax(labels, axis=1), tf.argmax(logits, axis=1))
            tf.contrib.summary.scalar("loss", loss)
            tf.contrib.summary.scalar("accuracy", accuracy.result())
        grads = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(grads, model.variables), global_step=step)
        losses.append(float(loss))
    return losses, float(accuracy.result())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", default="digits")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--count", type=int, default=1000, help="digits to draw")
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    tf.enable_eager_execution()
    tf.set_random_seed(1)
    if not os.path.isdir(args.folder):
        os.makedirs(args.folder)
    path = os.path.join(args.folder, "train.tfrecords")
    records.write(path, args.count)
    model, optimizer = Reader(64, 10), tf.train.AdamOptimizer(1e-3)
    step = tf.train.get_or_create_global_step()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, step=step)
    checkpoint.restore(tf.train.latest_checkpoint(args.folder))
    writer = tf.contrib.summary.create_file_writer(args.folder)
    with writer.as_default():
        for _ in range(args.epochs):
            dataset = records.dataset(path, args.batch)
            losses, accuracy = train(model, optimizer, dataset, step)
            print(f"step {int(step)}: loss {losses[0]:.4f} -> {losses[-1]:.4f}, "
                  f"accuracy {accuracy:.4f}")  # fmt: skip
            checkpoint.save(os.path.join(args.folder, "ckpt"))


if __name__ == "__main__":
    main()

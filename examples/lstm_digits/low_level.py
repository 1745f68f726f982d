"""The network of eager.py out of variables and single ops, in a graph and a Session.

    python low_level.py --folder digits-low

Scopes name the variables, a Saver writes them, a FileWriter the merged summaries.
"""

import argparse
import os

import records

import twinflow as tf


def convolution(x, size, filters, name):
    """Convolution with bias, then the largest of squares of 2 x 2 pixels."""
    with tf.variable_scope(name):
        shape = [size, size, int(x.shape[-1]), filters]
        kernel = tf.get_variable("kernel", shape)
        bias = tf.get_variable("bias", [filters], initializer=tf.zeros_initializer())
        x = tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME")
        x = tf.nn.bias_add(x, bias)
        return tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], padding="SAME")


def dense(x, units, name):
    with tf.variable_scope(name):
        kernel = tf.get_variable("kernel", [int(x.shape[-1]), units])
        bias = tf.get_variable("bias", [units], initializer=tf.zeros_initializer())
        return tf.nn.xw_plus_b(x, kernel, bias)


def logits_of(images, units, classes):
    x = tf.reshape(images, [-1, 28, 28, 1])
    x = convolution(x, 5, 32, "conv1")
    x = convolution(x, 5, 64, "conv2")
    x = tf.transpose(tf.reshape(x, [-1, 49, 64]), perm=[0, 2, 1])
    cell = tf.nn.rnn_cell.LSTMCell(units)
    _, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return dense(state.h, classes, "output")


class Program:
    """The graph: input, loss, training step, accuracy, summaries."""

    def __init__(self, path, batch):
        self.iterator = records.dataset(path, batch).make_initializable_iterator()
        images, labels = self.iterator.get_next()
        logits = logits_of(images, 64, 10)
        self.loss = tf.reduce_mean(
            tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
        )
        right = tf.equal(tf.argmax(labels, axis=1), tf.argmax(logits, axis=1))
        self.accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
        self.step = tf.train.get_or_create_global_step()
        optimizer = tf.train.AdamOptimizer(1e-3)
        self.train = optimizer.minimize(self.loss, global_step=self.step)
        tf.summary.scalar("loss", self.loss)
        tf.summary.scalar("accuracy", self.accuracy)
        self.summaries = tf.summary.merge_all()

    def epoch(self, sess, writer):
        """One time through the data; returns losses and the mean accuracy."""
        sess.run(self.iterator.initializer)
        losses, right = [], []
        wanted = [self.loss, self.accuracy, self.summaries, self.step, self.train]
        while True:
            try:
                loss, accuracy, summaries, step, _ = sess.run(wanted)
            except tf.errors.OutOfRangeError:
                return losses, sum(right) / len(right)
            losses.append(loss)
            right.append(accuracy)
            writer.add_summary(summaries, step)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", default="digits-low")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--count", type=int, default=1000, help="digits to draw")
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    tf.set_random_seed(1)
    if not os.path.isdir(args.folder):
        os.makedirs(args.folder)
    path = os.path.join(args.folder, "train.tfrecords")
    records.write(path, args.count)
    program = Program(path, args.batch)
    saver, last = tf.train.Saver(), tf.train.latest_checkpoint(args.folder)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if last:
            saver.restore(sess, last)
        writer = tf.summary.FileWriter(args.folder, sess.graph)
        for _ in range(args.epochs):
            losses, accuracy = program.epoch(sess, writer)
            step = sess.run(program.step)
            print(f"step {step}: loss {losses[0]:.4f} -> {losses[-1]:.4f}, "
                  f"accuracy {accuracy:.4f}")  # fmt: skip
            saver.save(sess, os.path.join(args.folder, "model"), global_step=step)
        writer.close()


if __name__ == "__main__":
    main()

# Softmax regression on generated digits, with flags and tf.app.run.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import argparse
import sys

import numpy as np
import tensorflow as tf

FLAGS = None


def make_digits(num, seed):
    rng = np.random.RandomState(seed)
    prototypes = np.random.RandomState(7).rand(10, 64)
    labels = rng.randint(0, 10, size=num)
    images = prototypes[labels] + 0.3 * rng.randn(num, 64)
    return images.astype(np.float32), np.eye(10)[labels].astype(np.float32)


def main(_):
    train_images, train_labels = make_digits(500, 0)
    test_images, test_labels = make_digits(200, 1)

    # Create the model
    x = tf.placeholder(tf.float32, [None, 64])
    W = tf.Variable(tf.zeros([64, 10]))
    b = tf.Variable(tf.zeros([10]))
    y = tf.matmul(x, W) + b

    # Define loss and optimizer
    y_ = tf.placeholder(tf.float32, [None, 10])
    cross_entropy = tf.reduce_mean(
        tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y))
    train_step = tf.train.GradientDescentOptimizer(FLAGS.learning_rate).minimize(
        cross_entropy)

    sess = tf.InteractiveSession()
    tf.global_variables_initializer().run()
    for i in range(FLAGS.max_steps):
        lo = i * FLAGS.batch_size % 500
        batch_xs = train_images[lo:lo + FLAGS.batch_size]
        batch_ys = train_labels[lo:lo + FLAGS.batch_size]
        _, loss = sess.run([train_step, cross_entropy],
                           feed_dict={x: batch_xs, y_: batch_ys})
        if i % 20 == 0:
            print("step %d: cross entropy %.5f" % (i, loss))

    correct_prediction = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
    accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))
    print("test accuracy",
          sess.run(accuracy, feed_dict={x: test_images, y_: test_labels}))
    print(y, correct_prediction, sep="\n")
    print(W, b, sep="\n")
    print("bias", np.round(b.eval(), 4))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--learning_rate", type=float, default=0.1)
    parser.add_argument("--max_steps", type=int, default=100)
    parser.add_argument("--batch_size", type=int, default=50)
    FLAGS, unparsed = parser.parse_known_args()
    tf.app.run(main=main, argv=[sys.argv[0]] + unparsed)

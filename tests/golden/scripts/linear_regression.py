# Linear regression by gradient descent, fed through placeholders.
from __future__ import print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
train_x = rng.rand(32).astype(np.float32)
train_y = 3.0 * train_x + 2.0 + 0.1 * rng.randn(32)

tf.set_random_seed(42)
x = tf.placeholder(tf.float32, name="x")
y = tf.placeholder(tf.float32, name="y")
w = tf.Variable(tf.random_normal([]), name="weight")
b = tf.Variable(tf.zeros([]), name="bias")
loss = tf.reduce_mean(tf.square(w * x + b - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(20):
        for pair in zip(train_x, train_y):
            sess.run(train, {x: pair[0], y: pair[1]})
        if epoch % 5 == 4:
            feed = {x: train_x, y: train_y}
            print("epoch", epoch + 1, "loss %.6f" % sess.run(loss, feed))
    print("w = %.5f, b = %.5f" % tuple(sess.run([w, b])))

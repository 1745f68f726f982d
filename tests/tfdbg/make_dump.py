"""Makes a dump under a real TensorFlow 1.12: python make_dump.py FOLDER."""

import sys

import tensorflow as tf
from tensorflow.python import debug as tf_debug

x = tf.placeholder(tf.float32, [2], name="x")
v = tf.Variable([1.0, 2.0], name="v")
y = tf.log(x * v, name="h/y")
loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(1, name="i")])
sess = tf.Session()
sess.run(v.initializer)
options = tf.RunOptions()
tf_debug.watch_graph(options, sess.graph, debug_urls="file://" + sys.argv[1])
sess.run([y, loop], {x: [1.0, -1.0]}, options=options)

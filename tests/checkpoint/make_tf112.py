"""Writes the golden checkpoint: python3.6 make_tf112.py FOLDER (TensorFlow 1.12)."""

import sys

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
tf.get_variable("a", initializer=random.rand(3, 4).astype("f"))
tf.get_variable("scope/b", initializer=random.rand(700))
tf.get_variable("i", initializer=np.arange(5))
words = tf.constant([[b"x", b""], [b"hello", b"w" * 300]])
tf.get_variable("s", initializer=words)
tf.get_variable("h", initializer=tf.constant(np.ones(3), tf.bfloat16))
tf.get_variable("c", initializer=np.complex64(1 + 2j))
tf.get_variable("bo", initializer=np.array([True, False]))
tf.get_variable("e", initializer=np.zeros((0, 3), "f"))
tf.get_variable("p", [10, 4], partitioner=tf.fixed_size_partitioner(3))
for k in range(40):
    tf.get_variable(f"layer_{k}/w", initializer=np.float32(k))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, sys.argv[1] + "/tf112", write_meta_graph=False)

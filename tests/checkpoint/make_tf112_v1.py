"""Writes the golden V1 checkpoint by TensorFlow 1.12: make_tf112_v1.py FOLDER."""

import sys

import numpy as np
import tensorflow as tf

tf.get_variable("a", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
tf.get_variable("scope/b", initializer=np.int64(7))
tf.get_variable("bo", initializer=np.array([True, False]))
tf.get_variable("h", initializer=np.array([1.5, -2], np.float16))
tf.get_variable("s", initializer=tf.constant([b"x", b"", b"hello"]))
tf.get_variable("d", initializer=np.arange(3) / 4)
tf.get_variable("i", initializer=np.array([-1, 5], np.int32))
tf.get_variable("c", initializer=np.array([1 + 2j], np.complex64))
tf.get_variable("u", initializer=np.array([1, 255], np.uint8))
tf.get_variable("e", initializer=np.zeros((0, 3), "f"))
start = np.arange(10, dtype=np.float32).reshape(5, 2)
tf.get_variable(
    "p", [5, 2], partitioner=tf.fixed_size_partitioner(2),
    initializer=lambda shape, partition_info, **_: tf.constant(
        start[partition_info.var_offset[0] :][: shape[0]]
    ),
)  # fmt: skip
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver = tf.train.Saver(write_version=tf.train.SaverDef.V1)
    saver.save(sess, sys.argv[1] + "/v1", write_meta_graph=False)

"""Prints the names of the GraphDefs in a pickle that this TensorFlow refuses."""

import pickle
import sys

import tensorflow as tf
from tensorflow.contrib import layers, seq2seq  # noqa: F401 - with their ops

with open(sys.argv[1], "rb") as file:
    rows = pickle.load(file)
for name, text in rows:
    definition = tf.GraphDef.FromString(text)
    try:
        with tf.Graph().as_default():
            tf.import_graph_def(definition)
    except Exception as error:
        print(name)
        print(name, str(error)[:200], file=sys.stderr)

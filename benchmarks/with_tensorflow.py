"""TensorFlow's cases: eager, and tf.function."""

import tensorflow as tf

from benchmarks.sessions import SessionCases
from benchmarks.tensorflow_api import TensorFlowCases

_cases = TensorFlowCases(tf, tf.Variable, tf.function)
CASES = {**_cases.cases(), **SessionCases(tf.compat.v1).cases()}
VERSION = tf.__version__
first_step = _cases.first_step

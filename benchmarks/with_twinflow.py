"""twinflow's cases."""

import twinflow as tf
from benchmarks.sessions import SessionCases
from benchmarks.tensorflow_api import TensorFlowCases

tf.enable_eager_execution()
_cases = TensorFlowCases(tf, tf.contrib.eager.Variable, tf.contrib.eager.defun)
CASES = {**_cases.cases(), **SessionCases(tf).cases()}
VERSION = tf.__version__
first_step = _cases.first_step

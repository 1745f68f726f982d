"""twinflow's cases."""

import twinflow as tf
from benchmarks.tensorflow_api import TensorFlowCases

tf.enable_eager_execution()
_cases = TensorFlowCases(tf, tf.contrib.eager.Variable, tf.contrib.eager.defun)
CASES = _cases.cases()
VERSION = tf.__version__
first_step = _cases.first_step

"""twinflow's cases."""

import twinflow as tf
from benchmarks.sessions import SessionCases
from benchmarks.tensorflow_api import TensorFlowCases
from benchmarks.tensorflow_graphs import GraphCases
from benchmarks.tensorflow_images import twinflow_cases
from benchmarks.tensorflow_models import ModelCases
from benchmarks.tensorflow_ops import OpCases
from benchmarks.training import TrainingCases

tf.enable_eager_execution()
_cases = TensorFlowCases(tf, tf.contrib.eager.Variable, tf.contrib.eager.defun)
_training = TrainingCases(tf, {
    "AdamOptimizer": lambda rate, epsilon: tf.train.AdamOptimizer(rate, epsilon=epsilon)
})  # fmt: skip
CASES = {
    **_cases.cases(), **SessionCases(tf).cases(), **_training.cases(),
    **twinflow_cases(tf), **GraphCases(tf).cases(),
    **OpCases(tf, tf.contrib.framework.sort).cases(),
}  # fmt: skip
VERSION = tf.__version__
first_step = _cases.first_step
_models = ModelCases(tf, tf.contrib.eager.Variable, {"defun": tf.contrib.eager.defun})
start_model = _models.start

"""TensorFlow's cases: eager, and tf.function."""

import functools

import tensorflow as tf

from benchmarks.sessions import SessionCases
from benchmarks.tensorflow_api import TensorFlowCases
from benchmarks.tensorflow_graphs import GraphCases
from benchmarks.tensorflow_images import tensorflow_cases
from benchmarks.tensorflow_models import ModelCases
from benchmarks.tensorflow_ops import OpCases
from benchmarks.training import TrainingCases


class _OnValues:
    """A TensorFlow optimizer for Keras's variables, which hold TensorFlow's."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def apply_gradients(self, pairs):
        self.optimizer.apply_gradients([(slope, v.value) for slope, v in pairs])


_cases = TensorFlowCases(tf, tf.Variable, tf.function)
_training = TrainingCases(tf, {
    "keras Adam": lambda rate, epsilon: tf.keras.optimizers.Adam(rate, epsilon=epsilon),
    "v1 AdamOptimizer": lambda rate, epsilon: _OnValues(
        tf.compat.v1.train.AdamOptimizer(rate, epsilon=epsilon)
    ),
})  # fmt: skip
CASES = {
    **_cases.cases(),
    **SessionCases(tf.compat.v1).cases(),
    **_training.cases(),
    **tensorflow_cases(tf),
    **GraphCases(tf.compat.v1).cases(),
    **OpCases(tf.compat.v1, tf.sort).cases(),
}
VERSION = tf.__version__
first_step = _cases.first_step
_models = ModelCases(tf.compat.v1, tf.Variable, {
    "tf.function": tf.function,
    "jit_compile": functools.partial(tf.function, jit_compile=True),
})  # fmt: skip
start_model = _models.start

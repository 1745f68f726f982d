"""Evaluators of tf.contrib.eager, in both modes."""

import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.contrib.eager.evaluator import Evaluator, SparseSoftmaxEvaluator
from twinflow.eager.mode import MODE

metrics = tf.contrib.eager.metrics


class Same:
    def eval_data(self, data):
        return data


class MeanEvaluator(Evaluator):
    def __init__(self, model):
        super().__init__(model)
        self.mean = self.track_metric(metrics.Mean("mean"))

    def call(self, eval_data):
        self.mean(eval_data)


def test_eagerly():
    with dispatch.entered(MODE):
        outer = MeanEvaluator(Same())
        inner = outer.track_evaluator("inner", MeanEvaluator(Same()))
        inner(10.0)
        data = tf.data.Dataset.from_tensor_slices([3.0, 5.0, 7.0])
        found = outer.evaluate_on_dataset(data)
        assert {k: float(v) for k, v in found.items()} == {
            "mean": 5.0, "inner/mean": 10.0,
        }  # fmt: skip
        assert len(outer.metric_variables) == 4
        with pytest.raises(RuntimeError, match="not needed when eager"):
            outer.init_variables()


def test_in_a_graph():
    class Parts:
        def eval_data(self, data):
            return dict(zip(("loss", "label", "predicted_class"), data, strict=True))

    with tf.Graph().as_default(), tf.Session():
        evaluator = SparseSoftmaxEvaluator(Parts())
        data = tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [1, 1], [1, 0]))
        ops = evaluator.evaluate_on_dataset(data)
        found = evaluator.run_evaluation(*ops)
    assert found == {"Avg Loss": 1.5, "Accuracy": 0.5}


def test_a_function_of_no_results_is_an_op_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable(
            "v", [], use_resource=True, initializer=tf.zeros_initializer
        )

        def add(x):
            v.assign_add(x)

        added = tf.contrib.eager.defun(add)(3.0)
        session.run(v.initializer)
        session.run(added)
        assert session.run(v) == 3

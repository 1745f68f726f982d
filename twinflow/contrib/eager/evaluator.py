"""Evaluators: metrics of a model that are brought up to date together."""

from typing import Any

from twinflow.base.annotations import overridable
from twinflow.base.dispatch import current_mode
from twinflow.base.errors import OutOfRangeError
from twinflow.contrib.summary.ops import (
    always_record_summaries,
    create_file_writer,
    never_record_summaries,
)
from twinflow.execute.default_sessions import get_default_session
from twinflow.execute.function import defun
from twinflow.graph.scopes import group
from twinflow.metrics.objects import Accuracy, Mean


class Evaluator:
    """Metrics of a model; a subclass tracks them in `__init__` and defines `call`.

    Args:
        model: has a method `eval_data`, from an element of data to what `call` takes.
    Example:
        class MeanEvaluator(Evaluator):
            def __init__(self, model):
                super().__init__(model)
                self.mean = self.track_metric(tfe.metrics.Mean("mean"))
            def call(self, eval_data):
                self.mean(eval_data)
    """

    def __init__(self, model: Any) -> None:
        self._model, self._metrics, self._evaluators = model, {}, {}
        if not current_mode().eager:
            self.__dict__["call"] = defun(self.call)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Bring the metrics up to date with an element of data."""
        return self.call(self._model.eval_data(*args, **kwargs))

    @overridable
    def call(self, eval_data: Any) -> Any:
        """Bring the metrics up to date with what the model made of an element."""
        raise NotImplementedError("Evaluators must define a call member function.")

    def init_variables(self) -> Any:
        """The op that starts the metrics again, in a graph.

        Raises:
            RuntimeError: in eager mode.
        """
        if current_mode().eager:
            raise RuntimeError(
                "Evaluator.init_variables() not needed when eager execution is enabled."
            )
        return group(*[m.init_variables() for _, m in self.metrics])

    def all_metric_results(self, summary_logdir: str | None = None) -> Any:
        """The results of the metrics by name.

        Args:
            summary_logdir: a folder for summaries of them, or None.
        """
        if summary_logdir is None:
            with never_record_summaries():
                return self._all_metric_results()

        def written() -> Any:
            writer = create_file_writer(summary_logdir)
            with writer.as_default(), always_record_summaries():
                return self._all_metric_results()

        return written() if current_mode().eager else defun(written)()

    def _all_metric_results(self) -> dict:
        return {name: metric.result() for name, metric in self.metrics}

    def evaluate_on_dataset(self, dataset: Any, *args: Any, **kwargs: Any) -> Any:
        """Bring the metrics up to date with all elements of a dataset.

        Args:
            dataset: a tf.data.Dataset. args, kwargs: further arguments of the model's
                `eval_data`; `summary_logdir`, see all_metric_results.
        Returns:
            The results (eager), or what run_evaluation takes (graph).
        """
        folder = kwargs.pop("summary_logdir", None)
        if current_mode().eager:
            for element in dataset:
                self(element, *args, **kwargs)
            return self.all_metric_results(folder)
        element = dataset.make_one_shot_iterator().get_next()
        called = self(element, *args, **kwargs)
        return self.init_variables(), called, self.all_metric_results(folder)

    @staticmethod
    def run_evaluation(
        init_op: Any, call_op: Any, results_op: Any, sess: Any = None
    ) -> Any:
        """The results of `evaluate_on_dataset`, in a graph.

        Args:
            init_op, call_op, results_op: what it gave. sess: the default session if
                not given.
        """
        sess = sess or get_default_session()
        sess.run(init_op)
        try:
            while True:
                sess.run(call_op)
        except OutOfRangeError:
            return sess.run(results_op)

    @property
    def model(self) -> Any:
        """The model."""
        return self._model

    def track_metric(self, metric: Any) -> Any:
        """Make a metric part of this; returns it."""
        self._metrics[metric.name] = metric
        return metric

    def track_evaluator(self, prefix: str, evaluator: Any) -> Any:
        """Make the metrics of another evaluator part of this; returns it."""
        self._evaluators[prefix] = evaluator
        return evaluator

    @property
    def metric_variables(self) -> list:
        """The variables of all metrics."""
        return [v for _, metric in self.metrics for v in metric.variables]

    @property
    def metrics(self) -> list:
        """All metrics, as pairs of a name and a metric."""
        found = list(self._metrics.items())
        for prefix, evaluator in self._evaluators.items():
            found += [(f"{prefix}/{name}", m) for name, m in evaluator.metrics]
        return found


class SparseSoftmaxEvaluator(Evaluator):
    """The mean loss and the accuracy of classes that are numbers.

    Args:
        model: its `eval_data` gives a dict.
        loss_key, label_key, predicted_class_key, weights_key: the keys in it; weights
            need not be there.
    """

    def __init__(
        self, model: Any, loss_key: str = "loss", label_key: str = "label",
        predicted_class_key: str = "predicted_class", weights_key: str = "weights",
    ) -> None:  # fmt: skip
        super().__init__(model)
        self.avg_loss = self.track_metric(Mean("Avg Loss"))
        self.accuracy = self.track_metric(Accuracy())
        self.loss_key, self.label_key = loss_key, label_key
        self.predicted_class_key = predicted_class_key
        self.weights_key = weights_key

    def call(self, eval_data: Any) -> None:
        """Add the losses and the classes of a batch."""
        weights = eval_data.get(self.weights_key, None)
        self.avg_loss(eval_data[self.loss_key], weights=weights)
        classes = eval_data[self.label_key], eval_data[self.predicted_class_key]
        self.accuracy(*classes, weights=weights)

"""What a model function is asked for, and what it gives."""

import collections
from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor
from twinflow.estimator.export_signatures import serving_outputs
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.node import Node
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.core.shape import reshape
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_run_hook import SessionRunHook

LOSS, AVERAGE_LOSS = "loss", "average_loss"


class ModeKeys:
    """What a model function is called for."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


_FIELDS = [
    "mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs",
    "training_chief_hooks", "training_hooks", "scaffold", "evaluation_hooks",
    "prediction_hooks",
]  # fmt: skip
_ELSEWHERE = """{0} with "{1}" must be from the default graph. Possible causes of this \
error include: \n
1) {0} was created outside the context of the default graph.\n
2) The object passed through to EstimatorSpec was not created in the most recent call \
to "model_fn"."""


class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """What a model function gives.

    Args:
        mode: a ModeKeys. predictions: a tensor or dict of tensors (PREDICT).
        loss: a scalar (TRAIN, EVAL). train_op: the op of a step (TRAIN).
        eval_metric_ops: dict from names to (value, update op), or metric objects.
        export_outputs: dict of tf.estimator.export.ExportOutputs (PREDICT).
        training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks:
            SessionRunHooks. scaffold: a Scaffold.
    Raises:
        ValueError: something is missing or of another graph.
        TypeError: it is of the wrong kind.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, export_outputs: Any = None,
        training_chief_hooks: Any = None, training_hooks: Any = None,
        scaffold: Any = None, evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ):  # fmt: skip
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        metrics = _checked_metrics(eval_metric_ops or {})
        _check_graphs(predictions, loss, train_op, metrics)
        _keep_local(metrics)
        if mode == ModeKeys.PREDICT:
            export_outputs = serving_outputs(export_outputs, predictions)
        hooks = [
            _hooks(h)
            for h in (training_chief_hooks, training_hooks, evaluation_hooks,
                      prediction_hooks)
        ]  # fmt: skip
        scaffold = scaffold or Scaffold()
        if not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls, mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=metrics, export_outputs=export_outputs,
            training_chief_hooks=hooks[0], training_hooks=hooks[1], scaffold=scaffold,
            evaluation_hooks=hooks[2], prediction_hooks=hooks[3],
        )  # fmt: skip

    def _replace(self, **kwds):
        """A copy with other values; the mode stays.

        Raises:
            ValueError: another mode is given.
        """
        if "mode" in kwds and self.mode != kwds["mode"]:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(**{**self._asdict(), **kwds})


def _is_op(value):
    return isinstance(value, Tensor | Node) or hasattr(value, "_as_graph_element")


def _checked_train_op(train_op, mode):
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise advised(ValueError, "Missing train_op.")
        return None
    if not _is_op(train_op):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    return train_op


def _checked_loss(loss, mode):
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise advised(ValueError, "Missing loss.")
        return None
    loss = _checked_tensor(loss, "loss")
    shape = loss.shape
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    return loss if shape.is_compatible_with(()) else reshape(loss, [])


def _checked_tensor(value, name):
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be Tensor, given: {value}")
    return value


def _checked_predictions(predictions, mode):
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if isinstance(predictions, dict):
        return {
            key: _checked_tensor(value, f"predictions[{key}]")
            for key, value in predictions.items()
        }
    return _checked_tensor(predictions, "predictions")


def _is_metric(value):
    return hasattr(value, "result") and hasattr(value, "updates")


def _checked_metrics(metrics):
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    for key, pair in metrics.items():
        if _is_metric(pair):
            continue
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, "
                f"given: {pair} for key: {key}"
            )
        for value in nest.flatten(pair):
            if not _is_op(value):
                raise TypeError(
                    f"eval_metric_ops[{key}] must be Operation or Tensor, given: "
                    f"{value}"
                )
    return metrics


def _keep_local(metrics):
    """Let the variables of metric objects start with each evaluation."""
    known = {id(v) for v in get_collection(GraphKeys.LOCAL_VARIABLES)}
    for metric in metrics.values():
        for variable in metric.variables if _is_metric(metric) else ():
            if id(variable) not in known:
                add_to_collection(GraphKeys.LOCAL_VARIABLES, variable)


def _check_graphs(predictions, loss, train_op, metrics):
    """Raise ValueError for what is not of the default graph."""
    graph = get_default_graph()
    named = [("prediction values", _name(v), v) for v in nest.flatten(predictions)]
    for name, value in ("loss", loss), ("train_op", train_op):
        if value is not None:
            named.append((name, _name(value), value))
    for key, pair in metrics.items():
        if not _is_metric(pair):
            named += [
                ("eval_metric_ops", f"{key}: {_name(v)}", v) for v in nest.flatten(pair)
            ]
    for what, name, value in named:
        if getattr(value, "graph", graph) is not graph:
            raise ValueError(_ELSEWHERE.format(what, name))


def _name(value):
    return getattr(value, "name", value)


def _hooks(hooks):
    found = tuple(hooks or ())
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(
                f"All hooks must be SessionRunHook instances, given: {hook}"
            )
    return found

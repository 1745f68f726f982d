"""What a model function is asked for, and what it gives."""

import collections
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.node import Node
from twinflow.ops.core.shape import reshape
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_run_hook import SessionRunHook

LOSS = "loss"


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


class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """What a model function gives.

    Args:
        mode: a ModeKeys. predictions: a tensor or dict of tensors (PREDICT).
        loss: a scalar (TRAIN, EVAL). train_op: the op of a step (TRAIN).
        eval_metric_ops: dict from names to (value, update op), or metric objects.
        export_outputs: accepted. training_chief_hooks, training_hooks,
        evaluation_hooks, prediction_hooks: SessionRunHooks. scaffold: a Scaffold.
    Raises:
        ValueError: something is missing. TypeError: it is of the wrong kind.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, export_outputs: Any = None,
        training_chief_hooks: Any = None, training_hooks: Any = None,
        scaffold: Any = None, evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ):  # fmt: skip
        if train_op is None and mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        if loss is None and mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        if predictions is None and mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        is_op = isinstance(train_op, Tensor | Node) or train_op is None
        if not is_op and not hasattr(train_op, "_as_graph_element"):
            raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
        hooks = [
            _hooks(h)
            for h in (training_chief_hooks, training_hooks, evaluation_hooks,
                      prediction_hooks)
        ]  # fmt: skip
        scaffold = scaffold or Scaffold()
        if not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls, mode=mode, predictions={} if predictions is None else predictions,
            loss=None if loss is None else _loss(loss), train_op=train_op,
            eval_metric_ops=_metrics(eval_metric_ops or {}),
            export_outputs=export_outputs, training_chief_hooks=hooks[0],
            training_hooks=hooks[1], scaffold=scaffold, evaluation_hooks=hooks[2],
            prediction_hooks=hooks[3],
        )  # fmt: skip


def _loss(loss):
    if not isinstance(loss, Tensor):
        raise TypeError(f"loss must be Tensor, given: {loss}")
    shape = loss.shape
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    return loss if shape.is_compatible_with(()) else reshape(loss, [])


def _metrics(metrics):
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    for key, pair in metrics.items():
        is_object = hasattr(pair, "result") and hasattr(pair, "updates")
        if not is_object and not (isinstance(pair, tuple) and len(pair) == 2):
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, "
                f"given: {pair} for key: {key}"
            )
    return metrics


def _hooks(hooks):
    found = tuple(hooks or ())
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(
                f"All hooks must be SessionRunHook instances, given: {hook}"
            )
    return found

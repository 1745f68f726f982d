"""Several heads of one model."""

from typing import Any

from twinflow.contrib.learn.heads import Head, no_op_train_fn
from twinflow.contrib.learn.keys import ModeKeys
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.scopes import group, name_scope
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.joining import split


def multi_head(heads: Any, loss_weights: Any = None) -> Head:
    """A head of several: losses are added, logits stand side by side.

    Args:
        heads: Heads with names. loss_weights: for each a number; 1 if None.
    Returns:
        A Head, whose labels are a dict with those of each.
    Raises:
        ValueError: a head has no name, or there are not as many numbers as heads.
    Example:
        two = [tf.contrib.learn.regression_head("size", head_name="size"),
               tf.contrib.learn.multi_class_head(3, "kind", head_name="kind")]
        tf.contrib.learn.multi_head(two).logits_dimension  # 4
    """
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")
    if any(not _is_named(h) for h in heads):
        raise ValueError("Members of MultiHead must have names.")
    return _MultiHead(heads, loss_weights or [1.0] * len(heads))


_UNNAMED = (  # the scopes of heads that were given no name
    "regression_head", "poisson_regression_head", "binary_logistic_head",
    "multi_class_head", "binary_svm_head", "multi_label_head", "loss_only_head",
)  # fmt: skip


def _is_named(head: Any) -> bool:
    return getattr(head, "head_name", None) not in (None, *_UNNAMED)


class _MultiHead(Head):
    def __init__(self, heads: Any, loss_weights: Any) -> None:
        self._heads, self._weights = list(heads), list(loss_weights)

    @property
    def logits_dimension(self) -> int:
        return sum(h.logits_dimension for h in self._heads)

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        del scope
        ModeKeys.validate(mode)
        parts: list = [None] * len(self._heads)
        if isinstance(logits, dict):
            parts = [logits[h.head_name] for h in self._heads]
        elif logits is not None:
            parts = split(logits, [h.logits_dimension for h in self._heads], 1)
        made = [
            h.create_model_fn_ops(
                features=features, mode=mode, labels=labels,
                train_op_fn=no_op_train_fn, logits=part, logits_input=logits_input,
            )
            for h, part in zip(self._heads, parts)
        ]  # fmt: skip
        if mode == ModeKeys.TRAIN:
            if train_op_fn is None:
                raise ValueError("train_op_fn can not be None in TRAIN mode.")
            loss = self._loss(made)
            own = [ops.train_op for ops in made if ops.train_op is not None]
            step = group(train_op_fn(loss), *own)
            return ModelFnOps(mode, None, loss, step, self._metrics(made))
        named = self._named(made)
        if mode == ModeKeys.EVAL:
            return ModelFnOps(mode, named, self._loss(made), None, self._metrics(made))
        outputs = {}
        for head, ops in zip(self._heads, made):
            ((kind, found),) = ops.alternatives().values()
            outputs[head.head_name] = kind, found
        return ModelFnOps(mode, named, output_alternatives=outputs)

    def _loss(self, made):
        with name_scope("merge_losses"):
            return add_n([ops.loss * w for ops, w in zip(made, self._weights)])

    def _named(self, made):
        """{(the name of a head, a name): prediction}"""
        return {
            (head.head_name, key): value
            for head, ops in zip(self._heads, made)
            for key, value in ops.predictions.items()
        }

    def _metrics(self, made):
        return {
            f"{key}/{head.head_name}": value
            for head, ops in zip(self._heads, made)
            for key, value in ops.eval_metric_ops.items()
        }

"""The head of several heads."""

from typing import Any

from twinflow.estimator.canned.head import (
    PREDICT,
    Head,
    LossSpec,
    train_op_of,
)
from twinflow.estimator.canned.metric_keys import MetricKeys
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.export.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from twinflow.graph.scopes import name_scope
from twinflow.metrics.means import mean
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.summary import summaries


def multi_head(heads: Any, head_weights: Any = None) -> Head:
    """A head of several: the loss is their weighted sum.

    Labels are a dict by the names of the heads, and so are logits, or one tensor of
    them beside each other.

    Args:
        heads: a list of heads with names. head_weights: a number for each; 1 if None.
    Raises:
        ValueError: there is none, one has no name, or the numbers do not fit.
    Example:
        heads = [tf.contrib.estimator.regression_head(name="size"),
                 tf.contrib.estimator.multi_class_head(3, name="kind")]
        tf.contrib.estimator.multi_head(heads).logits_dimension  # 4
    """
    if head_weights and len(head_weights) != len(heads):
        raise ValueError(
            "heads and head_weights must have the same size. Given len(heads): "
            f"{len(heads)}. Given len(head_weights): {len(head_weights)}."
        )
    if not heads:
        raise ValueError(f"Must specify heads. Given: {heads}")
    for head in heads:
        if not head.name:
            raise ValueError(
                f"All given heads must have name specified. Given: {head}"
            )
    return MultiHead(tuple(heads), tuple(head_weights) if head_weights else ())


class MultiHead(Head):
    """See multi_head."""

    def __init__(self, heads, head_weights):
        self._heads, self._head_weights = heads, head_weights

    @property
    def name(self) -> str:
        """The names of the heads, joined."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """The sum of those of the heads."""
        return sum(head.logits_dimension for head in self._heads)

    def _logits_of(self, logits):
        """Dict of the logits of each head."""
        if isinstance(logits, dict):
            return logits
        with name_scope(None, "split_logits", values=[logits]):
            logits = convert_to_tensor(logits)
            found, start = {}, 0
            check = _width_checked(logits, self.logits_dimension)
            for head in self._heads:
                end = start + head.logits_dimension
                found[head.name], start = check[..., start:end], end
        return found

    def create_loss(
        self, features: Any, mode: Any, logits: Any, labels: Any
    ) -> LossSpec:
        """The LossSpec of logits and labels, with dicts by the names of the heads."""
        logits = self._logits_of(logits)
        specs = {
            head.name: head.create_loss(
                features=features, mode=mode, logits=logits[head.name],
                labels=labels[head.name],
            )
            for head in self._heads
        }  # fmt: skip
        parts = [
            {name: getattr(spec, field) for name, spec in specs.items()}
            for field in ("unreduced_loss", "weights", "processed_labels")
        ]
        losses = [spec.training_loss for spec in specs.values()]
        weights = dict(
            zip(specs, self._head_weights or (1.0,) * len(specs), strict=True)
        )
        parts[1] = {
            name: multiply(weight, weights[name]) for name, weight in parts[1].items()
        }
        parts[0] = {
            name: multiply(loss, weights[name]) for name, loss in parts[0].items()
        }
        return LossSpec(self._merged(losses), *parts)

    def _merged(self, losses):
        with name_scope(None, "merge_losses", values=losses):
            if self._head_weights:
                losses = [
                    multiply(loss, weight)
                    for loss, weight in zip(losses, self._head_weights, strict=True)
                ]
            return add_n(losses)

    def create_estimator_spec(
        self, features: Any, mode: str, logits: Any, labels: Any = None,
        optimizer: Any = None, train_op_fn: Any = None, regularization_losses: Any = None,
    ) -> EstimatorSpec:  # fmt: skip
        """The EstimatorSpec of logits; see tf.contrib.estimator.multi_head."""
        logits = self._logits_of(logits)
        specs = [
            head.create_estimator_spec(
                features=features, mode=mode, logits=logits[head.name],
                labels=labels[head.name] if labels else None,
                **({"train_op_fn": lambda loss: no_op()} if mode == ModeKeys.TRAIN
                   else {}),
            )
            for head in self._heads
        ]  # fmt: skip
        if mode == ModeKeys.PREDICT:
            return self._prediction(specs)
        loss = self._merged([spec.loss for spec in specs])
        if regularization_losses is not None:
            loss = loss + add_n(regularization_losses)
        if mode == ModeKeys.EVAL:
            return self._evaluation(specs, loss)
        return self._training(specs, loss, optimizer, train_op_fn)

    def _training(self, specs, loss, optimizer, train_op_fn):
        op = train_op_of(loss, optimizer, train_op_fn)
        with name_scope(""):
            summaries.scalar(MetricKeys.LOSS, loss)
        return EstimatorSpec(
            ModeKeys.TRAIN, self._predictions(specs), loss, op
        )

    def _predictions(self, specs):
        return {
            (head.name, key): value
            for head, spec in zip(self._heads, specs, strict=True)
            for key, value in spec.predictions.items()
        }

    def _prediction(self, specs):
        default = DEFAULT_SERVING_SIGNATURE_DEF_KEY
        outputs = {default: specs[0].export_outputs[default]}
        for head, spec in zip(self._heads, specs, strict=True):
            for key, output in spec.export_outputs.items():
                name = head.name if key == default else f"{head.name}/{key}"
                outputs[name] = output
        predictions = self._predictions(specs)
        outputs[PREDICT] = PredictOutput(predictions)
        return EstimatorSpec(ModeKeys.PREDICT, predictions, export_outputs=outputs)

    def _evaluation(self, specs, loss):
        metrics = {}
        for head, spec in zip(self._heads, specs, strict=True):
            key = f"{MetricKeys.LOSS}/{head.name}"
            metrics[key] = mean(spec.loss, name=key)
            metrics.update(spec.eval_metric_ops or {})
        return EstimatorSpec(
            ModeKeys.EVAL, self._predictions(specs), loss, eval_metric_ops=metrics
        )


def _width_checked(logits, width):
    """The logits, whose last dimension is checked.

    Raises:
        ValueError: it is another one.
    """
    last = logits.shape[-1].value
    if last is None:
        assert_equal(width, shape(logits)[-1])
        return logits
    if last != width:
        raise ValueError(
            f"Could not split logits of shape {logits.shape} among heads, which take "
            f"{width} together."
        )
    return logits

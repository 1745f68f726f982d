"""A GAN as a head of an Estimator."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.gan.estimator import specs
from twinflow.contrib.gan.estimator.estimators import losses_of
from twinflow.contrib.gan.namedtuples import GANLoss, GANModel
from twinflow.contrib.gan.training import gan_train_ops, get_sequential_train_hooks
from twinflow.estimator.canned.head import Head
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.scopes import name_scope

_HOOKS = get_sequential_train_hooks()
_DEFAULT_KEY = "serving_default"


class GANHead(Head):
    """What becomes of a GANModel in each mode.

    Args:
        generator_loss_fn, discriminator_loss_fn: functions of a GANModel and
            add_summaries.
        generator_optimizer, discriminator_optimizer: optimizers.
        use_loss_summaries, get_hooks_fn, get_eval_metric_ops_fn: see GANEstimator.
        name: a part of the names of the metrics.
    Raises:
        ValueError, TypeError: something is no function, or no setting.
    """

    def __init__(
        self, generator_loss_fn: Any, discriminator_loss_fn: Any,
        generator_optimizer: Any, discriminator_optimizer: Any,
        use_loss_summaries: Any = True, get_hooks_fn: Any = None,
        get_eval_metric_ops_fn: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        losses = {
            "generator_loss_fn": generator_loss_fn,
            "discriminator_loss_fn": discriminator_loss_fn,
        }
        specs.check_settings(losses, use_loss_summaries, get_hooks_fn, TypeError)
        if name is not None and not isinstance(name, str):
            raise TypeError("name must be string.")
        self._losses = generator_loss_fn, discriminator_loss_fn
        self._generator_optimizer = generator_optimizer
        self._discriminator_optimizer = discriminator_optimizer
        self._use_loss_summaries, self._name = use_loss_summaries, name
        self._get_hooks_fn = get_hooks_fn or _HOOKS
        self._get_eval_metric_ops_fn = get_eval_metric_ops_fn

    @property
    def name(self) -> str | None:
        """The name, None for none."""
        return self._name

    @property
    def logits_dimension(self) -> Any:
        """None: there are no logits."""
        return None

    def create_loss(
        self, features: Any, mode: Any, logits: Any, labels: Any
    ) -> GANLoss:
        """The GANLoss of a model.

        Args:
            features, labels: None. mode: a ModeKeys. logits: a GANModel.
        Raises:
            ValueError: they are not.
        """
        _validate_logits_and_labels(logits, labels)
        return losses_of(logits, *self._losses, self._use_loss_summaries)

    def create_estimator_spec(
        self, features: Any, mode: str, logits: Any, labels: Any = None,
        train_op_fn: Callable[..., Any] | None = gan_train_ops,
    ) -> EstimatorSpec:  # fmt: skip
        """The EstimatorSpec of a model.

        Args:
            features, labels: None. mode: a ModeKeys. logits: a GANModel.
            train_op_fn: a function like gan_train_ops.
        Raises:
            ValueError: they are not.
        """
        _validate_logits_and_labels(logits, labels)
        if features is not None:
            raise ValueError(f"`features` should be `None`. Instead, found: {features}")
        with name_scope("GANHead"):
            specs.check_mode(mode)
            if mode == ModeKeys.PREDICT:
                output = PredictOutput({"predictions": logits.generated_data})
                return EstimatorSpec(
                    mode, predictions=logits.generated_data,
                    export_outputs={"predict": output, _DEFAULT_KEY: output},
                )  # fmt: skip
            loss = self.create_loss(features, mode, logits, labels)
            if mode == ModeKeys.EVAL:
                return specs._get_eval_estimator_spec(
                    logits, loss, self._get_eval_metric_ops_fn, self._name
                )
            if train_op_fn is None:
                raise ValueError("train_op_fn can not be None.")
            return specs._get_train_estimator_spec(
                logits, loss, self._generator_optimizer, self._discriminator_optimizer,
                self._get_hooks_fn, train_op_fn,
            )  # fmt: skip


def gan_head(
    generator_loss_fn: Any, discriminator_loss_fn: Any, generator_optimizer: Any,
    discriminator_optimizer: Any, use_loss_summaries: Any = True,
    get_hooks_fn: Any = _HOOKS, get_eval_metric_ops_fn: Any = None,
    name: str | None = None,
) -> GANHead:  # fmt: skip
    """A GANHead, for a model_fn that makes a GANModel.

    Args:
        others: see GANHead.
    """
    return GANHead(
        generator_loss_fn, discriminator_loss_fn, generator_optimizer,
        discriminator_optimizer, use_loss_summaries, get_hooks_fn,
        get_eval_metric_ops_fn, name,
    )  # fmt: skip


def _validate_logits_and_labels(logits, labels):
    if labels is not None:
        raise ValueError(
            "`GANHead`'s `create_estimator_spec` input `labels` must be `None`. "
            f"Instead, found: {labels}"
        )
    if not isinstance(logits, GANModel):
        raise ValueError(
            "`GANHead`'s `create_estimator_spec` input `logits` must be an instnace of "
            f"a `GANModel`. Instead, found: {logits}"
        )

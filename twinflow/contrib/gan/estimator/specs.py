"""What the Estimators of tf.contrib.gan have in common."""

import enum
import functools
import inspect
from collections.abc import Callable
from typing import Any

from twinflow.base.advice import advised
from twinflow.contrib.gan.eval import pictures
from twinflow.contrib.gan.training import gan_train_ops, get_sequential_train_hooks
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.scopes import name_scope
from twinflow.metrics.means import mean


class SummaryType(enum.IntEnum):
    """What to write down of a model: see tf.contrib.gan.eval."""

    NONE = 0
    VARIABLES = 1
    IMAGES = 2
    IMAGE_COMPARISON = 3


_ADDING = {
    SummaryType.VARIABLES: pictures.add_gan_model_summaries,
    SummaryType.IMAGES: pictures.add_gan_model_image_summaries,
    SummaryType.IMAGE_COMPARISON: pictures.add_image_comparison_summaries,
}
_MODES = ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT


def check_settings(
    losses: dict, use_loss_summaries: Any, get_hooks_fn: Any, kind: type
):
    """Check what an Estimator or a head is made with.

    Args:
        losses: {name: function}. kind: the error for a loss that is none.
    """
    for name, function in losses.items():
        if not callable(function):
            raise kind(f"{name} must be callable.")
    if use_loss_summaries not in (True, False, None):
        raise ValueError("use_loss_summaries must be True, False or None.")
    if get_hooks_fn is not None and not callable(get_hooks_fn):
        raise advised(TypeError, "get_hooks_fn must be callable.")


def check_mode(mode: Any) -> None:
    """Raises ValueError if it is none."""
    if mode not in _MODES:
        raise ValueError(f"Mode not recognized: {mode}")


def in_mode(function: Callable, mode: str) -> Callable:
    """A function of the user, told the mode if it asks for it."""
    asks = "mode" in inspect.signature(function).parameters
    return functools.partial(function, mode=mode) if asks else function


def summarize(model: Any, types: Any, adding: dict = _ADDING) -> None:
    """Add summaries of a model.

    Args:
        types: a SummaryType, a list of them, or None. adding: {type: what adds it}.
    """
    if not types:
        return
    with name_scope(""):
        for kind in types if isinstance(types, list | tuple) else [types]:
            adding[kind](model)


def made(optimizer: Any) -> Any:
    """An optimizer, from it or from a function that makes it."""
    return optimizer() if callable(optimizer) else optimizer


def summary_key(head_name: str | None, value: str) -> str:
    """The key of a metric of a head."""
    return f"{value}/{head_name}" if head_name else value


def _get_eval_estimator_spec(
    gan_model: Any, gan_loss: Any, get_eval_metric_ops_fn: Any = None,
    name: str | None = None,
) -> EstimatorSpec:  # fmt: skip
    """The spec of an evaluation: both losses, and the user's metrics."""
    losses = gan_loss._asdict()
    total = gan_loss.generator_loss + gan_loss.discriminator_loss
    with name_scope(None, "metrics", list(losses.values())):
        metrics = {summary_key(name, k): mean(v) for k, v in losses.items()}
        if get_eval_metric_ops_fn is not None:
            more = get_eval_metric_ops_fn(gan_model)
            if not isinstance(more, dict):
                raise TypeError(
                    f"get_eval_metric_ops_fn must return a dict, received: {more}"
                )
            metrics.update(more)
    return EstimatorSpec(
        ModeKeys.EVAL, predictions=gan_model.generated_data, loss=total,
        eval_metric_ops=metrics,
    )  # fmt: skip


def _get_train_estimator_spec(
    gan_model: Any, gan_loss: Any, generator_optimizer: Any,
    discriminator_optimizer: Any, get_hooks_fn: Any = None,
    train_op_fn: Callable = gan_train_ops,
) -> EstimatorSpec:  # fmt: skip
    """The spec of training: hooks train both sides before each global step."""
    total = gan_loss.generator_loss + gan_loss.discriminator_loss
    ops = train_op_fn(
        gan_model, gan_loss, made(generator_optimizer), made(discriminator_optimizer)
    )
    hooks = (get_hooks_fn or get_sequential_train_hooks())(ops)
    return EstimatorSpec(
        ModeKeys.TRAIN, loss=total, train_op=ops.global_step_inc_op,
        training_hooks=hooks,
    )  # fmt: skip

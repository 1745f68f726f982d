"""A StarGAN as an Estimator."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.framework.variables import get_trainable_variables
from twinflow.contrib.gan.estimator.specs import (
    SummaryType,
    _get_eval_estimator_spec,
    _get_train_estimator_spec,
    check_mode,
    check_settings,
    in_mode,
    summarize,
)
from twinflow.contrib.gan.eval import pictures
from twinflow.contrib.gan.models import stargan_model as make_model
from twinflow.contrib.gan.namedtuples import StarGANModel
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.variable_scope import variable_scope

_ADDING = {
    SummaryType.VARIABLES: pictures.add_gan_model_summaries,
    SummaryType.IMAGES: pictures.add_stargan_image_summaries,
}


class StarGANEstimator(Estimator):
    """An Estimator of a generator between several domains.

    `features` of its input functions are data, `labels` their domains, one-hot; to
    predict, features are a pair: data, and the domains that they are to go to.

    Args:
        model_dir: the folder of checkpoints.
        generator_fn, discriminator_fn: see stargan_model; both may take `mode` besides.
        loss_fn: a function from a StarGANModel to a GANLoss, such as stargan_loss.
        add_summaries: SummaryType VARIABLES or IMAGES, or a list of them, or None.
        others: see GANEstimator.
    Raises:
        ValueError, TypeError: something is no function, or no setting.
    """

    def __init__(
        self, model_dir: Any = None, generator_fn: Any = None,
        discriminator_fn: Any = None, loss_fn: Any = None,
        generator_optimizer: Any = None, discriminator_optimizer: Any = None,
        get_hooks_fn: Any = None, get_eval_metric_ops_fn: Any = None,
        add_summaries: Any = None, use_loss_summaries: Any = True, config: Any = None,
    ) -> None:  # fmt: skip
        check_settings(
            {"loss_fn": loss_fn}, use_loss_summaries, get_hooks_fn, ValueError
        )

        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            data, domains = features, labels
            if mode == ModeKeys.PREDICT:
                data, domains = features[0], features[1]
            model = _get_gan_model(
                mode, generator_fn, discriminator_fn, data, domains, add_summaries
            )
            return _get_estimator_spec(
                mode, model, loss_fn, get_eval_metric_ops_fn, generator_optimizer,
                discriminator_optimizer, get_hooks_fn,
            )  # fmt: skip

        super().__init__(model_fn, model_dir=model_dir, config=config)


def _get_gan_model(
    mode: str, generator_fn: Any, discriminator_fn: Any, input_data: Any,
    input_data_domain_label: Any, add_summaries: Any = None,
    generator_scope: str = "Generator",
) -> StarGANModel:  # fmt: skip
    """The model in a mode; without a discriminator where it is to predict."""
    check_mode(mode)
    generator = in_mode(generator_fn, mode)
    if mode == ModeKeys.PREDICT:
        return _make_prediction_gan_model(
            input_data, input_data_domain_label, generator, generator_scope
        )
    model = make_model(
        generator, in_mode(discriminator_fn, mode), input_data, input_data_domain_label,
        generator_scope,
    )  # fmt: skip
    summarize(model, add_summaries, _ADDING)
    return model


def _make_prediction_gan_model(
    input_data, input_data_domain_label, generator_fn, generator_scope
):
    with variable_scope(generator_scope) as scope:
        generated = generator_fn(input_data, input_data_domain_label)
    nothing = StarGANModel(*[None] * len(StarGANModel._fields))
    return nothing._replace(
        input_data=input_data, generated_data_domain_target=input_data_domain_label,
        generated_data=generated, generator_variables=get_trainable_variables(scope),
        generator_scope=scope, generator_fn=generator_fn,
    )  # fmt: skip


def _get_estimator_spec(
    mode: str, gan_model: Any, loss_fn: Any, get_eval_metric_ops_fn: Any = None,
    generator_optimizer: Any = None, discriminator_optimizer: Any = None,
    get_hooks_fn: Any = None,
) -> EstimatorSpec:  # fmt: skip
    """The spec of a model in a mode."""
    if mode == ModeKeys.PREDICT:
        return EstimatorSpec(mode, predictions=gan_model.generated_data)
    loss = loss_fn(gan_model)
    if mode == ModeKeys.EVAL:
        return _get_eval_estimator_spec(gan_model, loss, get_eval_metric_ops_fn)
    return _get_train_estimator_spec(
        gan_model, loss, generator_optimizer, discriminator_optimizer, get_hooks_fn
    )


def stargan_prediction_input_fn_wrapper(fn: Callable) -> Callable:
    """An input function to predict with, of one that gives (data, domains)."""

    def new_fn() -> tuple:
        return fn(), None

    return new_fn

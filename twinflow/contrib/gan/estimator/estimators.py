"""A GAN as an Estimator."""

from typing import Any

from twinflow.contrib.framework.variables import get_trainable_variables
from twinflow.contrib.gan.estimator.specs import (
    _get_eval_estimator_spec,
    _get_train_estimator_spec,
    check_mode,
    check_settings,
    in_mode,
    summarize,
)
from twinflow.contrib.gan.models import gan_model as make_model
from twinflow.contrib.gan.namedtuples import GANLoss, GANModel
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.variable_scope import variable_scope


class GANEstimator(Estimator):
    """An Estimator of a generator and a discriminator.

    `features` of its input functions are the generator's inputs, `labels` real data;
    predictions are what the generator makes of features.

    Args:
        model_dir: the folder of checkpoints.
        generator_fn: a function from features to data, discriminator_fn: from (data,
            features) to a tensor; both may take `mode` besides.
        generator_loss_fn, discriminator_loss_fn: functions of a GANModel and
            add_summaries, such as those of tf.contrib.gan.losses.
        generator_optimizer, discriminator_optimizer: optimizers, or what makes them.
        get_hooks_fn: a function from a GANTrainOps to hooks that train;
            get_sequential_train_hooks() if None.
        get_eval_metric_ops_fn: a function from a GANModel to {name: metric}.
        add_summaries: a SummaryType or a list of them, or None.
        use_loss_summaries: whether the losses add summaries; None leaves it to them.
        config: a RunConfig.
    Raises:
        ValueError, TypeError: something is no function, or no setting.
    Example:
        gan = tf.contrib.gan
        estimator = gan.estimator.GANEstimator(
            generator_fn=lambda z: tf.layers.dense(z, 2),
            discriminator_fn=lambda x, z: tf.layers.dense(x, 1),
            generator_loss_fn=gan.losses.wasserstein_generator_loss,
            discriminator_loss_fn=gan.losses.wasserstein_discriminator_loss,
            generator_optimizer=tf.train.AdamOptimizer(0.01),
            discriminator_optimizer=tf.train.AdamOptimizer(0.01))
        estimator.train(lambda: (tf.random_normal([8, 3]), tf.ones([8, 2])), steps=2)
    """

    def __init__(
        self, model_dir: Any = None, generator_fn: Any = None,
        discriminator_fn: Any = None, generator_loss_fn: Any = None,
        discriminator_loss_fn: Any = None, generator_optimizer: Any = None,
        discriminator_optimizer: Any = None, get_hooks_fn: Any = None,
        get_eval_metric_ops_fn: Any = None, add_summaries: Any = None,
        use_loss_summaries: Any = True, config: Any = None,
    ) -> None:  # fmt: skip
        check_settings(
            {
                "generator_loss_fn": generator_loss_fn,
                "discriminator_loss_fn": discriminator_loss_fn,
            },
            use_loss_summaries, get_hooks_fn, ValueError,
        )  # fmt: skip

        def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            model = _get_gan_model(
                mode, generator_fn, discriminator_fn, labels, features, add_summaries
            )
            return _get_estimator_spec(
                mode, model, generator_loss_fn, discriminator_loss_fn,
                get_eval_metric_ops_fn, generator_optimizer, discriminator_optimizer,
                get_hooks_fn, use_loss_summaries,
            )  # fmt: skip

        super().__init__(model_fn, model_dir=model_dir, config=config)


def _get_gan_model(
    mode: str, generator_fn: Any, discriminator_fn: Any, real_data: Any,
    generator_inputs: Any, add_summaries: Any = None,
    generator_scope: str = "Generator",
) -> GANModel:  # fmt: skip
    """The model in a mode; without a discriminator where it is to predict."""
    check_mode(mode)
    if mode != ModeKeys.PREDICT:
        return _make_gan_model(
            generator_fn, discriminator_fn, real_data, generator_inputs,
            generator_scope, add_summaries, mode,
        )  # fmt: skip
    if real_data is not None:
        raise ValueError(
            "`labels` must be `None` when mode is `predict`. Instead, found "
            f"{real_data}"
        )
    return _make_prediction_gan_model(
        generator_inputs, in_mode(generator_fn, mode), generator_scope
    )


def _make_gan_model(
    generator_fn, discriminator_fn, real_data, generator_inputs, generator_scope,
    add_summaries, mode,
):  # fmt: skip
    model = make_model(
        in_mode(generator_fn, mode), in_mode(discriminator_fn, mode), real_data,
        generator_inputs, generator_scope, check_shapes=False,
    )  # fmt: skip
    summarize(model, add_summaries)
    return model


def _make_prediction_gan_model(generator_inputs, generator_fn, generator_scope):
    with variable_scope(generator_scope) as scope:
        generated = generator_fn(generator_inputs)
    return GANModel(
        generator_inputs, generated, get_trainable_variables(scope), scope,
        generator_fn, *[None] * 6,
    )  # fmt: skip


def _get_estimator_spec(
    mode: str, gan_model: Any, generator_loss_fn: Any, discriminator_loss_fn: Any,
    get_eval_metric_ops_fn: Any = None, generator_optimizer: Any = None,
    discriminator_optimizer: Any = None, get_hooks_fn: Any = None,
    use_loss_summaries: Any = True,
) -> EstimatorSpec:  # fmt: skip
    """The spec of a model in a mode."""
    if mode == ModeKeys.PREDICT:
        return EstimatorSpec(mode, predictions=gan_model.generated_data)
    loss = losses_of(
        gan_model, generator_loss_fn, discriminator_loss_fn, use_loss_summaries
    )
    if mode == ModeKeys.EVAL:
        return _get_eval_estimator_spec(gan_model, loss, get_eval_metric_ops_fn)
    return _get_train_estimator_spec(
        gan_model, loss, generator_optimizer, discriminator_optimizer, get_hooks_fn
    )


def losses_of(
    model: Any, of_generator: Any, of_discriminator: Any, add: Any
) -> GANLoss:
    """The GANLoss of two functions.

    Args:
        add: whether they add summaries; None leaves it to them.
    """
    told = {} if add is None else {"add_summaries": add}
    return GANLoss(of_generator(model, **told), of_discriminator(model, **told))

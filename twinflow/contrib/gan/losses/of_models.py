"""The losses of tf.contrib.gan as functions of models."""

import inspect
from collections.abc import Callable
from typing import Any

from twinflow.contrib.gan.losses import adversarial, penalties
from twinflow.contrib.gan.namedtuples import CycleGANModel


def _args_to_gan_model(loss_fn: Callable) -> Callable:
    """A loss that takes a model, and from it what its function asks for."""
    parameters = inspect.signature(loss_fn).parameters.values()
    required = [p.name for p in parameters if p.default is p.empty]
    known = [p.name for p in parameters]

    def new_loss_fn(gan_model: Any, **kwargs: Any) -> Any:
        fields = gan_model._fields
        for name in required:
            if name not in fields and name not in kwargs:
                raise ValueError(
                    f"`{name}` must be supplied to {loss_fn.__name__} loss function."
                )
        twice = set(fields) & set(kwargs)
        if twice:
            raise ValueError(
                "The following args are present in both the tuple and keyword args for "
                f"{loss_fn.__name__}: {twice}"
            )
        given = {name: getattr(gan_model, name) for name in known if name in fields}
        return loss_fn(**given, **kwargs)

    new_loss_fn.__doc__ = f"The loss {loss_fn.__name__} of a model.\n\n" + (
        "Args:\n    gan_model: a GANModel or one of its kinds.\n"
        f"    kwargs: what losses.wargs.{loss_fn.__name__} takes besides.\n"
    )
    new_loss_fn.__name__ = new_loss_fn.__qualname__ = loss_fn.__name__
    return new_loss_fn


wasserstein_generator_loss = _args_to_gan_model(adversarial.wasserstein_generator_loss)
wasserstein_discriminator_loss = _args_to_gan_model(
    adversarial.wasserstein_discriminator_loss
)
wasserstein_gradient_penalty = _args_to_gan_model(
    penalties.wasserstein_gradient_penalty
)
acgan_discriminator_loss = _args_to_gan_model(adversarial.acgan_discriminator_loss)
acgan_generator_loss = _args_to_gan_model(adversarial.acgan_generator_loss)
minimax_discriminator_loss = _args_to_gan_model(adversarial.minimax_discriminator_loss)
minimax_generator_loss = _args_to_gan_model(adversarial.minimax_generator_loss)
modified_discriminator_loss = _args_to_gan_model(
    adversarial.modified_discriminator_loss
)
modified_generator_loss = _args_to_gan_model(adversarial.modified_generator_loss)
least_squares_generator_loss = _args_to_gan_model(
    adversarial.least_squares_generator_loss
)
least_squares_discriminator_loss = _args_to_gan_model(
    adversarial.least_squares_discriminator_loss
)
mutual_information_penalty = _args_to_gan_model(penalties.mutual_information_penalty)


def combine_adversarial_loss(
    gan_loss: Any, gan_model: Any, non_adversarial_loss: Any, weight_factor: Any = None,
    gradient_ratio: Any = None, gradient_ratio_epsilon: float = 1e-6,
    scalar_summaries: bool = True, gradient_summaries: bool = True,
) -> Any:  # fmt: skip
    """A GANLoss whose generator has another loss besides.

    Args:
        gan_loss: a GANLoss. gan_model: its GANModel. non_adversarial_loss: a scalar.
        weight_factor, gradient_ratio, gradient_ratio_epsilon, scalar_summaries,
        gradient_summaries: see tf.contrib.gan.losses.wargs.combine_adversarial_loss.
    """
    combined = penalties.combine_adversarial_loss(
        non_adversarial_loss, gan_loss.generator_loss, weight_factor, gradient_ratio,
        gradient_ratio_epsilon, gan_model.generator_variables, scalar_summaries,
        gradient_summaries,
    )  # fmt: skip
    return gan_loss._replace(generator_loss=combined)


def cycle_consistency_loss(
    cyclegan_model: Any, scope: str | None = None, add_summaries: bool = False
) -> Any:
    """How far a CycleGANModel leads away, there and back.

    Args:
        scope, add_summaries: see tf.contrib.gan.losses.wargs.cycle_consistency_loss.
    Raises:
        ValueError: it is no CycleGANModel.
    """
    if not isinstance(cyclegan_model, CycleGANModel):
        raise ValueError(
            "`cyclegan_model` must be a `CycleGANModel`. Instead, was "
            f"{type(cyclegan_model)}."
        )
    there = cyclegan_model.model_x2y
    return penalties.cycle_consistency_loss(
        there.generator_inputs, cyclegan_model.reconstructed_x, there.real_data,
        cyclegan_model.reconstructed_y, scope, add_summaries,
    )  # fmt: skip


def stargan_generator_loss_wrapper(loss_fn: Callable[..., Any]) -> Callable[..., Any]:
    """A generator's loss of `wargs`, as a function of a StarGANModel."""

    def new_loss_fn(stargan_model: Any, **kwargs: Any) -> Any:
        return loss_fn(
            stargan_model.discriminator_generated_data_source_predication, **kwargs
        )

    return new_loss_fn


def stargan_discriminator_loss_wrapper(
    loss_fn: Callable[..., Any],
) -> Callable[..., Any]:
    """A discriminator's loss of `wargs`, as a function of a StarGANModel."""

    def new_loss_fn(stargan_model: Any, **kwargs: Any) -> Any:
        return loss_fn(
            stargan_model.discriminator_input_data_source_predication,
            stargan_model.discriminator_generated_data_source_predication,
            **kwargs,
        )

    return new_loss_fn


def stargan_gradient_penalty_wrapper(loss_fn: Callable[..., Any]) -> Callable[..., Any]:
    """A penalty like wasserstein_gradient_penalty, as a function of a StarGANModel."""

    def new_loss_fn(stargan_model: Any, **kwargs: Any) -> Any:
        return loss_fn(
            real_data=stargan_model.input_data,
            generated_data=stargan_model.generated_data,
            generator_inputs=stargan_model.input_data_domain_label.shape.as_list()[-1],
            discriminator_fn=stargan_model.discriminator_fn,
            discriminator_scope=stargan_model.discriminator_scope,
            **kwargs,
        )

    return new_loss_fn

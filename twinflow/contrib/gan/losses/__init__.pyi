# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.gan.losses import wargs as wargs
def acgan_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss acgan_discriminator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.acgan_discriminator_loss takes besides.
    """
def acgan_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss acgan_generator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.acgan_generator_loss takes besides.
    """
from twinflow.contrib.gan.losses.of_models import combine_adversarial_loss as combine_adversarial_loss
from twinflow.contrib.gan.losses.of_models import cycle_consistency_loss as cycle_consistency_loss
def least_squares_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss least_squares_discriminator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.least_squares_discriminator_loss takes besides.
    """
def least_squares_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss least_squares_generator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.least_squares_generator_loss takes besides.
    """
def minimax_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss minimax_discriminator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.minimax_discriminator_loss takes besides.
    """
def minimax_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss minimax_generator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.minimax_generator_loss takes besides.
    """
def modified_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss modified_discriminator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.modified_discriminator_loss takes besides.
    """
def modified_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss modified_generator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.modified_generator_loss takes besides.
    """
def mutual_information_penalty(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss mutual_information_penalty of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.mutual_information_penalty takes besides.
    """
from twinflow.contrib.gan.losses.of_models import stargan_discriminator_loss_wrapper as stargan_discriminator_loss_wrapper
from twinflow.contrib.gan.losses.of_models import stargan_generator_loss_wrapper as stargan_generator_loss_wrapper
from twinflow.contrib.gan.losses.of_models import stargan_gradient_penalty_wrapper as stargan_gradient_penalty_wrapper
def wasserstein_discriminator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss wasserstein_discriminator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.wasserstein_discriminator_loss takes besides.
    """
def wasserstein_generator_loss(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss wasserstein_generator_loss of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.wasserstein_generator_loss takes besides.
    """
def wasserstein_gradient_penalty(gan_model: Any, **kwargs: Any) -> Any:
    r"""The loss wasserstein_gradient_penalty of a model.

    Args:
        gan_model: a GANModel or one of its kinds.
        kwargs: what losses.wargs.wasserstein_gradient_penalty takes besides.
    """

__all__ = [
"wargs", "acgan_discriminator_loss", "acgan_generator_loss", "combine_adversarial_loss",
"cycle_consistency_loss", "least_squares_discriminator_loss",
"least_squares_generator_loss", "minimax_discriminator_loss", "minimax_generator_loss",
"modified_discriminator_loss", "modified_generator_loss", "mutual_information_penalty",
"stargan_discriminator_loss_wrapper", "stargan_generator_loss_wrapper",
"stargan_gradient_penalty_wrapper", "wasserstein_discriminator_loss",
"wasserstein_generator_loss", "wasserstein_gradient_penalty"
]

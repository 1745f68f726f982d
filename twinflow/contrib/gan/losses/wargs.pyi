# Made by `make stubs` from the table of the index.
from typing import Any
def acgan_discriminator_loss(discriminator_real_classification_logits: Any, discriminator_gen_classification_logits: Any, one_hot_labels: Any, label_smoothing: Any = ..., real_weights: Any = ..., generated_weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""The cross entropy of the classes, of generated and of real data.

    Args:
        discriminator_real_classification_logits,
        discriminator_gen_classification_logits: float32[batch, classes].
        one_hot_labels: number[batch, classes].
        label_smoothing: of the labels of real data, see tf.losses.
        real_weights, generated_weights and the others: see the module.
    Reference: Odena et al., Conditional image synthesis with auxiliary classifier GANs
        (2016).
    """
def acgan_generator_loss(discriminator_gen_classification_logits: Any, one_hot_labels: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""The cross entropy of the classes of generated data.

    Args:
        discriminator_gen_classification_logits: float32[batch, classes].
        one_hot_labels: number[batch, classes].
        weights and the others: see the module.
    """
def least_squares_discriminator_loss(discriminator_real_outputs: Any, discriminator_gen_outputs: Any, real_label: Any = ..., fake_label: Any = ..., real_weights: Any = ..., generated_weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""((D(x) - real_label)^2 + (D(G(z)) - fake_label)^2) / 2.

    Args:
        discriminator_real_outputs, discriminator_gen_outputs: float32[batch, ...].
        real_label, fake_label: what the discriminator is to give.
        real_weights, generated_weights and the others: see the module.
    Raises:
        ValueError: the shapes differ.
    """
def least_squares_generator_loss(discriminator_gen_outputs: Any, real_label: Any = ..., weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""(D(G(z)) - real_label)^2 / 2.

    Args:
        discriminator_gen_outputs: float32[batch, ...].
        real_label: what the discriminator is to give for real data.
        weights and the others: see the module.
    Reference: Mao et al., Least squares generative adversarial networks (2016).
    Example:
        loss = tf.contrib.gan.losses.wargs.least_squares_generator_loss
        loss([3., 3.])  # 2.0
    """
def minimax_discriminator_loss(discriminator_real_outputs: Any, discriminator_gen_outputs: Any, label_smoothing: Any = ..., real_weights: Any = ..., generated_weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""-log(sigmoid(D(x))) - log(1 - sigmoid(D(G(z)))).

    Args:
        discriminator_real_outputs, discriminator_gen_outputs: float32[batch, ...],
            logits. label_smoothing: how far the label of real data is from 1, times 2.
        real_weights, generated_weights and the others: see the module.
    Reference: Goodfellow et al., Generative adversarial nets (2014).
    Example:
        loss = tf.contrib.gan.losses.wargs.minimax_discriminator_loss
        loss(tf.zeros([2]), tf.zeros([2]))  # 2 log(2)
    """
def minimax_generator_loss(discriminator_gen_outputs: Any, label_smoothing: Any = ..., weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""log(1 - sigmoid(D(G(z)))), but for a constant.

    It has a small slope where the discriminator is sure: see modified_generator_loss.

    Args:
        discriminator_gen_outputs: float32[batch, ...], logits.
        label_smoothing: see minimax_discriminator_loss.
        weights and the others: see the module.
    """
from twinflow.contrib.gan.losses.adversarial import modified_discriminator_loss as modified_discriminator_loss
def modified_generator_loss(discriminator_gen_outputs: Any, label_smoothing: Any = ..., weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""-log(sigmoid(D(G(z)))), which has a slope where the discriminator is sure.

    Args:
        discriminator_gen_outputs: float32[batch, ...], logits.
        label_smoothing: how far the label is from 1, times 2.
        weights and the others: see the module.
    Example:
        loss = tf.contrib.gan.losses.wargs.modified_generator_loss
        loss(tf.zeros([2]))  # log(2)
    """
def wasserstein_discriminator_loss(discriminator_real_outputs: Any, discriminator_gen_outputs: Any, real_weights: Any = ..., generated_weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""D(G(z)) - D(x): the Wasserstein distance, as a discriminator sees it.

    Args:
        discriminator_real_outputs, discriminator_gen_outputs: float32[batch, ...].
        real_weights, generated_weights and the others: see the module.
    Raises:
        ValueError: the shapes differ.
    Example:
        loss = tf.contrib.gan.losses.wargs.wasserstein_discriminator_loss
        loss([1., 3.], [2., 4.])  # 1.0
    """
def wasserstein_generator_loss(discriminator_gen_outputs: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""-D(G(z)): the Wasserstein distance, as a generator sees it.

    Args:
        discriminator_gen_outputs: float32[batch, ...], what D gave for generated data.
        weights and the others: see the module.
    Reference: Arjovsky et al., Wasserstein GAN (2017).
    Example:
        tf.contrib.gan.losses.wargs.wasserstein_generator_loss([2., 4.])  # -3.0
    """
from twinflow.contrib.gan.losses.penalties import combine_adversarial_loss as combine_adversarial_loss
from twinflow.contrib.gan.losses.penalties import cycle_consistency_loss as cycle_consistency_loss
def mutual_information_penalty(structured_generator_inputs: Any, predicted_distributions: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""-log p(noise), where p is what the discriminator takes the noise for.

    Args:
        structured_generator_inputs: tensors. predicted_distributions: as many
            tf.distributions.Distribution.
        weights, scope, loss_collection, reduction, add_summaries: as for other losses.
    Raises:
        ValueError: these are no distributions, or not as many.
    Reference: Chen et al., InfoGAN (2016).
    """
def wasserstein_gradient_penalty(real_data: Any, generated_data: Any, generator_inputs: Any, discriminator_fn: Any, discriminator_scope: Any, epsilon: Any = ..., target: Any = ..., one_sided: Any = ..., weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., add_summaries: Any = ...) -> Any:
    r"""(|slope of D| / target - 1)^2, somewhere between real and generated data.

    Args:
        real_data, generated_data: float32[batch, ...]. generator_inputs: what D also
            gets. discriminator_fn: D, a function of data and those inputs.
        discriminator_scope: of its variables, which exist. epsilon: is added to the
            square of the norm. target: which norm is best. one_sided: smaller ones are
            as good.
        weights, scope, loss_collection, reduction, add_summaries: as for other losses.
    Raises:
        ValueError: the rank of the data is not known.
    Reference: Gulrajani et al., Improved training of Wasserstein GANs (2017).
    """

__all__ = [
"acgan_discriminator_loss", "acgan_generator_loss", "least_squares_discriminator_loss",
"least_squares_generator_loss", "minimax_discriminator_loss", "minimax_generator_loss",
"modified_discriminator_loss", "modified_generator_loss",
"wasserstein_discriminator_loss", "wasserstein_generator_loss",
"combine_adversarial_loss", "cycle_consistency_loss", "mutual_information_penalty",
"wasserstein_gradient_penalty"
]

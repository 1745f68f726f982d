"""Losses of a generator and a discriminator, as functions of what they gave.

All take `weights` (for a discriminator `real_weights` and `generated_weights`), `scope`
(the name scope), `loss_collection` (None for none), `reduction` (a tf.losses.Reduction)
and `add_summaries` (whether to write the loss down); they return a scalar, or the
losses of the examples if the reduction is NONE.
"""

import inspect
import operator
from collections.abc import Callable
from typing import Any

from twinflow.base.written import optional, public_form, with_shared
from twinflow.graph.scopes import name_scope
from twinflow.losses.collection import LOSSES, add_loss
from twinflow.losses.losses import sigmoid_cross_entropy, softmax_cross_entropy
from twinflow.losses.weighting import BY_NONZERO, compute_weighted_loss
from twinflow.ops.core.constant import to_float
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import negative, squared_difference
from twinflow.summary.summaries import scalar

SHARED = optional(
    scope=None, loss_collection=LOSSES, reduction=BY_NONZERO, add_summaries=False
)


def shared_form(function: Callable, run: Callable) -> Callable:
    """A loss with the shared parameters; `run` gets the arguments, and those apart."""
    own = list(inspect.signature(function).parameters.values())[1:]

    def called(arguments: dict) -> Any:
        shared = [arguments.pop(p.name) for p in SHARED]
        return run(arguments, *shared)

    return public_form(function, with_shared(own, SHARED), called)


def single(scope: str, tag: str, outside: bool = False) -> Callable:
    """A decorator: the loss that a function makes with options of tf.losses.

    Args:
        scope: the name scope by default. tag: of the summary.
        outside: whether the summary is outside the name scope.
    """

    def decorate(function: Callable) -> Callable:
        def run(arguments, name, collection, reduction, summaries):
            with name_scope(name, scope) as full:
                how = _how(full, collection, reduction)
                loss = function(how, **arguments)
                if summaries and not outside:
                    scalar(tag, loss)
            if summaries and outside:
                scalar(tag, loss)
            return loss

        return shared_form(function, run)

    return decorate


def _how(scope, collection, reduction):
    return {"scope": scope, "loss_collection": collection, "reduction": reduction}


def paired(
    scope: str, tag: str, join: Callable = operator.add, outside: bool = False
) -> Callable:
    """A decorator: the loss of a function that gives it on generated and real data.

    Args:
        join: what makes one of both. scope, tag, outside: see single.
    """

    def decorate(function: Callable) -> Callable:
        def run(arguments, name, collection, reduction, summaries):
            with name_scope(name, scope) as full:
                parts = function(_how(full, None, reduction), **arguments)
                loss = join(*parts)
                add_loss(loss, collection)
                if summaries and not outside:
                    _write(tag, *parts, loss)
            if summaries and outside:
                _write(tag, *parts, loss)
            return loss

        return shared_form(function, run)

    return decorate


def _write(tag, on_generated, on_real, loss):
    scalar(f"discriminator_gen_{tag}_loss", on_generated)
    scalar(f"discriminator_real_{tag}_loss", on_real)
    scalar(f"discriminator_{tag}_loss", loss)


@single("generator_wasserstein_loss", "generator_wass_loss")
def wasserstein_generator_loss(
    how: Any, discriminator_gen_outputs: Any, weights: Any = 1.0
) -> Any:
    """-D(G(z)): the Wasserstein distance, as a generator sees it.

    Args:
        discriminator_gen_outputs: float32[batch, ...], what D gave for generated data.
        weights and the others: see the module.
    Reference: Arjovsky et al., Wasserstein GAN (2017).
    Example:
        tf.contrib.gan.losses.wargs.wasserstein_generator_loss([2., 4.])  # -3.0
    """
    return compute_weighted_loss(
        negative(to_float(discriminator_gen_outputs)), weights, **how
    )


@paired("discriminator_wasserstein_loss", "wass", operator.sub)
def wasserstein_discriminator_loss(
    how: Any, discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
    real_weights: Any = 1.0, generated_weights: Any = 1.0,
) -> Any:  # fmt: skip
    """D(G(z)) - D(x): the Wasserstein distance, as a discriminator sees it.

    Args:
        discriminator_real_outputs, discriminator_gen_outputs: float32[batch, ...].
        real_weights, generated_weights and the others: see the module.
    Raises:
        ValueError: the shapes differ.
    Example:
        loss = tf.contrib.gan.losses.wargs.wasserstein_discriminator_loss
        loss([1., 3.], [2., 4.])  # 1.0
    """
    real = to_float(discriminator_real_outputs)
    generated = to_float(discriminator_gen_outputs)
    real.shape.assert_is_compatible_with(generated.shape)
    return (
        compute_weighted_loss(generated, generated_weights, **how),
        compute_weighted_loss(real, real_weights, **how),
    )


@paired("discriminator_minimax_loss", "minimax")
def minimax_discriminator_loss(
    how: Any, discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
    label_smoothing: float = 0.25, real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
) -> Any:  # fmt: skip
    """-log(sigmoid(D(x))) - log(1 - sigmoid(D(G(z)))).

    Args:
        discriminator_real_outputs, discriminator_gen_outputs: float32[batch, ...],
            logits. label_smoothing: how far the label of real data is from 1, times 2.
        real_weights, generated_weights and the others: see the module.
    Reference: Goodfellow et al., Generative adversarial nets (2014).
    Example:
        loss = tf.contrib.gan.losses.wargs.minimax_discriminator_loss
        loss(tf.zeros([2]), tf.zeros([2]))  # 2 log(2)
    """
    real, generated = discriminator_real_outputs, discriminator_gen_outputs
    on_real = sigmoid_cross_entropy(
        ones_like(real), real, real_weights, label_smoothing, **how
    )
    return (
        sigmoid_cross_entropy(
            zeros_like(generated), generated, generated_weights, **how
        ),
        on_real,
    )


@single("generator_minimax_loss", "generator_minimax_loss", outside=True)
def minimax_generator_loss(
    how: Any, discriminator_gen_outputs: Any, label_smoothing: float = 0.0,
    weights: Any = 1.0,
) -> Any:  # fmt: skip
    """log(1 - sigmoid(D(G(z)))), but for a constant.

    It has a small slope where the discriminator is sure: see modified_generator_loss.

    Args:
        discriminator_gen_outputs: float32[batch, ...], logits.
        label_smoothing: see minimax_discriminator_loss.
        weights and the others: see the module.
    """
    outputs = discriminator_gen_outputs
    return negative(
        minimax_discriminator_loss(
            ones_like(outputs), outputs, label_smoothing, weights, weights, **how
        )
    )


def modified_discriminator_loss(
    discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
    label_smoothing: float = 0.25, real_weights: Any = 1.0,
    generated_weights: Any = 1.0, scope: Any = None, loss_collection: Any = LOSSES,
    reduction: str = BY_NONZERO, add_summaries: bool = False,
) -> Any:  # fmt: skip
    """The same as minimax_discriminator_loss, in a scope of its own."""
    return minimax_discriminator_loss(
        discriminator_real_outputs, discriminator_gen_outputs, label_smoothing,
        real_weights, generated_weights, scope or "discriminator_modified_loss",
        loss_collection, reduction, add_summaries,
    )  # fmt: skip


@single("generator_modified_loss", "generator_modified_loss")
def modified_generator_loss(
    how: Any, discriminator_gen_outputs: Any, label_smoothing: float = 0.0,
    weights: Any = 1.0,
) -> Any:  # fmt: skip
    """-log(sigmoid(D(G(z)))), which has a slope where the discriminator is sure.

    Args:
        discriminator_gen_outputs: float32[batch, ...], logits.
        label_smoothing: how far the label is from 1, times 2.
        weights and the others: see the module.
    Example:
        loss = tf.contrib.gan.losses.wargs.modified_generator_loss
        loss(tf.zeros([2]))  # log(2)
    """
    outputs = discriminator_gen_outputs
    return sigmoid_cross_entropy(
        ones_like(outputs), outputs, weights, label_smoothing, **how
    )


@single("lsq_generator_loss", "generator_lsq_loss", outside=True)
def least_squares_generator_loss(
    how: Any, discriminator_gen_outputs: Any, real_label: float = 1,
    weights: Any = 1.0,
) -> Any:  # fmt: skip
    """(D(G(z)) - real_label)^2 / 2.

    Args:
        discriminator_gen_outputs: float32[batch, ...].
        real_label: what the discriminator is to give for real data.
        weights and the others: see the module.
    Reference: Mao et al., Least squares generative adversarial networks (2016).
    Example:
        loss = tf.contrib.gan.losses.wargs.least_squares_generator_loss
        loss([3., 3.])  # 2.0
    """
    squares = squared_difference(to_float(discriminator_gen_outputs), real_label)
    return compute_weighted_loss(squares / 2.0, weights, **how)


@paired("lsq_discriminator_loss", "lsq", outside=True)
def least_squares_discriminator_loss(
    how: Any, discriminator_real_outputs: Any, discriminator_gen_outputs: Any,
    real_label: float = 1, fake_label: float = 0, real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
) -> Any:  # fmt: skip
    """((D(x) - real_label)^2 + (D(G(z)) - fake_label)^2) / 2.

    Args:
        discriminator_real_outputs, discriminator_gen_outputs: float32[batch, ...].
        real_label, fake_label: what the discriminator is to give.
        real_weights, generated_weights and the others: see the module.
    Raises:
        ValueError: the shapes differ.
    """
    real = to_float(discriminator_real_outputs)
    generated = to_float(discriminator_gen_outputs)
    real.shape.assert_is_compatible_with(generated.shape)
    on_real, on_generated = (
        squared_difference(x, label) / 2.0
        for x, label in ((real, real_label), (generated, fake_label))
    )
    return (
        compute_weighted_loss(on_generated, generated_weights, **how),
        compute_weighted_loss(on_real, real_weights, **how),
    )


@paired("acgan_discriminator_loss", "ac")
def acgan_discriminator_loss(
    how: Any, discriminator_real_classification_logits: Any,
    discriminator_gen_classification_logits: Any, one_hot_labels: Any,
    label_smoothing: float = 0.0, real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
) -> Any:  # fmt: skip
    """The cross entropy of the classes, of generated and of real data.

    Args:
        discriminator_real_classification_logits,
        discriminator_gen_classification_logits: float32[batch, classes].
        one_hot_labels: number[batch, classes].
        label_smoothing: of the labels of real data, see tf.losses.
        real_weights, generated_weights and the others: see the module.
    Reference: Odena et al., Conditional image synthesis with auxiliary classifier GANs
        (2016).
    """
    on_generated = softmax_cross_entropy(
        one_hot_labels, discriminator_gen_classification_logits, generated_weights,
        **how,
    )  # fmt: skip
    on_real = softmax_cross_entropy(
        one_hot_labels, discriminator_real_classification_logits, real_weights,
        label_smoothing, **how,
    )  # fmt: skip
    return on_generated, on_real


@single("acgan_generator_loss", "generator_ac_loss")
def acgan_generator_loss(
    how: Any, discriminator_gen_classification_logits: Any, one_hot_labels: Any,
    weights: Any = 1.0,
) -> Any:  # fmt: skip
    """The cross entropy of the classes of generated data.

    Args:
        discriminator_gen_classification_logits: float32[batch, classes].
        one_hot_labels: number[batch, classes].
        weights and the others: see the module.
    """
    return softmax_cross_entropy(
        one_hot_labels, discriminator_gen_classification_logits, weights, **how
    )

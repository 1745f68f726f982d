"""What is added to the losses of a GAN: penalties, and a second loss."""

from collections.abc import Sequence
from typing import Any

from twinflow.contrib.gan.losses.adversarial import single
from twinflow.distributions.distribution import Distribution
from twinflow.graph.gradients import gradients
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.losses import absolute_difference
from twinflow.losses.weighting import compute_weighted_loss
from twinflow.ops.core.constant import convert_to_tensor, stop_gradient
from twinflow.ops.core.elementwise import maximum, sqrt, square
from twinflow.ops.core.reduction import reduce_max, reduce_mean, reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.math.clip import global_norm
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.variables.collections import trainable_variables
from twinflow.summary.summaries import scalar


@single("wasserstein_gradient_penalty", "gradient_penalty_loss")
def wasserstein_gradient_penalty(
    how: Any, real_data: Any, generated_data: Any, generator_inputs: Any,
    discriminator_fn: Any, discriminator_scope: Any, epsilon: float = 1e-10,
    target: float = 1.0, one_sided: bool = False, weights: Any = 1.0,
) -> Any:  # fmt: skip
    """(|slope of D| / target - 1)^2, somewhere between real and generated data.

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
    real, generated = convert_to_tensor(real_data), convert_to_tensor(generated_data)
    for name, data in ("real_data", real), ("generated_data", generated):
        if data.shape.ndims is None:
            raise ValueError(f"`{name}` can't have unknown rank.")
    between = _between(real, generated)
    with name_scope(None), variable_scope(
        discriminator_scope, "gpenalty_dscope", reuse=True
    ):  # fmt: skip
        outputs = discriminator_fn(between, generator_inputs)
    outputs = outputs[0] if isinstance(outputs, tuple) else outputs
    slope = gradients(outputs, between)[0]
    squares = reduce_sum(square(slope), list(range(1, slope.shape.ndims)))
    penalty = sqrt(squares + epsilon) / target - 1.0
    if one_sided:
        penalty = maximum(0.0, penalty)
    return compute_weighted_loss(square(penalty), weights, **how)


def _between(real, generated):
    """A point between each pair of examples."""
    difference = generated - real
    batch = difference.shape[0].value or shape(difference)[0]
    parts = random_uniform([batch] + [1] * (generated.shape.ndims - 1))
    return real + parts * difference


def _validate_distributions(distributions):
    if not isinstance(distributions, list | tuple):
        raise ValueError(
            "`distributions` must be a list or tuple. Instead, found "
            f"{type(distributions)}."
        )
    for found in distributions:
        if not isinstance(found, Distribution):
            raise ValueError(
                "`distributions` must be a list of `Distributions`. Instead, found "
                f"{type(found)}."
            )


def _validate_information_penalty_inputs(inputs, distributions):
    _validate_distributions(distributions)
    if len(inputs) != len(distributions):
        raise ValueError(
            f"`structured_generator_inputs` length {len(inputs)} must be the same as "
            f"`predicted_distributions` length {len(distributions)}."
        )


@single("mutual_information_loss", "mutual_information_penalty")
def mutual_information_penalty(
    how: Any, structured_generator_inputs: Sequence, predicted_distributions: Sequence,
    weights: Any = 1.0,
) -> Any:  # fmt: skip
    """-log p(noise), where p is what the discriminator takes the noise for.

    Args:
        structured_generator_inputs: tensors. predicted_distributions: as many
            tf.distributions.Distribution.
        weights, scope, loss_collection, reduction, add_summaries: as for other losses.
    Raises:
        ValueError: these are no distributions, or not as many.
    Reference: Chen et al., InfoGAN (2016).
    """
    _validate_information_penalty_inputs(
        structured_generator_inputs, predicted_distributions
    )
    logs = [
        reduce_mean(distribution.log_prob(noise))
        for distribution, noise in zip(
            predicted_distributions, structured_generator_inputs, strict=True
        )
    ]
    return -1 * compute_weighted_loss(logs, weights, **how)


def _numerically_stable_global_norm(tensors):
    """The norm of all tensors that are there, whose squares may be too large."""
    if all(t is None for t in tensors):
        return 0.0
    largest = reduce_max([reduce_max(abs(t)) for t in tensors if t is not None])
    scaled = [None if t is None else t / largest for t in tensors]
    return largest * global_norm(scaled)


def _used_weight(weights):
    return next((w for w in weights if w is not None), None)


def _validate_args(losses, weight_factor, gradient_ratio):
    for loss in losses:
        loss.shape.assert_is_compatible_with([])
    if weight_factor is None and gradient_ratio is None:
        raise ValueError("`weight_factor` and `gradient_ratio` cannot both be `None.`")
    if weight_factor is not None and gradient_ratio is not None:
        raise ValueError(
            "`weight_factor` and `gradient_ratio` cannot both be specified."
        )
    _used_weight([weight_factor, gradient_ratio])


def combine_adversarial_loss(
    main_loss: Any, adversarial_loss: Any, weight_factor: Any = None,
    gradient_ratio: Any = None, gradient_ratio_epsilon: float = 1e-6,
    variables: Any = None, scalar_summaries: bool = True,
    gradient_summaries: bool = True, scope: str | None = None,
) -> Any:  # fmt: skip
    """main_loss + weight * adversarial_loss.

    Args:
        main_loss, adversarial_loss: float scalars.
        weight_factor: the weight; or
        gradient_ratio: how the norm of the main loss's gradient compares with that of
            the weighted adversarial one. gradient_ratio_epsilon: keeps it finite.
        variables: what the gradients are of; all trainable ones if not given.
        scalar_summaries, gradient_summaries: whether to write down losses and norms.
        scope: the name scope.
    Raises:
        ValueError: both or none of weight_factor and gradient_ratio are given.
    Example:
        combine = tf.contrib.gan.losses.wargs.combine_adversarial_loss
        v = tf.get_variable("v", initializer=1.)
        total = combine(v * v, 3 * v, weight_factor=2.)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            found = sess.run(total)
        found  # 7.
    """
    _validate_args([main_loss, adversarial_loss], weight_factor, gradient_ratio)
    if variables is None:
        variables = trainable_variables()
    losses = {"main_loss": main_loss, "adversarial_loss": adversarial_loss}
    with name_scope(scope, "adversarial_loss", list(losses.values())):
        norms = {}
        if gradient_ratio is not None or gradient_summaries:
            norms = {
                f"{name}_gradients": _numerically_stable_global_norm(
                    gradients(loss, variables)
                )
                for name, loss in losses.items()
            }
        if scalar_summaries:
            for name, loss in losses.items():
                scalar(name, loss)
        if gradient_summaries:
            for name, norm in norms.items():
                scalar(name, norm)
        weight = weight_factor
        if gradient_ratio is not None:
            main, adversarial = norms.values()
            weight = main / (adversarial * gradient_ratio + gradient_ratio_epsilon)
        if gradient_ratio is not None and scalar_summaries:
            scalar("adversarial_coefficient", weight)
        return main_loss + stop_gradient(weight) * adversarial_loss


def cycle_consistency_loss(
    data_x: Any, reconstructed_data_x: Any, data_y: Any, reconstructed_data_y: Any,
    scope: str | None = None, add_summaries: bool = False,
) -> Any:  # fmt: skip
    """(|x - F(G(x))| + |y - G(F(y))|) / 2: how far there and back leads away.

    Args:
        data_x, reconstructed_data_x, data_y, reconstructed_data_y: float32[...].
        scope: the name scope. add_summaries: whether to write the losses down.
    Reference: Zhu et al., Unpaired image-to-image translation (2017).
    Example:
        loss = tf.contrib.gan.losses.wargs.cycle_consistency_loss
        loss([1.], [2.], [1.], [4.])  # 2.0
    """
    values = [data_x, reconstructed_data_x, data_y, reconstructed_data_y]
    with name_scope(scope, "cycle_consistency_loss", values):
        of_x = absolute_difference(data_x, reconstructed_data_x)
        of_y = absolute_difference(data_y, reconstructed_data_y)
        loss = (of_x + of_y) / 2.0
        if add_summaries:
            scalar("cycle_consistency_loss_x2x", of_x)
            scalar("cycle_consistency_loss_y2y", of_y)
            scalar("cycle_consistency_loss", loss)
    return loss

"""From a model of tf.contrib.gan to what its sides minimise."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.contrib.gan.losses import adversarial, of_models, penalties
from twinflow.contrib.gan.namedtuples import (
    ACGANModel,
    CycleGANLoss,
    CycleGANModel,
    GANLoss,
    GANModel,
    InfoGANModel,
)
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.collection import get_regularization_loss
from twinflow.losses.losses import absolute_difference, softmax_cross_entropy
from twinflow.ops.core.constant import identity
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.debugging.checks import assert_greater_equal
from twinflow.summary.summaries import scalar

_STARGAN_LOSSES = (
    of_models.stargan_generator_loss_wrapper(adversarial.wasserstein_generator_loss),
    of_models.stargan_discriminator_loss_wrapper(
        adversarial.wasserstein_discriminator_loss
    ),
)


def gan_loss(
    model: Any,
    generator_loss_fn: Any = of_models.wasserstein_generator_loss,
    discriminator_loss_fn: Any = of_models.wasserstein_discriminator_loss,
    gradient_penalty_weight: Any = None, gradient_penalty_epsilon: float = 1e-10,
    gradient_penalty_target: float = 1.0, gradient_penalty_one_sided: bool = False,
    mutual_information_penalty_weight: Any = None,
    aux_cond_generator_weight: Any = None, aux_cond_discriminator_weight: Any = None,
    tensor_pool_fn: Any = None,
    add_summaries: bool = True,
) -> GANLoss:  # fmt: skip
    """What the generator and the discriminator of a model minimise.

    The losses of regularisers in their scopes are added.

    Args:
        model: a GANModel, InfoGANModel or ACGANModel.
        generator_loss_fn, discriminator_loss_fn: functions of (model, add_summaries),
            such as those of tf.contrib.gan.losses.
        gradient_penalty_weight: of wasserstein_gradient_penalty, with its epsilon,
            target and one_sided; None for none.
        mutual_information_penalty_weight: of that penalty, of an InfoGANModel.
        aux_cond_generator_weight, aux_cond_discriminator_weight: of the losses of the
            classes, of an ACGANModel.
        tensor_pool_fn: a function like tf.contrib.gan.features.tensor_pool, which gives
            the discriminator generated data of the past.
        add_summaries: whether to write the losses down.
    Raises:
        ValueError: a weight is negative, or the model has not what it is for.
    Example:
        noise = tf.placeholder(tf.float32, [8, 3])
        gan = tf.contrib.gan.gan_model(
            lambda z: tf.layers.dense(z, 2), lambda x, z: tf.layers.dense(x, 1),
            real_data=tf.zeros([8, 2]), generator_inputs=noise)
        loss = tf.contrib.gan.gan_loss(gan, gradient_penalty_weight=1.0)
        loss.generator_loss  # float32[]
    """
    penalty_weight = _validate_aux_loss_weight(
        gradient_penalty_weight, "gradient_penalty_weight"
    )
    information_weight = _validate_aux_loss_weight(
        mutual_information_penalty_weight, "infogan_weight"
    )
    class_weights = [
        _validate_aux_loss_weight(w, name)
        for w, name in (
            (aux_cond_generator_weight, "aux_cond_generator_weight"),
            (aux_cond_discriminator_weight, "aux_cond_discriminator_weight"),
        )
    ]
    _check_model(model, information_weight, class_weights)
    gen_loss = generator_loss_fn(model, add_summaries=add_summaries)
    pooled = _tensor_pool_adjusted_model(model, tensor_pool_fn)
    dis_loss = discriminator_loss_fn(pooled, add_summaries=add_summaries)
    if _use_aux_loss(penalty_weight):
        dis_loss += penalty_weight * of_models.wasserstein_gradient_penalty(
            model, epsilon=gradient_penalty_epsilon, target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided, add_summaries=add_summaries,
        )  # fmt: skip
    if _use_aux_loss(information_weight):
        gen_loss += information_weight * of_models.mutual_information_penalty(
            model, add_summaries=add_summaries
        )
        dis_loss += information_weight * of_models.mutual_information_penalty(
            pooled, add_summaries=add_summaries
        )
    if _use_aux_loss(class_weights[0]):
        gen_loss += class_weights[0] * of_models.acgan_generator_loss(
            model, add_summaries=add_summaries
        )
    if _use_aux_loss(class_weights[1]):
        dis_loss += class_weights[1] * of_models.acgan_discriminator_loss(
            pooled, add_summaries=add_summaries
        )
    return _regularized(model, gen_loss, dis_loss)


def _check_model(model, information_weight, class_weights):
    if _use_aux_loss(information_weight) and not isinstance(model, InfoGANModel):
        raise ValueError(
            "When `mutual_information_penalty_weight` is provided, `model` must be an "
            f"`InfoGANModel`. Instead, was {type(model)}."
        )
    if any(map(_use_aux_loss, class_weights)) and not isinstance(model, ACGANModel):
        raise ValueError(
            "When `aux_cond_generator_weight` or `aux_cond_discriminator_weight` is "
            f"provided, `model` must be an `ACGANModel`. Instead, was {type(model)}."
        )


def _regularized(model, gen_loss, dis_loss):
    """A GANLoss with what regularisers found in the scopes of both sides."""
    found = [
        get_regularization_loss(s.name) if s else 0
        for s in (model.generator_scope, model.discriminator_scope)
    ]
    return GANLoss(gen_loss + found[0], dis_loss + found[1])


def cyclegan_loss(
    model: Any,
    generator_loss_fn: Any = of_models.least_squares_generator_loss,
    discriminator_loss_fn: Any = of_models.least_squares_discriminator_loss,
    cycle_consistency_loss_fn: Any = of_models.cycle_consistency_loss,
    cycle_consistency_loss_weight: Any = 10.0, **kwargs: Any,
) -> CycleGANLoss:  # fmt: skip
    """The GANLoss of each direction, with what there and back leads away.

    Args:
        model: a CycleGANModel. cycle_consistency_loss_fn: a function of (model,
            add_summaries). cycle_consistency_loss_weight: of what it gives.
        generator_loss_fn, discriminator_loss_fn, kwargs: see gan_loss.
    Raises:
        ValueError: it is no CycleGANModel, or the weight is negative.
    """
    if not isinstance(model, CycleGANModel):
        raise ValueError(
            f"`model` must be a `CycleGANModel`. Instead, was {type(model)}."
        )
    weight = _validate_aux_loss_weight(
        cycle_consistency_loss_weight, "cycle_consistency_loss_weight"
    )
    shared = weight * cycle_consistency_loss_fn(
        model, add_summaries=kwargs.get("add_summaries", True)
    )
    losses = []
    for scope, partial in (
        ("cyclegan_loss_x2y", model.model_x2y), ("cyclegan_loss_y2x", model.model_y2x)
    ):  # fmt: skip
        with name_scope(scope):
            loss = gan_loss(partial, generator_loss_fn, discriminator_loss_fn, **kwargs)
            total = loss.generator_loss + shared
        losses.append(loss._replace(generator_loss=total))
    return CycleGANLoss(*losses)


def stargan_loss(
    model: Any,
    generator_loss_fn: Any = _STARGAN_LOSSES[0],
    discriminator_loss_fn: Any = _STARGAN_LOSSES[1],
    gradient_penalty_weight: Any = 10.0, gradient_penalty_epsilon: float = 1e-10,
    gradient_penalty_target: float = 1.0, gradient_penalty_one_sided: bool = False,
    reconstruction_loss_fn: Any = absolute_difference,
    reconstruction_loss_weight: float = 10.0,
    classification_loss_fn: Any = softmax_cross_entropy,
    classification_loss_weight: float = 1.0, classification_one_hot: bool = True,
    add_summaries: bool = True,
) -> GANLoss:  # fmt: skip
    """What the generator and the discriminator of a StarGANModel minimise.

    Args:
        model: a StarGANModel.
        generator_loss_fn, discriminator_loss_fn: functions of (model, add_summaries).
        gradient_penalty_weight and what follows it: see gan_loss.
        reconstruction_loss_fn: a function of (input data, reconstructed data).
        classification_loss_fn: a function of (onehot_labels, logits), by keyword.
        classification_one_hot: if False, it gives a loss for each domain, to be added.
        reconstruction_loss_weight, classification_loss_weight: of what these give.
        add_summaries: whether to write the losses down.
    """
    penalty = of_models.stargan_gradient_penalty_wrapper(
        penalties.wasserstein_gradient_penalty
    )
    gen_loss = generator_loss_fn(model, add_summaries=add_summaries)
    dis_loss = discriminator_loss_fn(model, add_summaries=add_summaries)
    if _use_aux_loss(gradient_penalty_weight):
        dis_loss += gradient_penalty_weight * penalty(
            model, epsilon=gradient_penalty_epsilon, target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided, add_summaries=add_summaries,
        )  # fmt: skip
    back = reconstruction_loss_fn(model.input_data, model.reconstructed_data)
    gen_loss += reconstruction_loss_weight * back
    if add_summaries:
        scalar("reconstruction_loss", back)
    classes = [
        _class_loss(
            classification_loss_fn, *pair, classification_one_hot,
            f"{side}_classification_loss", add_summaries,
        )
        for side, *pair in (
            ("generator", model.generated_data_domain_target,
             model.discriminator_generated_data_domain_predication),
            ("discriminator", model.input_data_domain_label,
             model.discriminator_input_data_domain_predication),
        )
    ]  # fmt: skip
    gen_loss += classification_loss_weight * classes[0]
    dis_loss += classification_loss_weight * classes[1]
    return GANLoss(gen_loss, dis_loss)


def _class_loss(loss_fn, labels, logits, one_hot, name, add_summaries):
    with name_scope(name):
        loss = loss_fn(onehot_labels=labels, logits=logits)
        loss = reduce_mean(loss if one_hot else reduce_sum(loss, axis=1))
        if add_summaries:
            scalar(name, loss)
    return loss


def _validate_aux_loss_weight(weight: Any, name: str = "aux_loss_weight") -> Any:
    """A weight that is not negative: None, a number, or a scalar that is checked."""
    if isinstance(weight, Tensor):
        weight.shape.assert_is_compatible_with([])
        with control_dependencies([assert_greater_equal(weight, 0.0)]):
            return identity(weight)
    if weight is not None and weight < 0:
        raise ValueError(f"`{name}` must be greater than 0. Instead, was {weight}")
    return weight


def _use_aux_loss(weight: Any) -> bool:
    """Whether a weight is given, and not known to be 0."""
    if weight is None:
        return False
    return isinstance(weight, Tensor) or weight > 0


def _tensor_pool_adjusted_model(model: Any, tensor_pool_fn: Any) -> Any:
    """A model whose discriminator saw what a pool gives in place of generated data.

    Raises:
        ValueError: the model is of no kind that a pool can be for.
    """
    if tensor_pool_fn is None:
        return model
    values = [model.generator_inputs, model.generated_data]
    if isinstance(model, InfoGANModel):
        values.append(model.structured_generator_inputs)
    elif not isinstance(model, GANModel | ACGANModel):
        raise ValueError(f"Tensor pool does not support `model`: {type(model)}.")
    inputs, data, *structured = tensor_pool_fn(tuple(values))
    aux = isinstance(model, InfoGANModel)
    run = model.discriminator_and_aux_fn if aux else model.discriminator_fn
    with variable_scope(model.discriminator_scope, reuse=True):
        outputs = run(data, inputs)
    changes = {"generator_inputs": inputs, "generated_data": data}
    if isinstance(model, ACGANModel):
        outputs, changes["discriminator_gen_classification_logits"] = outputs
    elif aux:
        outputs, changes["predicted_distributions"] = outputs
        changes["structured_generator_inputs"] = structured[0]
    return model._replace(**changes, discriminator_gen_outputs=outputs)

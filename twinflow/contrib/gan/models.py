"""Models of tf.contrib.gan: functions of the user, called in scopes of their own."""

import contextlib
from typing import Any

from twinflow.base.dtypes import int32
from twinflow.contrib.framework.variables import get_trainable_variables
from twinflow.contrib.gan.namedtuples import (
    ACGANModel,
    CycleGANModel,
    GANModel,
    InfoGANModel,
    StarGANModel,
)
from twinflow.distributions.distribution import Distribution
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.shape import shape
from twinflow.ops.random.draws import random_uniform


def _convert_tensor_or_l_or_d(values: Any) -> Any:
    """Values, a list or a dict of them as tensors."""
    if isinstance(values, list | tuple):
        return [convert_to_tensor(v) for v in values]
    if isinstance(values, dict):
        return {k: convert_to_tensor(v) for k, v in values.items()}
    return convert_to_tensor(values)


def _check_shapes(generated, real):
    if not generated.shape.is_compatible_with(real.shape):
        raise ValueError(
            f"Generator output shape ({generated.shape}) must be the same shape as "
            f"real data ({real.shape})."
        )


def _sides(
    generator_fn, discriminator_fn, real_data, inputs, scopes, check_shapes,
    names=(None, None),
):  # fmt: skip
    """A GANModel whose outputs are what the discriminator gave, whatever that is."""
    with variable_scope(scopes[0]) as gen_scope:
        generator_inputs = inputs()
        generated_data = generator_fn(generator_inputs)
    with variable_scope(scopes[1]) as dis_scope, _named(dis_scope, names[0]):
        of_generated = discriminator_fn(generated_data, generator_inputs)
    with variable_scope(dis_scope, reuse=True), _named(dis_scope, names[1]):
        real_data = _convert_tensor_or_l_or_d(real_data)
        of_real = discriminator_fn(real_data, generator_inputs)
    if check_shapes:
        _check_shapes(generated_data, real_data)
    return GANModel(
        generator_inputs, generated_data, get_trainable_variables(gen_scope), gen_scope,
        generator_fn, real_data, of_real, of_generated,
        get_trainable_variables(dis_scope), dis_scope, discriminator_fn,
    )  # fmt: skip


def gan_model(
    generator_fn: Any, discriminator_fn: Any, real_data: Any, generator_inputs: Any,
    generator_scope: Any = "Generator", discriminator_scope: Any = "Discriminator",
    check_shapes: bool = True,
) -> GANModel:  # fmt: skip
    """A generator, and a discriminator of what it gives and of real data.

    Args:
        generator_fn: a function from `generator_inputs` to data.
        discriminator_fn: a function from (data, generator_inputs) to a tensor, which
            makes its variables by tf.get_variable.
        real_data: a tensor, or a list or dict of them. generator_inputs: likewise.
        generator_scope, discriminator_scope: the variable scopes of both.
        check_shapes: whether generated and real data have to be of one shape.
    Raises:
        ValueError: they are not.
    Example:
        gan = tf.contrib.gan.gan_model(
            lambda z: tf.layers.dense(z, 2), lambda x, z: tf.layers.dense(x, 1),
            real_data=tf.zeros([8, 2]), generator_inputs=tf.random_normal([8, 3]))
        gan.generated_data  # float32[8, 2]
    """
    return _sides(
        generator_fn, discriminator_fn, real_data,
        lambda: _convert_tensor_or_l_or_d(generator_inputs),
        (generator_scope, discriminator_scope), check_shapes,
    )  # fmt: skip


def infogan_model(
    generator_fn: Any, discriminator_fn: Any, real_data: Any,
    unstructured_generator_inputs: Any, structured_generator_inputs: Any,
    generator_scope: Any = "Generator", discriminator_scope: Any = "Discriminator",
) -> InfoGANModel:  # fmt: skip
    """A GANModel whose discriminator also guesses a part of the noise.

    Args:
        generator_fn: a function from a list, the noise of both kinds, to data.
        discriminator_fn: a function from (data, that list) to (a tensor, a list of
            tf.distributions.Distribution, one of each structured input).
        real_data: a tensor. unstructured_generator_inputs, structured_generator_inputs:
            lists of tensors. generator_scope, discriminator_scope: variable scopes.
    Raises:
        ValueError: the distributions are none or too few, or shapes differ.
    """
    structured: list = []

    def inputs() -> list:
        free = _convert_tensor_or_l_or_d(unstructured_generator_inputs)
        structured.extend(_convert_tensor_or_l_or_d(structured_generator_inputs))
        return free + structured

    model = _sides(
        generator_fn, discriminator_fn, real_data, inputs,
        (generator_scope, discriminator_scope), False,
    )  # fmt: skip
    of_generated, predicted = model.discriminator_gen_outputs
    _validate_distributions(predicted, structured)
    _check_shapes(model.generated_data, model.real_data)
    model = model._replace(
        discriminator_gen_outputs=of_generated,
        discriminator_real_outputs=model.discriminator_real_outputs[0],
        discriminator_fn=lambda x, y: discriminator_fn(x, y)[0],
    )
    return InfoGANModel(*model, structured, predicted, discriminator_fn)


def acgan_model(
    generator_fn: Any, discriminator_fn: Any, real_data: Any, generator_inputs: Any,
    one_hot_labels: Any, generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator", check_shapes: bool = True,
) -> ACGANModel:  # fmt: skip
    """A GANModel whose discriminator also tells classes apart.

    Args:
        discriminator_fn: a function from (data, generator_inputs) to (a tensor, logits
            of the classes). one_hot_labels: number[batch, classes].
        others: see gan_model.
    Raises:
        TypeError: the discriminator gives no pair. ValueError: shapes differ.
    """
    model = _sides(
        generator_fn, discriminator_fn, real_data,
        lambda: _convert_tensor_or_l_or_d(generator_inputs),
        (generator_scope, discriminator_scope), check_shapes, ("generated", "real"),
    )  # fmt: skip
    for outputs in model.discriminator_gen_outputs, model.discriminator_real_outputs:
        _validate_acgan_discriminator_outputs(outputs)
    of_generated, of_generated_classes = model.discriminator_gen_outputs
    of_real, of_real_classes = model.discriminator_real_outputs
    model = model._replace(
        discriminator_gen_outputs=of_generated, discriminator_real_outputs=of_real
    )
    return ACGANModel(*model, one_hot_labels, of_real_classes, of_generated_classes)


def cyclegan_model(
    generator_fn: Any, discriminator_fn: Any, data_x: Any, data_y: Any,
    generator_scope: Any = "Generator", discriminator_scope: Any = "Discriminator",
    model_x2y_scope: Any = "ModelX2Y", model_y2x_scope: Any = "ModelY2X",
    check_shapes: bool = True,
) -> CycleGANModel:  # fmt: skip
    """Two GANModels, from x to y and back, and what both make of x and y in turn.

    Args:
        data_x, data_y: tensors. model_x2y_scope, model_y2x_scope: variable scopes.
        others: see gan_model.
    """
    models = []
    for scope, start, end in (
        (model_x2y_scope, data_x, data_y), (model_y2x_scope, data_y, data_x)
    ):  # fmt: skip
        with variable_scope(scope):
            partial = gan_model(
                generator_fn,
                discriminator_fn,
                end,
                start,
                generator_scope,
                discriminator_scope,
                check_shapes,
            )  # fmt: skip
            models.append(partial)
    there, back = models
    with variable_scope(back.generator_scope, reuse=True):
        reconstructed_x = back.generator_fn(there.generated_data)
    with variable_scope(there.generator_scope, reuse=True):
        reconstructed_y = there.generator_fn(back.generated_data)
    return CycleGANModel(there, back, reconstructed_x, reconstructed_y)


def stargan_model(
    generator_fn: Any, discriminator_fn: Any, input_data: Any,
    input_data_domain_label: Any, generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator",
) -> StarGANModel:  # fmt: skip
    """A generator from any of several domains to one that is drawn, and back.

    Args:
        generator_fn: a function from (data, one-hot domains) to data.
        discriminator_fn: a function from (data, the number of domains) to (a tensor,
            logits of the domains).
        input_data: float32[batch, ...], or a list of them.
        input_data_domain_label: float32[batch, domains].
        generator_scope, discriminator_scope: variable scopes.
    Reference: Choi et al., StarGAN (2017).
    """
    input_data = _convert_tensor_or_l_or_d(input_data)
    label = _convert_tensor_or_l_or_d(input_data_domain_label)
    domains = label.shape.as_list()[-1]
    batch = label.shape.as_list()[0] or shape(label)[0]
    with variable_scope(generator_scope) as gen_scope:
        target = _generate_stargan_random_domain_target(batch, domains)
        generated = generator_fn(input_data, target)
    with variable_scope(gen_scope, reuse=True):
        reconstructed = generator_fn(generated, label)
    with variable_scope(discriminator_scope) as dis_scope:
        generated_source, generated_domain = discriminator_fn(generated, domains)
    with variable_scope(dis_scope, reuse=True):
        source, domain = discriminator_fn(input_data, domains)
    return StarGANModel(
        input_data, label, generated, target, reconstructed, source, generated_source,
        domain, generated_domain, get_trainable_variables(gen_scope), gen_scope,
        generator_fn, get_trainable_variables(dis_scope), dis_scope, discriminator_fn,
    )  # fmt: skip


def _named(scope, name):
    """The name scope of this name below that of a variable scope."""
    return name_scope(f"{scope.name}/{name}/") if name else contextlib.nullcontext()


def _validate_distributions(distributions, noise):
    if not isinstance(distributions, list | tuple):
        raise ValueError(
            "`predicted_distributions` must be a list. Instead, found "
            f"{type(distributions)}."
        )
    for found in distributions:
        if not isinstance(found, Distribution):
            raise ValueError(
                "Every element in `predicted_distributions` must be a "
                f"`tf.Distribution`. Instead, found {type(found)}."
            )
    if len(distributions) != len(noise):
        raise ValueError(
            f"Length of `predicted_distributions` {len(distributions)} must be the "
            f"same as the length of structured noise {len(noise)}."
        )


def _validate_acgan_discriminator_outputs(outputs):
    if not isinstance(outputs, list | tuple) or len(outputs) != 2:
        raise TypeError(
            "A discriminator function for ACGAN must output a tuple consisting of "
            "(discrimination logits, classification logits)."
        )


def _generate_stargan_random_domain_target(batch_size: Any, num_domains: int) -> Any:
    """A domain for each example, drawn: float32[batch, domains], one-hot."""
    drawn = random_uniform([batch_size], maxval=num_domains, dtype=int32)
    return one_hot(drawn, num_domains)

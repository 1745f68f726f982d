"""What tf.contrib.gan passes around: models, losses, ops and steps of training."""

from collections import namedtuple
from typing import Any, NamedTuple

_SIDES = (
    "generator_inputs generated_data generator_variables generator_scope generator_fn "
    "real_data discriminator_real_outputs discriminator_gen_outputs "
    "discriminator_variables discriminator_scope discriminator_fn"
)
GANModel = namedtuple("GANModel", _SIDES)
GANModel.__doc__ = "A generator, a discriminator, and what they gave."

InfoGANModel = namedtuple(
    "InfoGANModel",
    f"{_SIDES} structured_generator_inputs predicted_distributions "
    "discriminator_and_aux_fn",
)
InfoGANModel.__doc__ = "A GANModel whose discriminator also guesses parts of the noise."

ACGANModel = namedtuple(
    "ACGANModel",
    f"{_SIDES} one_hot_labels discriminator_real_classification_logits "
    "discriminator_gen_classification_logits",
)
ACGANModel.__doc__ = "A GANModel whose discriminator also tells classes apart."

CycleGANModel = namedtuple(
    "CycleGANModel", "model_x2y model_y2x reconstructed_x reconstructed_y"
)
CycleGANModel.__doc__ = "A GANModel from x to y, one back, and x and y there and back."

StarGANModel = namedtuple(
    "StarGANModel",
    "input_data input_data_domain_label generated_data generated_data_domain_target "
    "reconstructed_data discriminator_input_data_source_predication "
    "discriminator_generated_data_source_predication "
    "discriminator_input_data_domain_predication "
    "discriminator_generated_data_domain_predication generator_variables "
    "generator_scope generator_fn discriminator_variables discriminator_scope "
    "discriminator_fn",
)
StarGANModel.__doc__ = "A generator from any of several domains to any other."


class GANLoss(NamedTuple):
    """What the generator and the discriminator minimise."""

    generator_loss: Any
    discriminator_loss: Any


class CycleGANLoss(NamedTuple):
    """The losses of both directions, a GANLoss each."""

    loss_x2y: Any
    loss_y2x: Any


class GANTrainOps(NamedTuple):
    """A step of the generator, one of the discriminator, and of the global step."""

    generator_train_op: Any
    discriminator_train_op: Any
    global_step_inc_op: Any


class GANTrainSteps(NamedTuple):
    """How many steps each side makes in a turn."""

    generator_train_steps: int
    discriminator_train_steps: int

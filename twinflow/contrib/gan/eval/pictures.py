"""Summaries of models of tf.contrib.gan: images, variables, losses of regularisers."""

from typing import Any

from twinflow.contrib.gan.eval.grids import image_grid, image_reshaper
from twinflow.contrib.gan.namedtuples import CycleGANModel
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.collection import get_regularization_loss
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat, stack, tile, unstack
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.matrix.diagonal import eye
from twinflow.summary.summaries import histogram, image, scalar

_WAYS = {"x2y": "model_x2y", "y2x": "model_y2x"}


def _assert_is_image(data):
    data.shape.assert_has_rank(4)
    data.shape[1:].assert_is_fully_defined()


def add_gan_model_image_summaries(
    gan_model: Any, grid_size: int = 4, model_summaries: bool = True
) -> None:
    """Summaries of real and generated images, a grid each.

    Args:
        gan_model: a GANModel. grid_size: how many rows and columns.
        model_summaries: whether to add those of add_gan_model_summaries too.
    Raises:
        ValueError: it is a CycleGANModel, or there are not as many images.
    """
    if isinstance(gan_model, CycleGANModel):
        raise ValueError(
            "`add_gan_model_image_summaries` does not take CycleGANModels. Please use "
            "`add_cyclegan_image_summaries` instead."
        )
    both = {
        "real_data": gan_model.real_data,
        "generated_data": gan_model.generated_data,
    }
    for images in both.values():
        _assert_is_image(images)
    count = grid_size**2
    for name, images in both.items():
        *size, channels = images.shape.as_list()[1:]
        grid = image_grid(images[:count], (grid_size, grid_size), size, channels)
        image(name, grid, max_outputs=1)
    if model_summaries:
        add_gan_model_summaries(gan_model)


def add_cyclegan_image_summaries(cyclegan_model: Any) -> None:
    """Summaries of an image, what it becomes, and what that becomes, for both ways.

    Args:
        cyclegan_model: a CycleGANModel.
    Raises:
        ValueError: it is none.
    """
    if not isinstance(cyclegan_model, CycleGANModel):
        raise ValueError(
            "`cyclegan_model` was not a CycleGANModel. Instead, was "
            f"{type(cyclegan_model)}"
        )
    for (name, field), back in zip(
        _WAYS.items(),
        (cyclegan_model.reconstructed_x, cyclegan_model.reconstructed_y), strict=True,
    ):  # fmt: skip
        model = getattr(cyclegan_model, field)
        images = [model.generator_inputs, model.generated_data, back]
        for batch in images:
            _assert_is_image(batch)
        with name_scope(f"{name}_image_comparison_summaries"):
            row = image_reshaper([batch[0] for batch in images], num_cols=3)
            image("image_comparison", row, max_outputs=1)


def add_image_comparison_summaries(
    gan_model: Any, num_comparisons: int = 2, display_diffs: bool = False
) -> None:
    """A summary of images, what the generator makes of them, and real ones.

    Args:
        gan_model: a GANModel whose inputs are images. num_comparisons: how many.
        display_diffs: whether to show how generated and real ones differ, too.
    """
    rows = [gan_model.generator_inputs, gan_model.generated_data, gan_model.real_data]
    for batch in rows:
        _assert_is_image(batch)
    if display_diffs:
        rows.append(abs(gan_model.generated_data - gan_model.real_data))
    shown = [x for batch in rows for x in unstack(batch[:num_comparisons])]
    image("image_comparison", image_reshaper(shown, num_comparisons), max_outputs=1)


def add_stargan_image_summaries(
    stargan_model: Any, num_images: int = 2, display_diffs: bool = False
) -> None:
    """A summary of images, and what they become in each domain.

    Args:
        stargan_model: a StarGANModel. num_images: how many.
        display_diffs: whether to show how they change, too.
    """
    _assert_is_image(stargan_model.input_data)
    domains = stargan_model.input_data_domain_label.shape.as_list()[-1]
    images = unstack(stargan_model.input_data[:num_images])
    targets = eye(domains)
    rows = []
    with variable_scope(stargan_model.generator_scope, reuse=True):
        for one in images:
            batch = tile(expand_dims(one, 0), [domains, 1, 1, 1])
            made = unstack(stargan_model.generator_fn(batch, targets), num=domains)
            lines = [concat([one, *made], 1)]
            if display_diffs:
                changes = [abs(x - one) for x in made]
                lines.append(concat([zeros_like(one), *changes], 1))
            rows.append(concat(lines, 0))
    image("stargan_image_generation", stack(rows), max_outputs=num_images)


def _both_ways(model, scope, function):
    """The summaries of a model, or of both parts of a CycleGANModel in scopes."""
    if not isinstance(model, CycleGANModel):
        return function(model)
    for name, field in _WAYS.items():
        with name_scope(f"cyclegan_{name}_{scope}"):
            function(getattr(model, field))
    return None


def add_gan_model_summaries(gan_model: Any) -> None:
    """Histograms of the variables of a GANModel or CycleGANModel."""

    def add(model):
        for side in "generator_variables", "discriminator_variables":
            with name_scope(side):
                for v in getattr(model, side):
                    histogram(v.name, v)

    _both_ways(gan_model, "summaries", add)


def add_regularization_loss_summaries(gan_model: Any) -> None:
    """The losses of regularisers in the scopes of a GANModel or CycleGANModel."""

    def add(model):
        for side in "generator", "discriminator":
            scope = getattr(model, f"{side}_scope")
            if scope:
                loss = get_regularization_loss(scope.name)
                scalar(f"{side}_regularization_loss", loss)

    _both_ways(gan_model, "regularization_loss_summaries", add)

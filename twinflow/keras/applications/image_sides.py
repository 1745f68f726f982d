"""Sides of images for which the MobileNets were trained."""

from typing import Any

from twinflow.base.frames import warn_user
from twinflow.keras.applications.blocks import sides

_USUAL = 224


def usual_side(input_shape: Any, trained: Any) -> Any:
    """The side to assume: that of the given shape, if weights exist for it."""
    if input_shape is None:
        return _USUAL
    found = set(sides(tuple(input_shape)))
    return found.pop() if len(found) == 1 and found <= set(trained) else _USUAL


def trained_side(frame: Any, trained: Any) -> Any:
    """The side in the name of the model, and of the file of its weights."""
    rows, columns = sides(frame.shape)
    if frame.weights == "imagenet" and (rows != columns or rows not in trained):
        warn_user(
            "`input_shape` is undefined or non-square, or `rows` is not in "
            f"{list(trained)}. Weights for input shape (224, 224) will be loaded as "
            "the default.",
        )
        return _USUAL
    return rows

"""Inception's blocks: tables of branches that lie side by side.

A branch is a list of steps; a step is AVERAGE, LARGEST (pooling over 3x3, the second
with strides of 2) or (filters, kernel, strides=1, padding): a convolution, normalised.
With strides of 2 nothing is padded.
"""

from typing import Any

from twinflow.keras.applications.blocks import chain, concat, conv, norm, relu
from twinflow.keras.layers.pooling import AveragePooling2D, MaxPooling2D

AVERAGE, LARGEST = "average", "largest"

STEM = (
    (32, 3, 2),
    (32, 3, 1, "valid"),
    (64, 3),
    LARGEST,
    (80, 1, 1, "valid"),
    (192, 3, 1, "valid"),
    LARGEST,
)


def branch(x: Any, steps: Any) -> Any:
    """x through one step after the other."""
    for step in steps:
        if step == AVERAGE:
            x = AveragePooling2D(3, strides=1, padding="same")(x)
        elif step == LARGEST:
            x = MaxPooling2D(3, strides=2)(x)
        else:
            x = normalised(x, *step)
    return x


def branches(x: Any, table: Any, name: str | None = None) -> Any:
    """The outputs of all branches, side by side."""
    return concat([branch(x, steps) for steps in table], name)


def normalised(
    x: Any, filters: Any, kernel: Any, strides: Any = 1, padding: Any = None,
    names: Any = (None, None, None),
) -> Any:  # fmt: skip
    """relu(norm(convolution(x))), with the names of the three."""
    padding = padding or ("valid" if strides == 2 else "same")
    return chain(
        x,
        conv(filters, kernel, strides, padding, names[0]),
        norm(names[1], scale=False),
        relu(names[2]),
    )

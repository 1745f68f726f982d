"""Where the nodes of images have their axes, for the writers of other formats."""

from collections.abc import Sequence
from typing import Any


class Layout:
    """Where a node has its images' axes.

    Attributes:
        first: whether channels come before the places. space: how many axes of places.
    """

    def __init__(self, node: Any, space: int) -> None:
        self.first = node.attrs.get("data_format", "NHWC").startswith("NC")
        self.space = space

    def places(self, values: Sequence) -> list[int]:
        """Of a number for each axis those of the places."""
        values = [int(v) for v in values]
        return values[2:] if self.first else values[1:-1]

    def rest(self, values: Sequence) -> list[int]:
        """Of a number for each axis those of the batch and the channels."""
        values = [int(v) for v in values]
        return [values[0], values[1 if self.first else -1]]

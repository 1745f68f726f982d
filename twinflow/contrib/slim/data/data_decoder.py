"""What decodes an example into items."""

import abc
from typing import Any


class DataDecoder(abc.ABC):
    """From the data of an example to its items, such as an image and a label."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Any) -> Any:
        """The tensors of some items.

        Args:
            data: of the example. items: their names.
        """

    @abc.abstractmethod
    def list_items(self) -> Any:
        """The names of all items."""

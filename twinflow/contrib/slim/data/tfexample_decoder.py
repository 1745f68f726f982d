"""From a serialised tf.Example to items."""

from typing import Any

from twinflow.contrib.slim.data.data_decoder import DataDecoder
from twinflow.contrib.slim.data.item_handlers import (
    BackupHandler,
    BoundingBox,
    Image,
    ItemHandler,
    ItemHandlerCallback,
    LookupTensor,
    SparseTensor,
    Tensor,
)
from twinflow.ops.core.shape import reshape
from twinflow.ops.parsing.features import FixedLenFeature
from twinflow.ops.parsing.public import parse_single_example

__all__ = [
    "BackupHandler", "BoundingBox", "Image", "ItemHandler", "ItemHandlerCallback",
    "LookupTensor", "SparseTensor", "TFExampleDecoder", "Tensor",
]  # fmt: skip


class TFExampleDecoder(DataDecoder):
    """Decodes a serialised tf.Example.

    Args:
        keys_to_features: {key: FixedLenFeature, VarLenFeature or SparseFeature}.
        items_to_handlers: {name of an item: ItemHandler}.
    """

    def __init__(
        self, keys_to_features: dict[Any, Any], items_to_handlers: dict[Any, Any]
    ) -> None:
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[Any]:
        """The names of all items."""
        return list(self._items_to_handlers)

    def decode(self, serialized_example: Any, items: Any = None) -> list[Any]:
        """The items of an example.

        Args:
            serialized_example: string scalar. items: names; all by default.
        Returns:
            a list, in the order of the names
        """
        example = parse_single_example(serialized_example, self._keys_to_features)
        for key, feature in sorted(self._keys_to_features.items()):
            if isinstance(feature, FixedLenFeature):
                example[key] = reshape(example[key], feature.shape)
        handlers = [
            self._items_to_handlers[i] for i in items or self._items_to_handlers
        ]
        return [h.tensors_to_item({k: example[k] for k in h.keys}) for h in handlers]

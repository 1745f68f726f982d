"""The tables of embeddings: how they are made, shared and restored."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.checkpoint.starting import init_from_checkpoint
from twinflow.graph.scopes import add_to_collection, get_collection
from twinflow.graph.variable_scope import get_variable
from twinflow.keras.engine.scoped_layer import Layer
from twinflow.ops.core.partitioned import each_part
from twinflow.ops.variables.collections import GraphKeys


def into_collections(variable: Any, weight_collections: Any) -> None:
    """Add the parts of a layer's variable to collections; global ones they are."""
    if current_mode().variable_owner().eager:
        return
    for collection in weight_collections or ():
        if collection != GraphKeys.GLOBAL_VARIABLES:
            for part in each_part(variable):
                add_to_collection(collection, part)


class _EmbeddingColumnLayer(Layer):
    """A layer whose output is its only variable, a table.

    Args:
        embedding_shape: of the table. initializer: its.
        weight_collections: those that the table joins.
        trainable, name, kwargs: see tf.layers.Layer.
    """

    def __init__(
        self, embedding_shape: Any, initializer: Any, weight_collections: Any = None,
        trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._embedding_shape, self._initializer = embedding_shape, initializer
        self._weight_collections = weight_collections

    def set_weight_collections(self, weight_collections: Any) -> None:
        """Say which collections the table joins."""
        self._weight_collections = weight_collections

    def build(self, input_shape: Any) -> None:
        """Make the table."""
        self._embedding_weight_var = self.add_variable(
            "embedding_weights", self._embedding_shape, dtypes.float32,
            initializer=self._initializer, trainable=self.trainable,
        )  # fmt: skip
        into_collections(self._embedding_weight_var, self._weight_collections)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The table."""
        return self._embedding_weight_var


def shared_table(column: Any, shape: tuple, collections: Any, trainable: Any) -> Any:
    """The table of columns that share one: the only variable of their collection.

    Raises:
        ValueError: the collection holds something else.
    """
    where = column.shared_embedding_collection_name
    found = get_collection(where)
    advice = (
        "Suggested fix A: Choose a unique name for this collection. Suggested fix B: "
        "Do not add any variables to this collection. The feature_column library "
        "already adds a variable under the hood."
    )
    if len(found) > 1:
        raise ValueError(f"Collection {found} can only contain one variable. {advice}")
    if found:
        if found[0].get_shape() != shape:
            raise ValueError(
                f"Shared embedding collection {where} contains variable "
                f"{found[0].name} of unexpected shape {found[0].get_shape()}. Expected "
                f"shape is {shape}. {advice}"
            )
        return found[0]
    table = get_variable(
        "embedding_weights", shape, dtypes.float32, column.initializer,
        trainable=trainable, collections=collections,
    )  # fmt: skip
    add_to_collection(where, table)
    return table


def restored(table: Any, checkpoint: Any, name: Any) -> Any:
    """A table that starts with a tensor of a checkpoint, if one is given."""
    if checkpoint is not None:
        init_from_checkpoint(checkpoint, {name: table})
    return table

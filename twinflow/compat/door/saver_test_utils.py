"""tensorflow.python.training.saver_test_utils: a table that savers save."""

from twinflow.base import dtypes
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.tables import ops as table_ops
from twinflow.ops.tables.mutable import MutableHashTable, SavedTable
from twinflow.ops.variables.collections import GraphKeys


class CheckpointedOp:
    """A table from strings to numbers.

    Args:
        name: of the table, and what its keys in checkpoints begin with.
        table_ref: its handle, where it was made before.
    """

    def __init__(self, name, table_ref=None):
        self._name = name
        self._table = MutableHashTable(
            dtypes.string, dtypes.float32, 0.0, name=name, checkpoint=False
        )
        if table_ref is not None:
            self._table._table_ref = table_ref
        self.table_ref = self._table.table_ref
        self._saveable = self.CustomSaveable(self, name)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def name(self):
        """The name."""
        return self._name

    @property
    def saveable(self):
        """The SaveableObject of the table."""
        return self._saveable

    def insert(self, keys, values):
        """The op that puts values in under keys."""
        return self._table.insert(keys, values)

    def lookup(self, keys, default):
        """The values of keys, `default` where there is none."""
        return table_ops.LookupTableFind(self.table_ref, keys, default)

    def keys(self):
        """All keys."""
        return self._table.export()[0]

    def values(self):
        """All values."""
        return self._table.export()[1]

    class CustomSaveable(SavedTable):
        """What is saved of the table."""

        def __init__(self, table, name):
            super().__init__(table.table_ref, table._table.export(), name)

# Made by `make stubs` from the table of the index.
from twinflow.contrib.bigtable.tables import BigtableClient as BigtableClient
from twinflow.contrib.bigtable.tables import BigtableTable as BigtableTable

__all__ = [
"BigtableClient", "BigtableTable"
]

# Made by `make stubs` from the table of the index.
from typing import Any
def BigtableClient(*args: Any, **kwargs: Any) -> Any: ...
def BigtableTable(*args: Any, **kwargs: Any) -> Any: ...

__all__ = [
"BigtableClient", "BigtableTable"
]

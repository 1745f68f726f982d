# Made by `make stubs` from the table of the index.
from typing import Any
def BigtableClient(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def BigtableTable(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """

__all__ = [
"BigtableClient", "BigtableTable"
]

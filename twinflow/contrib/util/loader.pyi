# Made by `make stubs` from the table of the index.
from typing import Any
def load_op_library(*args: Any, **kwargs: Any) -> Any: ...

__all__ = [
"load_op_library"
]

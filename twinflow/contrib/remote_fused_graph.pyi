# Made by `make stubs` from the table of the index.
from typing import Any
def remote_fused_graph_execute(*args: Any, **kwargs: Any) -> Any: ...

__all__ = [
"remote_fused_graph_execute"
]

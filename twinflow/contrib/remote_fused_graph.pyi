# Made by `make stubs` from the table of the index.
from typing import Any
def remote_fused_graph_execute(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (other processors). There is none here: import the graph and run it.
    """

__all__ = [
"remote_fused_graph_execute"
]

# Made by `make stubs` from the table of the index.
from twinflow.contrib.remote_fused_graph.executing import remote_fused_graph_execute as remote_fused_graph_execute

__all__ = [
"remote_fused_graph_execute"
]

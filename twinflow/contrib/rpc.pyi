# Made by `make stubs` from the table of the index.
from twinflow.execute.rpc import rpc as rpc
from twinflow.execute.rpc import try_rpc as try_rpc

__all__ = [
"rpc", "try_rpc"
]

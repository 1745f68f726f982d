# Made by `make stubs` from the table of the index.
from twinflow.contrib.decision_trees import proto as proto

__all__ = [
"proto"
]

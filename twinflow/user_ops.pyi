# Made by `make stubs` from the table of the index.
from twinflow.ops.strings.contributed import my_fact as my_fact

__all__ = [
"my_fact"
]

# Made by `make stubs` from the table of the index.
from twinflow.ops.arrays.sorting import nth_element as nth_element

__all__ = [
"nth_element"
]

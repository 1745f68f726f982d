# Made by `make stubs` from the table of the index.
from twinflow.ops.sparse.sets import set_difference as set_difference
from twinflow.ops.sparse.sets import set_intersection as set_intersection
from twinflow.ops.sparse.sets import set_size as set_size
from twinflow.ops.sparse.sets import set_union as set_union

__all__ = [
"set_difference", "set_intersection", "set_size", "set_union"
]

# Made by `make stubs` from the table of the index.
from twinflow.ops.core.joining import tile as tile
from twinflow.ops.core.index_vectors import gather_nd as gather_nd
from twinflow.ops.core.index_vectors import scatter_nd as scatter_nd
from twinflow.ops.arrays.rearrange import reverse as reverse
from twinflow.ops.arrays.rearrange import roll as roll
from twinflow.ops.core.shape import reshape as reshape
from twinflow.ops.arrays.space_batch import batch_to_space_nd as batch_to_space_nd
from twinflow.ops.arrays.space_batch import space_to_batch_nd as space_to_batch_nd

__all__ = [
"tile", "gather_nd", "scatter_nd", "reverse", "roll", "reshape", "batch_to_space_nd",
"space_to_batch_nd"
]

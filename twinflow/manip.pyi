# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.ops.array import tile as tile
from twinflow.ops.index import gather_nd as gather_nd
from twinflow.ops.index import scatter_nd as scatter_nd
from twinflow.ops.rearrange import reverse as reverse
from twinflow.ops.rearrange import roll as roll
from twinflow.ops.shape import reshape as reshape
from twinflow.ops.space_batch import batch_to_space_nd as batch_to_space_nd
from twinflow.ops.space_batch import space_to_batch_nd as space_to_batch_nd

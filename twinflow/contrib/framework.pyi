# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.base import nest as nest
from twinflow.base.convert import is_tensor as is_tensor
from twinflow.ops.arrays.sorting import argsort as argsort
from twinflow.ops.arrays.sorting import sort as sort
from twinflow.graph.case import smart_cond as smart_cond
from twinflow.graph.case import smart_case as smart_case
from twinflow.graph.case import smart_constant_value as smart_constant_value

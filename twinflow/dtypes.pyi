# Made by `make stubs` from the table of the index.
from twinflow.base.dtypes import DType as DType
from twinflow.base.dtypes import as_dtype as as_dtype
from twinflow.ops.math.clip import saturate_cast as saturate_cast
from twinflow.ops.core.complex import complex as complex
from twinflow.ops.core.constant import cast as cast
from twinflow.ops.strings.number import as_string as as_string

__all__ = [
"DType", "as_dtype", "saturate_cast", "complex", "cast", "as_string"
]

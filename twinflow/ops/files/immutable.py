"""ImmutableConst: an array that lies in a file."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.files import translated
from twinflow.base.op import define
from twinflow.ops.strings.arrays import as_text


def _mapped(dtype, shape, memory_region_name):
    path = as_text(memory_region_name)
    if dtype.np.kind == "O":
        raise invalid(
            "Sorry, DT_STRING is not currently supported for ImmutableConstOp."
        )
    with translated(path):
        return np.memmap(path, dtype.np, "r", shape=tuple(shape))


ImmutableConst = define(
    "ImmutableConst", infer=lambda dtype, shape, **_: shape, host=_mapped
)

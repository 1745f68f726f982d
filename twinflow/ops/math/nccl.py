"""What GraphDefs have of NCCL: a value of several devices as one, and one for several.

Where the devices are is for those to say who run the nodes; the numbers are the same.
"""

import functools

from twinflow.base.op import bind_first, define
from twinflow.ops.core.infer import merge, one_of, same

_MERGE = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum"}


def _alike(input, reduction, **_):
    one_of("NcclReduce", "reduction", reduction, tuple(sorted(_MERGE)))
    return functools.reduce(merge, (x._shape for x in input))


@bind_first
def _reduced(xp, input, reduction):
    return functools.reduce(getattr(xp, _MERGE[reduction]), input)


def _slopes(dy, reduction, num_input):
    if reduction != "sum":
        raise LookupError("No gradient defined for NcclReduce except sum.")
    return [dy] * num_input


NcclReduce = define(
    "NcclReduce",
    infer=_alike,
    kernel=_reduced,
    grad=[_slopes],
)
NcclBroadcast = define(
    "NcclBroadcast",
    infer=same,
    kernel=lambda xp: lambda input: input,
    grad=[lambda dy: dy],
    unread="shape",
)

"""The writers of all families: {op type: function of the Writer and the node}."""

from twinflow.interchange.onnx.writing import (
    arrays,
    control_flow,
    convolution,
    elementwise,
    images,
    indexing,
    lists,
    products,
    random,
    recurrent,
    reductions,
    slopes,
)

_FAMILIES = (
    arrays, control_flow, convolution, elementwise, images, indexing, lists, products,
    random, recurrent, reductions, slopes,
)  # fmt: skip

WRITERS: dict = {}
for _family in _FAMILIES:
    WRITERS.update(_family.WRITERS)

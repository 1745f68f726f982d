"""The readers of all families: {op type: function of the Reader, node and inputs}."""

from twinflow.interchange.onnx.reading import (
    arrays,
    control_flow,
    convolution,
    elementwise,
    products,
    recurrent,
    reductions,
)

_FAMILIES = (
    arrays, control_flow, convolution, elementwise, products, recurrent, reductions
)  # fmt: skip

READERS: dict = {}
for _family in _FAMILIES:
    READERS.update(_family.READERS)

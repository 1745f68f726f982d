"""tensorflow.python.framework.op_def_registry: the OpDefs of all ops."""

import functools
from typing import Any

from twinflow.base import op_defs
from twinflow.formats.attr_values import op_def_proto


@functools.cache
def get_registered_ops() -> dict:
    """{op type: OpDef message} of TensorFlow 1.12's ops."""
    return {kind: op_def_proto(op_defs.find(kind)) for kind in op_defs.kinds()}


def register_op_list(op_list: Any) -> None:
    """Note further ops.

    Args:
        op_list: an OpList.
    Raises:
        TypeError: it is none. ValueError: one is there with another definition.
    """
    ops = get_registered_ops()
    for op in op_list.op:
        if op.name in ops and ops[op.name] != op:
            raise ValueError(
                f"Trying to register_op_list({op}) but the op is registered as "
                f"{ops[op.name]}"
            )
        ops[op.name] = op

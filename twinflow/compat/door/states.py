"""tensorflow.python.ops.state_ops: variables as bare references."""

from twinflow.compat.door import generated
from twinflow.graph.scopes import colocate_with, name_scope
from twinflow.ops.variables.state import assign


def variable_op(
    shape, dtype, name="Variable", set_shape=True, container="", shared_name=""
):
    """A variable's reference, of TensorFlow's first kind."""
    make = generated.function("python.ops.gen_state_ops", "variable")
    wanted = shape if set_shape else None
    return make(wanted, dtype, container, shared_name, name=name)


def variable_op_v2(shape, dtype, name="Variable", container="", shared_name=""):
    """A variable's reference.

    Args:
        shape: its TensorShape. dtype: its DType. name: of the node.
    """
    make = generated.function("python.ops.gen_state_ops", "variable_v2")
    return make(shape, dtype, container, shared_name, name=name)


def init_variable(v, init, name="init"):
    """The op that gives a reference its first value.

    Args:
        init: a tensor, or a function of (shape, dtype).
    """
    with name_scope(f"{v.op.name}/"), colocate_with(v):
        value = (
            init(v.get_shape().as_list(), v.dtype.base_dtype)
            if callable(init)
            else init
        )
        return assign(v, value, name=name)

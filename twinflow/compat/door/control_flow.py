"""What tensorflow.python.ops.control_flow_ops has for loops and branches in parts."""

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op_lookup import known_op
from twinflow.graph.cond import cond
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.switch import merge, ref_merge, ref_switch, switch
from twinflow.ops.core.constant import convert_to_tensor, identity

ENABLE_COND_V2 = ENABLE_WHILE_V2 = False

__all__ = ["exit", "merge", "ref_merge", "ref_switch", "switch"]


def _moved(kind, data, name, attrs=None):
    ref = getattr(data, "_as_graph_element", lambda: data)()
    if getattr(getattr(ref, "dtype", None), "_is_ref_dtype", False):
        return apply(known_op(f"Ref{kind}"), (ref,), attrs, name)
    return apply(known_op(kind), (convert_to_tensor(data),), attrs, name)


def exit(data, name=None):
    """`data` of a frame outside of it."""
    return _moved("Exit", data, name)


def _NextIteration(data, name=None):
    return _moved("NextIteration", data, name)


def _Enter(
    data, frame_name, is_constant=False, parallel_iterations=10, use_ref=True,
    use_input_shape=True, name=None,
):  # fmt: skip
    attrs = {
        "frame_name": frame_name, "is_constant": is_constant,
        "parallel_iterations": parallel_iterations,
    }  # fmt: skip
    return _moved("Enter", data, name, attrs)


def _Identity(data, name=None):
    return identity(data, name)


def _SwitchRefOrTensor(data, pred, name="Switch"):
    return ref_switch(data, pred, name=name)


def cond_v2(pred, true_fn, false_fn, name="cond"):
    """tf.cond, which takes a Python bool as well."""
    if isinstance(pred, bool):
        pred = convert_to_tensor(pred, dtypes.bool, "pred")
    return cond(pred, true_fn, false_fn, name=name)


def while_loop_v2(cond, body, loop_vars, name=None):
    """tf.while_loop, of one variable or a list of them."""
    if not isinstance(loop_vars, list | tuple):
        loop_vars = [loop_vars]
    return while_loop(cond, body, loop_vars, name=name)

"""What tensorflow.python.ops.control_flow_ops has for loops and branches in parts."""

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op_lookup import known_op
from twinflow.graph.cond import cond
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.node import Region
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.switch import merge, ref_merge, ref_switch, switch
from twinflow.ops.core.constant import convert_to_tensor, identity

ENABLE_COND_V2 = ENABLE_WHILE_V2 = False

__all__ = ["exit", "merge", "ref_merge", "ref_switch", "switch"]


class _Kind(type):
    """Classes of which the regions of graphs are, by what they belong to."""

    def __instancecheck__(cls, value):
        if isinstance(value, Region):
            return cls.of(value)
        return type.__instancecheck__(cls, value)


class ControlFlowContext(metaclass=_Kind):
    """A part of a graph that loops or branches; programs make some of their own.

    Example:
        context = XLAControlFlowContext()
        context.Enter()
        y = tf.add(1, 2)
        context.Exit()
    """

    of = staticmethod(lambda region: True)
    outer_context, name, grad_state = None, "", None
    back_prop = True

    def Enter(self):
        """Let this be the context of what follows."""
        graph = get_default_graph()
        self.outer_context = graph._get_control_flow_context()
        graph._set_control_flow_context(self)

    def Exit(self):
        """Let it be the one around this again."""
        outer = self.outer_context
        kept = None if isinstance(outer, Region) else outer
        get_default_graph()._set_control_flow_context(kept)

    def IsWhileContext(self):
        """Whether it is a loop."""
        return False

    def IsCondContext(self):
        """Whether it is a branch."""
        return False

    def IsXLAContext(self):
        """Whether XLA compiles what is in it."""
        return False

    def GetWhileContext(self):
        """The loop that it lies in, or None."""
        outer = self.outer_context
        return outer and outer.GetWhileContext()


class CondContext(ControlFlowContext):
    """A branch of a tf.cond."""

    of = staticmethod(Region.IsCondContext)


class WhileContext(ControlFlowContext):
    """A part of a tf.while_loop."""

    of = staticmethod(Region.IsWhileContext)


class XLAControlFlowContext(ControlFlowContext):
    """A part of a graph that XLA compiles."""

    of = staticmethod(lambda region: False)

    def __init__(self):
        self.name = "XLAControlFlowContext"

    def IsXLAContext(self):
        """True."""
        return True

    def AddOp(self, op):
        """Nothing is to be done."""

    def AddValue(self, x):
        """The value."""
        return x


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
    ref = getattr(data, "_as_graph_element", lambda: data)()
    if getattr(getattr(ref, "dtype", None), "_is_ref_dtype", False):
        return apply(known_op("RefIdentity"), (ref,), None, name)
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

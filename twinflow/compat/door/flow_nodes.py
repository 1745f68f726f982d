"""tensorflow.python.ops.control_flow_util: what kind of node of a loop or branch."""

from twinflow.formats.protos import AttrValue


def _of(*types):
    def is_of(op):
        return op.type in types

    is_of.__doc__ = f"Whether a node is of type {' or '.join(types)}."
    return is_of


IsSwitch = _of("Switch", "RefSwitch")
_is_merge = _of("Merge", "RefMerge")
IsLoopEnter = _of("Enter", "RefEnter")
_is_exit = _of("Exit", "RefExit")


def IsLoopExit(op):
    """Whether a node gives what a loop has computed."""
    return _is_exit(op) or (op.type == "Identity" and _is_of(op, "While"))


def _is_of(op, kind):
    return op.inputs[0].op.type == kind


def IsMerge(op):
    """Whether a node brings together what comes on several ways."""
    return IsLoopMerge(op) or IsCondMerge(op)


def IsLoopMerge(op):
    """Whether a node brings the first value and the next one of a loop together."""
    if op.type == "TwinParam":  # in the test of a loop of ours
        return op.region is not None and op.region.label == "cond"
    return _is_merge(op) and any(t.op.type == "NextIteration" for t in op.inputs)


def IsCondMerge(op):
    """Whether a node brings the two branches of a tf.cond together."""
    if op.type == "Identity":
        return _is_of(op, "If")
    return _is_merge(op) and not IsLoopMerge(op)


def IsLoopSwitch(op):
    """Whether a node leads a value into a loop's body or out of it."""
    return IsSwitch(op) and any(t.op.type == "LoopCond" for t in op.inputs)


def IsCondSwitch(op):
    """Whether a node leads a value into one branch of a tf.cond."""
    return IsSwitch(op) and not IsLoopSwitch(op)


def GetOutputContext(op):
    """The part of a loop or branch that the outputs of a node are in, or None."""
    return op._get_control_flow_context()


def GetContainingWhileContext(ctxt, stop_ctxt=None):
    """The innermost loop around a context, or None; not further than `stop_ctxt`."""
    while ctxt is not None:
        if ctxt.IsWhileContext() or ctxt is stop_ctxt:
            return ctxt
        ctxt = ctxt.outer_context
    return None


def GetContainingCondContext(ctxt):
    """The innermost branch around a context, or None."""
    while ctxt is not None and not ctxt.IsCondContext():
        ctxt = ctxt.outer_context
    return ctxt


def GetContainingXLAContext(ctxt):
    """The innermost context around one that XLA compiles, or None."""
    while ctxt is not None and not getattr(ctxt, "IsXLAContext", bool)():
        ctxt = ctxt.outer_context
    return ctxt


def IsContainingContext(ctxt, maybe_containing_ctxt):
    """Whether a context is another one or lies in it."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def IsInWhileLoop(op):
    """Whether a node is in a loop."""
    return GetContainingWhileContext(GetOutputContext(op)) is not None


def IsInCond(op):
    """Whether a node is in a branch."""
    return GetContainingCondContext(GetOutputContext(op)) is not None


def IsInXLAContext(op):
    """Whether XLA compiles a node, by its context or its mark."""
    if (op.node_def.attr.get("_XlaCompile") or _NO).b:
        return True
    return GetContainingXLAContext(GetOutputContext(op)) is not None


_NO = AttrValue()


def OpInContext(op, ctxt):
    """Whether a node is in a context."""
    return IsContainingContext(op._get_control_flow_context(), ctxt)


def TensorInContext(tensor, ctxt):
    """Whether the node of a tensor is in a context."""
    return OpInContext(tensor.op, ctxt)


def IsLoopConstantEnter(op):
    """Whether a node brings a value into a loop that does not change there."""
    return IsLoopEnter(op) and op.get_attr("is_constant")

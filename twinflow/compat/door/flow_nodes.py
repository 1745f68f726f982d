"""tensorflow.python.ops.control_flow_util: what kind of node of a loop or branch."""


def _of(*types):
    def is_of(op):
        return op.type in types

    is_of.__doc__ = f"Whether a node is of type {' or '.join(types)}."
    return is_of


IsSwitch = _of("Switch", "RefSwitch")
IsMerge = _of("Merge", "RefMerge")
IsLoopEnter = _of("Enter", "RefEnter")
IsLoopExit = _of("Exit", "RefExit")


def IsLoopMerge(op):
    """Whether a node brings the first value and the next one of a loop together."""
    return IsMerge(op) and any(t.op.type == "NextIteration" for t in op.inputs)


def IsCondMerge(op):
    """Whether a node brings the two branches of a tf.cond together."""
    return IsMerge(op) and not IsLoopMerge(op)


def IsLoopSwitch(op):
    """Whether a node leads a value into a loop's body or out of it."""
    return IsSwitch(op) and any(t.op.type == "LoopCond" for t in op.inputs)


def IsCondSwitch(op):
    """Whether a node leads a value into one branch of a tf.cond."""
    return IsSwitch(op) and not IsLoopSwitch(op)


def IsLoopConstantEnter(op):
    """Whether a node brings a value into a loop that does not change there."""
    return IsLoopEnter(op) and op.get_attr("is_constant")

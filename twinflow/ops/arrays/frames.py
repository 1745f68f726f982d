"""Enter, Exit, NextIteration and LoopCond: loops in TensorFlow 1's own parts.

Note [Frames]: tf.while_loop makes a node with regions instead. A graph with these ops
runs token by token (execute.tokens): a value has a tag, which says in which iteration
of which frames it is. An Enter takes it into the first iteration of a frame, a
NextIteration into the next one, an Exit out of it.
"""

from twinflow.base.op import define
from twinflow.ops.core.infer import same


def _entered(data, is_constant, **_):
    """What changes from one iteration to the next may change its shape."""
    return data._shape if is_constant else None


def _define(kind, infer=same):
    define(kind, infer=infer, host=lambda data, **_: data)
    define(f"Ref{kind}", infer=infer, host=lambda cell, **_: ())


_define("Enter", _entered)
_define("Exit")
_define("NextIteration")

LoopCond = define("LoopCond", infer=lambda input: (), host=lambda input: input)

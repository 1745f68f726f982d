"""Constant folding: compute now what does not depend on the run."""

import numpy as np

from twinflow.base.convert import held
from twinflow.graph import fit
from twinflow.graph.program import regions

# what is there already, or has no array
_VALUES = ("Const", "TwinParam", "TwinArrayNothing")
_LARGEST = 1 << 16  # elements of a folded result: beyond, memory counts more than time


def fold(program):
    """Note the value of every node whose inputs are all constant."""
    for node in program.nodes:
        if foldable(node) and not program.is_fed(node):
            args = [_known(a, program) for a in program.args(node)]
            if all(a is not None for a in args) and not fit.is_open(node):
                _compute(node, args, program)


def foldable(node):
    """Whether what a node computes is the same in every run, given its inputs."""
    op = node.opdef
    if node.after:  # what must run before the value is used
        return False
    pure = not (op.stateful or op.host or op.check or regions(node))
    return pure and op.kernel is not None and node.type not in _VALUES


def _known(a, program):
    if type(a) is list:
        found = [_known(t, program) for t in a]
        return None if any(f is None for f in found) else found
    return program.const(a)


def _compute(node, args, program):
    sizes = [
        np.prod(t._shape) for t in node.outputs if t._shape and None not in t._shape
    ]
    if any(s > _LARGEST for s in sizes):
        return
    found = computed(node, args)
    if found is not None:
        program.consts.update(zip(node.outputs, found, strict=True))


def computed(node, args):
    """The values of a node's outputs for those of its inputs; None if it refuses."""
    try:
        result = node.opdef.np(*args, **node.attrs)
    except Exception:  # it is the run that must report this, at the user's line
        return None
    values = (result,) if node.opdef.single else result
    return [np.asarray(held(value)) for value in values]

"""Which ops a replay never runs: those that reach out of the program."""

from typing import Any

from twinflow.base import errors
from twinflow.base.op import Op
from twinflow.base.state import Cell
from twinflow.capsules.values import Absent, AbsentCell, Packer
from twinflow.execute.interpreter import special_steps
from twinflow.graph.node import Node

# They look at files or run Python, and have no effects.
_LOOKING = frozenset((
    "FixedUnigramCandidateSampler", "GenerateVocabRemapping", "MatchingFiles",
    "PyFuncStateless", "ReadFile",
))  # fmt: skip
# They have effects, all of them on values and cells of the program.
_INSIDE = frozenset((
    "CollectiveBcastRecv", "CollectiveBcastSend", "CollectiveReduce", "DeepCopy",
    "DestroyResourceOp", "DestroyTemporaryVariable", "Empty", "IsVariableInitialized",
    "NoOp", "PartitionedCall", "RefSwitch", "VarIsInitializedOp",
))  # fmt: skip
_ARRAYS = ("TensorArray", "TwinEffectTensorArray")
_CALLS = "PartitionedCall"
_ENGINE = "TwinGiven"  # how the interpreter runs such an op: see _given_step


def is_outside(op: Op) -> bool:
    """Whether an op reads or changes what is neither a value nor a plain cell."""
    if op.type in _LOOKING:
        return True
    if not op.stateful or op.step is not None or op.guard or op.engine == _CALLS:
        return False
    if op.home is not None:  # it makes a cell, and nothing is done with it yet
        return False
    return op.type not in _INSIDE and not op.type.startswith(_ARRAYS)


def needs_given(node: Node) -> bool:
    """Whether a node is given what it gave: it reaches outside, or needs an object of
    its process."""
    op = node.opdef
    if is_outside(op):
        return True
    if op.engine == _CALLS or op.home is not None:
        return False
    return any(_is_of_process(v) for v in node.attrs.values())


def _is_of_process(value: Any) -> bool:
    if isinstance(value, Absent | AbsentCell):
        return True
    if isinstance(value, list | tuple):
        return any(map(_is_of_process, value))
    if isinstance(value, Cell):
        return False
    told = Packer({}, lambda cell: cell).value(value)
    return isinstance(told, dict) and "x" in told


def as_given(op: Op) -> Op:
    """The op for a node that is given its outputs, and has no kernel."""
    made = op.renamed(op.type)
    made.engine = _ENGINE
    return made


def _given_step(asm: Any, node: Node, program: Any) -> Any:
    for t in node.outputs:
        asm.place(t, program)

    def run(v: list) -> None:
        raise errors.FailedPreconditionError(
            None, None, f"{node.type} {node.name!r} reaches out of the program, so a "
            "replay gives it what it gave; it had given nothing at this point before "
            "the step failed.",
        )  # fmt: skip

    return run


special_steps[_ENGINE] = _given_step

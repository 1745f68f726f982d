"""Dead tensors in the interpreter: Note [Dead tensors] in ops.arrays.switch."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from twinflow.base import errors
from twinflow.graph.program import regions, walk
from twinflow.ops.arrays.switch import DEAD

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Assembler, Step
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program

_SWITCHES = ("Switch", "RefSwitch")
_MERGES = ("Merge", "RefMerge")


def dying(program: "Program") -> set:
    """The nodes of a program that may not run; their bodies run whole or not at all."""
    if program.dying is None:
        program.dying = _dying(program)
    return program.dying


def _dying(program: "Program") -> set:
    found: set = set()
    if not any(n.type in _SWITCHES for p in walk(program) for n in p.nodes):
        return found
    for node in program.nodes:
        if node.type == "ControlTrigger":  # it runs whatever it waits for
            continue
        above = any(n in found for n in _before(node, program))
        if above or node.type in _SWITCHES or _gives_dead(node, program):
            found.add(node)
    return found


def _gives_dead(node: "Node", program: "Program") -> bool:
    """Whether what a branch of `node` gives may be dead."""
    bodies = (program.bodies[r] for r in regions(node))
    return any(
        t is not None and b.resolve(t).op in dying(b) for b in bodies for t in b.fetches
    )


def _before(node: "Node", program: "Program") -> "Iterator[Node | None]":
    yield from (t.op for t in node.inputs)  # references stand for what makes them
    yield from (t.op for t in taken(node, program))
    yield from program.controls(node)


def taken(node: "Node", program: "Program") -> "Iterator[GraphTensor]":
    """The tensors that a node takes, those that its regions capture included."""
    yield from (program.resolve(t) for t in node.inputs)
    for r in regions(node):
        yield from program.bodies[r].outer_inputs()


def alive_only(
    asm: "Assembler", node: "Node", program: "Program", step: "Step"
) -> "Step":
    """The step, so that it runs only if everything before it did."""
    found = dying(program)
    if node not in found:
        return step
    run, done = step.run, asm.new_slot()
    own = [t for t in node.outputs if program.resolve(t) is t]
    outs = [asm.slot(t, program) for t in own if t not in program.fed]
    dying_ones = [t for t in taken(node, program) if t.op in found]
    joins = node.type in _MERGES
    ins = [] if joins else [asm.slot(t, program) for t in dying_ones]
    flags = list(dict.fromkeys(_flags(asm, node, program, joins)))
    asm.ran[node] = done

    def run_alive(v: list) -> None:
        if any(v[i] is DEAD for i in ins) or not all(v[i] for i in flags):
            v[done] = False
            for o in outs:
                v[o] = DEAD
        else:
            run(v)
            v[done] = not joins or v[outs[0]] is not DEAD

    step.run = run_alive
    return step


def _flags(
    asm: "Assembler", node: "Node", program: "Program", joins: bool = False
) -> Iterator:
    """The slots that say whether what is before `node` ran."""
    found = dying(program)
    before = list(program.controls(node))
    for t in () if joins else node.inputs:
        if t.op.type == "RefSwitch":
            yield side_slots(asm, t.op)[t.value_index]
        before.append(t.op)
    for n in before:
        if n in asm.ran:
            yield asm.ran[n]
        elif n in found:  # what is known has no step of its own
            yield from _flags(asm, n, program)


def side_slots(asm: "Assembler", node: "Node") -> tuple[int, ...]:
    """The slots that say which side of a RefSwitch is there."""
    if node not in asm.sides:
        asm.sides[node] = asm.new_slot(), asm.new_slot()
    return asm.sides[node]


def check_alive(values: list) -> None:
    """Refuse to give back what is dead."""
    for place, value in enumerate(values):
        if value is DEAD:
            message = f"Retval[{place}] does not have value"
            raise errors.InvalidArgumentError(None, None, message)

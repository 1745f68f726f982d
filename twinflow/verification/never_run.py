"""Ops of a graph with an effect that no run of a session runs, though eagerly their
lines would act: what is thrown away or kept under a name that nothing reads, and the
updates of layers."""

import ast
import collections
import dis
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from twinflow.ops.variables.collections import GraphKeys
from twinflow.verification.differences import Difference
from twinflow.verification.events import frame_of, is_of_program
from twinflow.verification.separate_runs import WAYS

_SHOWN = ("Print", "PrintV2", "Assert", "LogicalAssert")
_VARIABLES = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES)
MOST_NODES = 12  # of a call that makes one op, with what it makes of its arguments
_ACTS = re.compile(
    r"assign|scatter|print|assert|enqueue|write|insert|push|load|initialize|count_up",
    re.IGNORECASE,
)
_MANY = re.compile(r"\bapply\(|apply_gradients\(|\.minimize\(")  # calls of many nodes
_TRAINS = re.compile(r"apply_gradients\(|\.minimize\(")  # kept for others, maybe
_STORES = ("STORE_NAME", "STORE_FAST", "STORE_GLOBAL", "STORE_ATTR", "STORE_DEREF")
_EVERYTHING = {"locals", "globals", "vars", "eval", "exec", "__dict__"}  # read all
_KINDS = ("Assign", "Scatter", "Enqueue", "QueueEnqueue", "LookupTable", "Resource")


def thrown_away(graph: Any, ran: set) -> Iterator[Difference]:
    """Ops with an effect whose result nobody can ask for.

    Args:
        graph: a Graph that sessions ran. ran: the nodes that did.
    """
    names = _names_read(graph)
    sizes = collections.Counter(n.frames[0] for n in graph.nodes if n.frames)
    listed = [v for name in _VARIABLES for v in graph.collections.get(name, ())]
    first = {getattr(v, "initializer", None) for v in listed}
    said = set()
    acted = {n.frames[0] for n in ran - first if n.frames and _acts(n)}
    for node in graph.nodes:
        if node in first or node in ran or not node.frames or node.region:
            continue
        place, text = node.frames[0], frame_of(node.frames[0]).text
        few = sizes[place] <= MOST_NODES and _ACTS.search(text)
        if place in acted or place in said or not (few or _MANY.search(text)):
            continue  # the call makes more than an op: a saver, a whole model
        kept = None if _TRAINS.search(text) else names
        if _acts(node) and (_is_thrown_away(place) or _is_unread(place, kept)):
            said.add(place)
            yield Difference(
                "side effect", frame_of(place), 0, WAYS, "never runs", "runs at once",
                f"{node.type} '{node.name}'",
                "Nothing reads its result, so no run of a session asks for it. Fetch "
                "it, or make what follows depend on it with tf.control_dependencies.",
            )  # fmt: skip


def _acts(node: Any) -> bool:
    op = node.opdef
    if op.step and op.writes_cell and op.cell != "stream":
        return True
    return node.type in _SHOWN or node.type.startswith(_KINDS)


def _is_thrown_away(pair: tuple[CodeType, int]) -> bool:
    """Whether the instruction at a place is a call whose result is dropped."""
    following = _following(pair)
    return bool(following) and following[0].opname == "POP_TOP"


def _is_unread(pair: tuple[CodeType, int], names: set | None) -> bool:
    """Whether the result of a call is kept under a name that no code reads.

    Args:
        pair: the place. names: those that the program reads; None = not known.
    """
    following = _following(pair)
    if following and following[-1].opname == "STORE_ATTR":
        del following[0]  # what has the attribute
    if not following or following[0].opname not in _STORES or names is None:
        return False
    if names & _EVERYTHING:
        return False
    if following[0].opname == "STORE_FAST":
        return following[0].argval not in _read(pair[0])
    return following[0].argval not in names


def _following(pair: tuple[CodeType, int]) -> list:
    """The two instructions behind the call at a place; none where that is no call."""
    code, lasti = pair
    instructions = list(dis.get_instructions(code))
    for place, instruction in enumerate(instructions):
        if instruction.offset > lasti:
            called = place > 0 and instructions[place - 1].opname.startswith("CALL")
            return instructions[place : place + 2] if called else []
    return []


def _read(code: CodeType) -> set[str]:
    """The names that a code object and those inside it read, and their texts."""
    instructions = dis.get_instructions(code)
    found = {i.argval for i in instructions if i.opname.startswith("LOAD")}
    inner = [_read(c) for c in code.co_consts if isinstance(c, CodeType)]
    return {name for name in found if isinstance(name, str)}.union(*inner)


def _names_read(graph: Any) -> set[str] | None:
    """The names and texts in the program's files; None where one cannot be read."""
    files = {p[0].co_filename for n in graph.nodes for p in n.frames}
    files |= {getattr(m, "__file__", None) or "" for m in list(sys.modules.values())}
    found: set[str] = set()
    for file in files:
        if file.endswith(".py") and "-packages" not in file and is_of_program(file):
            try:
                found |= _names_in(Path(file).read_text("utf-8"))
            except (OSError, SyntaxError, ValueError):
                return None
    return found


@functools.cache
def _names_in(source: str) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            found.add(node.attr)
        elif isinstance(node, ast.alias):
            found.add(node.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return frozenset(found)


# ------------------------------------------------------------------ updates of layers
def updates(graph: Any, ran: set, written: set) -> Iterator[Difference]:
    """The first update of a layer that training leaves out.

    Args:
        graph, ran: see thrown_away. written: the names of the variables that ops wrote,
            other than with their first values.
    """
    if not any("Apply" in n.type and n.graph is graph for n in ran):
        return
    listed = graph.collections.get(GraphKeys.UPDATE_OPS, ())
    nodes = [getattr(u, "op", u) for u in listed]
    nodes += graph.state.get("updates of layers", ())
    for node in nodes:
        if not hasattr(node, "inputs") or node in ran or not node.frames:
            continue
        if _variable(node) not in written and _computed(node, ran, 8):
            yield Difference(
                "update", frame_of(node.frames[0]), 0, WAYS, "never runs",
                "runs in each training step", node.name,
                "Make the training op depend on "
                "tf.get_collection(tf.GraphKeys.UPDATE_OPS), asked for when the layers "
                "are there, or on the layer's `updates`.",
            )  # fmt: skip
            return


def _variable(node: Any) -> str:
    """The name of the variable that an op writes to."""
    cell = node.inputs[0].op.attrs.get("cell") if node.inputs else None
    return cell.name if cell is not None else node.name


def _computed(node: Any, ran: set, depth: int) -> bool:
    """Whether something that `node` needs was computed, other than variables."""
    for t in node.inputs:
        n = t.op
        plain = n.type in ("Const", "VarHandleOp", "VariableV2", "Placeholder")
        reads = n.type in ("ReadVariableOp", "Identity")
        if not plain and not reads and n in ran:
            return True
        if not plain and depth and _computed(n, ran, depth - 1):
            return True
    return False

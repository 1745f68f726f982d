"""What goes into a capsule: the program of a step, its values, and what failed."""

import importlib.metadata
import platform
import time
from typing import Any

import numpy as np

from twinflow.base.watching import OpRun
from twinflow.capsules.lines import Lines
from twinflow.capsules.programs import ProgramWriter
from twinflow.capsules.steps import Unit
from twinflow.capsules.values import Packer, digest
from twinflow.execute.cell_states import cells_of, is_plain

FORMAT = 1
_MOST_CONSTANTS = 16 << 20  # bytes of constants in a GraphDef, which are there twice


class Failure:
    """What went wrong.

    Attributes:
        kind: "error" or "nan". run: the OpRun. error: what it raised, or None.
    """

    def __init__(
        self, kind: str, run: OpRun, error: BaseException | None = None
    ) -> None:
        self.kind, self.run, self.error = kind, run, error

    def in_short(self) -> str:
        """The failure in a few words."""
        run = self.run
        name = f"{run.op.type} {run.name!r}" if run.name else run.op.type
        if self.error is None:
            return f"{name} gave the first nan or inf"
        return f"{name} failed: {type(self.error).__name__}: {first_line(self.error)}"


def first_line(error: BaseException | None) -> str:
    """The first line of an error that is not empty."""
    lines = str(getattr(error, "message", error)).splitlines()
    return next((line for line in lines if line.strip()), "")


class Contents:
    """What a capsule holds.

    Attributes:
        head: plain data. arrays: those that it names by number. names: what they are.
        graph_def: the GraphDef, for other programs; b"" where there is none.
    """

    def __init__(
        self, head: dict, arrays: list, names: list, graph_def: bytes = b""
    ) -> None:
        self.head, self.arrays, self.names = head, arrays, names
        self.graph_def = graph_def


def contents_of(failure: Failure, step: Any) -> Contents:
    """What is written of a Unit, or of an EagerGraph."""
    eager = not isinstance(step, Unit)
    program = step.program if eager else step.place.plan.program
    own = (lambda cell: cell) if eager else step.place.plan.cell_of
    packer, lines = Packer(step.first, own), Lines()
    writer = ProgramWriter(packer, lines)
    told = writer.program(program)
    writer.finish()
    node = step.node_of(failure.run) if eager else failure.run.node
    head: dict = {
        "format": FORMAT,
        "versions": _versions(),
        "unit": {
            "kind": "eager" if eager else step.place.kind,
            "name": "" if eager else step.place.name,
            **writer.arguments(told),
            "values": [
                packer.value(v) for v in (step.values if eager else step.place.given)
            ],
            "lost": step.lost if eager else 0,
        },
        "given": [_given(writer, packer, entry) for entry in step.given],
        "failure": {
            **_failure(failure, packer, lines),
            "node": writer.node(node),
            "time": 1 if eager else step.counts.get(node, 1),
        },
    }
    head.update(
        graphs=writer.graphs, cells=packer.cells, handles=packer.handles,
        frames=lines.frames, files=lines.texts(),
    )  # fmt: skip
    names = _names(packer, head)
    return Contents(head, packer.arrays, names, _graph_def(told["graph"]))


def _graph_def(graph: Any) -> bytes:
    """The GraphDef of a graph, with the functions that it calls, if it has one."""
    values = [n.attrs["value"] for n in graph.nodes if n.type == "Const"]
    if sum(getattr(v, "nbytes", 0) for v in values) > _MOST_CONSTANTS:
        return b""
    try:
        return graph.as_graph_def().SerializeToString(deterministic=True)
    except Exception:  # a graph that TensorFlow has no words for
        return b""


def _versions() -> dict:
    return {
        "twinflow": importlib.metadata.version("twinflow"), "numpy": np.__version__,
        "python": platform.python_version(), "platform": platform.platform(),
        "written": time.strftime("%Y-%m-%d %H:%M:%S %z"),
    }  # fmt: skip


def _given(writer: ProgramWriter, packer: Packer, entry: tuple) -> list:
    """[[graph, node], which time, the outputs and the states of cells]: an output that
    is an input is told as {"i": its place}."""
    node, time_, inputs, gave, cells = entry
    if isinstance(gave, BaseException):
        return [writer.node(node), time_, {"error": _error(gave)}]
    places = {id(v): i for i, v in reversed(list(enumerate(inputs)))}
    outputs = [
        {"i": places[id(v)]} if id(v) in places else packer.value(v) for v in gave
    ]
    states = [[packer.cell(c), packer.value(a)] for c, a in cells if a is not None]
    return [writer.node(node), time_, {"outputs": outputs, "cells": states}]


def _error(error: BaseException) -> dict:
    text = str(getattr(error, "message", error))
    return {"type": type(error).__name__, "text": text[:20_000]}


def _failure(failure: Failure, packer: Packer, lines: Lines) -> dict:
    run = failure.run
    return {
        "kind": failure.kind,
        "op": run.op.type,
        "name": run.name or "",
        "error": None if failure.error is None else _error(failure.error),
        "path": [[p.kind, p.name, int(p.trip), p.part] for p in run.path],
        "frames": lines.packed(run.frames),
        "forward": lines.packed(run.forward),
        "stack": lines.here(),
        "inputs": [packer.value(v) for v in run.inputs],
        "after": after(run),
        "outputs": (
            None if run.outputs is None else [packer.value(v) for v in run.outputs]
        ),
    }


def after(run: OpRun) -> list[str]:
    """What the variables that an op works on have for values: their digests."""
    values = (c._array for c in cells_of(run) if is_plain(c))
    return ["" if v is None else digest(v) for v in values]


def _names(packer: Packer, head: dict) -> list[str]:
    """What each array is, for people."""
    names = [""] * len(packer.arrays)

    def note(told: Any, name: str) -> None:
        if isinstance(told, dict) and type(told.get("a")) is int:
            names[told["a"]] = names[told["a"]] or name

    for cell in head["cells"]:
        note(cell.get("value"), f"the value of {cell['name']!r}")
    unit = head["unit"]
    nodes = head["graphs"][unit["graph"]]["nodes"]
    for place, told in zip(unit["feeds"], unit["values"], strict=False):
        note(told, f"the input {nodes[place[0]]['name']!r}")
    for graph in head["graphs"]:
        for node in graph["nodes"]:
            for key, told in node.get("attrs", {}).items():
                note(told, f"{key!r} of {node['name']!r}")
    for place, _, what in head["given"]:
        name = (
            "" if place is None else head["graphs"][place[0]]["nodes"][place[1]]["name"]
        )
        for told in what.get("outputs", ()):
            note(told, f"what {name!r} gave")
    return names

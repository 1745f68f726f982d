"""The dumps of the nodes that a loop is made of: see Note [Debugged runs]."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base.watching import OpRun
from twinflow.graph.program import regions


def flat(values: list) -> list:
    """Values, those of list inputs one by one."""
    lists = ([v] if not isinstance(v, list | tuple) else v for v in values)
    return [v for several in lists for v in several]


class _Loop:
    """One run of a loop."""

    def __init__(self, run: OpRun, values: list) -> None:
        self.node, self.values = run.node, values
        self.cond, self.body = regions(run.node)[:2]
        self.trip, self.part = -1, ""
        self.known: dict[str, Any] = {}  # {tensor: its last value}


class LoopNodes:
    """Says what Enter, Merge, Switch and the others would hold.

    Args:
        defs: {name: NodeDef}. put: dumps a node's output: put(name, slot, value).
    Attributes:
        made: the names of the nodes whose dumps it has made.
    """

    def __init__(self, defs: dict, put: Callable) -> None:
        self._defs, self._dump = defs, put
        self.made: set[str] = set()
        self._running: list[_Loop] = []
        self._switch_of: dict[str, Any] = {}  # {Merge: Switch}
        self._exit_of: dict[str, str] = {}  # {Switch: Exit}
        for node in defs.values():
            if node.op == "Switch":
                self._switch_of[node.input[0].partition(":")[0]] = node
            elif node.op == "Exit":
                self._exit_of[node.input[0].partition(":")[0]] = node.name

    def _put(self, name: str, slot: int, value: Any) -> None:
        self.made.add(name)
        self._dump(name, slot, value)

    def enter(self, run: OpRun) -> None:
        """A loop begins."""
        count = len(regions(run.node)[0].params)
        self._running.append(_Loop(run, flat(run.inputs)[:count]))

    def on_trip(self, run: OpRun) -> None:
        """A node of a loop is about to run: perhaps the first of its part."""
        if not self._running:
            return
        place = next((p for p in reversed(run.path) if p.kind == "loop"), None)
        loop = next((x for x in self._running if place and x.node is place.node), None)
        if place is None or loop is None:
            return
        if place.trip != loop.trip:
            self._begin_trip(loop, place.trip)
        if place.part != loop.part and place.part == "body":
            self._test(loop, True)
        loop.part = place.part

    def note(self, run: OpRun) -> None:
        """A node has run."""
        for loop in self._running:
            for t, value in zip(run.node.outputs, flat(list(run.outputs or ()))):
                loop.known[t.name] = value

    def leave(self, run: OpRun) -> None:
        """A loop is over."""
        loop = next((x for x in self._running if x.node is run.node), None)
        if loop is None:
            return
        self._running.remove(loop)
        if loop.part == "body":  # the test that ended it had no node of its own
            self._begin_trip(loop, loop.trip + 1)
        loop.values = flat(run.outputs or loop.values)[: len(loop.values)]
        self._test(loop, False)

    def _begin_trip(self, loop: _Loop, trip: int) -> None:
        if loop.trip >= 0:
            loop.values = [self._result(loop, t) for t in loop.body.results]
        first = loop.trip < 0
        loop.trip, loop.part = trip, "cond"
        for param, value in zip(loop.cond.params, loop.values):
            merge = self._defs.get(param.op.name)
            if merge is None or merge.op != "Merge":
                continue
            self._put(merge.input[0 if first else 1].partition(":")[0], 0, value)
            self._put(merge.name, 0, value)
            self._put(merge.name, 1, np.int32(0 if first else 1))

    def _result(self, loop: _Loop, tensor: Any) -> Any:
        """The value of a tensor of the body."""
        for param, value in zip(loop.body.params, loop.values):
            if param is tensor:
                return value
        if tensor.name in loop.known:
            return loop.known[tensor.name]
        value = tensor.op.attrs.get("value") if tensor.op.type == "Const" else None
        return value

    def _test(self, loop: _Loop, goes_on: bool) -> None:
        """The test of a trip is done."""
        tested = False
        pairs = zip(loop.cond.params, loop.body.params, loop.values)
        for outer, inner, value in pairs:
            switch = self._switch_of.get(outer.op.name)
            if switch is None:
                continue
            if not tested:
                tested = True
                name = switch.input[1].partition(":")[0]
                self._put(name, 0, np.bool_(goes_on))
            self._put(switch.name, int(goes_on), value)
            if goes_on:
                self._put(inner.op.name, 0, value)
            elif switch.name in self._exit_of:
                self._put(self._exit_of[switch.name], 0, value)

"""Programs with frames, token by token: Note [Frames] in ops.arrays.frames.

A node runs once for each tag under which all its inputs have come. A tag is a tuple of
(frame, iteration) pairs, the outermost first. What is known before the run is there
under every tag.
"""

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import errors
from twinflow.base.annotations import Array
from twinflow.execute.dead_tensors import taken
from twinflow.execute.interpreter import execute
from twinflow.graph.program import is_known
from twinflow.ops.arrays.switch import DEAD

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Assembler
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program
    from twinflow.ops.arrays.switch import _Dead

_ENTER = ("Enter", "RefEnter")
_EXIT = ("Exit", "RefExit")
_NEXT = ("NextIteration", "RefNextIteration")
_MERGE = ("Merge", "RefMerge")


class Tokens:
    """Runs a program with frames.

    Args:
        asm: the Assembler. program: the Program; no pass has changed it.
    """

    def __init__(self, asm: "Assembler", program: "Program") -> None:
        self.program, self.asm = program, asm
        program.dying = set()  # what is dead, is known here
        self.nodes = [_Entry(n, asm, program) for n in program.nodes]
        self.users: dict = {}
        self.followers: dict = {}
        self.given: list = []  # inputs of Merges that are there from the start
        there = {e.node: e for e in self.nodes if not e.static}
        for e in self.nodes:
            if not e.merges:
                e.inputs = [t for t in taken(e.node, program) if t.op in there]
                e.inputs = [t for t in e.inputs if t not in program.fed]
            before = [n for n in _ahead(e.node, program) if n in there]
            e.pending = len(e.inputs) + len(before)
            e.controls = len(before)
            for place, t in enumerate(e.inputs):
                if t.op in there and t not in program.fed:
                    self.users.setdefault(t, []).append((e, place))
                else:
                    self.given.append((e, place, e.slots[t]))
            for n in before:
                self.followers.setdefault(n, []).append(e)
        self._check_frames()

    def _check_frames(self) -> None:
        """Refuse a node that takes values from several frames: it would never run."""
        frames: dict = {}
        for e in self.nodes:
            node, before = e.node, _ahead(e.node, self.program)
            if e.static:
                continue
            found = {frames[t.op]: t.op.name for t in node.inputs if t.op in frames}
            if len(found) > 1:
                raise _several(node, found)
            frame = next(iter(found or [frames[n] for n in before if n in frames]), ())
            if e.enters:
                frame = (*frame, node.attrs["frame_name"])
            frames[node] = frame[:-1] if e.exits else frame

    def run(self, v: list) -> None:
        """Compute everything; the values outside all frames go to their slots."""
        _Run(self, v).all()


def _several(node: "Node", found: dict[tuple, str]) -> errors.OpError:
    """The error of a node with inputs from several frames: {frame: name of one}."""
    places = [
        f"The input '{name}' is in frame '{';'.join(frame)}'."
        for frame, name in reversed(found.items())
    ]
    message = (
        f"The node '{node.name}' (type: '{node.type}') has inputs from different "
        f"frames. {' '.join(places)}"
    )
    return errors.InvalidArgumentError(node, node, message)


def _ahead(node: "Node", program: "Program") -> Iterator[Any]:
    """The nodes that run before, other than by the values they give."""
    yield from program.controls(node)
    yield from (t.op for t in node.inputs if program.resolve(t) is not t)


class _Entry:
    """A node, and how it is run."""

    def __init__(self, node: "Node", asm: "Assembler", program: "Program") -> None:
        self.node, kind = node, node.type
        self.enters, self.exits = kind in _ENTER, kind in _EXIT
        self.next, self.merges = kind in _NEXT, kind in _MERGE
        self.static = is_known(node, program) and not node.after
        self.known = [program.const(t) for t in node.outputs]
        self.step = None if is_known(node, program) else asm.step(node, program)
        own = [program.resolve(t) is t for t in node.outputs]
        pairs = zip(node.outputs, own, strict=True)
        self.outs = [asm.place(t, program) if o else asm.new_slot() for t, o in pairs]
        self.own = [s for s, o in zip(self.outs, own, strict=True) if o]
        self.slots = {t: asm.slot(t, program) for t in taken(node, program)}
        self.loops = self.merges and any(t.op.type in _NEXT for t in node.inputs)
        self.inputs = [program.resolve(t) for t in node.inputs] if self.merges else []
        self.pending = self.controls = 0


class _Waiting:
    """What has come for a node under one tag."""

    def __init__(self, entry: _Entry) -> None:
        self.values = [None] * len(entry.inputs)
        self.missing, self.dead, self.done = entry.pending, False, False
        self.controls, self.deaths, self.found = entry.controls, 0, None


class _Run:
    def __init__(self, tokens: Tokens, v: list) -> None:
        self.tokens, self.v = tokens, v
        self.queue: deque = deque()
        self.waiting: dict = {}
        self.constant: dict = {}  # {(tag, frame): [(tensor, value)]}
        self.begun: dict = {}  # {(tag, frame): the number of iterations}
        self.ended: dict = {}  # {(entry, tag around): whether it gave a value}

    def all(self) -> None:
        for e in self.tokens.nodes:
            if e.static:
                continue
            for o in e.own:
                self.v[o] = DEAD  # until it has a value
            if not e.pending:
                self.queue.append((e, (), []))
        for e, place, slot in self.tokens.given:
            self._take(e, (), place, self.v[slot])
        while self.queue:
            while self.queue:
                self._fire(*self.queue.popleft())
            self._end_dead_loops()

    def _end_dead_loops(self) -> None:
        """Exits that never gave a value give that there is none."""
        for key, gave in list(self.ended.items()):
            if not gave:
                self.ended[key] = True
                entry, tag = key
                self._give(entry, tag, [DEAD])

    # ------------------------------------------------------------------ nodes
    def _fire(self, e: _Entry, tag: tuple[tuple, ...], values: list) -> None:
        if e.merges:
            self._give(e, tag, values)
        elif any(x is DEAD for x in values):
            self._pass(e, tag, [DEAD] * len(e.outs))
        else:
            v = self.v
            for t, x in zip(e.inputs, values, strict=True):
                v[e.slots[t]] = x
            if e.step is not None:
                execute([e.step], v)
                values = [v[o] for o in e.outs]
            else:
                values = e.known
            self._pass(e, tag, values)

    def _pass(self, e: _Entry, tag: tuple[tuple, ...], values: list) -> None:
        """Give the outputs of a node under the tag where they are."""
        if e.enters:
            self._enter(e, tag, values[0])
        elif e.exits:
            key = (e, tag[:-1])
            if values[0] is DEAD:
                self.ended.setdefault(key, False)
            else:
                self.ended[key] = True
                self._give(e, tag[:-1], values)
        elif e.next:
            if values[0] is not DEAD:
                *around, (frame, count) = tag
                self._begin((tuple(around), frame), count + 1)
                self._give(e, (*around, (frame, count + 1)), values)
        else:
            self._give(e, tag, values)

    def _enter(self, e: _Entry, tag: tuple, value: "Array | _Dead | None") -> None:
        frame = (tag, e.node.attrs["frame_name"])
        self._begin(frame, 0)
        if not e.node.attrs["is_constant"]:
            self._give(e, (*tag, (frame[1], 0)), [value])
            return
        self.constant.setdefault(frame, []).append((e, value))
        for count in range(self.begun[frame] + 1):
            self._give(e, (*tag, (frame[1], count)), [value])

    def _begin(self, frame: Any, count: int) -> None:
        """The constants of a loop are there in a new iteration."""
        if self.begun.get(frame, -1) >= count:
            return
        self.begun[frame] = count
        tag, name = frame
        for e, value in self.constant.get(frame, ()):
            self._give(e, (*tag, (name, count)), [value])

    # ------------------------------------------------------------------ edges
    def _give(self, e: _Entry, tag: tuple[tuple, ...], values: list) -> None:
        for t, o, x in zip(e.node.outputs, e.outs, values, strict=True):
            if not tag:
                self.v[o] = x
            for user, place in self.tokens.users.get(t, ()):
                self._take(user, tag, place, x)
        dead = bool(values) and all(x is DEAD for x in values)
        for user in self.tokens.followers.get(e.node, ()):
            self._take(user, tag, None, DEAD if dead else None)

    def _take(self, e: _Entry, tag: tuple[tuple, ...], place: Any, value: Any) -> None:
        w = self.waiting.get((e, tag))
        if w is None:
            w = self.waiting[e, tag] = _Waiting(e)
        if e.merges:
            self._merge(e, tag, w, place, value)
            return
        w.missing -= 1
        if place is not None:
            w.values[place] = value
        w.dead |= value is DEAD
        if not w.missing:
            del self.waiting[e, tag]
            values = [DEAD] if w.dead else w.values
            self.queue.append((e, tag, values))

    def _merge(self, e: Any, tag: tuple, w: Any, place: Any, value: Any) -> None:
        """A Merge goes on with the first value, or once all are dead."""
        if place is None:
            w.controls -= 1
        elif value is DEAD:
            w.deaths += 1
        elif w.found is None:
            w.found = [value, place]
        if w.done or w.controls:
            return
        dead = w.deaths == (1 if e.loops else len(e.inputs))
        if w.found is not None or dead:
            w.done = True
            value, index = w.found or (DEAD, DEAD)
            if index is not DEAD:
                index = e.node.outputs[1].dtype.np.type(index)
            self.queue.append((e, tag, [value, index]))

"""`while` on a tensor of a graph: the body is traced once.

The body is traced before the condition: so a variable that gets its first value in the
body (what `return` inside a loop gives, for one) is known by the time the loop is made.
It enters with zeros, which nothing reads.
"""

from collections.abc import Callable
from typing import Any

from twinflow.autograph import spots
from twinflow.autograph.staged_if import MADE_HERE
from twinflow.autograph.staged_list import FREE, ListKind, StagedList, staged
from twinflow.autograph.state import State
from twinflow.autograph.undefined import Undefined, UndefinedReturnValue
from twinflow.autograph.values import (
    alike,
    becomes_tensor,
    copied,
    kind_of,
    parts,
    same_object,
    settled,
)
from twinflow.base import dispatch, dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Composite, Tensor
from twinflow.graph.node import Region
from twinflow.graph.regions import traced
from twinflow.graph.structure import tensor_in
from twinflow.graph.while_node import looped
from twinflow.ops.arrays.placeholder import Param
from twinflow.ops.core import array, compare
from twinflow.ops.core.infer import fits


class _Slot:
    """One variable: its first value, and the places of its tensors in the loop.

    Attributes:
        value: the first value. places: of its leaves: None for what stays Python, else
            the places among the tensors of the loop.
    """

    def __init__(self, loop: "StagedLoop", name: str, value: Any) -> None:
        self.loop, self.name, self.value = loop, name, value
        self.late = isinstance(value, Undefined)
        self.places: list = []
        if not self.late:
            self.leaves = parts(value)
            self.places = [self._enter(x) for x in self.leaves]

    def _enter(self, leaf: Any) -> Any:
        if not becomes_tensor(leaf):
            return None
        if isinstance(leaf, Composite):
            shapes = iter(leaf._loop_shapes())
            return tuple(
                None if c is None else self.loop.enter(c, next(shapes))
                for c in leaf._components()
            )
        return self.loop.enter(leaf)

    def at(self, tensors: list) -> Any:
        """The value whose tensors are these."""
        if self.late and not self.places:
            return self.value
        found = [
            _with(leaf, place, tensors)
            for leaf, place in zip(self.leaves, self.places, strict=True)
        ]
        return nest.pack_sequence_as(self.value, found)

    def take(self, value: Any, results: dict) -> None:
        """Note what the variable holds at the end of the body."""
        if self.late:
            self._first(value, results)
            return
        if isinstance(self.value, StagedList) and isinstance(value, list):
            value = staged(value, self.value.kind)
        if not alike(self.value, value):
            self._refuse(self.value, value)
        pairs = zip(self.leaves, parts(value), self.places, strict=True)
        for old, new, place in pairs:
            self._taken(old, new, place, results)

    def _first(self, value: Any, results: dict) -> None:
        """A variable that had no value before the loop."""
        if isinstance(value, Undefined):
            return
        returned = isinstance(self.value, UndefinedReturnValue)
        own = self.name.startswith(MADE_HERE)
        if not (returned or own):
            _, inside = spots.lines_around(self.loop.spot, self.name)
            raise ValueError(
                f"{self.name!r} has no value before a loop on tensors that gives it "
                "one, and is used after it:\n"
                f"  the loop:  {spots.shown(self.loop.spot)}\n"
                f"  the value: {spots.shown(inside)}\n"
                "The loop may run no iteration: give it a value before the loop."
            )
        self.value, self.leaves = value, parts(value)
        for leaf in self.leaves:
            if not becomes_tensor(leaf):
                raise TypeError(
                    f"A 'return' inside a loop on tensors "
                    f"({spots.shown(self.loop.spot)}) gives {kind_of(leaf)}; it must "
                    "give tensors."
                )
            t = tensor_in(self.loop.graph, leaf)
            self.places.append(self.loop.enter_late(t))
            results[self.places[-1]] = t

    def _taken(self, old: Any, new: Any, place: Any, results: dict) -> None:
        if place is None:
            if not same_object(old, new):
                self._refuse(old, new)
            return
        if not becomes_tensor(new) or isinstance(old, Composite) != isinstance(
            new, Composite
        ):
            self._refuse(old, new)
        if type(place) is not tuple:
            results[place] = self._fitting(place, new)
            return
        for p, c in zip(place, new._components(), strict=True):
            if p is not None:
                results[p] = tensor_in(self.loop.graph, c)

    def _fitting(self, place: int, new: Any) -> Tensor:
        """The tensor of a result; of the dtype and shape that it had at first."""
        loop = self.loop
        first, shape = loop.first[place], loop.shapes[place]
        dtype = first.dtype.base_dtype
        whole = type(new) is int and dtype.is_integer
        if whole or (type(new) in (int, float) and dtype.is_floating):
            new = loop.graph.make_constant(dtype.np.type(new), dtype)
        t = tensor_in(loop.graph, new)
        if t.dtype.base_dtype is not dtype or not fits(shape, t._shape):
            self._refuse(first, t)
        return t

    def _refuse(self, old: Any, new: Any) -> None:
        before, inside = spots.lines_around(self.loop.spot, self.name)
        same_dtype = getattr(old, "dtype", 0) is getattr(new, "dtype", 1)
        kind = ValueError if same_dtype else TypeError
        advice = (
            "Give it its final shape before the loop, or collect its parts in a list."
            if same_dtype
            else "Give it one dtype and kind, for instance with tf.cast or tf.constant."
        )
        raise kind(
            f"{self.name!r} changes in a loop on tensors:\n"
            f"  before the loop {kind_of(old)}: {spots.shown(before)}\n"
            f"  after an iteration {kind_of(new)}: {spots.shown(inside)}\n{advice}"
        )


def _with(leaf: Any, place: Any, tensors: list) -> Any:
    if place is None:
        return leaf
    if type(place) is tuple:
        return leaf._with([None if p is None else tensors[p] for p in place])
    return tensors[place]


class StagedLoop:
    """A loop that is being traced.

    Args:
        state: the variables that it changes. hidden: further first values, of its own.
        lists: the names of the lists that it changes.
        rows: how many iterations there are at most, if that is known, as a tensor.
    """

    def __init__(self, state: State, hidden: Any, lists: Any, rows: Any = None) -> None:
        self.graph, self.spot = dispatch.current_mode(), spots.here()
        self.state, self.rows = state, rows
        self.first: list = []
        self.shapes: list = []
        self.kinds: dict = {}
        self.hidden = [self.enter(t) for t in hidden]
        values = [settled(copied(v)) for v in state.get()]
        for i, name in enumerate(state.names):
            free = FREE + name in lists
            if (free or name in lists) and isinstance(values[i], list):
                values[i] = self._list(i, values[i], free)
            elif isinstance(values[i], StagedList):
                values[i].kind.rows = None  # an array of fixed size has its one loop
        pairs = zip(state.names, values, strict=True)
        self.slots = [_Slot(self, name, v) for name, v in pairs]

    def _list(self, i: int, items: list, free: bool) -> StagedList:
        plain = self.rows is not None and not items
        rows = self.rows if plain else None
        kind = self.kinds[i] = ListKind(rows=rows, free=free)
        return staged(items, kind)

    def enter(self, value: Any, shape: Any = Ellipsis) -> int:
        """The place of a tensor that the loop carries."""
        t = tensor_in(self.graph, value)
        self.first.append(t)
        self.shapes.append(t._shape if shape is Ellipsis else shape)
        return len(self.first) - 1

    def enter_late(self, like: Tensor) -> int:
        """The same, for one that the body gives first: it enters with zeros."""
        self._param(like.dtype.base_dtype, like._shape)
        self.first.append(like)  # made zeros where the body has ended
        self.shapes.append(like._shape)
        return len(self.first) - 1

    def _param(self, dtype: Any, shape: Any, name: str = "Identity") -> Tensor:
        p = apply(Param, (), {"dtype": dtype, "shape": shape}, name)
        self.region.params.append(p)
        return p

    def run(self, test: Callable, body: Callable, options: Any = ()) -> None:
        """Trace the loop, and give the variables what it leaves.

        Args:
            test: from the hidden values to a bool scalar. body: from them to the next.
            options: of tf.contrib.autograph.set_loop_options.
        """
        options = dict(options)
        limit = options.get("maximum_iterations")
        if limit is not None:
            test, body = self._counted(test, body, limit)
        before = self.state.get()
        with self.graph.name_scope("while"):
            try:
                outs = self._traced(test, body)
            except TypeError as error:
                self.state.set(before)
                raise self._with_numbers(error) from None
            except BaseException:
                self.state.set(before)
                raise
            outs = [array.identity(t, name="Exit") for t in outs]
        if options.get("back_prop") is False:
            outs = [array.stop_gradient(t) if t.dtype.is_inexact else t for t in outs]
        self.state.set(tuple(s.at(outs) for s in self.slots))
        self._finish_lists()

    def _with_numbers(self, error: TypeError) -> TypeError:
        """An error of two dtypes, with the lines of the numbers that entered."""
        text = str(error)
        if not text.startswith("Input '") or "does not match" not in text:
            return error
        lines = []
        for slot in self.slots:
            if type(slot.value) in (int, float) and not slot.late:
                before, inside = spots.lines_around(self.spot, slot.name)
                lines.append(
                    f"\n{slot.name!r} changes in a loop on tensors:\n  before the loop "
                    f"the number {slot.value!r}: {spots.shown(before)}\n"
                    f"  in an iteration: {spots.shown(inside)}"
                )
        if not lines:
            return error
        advice = "\nGive it one dtype, for instance with tf.constant or a float."
        whole = TypeError(text + "".join(lines) + advice)
        return whole.with_traceback(error.__traceback__)

    def _traced(self, test: Callable, body: Callable) -> list:
        graph = self.graph
        r1, r2 = Region(graph.region, "cond"), Region(graph.region, "body")
        graph.leave_ids(len(self.first))
        self.region = self.body_region = r2
        r2.results = traced(graph, r2, self._body, body)
        self._fill_lists()
        for i in self.late:
            t = self.first[i]
            self.first[i] = array.zeros([d or 0 for d in t._shape or ()], t.dtype)
            if t._shape is None or None in t._shape:
                self.shapes[i] = t._shape
        self.region = r1
        r1.results = [traced(graph, r1, self._test, test)]
        return looped(graph, r1, r2, self.first, "while", self.shapes)

    def _fill_lists(self) -> None:
        """Let lists that were empty enter as what their arrays are at first."""
        for slot in self.slots:
            value = slot.value
            if isinstance(value, StagedList) and value._flow is None:
                self.first[slot.places[0][0]] = value.flow

    def _enter_region(self, name: str) -> list:
        n = zip(self.first, self.shapes, strict=True)
        return [self._param(t.dtype.base_dtype, s, name) for t, s in n]

    def _body(self, body: Callable) -> list:
        count = len(self.first)
        params = self._enter_region("Identity")
        self.state.set(tuple(s.at(params) for s in self.slots))
        hidden = body(*(params[i] for i in self.hidden))
        results = dict(zip(self.hidden, hidden, strict=True))
        for slot, value in zip(self.slots, map(settled, self.state.get()), strict=True):
            slot.take(value, results)
        self.late = range(count, len(self.first))
        return [tensor_in(self.graph, results[i]) for i in range(len(self.first))]

    def _test(self, test: Callable) -> Tensor:
        params = self._enter_region("Merge")
        self.state.set(tuple(s.at(params) for s in self.slots))
        found = tensor_in(self.graph, test(*(params[i] for i in self.hidden)))
        if found.dtype.base_dtype is not dtypes.bool or found._shape:
            raise advised(
                TypeError,
                f"The condition of a loop must be a bool scalar, got {kind_of(found)} "
                f"({spots.shown(self.spot)}).",
            )
        return found

    def _counted(self, test: Callable, body: Callable, limit: Any) -> tuple:
        """The loop with a counter before its own values."""
        limit = tensor_in(self.graph, limit)
        self.hidden = [self.enter(array.zeros([], limit.dtype)), *self.hidden]
        return (
            lambda n, *more: compare.logical_and(n < limit, test(*more)),
            lambda n, *more: (n + 1, *body(*more)),
        )

    def _finish_lists(self) -> None:
        """An array of a row an iteration does not grow."""
        values = self.state.get()
        for i, kind in self.kinds.items():
            appended = kind.appended
            if kind.rows is None or kind.array is None or len(appended) != 1:
                continue
            if values[i].kind is kind:
                kind.fixed()
                if appended == [self.body_region] and self.whole:
                    values[i].count = kind.rows

    whole = False  # whether each of the `rows` is sure to have its iteration

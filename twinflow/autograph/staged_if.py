"""`if` on a tensor of a graph: both branches are traced, and one runs."""

from collections.abc import Callable
from typing import Any

from twinflow.autograph import spots
from twinflow.autograph.staged_list import FREE, ListKind, StagedList, staged
from twinflow.autograph.undefined import Undefined, UndefinedReturnValue
from twinflow.autograph.values import (
    alike,
    becomes_tensor,
    copied,
    is_staged,
    kind_of,
    parts,
    same_object,
    settled,
)
from twinflow.base import dispatch, nest
from twinflow.base.tensor import Composite, Tensor
from twinflow.graph.cond import joined, predicate
from twinflow.graph.node import Region
from twinflow.graph.regions import traced
from twinflow.graph.structure import tensor_in
from twinflow.ops.core import array

MADE_HERE = ("do_return", "retval_", "break_", "continue_")  # names of malt's


class _Branch:
    """One branch: its region, and what the variables hold at its end."""

    def __init__(self, graph: Any, label: str) -> None:
        self.region = Region(graph.region, label)
        self.values: tuple = ()

    def staged(self, items: list, kind: ListKind) -> StagedList:
        """A Python list that the branch leaves, as one of the graph."""
        graph = dispatch.current_mode()
        with graph.in_region(self.region):
            found = staged(items, kind)
        self.region.last = len(graph.nodes)
        return found


def staged_if(
    pred: Any, body: Callable, orelse: Callable, state: Any, lists: tuple = ()
) -> None:
    """Trace both branches, and go on with what the one that runs gives.

    Args:
        pred: a bool scalar. state: what the variables hold, a State.
        lists: the names of the lists that a branch changes.
    Raises:
        TypeError, ValueError: a variable has no value in one branch, or is of two kinds
            or dtypes; the text has both lines.
    """
    graph, spot = dispatch.current_mode(), spots.here()
    first = state.get()
    kinds = {
        i: ListKind(free=FREE + name in lists)
        for i, name in enumerate(state.names)
        if {name, FREE + name} & {*lists} and isinstance(first[i], list)
    }
    with graph.name_scope("cond"):
        pred = predicate(graph, pred)
        graph.leave_ids(4)
        branches = []
        for label, run in (("then", body), ("else", orelse)):
            branch = _Branch(graph, label)
            state.set(tuple(map(copied, first)))
            try:
                traced(graph, branch.region, _run, branch, run, state)
            finally:
                state.set(first)
            branches.append(branch)
        whole = _Merge(graph, spot, branches, kinds)
        found = [whole.value(name, i) for i, name in enumerate(state.names)]
        one, other = (b.region for b in branches)
        outs = joined(graph, pred, one, other, "cond")
        outs = [array.identity(t, name="Merge") for t in outs]
    state.set(tuple(f(outs) for f in found))


def _run(branch: _Branch, run: Callable, state: Any) -> None:
    run()
    branch.values = tuple(map(settled, state.get()))


class _Merge:
    """What the variables hold behind the branches, from what they hold in each."""

    def __init__(self, graph: Any, spot: Any, branches: list, kinds: dict) -> None:
        self.graph, self.spot, self.kinds = graph, spot, kinds
        self.then, self.orelse = branches

    def value(self, name: str, i: int) -> Callable:
        """From the outputs of the node to the value of a variable."""
        a, b = self.then.values[i], self.orelse.values[i]
        if a is b or (_whole(a) and same_object(a, b)):
            return lambda outs: a
        if isinstance(a, Undefined) or isinstance(b, Undefined):
            a, b = self._defined(name, a, b)
        a, b = self._one_form(i, a, b)
        if not alike(a, b):
            raise TypeError(self._text(name, kind_of(a), kind_of(b)))
        pairs = list(zip(parts(a), parts(b), strict=True))
        found = [self._leaf(name, x, y) for x, y in pairs]
        return lambda outs: nest.pack_sequence_as(a, [f(outs) for f in found])

    def _one_form(self, i: int, a: Any, b: Any) -> tuple:
        """Lists as lists of the graph, where they are not of one length."""
        both = isinstance(a, list) and isinstance(b, list)
        if both and i in self.kinds and len(a) != len(b):
            kind = self.kinds[i]
            return self.then.staged(a, kind), self.orelse.staged(b, kind)
        if isinstance(a, StagedList) and isinstance(b, list):
            b = self.orelse.staged(b, a.kind)
        if isinstance(b, StagedList) and isinstance(a, list):
            a = self.then.staged(a, b.kind)
        return a, b

    def _leaf(self, name: str, x: Any, y: Any) -> Callable:
        if same_object(x, y):
            return lambda outs: x
        if not (becomes_tensor(x) and becomes_tensor(y)):
            raise TypeError(self._text(name, kind_of(x), kind_of(y)))
        if isinstance(x, Composite) or isinstance(y, Composite):
            return self._composite(name, x, y)
        place = self._pair(name, x, y)
        return lambda outs: outs[place]

    def _composite(self, name: str, x: Any, y: Any) -> Callable:
        if type(x) is not type(y):
            raise TypeError(self._text(name, kind_of(x), kind_of(y)))
        pairs = zip(x._components(), y._components(), strict=True)
        places = [None if a is None else self._pair(name, a, b) for a, b in pairs]
        return lambda outs: x._with([None if p is None else outs[p] for p in places])

    def _pair(self, name: str, x: Any, y: Any) -> int:
        """The place among the outputs of a tensor that is `x` or `y`."""
        x, y = self._tensors(x, y)
        if x.dtype.base_dtype is not y.dtype.base_dtype:
            raise TypeError(self._text(name, kind_of(x), kind_of(y)))
        self.then.region.results.append(x)
        self.orelse.region.results.append(y)
        return len(self.then.region.results) - 1

    def _tensors(self, x: Any, y: Any) -> tuple:
        """Both as tensors; a Python number takes the dtype of a tensor if it can."""
        if isinstance(x, Tensor) and _weak(y, x):
            return x, self._number(y, x.dtype)
        if isinstance(y, Tensor) and _weak(x, y):
            return self._number(x, y.dtype), y
        return self._tensor(x), self._tensor(y)

    def _number(self, value: Any, dtype: Any) -> Tensor:
        return self.graph.make_constant(dtype.base_dtype.np.type(value), dtype)

    def _tensor(self, x: Any) -> Tensor:
        """A result as a tensor; one that lies in a branch stays there."""
        own = is_staged(x) and x.op.graph is self.graph
        return x if own else tensor_in(self.graph, x)

    def _defined(self, name: str, a: Any, b: Any) -> tuple:
        """Zeros in place of a returned value that is not read, else an error."""
        if isinstance(a, UndefinedReturnValue) or isinstance(b, UndefinedReturnValue):
            given = b if isinstance(a, Undefined) else a
            if not all(map(becomes_tensor, parts(given))):
                where = spots.shown(self.spot)
                raise TypeError(
                    f"A 'return' inside a branch on a tensor ({where}) gives "
                    f"{kind_of(given)}; it must give tensors, or all branches return."
                )
            blank = nest.map_structure(_blank, given)
            return (blank, b) if isinstance(a, Undefined) else (a, blank)
        then, orelse = spots.branch_lines(self.spot, name)
        where = spots.shown((then or orelse) or self.spot)
        missing = "main" if isinstance(a, Undefined) else "else"
        raise ValueError(
            f"{name!r} has a value in one branch only of an 'if' on a tensor:\n"
            f"  the 'if':  {spots.shown(self.spot)}\n"
            f"  the value: {where}\n"
            f"Give it a value in the {missing} branch too, or before the 'if'."
        )

    def _text(self, name: str, x: str, y: str) -> str:
        then, orelse = spots.branch_lines(self.spot, name)
        before, _ = spots.lines_around(self.spot, name)
        one, other = (spots.shown(s or before) for s in (then, orelse))
        what = "The returned value" if name.startswith("retval_") else repr(name)
        if name.startswith("retval_"):
            one, other = map(spots.shown, spots.return_lines(self.spot))
        return (
            f"{what} is not the same kind of thing in both branches of an 'if' on a "
            f"tensor:\n  {x}: {one}\n  {y}: {other}\n"
            "Give it one dtype and kind in both, for instance with tf.cast or "
            "tf.constant."
        )


def _whole(value: Any) -> bool:
    return not isinstance(value, StagedList)


def _weak(number: Any, like: Tensor) -> bool:
    """Whether a Python number can take the dtype of a tensor."""
    dtype = like.dtype.base_dtype
    if type(number) is float:
        return dtype.is_floating or dtype.is_complex
    if type(number) is int:
        return dtype.is_floating or dtype.is_complex or dtype.is_integer
    return False


def _blank(leaf: Any) -> Any:
    """Zeros like a leaf, for where nothing reads them."""
    if isinstance(leaf, Tensor):
        shape = [d or 0 for d in leaf._shape or ()]
        return array.zeros(shape, leaf.dtype.base_dtype)
    if isinstance(leaf, StagedList):
        return staged((), leaf.kind)
    return leaf

"""The operators of `if`, `while` and `for` in converted code.

What is not known before a graph runs is staged, everything else runs as Python runs it.
"""

from collections.abc import Callable
from typing import Any

from twinflow.autograph.rows import NumberedElements, has_rows, rows_of
from twinflow.autograph.staged_if import staged_if
from twinflow.autograph.staged_while import StagedLoop
from twinflow.autograph.state import State, deciding
from twinflow.autograph.values import is_staged
from twinflow.base import dispatch
from twinflow.base.tensor import ResourceHandle
from twinflow.graph.cond import cond
from twinflow.graph.node import Region
from twinflow.ops.core import array, compare


def if_stmt(
    test: Any, body: Callable, orelse: Callable, get_state: Callable,
    set_state: Callable, names: tuple, outputs: int, lists: tuple = (),
) -> None:  # fmt: skip
    """`if test:`

    Args:
        body, orelse: the branches. get_state, set_state: see State. names: of the
            variables that a branch changes. outputs: accepted. lists: see staged_if.
    """
    test = _known(test)
    if is_staged(test):
        staged_if(test, body, orelse, State(get_state, set_state, names), lists)
    elif test:
        body()
    else:
        orelse()


def if_exp(test: Any, body: Callable, orelse: Callable, text: str) -> Any:
    """`body if test else orelse`."""
    test = _known(test)
    if not is_staged(test):
        return body() if test else orelse()
    found = [None]

    def put(run: Callable) -> Callable:
        return lambda: found.__setitem__(0, run())

    state = State(
        lambda: (found[0],),
        lambda values: found.__setitem__(0, values[0]),
        ("the value of a conditional expression",),
    )
    with deciding():
        staged_if(test, put(body), put(orelse), state)
    return found[0]


def while_stmt(
    test: Callable, body: Callable, get_state: Callable, set_state: Callable,
    names: tuple, opts: dict,
) -> None:  # fmt: skip
    """`while test():`; one that turns out to depend on tensors goes on as staged."""
    state = State(get_state, set_state, names)
    while True:
        found = _tried(test)
        if is_staged(found):
            lists = opts.pop("lists", ())
            loop = StagedLoop(state, (), lists)
            loop.run(_decided(test), lambda: _nothing(body()), opts)
            return
        if not found:
            return
        body()


def _decided(test: Callable) -> Callable:
    """A condition that is traced as what a tensor decides on."""

    def run() -> Any:
        with deciding():
            return test()

    return run


def _tried(test: Callable) -> Any:
    """What a condition gives now; nodes made for it in a graph have no effects."""
    graph = dispatch.current_mode()
    if graph.eager:
        return _known(test())
    region = Region(graph.region, "cond")
    region.first = len(graph.nodes)
    with graph.in_region(region):
        found = _known(test())
    region.last = len(graph.nodes)
    return found


def _known(test: Any) -> Any:
    """A condition that is a variable or a known tensor, as what it holds."""
    if isinstance(test, ResourceHandle) and not dispatch.current_mode().eager:
        return test._as_tensor()
    return test


def _nothing(value: Any) -> tuple:
    return ()


def for_stmt(
    iterated: Any, extra_test: Callable | None, body: Callable, get_state: Callable,
    set_state: Callable, names: tuple, opts: dict,
) -> None:  # fmt: skip
    """`for ... in iterated:`

    Args:
        extra_test: whether no `break` or `return` has come; None where none can.
    """
    opts.pop("iterate_names", None)
    lists = opts.pop("lists", ())
    state = State(get_state, set_state, names)
    if dispatch.current_mode().eager:
        _for_python(iterated, extra_test, body, state)
    elif has_rows(iterated):
        _for_rows(rows_of(iterated), extra_test, body, state, lists, opts)
    elif isinstance(iterated, NumberedElements):
        _for_elements(
            iterated.dataset, extra_test, body, state, lists, opts, iterated.start
        )
    elif hasattr(iterated, "_stepped"):
        _for_elements(iterated, extra_test, body, state, lists, opts)
    else:
        _for_python(iterated, extra_test, body, state)


def _for_python(
    iterated: Any, extra_test: Callable | None, body: Callable, state: State
) -> None:
    if extra_test is None:
        for element in iterated:
            body(element)
        return
    for element in iterated:
        going = extra_test()
        if is_staged(going):
            _guarded(going, body, element, state)
        elif going:
            body(element)
        else:
            break


def _guarded(going: Any, body: Callable, element: Any, state: State) -> None:
    """One iteration of a loop in Python that a tensor may have ended."""
    staged_if(going, lambda: body(element), lambda: None, state)


def _for_rows(
    rows: Any, extra_test: Callable | None, body: Callable, state: State, lists: Any,
    opts: Any,
) -> None:  # fmt: skip
    rows = rows.start()
    count = rows.count()
    count = array.constant(count) if isinstance(count, int) else count
    loop = StagedLoop(state, (array.constant(0, name="i"),), lists, count)
    loop.whole = extra_test is None and not opts.get("maximum_iterations")

    def test(i: Any) -> Any:
        ahead = i < count
        return ahead if extra_test is None else _both(ahead, extra_test())

    def step(i: Any) -> tuple:
        body(rows.at(i))
        return (i + 1,)

    loop.run(test, step, opts)


def _both(ahead: Any, more: Any) -> Any:
    if is_staged(more):
        return compare.logical_and(ahead, more)
    return ahead if more else array.constant(False)


def _for_elements(
    dataset: Any, extra_test: Callable | None, body: Callable, state: State, lists: Any,
    opts: Any, number: Any = None,
) -> None:  # fmt: skip
    """A loop over a dataset in a graph; after a `break` nothing more is taken.

    Args:
        number: of the first element, if they are numbered.
    """
    elements = dataset._stepped()
    count = array.convert_to_tensor(0 if number is None else number)
    loop = StagedLoop(state, (elements.next(), count), lists)

    def test(box: Any, i: Any) -> Any:
        ahead = elements.is_there(box)
        return ahead if extra_test is None else _both(ahead, extra_test())

    def step(box: Any, i: Any) -> tuple:
        value = elements.value(box)
        body(value if number is None else (i, value))
        more = True if extra_test is None else extra_test()
        if is_staged(more):
            return cond(more, elements.next, elements.none), i + 1
        return (elements.next() if more else elements.none()), i + 1

    loop.run(test, step, opts)

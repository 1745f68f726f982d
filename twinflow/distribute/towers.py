"""The code of several towers, one after the other, which meet in `merge_call`.

Note [Towers in turn]: each tower runs its function in a thread of its own, but never
two at a time: the first runs until it calls `merge_call` or ends, then the second, and
so on; then the function of `merge_call` runs in the caller's thread with the values of
all towers, and each tower goes on with its part of the result. So a graph gets its
nodes in the same order in each run, and variables are made by the first tower alone.
Scopes belong to the place in the program: those of the graph are exchanged whenever
another tower goes on, those of a thread are copied when it begins.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import current_mode
from twinflow.distribute import contexts
from twinflow.distribute.contexts import TowerContext
from twinflow.distribute.values import regroup, select_tower
from twinflow.graph.scopes import device
from twinflow.graph.variable_scope import scopes, variable_scope


class _Ended(BaseException):
    """Ends the thread of a tower, because another one failed."""


class _Tower(threading.Thread):
    """The thread of one tower.

    Args:
        strategy: the DistributionStrategy. number: of the tower, from 0.
        made: {name: variables that the first tower made}, shared by all.
        fn, args, kwargs: what it calls.
    """

    def __init__(
        self, strategy: Any, number: int, made: dict, fn: Callable, args: Any,
        kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=f"tower {number}", daemon=True)
        self.number, self.device = number, strategy.worker_devices[number]
        self.context = TowerContext(strategy, number)
        self._call, self._made = (fn, args, kwargs), made
        self._mine, self._others = threading.Semaphore(0), threading.Semaphore(0)
        self._mode, self._given = current_mode(), _state_of_thread()
        self.place: Any = None  # the scopes of the graph where it waits
        self.asked: Any = None  # (function, args, kwargs) of the merge it waits in
        self.answer: Any = None
        self.error: BaseException | None = None
        self.result: Any = None
        self.ended = False

    def go_on(self) -> None:
        """Let it run until it waits for the others, or ends."""
        before = _place(self._mode)
        if self.place is not None:
            _put_back(self._mode, self.place)
        if self.ident is None:
            self.start()
        else:
            self._mine.release()
        self._others.acquire()
        self.place = _place(self._mode)
        _put_back(self._mode, before)

    def end(self) -> None:
        """Let it end where it waits."""
        if self.ident is not None and not self.ended:
            self.asked, self.answer = None, _Ended()
            self._mine.release()
            self.join()

    def run(self) -> None:
        """Call the function."""
        try:
            _begin_thread(self._given)
            contexts.set_meeting(self._meet)
            with self._entered():
                fn, args, kwargs = self._call
                self.result = fn(*args, **kwargs)
        except BaseException as error:
            self.error = error
        self.ended, self.asked = True, None
        self._others.release()

    @contextmanager
    def _entered(self) -> Iterator[None]:
        with ExitStack() as stack:
            if self._mode.eager:
                stack.enter_context(device(self.device))
            else:
                stack.enter_context(_same_scope(self.number > 0))
                if self.number:
                    name = f"{self._mode.scope}tower_{self.number}"
                    stack.enter_context(self._mode.name_scope(name + "/"))
                stack.enter_context(device(self.device))
            strategy = self.context.distribution_strategy
            stack.enter_context(strategy.at_work_in(self.context))
            stack.enter_context(strategy.creators_of_tower(self.number, self._made))
            yield

    def _meet(self, merge_fn: Callable, args: tuple, kwargs: dict) -> Any:
        if current_mode() is not self._mode:
            raise RuntimeError(
                "`merge_call` called while defining a new graph or a tf.function. "
                "Call it outside of the function, or make the strategy's "
                "`call_for_each_tower` part of the function."
            )
        self.asked = merge_fn, args, kwargs
        self._others.release()
        self._mine.acquire()
        answer, self.answer = self.answer, None
        if isinstance(answer, _Ended):
            raise answer
        return answer


def run_towers(strategy: Any, fn: Callable, args: tuple, kwargs: dict) -> Any:
    """Call a function as the code of each tower.

    Args:
        strategy: the DistributionStrategy. fn: the function.
        args, kwargs: its arguments; of values by device each tower gets its own.
    Returns:
        What it returned, by device.
    Raises:
        RuntimeError: some towers call `merge_call` and others do not.
    """
    count = len(strategy.worker_devices)
    made: dict = {}
    towers = [
        _Tower(strategy, i, made, fn, select_tower(i, args), select_tower(i, kwargs))
        for i in range(count)
    ]
    try:
        while not all(t.ended for t in towers):
            for tower in towers:
                tower.go_on()
                if tower.error is not None:
                    raise tower.error
            if any(t.ended for t in towers):
                _check_all_ended(towers)
            else:
                _merge(strategy, towers)
    finally:
        for tower in towers:
            tower.end()
    return regroup([(t.device, t.result) for t in towers])


def _check_all_ended(towers: list[_Tower]) -> None:
    if not all(t.ended for t in towers):
        waiting = [t.number for t in towers if not t.ended]
        raise RuntimeError(
            f"Some towers returned, while the towers {waiting} wait in `merge_call`. "
            "All towers must call it, in the same order."
        )


def _merge(strategy: Any, towers: list[_Tower]) -> None:
    """Run the function that the towers wait for; in the scopes of the first."""
    merge_fn = towers[0].asked[0]
    args = regroup([(t.device, t.asked[1]) for t in towers])
    kwargs = regroup([(t.device, t.asked[2]) for t in towers])
    mode = current_mode()
    with ExitStack() as stack:
        if not mode.eager:
            scope, *_ = towers[0].place
            stack.enter_context(mode.name_scope(scope))
            waits = [n for t in towers for n in _controls(t.place)]
            stack.enter_context(mode.control_dependencies(waits))
        stack.enter_context(contexts.entered(strategy, None))
        result = merge_fn(strategy, *args, **kwargs)
    for tower in towers:
        tower.answer = select_tower(tower.number, result)


# ------------------------------------------------------------------ scopes
_OF_GRAPH = (
    "scope", "control", "region", "exporting", "device_scopes", "blocks", "markers",
    "overrides",
)  # fmt: skip


def _place(mode: Any) -> tuple | None:
    """The scopes of the graph that code goes on in."""
    return None if mode.eager else tuple(getattr(mode, name) for name in _OF_GRAPH)


def _put_back(mode: Any, place: tuple | None) -> None:
    if place is not None:
        for name, value in zip(_OF_GRAPH, place, strict=True):
            setattr(mode, name, value)


def _controls(place: tuple) -> list:
    """The nodes that the code at a place waits for."""
    return [node for scope in place[1] for node in scope.nodes]


def _state_of_thread() -> dict:
    """What a thread that goes on for this one begins with."""
    here, variables = dispatch.local, scopes()
    frames = [(f.mode, f.tapes, f.slow) for f in here.frames]
    kept = {k: v for k, v in here.__dict__.items() if k != "frames"}
    return {
        "frames": frames, "local": kept, "scope": variables.current,
        "counts": dict(variables.counts), "stack": contexts.stack_now(),
    }  # fmt: skip


def _begin_thread(given: dict) -> None:
    here = dispatch.local
    here.__dict__.update(given["local"])
    here.frames = [dispatch.frame_like(*f) for f in given["frames"]]
    here.refresh()
    variables = scopes()
    variables.current, variables.counts = given["scope"], dict(given["counts"])
    contexts.begin_with(given["stack"])


def _same_scope(again: bool) -> Any:
    """The variable scope of this place; later towers find what the first made."""
    now = scopes().current
    return variable_scope(now, reuse=again or None, auxiliary_name_scope=False)

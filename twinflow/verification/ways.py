"""The ways of running a program, and how each is told what happens.

Note [Ways]: a program is run several times from the same start. "function": as it is,
functions and sessions interpreted op by op. "eager": functions, steps of Keras models
and functions of datasets run as Python code, with the same draws, and the ops of
sessions are called eagerly (Note [Replay]). "compiled": every
cluster compiled by XLA at its first call; only the results of calls are seen. What all
ways pass through the same way are the boundaries (calls of functions, gradients,
elements, runs of sessions, eager ops, lines printed); what lies between two of them is
compared only to say where a difference comes from.
"""

import collections
import contextlib
import copy
import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, watching
from twinflow.base.dtypes import string
from twinflow.data import draws
from twinflow.data import functions as data_functions
from twinflow.data import structure as nested
from twinflow.data.dataset import Dataset
from twinflow.data.functions import ElementFunction
from twinflow.data.iterators.handles import EagerIterator
from twinflow.data.pipeline import parallel, stages
from twinflow.eager.mode import MODE
from twinflow.eager.tensor import wrap
from twinflow.execute.function import Function
from twinflow.execute.session import Session
from twinflow.execute.tiers import POLICY
from twinflow.execute.trace import Trace as FunctionTrace
from twinflow.graph import cond, while_node
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.random.streams import streams_of
from twinflow.ops.variables.resource import ResourceVariable
from twinflow.verification.kept import Budget, kept
from twinflow.verification.python_state import Reach, Snapshot
from twinflow.verification.recorder import Recorder
from twinflow.verification.replay import Replay
from twinflow.verification.request import Request, progress
from twinflow.verification.rounding import SHAKEN, Shaker
from twinflow.verification.steady import surroundings

_NOT_FETCHED = ("Placeholder", "VariableV2", "VarHandleOp")
WAYS = ("function", "eager", "compiled")


class _Way:
    """One way of running: what stands in the place of what.

    Args:
        name: one of WAYS. recorder: who hears of it. look: a Watcher, which hears what
        sessions are fed where it has `feeds`.
    """

    def __init__(self, name: str, recorder: Recorder, look: Any = None) -> None:
        self.name, self.recorder = name, recorder
        self.feeds = getattr(look, "feeds", None)
        self.eagerly = name == "eager"
        self.variables: list = []
        self._called: Any = None  # the last function, for its gradients
        self._replaced: list = []

    def replace(self, owner: Any, name: str, make: Callable) -> None:
        """Put `make(what is there)` in the place of an attribute."""
        real = vars(owner)[name]
        self._replaced.append((owner, name, real))
        setattr(owner, name, make(real))

    def put_back(self) -> None:
        """Everything is as it was."""
        while self._replaced:
            setattr(*self._replaced.pop())

    def install(self) -> None:
        """Put all in place."""
        self.replace(Function, "__call__", self._function_call)
        self.replace(FunctionTrace, "__init__", self._function_trace)
        self.replace(GradientTape, "gradient", self._gradient)
        for name in ("__next__", "next"):
            self.replace(EagerIterator, name, self._element)
        self.replace(Session, "run", self._session_run)
        self.replace(ResourceVariable, "_init_eager", self._variable)
        self.replace(data_functions._Traced, "__init__", self._data_trace)
        self.replace(data_functions._Traced, "plan", self._data_plan)
        self.replace(draws, "mapped_in_parallel", lambda real: _mapped_in_turn)
        in_turn = lambda real: (
            lambda source, function, workers: stages.mapped(source, function)
        )
        self.replace(parallel, "mapped_in_parallel", in_turn)
        self.replace(parallel, "prefetched", lambda real: lambda source, *_: source)
        for module in (cond, while_node):
            self.replace(module, "traced", self._region)

    # ------------------------------------------------------------------ functions
    def _function_call(self, real: Callable) -> Callable:
        recorder = self.recorder

        def call(function: Function, *args: Any, **kwargs: Any) -> Any:
            if not dispatch.current_mode().eager:
                return real(function, *args, **kwargs)
            recorder.trace.functions += 1
            with recorder.boundary("call", function.name) as event:
                self._called = python = function.python_function
                if event is not None:
                    event.captured = Reach(python, args).captured()
                if self.eagerly:
                    given = _as_signature(function, args)
                    found = recorder.effects.run(python, python, given, kwargs)
                else:
                    found = real(function, *args, **kwargs)
                    self._note_trace(event, function, args, kwargs)
                recorder.results(event, found)
                return found

        return call

    def _note_trace(self, event: Any, function: Any, args: Any, kwargs: Any) -> None:
        if event is not None and (event.traced or len(function.traces) > 1):
            with contextlib.suppress(Exception):
                event.trace = id(function.trace(*args, **kwargs))

    def _function_trace(self, real: Callable) -> Callable:
        recorder = self.recorder

        def trace(made: Any, function: Any, args: tuple, kwargs: dict) -> None:
            if recorder.open is not None:
                recorder.open.traced = True
            python = function.python_function
            recorder.effects.run(real, python, (made, function, args, kwargs), {})
            recorder.constants_of(made.graph)

        return trace

    def _gradient(self, real: Callable) -> Callable:
        def gradient(tape: Any, *args: Any, **kwargs: Any) -> Any:
            if not dispatch.current_mode().eager:
                return real(tape, *args, **kwargs)
            with self.recorder.boundary("gradient", "gradient") as event:
                given = (tape, *args)
                found = self.recorder.effects.run(real, self._called, given, kwargs)
                self.recorder.results(event, found)
                return found

        return gradient

    def _element(self, real: Callable) -> Callable:
        def element(iterator: Any) -> Any:
            if not dispatch.current_mode().eager:
                return real(iterator)
            with self.recorder.boundary("element", "next element") as event:
                found = real(iterator)
                self.recorder.results(event, found)
                return found

        return element

    def _session_run(self, real: Callable) -> Callable:
        recorder = self.recorder

        def run(session: Any, fetches: Any, *args: Any, **kwargs: Any) -> Any:
            recorder.trace.sessions += 1
            if self.feeds is not None:
                self.feeds(args[0] if args else kwargs.get("feed_dict"))
            with recorder.boundary("run", "Session.run") as event:
                names = recorder.request.tensors if recorder.in_detail() else []
                tensors = tensors_of(session.graph, names if event else [])
                if tensors:
                    given = [fetches, [t for _, t in tensors]]
                    found, values = real(session, given, *args, **kwargs)
                    recorder.fetched(tensors, values)
                else:
                    found = real(session, fetches, *args, **kwargs)
                recorder.results(event, found)
                return found

        return run

    def _variable(self, real: Callable) -> Callable:
        def init(variable: Any, *args: Any, **kwargs: Any) -> None:
            real(variable, *args, **kwargs)
            if not self.recorder.muted:
                self.variables.append((weakref.ref(variable), variable.name))
                if self.recorder.effects.active:
                    self.recorder.note("variable", variable.name)

        return init

    def _region(self, real: Callable) -> Callable:
        """Effects of the bodies of loops and branches in graphs."""
        recorder = self.recorder

        def traced(graph: Any, region: Any, function: Callable, *args: Any) -> Any:
            if recorder.effects.active or graph.is_function:
                return real(graph, region, function, *args)
            given = (graph, region, function, *args)
            recorder.in_region = True
            try:
                return recorder.effects.run(real, function, given, {})
            finally:
                recorder.in_region = False

        return traced

    # ------------------------------------------------------------------ data
    def _data_trace(self, real: Callable) -> Callable:
        recorder = self.recorder

        def trace(made: Any, function: Any, *structures: Any) -> None:
            made.structures = structures
            mapped = isinstance(made, ElementFunction)
            given = (made, function, *structures)
            if not (self.eagerly and mapped):
                recorder.trace.functions += mapped
                recorder.effects.run(real, function, given, {})
                recorder.constants_of(made.graph)
                return
            before = Snapshot(Reach(function).slots.values())
            recorder.muted += 1
            try:
                real(*given)
            except Exception:
                if _runs_eagerly(made):  # which this way of running would have done
                    raise SystemExit from None
                raise
            finally:
                recorder.muted -= 1
                before.put_back()

        return trace

    def _data_plan(self, real: Callable) -> Callable:
        recorder = self.recorder

        def plan(made: Any, env: Any, streams: dict) -> Callable:
            if not self.eagerly or made.inputs or not isinstance(made, ElementFunction):
                return real(made, env, streams)
            run = functools.partial(_eager_element, made, _own_draws(made, streams))

            def element(arrays: Any) -> list:
                recorder.depth += 1
                try:
                    return recorder.effects.run(run, made.function, (arrays,), {})
                finally:
                    recorder.depth -= 1

            return element

        return plan


def _mapped_in_turn(source: Any, function: Any, env: Any, workers: int) -> Callable:
    return stages.mapped(source, function.start(env))


def _own_draws(made: Any, streams: dict) -> Any:
    """The random streams of one start of a function of elements: those with a seed
    of their own begin anew with each start, as they do in the function."""
    found = copy.copy(streams_of(made.graph))
    found.own, found.shared = {}, streams.get(found.shared, found.shared)
    return found


@contextlib.contextmanager
def _drawing_from(streams: Any) -> Iterator[None]:
    """A block in which eager ops draw from other streams."""
    before, seed = MODE.state.get("random"), getattr(MODE, "seed", None)
    MODE.state["random"], MODE.seed = streams, streams.seed  # type: ignore[attr-defined]
    try:
        yield
    finally:
        MODE.seed = seed  # type: ignore[attr-defined]
        MODE.state["random"] = before
        if before is None:
            del MODE.state["random"]


def _eager_element(made: Any, streams: Any, arrays: Any) -> list:
    """What a function of elements gives for one, computed eagerly."""
    parts, args = iter(arrays), []
    for s in made.structures:
        args.append(s.pack([wrap(next(parts), d) for d in s.types]))
    given = args[0] if len(args) == 1 and type(args[0]) is tuple else args
    with dispatch.entered(MODE), _drawing_from(streams):
        result = made.function(*given)
        result = nested.with_tensors(tuple(result) if type(result) is list else result)
        flat: list[Any] = [convert_to_tensor(r) for r in nested.flatten(result)]
        return [t._a for t in flat]


def _runs_eagerly(made: Any) -> bool:
    """Whether a function of elements that no graph takes runs on one: the first of
    its dataset, or zeros where that is not known."""
    try:
        _eager_element(made, streams_of(made.graph), _an_element(made))
    except Exception:
        return False
    return True


def _an_element(made: Any) -> list:
    source = _dataset_around(made.structures)
    if source is not None:
        with contextlib.suppress(Exception), dispatch.entered(MODE):
            return [t._a for t in nested.flatten(next(iter(source)))]
    return [
        np.full(
            [n or 1 for n in shape or ()], b"" if d == string else 0, d.as_numpy_dtype
        )
        for s in made.structures
        for d, shape in zip(s.types, s.shapes, strict=True)
    ]


def _dataset_around(structures: tuple) -> Any:
    """The dataset whose method is at work on elements of a structure."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        held = frame.f_locals.get("self")
        if isinstance(held, Dataset) and held.structure is structures[0]:
            return held
        frame = frame.f_back
    return None


def _as_signature(function: Function, args: tuple) -> tuple:
    """The arguments, those that an input_signature fixes as its tensors."""
    signature = function.input_signature
    if signature is None or len(signature) != len(args):
        return args
    fixed = []
    for a, spec in zip(args, signature, strict=True):
        plain = hasattr(spec, "dtype") and not isinstance(a, list | tuple | dict)
        fixed.append(convert_to_tensor(a, spec.dtype) if plain else a)
    return tuple(fixed)


def tensors_of(graph: Any, names: list[str]) -> list[tuple[Any, Any]]:
    """(node, output) of the nodes that have these names and can be fetched."""
    wanted = set(names)
    return [
        (node, t)
        for node in (graph.nodes if wanted else ())
        if node.name in wanted and not node.region and node.type not in _NOT_FETCHED
        for t in node.outputs
        if t.dtype.as_numpy_dtype not in (None, object) or t.dtype is string
    ]


@contextlib.contextmanager
def _engine(name: str) -> Iterator[None]:
    """A block in which clusters are compiled at once, or never."""
    before = POLICY.enabled, POLICY.at_once
    POLICY.enabled, POLICY.at_once = name == "compiled", name == "compiled"
    try:
        yield
    finally:
        POLICY.enabled, POLICY.at_once = before


def traced_way(request: Request, program: Callable, look: Any = None) -> Any:
    """Run a program in one way.

    Args:
        request: which, and what is kept. program: called without arguments.
        look: a further Watcher, or None.
    Returns:
        The Course; an error of the program is in it.
    """
    name = "function" if request.way == SHAKEN else request.way
    recorder = Recorder(request, Budget(request.megabytes))
    way = _Way(name, recorder, look)
    replay = Replay(recorder) if name == "eager" else None
    shaker = Shaker() if request.way == SHAKEN else None
    watchers: list = [w for w in (shaker, recorder, replay, look) if w]
    watchers = watchers if name != "compiled" else []
    error: BaseException | None = None
    with contextlib.ExitStack() as stack:
        stack.enter_context(surroundings(recorder.printed))
        stack.enter_context(_engine(name))
        stack.enter_context(progress(request.progress, recorder.described))
        stack.callback(way.put_back)
        way.install()
        for w in watchers:
            stack.enter_context(watching.watched_by(w))
        try:
            program()
        except SystemExit as left:
            error = left if left.code not in (None, 0) else None
        except KeyboardInterrupt:
            raise
        except BaseException as found:
            error = found
        trace = recorder.finished(error)
    if not trace.stopped:
        trace.variables = _last_values(way.variables, recorder.budget)
    return trace


def _last_values(variables: list, budget: Budget) -> dict:
    """The values of the eager variables that are alive, by name and number.

    Those that are gone count too: one way may have freed what another still holds.
    """
    found: dict = {}
    counts: collections.Counter = collections.Counter()
    for ref, name in variables:
        cell = getattr(ref(), "_cell", None)
        if cell is not None and cell.initialized:
            found[name, counts[name]] = kept(cell.read(), budget)
        counts[name] += 1
    return found

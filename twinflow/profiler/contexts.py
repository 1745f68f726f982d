"""ProfileContext: some of the steps of a program are traced and profiled."""

import contextlib
import os
import random
import sys
import threading
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from twinflow.base import errors, stores
from twinflow.base.annotations import Path
from twinflow.base.files import Open
from twinflow.base.nest import flatten
from twinflow.execute.session import Session
from twinflow.formats.protos import RunMetadata, RunOptions
from twinflow.graph.defaults import get_default_graph
from twinflow.profiler.analyzer import Profiler

WARMUP_STEPS = 10
MAX_TRACED_STEPS = 100
_VIEWS = {
    "graph": Profiler.profile_graph, "scope": Profiler.profile_name_scope,
    "op": Profiler.profile_operations, "code": Profiler.profile_python,
}  # fmt: skip


class ProfileContext:
    """Traces steps of the sessions that run inside it, profiles and writes them.

    Args:
        profile_dir: the folder for profiles, `profile_<step>`.
        trace_steps: which runs are traced, at most 100; some of the first 100 after 10
            to warm up if not given. dump_steps: after which runs a profile is written;
            after the 100th if not given. enabled: if false, nothing happens.
        debug: whether the RunMetadata are written, too, and what happens is said.
    Raises:
        ValueError: no folder, or too many steps.
    Example:
        y = tf.matmul(tf.ones([2, 3]), tf.ones([3, 4]))
        with tf.contrib.tfprof.ProfileContext("profiles", [], []) as context:
            with tf.Session() as sess:
                context.trace_next_step()
                sess.run(y)
        builder = tf.profiler.ProfileOptionBuilder
        options = builder(builder.time_and_memory()).with_empty_output().build()
        context.profiler.profile_operations(options).name  # "_TFProfRoot"
    """

    def __init__(
        self, profile_dir: Path, trace_steps: Sequence[int] | None = None,
        dump_steps: Sequence[int] | None = None, enabled: bool = True,
        debug: bool = False,
    ) -> None:  # fmt: skip
        self._enabled = enabled
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("Must have a directory for profile.\n")
        if trace_steps is not None and len(trace_steps) > MAX_TRACED_STEPS:
            raise ValueError("Only support tracing up to 100 steps.\n")
        self._debug, self._profiler_dir = debug, profile_dir
        self._auto_tracing = trace_steps is None
        self._trace_steps = set(trace_steps or ())
        self._dump_steps = set([MAX_TRACED_STEPS] if dump_steps is None else dump_steps)
        self._slow_path_steps = self._dump_steps | self._trace_steps
        self._trace_next_step = self._dump_next_step = False
        self._step = self._traced_steps = 0
        self._auto_profiles: list[Any] = []
        self._profiler: Profiler | None = None
        self._views: dict[str, dict[int, Any]] = {}
        self._fetched: set[str] = set()
        self._lock, self._rng = threading.Lock(), random.Random(111)

    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """What `add_auto_profiling` found: {step: message}.

        Args:
            cmd: the view.
        Raises:
            ValueError: the view was never asked for, or nothing ran.
        """
        if cmd not in self._views:
            raise ValueError(f"No autoprofiler for command: {cmd}, was run")
        return self._views[cmd]

    def add_auto_profiling(
        self, cmd: str, options: dict[str, Any], profile_steps: Sequence[int]
    ) -> None:
        """Trace and profile some steps.

        Args:
            cmd: the view: "scope", "graph", "op" or "code". options: see
                tf.profiler.ProfileOptionBuilder. profile_steps: which runs.
        """
        if not self._enabled:
            return
        if cmd not in _VIEWS:
            raise ValueError(f"Unknown cmd: {cmd}\n")
        self._auto_profiles.append((cmd, options, set(profile_steps)))
        self._slow_path_steps |= set(profile_steps)
        self._trace_steps |= set(profile_steps)

    @property
    def profiler(self) -> Profiler | None:
        """The Profiler with the steps so far; None where this is not enabled."""
        if not self._enabled:
            return None
        if self._profiler is None:
            self._profiler = Profiler(get_default_graph())
        return self._profiler

    def trace_next_step(self) -> None:
        """Trace the next run."""
        if self._enabled:
            self._trace_next_step = True
            self._slow_path_steps.add(self._step)

    def dump_next_step(self) -> None:
        """Write a profile after the next run."""
        if self._enabled:
            self._dump_next_step = True
            self._slow_path_steps.add(self._step)

    # ------------------------------------------------------------------ the runs
    def _run(self, run: Any, session: Any, args: tuple) -> Any:
        """Run a step of a session: fetches, feeds, options, metadata."""
        with self._new_step() as (step, alone):
            if not alone or self._is_fast_path(step):
                return run(session, *args)
            if self._should_trace(step, args[0]):
                found = self._traced(run, session, step, *args)
            else:
                found = run(session, *args)
            self._maybe_dump(step)
            for cmd, options, steps in self._auto_profiles:
                if step in steps:
                    self._say(f"profiling {cmd} step: {step}")
                    views = self._views.setdefault(cmd, {})
                    views[step] = _VIEWS[cmd](self._ready(), options)
            return found

    def _ready(self) -> Profiler:
        profiler = self.profiler
        if profiler is None:
            raise errors.FailedPreconditionError(
                None, None, "The ProfileContext is not enabled: it has no profiler."
            )
        return profiler

    @contextlib.contextmanager
    def _new_step(self) -> Iterator[tuple[int, bool]]:
        alone = self._lock.acquire(blocking=False)
        try:
            yield self._step, alone
        finally:
            self._step += 1
            self._trace_next_step = self._dump_next_step = False
            if alone:
                self._lock.release()

    def _is_fast_path(self, step: int) -> bool:
        return step not in self._slow_path_steps and not self._may_choose(step)

    def _may_choose(self, step: int) -> bool:
        """Whether this may decide itself to trace a step."""
        warm = step > WARMUP_STEPS and self._traced_steps <= MAX_TRACED_STEPS
        return self._auto_tracing and warm

    def _should_trace(self, step: int, fetches: Any) -> bool:
        if self._traced_steps > MAX_TRACED_STEPS:
            return False
        wanted = step in self._trace_steps or self._trace_next_step
        if not wanted and self._may_choose(step):
            found = flatten(fetches)
            names = "-".join(sorted(str(getattr(f, "name", f)) for f in found))
            self._say(f"trace fetches: {names}")
            wanted = names not in self._fetched
            self._fetched.add(names)
            if not wanted and step < MAX_TRACED_STEPS:
                low = self._ready()._coverage < 0.5
                wanted = low and self._rng.randint(0, 10) < 2
        self._traced_steps += wanted
        return wanted

    def _traced(
        self, run: Any, session: Any, step: int, fetches: Any, feed_dict: Any,
        options: Any, run_metadata: Any,
    ) -> Any:  # fmt: skip
        self._say(f"tracing step: {step}")
        metadata = RunMetadata() if run_metadata is None else run_metadata
        traced = RunOptions()
        if options is not None:
            traced.CopyFrom(options)
        traced.trace_level = RunOptions.FULL_TRACE
        found = run(session, fetches, feed_dict, traced, metadata)
        if self._debug:
            with Open(self._path(f"run_meta_{step}"), "w") as file:
                file.write(str(metadata))
        profiler = self._ready()
        profiler._graph = session.graph
        profiler.add_step(step, metadata)
        return found

    def _maybe_dump(self, step: int) -> None:
        if step in self._dump_steps or self._dump_next_step:
            self._say(f"dumping file at step: {step}")
            self._ready()._write_profile(self._path(f"profile_{step}"))

    def _path(self, name: str) -> str:
        folder = os.fsdecode(self._profiler_dir)
        stores.makedirs(folder)
        return stores.joined(folder, name)

    def _say(self, text: str) -> None:
        if self._debug:
            sys.stderr.write(f"debug: {text}\n")

    # --------------------------------------------------------------- around sessions
    def __enter__(self) -> Self:
        if not self._enabled:
            return self
        if getattr(Session, "profile_context", None) is not None:
            raise errors.InternalError(
                None, None, "Already in context or context not cleaned."
            )
        original: Any = Session.run
        self._original = original

        def run(
            session: Any, fetches: Any, feed_dict: Any = None, options: Any = None,
            run_metadata: Any = None,
        ) -> Any:  # fmt: skip
            return self._run(
                original, session, (fetches, feed_dict, options, run_metadata)
            )

        Session.run = run  # type: ignore[method-assign, assignment]
        Session.profile_context = self  # type: ignore[attr-defined]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._enabled:
            Session.run = self._original  # type: ignore[method-assign]
            Session.profile_context = None  # type: ignore[attr-defined]

"""What monitors have in common, and the hook that calls them."""

from collections.abc import Sequence
from typing import Any

from twinflow.graph.defaults import get_default_graph
from twinflow.train import training_util
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook

_STEP, _MONITORS = "global_step", "monitors"


class BaseMonitor:
    """Looks at a training, before and after each step."""

    def __init__(self) -> None:
        self._begun = False
        self._current_epoch = self._current_step = self._max_steps = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether it is for all processes, not the chief alone."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Say what is trained."""
        self._estimator = estimator

    def begin(self, max_steps: Any = None) -> None:
        """Before the training; `max_steps` is the last one, where it is known."""
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._max_steps, self._begun = max_steps, True

    def end(self, session: Any = None) -> None:
        """After the training."""
        del session
        if not self._begun:
            raise ValueError("end called without begin.")
        self._max_steps, self._begun = None, False

    def epoch_begin(self, epoch: Any) -> None:
        """Before an epoch."""
        if self._current_epoch is not None:
            raise ValueError("epoch_begin called twice without epoch_end.")
        if epoch < 0:
            raise ValueError(f"Invalid epoch {epoch}.")
        self._current_epoch = epoch

    def epoch_end(self, epoch: Any) -> None:
        """After an epoch."""
        if self._current_epoch != epoch:
            raise ValueError(
                f"epoch_end expected {self._current_epoch} but got {epoch}."
            )
        self._current_epoch = None

    def step_begin(self, step: Any) -> list[Any]:
        """Before a step: what is to be computed with it, tensors or their names."""
        if step < 0:
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: Any, output: Any) -> bool:
        """After a step: whether to stop.

        Args:
            step: its number. output: {what was asked for: value}.
        """
        del output
        if self._current_step != step:
            raise ValueError(f"step_end expected {self._current_step} but got {step}.")
        self._current_step = None
        return False

    def post_step(self, step: Any, session: Any) -> None:
        """After `step_end`, with the session."""


class EveryN(BaseMonitor):
    """A monitor that acts in some steps alone.

    Args:
        every_n_steps: in each n-th step. first_n_steps: in each of the first ones.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps, self._first_n_steps = every_n_steps, first_n_steps
        self._last_active_step = 0
        self._last_successful_step: Any = None
        self._active = False

    def every_n_step_begin(self, step: Any) -> list[Any]:
        """Before such a step: what is to be computed with it."""
        return []

    def every_n_step_end(self, step: Any, outputs: Any) -> bool:
        """After such a step: whether to stop."""
        return False

    def every_n_post_step(self, step: Any, session: Any) -> None:
        """After `every_n_step_end`, with the session; and at the end."""

    def step_begin(self, step: Any) -> list[Any]:
        super().step_begin(step)
        self._active = (
            step <= self._first_n_steps
            or step >= self._every_n_steps + self._last_active_step
            or step == self._max_steps
        )
        return self.every_n_step_begin(step) if self._active else []

    def step_end(self, step: Any, output: Any) -> bool:
        super().step_end(step, output)
        return bool(self._active and self.every_n_step_end(step, output))

    def post_step(self, step: Any, session: Any) -> None:
        super().post_step(step, session)
        if self._active:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        super().end(session)
        if self._last_successful_step is not None:
            if self._last_successful_step != self._last_active_step:
                self.every_n_post_step(self._last_successful_step, session)
            self._last_successful_step = None


class RunHookAdapterForMonitors(SessionRunHook):
    """Calls monitors from a session's hooks.

    Args:
        monitors: BaseMonitors.
    """

    def __init__(self, monitors: Sequence) -> None:
        self._monitors = monitors
        self._last_step: Any = None
        self._global_step_tensor: Any = None

    def begin(self) -> None:
        self._last_step = None
        self._global_step_tensor = training_util.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        if self._last_step is None:
            step = training_util.global_step(
                run_context.session, self._global_step_tensor
            )
            self._last_step = step + 1
        wanted = []
        for monitor in self._monitors:
            asked = monitor.step_begin(self._last_step)
            if not isinstance(asked, list):
                raise ValueError("Monitor.step_begin should return a list.")
            wanted.extend(asked)
        request: dict = {_STEP: self._global_step_tensor}
        if wanted:
            request[_MONITORS] = {w: _tensor(w) for w in wanted}
        return SessionRunArgs(request)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        found = run_values.results.get(_MONITORS, {})
        for monitor in self._monitors:
            if monitor.step_end(self._last_step, found):
                run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._last_step, run_context.session)
        self._last_step = run_values.results[_STEP] + 1

    def end(self, session: Any) -> None:
        self._last_step = None
        for monitor in self._monitors:
            monitor.end(session=session)


def _tensor(wanted):
    """What a monitor asked for; a tensor by its name with or without the number."""
    if not isinstance(wanted, str):
        return wanted
    name = wanted if ":" in wanted else f"{wanted}:0"
    return get_default_graph().as_graph_element(name)


def replace_monitors_with_hooks(monitors_or_hooks: Any, estimator: Any) -> list:
    """Hooks, of monitors and hooks.

    Args:
        monitors_or_hooks: a list of both, or None. estimator: what is trained.
    """
    given = list(monitors_or_hooks or [])
    hooks = [m for m in given if isinstance(m, SessionRunHook)]
    monitors = [m for m in given if not isinstance(m, SessionRunHook)]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks

"""Hooks: what is called before and after each run of a MonitoredSession."""

from typing import TYPE_CHECKING, Any, NamedTuple

from twinflow.base.annotations import overridable

if TYPE_CHECKING:
    from twinflow.execute.session import Session


class SessionRunHook:
    """The base of hooks; each method may be left out."""

    @overridable
    def begin(self) -> Any:
        """Called once, before the session is made: the graph may still be changed."""

    @overridable
    def after_create_session(self, session: Any, coord: Any) -> Any:
        """Called with each new session.

        Args:
            session: the Session; its variables are initialised. coord: the Coordinator.
        """

    @overridable
    def before_run(self, run_context: Any) -> Any:
        """Called before each run.

        Args:
            run_context: a SessionRunContext.
        Returns:
            A SessionRunArgs of what is to be fetched and fed as well, or None.
        """

    @overridable
    def after_run(self, run_context: Any, run_values: Any) -> Any:
        """Called after each run, unless it raised.

        Args:
            run_context: a SessionRunContext. run_values: a SessionRunValues.
        """

    @overridable
    def end(self, session: Any) -> Any:
        """Called at the end, unless an exception ended it (OutOfRangeError does not
        count)."""


class SessionRunArgs(
    NamedTuple(
        "SessionRunArgs", [("fetches", Any), ("feed_dict", Any), ("options", Any)]
    )
):
    """What a hook asks a run for.

    Args:
        fetches: as of Session.run. feed_dict: dict from tensors to values.
        options: a RunOptions.
    """

    def __new__(cls, fetches: Any, feed_dict: Any = None, options: Any = None):
        return super().__new__(cls, fetches, feed_dict, options)


class SessionRunContext:
    """What a hook knows of a run, and how it asks for the end.

    Args:
        original_args: the SessionRunArgs of the user. session: the Session.
    """

    def __init__(self, original_args: Any, session: Any) -> None:
        self._original_args, self._session = original_args, session
        self._stop_requested = False

    @property
    def original_args(self) -> Any:
        """The SessionRunArgs of the user."""
        return self._original_args

    @property
    def session(self) -> "Session":
        """The Session."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook asks for the end."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Ask for the end: should_stop() is True from then on."""
        self._stop_requested = True


class SessionRunValues(
    NamedTuple(
        "SessionRunValues", [("results", Any), ("options", Any), ("run_metadata", Any)]
    )
):
    """What a run gave a hook: the values of its fetches, RunOptions, RunMetadata."""

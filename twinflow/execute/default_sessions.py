"""Which session `Tensor.eval` and `Operation.run` use: a stack per thread."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.base.errors import UsageError

if TYPE_CHECKING:
    from twinflow.execute.session import Session


class DefaultSessions:
    """The sessions that blocks of this thread have made the default, outermost first.

    Attributes:
        enforce_nesting: whether blocks must end in the reverse order of their start.
    """

    enforce_nesting = True

    @property
    def stack(self) -> "list[Session]":
        """The list itself."""
        local = dispatch.local
        if not hasattr(local, "sessions"):
            local.sessions = []
        return local.sessions

    def get_default(self) -> "Session | Any":
        """The innermost session, or None."""
        stack = self.stack
        return stack[-1] if stack else None

    def is_cleared(self) -> bool:
        """Whether no session is the default."""
        return not self.stack

    def reset(self) -> None:
        """Forget them all."""
        self.stack.clear()

    @contextlib.contextmanager
    def get_controller(self, session: Any, enforce_nesting: bool = True) -> "Iterator":
        """A block in which `session` is the default.

        Raises:
            AssertionError: a block that began later has not ended yet.
        """
        self.stack.append(session)
        try:
            yield session
        finally:
            stack = self.stack
            if stack and stack[-1] is session:
                stack.pop()
            elif stack and enforce_nesting and self.enforce_nesting:
                raise UsageError(
                    f"Nesting violated for default stack of {type(session)} objects"
                )
            elif session in stack:
                stack.remove(session)


SESSIONS = DefaultSessions()


def get_default_session() -> Any:
    """The innermost session that is the default of this thread, or None."""
    return SESSIONS.get_default()


def default_session(session: Any) -> Any:
    """A block in which `session` is the default."""
    return SESSIONS.get_controller(session)

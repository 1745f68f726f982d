"""Session.make_callable: runs with their fetches and feeds said once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import errors
from twinflow.execute.fetches import element, flatten

if TYPE_CHECKING:
    from twinflow.execute.session import Session


def make(
    session: Any, fetches: Any, feed_list: list | None, accept_options: bool
) -> Callable:
    """See SessionBase.make_callable."""
    if feed_list is not None and not isinstance(feed_list, list | tuple):
        raise TypeError("`feed_list` must be a list or tuple.")
    tensors = [session.graph.as_graph_element(f) for f in feed_list or ()]
    some = [element(session.graph, f) for f in flatten(fetches)]
    if feed_list is None and not accept_options:
        return _plain(session, fetches, bool(some))

    def run(*values: Any, **options: Any) -> list[np.generic] | np.generic:
        return session.run(fetches, dict(zip(tensors, values, strict=False)), **options)

    return run if accept_options else lambda *values: run(*values)


def _plain(session: "Session", fetches: Any, some: bool) -> Callable:
    """A callable without feeds, which a closed session cancels."""

    def run() -> Any:
        if not some:
            raise errors.InvalidArgumentError(
                None, None, "Must specify at least one target to fetch or execute."
            )
        session._check_open()
        return session.run(fetches)

    return run


def from_options(session: Any, options: Any) -> Callable:
    """See SessionBase._make_callable_from_options."""
    feeds, fetches, targets = list(options.feed), list(options.fetch), options.target
    joined = {c.to_tensor: c.from_tensor for c in options.tensor_connection}

    def run(*values: Any, run_metadata: Any = None) -> list[np.generic]:
        given = dict(zip(feeds, values, strict=True))
        if joined:  # what comes from one tensor goes into another
            taken = session.run(list(joined.values()), given, options.run_options)
            given |= dict(zip(joined, taken, strict=True))
        found = session.run(
            [fetches, list(targets)], given, options.run_options, run_metadata
        )
        return found[0]

    return run

"""Steps that other processes ask for: run with what they fetch, fed with arrays."""

from typing import Any

from twinflow.base import blocking, errors
from twinflow.base.blocking import WaitingCell
from twinflow.execute.session_config import limit_of
from twinflow.execute.step_stats import observed


class RemoteStep:
    """One run for another process, from its start to its end.

    Attributes:
        cancelled: why what it waits for is called off, or None.
    """

    def __init__(self) -> None:
        self.cancelled: str | None = None

    def cancel(self, home: Any, text: str) -> None:
        """Call off what it waits for."""
        self.cancelled = text
        for cell in list(home._cells.values()):
            if isinstance(cell, WaitingCell):
                cell.cancel_of(self)
        for call, owner in list(home.calls.items()):
            if owner is self:
                call.cancel()


def run(
    session: Any, step: RemoteStep, fetches: list, targets: list, feeds: dict,
    options: Any = None, metadata: Any = None,
) -> list:  # fmt: skip
    """The values of `fetches`.

    Args:
        session: the Session. step: what may be cancelled. fetches, targets, feeds: by
            name. options, metadata: as for Session.run.
    Raises:
        NotFoundError: there is nothing of such a name.
    """
    graph = session.graph
    tensors = [_found(graph, n, "FetchOutputs node", "") for n in fetches]
    nodes = [_node(graph, n) for n in targets]
    given = {
        _found(graph, n, "FeedInputs:", "unable to find feed output "): a
        for n, a in feeds.items()
    }
    for t, array in given.items():
        _check_fed(t, array)
    if not tensors and not nodes:
        raise errors.invalid("Must specify at least one target to fetch or execute.")
    _, plan, arrays = session._prepared((*tensors, *nodes), given)
    limit = limit_of(options, session.config)
    with blocking.owned(step):
        if limit:
            with blocking.limited(limit / 1000):
                return _run(session, plan, arrays, options, metadata)
        return _run(session, plan, arrays, options, metadata)


def _run(session: Any, plan: Any, arrays: list, options: Any, metadata: Any) -> list:
    if options is None and metadata is None:
        return plan.use_up(arrays)
    return observed(session, plan, arrays, options, metadata)


def _check_fed(t: Any, array: Any) -> None:
    asked, got = t.dtype.base_dtype, getattr(array, "dtype", None)
    if got is not None and got != asked.np:
        raise errors.invalid(
            f"The tensor that is fed to {t.name} must be {asked.name}, but it is {got}."
        )


def _found(graph: Any, name: str, what: str, more: str) -> Any:
    try:
        full = name if ":" in name else f"{name}:0"
        return graph.as_graph_element(full, allow_operation=False)
    except (KeyError, ValueError, TypeError):
        text = f"{what} {more}{name}" + ("" if more else ": not found")
        raise errors.NotFoundError(None, None, text) from None


def _node(graph: Any, name: str) -> Any:
    node = graph.by_name.get(name.removesuffix(":0").removeprefix("^"))
    if node is None:
        text = f"PruneForTargets: Some target nodes not found: {name}"
        raise errors.NotFoundError(None, None, text)
    return node

"""Session.make_callable: runs with their fetches and feeds said once."""

from twinflow.base import errors
from twinflow.execute.fetches import element, flatten


def make(session, fetches, feed_list, accept_options):
    """See SessionBase.make_callable."""
    if feed_list is not None and not isinstance(feed_list, list | tuple):
        raise TypeError("`feed_list` must be a list or tuple.")
    tensors = [session.graph.as_graph_element(f) for f in feed_list or ()]
    some = [element(session.graph, f) for f in flatten(fetches)]
    if feed_list is None and not accept_options:
        return _plain(session, fetches, bool(some))

    def run(*values, **options):
        return session.run(fetches, dict(zip(tensors, values, strict=False)), **options)

    return run if accept_options else lambda *values: run(*values)


def _plain(session, fetches, some):
    """A callable without feeds, which a closed session cancels."""

    def run():
        if not some:
            raise errors.InvalidArgumentError(
                None, None, "Must specify at least one target to fetch or execute."
            )
        session._check_open()
        return session.run(fetches)

    return run


def from_options(session, options):
    """See SessionBase._make_callable_from_options."""
    feeds, fetches, targets = list(options.feed), list(options.fetch), options.target

    def run(*values, run_metadata=None):
        given = dict(zip(feeds, values, strict=True))
        found = session.run(
            [fetches, list(targets)], given, options.run_options, run_metadata
        )
        return found[0]

    return run

"""The names of what ops on the host share: queues, readers, accumulators.

A resource belongs to its node, and each session has its own. With a `shared_name`,
nodes of one graph share one, which must fit all of them.
"""

import itertools

from twinflow.base import dispatch

_numbers = itertools.count()


def private_name(name):
    """The name of one more resource that only its node knows: `_0_fifo_queue`."""
    return f"_{next(_numbers)}_{name}"


def node_name(name):
    """The name that the next node gets which asks for `name`."""
    if name.endswith("/"):
        return name[:-1]
    return dispatch.current_mode().unique_name(name, False)


def shared(family, shared_name, make):
    """The cell of the current graph of a family and a name, made at its first use."""
    mode = dispatch.current_mode()
    cells = mode.variable_owner().state.setdefault("shared_resources", {})
    key = family, shared_name
    if key not in cells:
        cells[key] = make()
    return cells[key]

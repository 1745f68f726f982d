"""tensorflow.python.ops.variable_scope: stores of variables, by hand."""

import contextlib

from twinflow.graph.variable_store import Active, home


@contextlib.contextmanager
def with_variable_store(store):
    """A block in which tf.get_variable uses a store."""
    with Active(store):
        yield


def get_variable_scope_store():
    """What this place in the program keeps about scopes and variables: a dict."""
    return home().state

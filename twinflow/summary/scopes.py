"""The names of summaries: their nodes and their tags."""

import contextlib
import re

from twinflow.base import logging
from twinflow.graph.scopes import name_scope

_ILLEGAL = re.compile(r"[^-/\w\.]", re.ASCII)


def clean_tag(name):
    """A name that can be the tag of a summary and the name of a node."""
    if name is None:
        return None
    new = _ILLEGAL.sub("_", name).lstrip("/")
    if new != name:
        logging.info("Summary name %s is illegal; using %s instead.", name, new)
    return new


@contextlib.contextmanager
def summary_scope(name, family=None, default_name=None, values=None):
    """A name scope for a summary.

    Args:
        name: of the summary. family: what its tag begins with.
        default_name: where there is no name. values: the tensors of its nodes.
    Returns:
        A context of (the tag, the scope, which ends in '/').
    """
    name, family = clean_tag(name), clean_tag(family)
    base = name if family is None else f"{family}/{name}"
    with name_scope(base, default_name, values) as scope:
        tag = scope.rstrip("/")
        yield (tag if family is None else f"{family}/{tag}"), scope

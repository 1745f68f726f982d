"""tensorflow.python.ops.resources: lists of resources that sessions initialise."""

from typing import Any, NamedTuple

from twinflow.graph.scopes import add_to_collection, group
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.constant import constant
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.variables.collections import GraphKeys, get_collection


class _Resource(NamedTuple):
    """A resource, what makes it, and what says whether it is there."""

    handle: Any
    create: Any
    is_initialized: Any


def register_resource(handle, create_op, is_initialized_op, is_shared=True):
    """Note a resource of the graph.

    Args:
        handle: its handle. create_op: what makes it.
        is_initialized_op: whether it is there. is_shared: by several sessions.
    """
    key = GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES
    add_to_collection(key, _Resource(handle, create_op, is_initialized_op))


def shared_resources():
    """The resources that are shared."""
    return get_collection(GraphKeys.RESOURCES)


def local_resources():
    """The others."""
    return get_collection(GraphKeys.LOCAL_RESOURCES)


def initialize_resources(resource_list, name="init"):
    """A node that makes resources."""
    if not resource_list:
        return no_op(name)
    return group(*[r.create for r in resource_list], name=name)


def report_uninitialized_resources(
    resource_list=None, name="report_uninitialized_resources"
):
    """The names of the handles of resources that are not there.

    Returns:
        string[names].
    """
    if resource_list is None:
        resource_list = [*shared_resources(), *local_resources()]
    if not resource_list:
        return constant([], "string", name=name)
    there = stack([r.is_initialized for r in resource_list])
    names = constant([r.handle.name for r in resource_list])
    return concat([boolean_mask(names, ~there)], 0, name=name)

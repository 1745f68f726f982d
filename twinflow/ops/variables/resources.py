"""Resources that a graph registers, so that a session can initialize them."""

from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import logical_not
from twinflow.ops.core.constant import constant
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.variables.collections import GraphKeys, get_collection


class _Resource(NamedTuple):
    """A handle, the op that creates its resource, and whether that has run."""

    handle: Any
    create: Any
    is_initialized: Any


def register_resource(
    handle: Any, create_op: Any, is_initialized_op: Any, is_shared: bool = True
) -> None:
    """Put a resource into a collection of the graph.

    Args:
        handle: the tensor of the handle. create_op: the op that creates it.
        is_initialized_op: bool scalar, whether that has been.
        is_shared: among `shared_resources`, not among `local_resources`.
    """
    key = GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES
    owner = dispatch.current_mode().variable_owner()
    if not owner.eager:
        found = _Resource(handle, create_op, is_initialized_op)
        owner.add_to_collection(key, found)


def shared_resources() -> list:
    """The registered resources that all workers would share."""
    return get_collection(GraphKeys.RESOURCES)


def local_resources() -> list:
    """The registered resources of this process alone."""
    return get_collection(GraphKeys.LOCAL_RESOURCES)


def initialize_resources(resource_list: Any, name: str | None = "init") -> Any:
    """An op that creates resources.

    Args:
        resource_list: of `shared_resources` or `local_resources`. name: of the op.
    """
    with dispatch.current_mode().control_dependencies(
        [r.create for r in resource_list or ()]
    ):
        return no_op(name=name)


def report_uninitialized_resources(
    resource_list: Any = None, name: str | None = "report_uninitialized_resources"
) -> Tensor:
    """The names of the resources that are not created yet: string[n].

    Args:
        resource_list: all registered ones if not given. name: of the scope.
    """
    if resource_list is None:
        resource_list = shared_resources() + local_resources()
    with dispatch.current_mode().name_scope(name):
        if not resource_list:
            return constant([], dtypes.string)
        missing = logical_not(stack([r.is_initialized for r in resource_list]))
        names = concat(
            [constant([r.handle.name for r in resource_list], dtypes.string)], 0
        )
        return boolean_mask(names, missing)

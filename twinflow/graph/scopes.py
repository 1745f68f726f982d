"""Scopes and groups that mean something in both modes."""

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, nest
from twinflow.base.tensor import Composite, ResourceHandle, Tensor
from twinflow.ops.core import constant
from twinflow.ops.core.no_op import no_op
from twinflow.ops.variables.collections import get_collection  # noqa: F401 - public name
from twinflow.ops.variables.references import RefIdentity

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor


class name_scope:
    """Prefix the names of the ops made in the block.

    Args:
        name: the scope's name, or None. default_name: what is taken then.
        values: the inputs of the ops to come: their graph becomes the default one.
    Raises:
        ValueError: there are values but no name.
    """

    def __init__(
        self, name: str | None, default_name: str | None = None, values: Any = None
    ) -> None:
        self._name = default_name if name is None else name
        self._values = values
        self._context: Any = None

    @property
    def name(self) -> Any:
        """The name asked for."""
        return self._name

    def __enter__(self) -> str:
        mode, self._context = dispatch.current_mode(), contextlib.ExitStack()
        if self._values is not None and not mode.eager:
            if self._name is None:
                raise ValueError(
                    "At least one of name (None) and default_name (None) must be "
                    "provided."
                )
            found = mode.graph_of(self._values)
            if found is not mode:
                mode = self._context.enter_context(dispatch.entered(found))
        return self._context.enter_context(mode.name_scope(self._name))

    def __exit__(self, *exc: Any) -> bool | None:
        return self._context.__exit__(*exc)


def device(device_name_or_function: Any) -> AbstractContextManager[Any]:
    """A block whose ops ask for a device.

    Args:
        device_name_or_function: a name such as "/gpu:0" or "/job:ps/task:1", which is
            merged into that of the block around it; None clears that; in a graph also a
            function from a node to a name.
    Raises:
        ValueError: the name cannot be read. RuntimeError: a function in eager mode.
    Example:
        with tf.device("/cpu:0"): x = tf.constant([1.])
        x.device  # "/job:localhost/replica:0/task:0/device:CPU:0"
    """
    return dispatch.current_mode().device(device_name_or_function)


def control_dependencies(control_inputs: Any) -> AbstractContextManager[Any]:
    """A block whose ops run after `control_inputs`; no effect in eager mode."""
    mode = dispatch.current_mode()
    if mode.eager:
        for f in control_inputs or ():
            if callable(f) and not isinstance(f, ResourceHandle):
                f()
        return contextlib.nullcontext()
    return mode.control_dependencies(control_inputs)


def group(*inputs: Any, name: str | None = "group_deps", **kwargs: Any) -> Any:
    """An op that is done when all of `inputs` are (structures of tensors and ops).

    Returns:
        The op; None in eager mode, where all is done already.
    Raises:
        TypeError: one of them is neither. ValueError: there is another keyword.
    """
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}")
    mode = dispatch.current_mode()
    if mode.eager:
        return None
    found = nest.flatten(list(inputs))
    for x in found:
        if not hasattr(x, "device"):
            raise TypeError(
                f"Expected tf.group() expected Tensor arguments not '{x}' with type "
                f"'{type(x)}'"
            )
    with mode.control_dependencies(found):
        return no_op(name=name)


def tuple(
    tensors: Any, name: str | None = None, control_inputs: Any = None
) -> list[Any]:
    """The tensors, none of which is there before all of them are."""
    mode = dispatch.current_mode()
    if mode.eager:
        return tensors
    ready = [t for t in tensors if t is not None] + list(control_inputs or [])
    if not ready:
        raise ValueError(f"Must have at least one Tensor: {tensors}")
    with mode.name_scope("tuple" if name is None else name):
        gate = [group(*ready)]
        return [None if t is None else with_dependencies(gate, t) for t in tensors]


def with_dependencies(
    dependencies: Any, output_tensor: Any, name: str | None = None
) -> "GraphTensor":
    """`output_tensor`, which is there only after `dependencies` have run.

    Args:
        dependencies: tensors and operations. output_tensor: a tensor or IndexedSlices.
        name: the name of the node in a graph.
    """
    mode = dispatch.current_mode()
    if mode.eager:
        return output_tensor
    scope = mode.name_scope(name or "control_dependency")
    node = getattr(output_tensor, "op", None)
    place = contextlib.nullcontext() if node is None else mode.colocate_with(node)
    with scope as full, place, mode.control_dependencies(dependencies):
        return _identity(output_tensor, full)


def with_dependencies_of_all(tensors: list[Tensor]) -> list[Tensor]:
    """The tensors under the names that `tuple` gives.

    A plan runs in the order of creation, in which all gradients of a node come before
    what uses them, so the names need no edges.
    """
    with dispatch.current_mode().name_scope("tuple"):
        return [_identity(t, "control_dependency") for t in tensors]


def _identity(t: Any, name: str | None = None) -> Any:
    """`t` itself, once what it depends on is done."""
    if isinstance(t, Composite):
        return t._with([None if c is None else _identity(c) for c in t._components()])
    if isinstance(t, Tensor) and t.dtype._is_ref_dtype:
        return dispatch.apply(RefIdentity, (t,), None, name)
    return constant.identity(t, name)


def add_to_collection(name: str, value: Any) -> None:
    """Append to a collection of the current graph; no effect in eager mode."""
    mode = dispatch.current_mode()
    if not mode.eager:
        mode.variable_owner().add_to_collection(name, value)


def add_to_collections(names: Any, value: Any) -> None:
    """Append to several collections (or one) of the current graph."""
    for name in [names] if isinstance(names, str) else dict.fromkeys(names):
        add_to_collection(name, value)


@contextlib.contextmanager
def op_scope(values: Any, name: str | None, default_name: Any = None) -> Iterator[Any]:
    """As `name_scope`, with the arguments in TensorFlow's older order."""
    with name_scope(name, default_name, values) as scope:
        yield scope


def colocate_with(
    op: Any, ignore_existing: bool = False
) -> AbstractContextManager[Any]:
    """A block whose ops are on the device of `op`, a tensor, variable or operation.

    Args:
        op: the thing; None forgets the blocks around. ignore_existing: forget them.
    Raises:
        ValueError: `op` is None in a graph, and `ignore_existing` false.
    """
    mode = dispatch.current_mode()
    if mode.eager:
        return contextlib.nullcontext() if op is None else device(op.device or None)
    return mode.colocate_with(op, ignore_existing)


def container(container_name: Any) -> Any:
    """A block whose variables and queues belong to a resource container."""
    mode = dispatch.current_mode()
    if mode.eager:
        return contextlib.nullcontext(container_name)
    return mode.container(container_name)


def get_collection_ref(key: Any) -> Any:
    """The list of a collection itself."""
    mode = dispatch.current_mode().variable_owner()
    return [] if mode.eager else mode.get_collection_ref(key)


@contextlib.contextmanager
def init_scope() -> Iterator[Any]:
    """A block outside of functions, control flow and control dependencies.

    In it functions that are traced have no part: variables are made there.
    """
    mode = dispatch.current_mode()
    owner, scope = mode.variable_owner(), mode.scope
    with dispatch.entered(owner):
        if owner.eager:
            with owner.name_scope(scope):
                yield
        else:
            with owner.outside_regions(), owner.name_scope(scope):
                yield


def get_name_scope() -> Any:
    """The name scope around, without the "/" at its end."""
    return dispatch.current_mode().scope.removesuffix("/")

"""CriticalSection: functions that run one after the other, never at the same time."""

import collections
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes, nest
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import (
    add_to_collection,
    add_to_collections,
    control_dependencies,
    get_collection,
    group,
    name_scope,
)
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.queues.mutex_ops import (
    ConsumeMutexLock,
    MutexCell,
    MutexLock,
    MutexV2,
)
from twinflow.ops.queues.resource_names import node_name, shared

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"

_ExecutionSignature = collections.namedtuple(
    "_ExecutionSignature", ("op", "handle", "resources", "exclusive_resource_access")
)
_eager_cells: dict = {}  # by shared name


class CriticalSection:
    """Runs functions one after the other, never two of its own at the same time.

    Args:
        name: the name of the node. shared_name: sections of this name are one.
        critical_section_def, import_scope: not taken; a section has no proto.
    Raises:
        ValueError: there is a `critical_section_def`.
    Example:
        v = tf.get_variable("v", initializer=0.0, use_resource=True)
        section = tf.contrib.framework.CriticalSection()
        add = section.execute(lambda: v.assign_add(1.0))
        with tf.Session() as sess:
            sess.run(v.initializer)
            sess.run(add)  # 1.0
    """

    def __init__(
        self, name: str | None = None, shared_name: str | None = None,
        critical_section_def: Any = None, import_scope: Any = None,
    ) -> None:  # fmt: skip
        if critical_section_def is not None:
            raise ValueError("critical_section_def and shared_name are exclusive.")
        with name_scope(name, "CriticalSection", []) as scope:
            if current_mode().variable_owner().eager:
                self._name = (scope or name or "CriticalSection").rstrip("/")
                self._cell = _eager_cells.setdefault(
                    shared_name or object(), MutexCell(self._name)
                )
                self._handle: Any = None
                return
            node = node_name(scope)
            self._name = node

            def make() -> MutexCell:
                return MutexCell(node)

            self._cell = shared("mutex", shared_name, make) if shared_name else make()
            attrs = {
                **MutexV2.sig.attrs, "shared_name": shared_name or node,
                "cell": self._cell,
            }  # fmt: skip
            self._handle = apply(MutexV2, (), attrs, scope)
        add_to_collections(CRITICAL_SECTIONS, self)

    @property
    def name(self) -> str:
        """The name of the node."""
        return self._name

    def execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a function within the section.

        Args:
            fn: the function. args, kwargs: what it takes.
            exclusive_resource_access: whether no other section may use the resources
                that `fn` uses; True by default.
        Returns:
            What it returns, as tensors, after it gave the section up (in a graph).
        Raises:
            ValueError: `fn` uses the section itself, or resources of another one.
        """
        exclusive = kwargs.pop("exclusive_resource_access", True)
        if self._handle is None:
            token = self._cell.take()
            try:
                return fn(*args, **kwargs)
            finally:
                token.release()
        with name_scope(None, "critical_section_execute", []):
            return self._execute_later(fn, args, kwargs, exclusive)

    def _execute_later(self, fn, args, kwargs, exclusive):
        graph = current_mode()
        lock = apply(MutexLock, (self._handle,), None, "MutexLock")
        before = len(graph.get_operations())
        with control_dependencies([lock]):
            found = fn(*args, **kwargs)
        made = graph.get_operations()[before:]
        resources = self._resources(made, lock.op)
        self._check_multiple_access_to_resources(resources, exclusive)
        for node in _awaited(made, lock.op):
            lock.op._add_control_input(node)
        flat = [_kept(x) for x in nest.flatten(found)]
        with control_dependencies(flat):
            consume = apply(ConsumeMutexLock, (lock,), None, "ConsumeMutexLock")
        add_to_collection(
            CRITICAL_SECTION_EXECUTIONS,
            _ExecutionSignature(lock.op, self._handle, resources, exclusive),
        )
        consume = getattr(consume, "op", consume)
        with control_dependencies([consume]):
            ends = [identity(x) if isinstance(x, Tensor) else group(x) for x in flat]
        return nest.pack_sequence_as(found, ends)

    def _resources(self, made, lock):
        """The handles from outside that new nodes take."""
        own, found = {id(n) for n in made}, []
        for node in made:
            for t in node.inputs:
                if t.dtype != dtypes.resource or id(t.op) in own:
                    continue
                if t.op.attrs.get("cell") is self._cell:
                    raise ValueError(
                        "The function fn attempts to directly access the "
                        "CriticalSection in which it would be running.  This is "
                        "illegal and would cause deadlocks."
                    )
                if t not in found:
                    found.append(t)
        return found

    def _check_multiple_access_to_resources(
        self, captured_resources, exclusive_resource_access
    ):
        """Refuse resources that another section has for itself, or this one wants."""
        for other in get_collection(CRITICAL_SECTION_EXECUTIONS):
            if other.handle is self._handle:
                continue
            if not (exclusive_resource_access or other.exclusive_resource_access):
                continue
            both = [r for r in other.resources if r in captured_resources]
            if both:
                raise ValueError(
                    f"This execution would access resources: {both}.  Either this lock "
                    f"(CriticalSection: {self._handle}) or lock '{other}' "
                    f"(CriticalSection: {other.handle}) requested exclusive resource "
                    "access of this resource.  Did you mean to call execute with "
                    "keyword argument exclusive_resource_access=False?"
                )


def _awaited(made, lock):
    """The nodes from outside that new nodes wait for: they go before the lock."""
    own, found = {id(n) for n in made} | {id(lock)}, []
    for node in made:
        for other in (*(t.op for t in node.inputs), *node.control_inputs):
            if id(other) not in own and other not in found:
                found.append(other)
    return found


def _kept(value):
    """What a function returned: a tensor of its own, or a node."""
    if hasattr(value, "node_def"):
        return value
    return identity(convert_to_tensor(value))

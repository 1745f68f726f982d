"""tf.contrib.framework.CriticalSection: functions that run one after another.

The nodes of a graph run in the order in which they were made, and those of one function
stand together; so a section has to lock only calls that run at once, eagerly.
"""

import collections
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes, nest
from twinflow.base.tensor import Tensor
from twinflow.graph.node import Node
from twinflow.graph.scopes import group, name_scope
from twinflow.ops.core.constant import constant, convert_to_tensor, identity

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"
_locks: dict[str, Any] = collections.defaultdict(threading.RLock)


class _Execution(NamedTuple):
    """One execution: what collections of graphs hold."""

    op: Any
    handle: Any
    resources: list
    exclusive_resource_access: bool


class CriticalSection:
    """Executes functions, no two of them at the same time.

    Args:
        name: of the section. shared_name: sections of one shared name are one.
        critical_section_def, import_scope: for what is read from a MetaGraphDef.
    Raises:
        ValueError: a name beside a `critical_section_def`.
    Example:
        v = tfe.Variable(1.)
        tf.contrib.framework.CriticalSection().execute(lambda: v.assign_add(2.))
    """

    def __init__(
        self, name: str | None = None, shared_name: str | None = None,
        critical_section_def: Any = None, import_scope: str | None = None,
    ) -> None:  # fmt: skip
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and name are mutually exclusive.")
        if critical_section_def:
            raise ValueError("Not a CriticalSectionDef: nothing writes one.")
        graph = dispatch.current_mode()
        with name_scope(name, "CriticalSection", []) as scope:
            self._name = scope.rstrip("/") if scope else name or "CriticalSection"
            self._lock = _locks[shared_name] if shared_name else threading.RLock()
            self._shared_name = shared_name or self._name
            self._handle = constant(self._shared_name, dtypes.string, name=scope)
        if not graph.eager:
            graph.add_to_collections(CRITICAL_SECTIONS, self)

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    def _is_self_handle(self, x: Any) -> bool:
        return x is self._handle

    def execute(self, fn: Callable, *args: Any, **kwargs: Any) -> Any:
        """What a function returns, once no other is executed in this section.

        Args:
            fn: of `args` and `kwargs`, returns a structure of tensors and operations.
            kwargs: of `fn`; beside them `name`, of the scope, and
                `exclusive_resource_access`, whether other sections must not execute
                what takes the same variables (True).
        Raises:
            ValueError: `fn` executes something in this section, or takes variables that
                another section takes.
        """
        name = kwargs.pop("name", None)
        exclusive = kwargs.pop("exclusive_resource_access", True)
        graph = dispatch.current_mode()
        with name_scope(name, "critical_section_execute", []):
            if graph.eager:
                with self._lock:
                    return fn(*args, **kwargs)
            return self._later(graph, fn, args, kwargs, exclusive)

    def _later(
        self, graph: Any, fn: Callable, args: tuple, kwargs: dict, exclusive: bool
    ) -> Any:
        _running.append(self)
        try:
            if sum(s._shared_name == self._shared_name for s in _running) > 1:
                raise ValueError(
                    "The function fn attempts to directly access the CriticalSection "
                    "in which it would be running.  This is illegal and would cause "
                    f"deadlocks.  Function: {fn}."
                )
            before = len(graph.nodes)
            found = fn(*args, **kwargs)
        finally:
            _running.pop()
        made = graph.nodes[before:]
        resources = _resources([*made, *args, *kwargs.values()])
        self._check_access(graph, resources, exclusive)
        out = nest.map_structure(_passed, found)
        first = nest.flatten(out)[0] if nest.flatten(out) else None
        op = first.op if isinstance(first, Tensor) else first
        run = _Execution(op, self._handle, resources, exclusive)
        graph.add_to_collections(CRITICAL_SECTION_EXECUTIONS, run)
        return out

    def _check_access(self, graph: Any, resources: list, exclusive: bool) -> None:
        """Raises where another section takes the same variables."""
        for run in graph.get_collection(CRITICAL_SECTION_EXECUTIONS):
            if run.handle is self._handle:
                continue
            if not (exclusive or run.exclusive_resource_access):
                continue
            if any(r is s for r in resources for s in run.resources):
                raise ValueError(
                    f"This execution would access resources: {resources}.  Either this "
                    f"lock (CriticalSection: {self._handle}) or lock "
                    f"'{run.handle}' (which would access resources: {run.resources}) "
                    "requested exclusive resource access of this resource.  "
                    "Did you mean to call execute with keyword argument "
                    "exclusive_resource_access=False?"
                )


_running: list = []


def _resources(values: list) -> list:
    """The resources among tensors, and among the inputs of nodes."""
    found: list = []
    for value in values:
        tensors = value.inputs if isinstance(value, Node) else [value]
        for t in tensors:
            is_resource = isinstance(t, Tensor) and t.dtype == dtypes.resource
            if is_resource and not any(t is f for f in found):
                found.append(t)
    return found


def _passed(value: Any) -> Any:
    """A result under a name of its own; for an operation, one that waits for it."""
    if value is None:
        raise ValueError(
            "Tried to convert 'input' to a tensor and failed. Error: None values not "
            "supported."
        )
    if isinstance(value, Node):
        return group(value)
    return identity(convert_to_tensor(value))

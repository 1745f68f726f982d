"""Scopes that mark the nodes made in them: colocation, containers, attributes."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from twinflow.base import devices, logging
from twinflow.base.text import as_bytes
from twinflow.base.traceable import here
from twinflow.formats import protos
from twinflow.graph.node import Node
from twinflow.graph.program import ref_inputs

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor


class Marking:
    """What a graph has to mark nodes while they are made.

    Attributes:
        markers: functions that each new node is given to.
        overrides: from op types to registered gradients.
        device_scopes: functions from a node to its device, the innermost first.
        blocks: (kind, TraceableObject) of `device` and `colocate_with`, likewise.
    """

    markers: tuple[Any, ...]
    device_scopes: tuple[Any, ...]
    blocks: tuple[Any, ...] = ()
    overrides: dict[Any, Any]
    state: dict[Any, Any]
    building: Any

    @contextlib.contextmanager
    def _marking(self, marker: Callable) -> Iterator[None]:
        old, self.markers = self.markers, (*self.markers, marker)
        try:
            yield
        finally:
            self.markers = old

    @contextlib.contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Ask for a device by name, or by a function from a node to a name."""
        name, old = device_name_or_function, self.device_scopes
        blocks, self.blocks = self.blocks, (("device", here(name)), *self.blocks)
        if name is None:  # forgets devices, not what the nodes are beside
            self.device_scopes = tuple(s for s in old if type(s) is _Beside)
        else:
            self.device_scopes = (_device_of(name), *old)
        try:
            yield
        finally:
            self.device_scopes, self.blocks = old, blocks

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map: Any) -> Iterator[Any]:
        """A block whose nodes take registered gradients.

        Args:
            op_type_map: dict from op type to a name of tf.RegisterGradient.
        Raises:
            TypeError: it is no dict from strings to strings.
        """
        if not isinstance(op_type_map, dict) or not all(
            isinstance(x, str) for pair in op_type_map.items() for x in pair
        ):
            raise TypeError(
                "op_type_map must be a dictionary mapping strings to strings"
            )

        def mark(node: Any) -> None:
            if node.type in op_type_map:
                name = as_bytes(op_type_map[node.type])
                node._set_attr("_gradient_op_type", protos.AttrValue(s=name))

        old, self.overrides = self.overrides, {**self.overrides, **op_type_map}
        try:
            with self._marking(mark):
                yield
        finally:
            self.overrides = old

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """A block whose nodes are on the device of `op`, and say so.

        Args:
            op: a node, tensor or variable; None forgets the blocks around, if
                `ignore_existing`.
        Raises:
            ValueError: `op` is None and they are not to be ignored.
            TypeError: it is none of these.
        """
        if op is None and not ignore_existing:
            raise ValueError(
                "Trying to reset colocation (op is None) but ignore_existing is not "
                "True"
            )
        old, blocks = self.device_scopes, self.blocks
        if ignore_existing:
            self.blocks = tuple(b for b in blocks if b[0] == "device")
        kept = () if ignore_existing else tuple(s for s in old if type(s) is _Beside)
        if op is not None:
            node = _node_of(op)
            kept = (_Beside(node), *kept)
            self.blocks = (("colocate", here(node)), *self.blocks)
        self.device_scopes = kept
        try:
            yield
        finally:
            self.device_scopes, self.blocks = old, blocks

    def _mark(self, node: Node) -> None:
        """Give a new node its marks and its device; colocation knows better."""
        for mark in self.markers:
            mark(node)
        if self.blocks:
            node.blocks = self.blocks
        scopes = self._scopes_of(node)
        if node.marks and any(type(s) is _Beside for s in scopes):
            node.marks.pop("_class", None)
        for scope in scopes:
            node.device = scope(node)

    def _apply_device_functions(self, op: Any) -> None:
        """Set the device that a node made here would get, as a DeviceSpec.

        Args:
            op: has a `device`, and `_set_device`, which is called per scope.
        """
        for scope in self.device_scopes:
            if type(scope) is not _Beside:
                op._set_device(devices.DeviceSpec.from_string(scope(op)))

    def _scopes_of(self, node: Node) -> Any:
        """The device scopes of a new node: one on references is beside these."""
        references = ref_inputs(node)
        if not references:
            return self.device_scopes
        kept = [s for s in self.device_scopes if type(s) is _Beside]
        return [*kept, *(_Beside(t.op) for t in references)]

    def _colocate_with_for_gradient(
        self, op: Any, gradient_uid: Any, ignore_existing: bool = False
    ) -> Any:
        """As `colocate_with`."""
        return self.colocate_with(op, ignore_existing)

    @contextlib.contextmanager
    def container(self, container_name: Any) -> Iterator[Any]:
        """A block whose stateful nodes belong to a resource container."""

        def mark(node: Any) -> None:
            inner = self.state["container"] is container_name
            if inner and node.opdef.stateful and node.attrs.get("container") == "":
                node.attrs = {**node.attrs, "container": container_name}

        old = self.state.get("container", "")
        self.state["container"] = container_name
        try:
            with self._marking(mark):
                yield container_name
        finally:
            self.state["container"] = old

    @property
    def _container(self) -> Any:
        return self.state.get("container", "")

    @contextlib.contextmanager
    def _original_op(self, op: Node) -> Iterator[None]:
        """A block whose nodes were made because of `op`; errors tell of both."""
        old, self.default_original_op = self.default_original_op, op

        def mark(node: Node) -> None:
            node.original = op

        try:
            with self._marking(mark):
                yield
        finally:
            self.default_original_op = old

    default_original_op: Any = None

    @property
    def _default_original_op(self) -> Any:
        return self.default_original_op

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager:
        """A block whose nodes get attributes.

        Args:
            attr_map: dict from name to AttrValue, to a function from a node to one (or
                None), or to None.
        Raises:
            TypeError: it is something else.
        """
        if not isinstance(attr_map, dict):
            raise TypeError(
                "attr_map must be a dictionary mapping strings to AttrValue protocol "
                "buffers"
            )
        for name, attr in attr_map.items():
            if not (
                isinstance(name, str)
                and (attr is None or callable(attr) or hasattr(attr, "WhichOneof"))
            ):
                raise TypeError(
                    "attr_map must be a dictionary mapping strings to AttrValue "
                    "protocol buffers or callables that emit AttrValue protocol buffers"
                )

        def mark(node: Any) -> None:
            for name, attr in attr_map.items():
                value = attr(node) if callable(attr) else attr
                if value is not None:
                    node._set_attr(name, value)
                elif name in (node.marks or {}):
                    del node.marks[name]

        return self._marking(mark)

    def _kernel_label_map(self, op_to_kernel_label_map: Any) -> Any:
        """A block whose nodes of some op types have an attribute `_kernel`.

        Raises:
            TypeError: it is no dict from strings to strings.
        """
        if not isinstance(op_to_kernel_label_map, dict) or not all(
            isinstance(x, str) for pair in op_to_kernel_label_map.items() for x in pair
        ):
            raise TypeError(
                "op_to_kernel_label_map must be a dictionary mapping strings to strings"
            )

        def mark(node: Any) -> None:
            label = op_to_kernel_label_map.get(node.type)
            if label:
                node._set_attr("_kernel", protos.AttrValue(s=as_bytes(label)))
            elif label == "" and "_kernel" in (node.marks or {}):
                del node.marks["_kernel"]

        return self._marking(mark)

    # ------------------------------------------------------------------ threads
    def switch_to_thread_local(self) -> None:
        """Let each thread have scopes of its own; accepted."""
        self.state["thread local"] = True

    @property
    def _stack_state_is_thread_local(self) -> Any:
        return self.state.get("thread local", False)

    @property
    def _lock(self) -> Any:
        return self.building


class _Beside:
    """The device function of a `colocate_with` block."""

    def __init__(self, op: Node) -> None:
        self.op = op

    def __call__(self, node: Node) -> str:
        groups = set(self.op.colocation_groups())
        found = (node.marks or {}).get("_class")
        if found is not None:
            groups |= set(found.list.s)
        value = protos.AttrValue()
        value.list.s.extend(sorted(groups))
        node._set_attr("_class", value)
        own, other = node.device, self.op.device
        if own and other and devices.canonical(own) != devices.canonical(other):
            logging.warning(
                "Tried to colocate %s with an op %s that had a different device: %s vs "
                "%s. The device that the node asks for stays.",
                node.name, self.op.name, own, other,
            )  # fmt: skip
            return own
        return other or own


def _node_of(op: "GraphTensor | Node") -> Node:
    """The node of a tensor, variable or node."""
    found = op if isinstance(op, Node) else getattr(op, "op", None)
    if not isinstance(found, Node):
        raise TypeError(
            f"Cannot colocate with {op!r} of type {type(op).__name__}: it must be an "
            "Operation, a Tensor or a Variable."
        )
    return found


def _device_of(name: Callable | devices.DeviceSpec | str) -> Callable:
    """A function from a node to its device within a scope `name`."""
    if callable(name):
        return lambda node: _asked(name(node))
    outer = devices.canonical(name)

    def found(node: Node) -> str:
        inner = devices.canonical(node.device) if node.device else ""
        return devices.merged(outer, inner) if inner else outer

    return found


def _asked(device: devices.DeviceSpec | str) -> str:
    """What a device function of the program gives, as a name."""
    return device if isinstance(device, str) else devices.canonical(device)

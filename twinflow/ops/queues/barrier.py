"""Barriers: rows that several threads put together, component by component."""

from operator import attrgetter
from typing import Any, NamedTuple

from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.queues import barrier_ops, resource_names
from twinflow.ops.queues.barrier_cells import BarrierCell
from twinflow.ops.queues.kinds import shape_list, type_list
from twinflow.ops.queues.queue import known_int, refuse_eagerly


class BarrierTakeMany(NamedTuple):
    """Complete keys: int64[n] when they came, string[n], the components."""

    indices: Any
    keys: Any
    values: Any


class Barrier:
    """Puts rows together from components that come one by one, under string keys.

    Args:
        types: a DType, or a list of one per component.
        shapes: a fully defined shape per component, with elements.
        shared_name: barriers of this name in one graph are one.
        name: the name of the node.
    Raises:
        ValueError: a shape is not fully defined, or has no elements.
    """

    def __init__(
        self, types: Any, shapes: Any = None, shared_name: str | None = None,
        name: str | None = "barrier",
    ) -> None:  # fmt: skip
        refuse_eagerly()
        self._types = type_list(types)
        found = shape_list(shapes, len(self._types)) or []
        for i, shape in enumerate(found):
            if shape.num_elements() == 0:
                dims = tuple(shape.as_list())
                raise ValueError(
                    "Empty tensors are not supported, but received shape "
                    f"'{dims}' at index {i}"
                )
        self._shapes = tuple(s.tuple for s in found)
        self._barrier_ref = _made(
            tuple(self._types), self._shapes, shared_name or "", name or "barrier"
        )
        self._name = self._barrier_ref.op.name.split("/")[-1]

    barrier_ref = property(attrgetter("_barrier_ref"), doc="The handle: a tensor.")

    @property
    def name(self) -> str:
        """The name of its node."""
        return self._barrier_ref.op.name

    def insert_many(
        self, component_index: int, keys: Any, values: Any, name: str | None = None
    ) -> Any:
        """An op that gives keys one of their components.

        Args:
            component_index: which one. keys: string[n]. values: [n, ...], one a key.
            name: the name of the node.
        Raises (when run):
            InvalidArgumentError: a key has this component already.
            CancelledError: the barrier is closed, and a key is new.
        """
        attrs = {"component_index": component_index}
        if not isinstance(values, Tensor) and component_index < len(self._types):
            values = convert_to_tensor(values, self._types[component_index])
        name = name or f"{self._name}_BarrierInsertMany"
        inputs = (self._barrier_ref, keys, values)
        return apply(barrier_ops.BarrierInsertMany, inputs, attrs, name)

    def take_many(
        self, num_elements: TensorValue, allow_small_batch: bool = False,
        timeout: int | None = None, name: str | None = None,
    ) -> BarrierTakeMany:  # fmt: skip
        """The next complete keys, those that came first; waits for them.

        Args:
            num_elements: int32[], how many. allow_small_batch: take what is complete
                where the barrier is closed. timeout: not read. name: of the node.
        Returns:
            (indices, keys, values), with a tensor per component in values.
        Raises (when run):
            OutOfRangeError: the barrier is closed and will never have so many.
        """
        attrs = {
            "component_types": tuple(self._types),
            "allow_small_batch": allow_small_batch,
            "timeout_ms": -1 if timeout is None else timeout,
        }
        name = name or f"{self._name}_BarrierTakeMany"
        inputs = (self._barrier_ref, num_elements)
        found = apply(barrier_ops.BarrierTakeMany, inputs, attrs, name)
        indices, keys, *values = found
        batch = None if allow_small_batch else known_int(num_elements)
        for t in (indices, keys):
            t.set_shape((batch,))
        for t, shape in zip(values, self._shapes):
            t.set_shape((batch, *shape))
        return BarrierTakeMany(indices, keys, list(values))

    def close(
        self, cancel_pending_enqueues: bool = False, name: str | None = None
    ) -> Any:
        """An op after which no new keys come in; those that wait may still complete.

        Args:
            cancel_pending_enqueues: drop those that wait. name: the name of the node.
        """
        attrs = {"cancel_pending_enqueues": cancel_pending_enqueues}
        name = name or f"{self._name}_BarrierClose"
        return apply(barrier_ops.BarrierClose, (self._barrier_ref,), attrs, name)

    def ready_size(self, name: str | None = None) -> Tensor:
        """int32[], the number of complete keys."""
        name = name or f"{self._name}_BarrierReadySize"
        return apply(barrier_ops.BarrierReadySize, (self._barrier_ref,), None, name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """int32[], the number of keys that wait for components."""
        name = name or f"{self._name}_BarrierIncompleteSize"
        return apply(
            barrier_ops.BarrierIncompleteSize, (self._barrier_ref,), None, name
        )


def _made(types, shapes, shared_name, name):
    node = resource_names.node_name(name)

    def make():
        return BarrierCell(node, types, shapes, shared_name)

    named = resource_names.shared
    cell = named("barrier", shared_name, make) if shared_name else make()
    attrs = {
        **barrier_ops.Barrier.sig.attrs,
        "component_types": types, "shapes": shapes, "shared_name": shared_name,
        "cell": cell,
    }  # fmt: skip
    return apply(barrier_ops.Barrier, (), attrs, name)

"""The writer: what the writers of single ops work with."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from twinflow.base import progress
from twinflow.graph.program import build
from twinflow.interchange.lite.flatten import Flat, known, refusal
from twinflow.interchange.lite.model import Item, Model, Value, type_number


class Writer:
    """Writes the nodes of a flat graph.

    Args:
        table: {op type: writer}. flat: the graph. custom: whether an op without a
            counterpart becomes a custom one.
    """

    def __init__(self, table: dict, flat: Flat, custom: bool = False) -> None:
        self.table, self.flat, self.custom = table, flat, custom
        self.model = Model()
        self.made: dict = {}  # {tensor: Value}
        self.node: Any = None
        self._taken: set = set()
        self._constants: dict = {}

    def run(self, inputs: Sequence, outputs: Sequence, names: Sequence) -> Model:
        """The model of what leads from inputs to outputs, which get their names."""
        fed = [t for t in inputs if t is not None]
        for t in fed:
            self.made[t] = self.fresh(t)
        self.model.inputs = [self.made[t] for t in fed]
        nodes = build(self.flat.graph, list(outputs), (), fed).nodes
        for node in progress.over("writing nodes", nodes):
            if node.type != "Const" and node.outputs[0] not in self.made:
                self._write(node)
        self.node = None
        found = [self.value(t) for t in outputs]
        self._rename(found, names)
        self.model.outputs = found
        return self.model

    def _rename(self, found: list, names: Sequence) -> None:
        made = {id(v): v for item in self.model.items for v in item.outputs}
        for v, name in zip(found, names, strict=True):
            if made.pop(id(v), None) is not None:
                for other in self._constants_and_made():
                    if other is not v and other.name == name:
                        other.name = self.unique(name)
                v.name = name

    def _constants_and_made(self) -> Iterable[Value]:
        for item in self.model.items:
            yield from item.outputs
        yield from (v for v, _ in self._constants.values())

    def _write(self, node: Any) -> None:
        self.node = node
        writer = self.table.get(node.type)
        if writer is None:
            if not self.custom:
                self.refuse("it has no such op")
            writer = self.table[None]
        found = writer(self, node)
        found = [found] if isinstance(found, Value) else found
        self.made.update((t, v) for t, v in zip(node.outputs, found) if v is not None)

    def refuse(self, why: str) -> None:
        """Say that the node at hand cannot be written.

        Raises:
            UnimplementedError: always.
        """
        raise refusal(self.node, why, self.flat.source)

    # ------------------------------------------------------------------------- values
    def known(self, t: Any) -> Any:
        """The value of a tensor as an array, or None if only a run knows it."""
        return None if t in self.made else known(t)

    def needed(self, t: Any, what: str) -> Any:
        """The value of a tensor that has to be known.

        Raises:
            UnimplementedError: only a run knows it.
        """
        found = self.known(t)
        if found is None:
            self.refuse(f"{what} has to be a constant")
        return np.asarray(found)

    def value(self, t: Any) -> Value:
        """The Value of a tensor."""
        if t not in self.made:
            found = known(t)
            if found is None:
                self.refuse(f"its input {t.name} is not known")
            array = np.asarray(found, t.dtype.base_dtype.np or object)
            self.made[t] = self.constant(array, t.op.name)
        return self.made[t]

    def values(self, tensors: Iterable) -> list[Value]:
        """Those of several."""
        return [self.value(t) for t in tensors]

    def constant(self, value: Any, name: str = "", dtype: Any = None) -> Value:
        """A constant, made once."""
        array = np.asarray(value, dtype)
        small = array.dtype.kind not in "OSU" and array.nbytes <= 1024
        key = (array.dtype.str, array.shape, array.tobytes()) if small else id(value)
        if key not in self._constants:
            self._checked(array.dtype)
            name = self.unique(name or self.under("constant"))
            made = Value(name, array.shape, array.dtype, array)
            self._constants[key] = made, value  # the id stays that of `value`
        return self._constants[key][0]

    def ints(self, values: Any) -> Value:
        """A constant of int32."""
        return self.constant(np.asarray(values, np.int32))

    def fresh(self, t: Any) -> Value:
        """A new Value for a tensor."""
        dtype = t.dtype.base_dtype
        self._checked(dtype.np or object)
        return Value(self.unique(_name(t)), t._shape, dtype.np or object)

    def _checked(self, dtype: Any) -> None:
        try:
            type_number(dtype)
        except KeyError:
            self.refuse(f"it has no dtype {dtype}")

    def under(self, name: str) -> str:
        """A name below that of the node at hand."""
        return name if self.node is None else f"{self.node.name}/{name}"

    def unique(self, base: str) -> str:
        """A name that no other value has."""
        name, n = base, 0
        while name in self._taken:
            n += 1
            name = f"{base}_{n}"
        self._taken.add(name)
        return name

    # -------------------------------------------------------------------------- items
    def ops(
        self, kind: str, inputs: Iterable, outputs: Iterable, **options: Any
    ) -> list[Value]:
        """The outputs of a new operator, which are given."""
        item = Item(kind, inputs, outputs, options, self.node)
        self.model.items.append(item)
        return item.outputs

    def op(
        self, kind: str, *inputs: Value | None, shape: Any = None, dtype: Any = None,
        **options: Any,
    ) -> Value:  # fmt: skip
        """The one output of a new operator; by default as its inputs broadcast."""
        first: Any = inputs[0]
        if shape is None:  # what an elementwise operator gives
            shape = np.broadcast_shapes(*(v.shape for v in inputs if v is not None))
        name = self.unique(self.under(kind.lower()))
        made = Value(name, shape, first.dtype if dtype is None else dtype)
        return self.ops(kind, inputs, [made], **options)[0]

    def made_last(self) -> Item:
        """The operator that was written last."""
        return self.model.items[-1]

    def last(self, kind: str, *inputs: Value | None, **options: Any) -> Value:
        """The operator whose output is that of the node at hand."""
        made = self.fresh(self.node.outputs[0])
        return self.ops(kind, inputs, [made], **options)[0]

    def derived(self, v: Value, array: Any, what: str) -> Value:
        """A constant that is another form of one."""
        made = Value(self.unique(f"{v.name}/{what}"), array.shape, v.dtype, array)
        made.range, made.least = v.range, v.least
        return made

    def transpose(self, v: Value, perm: Sequence) -> Value:
        """A value with its axes in another order."""
        if list(perm) == sorted(perm):
            return v
        if v.array is not None:
            return self.derived(v, v.array.transpose(perm), "transpose")
        shape = [v.shape[p] for p in perm]
        return self.op("TRANSPOSE", v, self.ints(perm), shape=shape)

    def reshape(self, v: Value, shape: Sequence) -> Value:
        """A value in another shape."""
        if tuple(shape) == v.shape:
            return v
        if v.array is not None:
            return self.derived(v, v.array.reshape(shape), "reshape")
        sizes = self.ints(shape)
        return self.op("RESHAPE", v, sizes, shape=shape, new_shape=sizes.array)


def _name(t: Any) -> str:
    return f"{t.op.name}:{t.value_index}" if t.value_index else t.op.name

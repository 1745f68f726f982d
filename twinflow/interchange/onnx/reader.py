"""The reader: what the readers of single ONNX nodes work with.

A value is an array as long as it depends on no input: constants, shapes that are known
and what is computed from them. So sizes and axes, which ONNX passes as tensors, are
numbers when an op here wants them as such.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.op_lookup import known_op
from twinflow.eager.mode import MODE
from twinflow.graph import static
from twinflow.interchange.onnx.library import onnx


class Node:
    """One ONNX node, with its attributes as Python values.

    Attributes:
        kind: its op type. name: its own, or that of its first output. inputs, outputs:
        names; "" is one left out. attrs: {name: number, text, list, array, GraphProto}.
    """

    def __init__(self, proto: Any) -> None:
        self.kind, self.inputs = proto.op_type, list(proto.input)
        self.outputs, self.domain = list(proto.output), proto.domain
        self.name = proto.name or next(iter(proto.output), "")
        self.attrs = {a.name: _attr(a) for a in proto.attribute}

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute, or its default."""
        return self.attrs.get(name, default)


def _attr(proto: Any) -> Any:
    value = onnx.helper.get_attribute_value(proto)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    if proto.type == onnx.AttributeProto.STRINGS:
        return [v.decode() for v in value]
    return value if isinstance(value, onnx.GraphProto) else _listed(value)


def _listed(value: Any) -> Any:
    return value if isinstance(value, int | float) else list(value)


class Reader:
    """Runs the nodes of a graph as ops.

    Args:
        table: {op type: reader}. opset: the version of the model's ops. functions: the
            model's own, {(domain, name): FunctionProto}. values: {name: value}.
    """

    def __init__(self, table: dict, opset: int, functions: dict, values: dict) -> None:
        self.table, self.opset, self.functions = table, opset, functions
        self.scopes: list[dict] = [values]
        self.node: Any = None
        self._depth = 0

    # ------------------------------------------------------------------------- graphs
    def run(self, nodes: Sequence) -> None:
        """Run nodes in order."""
        for proto in nodes:
            outer, self.node = self.node, Node(proto)
            found = self._run(self.node)
            found = found if isinstance(found, list | tuple) else [found]
            if len(found) < len([o for o in self.node.outputs if o]):
                self.refuse(f"it has {len(self.node.outputs)} outputs")
            pairs = zip(self.node.outputs, found)
            self.scopes[-1].update((name, v) for name, v in pairs if name)
            self.node = outer

    def _run(self, node: Node) -> Any:
        own = self.functions.get((node.domain, node.kind))
        if own is not None:
            return self._call(own, node)
        reader = self.table.get(node.kind)
        return reader(self, node, *[self.find(name) for name in node.inputs])

    def _call(self, function: Any, node: Node) -> list:
        """The values of a function of the model itself."""
        if self._depth > 100:
            self.refuse("it calls itself")
        given = dict(zip(function.input, map(self.find, node.inputs)))
        outer, self.scopes = self.scopes, [given]
        self._depth += 1
        self.run([_filled(p, node) for p in function.node])
        found = [self.find(name) for name in function.output]
        self.scopes = outer
        self._depth -= 1
        return found

    @contextlib.contextmanager
    def inside(self, values: dict) -> Iterator[None]:
        """A body, which sees what is around it, and `values`."""
        self.scopes.append(values)
        try:
            yield
        finally:
            self.scopes.pop()

    def body(self, graph: Any, given: Sequence) -> list:
        """The outputs of a body for its inputs."""
        values = dict(zip([i.name for i in graph.input], given))
        tensors = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
        outer = self.node
        with self.inside({**tensors, **values}):
            self.run(graph.node)
            found = [self.find(o.name) for o in graph.output]
        self.node = outer
        return found

    def find(self, name: str) -> Any:
        """The value of a name; None for "", an input that is left out."""
        if not name:
            return None
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.refuse(f"its input '{name}' is made by no node before it")

    def refuse(self, why: str) -> Any:
        """Say that the node at hand cannot be read.

        Raises:
            UnimplementedError: always.
        """
        node = self.node
        what = f"'{node.kind}' of the node '{node.name}'" if node else "The graph"
        text = f"{what} cannot be read from ONNX: {why}."
        raise errors.UnimplementedError(None, None, text)

    def check(self, nodes: Any) -> None:
        """Refuse nodes that have no counterpart here, before anything runs."""
        for proto in nodes:
            own = (proto.domain, proto.op_type) in self.functions
            if not own and (
                proto.op_type not in self.table or proto.domain not in _OURS
            ):
                self.node = Node(proto)
                domain = proto.domain or "ai.onnx"
                self.refuse(f"no counterpart of it is known (domain '{domain}')")

    # ------------------------------------------------------------------------- values
    def op(self, kind: str, *inputs: Any, **attrs: Any) -> Any:
        """What an op of ours gives; arrays where only arrays go in."""
        op = known_op(kind)
        flat = [x for i in inputs for x in (i if isinstance(i, list) else [i])]
        if op.stateful or any(map(_is_tensor, flat)):
            return dispatch.apply(op, inputs, attrs)
        with dispatch.entered(MODE), dispatch.tapes_paused():
            found = dispatch.apply(op, inputs, attrs)
        several = isinstance(found, list)
        return [t._a for t in found] if several else np.asarray(found._a)

    def list_op(self, kind: str, *inputs: Any, **attrs: Any) -> Any:
        """What an op on lists of tensors gives: always a tensor."""
        return dispatch.apply(known_op(kind), inputs, attrs)

    def numbers(self, value: Any, what: str = "an input") -> list:
        """A value that has to be known, as a list of numbers; None stays.

        Raises:
            UnimplementedError: only a run knows it.
        """
        if value is None:
            return value
        found = self.array(value)
        if found is None:
            self.refuse(f"{what} has to be known before the model runs")
        return np.ravel(found).tolist()

    def array(self, value: Any) -> Any:
        """A value as an array, or None where only a run knows it."""
        if not _is_tensor(value):
            return np.asarray(value)
        if isinstance(value, dispatch.EagerTensor):
            return value._a
        return static.constant_value(value) if hasattr(value, "op") else None

    def shape(self, value: Any) -> tuple | None:
        """The static shape, as far as it is known."""
        return value._shape if _is_tensor(value) else np.shape(value)

    def rank(self, value: Any) -> int:
        """The number of axes.

        Raises:
            UnimplementedError: it is not known.
        """
        shape = self.shape(value)
        return self.refuse("the rank is not known") if shape is None else len(shape)

    def dtype(self, value: Any) -> dtypes.DType:
        """The dtype of a value."""
        if _is_tensor(value):
            return value.dtype.base_dtype
        return dtypes.from_numpy(np.asarray(value).dtype)

    def sizes(self, value: Any) -> Any:
        """The sizes of a value, as int64: an array if they are known."""
        shape = self.shape(value)
        if shape is not None and None not in shape:
            return np.asarray(shape, np.int64)
        return self.op("Shape", value, out_type=dtypes.int64)

    def like(self, number: float, value: Any) -> Any:
        """A scalar of the dtype of a value."""
        return np.asarray(number, self.dtype(value).np)

    def transposed(self, value: Any, perm: Sequence) -> Any:
        """The value with its axes in another order."""
        return self.op("Transpose", value, np.asarray(perm, np.int32))

    def reshaped(self, value: Any, sizes: Any) -> Any:
        """The value in another shape."""
        return self.op("Reshape", value, sizes)


def _is_tensor(value: Any) -> bool:
    return not isinstance(value, np.ndarray | np.generic | int | float | bool | str)


def _filled(proto: Any, node: Node) -> Any:
    """A node of a function, with the attributes that it takes from the call."""
    if not any(a.ref_attr_name for a in proto.attribute):
        return proto
    made = onnx.NodeProto()
    made.CopyFrom(proto)
    del made.attribute[:]
    for a in proto.attribute:
        if not a.ref_attr_name:
            made.attribute.append(a)
        elif a.ref_attr_name in node.attrs:
            value = node.attrs[a.ref_attr_name]
            made.attribute.append(onnx.helper.make_attribute(a.name, value))
    return made


_OURS = ("", "ai.onnx")

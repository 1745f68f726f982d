"""The writer: what the writers of single ops work with.

Note [Layouts]: images are NHWC here and NCHW in ONNX. A writer of a convolution puts a
Transpose before and after. `Writer.same` writes what works element by element before
the Transpose of its inputs rather than after it, so that those of two neighbors meet
and `transpose` finds that they cancel.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors, progress
from twinflow.execute.node_errors import at_node
from twinflow.graph.program import Program, build
from twinflow.interchange.frozen import prepared
from twinflow.interchange.onnx.block import Block, Item
from twinflow.interchange.onnx.library import element_type, onnx


class Scope:
    """The names of tensors in one program: the whole, a body, or a called function."""

    def __init__(self, program: Program, parent: "Scope | None") -> None:
        self.program, self.parent = program, parent
        self.names: dict = {}
        self.given: dict = {}  # {handle or captured tensor: Cell or array}
        self.lists: dict = {}  # {flow of a tensor array: dtype of its elements}

    def find(self, what: str, t: Any) -> Any:
        """What this scope or one around it knows of `t`, else None."""
        scope: Scope | None = self
        while scope is not None:
            found = getattr(scope, what).get(t)
            if found is not None:
                return found
            scope = scope.parent
        return None


class Writer:
    """Writes the nodes of programs.

    Args:
        table: {op type: writer}. opset: the opset. cell_of: see execute.plan.Plan.
    Attributes:
        arrays: {name: array} of what is known. variables: the names among them that
            hold the values of variables.
    """

    def __init__(self, table: dict, opset: int, cell_of: Any) -> None:
        self.table, self.opset, self.cell_of = table, opset, cell_of
        self.block = Block("model")
        self.arrays: dict[str, Any] = {}
        self.variables: dict[str, Any] = {}
        self.made: dict[str, Item] = {}
        self._cells: dict = {}
        self._taken: set = set()
        self._constants: dict = {}
        self.scope: Any = None
        self.node: Any = None

    # ------------------------------------------------------------------------ programs
    def run(self, program: Program) -> None:
        """Write the nodes of a program, in the scope that is open."""
        for node in progress.over("writing nodes", program.nodes):
            self._write(node)

    def _write(self, node: Any) -> None:
        outs = node.outputs
        if outs and all(self._is_done(t) for t in outs):
            return
        writer = self.table.get(node.type)
        outer, self.node = self.node, node
        if writer is None:
            self.refuse("no counterpart in ONNX is known for it")
        found = writer(self, node)
        found = [found] if isinstance(found, str) else found or ()
        self.scope.names.update(
            (t, name) for t, name in zip(outs, found) if name is not None
        )
        self.node = outer

    def _is_done(self, t: Any) -> bool:
        program = self.scope.program
        if program.resolve(t) is not t or self.scope.names.get(t) is not None:
            return True
        return program.const(t) is not None

    @contextlib.contextmanager
    def inside(
        self, program: Program, params: dict, given: Any = (), lists: Any = ()
    ) -> Iterator:
        """Another program's nodes, whose `params` are called by the names there."""
        outer = self.scope
        self.scope = Scope(program, outer)
        self.scope.names.update(params)
        self.scope.given.update(given)
        self.scope.lists.update(lists)
        try:
            yield self.scope
        finally:
            self.scope = outer

    @contextlib.contextmanager
    def body(self, name: str) -> Iterator[Block]:
        """The nodes of a body that ONNX keeps in an attribute."""
        outer, constants = self.block, self._constants
        self.block, self._constants = Block(self.unique(name)), {}
        try:
            yield self.block
        finally:
            self.block, self._constants = outer, constants

    def program(self, graph: Any, outputs: Sequence) -> Program:
        """The program of a called function."""
        program = build(graph, list(outputs), (), graph.all_inputs)
        return prepared(program)

    def refuse(self, why: str) -> None:
        """Say that the node at hand cannot be written.

        Raises:
            UnimplementedError: always, with the op, the node and the user's line.
        """
        node = self.node
        text = f"'{node.type}' of the node '{node.name}' cannot be written to ONNX: "
        error = errors.UnimplementedError(None, node, f"{text}{why}.")
        raise at_node(error, node)

    # ------------------------------------------------------------------------- values
    def known(self, t: Any) -> Any:
        """The value of a tensor as an array, or None if only a run knows it."""
        t = self.scope.program.resolve(t)
        found = self.scope.program.const(t)
        if found is None:
            found = self.scope.find("given", t)
        if found is None and t.op.type in _FORWARDS:
            return self.known(t.op.inputs[0])
        return None if hasattr(found, "initialized") else found

    def needed(self, t: Any, what: str) -> Any:
        """The value of a tensor that has to be known.

        Raises:
            UnimplementedError: only a run knows it.
        """
        found = self.known(t)
        if found is None:
            self.refuse(f"{what} has to be a constant, and is computed by {t.op.name}")
        return np.asarray(found)

    def value(self, t: Any) -> str:
        """The name of a tensor's value."""
        reference = self.scope.program.reference(t)
        if reference is not None:
            return self.cell(reference)
        t = self.scope.program.resolve(t)
        name = self.scope.find("names", t)
        if name is None:
            found = self.known(t)
            if found is None:
                self.refuse(f"its input {t.name} is not known")
            name = self.constant(np.asarray(found, t.dtype.base_dtype.np))
        return name

    def values(self, tensors: Sequence) -> list[str]:
        """The names of several."""
        return [self.value(t) for t in tensors]

    def cell(self, handle: Any) -> str:
        """The name of the value of a variable."""
        cell = self.found_cell(handle)
        if cell not in self._cells:
            name = self.unique(cell.name or "variable")
            self.arrays[name] = self.variables[name] = np.asarray(cell.read())
            self._cells[cell] = name
        return self._cells[cell]

    def found_cell(self, handle: Any) -> Any:
        """The Cell of a variable."""
        handle = self.scope.program.resolve(handle)
        cell = self.scope.find("given", handle)
        if cell is None and handle.op.opdef.home is not None:
            cell = self.cell_of(handle.op.attrs["cell"])
        if cell is None:
            self.refuse(f"the variable behind {handle.name} is not known")
        return cell

    def constant(self, value: Any, dtype: Any = None) -> str:
        """The name of a constant, made once."""
        array = np.asarray(value, dtype)
        if array.dtype.kind in "OSU" or array.nbytes > 1024:
            key = (id(value),)
        else:
            key = (array.dtype.str, str(array.dtype), array.shape, array.tobytes())
        name, _ = self._constants.get(key, (None, None))
        if name is None:
            name = self.unique("constant")
            self._constants[key] = name, value  # the id stays that of `value`
            self.arrays[name] = array
            self._append(Item("Constant", [], [name], {"value": array}, name))
        return name

    def ints(self, values: Any) -> str:
        """A constant of int64."""
        return self.constant(values, np.int64)

    def derived(self, name: str, array: Any) -> str:
        """A constant that is another form of the one of a name."""
        if name not in self.variables:
            return self.constant(array)
        new = self.unique(name)
        self.arrays[new] = self.variables[new] = array
        return new

    def unique(self, base: str) -> str:
        """A name that no other value has."""
        name, n = base, 0
        while name in self._taken:
            n += 1
            name = f"{base}_{n}"
        self._taken.add(name)
        return name

    # -------------------------------------------------------------------------- nodes
    def _append(self, item: Item) -> None:
        self.block.items.append(item)
        self.made.update((name, item) for name in item.outputs)

    def ops(self, kind: str, inputs: Sequence, count: int, **attrs: Any) -> list[str]:
        """The names of the outputs of a new ONNX node."""
        base = self.node.name if self.node is not None else kind
        outs = [self.unique(base) for _ in range(count)]
        self._append(Item(kind, list(inputs), outs, attrs, self.unique(f"{base}/op")))
        return outs

    def ops_to(self, name: str, kind: str, *inputs: str) -> None:
        """A new ONNX node, whose one output has this name."""
        self._append(Item(kind, list(inputs), [name], {}, self.unique(f"{name}/op")))

    def op(self, kind: str, *inputs: str, **attrs: Any) -> str:
        """The name of the output of a new ONNX node."""
        return self.ops(kind, inputs, 1, **attrs)[0]

    def cast(self, name: str, dtype: dtypes.DType) -> str:
        """A value in another dtype; a cast that is undone is dropped."""
        to = self.element_type(dtype)
        item = self.made.get(name)
        if item is not None and item.kind == "Cast" and dtype is dtypes.int64:
            before = self.made.get(item.inputs[0])
            if before is not None and before.kind in ("Shape", "Size"):
                return item.inputs[0]
        if name in self.arrays and name not in self.variables:
            return self.constant(self.arrays[name].astype(dtype.np))
        return self.op("Cast", name, to=to)

    def element_type(self, dtype: dtypes.DType) -> int:
        """ONNX's number of a dtype.

        Raises:
            UnimplementedError: ONNX has it not.
        """
        try:
            return element_type(dtype)
        except (KeyError, TypeError, ValueError):
            self.refuse(f"ONNX has no dtype {dtype.name}")
            raise

    def sizes(self, t: Any) -> str:
        """The name of a vector of sizes or indices, as int64."""
        found = self.known(t)
        if found is not None:
            return self.ints(found)
        name = self.value(t)
        return name if t.dtype is dtypes.int64 else self.cast(name, dtypes.int64)

    def transpose(self, name: str, perm: Sequence) -> str:
        """A value with its axes in another order (Note [Layouts])."""
        perm = [int(p) for p in perm]
        if perm == sorted(perm):
            return name
        if name in self.arrays:
            return self.derived(name, self.arrays[name].transpose(perm))
        item = self.made.get(name)
        if item is not None and item.kind == "Transpose":
            joined = [item.attrs["perm"][p] for p in perm]
            return self.transpose(item.inputs[0], joined)
        return self.op("Transpose", name, perm=perm)

    def same(self, kind: str, *inputs: str, **attrs: Any) -> str:
        """The output of an op that works element by element, with broadcasting."""
        perms = {self.perm(name) for name in inputs} - {None}
        if len(perms) != 1:
            return self.op(kind, *inputs, **attrs)
        (perm,) = perms
        before = [self._before(name, perm) for name in inputs]
        if None in before:
            return self.op(kind, *inputs, **attrs)
        return self.transpose(self.op(kind, *before, **attrs), perm)

    def perm(self, name: str) -> tuple | None:
        """The order of axes of the Transpose that makes a value, else None."""
        item = self.made.get(name)
        is_transpose = item is not None and item.kind == "Transpose"
        return tuple(item.attrs["perm"]) if is_transpose else None

    def _before(self, name: str, perm: tuple) -> str | None:
        """The value that `name` is before the Transpose of others, if it is cheap."""
        if self.perm(name) == perm:
            return self.made[name].inputs[0]
        array = self.arrays.get(name)
        if array is None or array.ndim > len(perm):
            return None
        if array.size == 1 and array.ndim == 0:
            return name
        wide = array.reshape((1,) * (len(perm) - array.ndim) + array.shape)
        return self.derived(name, wide.transpose(np.argsort(perm)))

    # --------------------------------------------------------------------- whole models
    def type_of(self, t: Any) -> Any:
        """The TypeProto of a tensor in a body: its dtype, and no shape."""
        if t.dtype is dtypes.flow:
            made = onnx.helper.make_tensor_type_proto(
                self.element_type(self.list_dtype(t)), None
            )
            return onnx.helper.make_sequence_type_proto(made)
        return onnx.helper.make_tensor_type_proto(self.element_type(t.dtype), None)

    def list_dtype(self, flow: Any) -> dtypes.DType:
        """The dtype of a tensor array's elements."""
        while True:
            flow = self.scope.program.resolve(flow)
            found = self.scope.find("lists", flow)
            node = flow.op
            if found is None and node.type == "TensorArrayV3":
                found = node.attrs["dtype"]
            if found is not None:
                return found
            if node.extra is not None or not node.inputs:
                self.refuse(f"what {flow.name} holds is not known")
            flow = node.inputs[-1]


_FORWARDS = ("Identity", "StopGradient", "PreventGradient", "Snapshot", "EnsureShape")

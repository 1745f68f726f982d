"""Variables: a handle on a cell; reading and assigning are ops.

Note [Reading under a tape]: the value that an op reads from a variable carries the id
of the variable's handle, so that gradients with respect to the variable collect there
without a record of the read.
"""

import contextlib
import copy
from typing import Any

import numpy as np

from twinflow.base import devices, dispatch, dtypes
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.ops.core import array
from twinflow.ops.core.index import gather
from twinflow.ops.variables import parts as variable_parts
from twinflow.ops.variables import state
from twinflow.ops.variables.cells import ResourceGather
from twinflow.ops.variables.creators import VariableV1, check_arguments, collections_of
from twinflow.ops.variables.initial import beside, called, first_value, guarded

new = object.__new__


class ResourceVariable(VariableV1):
    """A variable that ops reach by a handle, in both modes; see tf.Variable.

    Args, Raises: see tf.Variable.
    Example:
        v = tfe.Variable([1., 2.])
        v.assign_add([1., 1.])  # [2., 3.]
    """

    def __init__(
        self, initial_value: Any = None, trainable: bool = True,
        collections: Any = None, validate_shape: bool = True,
        caching_device: Any = None, name: str | None = None,
        dtype: DTypeValue | None = None, variable_def: Any = None,
        import_scope: Any = None, constraint: Any = None, expected_shape: Any = None,
        use_resource: Any = None, synchronization: Any = None, aggregation: Any = None,
    ) -> None:  # fmt: skip
        mode = dispatch.current_mode()
        owner = mode.variable_owner()
        if variable_def is not None:
            self._init_from(owner, variable_def, import_scope)
            return
        check_arguments(initial_value, collections, constraint)
        self.trainable, self.constraint = trainable, constraint
        wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
        if owner.eager:
            with dispatch.entered(owner):
                full = mode.scope + (name or "Variable")
                self._init_eager(initial_value, full, wanted)
        else:
            scope = None if mode is owner else owner.name_scope(mode.scope)
            with dispatch.entered(owner), scope or contextlib.nullcontext():
                name = name or "Variable"
                options = name, wanted, validate_shape, caching_device
                self._init_graph(owner, initial_value, *options)
            owner.add_to_collections(collections_of(trainable, collections), self)

    _cached = None  # the value on the caching device (graph mode)
    _root = None  # the variable, if this is but a way to read it

    def _init_eager(self, initial_value, name, dtype):
        self._name = name
        if dispatch.local.device:
            dispatch.asked_place(name)  # refuses a device that is not there
        value = array.convert_to_tensor(called(initial_value, self._name), dtype)
        a = np.array(value._a)
        self.dtype, self._shape = value.dtype, a.shape
        self._cell = Cell(self._name, value.dtype, a.shape, a)
        self._cell.place = dispatch.local.device and dispatch.asked_place(self._name)
        self._handle = _handle(self._cell)
        self._initial_value = self._initializer_op = self._snapshot = None
        self.graph = None

    def _init_graph(self, graph, initial_value, name, dtype, keeps_shape, caching):
        with graph.outside_regions(), graph.name_scope(name) as scope:
            self._name = scope[:-1]
            made = initial_value if callable(initial_value) else lambda: initial_value
            value = first_value(graph, made, scope, dtype)
            self.graph, self.dtype, self._initial_value = graph, value.dtype, value
            self._shape = value._shape if keeps_shape else None
            self._cell = Cell(self._name, value.dtype, self._shape)
            attrs = {
                "cell": self._cell, "dtype": value.dtype, "shape": self._shape,
                "container": "", "shared_name": self._name,
            }  # fmt: skip
            with beside(graph, scope):
                self._handle = apply(state.VarHandleOp, (), attrs, scope)
            with graph.name_scope("IsInitialized"):
                self._is_initialized_op = self.is_initialized()
            first = guarded(value, self.name)
            with graph.colocate_with(self._handle):
                self._initializer_op = self._write(
                    state.AssignVariableOp, first, "Assign"
                )
            with graph.name_scope("Read"):
                with graph.colocate_with(self._handle):
                    self._snapshot = self._read("ReadVariableOp")
                if caching is not None:
                    alone = graph.colocate_with(None, ignore_existing=True)
                    with alone, graph.device(None), graph.device(caching):
                        self._cached = array.identity(self._snapshot)

    def _init_from(self, graph, proto, import_scope):
        """Find the parts of the variable that a VariableDef describes."""
        if graph.eager:
            raise ValueError(
                "Creating ResourceVariable from variable_def not supported when eager "
                "execution is enabled."
            )
        if not proto.is_resource:
            raise ValueError("Trying to restore Variable as ResourceVariable.")
        self._handle = self._take_parts(graph, proto, import_scope)
        self.graph, self._cell = graph, self._handle.op.attrs["cell"]
        self._name, self._shape = self._handle.op.name, self._cell.shape
        self.dtype = self._cell.dtype

    def to_proto(self, export_scope: Any = None) -> Any:
        """The VariableDef that describes the variable (graph mode).

        Args:
            export_scope: a name scope to leave out; None is given for others.
        """
        if self.graph is None:
            raise RuntimeError("to_proto not supported in EAGER mode.")
        return self._variable_def(self._handle, export_scope, is_resource=True)

    # ------------------------------------------------------------------ facts
    @property
    def name(self) -> str:
        """The name, with ':0'."""
        return self._name + ":0"

    @property
    def _shared_name(self):
        """The name without ':0', by which TensorFlow's programs know variables."""
        return self._name

    @property
    def op(self) -> Any:
        """The node of the handle (graph mode)."""
        if self.graph is None:
            raise AttributeError(
                "Tensor.op is meaningless when eager execution is enabled."
            )
        return self._handle.op

    @property
    def handle(self) -> Tensor:
        """The tensor (dtype resource) by which ops reach the variable."""
        return self._handle

    def handle_id(self) -> int:
        """The id under which tapes know this variable."""
        return self._handle._id

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return TensorShape(self._shape)

    @property
    def device(self) -> str:
        """The device that holds the value."""
        if self.graph is None:
            return devices.name_of(self._cell.place)
        return self._handle.device

    @property
    def initializer(self) -> Any:
        """The op that gives the variable its initial value (graph mode)."""
        return self._initializer_op

    @property
    def initial_value(self) -> Any:
        """The tensor it starts with (graph mode)."""
        if self.graph is None:
            raise RuntimeError("initial_value not supported in EAGER mode.")
        return self._initial_value

    def initialized_value(self) -> Tensor:
        """The value; in graph mode the initial one where there is none yet."""
        graph = self.graph
        if graph is None:
            return self.read_value()
        with dispatch.entered(graph), graph.outside_regions():
            return graph.cond(
                self.is_initialized(), self.read_value, lambda: self._initial_value
            )

    @property
    def create(self) -> Any:
        """Same as `initializer`."""
        return self._initializer_op

    # ------------------------------------------------------------------ reading
    def _as_tensor(self, dtype=None, name=None):
        observers = dispatch.observers
        tapes = () if observers is None else observers.tapes
        if tapes is not None and self.graph is None:
            cell = self._cell
            if cell.place is not None:
                t = dispatch.on_accelerator(cell)
            else:
                t = new(dispatch.EagerTensor)
                t._a, t.dtype, t._id = cell.read(), self.dtype, 0
            if tapes:
                t._id = self._handle._id
                for tape in tapes:
                    tape.accessed(self, t._id)
            return t
        if self._cached is not None:
            return self._cached
        return self._read("ReadVariableOp")

    @property
    def _graph_element(self):
        return self._snapshot

    def _read(self, name):
        return self._read_as(name, self._shape)

    def _note_reading(self):
        variable = self if self._root is None else self._root
        dispatch.current_mode().note_variable(variable)
        for tape in dispatch.local.top.tapes:
            tape.accessed(variable, self._handle._id)

    def _read_as(self, name, shape):
        self._note_reading()
        attrs = {"dtype": self.dtype, "shape": shape}
        return apply(state.ReadVariableOp, (self._handle,), attrs, name)

    def read_value(self) -> Tensor:
        """The value now, as a tensor of its own."""
        if dispatch.current_mode().eager:
            return array.identity(self._as_tensor())
        with dispatch.current_mode().name_scope("Read"):
            value = self._as_tensor()
        return array.identity(value)

    def value(self) -> Tensor:
        """The value as a tensor."""
        return self._as_tensor()

    def _as_graph_element(self):
        return self._snapshot

    def set_shape(self, shape: ShapeValue) -> Any:
        """Refused: the shape is that of the first value."""
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    def numpy(self) -> Any:
        """The value as an ndarray (eager mode)."""
        if self.graph is not None:
            raise NotImplementedError(
                "numpy() is only available when eager execution is enabled."
            )
        return self._as_tensor().numpy()

    def eval(self, session: Any = None) -> Any:
        """The value in `session` (graph mode)."""
        if self.graph is None:
            raise RuntimeError("Trying to eval in EAGER mode")
        return self._snapshot.eval(session=session)

    def sparse_read(self, indices: TensorValue, name: str | None = None) -> Tensor:
        """The rows `indices` of the value."""
        mode = dispatch.current_mode()
        if mode.eager:
            return gather(self, indices, name=name)
        self._note_reading()
        attrs = {"dtype": self.dtype, "shape": self._shape, "validate_indices": True}
        inputs = (self._handle, indices)
        return array.identity(apply(ResourceGather, inputs, attrs, name or "Gather"))

    # ------------------------------------------------------------------ writing
    def _write(self, op, value, name):
        observers = dispatch.observers
        now = observers is None or observers.tapes is not None
        if (
            now
            and type(value) is dispatch.EagerTensor
            and self.graph is None
            and value.dtype is self.dtype
            and value._a.shape == self._shape
            and self._cell.place is None
        ):
            op.np(self._cell, value._a, dtype=self.dtype, shape=self._shape)
            return None
        mode = dispatch.current_mode()
        if (
            mode is not self.graph
            and self.graph
            and not (mode.eager or mode.is_function)
        ):
            with dispatch.entered(self.graph):
                return self._write(op, value, name)
        value = self._fitting(value)
        if op is state.AssignVariableOp or dispatch.current_mode().eager:
            self.shape.assert_is_compatible_with(value.shape)
        attrs = {"dtype": self.dtype, "shape": self._shape}
        return apply(op, (self._handle, value), attrs, name)

    def _fitting(self, value):
        try:
            return array.convert_to_tensor(value, self.dtype)
        except ValueError:
            found = getattr(value, "dtype", None)
            if not dispatch.current_mode().eager or found is None:
                raise
            raise invalid(
                "Trying to assign variable with wrong dtype. Expected "
                f"{self.dtype.name} got {found.name} [Op:AssignVariableOp]"
            ) from None

    def _assigned(self, node, read_value=True):
        if dispatch.current_mode().eager:
            return self if read_value else None
        return _UnreadVariable(self, node, self._shape) if read_value else node

    def assign(
        self, value: TensorValue, use_locking: Any = None, name: str | None = None,
        read_value: bool = True,
    ) -> Any:  # fmt: skip
        """Replace the value; returns the variable, in a graph as it is after that."""
        node = self._write(state.AssignVariableOp, value, name)
        return self._assigned(node, read_value)

    def assign_add(
        self, delta: TensorValue, use_locking: Any = None, name: str | None = None,
        read_value: bool = True,
    ) -> Any:  # fmt: skip
        """Add `delta` to the value."""
        node = self._write(state.AssignAddVariableOp, delta, name)
        return self._assigned(node, read_value)

    def assign_sub(
        self, delta: TensorValue, use_locking: Any = None, name: str | None = None,
        read_value: bool = True,
    ) -> Any:  # fmt: skip
        """Subtract `delta` from the value."""
        node = self._write(state.AssignSubVariableOp, delta, name)
        return self._assigned(node, read_value)

    def load(self, value: TensorValue, session: Any = None) -> None:
        """Put `value` into the variable (of `session` or the default one)."""
        if self.graph is None:
            self.assign(value)
        else:
            self.initializer.run({self._initial_value: value}, session)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable has a value."""
        return apply(state.VarIsInitializedOp, (self._handle,), None, name)

    # ------------------------------------------------------------------ Python
    def __array__(self, dtype=None, copy=None):
        return self._as_tensor().__array__(dtype, copy is not False)

    def __dlpack__(self, *, copy=None, **options):
        """The value as a DLPack capsule: always a copy, for assignments go on."""
        if copy is False:
            raise BufferError(
                "A variable gives its value only as a copy: leave copy=False out, or "
                "lend that of variable.read_value()."
            )
        return self._as_tensor().__dlpack__(copy=True, **options)

    def __dlpack_device__(self):
        """Where `__dlpack__` gives the value: (1, 0) is the CPU."""
        return self._as_tensor().__dlpack_device__()

    def __repr__(self):
        start = f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}"
        if self.graph is not None:
            return start + ">"
        return f"{start}, numpy={self._as_tensor()._text(True)}>"

    def __int__(self):
        return int(self._as_tensor())

    def __float__(self):
        return float(self._as_tensor())

    def __bool__(self):
        return bool(self._as_tensor())

    __nonzero__ = __bool__

    def __getstate__(self):
        if self.graph is not None:
            raise TypeError(f"{self!r} belongs to its graph and cannot be copied.")
        slots = {k: v for k, v in self.__dict__.items() if k != "_handle"}
        return slots

    def __deepcopy__(self, memo):
        if self.graph is not None:
            raise NotImplementedError(
                "__deepcopy__() is only available when eager execution is enabled."
            )
        other = new(type(self))
        memo[id(self)] = other
        other.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        other._name += "_copy"
        return other

    def __setstate__(self, slots):
        self.__dict__.update(slots)
        self._handle = _handle(self._cell)


class _UnreadVariable(ResourceVariable):
    """What an assignment in a graph gives: the variable, to be read after it.

    Args:
        variable: the ResourceVariable. node: what assigns to it. shape: that of the
            value then.
    """

    def __init__(self, variable, node, shape):
        self.trainable, self.constraint = variable.trainable, variable.constraint
        self.graph, self.dtype, self._shape = variable.graph, variable.dtype, shape
        self._cell, self._handle = variable._cell, variable._handle
        self._name, self._node, self._root = node.name, node, variable
        self._initial_value = self._initializer_op = None
        self._snapshot = None
        if not node.graph.is_function:
            with dispatch.entered(node.graph):
                self._snapshot = self._as_tensor()

    name = property(lambda self: self._name, doc="The name of the assignment.")
    op = property(lambda self: self._node, doc="The node that assigns.")

    def _as_tensor(self, dtype=None, name=None):
        mode = dispatch.current_mode()
        if mode is not self._node.graph:
            return self._root._as_tensor() if self._snapshot is None else self._snapshot
        with mode.control_dependencies([self._node]):
            return self._read("ReadVariableOp")

    def __repr__(self):
        shape, dtype = self.shape, self.dtype.name
        return f"<tf.Variable '{self.name}' shape={shape} dtype={dtype}>"


variable_parts.install(ResourceVariable)


def _handle(cell):
    t = new(dispatch.EagerTensor)
    t._a, t.dtype, t._id = cell, dtypes.resource, dispatch.next_id()
    return t

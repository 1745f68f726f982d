"""Variables: a handle on a cell; reading and assigning are ops.

Note [Reading under a tape]: the value that an op reads from a variable carries the id
of the variable's handle, so that gradients with respect to the variable collect there
without a record of the read.
"""

import contextlib
import copy

import numpy as np

from twinflow.base import devices, dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.shapes import TensorShape
from twinflow.base.state import Cell
from twinflow.base.tensor import ResourceHandle
from twinflow.ops import operators
from twinflow.ops.arrays import basic as array
from twinflow.ops.arrays.index import gather
from twinflow.ops.random.draws import initializing
from twinflow.ops.variables import parts as variable_parts
from twinflow.ops.variables import state
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.creators import Created

new = object.__new__


class ResourceVariable(ResourceHandle, metaclass=Created):
    """A value that can be assigned to, shared by all that refer to it.

    Args:
        initial_value: what it starts with: anything that converts to a tensor, or a
            function of no arguments that gives it.
        trainable: whether tapes watch it and optimizers update it by default.
        collections: graph collections to join; GLOBAL_VARIABLES by default.
        name: its name; `Variable` if not given.
        dtype: the DType of the value.
        constraint: a function from the updated value to the one to keep.
        validate_shape: False leaves the static shape open (graph mode).
        caching_device, expected_shape, use_resource, synchronization, aggregation:
            accepted; there is one kind of variable, in one place.
    Raises:
        ValueError: no initial value is given, or an argument is of the wrong kind.
    Example:
        v = tfe.Variable([1., 2.]); v.assign_add([1., 1.]); v.numpy()
    """

    def __init__(
        self, initial_value=None, trainable=True, collections=None,
        validate_shape=True, caching_device=None, name=None, dtype=None,
        variable_def=None, import_scope=None, constraint=None, expected_shape=None,
        use_resource=None, synchronization=None, aggregation=None,
    ):  # fmt: skip
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        if collections is not None and not isinstance(collections, list | tuple | set):
            raise ValueError(
                "collections argument to Variable constructor must be a list, tuple, "
                f"or set. Got {collections} of type {type(collections)}"
            )
        self.trainable, self.constraint = trainable, constraint
        self._save_slice_info = None
        wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
        mode = dispatch.current_mode()
        owner = mode.variable_owner()
        if owner.eager:
            with dispatch.entered(owner):
                full = mode.scope + (name or "Variable")
                self._init_eager(initial_value, full, wanted)
        else:
            scope = None if mode is owner else owner.name_scope(mode.scope)
            with dispatch.entered(owner), scope or contextlib.nullcontext():
                name = name or "Variable"
                self._init_graph(owner, initial_value, name, wanted, validate_shape)
            join = (
                [GraphKeys.GLOBAL_VARIABLES]
                if collections is None
                else list(collections)
            )
            if trainable and GraphKeys.TRAINABLE_VARIABLES not in join:
                join.append(GraphKeys.TRAINABLE_VARIABLES)
            for key in join:
                owner.add_to_collection(key, self)

    def _init_eager(self, initial_value, name, dtype):
        self._name = name
        if dispatch.local.device:
            dispatch.asked_place(name)  # refuses a device that is not there
        value = array.convert_to_tensor(_called(initial_value, self._name), dtype)
        a = np.array(value._a)
        self.dtype, self._shape = value.dtype, a.shape
        self._cell = Cell(self._name, value.dtype, a.shape, a)
        self._cell.place = dispatch.local.device and dispatch.asked_place(self._name)
        self._handle = _handle(self._cell)
        self._initial_value = self._initializer = self._snapshot = None
        self.graph = None

    def _init_graph(self, graph, initial_value, name, dtype, keeps_shape):
        with graph.outside_regions(), graph.name_scope(name) as scope:
            self._name = scope[:-1]
            with graph.name_scope("Initializer"):
                value = array.convert_to_tensor(
                    _called(initial_value, self._name), dtype, name="initial_value"
                )
            self.graph, self.dtype, self._initial_value = graph, value.dtype, value
            self._shape = value._shape if keeps_shape else None
            self._cell = Cell(self._name, value.dtype, self._shape)
            attrs = {"cell": self._cell}
            self._handle = apply(state.VarHandleOp, (), attrs, scope)
            self._initializer = self._write(state.AssignVariableOp, value, "Assign")
            with graph.name_scope("Read"):
                self._snapshot = self._read("ReadVariableOp")

    # ------------------------------------------------------------------ facts
    @property
    def name(self):
        """The name, with ':0'."""
        return self._name + ":0"

    @property
    def _shared_name(self):
        """The name without ':0', by which TensorFlow's programs know variables."""
        return self._name

    @property
    def op(self):
        """The node of the handle (graph mode)."""
        if self.graph is None:
            raise AttributeError(
                "Tensor.op is meaningless when eager execution is enabled."
            )
        return self._handle.op

    @property
    def handle(self):
        """The tensor (dtype resource) by which ops reach the variable."""
        return self._handle

    def handle_id(self):
        """The id under which tapes know this variable."""
        return self._handle._id

    @property
    def shape(self):
        """The static shape."""
        return TensorShape(self._shape)

    def get_shape(self):
        """Same as `shape`."""
        return self.shape

    @property
    def device(self):
        """The device that holds the value."""
        if self.graph is None:
            return devices.name_of(self._cell.place)
        return self._handle.device

    @property
    def initializer(self):
        """The op that gives the variable its initial value (graph mode)."""
        return self._initializer

    @property
    def initial_value(self):
        """The tensor it starts with (graph mode)."""
        if self.graph is None:
            raise RuntimeError("initial_value not supported in EAGER mode.")
        return self._initial_value

    def initialized_value(self):
        """The value; in graph mode the initial one where there is none yet."""
        graph = self.graph
        if graph is None:
            return self.read_value()
        with dispatch.entered(graph), graph.outside_regions():
            return graph.cond(
                self.is_initialized(), self.read_value, lambda: self._initial_value
            )

    @property
    def create(self):
        """Same as `initializer`."""
        return self._initializer

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
        return self._read("ReadVariableOp")

    def _read(self, name):
        return self._read_as(name, self._shape)

    def _read_as(self, name, shape):
        dispatch.current_mode().note_variable(self)
        for tape in dispatch.local.top.tapes:
            tape.accessed(self, self._handle._id)
        attrs = {"dtype": self.dtype, "shape": shape}
        return apply(state.ReadVariableOp, (self._handle,), attrs, name)

    def read_value(self):
        """The value now, as a tensor of its own."""
        return array.identity(self._as_tensor())

    def value(self):
        """The value as a tensor."""
        return self._as_tensor()

    def _as_graph_element(self):
        return self._snapshot

    def numpy(self):
        """The value as an ndarray (eager mode)."""
        if self.graph is not None:
            raise NotImplementedError(
                "numpy() is only available when eager execution is enabled."
            )
        return self._as_tensor().numpy()

    def eval(self, session=None):
        """The value in `session` (graph mode)."""
        if self.graph is None:
            raise RuntimeError("Trying to eval in EAGER mode")
        return self._snapshot.eval(session=session)

    def sparse_read(self, indices, name=None):
        """The rows `indices` of the value."""
        return gather(self, indices, name=name)

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
            raise InvalidArgumentError(
                None,
                None,
                "Trying to assign variable with wrong dtype. Expected "
                f"{self.dtype.name} got {found.name} [Op:AssignVariableOp]",
            ) from None

    def _assigned(self, node, read_value=True):
        if dispatch.current_mode().eager:
            return self if read_value else None
        if not read_value:
            return node
        with node.graph.control_dependencies([node]):
            return self._read("ReadVariableOp")

    def _assign_any(self, value, name):
        """Replace the value by one of any shape (graph mode)."""
        value = self._fitting(value)
        attrs = {"dtype": self.dtype, "shape": None}
        node = apply(state.AssignVariableOp, (self._handle, value), attrs, name)
        with node.graph.control_dependencies([node]):
            return self._read_as("ReadVariableOp", value._shape)

    def assign(self, value, use_locking=None, name=None, read_value=True):
        """Replace the value; returns the new one (graph) or the variable (eager)."""
        node = self._write(state.AssignVariableOp, value, name)
        return self._assigned(node, read_value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        """Add `delta` to the value."""
        node = self._write(state.AssignAddVariableOp, delta, name)
        return self._assigned(node, read_value)

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        """Subtract `delta` from the value."""
        node = self._write(state.AssignSubVariableOp, delta, name)
        return self._assigned(node, read_value)

    def load(self, value, session=None):
        """Put `value` into the variable (of `session` or the default one)."""
        if self.graph is None:
            self.assign(value)
        else:
            self.initializer.run({self._initial_value: value}, session)

    def is_initialized(self, name=None):
        """Whether the variable has a value."""
        return apply(state.VarIsInitializedOp, (self._handle,), None, name)

    # ------------------------------------------------------------------ Python
    def __array__(self, dtype=None, copy=None):
        return self._as_tensor().__array__(dtype)

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

    def __iter__(self):
        raise TypeError("'Variable' object is not iterable.")

    def __format__(self, spec):
        return format(str(self), spec)

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


operators.install(ResourceVariable)
operators.refuse_in_place(ResourceVariable)
variable_parts.install(ResourceVariable)


_INSIDE = (
    "Tensor-typed variable initializers must either be wrapped in an init_scope or "
    "callable (e.g., `tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when "
    "building functions. Please file a feature request if this restriction "
    "inconveniences you."
)


_IN_BODY = (
    "Initializer for variable {name}/ is from inside a control-flow construct, such as "
    "a loop or conditional. When creating a variable inside a loop or conditional, use "
    "a lambda as the initializer."
)


def _called(initial_value, name):
    with initializing(name):
        value = initial_value() if callable(initial_value) else initial_value
        if getattr(getattr(value, "graph", None), "is_function", False):
            raise ValueError(_INSIDE)
        if getattr(getattr(value, "op", None), "region", None) is not None:
            raise ValueError(_IN_BODY.format(name=name))
        return value._as_tensor() if isinstance(value, ResourceHandle) else value


def _handle(cell):
    t = new(dispatch.EagerTensor)
    t._a, t.dtype, t._id = cell, dtypes.resource, dispatch.next_id()
    return t

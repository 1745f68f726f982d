"""Reference variables: what tf.Variable makes in a graph.

Their value lives in a Cell, as that of resource variables; the tensor of a `_ref` dtype
that their node gives is how ops find it (Note [References] in graph.program).
"""

import contextlib

from twinflow.base import dispatch, dtypes
from twinflow.base.shapes import TensorShape
from twinflow.ops.core import array
from twinflow.ops.variables import parts, references, state
from twinflow.ops.variables.creators import VariableV1, check_arguments, collections_of
from twinflow.ops.variables.initial import beside, first_value, guarded


class RefVariable(VariableV1):
    """A variable of a graph, which its consumers read when they run; see tf.Variable.

    Args, Raises: see tf.Variable.
    Example:
        v = tf.Variable([1., 2.])
        with tf.Session() as sess:
            sess.run(v.initializer)
            sess.run(v + 1.)  # [2., 3.]
    """

    def __init__(
        self, initial_value=None, trainable=True, collections=None,
        validate_shape=True, caching_device=None, name=None, variable_def=None,
        dtype=None, expected_shape=None, import_scope=None, constraint=None,
    ):  # fmt: skip
        mode = dispatch.current_mode()
        owner = mode.variable_owner()
        if owner.eager:
            raise RuntimeError(
                "RefVariable not supported when eager execution is enabled."
            )
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError(
                    "variable_def and initial_value are mutually exclusive."
                )
            self._init_from(owner, variable_def, import_scope)
            return
        check_arguments(initial_value, collections, constraint)
        self.trainable, self.constraint = trainable, constraint
        wanted = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None
        scope = None if mode is owner else owner.name_scope(mode.scope)
        with dispatch.entered(owner), scope or contextlib.nullcontext():
            options = name, wanted, validate_shape, caching_device
            self._init(owner, initial_value, *options)
        owner.add_to_collections(collections_of(trainable, collections), self)

    def _init(self, graph, initial_value, name, dtype, validate_shape, caching_device):
        with graph.outside_regions(), graph.name_scope(name or "Variable") as scope:
            value = first_value(graph, initial_value, scope, dtype)
            known = value._shape is not None and None not in value._shape
            if validate_shape and not known:
                raise ValueError(f"initial_value must have a shape specified: {value}")
            shape = value._shape if validate_shape else None
            made = callable(initial_value)
            with beside(graph, scope) if made else contextlib.nullcontext():
                self._variable = references.variable_op_v2(shape, value.dtype, scope)
            self._initial_value = value
            self._initializer_op = state.assign(
                self._variable, guarded(value, self.name), validate_shape
            ).op
            near = graph.colocate_with(self._variable)
            with graph.device(caching_device) if caching_device else near:
                self._snapshot = array.identity(self._variable, name="read")

    def _init_from(self, graph, proto, import_scope):
        """Find the parts of the variable that a VariableDef describes."""
        self._variable = self._take_parts(graph, proto, import_scope)

    # ------------------------------------------------------------------ facts
    name = property(lambda self: self._variable.name, doc="The name, with ':0'.")
    op = property(lambda self: self._variable.op, doc="The node of the variable.")
    graph = property(lambda self: self._variable.graph, doc="The Graph it is in.")
    device = property(lambda self: self._variable.device, doc="Where it was asked for.")
    dtype = property(lambda self: self._variable.dtype, doc="The DType, a `_ref` one.")
    initializer = property(
        lambda self: self._initializer_op, doc="The op that gives it its first value."
    )
    initial_value = property(
        lambda self: self._initial_value, doc="The tensor it starts with."
    )
    _shape = property(lambda self: self._variable._shape)
    _cell = property(lambda self: self._variable.op.attrs["cell"])

    @property
    def _shared_name(self):
        return self.name[:-2]

    @property
    def shape(self):
        """The static shape."""
        return TensorShape(self._shape)

    def set_shape(self, shape):
        """Refine the static shape by what the program knows better.

        Raises:
            ValueError: `shape` contradicts what is known.
        """
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    def __repr__(self):
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    # ------------------------------------------------------------------ reading
    def _ref(self):
        return self._variable

    def _as_graph_element(self):
        return self._variable

    def _AsTensor(self):
        return self._snapshot

    def handle_id(self):
        """The id under which tapes know this variable."""
        return self._snapshot._id

    def _as_tensor(self, dtype=None, name=None):
        dispatch.current_mode().note_variable(self)
        for tape in dispatch.local.top.tapes:
            tape.accessed(self, self._snapshot._id)
        return self._snapshot

    def value(self):
        """The tensor by which ops read the variable when they run."""
        return self._as_tensor()

    def read_value(self):
        """A new tensor that is read after what it depends on."""
        return array.identity(self._variable, name="read")

    def eval(self, session=None):
        """The value in `session`, or in the default one."""
        return self._variable.eval(session=session)

    def initialized_value(self):
        """The value, or the initial one where there is none yet."""
        graph = self.graph
        with dispatch.entered(graph), graph.outside_regions():
            known = state.is_variable_initialized(self)
            return graph.cond(known, self.read_value, lambda: self._initial_value)

    # ------------------------------------------------------------------ writing
    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Replace the value.

        Returns:
            The variable's reference once that is done, a tensor; with `read_value`
            False the node.
        """
        found = state.assign(self._variable, value, None, use_locking, name)
        return found if read_value else found.op

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        """Add `delta` to the value; returns as `assign`."""
        found = state.assign_add(self._variable, delta, use_locking, name)
        return found if read_value else found.op

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        """Subtract `delta` from the value; returns as `assign`."""
        found = state.assign_sub(self._variable, delta, use_locking, name)
        return found if read_value else found.op

    def load(self, value, session=None):
        """Put `value` into the variable, in `session` or the default one.

        Raises:
            ValueError: there is no session.
        """
        sessions = getattr(dispatch.local, "sessions", ())
        session = session or (sessions[-1] if sessions else None)
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should "
                "be established"
            )
        session.run(self._initializer_op, {self._initializer_op.inputs[1]: value})

    # ------------------------------------------------------------------ protos
    def to_proto(self, export_scope=None):
        """The VariableDef that describes the variable.

        Args:
            export_scope: a name scope to leave out; None is given for others.
        """
        return self._variable_def(self._variable, export_scope)


parts.install(RefVariable)

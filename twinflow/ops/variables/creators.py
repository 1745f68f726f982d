"""How variables are made: tf.Variable chooses the kind, and creators have a say."""

import contextlib
import enum
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import local
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.formats import protos
from twinflow.ops.core import operators
from twinflow.ops.core.partitioned import SaveSliceInfo
from twinflow.ops.variables import cards
from twinflow.ops.variables.collections import GraphKeys

_OPTIONS = (
    "initial_value", "trainable", "collections", "validate_shape", "caching_device",
    "name", "variable_def", "dtype", "expected_shape", "import_scope", "constraint",
    "use_resource", "synchronization", "aggregation",
)  # fmt: skip


def prefixed(scope, name):
    """`name` inside a name scope, which may end with a slash, or be None."""
    return f"{scope.removesuffix('/')}/{name}" if scope else name


class VariableSynchronization(enum.Enum):
    """When the copies of a variable on several devices are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How the copies of a variable on several devices are brought together."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


def is_trainable(trainable, synchronization):
    """Whether a variable is trained, by what was asked.

    Raises:
        ValueError: it is to be trained and read from copies.
    """
    if synchronization is not VariableSynchronization.ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only "
            "for non-trainable variables. You have specified trainable=True and "
            "synchronization=VariableSynchronization.ON_READ."
        )
    return False


class Chosen:
    """What tf.Variable makes.

    Attributes:
        reference, resource: the two classes. resources: whether a variable of a graph
        is a resource where neither it nor its variable scope says anything.
    """

    reference: type[Any]
    resource: type[Any]
    resources = False


def enable_resource_variables() -> None:
    """Make resource variables in graphs too, from here on."""
    Chosen.resources = True


def disable_resource_variables() -> None:
    """Make reference variables in graphs, as at the start."""
    Chosen.resources = False


@functools.cache
def _signature(cls):
    """The arguments of a class; looking them up takes longer than a variable."""
    return inspect.signature(cls.__init__)


class Created(type):
    """The class of variable classes: tf.Variable asks creators for a variable."""

    def __call__(cls, *args, **kwargs):
        if cls is not VariableV1 and cls is not Variable:
            return type.__call__(cls, *args, **kwargs)
        make = _DEFAULTS[cls.__name__]
        make = functools.partial(make, None)
        for creator in getattr(local, "variable_creators", ()):
            make = functools.partial(creator, make)
        found = _signature(cls).bind(None, *args, **kwargs)
        found.apply_defaults()
        given = dict(list(found.arguments.items())[1:])
        return make(**{**dict.fromkeys(_OPTIONS), **given})


def default_variable_creator(next_creator=None, **kwargs):
    """The variable that tf.Variable(**kwargs) is where no creator is asked.

    Args:
        next_creator: not asked. kwargs: the arguments of tf.Variable by name.
    """
    use_resource = kwargs.get("use_resource")
    mode = dispatch.current_mode()
    if use_resource is None:
        use_resource = mode.uses_resources()
    if use_resource is None:
        use_resource = Chosen.resources
    if use_resource or mode.variable_owner().eager:
        cls = Chosen.resource
    else:
        cls = Chosen.reference
    return _made(cls, kwargs)


def default_variable_creator_v2(next_creator=None, **kwargs):
    """As `default_variable_creator`, for the tf.Variable of TensorFlow 2."""
    return _made(Chosen.resource, kwargs)


_DEFAULTS = {
    "VariableV1": default_variable_creator,
    "Variable": default_variable_creator_v2,
}


def _made(cls, kwargs):
    trainable = is_trainable(kwargs.get("trainable"), kwargs.get("synchronization"))
    taken = _signature(cls).parameters
    known = {k: v for k, v in kwargs.items() if k in taken}
    return cls(**{**known, "trainable": trainable})


@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """A block in which variables are made by `variable_creator`.

    Args:
        variable_creator: a function from (next_creator, **kwargs) to a variable, which
            calls `next_creator(**kwargs)` with the arguments of tf.Variable by name.
            That of the innermost block is asked first.
    Example:
        def renamed(next_creator, **kwargs):
            return next_creator(**{**kwargs, "name": "mine"})
        with tf.variable_creator_scope(renamed):
            v = tf.Variable(1.)
    """
    outer = getattr(local, "variable_creators", ())
    local.variable_creators = (*outer, variable_creator)
    try:
        yield
    finally:
        local.variable_creators = outer


def has_creators():
    """Whether tf.Variable asks creators here; others may take a shorter way if not."""
    return bool(getattr(local, "variable_creators", ()))


class Variable(ResourceHandle, metaclass=Created):
    """A variable as TensorFlow 2 makes it: a ResourceVariable.

    Args, Raises: see tf.Variable.
    Example:
        from twinflow.ops.variables import creators
        creators.Variable([1., 2.], name="v")  # [1., 2.]
    """

    def __init__(
        self, initial_value: Any = None, trainable: Any = None,
        validate_shape: Any = True, caching_device: Any = None, name: str | None = None,
        variable_def: Any = None, dtype: DTypeValue | None = None,
        import_scope: Any = None, constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> None:  # fmt: skip
        raise TypeError("Call tf.Variable, or define __init__ in the class.")

    def _repr_html_(self) -> str | None:
        return cards.of_variable(self)

    if TYPE_CHECKING:  # what every kind has
        name: str
        op: Any
        device: str
        shape: TensorShape
        _shape: tuple[int | None, ...]
        initializer: Any
        initial_value: Any
        constraint: Any
        count_up_to: Callable[..., Any]
        scatter_add: Callable[..., Any]
        scatter_sub: Callable[..., Any]
        scatter_update: Callable[..., Any]
        scatter_nd_add: Callable[..., Any]
        scatter_nd_sub: Callable[..., Any]
        scatter_nd_update: Callable[..., Any]

        def assign(self, value: TensorValue, *args: Any, **kwargs: Any) -> Any: ...
        def assign_add(self, delta: TensorValue, *args: Any, **kwargs: Any) -> Any: ...
        def assign_sub(self, delta: TensorValue, *args: Any, **kwargs: Any) -> Any: ...
        def value(self) -> Tensor: ...
        def read_value(self) -> Tensor: ...
        def initialized_value(self) -> Any: ...
        def eval(self, session: Any = None) -> Any: ...
        def load(self, value: Any, session: Any = None) -> None: ...
        def set_shape(self, shape: Any) -> None: ...
        def to_proto(self, export_scope: str | None = None) -> Any: ...
        def numpy(self) -> Any: ...
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __bool__(self) -> bool: ...
        def __getitem__(self, key: Any, /) -> Any: ...  # a part to assign to
        def _ref(self) -> Tensor: ...


class VariableV1(Variable):
    """A value that can be assigned to, shared by all that refer to it.

    In a graph this makes a reference variable (RefVariable), or with `use_resource` a
    ResourceVariable; in eager mode and in functions always the latter.

    Args:
        initial_value: what it starts with: anything that converts to a tensor, or a
            function of no arguments that gives it.
        trainable: whether tapes watch it and optimizers update it by default.
        collections: graph collections to join; GLOBAL_VARIABLES by default.
        validate_shape: False leaves the static shape open (graph mode).
        name: its name; `Variable` if not given.
        variable_def: a VariableDef to make it from (graph mode), in `import_scope`.
        dtype: the DType of the value.
        constraint: a function from the updated value to the one to keep.
        use_resource: which kind it is in a graph; the variable scope says by default.
        caching_device, expected_shape, synchronization, aggregation: accepted.
    Raises:
        ValueError: no initial value is given, or an argument is of the wrong kind.
    Example:
        v = tf.Variable([1., 2.], name="v")
        v.assign_add([1., 1.])  # [2., 3.]
    """

    def __init__(
        self, initial_value: Any = None, trainable: Any = None, collections: Any = None,
        validate_shape: Any = True, caching_device: Any = None, name: str | None = None,
        variable_def: Any = None, dtype: DTypeValue | None = None,
        expected_shape: Any = None, import_scope: Any = None, constraint: Any = None,
        use_resource: Any = None, synchronization: Any = None, aggregation: Any = None,
    ) -> None:  # fmt: skip
        raise TypeError("Call tf.Variable, or define __init__ in the class.")

    SaveSliceInfo = SaveSliceInfo
    _save_slice_info = None

    def _set_save_slice_info(self, save_slice_info):
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self):
        return self._save_slice_info

    @classmethod
    def from_proto(
        cls, variable_def: Any, import_scope: str | None = None
    ) -> "VariableV1":
        """The variable that a VariableDef describes, in the default graph.

        Args:
            variable_def: protos.VariableDef. import_scope: the name scope of its nodes.
        """
        kind = Chosen.resource if variable_def.is_resource else Chosen.reference
        return kind(variable_def=variable_def, import_scope=import_scope)

    def _take_parts(self, graph, proto, import_scope):
        """Find what a VariableDef names; returns the variable's own tensor."""

        def find(name):
            return graph.as_graph_element(prefixed(import_scope, name))

        own = find(proto.variable_name)
        self._initializer_op = find(proto.initializer_name)
        self._snapshot, self.constraint = find(proto.snapshot_name), None
        known = proto.initial_value_name
        self._initial_value = find(known) if known else None
        self.trainable = getattr(proto, "trainable", True)
        if proto.HasField("save_slice_info_def"):
            part = proto.save_slice_info_def
            self._save_slice_info = self.SaveSliceInfo(
                save_slice_info_def=part, import_scope=import_scope
            )
        return own

    def _variable_def(self, own, export_scope, **fields):
        """The VariableDef of the variable `own`; None where it is beside the scope."""
        prefix = f"{export_scope}/" if export_scope else ""
        if not self.name.startswith(prefix):
            return None
        proto = protos.VariableDef(trainable=self.trainable, **fields)
        parts = {
            "variable_name": own, "initializer_name": self._initializer_op,
            "snapshot_name": self._snapshot, "initial_value_name": self._initial_value,
        }  # fmt: skip
        for field, part in parts.items():
            if part is not None:
                setattr(proto, field, part.name.removeprefix(prefix))
        if self._save_slice_info is not None:
            part = self._save_slice_info.to_proto(export_scope)
            proto.save_slice_info_def.MergeFrom(part)
        return proto

    def get_shape(self) -> Any:
        """Same as `shape`."""
        return self.shape

    def __iter__(self) -> Any:
        raise TypeError("'Variable' object is not iterable.")

    def __format__(self, spec):
        return format(str(self), spec)


operators.install_on_value(VariableV1)
operators.refuse_in_place(VariableV1)


def collections_of(trainable, collections):
    """The names of the collections that a new variable joins."""
    keys = [GraphKeys.GLOBAL_VARIABLES] if collections is None else [*collections]
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in keys:
        keys.append(GraphKeys.TRAINABLE_VARIABLES)
    return keys


def check_arguments(initial_value, collections, constraint):
    """Refuse what no variable can be made of.

    Raises:
        ValueError: see VariableV1.
    """
    if initial_value is None:
        raise ValueError("initial_value must be specified.")
    if constraint is not None and not callable(constraint):
        raise ValueError("The `constraint` argument must be a callable.")
    if collections is not None and not isinstance(collections, list | tuple | set):
        raise ValueError(
            "collections argument to Variable constructor must be a list, tuple, "
            f"or set. Got {collections} of type {type(collections)}"
        )

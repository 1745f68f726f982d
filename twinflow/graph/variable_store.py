"""Where tf.get_variable finds and keeps variables, by name."""

import contextlib
import enum
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, dtypes, frames
from twinflow.base.advice import advised
from twinflow.base.convert import to_array
from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.graph.defaults import graph_of
from twinflow.graph.scopes import init_scope
from twinflow.ops.core.constant import convert_to_tensor, has_tensor
from twinflow.ops.core.partitioned import (
    PartitionedVariable,
    PartitionInfo,
    SaveSliceInfo,
    cuts_of,
    part_of,
    places_of,
)
from twinflow.ops.random.initializers import GlorotUniform, Zeros
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.creators import (
    VariableAggregation,
    VariableSynchronization,
    is_trainable,
)
from twinflow.ops.variables.kinds import ResourceVariable, Variable

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph


class _ReuseMode(enum.Enum):
    """More ways to share than True and False."""

    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


def home() -> "Graph":
    """The graph that keeps the variables made here: not that of a function."""
    mode = dispatch.current_mode()
    while getattr(mode, "is_function", False):
        mode = mode.outer
    return graph_of(mode)


def store() -> "VariableStore":
    """The VariableStore of this place in the program."""
    return home().state.setdefault("variable_store", VariableStore())


_DEFAULTS = {
    "trainable": None, "reuse": AUTO_REUSE, "constraint": None,
    "synchronization": VariableSynchronization.AUTO,
}  # fmt: skip


class VariableStore:
    """Variables by name.

    Attributes:
        variables: the dict. keeps_eager: whether variables of eager mode are kept too.
    """

    def __init__(self, keeps_eager: bool = False) -> None:
        self.variables: dict[Any, Any] = {}
        self.partitioned: dict[Any, Any] = {}
        self.keeps_eager = keeps_eager

    _vars = property(lambda self: self.variables)

    def get_variable(
        self, name: str, shape: Any = None, dtype: Any = dtypes.float32, **options: Any
    ) -> Any:
        """As `get`; with nothing said of `reuse`, it makes or shares."""
        if dispatch.current_mode().eager:
            options.setdefault("reuse", False)  # nothing is kept that could be shared
        options = {**_DEFAULTS, **options}
        return self.get(name, shape=shape, dtype=dtype, **options)

    def get(self, name: str, custom_getter: Any = None, **options: Any) -> Any:
        """The variable `name`, made if need be; see tf.get_variable for the options.

        Raises:
            ValueError: it is there and may not be shared, or is not there and may not
                be made, or what is asked of it does not fit.
        """
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(
                f"Passed a custom_getter which is not callable: {custom_getter}"
            )
        if dispatch.current_mode().eager:
            if options["reuse"] and not self.keeps_eager:
                raise RuntimeError(
                    "When eager execution is enabled variable reuse is only supported "
                    "when an EagerVariableStore is active. See the documentation on "
                    "EagerVariableStore for example usage."
                )
            options["reuse"] = AUTO_REUSE if self.keeps_eager else False
        options["trainable"] = is_trainable(
            options["trainable"], options["synchronization"]
        )
        if custom_getter is None:
            return self._get(name, **options)
        if not _takes(custom_getter, "constraint"):
            options.pop("constraint")
        return custom_getter(getter=self._get, name=name, **options)

    def _get(
        self, name: str, shape: Any = None, dtype: Any = dtypes.float32,
        initializer: Any = None, regularizer: Any = None, reuse: bool | None = None,
        trainable: bool | None = None, collections: Any = None,
        caching_device: Any = None, partitioner: Any = None,
        validate_shape: bool = True, use_resource: bool | None = None,
        constraint: Any = None, synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:  # fmt: skip
        given = initializer is not None and not callable(initializer)
        cut = (partitioner is not None and TensorShape(shape).ndims != 0) or (
            reuse is True and name in self.partitioned
        )
        if given and shape is not None and not cut:
            raise advised(
                ValueError, "If initializer is a constant, do not specify shape."
            )
        dtype, shape = as_dtype(dtype).base_dtype, TensorShape(shape)
        if cut:
            return self._in_parts(
                name, shape, dtype, initializer, reuse, partitioner,
                regularizer=regularizer, trainable=trainable, collections=collections,
                caching_device=caching_device, validate_shape=validate_shape,
                use_resource=use_resource, constraint=constraint,
                synchronization=synchronization, aggregation=aggregation,
            )  # fmt: skip
        if f"{name}/part_0" in self.variables:
            raise ValueError(
                "No partitioner was provided, but a partitioned version of the "
                f"variable was found: {name}/part_0. Perhaps a variable of the same "
                "name was already created with partitioning?"
            )
        found = self.variables.get(name)
        if found is not None:
            return _shared(name, found, shape, dtype, reuse)
        if reuse is True:
            raise advised(
                ValueError,
                f"Variable {name} does not exist, or was not created with "
                "tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in "
                "VarScope?",
            )
        if initializer is None:
            initializer = _default(name, dtype)
        value = initializer if given else _initial(initializer, shape, dtype)
        variable = Variable(
            initial_value=value, name=name, trainable=trainable,
            collections=collections, caching_device=caching_device,
            dtype=None if given else dtype, validate_shape=validate_shape,
            constraint=constraint, use_resource=use_resource,
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        if not dispatch.current_mode().eager or self.keeps_eager:
            self.variables[name] = variable
        if regularizer is not None:
            _regularize(name, variable, regularizer)
        return variable

    def _in_parts(
        self, name: str, shape: Any, dtype: Any, initializer: Any, reuse: Any,
        partitioner: Any, **options: Any,
    ) -> Any:  # fmt: skip
        """The PartitionedVariable `name`, made if need be."""
        given = initializer is not None and not callable(initializer)
        if given and shape.ndims is None:
            initializer = convert_to_tensor(initializer)
            shape = initializer.shape
        if name in self.variables:
            raise ValueError(
                "A partitioner was provided, but an unpartitioned version of the "
                f"variable was found: {name}.  Perhaps a variable of the same name was "
                "already created without partitioning?"
            )
        cuts = partitioner and cuts_of(partitioner, name, shape, dtype)
        if name in self.partitioned:
            found = self.partitioned[name]
            return _shared_parts(name, found, shape, dtype, cuts, reuse)
        if reuse is True:
            raise advised(
                ValueError,
                f"PartitionedVariable {name} does not exist, or was not created with "
                "tf.get_variable(). Did you mean to set reuse=False or "
                "reuse=tf.AUTO_REUSE in VarScope?",
            )
        dims, parts = shape.as_list(), []
        for i, (offset, sizes) in enumerate(places_of(dims, cuts)):
            part = self._get(
                f"{name}/part_{i}", reuse=reuse,
                **options_of_part(initializer, dims, offset, sizes, dtype), **options,
            )  # fmt: skip
            part._set_save_slice_info(SaveSliceInfo(name, dims, offset, sizes))
            parts.append(part)
        dtype = parts[0].dtype.base_dtype if given else dtype
        made = PartitionedVariable(name, shape, dtype, parts, cuts)
        self.partitioned[name] = made
        return made


def options_of_part(
    initializer: Any, dims: list, offset: list, sizes: list, dtype: Any
) -> dict:
    """The arguments that make one part of a variable."""
    if initializer is not None and not callable(initializer):
        dtype = dtype_of(initializer)
        cut = part_of(initializer, offset, sizes)
        return {"shape": sizes, "dtype": dtype, "initializer": _Plain(cut)}
    if isinstance(initializer, type):
        initializer = initializer(dtype=dtype)
    if initializer is not None and _takes(initializer, "partition_info"):
        info = PartitionInfo(dims, offset)
        initializer = functools.partial(initializer, partition_info=info)
        initializer = _Informed(initializer)
    return {"shape": sizes, "dtype": dtype, "initializer": initializer}


class _Plain:
    """An initializer that gives what a function without arguments does."""

    def __init__(self, function: Callable) -> None:
        self.function = function

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return self.function()


class _Informed(_Plain):
    """An initializer that has been told which part it makes."""

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return self.function(shape, dtype=dtype)


def _shared_parts(
    name: str, found: Any, shape: Any, dtype: Any, cuts: Any, reuse: Any
) -> Any:
    if reuse is False or reuse is None:
        raise ValueError(
            f"Partitioned variable with name {name} already exists. Did you mean to "
            "set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
        )
    start = f"Trying to reuse partitioned variable {name}, but specified"
    if not shape.is_compatible_with(found.shape):
        raise ValueError(f"{start} shape {shape} and found shape {found.shape}.")
    if not dtype.is_compatible_with(found.dtype):
        raise ValueError(
            f"{start} dtype {dtype.name} and found dtype {found.dtype.name}."
        )
    known = found._get_partitions()
    if cuts is not None and list(known) != list(cuts):
        raise ValueError(f"{start} partitions {cuts} and found partitions {known}.")
    return found


def _takes(function: Any, argument: str) -> bool:
    parameters = inspect.signature(function).parameters.values()
    kinds = {p.kind for p in parameters}
    return inspect.Parameter.VAR_KEYWORD in kinds or any(
        p.name == argument for p in parameters
    )


def _shared(name: str, found: Any, shape: Any, dtype: Any, reuse: Any) -> Any:
    if reuse is False or reuse is None:
        raise advised(
            ValueError,
            f"Variable {name} already exists, disallowed. Did you mean to set "
            "reuse=True or reuse=tf.AUTO_REUSE in VarScope? Originally defined at:\n\n"
            f"{_origin(found)}",
        )
    if not shape.is_compatible_with(found.shape):
        raise advised(
            ValueError,
            f"Trying to share variable {name}, but specified shape {shape} and found "
            f"shape {found.shape}.",
        )
    if not dtype.is_compatible_with(found.dtype):
        raise advised(
            ValueError,
            f"Trying to share variable {name}, but specified dtype {dtype.name} and "
            f"found dtype {found.dtype.name}.",
        )
    return found


def _origin(variable: Any) -> str:
    """The user's lines that made a variable, as in a traceback."""
    if getattr(variable, "graph", None) is None:
        return ""
    return "".join(
        f'  File "{pair[0].co_filename}", line {frames.line_number(pair)}, in '
        f"{pair[0].co_name}\n    {frames.source_line(pair)}\n"
        for pair in variable.op.frames[:3]
    )


def _default(name: str, dtype: dtypes.DType) -> Any:
    if dtype.is_floating:
        return GlorotUniform()
    if dtype.is_integer or dtype.is_bool or dtype is dtypes.string:
        return Zeros()
    raise ValueError(f"An initializer for variable {name} of {dtype} is required")


def _initial(initializer: Any, shape: Any, dtype: dtypes.DType) -> Callable:
    """The function of no arguments that gives the first value."""
    if isinstance(initializer, type):
        initializer = initializer(dtype=dtype)
    if shape.is_fully_defined():
        options: dict = {"dtype": dtype}
        if _takes(initializer, "partition_info"):
            options["partition_info"] = None
        return functools.partial(initializer, shape.as_list(), **options)
    names = _positional(initializer)
    if names:
        raise advised(
            ValueError,
            "You can only pass an initializer function that expects no arguments to "
            "its callable when the shape is not fully defined. The given initializer "
            f"function expects the following args {names}",
        )
    return initializer


def _positional(function: Callable) -> Any:
    """The names of the arguments, with `self` where there is one."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(function).parameters.values()
    names = [p.name for p in found if p.kind in kinds]
    plain = inspect.isfunction(function) or isinstance(function, functools.partial)
    return names if plain or not names else ["self", *names]


def _regularize(name: str, variable: Any, regularizer: Any) -> None:
    """Put the loss of a variable into the collection of such losses."""
    with init_scope():
        mode = dispatch.current_mode()
        with mode.name_scope(name + "/Regularizer/"):
            loss = regularizer(variable)
        if loss is not None and not mode.eager:
            mode.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def dtype_of(initializer: Any) -> dtypes.DType:
    """The dtype of an initializer that is a value."""
    if isinstance(initializer, np.ndarray | np.generic):
        return dtypes.from_numpy(np.asarray(initializer).dtype)
    if hasattr(initializer, "dtype") or has_tensor(initializer):
        return convert_to_tensor(initializer).dtype.base_dtype
    return to_array(initializer)[1]  # no node is made


class EagerVariableStore:
    """Keeps the variables that tf.get_variable makes in eager mode, and shares them.

    Args:
        store: a VariableStore that keeps variables of eager mode; a new one by default.
    Raises:
        ValueError: the store does not.
    Example:
        container = tfe.EagerVariableStore()
        with container.as_default():
            w = tf.get_variable("w", [2])  # the same every time
    """

    def __init__(self, store: Any = None) -> None:
        if store is not None and not store.keeps_eager:
            raise ValueError(
                "Cannot construct EagerVariableStore from a VariableStore object that "
                "does not hold eager variables."
            )
        self._store = store or VariableStore(keeps_eager=True)

    def as_default(self) -> Any:
        """A block in which tf.get_variable uses this store."""
        return Active(self._store)

    def variables(self) -> list[Any]:
        """The variables, by name."""
        return sorted(self._store.variables.values(), key=lambda v: v.name)

    def trainable_variables(self) -> list[Any]:
        """Those that are trained, by name."""
        return [v for v in self.variables() if v.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """The others, by name."""
        return [v for v in self.variables() if not v.trainable]

    def copy(self) -> Any:
        """A store of variables with the same values and names."""
        found = EagerVariableStore()
        for key, v in self._store.variables.items():
            found._store.variables[key] = ResourceVariable(
                v.read_value(), name=v.name.partition(":")[0], trainable=v.trainable
            )
        return found


class Active:
    """A block in which one VariableStore is used."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self._outer: list[Any] = []

    def __enter__(self) -> None:
        state = home().state
        self._outer.append((state, state.get("variable_store")))
        state["variable_store"] = self.store

    def __exit__(self, *exc: Any) -> None:
        state, old = self._outer.pop()
        state["variable_store"] = old if old is not None else VariableStore()


@contextlib.contextmanager
def in_one_part(scope: Any) -> Iterator[None]:
    """A block where a VariableScope cuts nothing: moving averages stay whole."""
    partitioner = scope.partitioner
    scope.set_partitioner(None)
    try:
        yield
    finally:
        scope.set_partitioner(partitioner)

"""tf.variable_scope and tf.get_variable: variables that are shared by name."""

import functools
import threading
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dtypes import as_dtype
from twinflow.base.logging import warn
from twinflow.graph.variable_store import (
    AUTO_REUSE,
    VariableAggregation,
    VariableSynchronization,
    dtype_of,
    home,
    store,
)
from twinflow.ops.variables.collections import GraphKeys, get_collection

if TYPE_CHECKING:
    from twinflow.ops.random.initializers_plain import Zeros


def no_regularizer(_: Any) -> None:
    """The regularizer that says to have none, whatever the scope has."""
    return None


class VariableScope:
    """What tf.get_variable goes by in a block: a name and defaults.

    Args:
        reuse: True = variables must be there already, tf.AUTO_REUSE = they may be,
            False = they may not. name: the prefix of their names.
        initializer, regularizer, caching_device, partitioner, custom_getter, dtype,
        use_resource, constraint: see tf.get_variable.
        name_scope: the name scope that belongs to it.
    """

    def __init__(
        self, reuse: Any, name: str = "", initializer: Any = None,
        regularizer: Any = None, caching_device: Any = None, partitioner: Any = None,
        custom_getter: Any = None, name_scope: str = "",
        dtype: DTypeValue = dtypes.float32, use_resource: Any = None,
        constraint: Any = None,
    ) -> None:  # fmt: skip
        self._name, self._initializer, self._regularizer = (
            name,
            initializer,
            regularizer,
        )
        self._reuse, self._caching_device = reuse, caching_device
        self._custom_getter, self._name_scope = custom_getter, name_scope
        self._dtype, self._use_resource = dtype, use_resource
        self._constraint, self._partitioner = constraint, None
        if partitioner is not None:
            self.set_partitioner(partitioner)

    name = property(lambda self: self._name, doc="The prefix of names, without '/'.")
    original_name_scope = property(
        lambda self: self._name_scope, doc="The name scope it was first opened with."
    )
    initializer = property(lambda self: self._initializer, doc="The default.")
    dtype = property(lambda self: self._dtype, doc="The default.")
    use_resource = property(lambda self: self._use_resource, doc="Accepted.")
    regularizer = property(lambda self: self._regularizer, doc="The default.")
    caching_device = property(lambda self: self._caching_device, doc="Accepted.")
    partitioner = property(lambda self: self._partitioner, doc="The default.")
    custom_getter = property(lambda self: self._custom_getter, doc="The default.")
    constraint = property(lambda self: self._constraint, doc="The default.")

    @property
    def reuse(self) -> Any:
        """Whether variables are shared; in eager mode that is up to the store."""
        eager = dispatch.current_mode().eager
        return AUTO_REUSE if eager and not self._reuse else self._reuse

    def reuse_variables(self) -> None:
        """From here on variables must be there already."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Choose the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: DTypeValue) -> None:
        """Choose the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: Any) -> None:
        """Accepted: every variable is a resource.

        Raises:
            ValueError: it is False in eager mode.
        """
        if dispatch.current_mode().eager and not use_resource:
            raise ValueError(
                "When eager execution is enabled, use_resource cannot be set to false."
            )
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Choose the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Accepted."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Choose the default partitioner.

        Raises:
            NotImplementedError: in eager mode.
        """
        if partitioner and dispatch.current_mode().eager:
            raise _no_parts_now()
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Choose the function that is asked for variables."""
        self._custom_getter = custom_getter

    def get_collection(self, name: str) -> Any:
        """The members of a collection whose names begin with this scope."""
        return get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self) -> Any:
        """Those of this scope that are trained."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> Any:
        """Those of this scope that are saved."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> Any:
        """Those of this scope that are not saved."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self, var_store: Any, name: str, shape: Any = None,
        dtype: DTypeValue | None = None, initializer: Any = None,
        regularizer: Any = None, reuse: Any = None, trainable: Any = None,
        collections: Any = None, caching_device: Any = None, partitioner: Any = None,
        validate_shape: bool = True, use_resource: Any = None,
        custom_getter: Any = None, constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:  # fmt: skip
        """The variable `name` of this scope in a store; see tf.get_variable."""
        eager = dispatch.current_mode().eager
        if eager and (partitioner or self._partitioner):
            raise _no_parts_now()
        given = initializer is not None and not callable(initializer)
        if given:
            found = dtype_of(initializer)
            if dtype is not None and found is not as_dtype(dtype).base_dtype:
                raise ValueError(
                    f"Initializer type '{found}' and explicit dtype "
                    f"'{as_dtype(dtype)}' don't match."
                )
        options = {
            "shape": shape, "trainable": trainable, "collections": collections,
            "validate_shape": validate_shape, "synchronization": synchronization,
            "aggregation": aggregation, "use_resource": use_resource,
            "reuse": False if eager else self._reuse if reuse is None else reuse,
            "dtype": dtype or self._dtype,
            "initializer": _first(initializer, self._initializer),
            "regularizer": _first(regularizer, self._regularizer),
            "caching_device": _first(caching_device, self._caching_device),
            "partitioner": _first(partitioner, self._partitioner),
            "constraint": _first(constraint, self._constraint),
        }  # fmt: skip
        if options["regularizer"] is no_regularizer:
            options["regularizer"] = None
        full = "/".join(part for part in (self._name, name) if part)
        getter = _first(custom_getter, self._custom_getter)
        with _no_name_scope():
            return var_store.get(full, getter, **options)

    def _get_partitioned_variable(self, *args: Any, **options: Any) -> Any:
        """As `get_variable` with a partitioner; no name means that of the scope."""
        return self.get_variable(*args, **options)


def _first(value: "Zeros | list | None", default: Any) -> "Zeros | list[float] | None":
    return default if value is None else value


def _no_parts_now() -> Any:
    return NotImplementedError(
        "Partitioned variables are not yet supported when eager execution is enabled."
    )


class _no_name_scope:
    """Names of variables depend on variable scopes alone."""

    def __enter__(self) -> None:
        mode = dispatch.current_mode()
        modes = {mode, mode.variable_owner()}
        self._scopes = [m.name_scope(None) for m in modes]
        for scope in self._scopes:
            scope.__enter__()

    def __exit__(self, *exc: Any) -> None:
        for scope in reversed(self._scopes):
            scope.__exit__(*exc)


class _Scopes(threading.local):
    """The scope that a thread is in, and how often names were opened."""

    def __init__(self) -> None:
        self.current = VariableScope(False)
        self.counts: dict[Any, Any] = {}

    def open(self, name: str) -> None:
        """Count one more scope of this name."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_inside(self, name: str) -> None:
        """Forget the scopes inside the one of this name."""
        for other in self.counts:
            if not name or other.startswith(name + "/"):
                self.counts[other] = 0

    def unique(self, prefix: Any) -> str:
        """`prefix`, numbered if there was such a scope inside the current one."""
        full = f"{self.current.name}/{prefix}" if self.current.name else prefix
        if not self.counts.get(full):
            return prefix
        number = 1
        while self.counts.get(f"{full}_{number}"):
            number += 1
        return f"{prefix}_{number}"


def scopes() -> _Scopes:
    """The scopes of this place in the program."""
    return home().state.setdefault("variable_scopes", _Scopes())


def get_variable_scope() -> VariableScope:
    """The VariableScope of this place in the program."""
    return scopes().current


class PureVariableScope:
    """A block of one variable scope, without a name scope.

    Args:
        name_or_scope: a name inside the current scope, or a VariableScope.
        name_scope: the name scope that belongs to it.
        defaults: what tf.variable_scope takes; None is inherited.
    """

    def __init__(
        self, name_or_scope: Any, reuse: bool | None = None,
        name_scope: str | None = None, **defaults: Any,
    ) -> None:  # fmt: skip
        self._given, self._reuse = name_or_scope, reuse
        self._name_scope, self._defaults = name_scope, defaults

    def __enter__(self) -> VariableScope:
        self._scopes = found = scopes()
        self._old = old = found.current
        again = isinstance(self._given, VariableScope)
        base = self._given if again else old
        if again:
            name, name_scope = base.name, base.original_name_scope
        else:
            name = f"{old.name}/{self._given}" if old.name else self._given
            name_scope = self._given if self._name_scope is None else self._name_scope
        new = VariableScope(
            self._reuse or base._reuse, name, base.initializer, base.regularizer,
            base.caching_device, base.partitioner, base.custom_getter, name_scope,
            base.dtype, base.use_resource, self._defaults.get("constraint"),
        )  # fmt: skip
        self._set_defaults(new, base)
        found.open(name)
        self._counts = dict(found.counts) if again else None
        found.current = new
        return new

    def _set_defaults(self, new: VariableScope, base: Any) -> None:
        for key, value in self._defaults.items():
            if value is None or key == "constraint":
                continue
            if key == "custom_getter" and base.custom_getter is not None:
                value = _wrapped(value, base.custom_getter)
            getattr(new, f"set_{key}")(value)

    def __exit__(self, *exc: Any) -> None:
        found = self._scopes
        if self._counts is not None:
            found.counts = self._counts
        else:
            found.close_inside(found.current.name)
        found.current = self._old


def _wrapped(custom_getter: Any, outer: Any) -> Any:
    """The getter of an inner scope, for which that of the outer one is the real one."""

    def wrapped(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return custom_getter(functools.partial(outer, getter), *args, **kwargs)

    return wrapped


class variable_scope:
    """A block in which tf.get_variable puts a prefix before names.

    Args:
        name_or_scope: a name, or the VariableScope of an earlier block to go on with.
        default_name: a name that is numbered, for when `name_or_scope` is None.
        values: tensors of the graph to build in.
        reuse: True = the variables must be there already; tf.AUTO_REUSE = they are made
            if they are not there; None or False = as outside.
        auxiliary_name_scope: whether to open a name scope too.
        initializer, regularizer, caching_device, partitioner, custom_getter, dtype,
        use_resource, constraint: defaults for tf.get_variable in the block.
    Returns:
        (of `with`) the VariableScope.
    Raises:
        ValueError, TypeError: an argument is of the wrong kind.
    Example:
        with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [2])
        w.name  # "a/w:0"
    """

    def __init__(
        self, name_or_scope: Any, default_name: str | None = None, values: Any = None,
        initializer: Any = None, regularizer: Any = None, caching_device: Any = None,
        partitioner: Any = None, custom_getter: Any = None, reuse: Any = None,
        dtype: DTypeValue | None = None, use_resource: Any = None,
        constraint: Any = None, auxiliary_name_scope: bool = True,
    ) -> None:  # fmt: skip
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if not (reuse in (True, False, None) or reuse is AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                "The auxiliary_name_scope must be `True` or `False`, while get "
                f"{auxiliary_name_scope}"
            )
        self._given, self._default, self._values = name_or_scope, default_name, values
        self._reuse, self._own_names = reuse or None, auxiliary_name_scope
        self._options = {
            "initializer": initializer, "regularizer": regularizer,
            "caching_device": caching_device, "partitioner": partitioner,
            "custom_getter": custom_getter, "dtype": dtype,
            "use_resource": use_resource, "constraint": constraint,
        }  # fmt: skip
        self._entered: list[Any] = []

    def __enter__(self) -> VariableScope:
        contexts: list = []
        self._entered.append(contexts)
        try:
            return self._enter(contexts)
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def _enter(self, contexts: list) -> Any:
        given = self._given
        if given is not None and not isinstance(given, str | VariableScope):
            raise TypeError(
                "VariableScope: name_or_scope must be a string or VariableScope."
            )
        if given is None and self._reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        graph = _graph_of(self._values)
        if graph is not None:
            _open(contexts, graph.as_default())
        name = self._default if given is None else given
        if isinstance(name, VariableScope):
            name = name.name.split("/")[-1]
        name_scope = self._open_names(contexts, name)
        if given is None:
            given = scopes().unique(self._default)
        pure = PureVariableScope(given, self._reuse, name_scope, **self._options)
        return _open(contexts, pure)

    def _open_names(self, contexts: list, name: Any) -> Any:
        mode = dispatch.current_mode()
        if not self._own_names:
            return mode.scope
        return _open(contexts, mode.name_scope(name)) if name else None

    def __exit__(self, *exc: Any) -> None:
        for context in reversed(self._entered.pop()):
            context.__exit__(*exc)


def _open(contexts: list, context: Any) -> VariableScope | str:
    found = context.__enter__()
    contexts.append(context)
    return found


def _graph_of(values: Any) -> Any:
    """The graph of tensors in which to build, where it is not the current one."""
    mode = dispatch.current_mode()
    if mode.eager or getattr(mode, "is_function", False):
        return None
    graphs = (getattr(v, "graph", None) for v in values or ())
    found = next((g for g in graphs if g is not None), None)
    return None if found is mode else found


def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: Any = None, initializer: Any = None,
    regularizer: Any = None, caching_device: Any = None, partitioner: Any = None,
    custom_getter: Any = None, reuse: Any = None, dtype: DTypeValue | None = None,
    use_resource: Any = None, constraint: Any = None,
) -> Any:  # fmt: skip
    """As tf.variable_scope, with another order of arguments. Deprecated.

    Args: see tf.variable_scope.
    """
    warn(
        "tf.variable_op_scope(values, name, default_name) is deprecated, use "
        "tf.variable_scope(name, default_name, values)"
    )
    return variable_scope(
        name_or_scope, default_name, values, initializer, regularizer, caching_device,
        partitioner, custom_getter, reuse, dtype, use_resource, constraint,
    )  # fmt: skip


def get_variable(
    name: str, shape: Any = None, dtype: DTypeValue | None = None,
    initializer: Any = None, regularizer: Any = None, trainable: Any = None,
    collections: Any = None, caching_device: Any = None, partitioner: Any = None,
    validate_shape: bool = True, use_resource: Any = None, custom_getter: Any = None,
    constraint: Any = None, synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:  # fmt: skip
    """The variable of a name: the one that is there, or a new one.

    Args:
        name: its name in the current variable scope.
        shape, dtype: those of the variable; float32 unless the scope says otherwise.
        initializer: a function from (shape, dtype) to the first value, or the value
            itself; Glorot's uniform one by default (zeros for integers and bools).
        regularizer: a function from the variable to a loss, which joins the collection
            of such losses; tf.no_regularizer for none.
        trainable: whether it is trained; True if not given.
        collections: those to join; GLOBAL_VARIABLES by default.
        partitioner: one that asks for several parts is refused.
        custom_getter: a function from (getter, name, ...) to the variable.
        constraint: a function from the updated value to the one to keep.
        caching_device, validate_shape, use_resource, synchronization, aggregation:
            accepted.
    Returns:
        The variable (whatever a custom getter returns).
    Raises:
        ValueError: it is there and the scope does not share, or it is not there and the
            scope only shares, or its shape or dtype is another one.
    Example:
        with tf.variable_scope("dense", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [3, 4])
        w.name  # "dense/w:0"
    """
    return get_variable_scope().get_variable(
        store(), name, shape=shape, dtype=dtype, initializer=initializer,
        regularizer=regularizer, trainable=trainable, collections=collections,
        caching_device=caching_device, partitioner=partitioner,
        validate_shape=validate_shape, use_resource=use_resource,
        custom_getter=custom_getter, constraint=constraint,
        synchronization=synchronization, aggregation=aggregation,
    )  # fmt: skip


def get_local_variable(
    name: str, shape: Any = None, dtype: DTypeValue | None = None,
    initializer: Any = None, regularizer: Any = None, trainable: Any = False,
    collections: Any = None, caching_device: Any = None, partitioner: Any = None,
    validate_shape: Any = True, use_resource: Any = None, custom_getter: Any = None,
    constraint: Any = None, synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:  # fmt: skip
    """As tf.get_variable; it joins LOCAL_VARIABLES, and is not trained or saved.

    Args, Returns, Raises: see tf.get_variable.
    """
    return get_variable(
        name, shape, dtype, initializer, regularizer, False,
        [*(collections or ()), GraphKeys.LOCAL_VARIABLES], caching_device, partitioner,
        validate_shape, use_resource, custom_getter, constraint, synchronization,
        aggregation,
    )  # fmt: skip

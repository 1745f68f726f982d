"""Staging areas: tensors that wait for a later step, on the way to a device."""

from contextlib import nullcontext
from operator import attrgetter
from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.no_op import no_op
from twinflow.ops.queues import staging_ops as ops
from twinflow.ops.queues.staging_cells import ListCell, MapCell


class BaseStagingArea:
    """What both kinds of staging areas have; each session has its own contents.

    Args:
        dtypes: a DType per tensor of an entry. shapes: a shape each, or None.
        names: a name each; entries are dicts then.
        shared_name: areas of this name in one graph are one.
        capacity: entries at most, memory_limit: bytes at most; 0: as many as come.
    Raises:
        ValueError: there are not as many shapes or names as DTypes.
    """

    _identifier = 0
    _kind: Any = ListCell

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, capacity: int = 0, memory_limit: int = 0,
    ) -> None:  # fmt: skip
        mode = dispatch.current_mode()
        if shared_name is None:
            shared_name = _free_name(type(self).__name__)
        elif not isinstance(shared_name, str):
            raise ValueError("shared_name must be a string")
        self._name, self._dtypes, self._names = shared_name, dtypes, names
        for what, given in ("shapes", shapes), ("names", names):
            if given is not None and len(given) != len(dtypes):
                raise ValueError(
                    f"StagingArea {what} must be the same length as dtypes"
                )
        given = [None] * len(dtypes) if shapes is None else shapes
        self._shapes = [TensorShape(s) for s in given]
        self._capacity, self._memory_limit = capacity, memory_limit
        self._cell = ops.area(self._kind, shared_name, capacity, memory_limit)
        with mode.name_scope(f"{shared_name}_root"):
            self._coloc_op = no_op()

    name = property(attrgetter("_name"), doc="The shared name.")
    dtypes = property(attrgetter("_dtypes"), doc="The DTypes of the tensors.")
    shapes = property(attrgetter("_shapes"), doc="The TensorShapes of the tensors.")
    names = property(attrgetter("_names"), doc="The names of the tensors, or None.")
    capacity = property(attrgetter("_capacity"), doc="Entries at most; 0: no limit.")
    memory_limit = property(attrgetter("_memory_limit"), doc="Bytes at most.")

    def _apply(self, op, inputs, what, name, **attrs):
        """The op on this area, in a scope named after it."""
        mode = dispatch.current_mode()
        attrs = {
            **op.sig.attrs, "dtypes": tuple(self._dtypes), "cell": self._cell,
            "shared_name": self._name, "capacity": self._capacity,
            "memory_limit": self._memory_limit, **attrs,
        }  # fmt: skip
        attrs = {k: v for k, v in attrs.items() if k in op.sig.attrs}
        with mode.name_scope(name or f"{self._name}_{what}") as scope, self._beside():
            return apply(op, inputs, attrs, scope)

    def _beside(self):
        mode = dispatch.current_mode()
        return nullcontext() if mode.eager else mode.colocate_with(self._coloc_op)

    def _check_put_dtypes(self, vals, indices=None):
        """The tensors of an entry, or of a part of it, and their places."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError(
                    "Staging areas must have names to enqueue a dictionary"
                )
            if not set(vals).issubset(self._names):
                raise ValueError(
                    "Keys in dictionary to put do not match names of staging area. "
                    f"Dictionary: ({sorted(vals)}), Queue: ({sorted(self._names)})"
                )
            indices = [i for i, n in enumerate(self._names) if n in vals]
            vals = [vals[self._names[i]] for i in indices]
        elif self._names:
            raise ValueError(
                "You must enqueue a dictionary in a staging area with names"
            )
        else:
            vals, indices = _listed(vals, indices)
        if len(vals) > len(self._dtypes):
            raise ValueError(
                f"Unexpected number of inputs '{len(vals)}' vs '{len(self._dtypes)}'"
            )
        return [self._checked(*pair) for pair in zip(vals, indices)], list(indices)

    def _checked(self, val, i):
        dtype = self._dtypes[i]
        t = val if hasattr(val, "dtype") else convert_to_tensor(val, dtype)
        if t.dtype != dtype:
            raise ValueError(f"Datatypes do not match. '{t.dtype}' != '{dtype}'")
        t = convert_to_tensor(t, dtype, f"component_{i}")
        t.shape.assert_is_compatible_with(self._shapes[i])
        return t

    def _get_return_value(self, tensors, indices):
        """Tensors with the shapes that are known, in a dict where they have names."""
        if not dispatch.current_mode().eager:
            tensors = self._create_device_transfers(tensors)
            for t, i in zip(tensors, indices, strict=True):
                t.set_shape(self._shapes[i])
        if self._names:
            return {self._names[i]: t for t, i in zip(tensors, indices, strict=True)}
        return tensors

    def _create_device_transfers(self, tensors):
        """The tensors where they are wanted, if that is not where the area is."""
        if no_op().device != self._coloc_op.device:
            return [identity(t) for t in tensors]
        return tensors


def _free_name(name):
    mode = dispatch.current_mode()
    if mode.variable_owner().eager:
        BaseStagingArea._identifier += 1
        return f"{name}_{BaseStagingArea._identifier}"
    return mode.unique_name(name)


def _listed(vals, indices):
    if indices is None:
        raise ValueError("Indices must be supplied when inserting a list of tensors")
    if len(indices) != len(vals):
        raise ValueError(
            f"Number of indices '{len(indices)}' doesn't match number of values "
            f"'{len(vals)}'"
        )
    return vals, indices


class StagingArea(BaseStagingArea):
    """Entries of tensors that come out in the order in which they were put in.

    Args: see BaseStagingArea.
    Example:
        area = tf.contrib.staging.StagingArea([tf.float32])
        put, get = area.put([1.]), area.get()
        with tf.Session() as sess:
            sess.run(put)
            sess.run(get)  # [1.0]
    """

    def put(self, values: Any, name: str | None = None) -> Any:
        """An op that puts an entry in; it waits for room.

        Args:
            values: a tensor, a list of them, or a dict where they have names.
            name: the name of the node.
        Raises:
            ValueError: they do not fit the DTypes.
        """
        if not isinstance(values, list | tuple | dict):
            values = [values]
        vals, _ = self._check_put_dtypes(values, list(range(len(values))))
        return self._apply(
            ops.Stage, (vals,), "put", name, dtypes=tuple(v.dtype for v in vals)
        )

    def get(self, name: str | None = None) -> Any:
        """The first entry, which goes out: a list, or a dict; it waits for one."""
        found = self._apply(ops.Unstage, (), "get", name)
        return self._get_return_value(found, range(len(self._dtypes)))

    def peek(self, index: TensorValue, name: str | None = None) -> Any:
        """The entry at a place, which stays; it waits for it.

        Args:
            index: int32[]. name: the name of the node.
        """
        found = self._apply(ops.StagePeek, (index,), "peek", name)
        return self._get_return_value(found, range(len(self._dtypes)))

    def size(self, name: str | None = None) -> Tensor:
        """int32[], how many entries there are."""
        return self._apply(ops.StageSize, (), "size", name)

    def clear(self, name: str | None = None) -> Any:
        """An op that drops all entries."""
        return self._apply(ops.StageClear, (), "clear", name)


class MapStagingArea(BaseStagingArea):
    """Entries of tensors by keys; an entry may be put in and taken out in parts.

    Args:
        ordered: whether `get` without a key gives the least one.
        others: see BaseStagingArea.
    Example:
        area = tf.contrib.staging.MapStagingArea([tf.float32])
        put, (_, values) = area.put(7, [1.], [0]), area.get(7)
        with tf.Session() as sess:
            sess.run(put)
            sess.run(values)  # [1.0]
    """

    _kind = MapCell

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, ordered: bool = False, capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ops = ops.OrderedMapOps if ordered else ops.MapOps

    def put(
        self, key: TensorValue, vals: Any, indices: Any = None, name: str | None = None
    ) -> Any:
        """An op that puts in an entry, or a part of one; it waits for room.

        Args:
            key: int64[]. vals: a list of tensors, or a dict where they have names.
            indices: their places, where it is a list. name: the name of the node.
        Raises:
            ValueError: they do not fit the DTypes.
        """
        vals, indices = self._check_put_dtypes(vals, indices)
        return self._apply(self._ops["Stage"], (key, indices, vals), "put", name)

    def _indices(self, indices):
        """Places of tensors, which may be given by their names."""
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, list | tuple):
            raise TypeError(f"Invalid indices type '{type(indices)}'")
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(i, int) for i in indices):
            return list(indices)
        if not all(isinstance(i, str) for i in indices):
            raise TypeError(
                f"Mixed types in indices '{indices}'. May only be str or int"
            )
        if self._names is None:
            raise ValueError(
                f"String indices provided '{indices}', but this Staging Area was not "
                "created with names."
            )
        for name in indices:
            if name not in self._names:
                raise ValueError(
                    f"Named index '{name}' not in Staging Area names '{self._names}'"
                )
        return [self._names.index(name) for name in indices]

    def _taken(self, kind, inputs, indices, what, name):
        places = self._indices(indices)
        types = tuple(self._dtypes[i] for i in places)
        inputs = (*inputs, places)
        return self._apply(self._ops[kind], inputs, what, name, dtypes=types), places

    def peek(
        self, key: TensorValue, indices: Any = None, name: str | None = None
    ) -> Any:
        """The entry of a key, or a part of it, which stays; it waits for it.

        Args:
            key: int64[]. indices: places or names of the tensors. name: of the node.
        """
        found, places = self._taken("Peek", (key,), indices, "pop", name)
        return self._get_return_value(found, places)

    def get(
        self, key: TensorValue | None = None, indices: Any = None,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """(key, entry), which goes out: that of `key`, or any; it waits for it.

        Args:
            key: int64[], or None. indices: places or names of the tensors.
            name: the name of the node.
        """
        if key is not None:
            found, places = self._taken("Unstage", (key,), indices, "get", name)
            return key, self._get_return_value(found, places)
        found, places = self._taken("UnstageNoKey", (), indices, "get_nokey", name)
        key = found[0]
        if not dispatch.current_mode().eager:
            (key,) = self._create_device_transfers([key])
        return key, self._get_return_value(list(found[1:]), places)

    def size(self, name: str | None = None) -> Tensor:
        """int32[], how many entries are whole."""
        return self._apply(self._ops["Size"], (), "size", name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """int32[], how many entries lack tensors."""
        return self._apply(self._ops["IncompleteSize"], (), "incomplete_size", name)

    def clear(self, name: str | None = None) -> Any:
        """An op that drops all entries."""
        return self._apply(self._ops["Clear"], (), "clear", name)

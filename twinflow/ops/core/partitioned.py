"""Variables in parts, and what a checkpoint knows of a part."""

import functools
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.convert import register_tensor_conversion_function
from twinflow.base.dispatch import current_mode
from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.formats import protos
from twinflow.ops.core.constant import identity
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.slicing import slice as slice_of


class SaveSliceInfo:
    """Which part of a whole a variable is.

    Args:
        full_name: the key of the whole in checkpoints. full_shape: its shape.
        var_offset: where the part starts, an int per axis. var_shape: its shape.
        save_slice_info_def: a SaveSliceInfoDef that says all of this.
        import_scope: a name scope to put before the name in it.
    """

    def __init__(
        self, full_name: str | None = None, full_shape: Any = None,
        var_offset: Any = None, var_shape: Any = None, save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ) -> None:  # fmt: skip
        known = save_slice_info_def
        if known is not None:
            full_name = known.full_name
            if import_scope:
                full_name = f"{import_scope}/{full_name}"
            full_shape, var_offset, var_shape = map(
                list, (known.full_shape, known.var_offset, known.var_shape)
            )
        self.full_name, self.full_shape = full_name, full_shape
        self.var_offset, self.var_shape = var_offset, var_shape

    @property
    def spec(self) -> str:
        """What the ops of checkpoints take: "7 2 0,3:0,2"."""
        sizes = " ".join(map(str, self.full_shape))
        pairs = zip(self.var_offset, self.var_shape, strict=True)
        return f"{sizes} " + ":".join(f"{start},{size}" for start, size in pairs)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaveSliceInfoDef; None for a name outside of `export_scope`."""
        prefix = f"{export_scope}/" if export_scope else ""
        if not self.full_name.startswith(prefix):
            return None
        return protos.SaveSliceInfoDef(
            full_name=self.full_name.removeprefix(prefix), full_shape=self.full_shape,
            var_offset=self.var_offset, var_shape=self.var_shape,
        )  # fmt: skip


class PartitionedVariable:
    """A variable in parts along one axis, which stands for all of it as a tensor.

    Args:
        name: of the whole. shape: of the whole. dtype: the DType of the parts.
        variable_list: the parts, in order, each with a SaveSliceInfo.
        partitions: the number of parts along each axis.
    Raises:
        TypeError: the list or the partitions are none. ValueError: they do not fit.
    """

    def __init__(
        self, name: str, shape: Any, dtype: Any, variable_list: Any, partitions: Any
    ) -> None:
        for what, given in ("variable_list", variable_list), ("partitions", partitions):
            if not isinstance(given, list | tuple):
                raise TypeError(f"{what} is not a list or tuple: {given}")
        if any(p < 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError(f"variable_list may not be empty: {variable_list}")
        for part in variable_list:
            if part._get_save_slice_info() is None:
                raise ValueError(
                    f"All variables must have a save_slice_info available: {part}"
                )
        self._variable_list = sorted(
            variable_list, key=lambda v: v._get_save_slice_info().var_offset
        )
        self._name, self._shape = name, TensorShape(shape)
        self._dtype, self._partitions = as_dtype(dtype), partitions

    name = property(attrgetter("_name"), doc="The name of the whole, without ':0'.")
    dtype = property(attrgetter("_dtype"), doc="The DType.")
    shape = property(attrgetter("_shape"), doc="The TensorShape of the whole.")

    def get_shape(self) -> TensorShape:
        """Same as `shape`."""
        return self._shape

    def __iter__(self) -> Iterator:
        return iter(self._variable_list)

    def __len__(self) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._variable_list)

    def _partition_axes(self):
        cut = [i for i, p in enumerate(self._partitions) if p > 1]
        return cut or [0]

    def _get_variable_list(self):
        return self._variable_list

    def _get_partitions(self):
        return self._partitions

    # ------------------------------------------------------------------ the value
    def as_tensor(self) -> Tensor:
        """All of it, whatever the control dependencies of the place are."""
        with current_mode().control_dependencies(None):
            return self._concat()

    def _concat(self):
        mode, parts = current_mode(), self._variable_list
        if len(parts) == 1:
            with mode.name_scope(None):
                return identity(parts[0], name=self._name)
        with mode.name_scope(self._name + "/ConcatPartitions/"):
            whole = concat(parts, self._partition_axes()[0])
        with mode.name_scope(None):
            return identity(whole, name=self._name)

    # ------------------------------------------------------------------ assigning
    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> list:  # fmt: skip
        """Assign a value of the shape of the whole; a list with what each part gives.

        Args:
            value: a tensor. use_locking, name, read_value: see tf.Variable.assign.
        """
        return self._assigned("assign", value, use_locking, name, read_value)

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> list:  # fmt: skip
        """As `assign`, of what is added."""
        return self._assigned("assign_add", value, use_locking, name, read_value)

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> list:  # fmt: skip
        """As `assign`, of what is taken away."""
        return self._assigned("assign_sub", value, use_locking, name, read_value)

    def _assigned(self, method, value, use_locking, name, read_value):
        axis = self._partition_axes()[0]
        sizes = [v.shape[axis].value for v in self._variable_list]
        out = []
        pairs = zip(self._variable_list, split(value, sizes, axis), strict=True)
        for i, (variable, part) in enumerate(pairs):
            change = getattr(variable, method)
            options = {"use_locking": use_locking, "name": name and f"{name}_{i}"}
            out.append(change(part, read_value=read_value, **options))
        return out


def _convert(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            f"Incompatible type conversion requested to type '{as_dtype(dtype).name}' "
            f"for variable of type '{value.dtype.name}'"
        )
    if as_ref:
        raise NotImplementedError(
            "PartitionedVariable doesn't support being used as a reference."
        )
    return value.as_tensor()


register_tensor_conversion_function(PartitionedVariable, _convert)


def parts_of(value: Any) -> Any:
    """The parts of a variable in parts; anything else as it is."""
    return list(value) if isinstance(value, PartitionedVariable) else value


def each_part(variable: Any) -> list:
    """The parts of a variable, which is its only one where it has none."""
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


# ---------------------------------------------------------------------- cutting
def cuts_of(partitioner: Any, name: str, shape: TensorShape, dtype: Any) -> list:
    """How often each axis is cut.

    Raises:
        ValueError: the shape is not known, or the answer does not fit it.
    """
    if not callable(partitioner):
        raise advised(
            ValueError, f"Partitioner must be callable, but received: {partitioner}"
        )
    if not shape.is_fully_defined():
        raise ValueError(
            f"Shape of a new partitioned variable ({name}) must be fully defined, but "
            f"instead was {shape}."
        )
    cuts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(cuts, list | tuple):
        raise ValueError(f"Partitioner must return a sequence, but saw: {cuts}")
    if len(cuts) != shape.ndims:
        raise ValueError(
            "Partitioner returned a partition list that does not match the Variable's "
            f"rank: {cuts} vs. {shape}"
        )
    if any(p < 1 for p in cuts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {cuts}")
    return cuts


def places_of(shape: list, cuts: Any) -> list:
    """(offset, shape) of each part.

    Raises:
        ValueError: more than one axis is cut, or one into more parts than it has.
    """
    axes = [i for i, n in enumerate(cuts) if n > 1]
    for i in axes:
        if cuts[i] > shape[i]:
            raise ValueError(
                f"Cannot create {cuts[i]} slices for size {shape[i]}. shape: {shape}, "
                f"slicing: {list(cuts)}"
            )
    if len(axes) > 1:
        raise ValueError(
            "Can only slice a variable along one dimension: "
            f"shape: {shape}, slicing: {list(cuts)}"
        )
    axis = axes[0] if axes else 0
    size, more = divmod(shape[axis], cuts[axis])
    found, start = [], 0
    for i in range(cuts[axis]):
        length = size + (i < more)
        offset, part = [0] * len(shape), list(shape)
        offset[axis], part[axis] = start, length
        found.append((offset, part))
        start += length
    return found


class PartitionInfo:
    """What an initializer is told of the part that it makes.

    Args:
        full_shape: of the whole. var_offset: where the part starts.
    """

    def __init__(self, full_shape: Any, var_offset: Any) -> None:
        self.full_shape = list(TensorShape(full_shape).as_list())
        self.var_offset = list(var_offset)

    def single_offset(self, shape: Any) -> int:
        """Where a part of `shape` starts on the one axis that is cut."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]

    def single_slice_dim(self, shape: Any) -> int | None:
        """The one axis that is cut; None where there is none.

        Raises:
            ValueError: `shape` is of another rank or larger, or several are cut.
        """
        if len(shape) != len(self.full_shape):
            raise ValueError(
                "Expected equal length, but received shape="
                f"{shape} of length {len(shape)} while self.full_shape="
                f"{self.full_shape} is of length {len(self.full_shape)}."
            )
        pairs = list(zip(shape, self.full_shape, strict=True))
        if any(p > f for p, f in pairs):
            raise ValueError(
                f"With self.full_shape={self.full_shape}, a partition of shape={shape} "
                "would exceed it."
            )
        cut = [i for i, (p, f) in enumerate(pairs) if p < f]
        if len(cut) > 1:
            raise ValueError(
                f"Cannot use single_slice_dim() with shape={shape} and "
                f"self.full_shape={self.full_shape} since slice dim could be either "
                f"dimension {cut[0]} or {cut[1]}."
            )
        return cut[0] if cut else None


def part_of(value: Any, offset: list, sizes: list) -> Any:
    """A function that gives a part of a value, in a scope of its own."""
    return functools.partial(_cut, value, offset, sizes)


def _cut(value, offset, sizes):
    with current_mode().name_scope("PartitionedInitializer"):
        return slice_of(value, offset, sizes)


def saved_name(variable: Any) -> str:
    """The name of a variable in checkpoints: that of the whole."""
    info = getattr(variable, "_save_slice_info", None)
    return variable.name.removesuffix(":0") if info is None else info.full_name

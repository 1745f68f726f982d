"""Labels selected, tensors joined and taken apart, axes renamed and reshaped."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.labeled_tensor.axes import Axes, Axis, AxisOrderError, as_axis
from twinflow.contrib.labeled_tensor.labeled import (
    LabeledTensor,
    convert_to_labeled_tensor,
    slice_function,
)
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays import padding
from twinflow.ops.core import constant as constants
from twinflow.ops.core import creation, index, joining, shape
from twinflow.ops.debugging import numbers
from twinflow.ops.random import choice


def _converted(values: Any) -> list[LabeledTensor]:
    return [convert_to_labeled_tensor(v) for v in values]


def select(
    labeled_tensor: Any, selection: Any, name: str | None = None
) -> LabeledTensor:
    """What has some labels.

    Args:
        selection: dict from names of axes to a label, whose axis goes; a list of them;
            or a slice from one label to another, both included.
    Raises:
        ValueError: there is no such axis, or it has no labels, or two lists are given.
        NotImplementedError: a slice has a step. KeyError: there is no such label.
    Example:
        lt = tf.contrib.labeled_tensor
        x = lt.LabeledTensor(tf.constant([1., 2., 3.]), [("x", ["a", "b", "c"])])
        lt.select(x, {"x": slice("b", "c")}).tensor  # [2., 3.]
    """
    with name_scope(name, "lt_select", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        places, lists = {}, {}
        for n, wanted in selection.items():
            axis = _labelled(x, n)
            if isinstance(wanted, slice):
                places[n] = _range(axis, wanted)
            elif isinstance(wanted, list | tuple):
                lists[n] = [axis.index(v) for v in wanted]
            else:
                places[n] = axis.index(wanted)
        if len(lists) > 1:
            raise NotImplementedError(
                "multiple indexer lists are not yet supported; select along one axis "
                "after the other"
            )
        found = slice_function(x, places, name=None if lists else scope)
        for n, chosen in lists.items():
            place = list(found.axes).index(n)
            tensor = index.gather(
                found.tensor, constants.constant(chosen, dtypes.int32), axis=place
            )
            labels = [found.axes[n].labels[i] for i in chosen]
            axes = [(n, labels) if a.name == n else a for a in found.axes.values()]
            found = LabeledTensor(constants.identity(tensor, name=scope), axes)
        return found


def _labelled(x: LabeledTensor, name: str) -> Axis:
    if name not in x.axes:
        raise ValueError(
            f"The tensor does not have an axis named {name}. Its axes are: "
            f"{x.axes.keys()!r}"
        )
    axis = x.axes[name]
    if axis.labels is None:
        raise ValueError(
            f"The axis named {name} does not have labels. The axis is: {axis!r}"
        )
    return axis


def _range(axis: Axis, wanted: slice) -> slice:
    if wanted.step is not None:
        raise NotImplementedError("slicing with a step is not yet supported")
    start = None if wanted.start is None else axis.index(wanted.start)
    stop = None if wanted.stop is None else axis.index(wanted.stop) + 1
    return slice(start, stop)


# ------------------------------------------------------------------------ joining
def concat(
    labeled_tensors: Any, axis_name: str, name: str | None = None
) -> LabeledTensor:
    """Tensors behind one another along an axis they have; the others are the same.

    Raises:
        ValueError: there are none, one has no such axis, another axis is not the same,
            or a label would come twice.
    """
    with name_scope(name, "lt_concat", labeled_tensors) as scope:
        xs = _converted(labeled_tensors)
        if not xs:
            raise ValueError(f"concat expects at least 1 tensor, but received {xs}")
        _check_name(axis_name, xs[0])
        others = xs[0].axes.remove(axis_name)
        for x in xs[1:]:
            if x.axes.remove(axis_name) != others:
                raise ValueError(
                    "Mismatched shared axes: the first tensor had axes "
                    f"{others!r} but this tensor has axes "
                    f"{x.axes.remove(axis_name)!r}."
                )
        parts = [x.axes[axis_name] for x in xs]
        labels = None
        if all(a.labels is not None for a in parts):
            labels = Axis(axis_name, [v for a in parts for v in a.labels]).labels
        place = list(xs[0].axes).index(axis_name)
        tensor = joining.concat([x.tensor for x in xs], place, name=scope)
        value = tensor.get_shape().dims[place] if labels is None else labels
        axes = [(n, value) if n == axis_name else a for n, a in xs[0].axes.items()]
        return LabeledTensor(tensor, axes)


def _check_name(name: str, x: LabeledTensor) -> None:
    if name not in x.axes:
        raise ValueError(f"{name} not in {list(x.axes)!r}")


def pack(
    labeled_tensors: Any, new_axis: Any, axis_position: int = 0,
    name: str | None = None,
) -> LabeledTensor:  # fmt: skip
    """Tensors of the same axes along a new one.

    Args:
        new_axis: its name, or a pair of it and labels. axis_position: where it lies.
    Raises:
        ValueError: there are none, or their axes are not the same.
    """
    with name_scope(name, "lt_pack", labeled_tensors) as scope:
        xs = _converted(labeled_tensors)
        if not xs:
            raise ValueError(f"pack expects at least 1 tensors, but received {xs}")
        axes = list(xs[0].axes.values())
        for x in xs[1:]:
            if x.axes != xs[0].axes:
                raise ValueError(
                    f"Non-identical axes. Expected {xs[0].axes!r} but got {x.axes!r}"
                )
        tensor = joining.stack([x.tensor for x in xs], axis_position, name=scope)
        made = (new_axis, len(xs)) if isinstance(new_axis, str) else new_axis
        axes.insert(axis_position, as_axis(made))
        return LabeledTensor(tensor, axes)


def unpack(
    labeled_tensor: Any, axis_name: Any = None, name: str | None = None
) -> list[LabeledTensor]:
    """A tensor for each place along an axis, the first by default.

    Raises:
        ValueError: there is no such axis.
    """
    with name_scope(name, "lt_unpack", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names = list(x.axes)
        axis_name = names[0] if axis_name is None else axis_name
        _check_name(axis_name, x)
        found = joining.unstack(x.tensor, axis=names.index(axis_name), name=scope)
        return [LabeledTensor(t, x.axes.remove(axis_name)) for t in found]


# ------------------------------------------------------------------------ axes
def reshape(
    labeled_tensor: Any, existing_axes: Any, new_axes: Any, name: str | None = None
) -> LabeledTensor:
    """New axes in the place of some that lie beside each other.

    Args:
        existing_axes: their names, in order.
        new_axes: Axis objects or pairs, or names, of which one may have a size that is
            found out.
    Raises:
        ValueError: there are no such axes. AxisOrderError: they lie elsewhere.
    """
    with name_scope(name, "lt_reshape", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names, old = list(x.axes), list(existing_axes)
        if not set(old) <= set(names):
            raise ValueError(
                f"existing_axes {old!r} are not contained in the set of axis names "
                f"{names!r} on the input labeled tensor"
            )
        start = names.index(old[0])
        if names[start : start + len(old)] != old:
            raise AxisOrderError(
                f"existing_axes {old!r} are not a slice of axis names {names!r} on the "
                "input labeled tensor. Use `transpose` or `impose_axis_order` to "
                "reorder axes on the input explicitly."
            )
        made = [(a, None) if isinstance(a, str) else as_axis(a) for a in new_axes]
        kept = [x.axes[n] for n in names]
        axes = [*kept[:start], *map(as_axis, made), *kept[start + len(old) :]]
        sizes = [-1 if a.size is None else a.size for a in axes]
        tensor = shape.reshape(x.tensor, sizes, name=scope)
        dims = tensor.get_shape().dims
        return LabeledTensor(tensor, Axes([
            a if a.labels is not None else Axis(a.name, d)
            for a, d in zip(axes, dims, strict=True)
        ]))  # fmt: skip


def rename_axis(
    labeled_tensor: Any, existing_name: str, new_name: str, name: str | None = None
) -> LabeledTensor:
    """The same with another name for an axis.

    Raises:
        ValueError: there is no such axis, or one of the new name.
    """
    with name_scope(name, "lt_rename_axis", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        if existing_name not in x.axes:
            raise ValueError(
                f"existing_name {existing_name!r} are not contained in the set of axis "
                f"names {x.axes.keys()!r} on the input labeled tensor"
            )
        value = x.axes[existing_name].value
        return reshape(x, [existing_name], [(new_name, value)], name=scope)


def squeeze(
    labeled_tensor: Any, axis_names: Any = None, name: str | None = None
) -> LabeledTensor:
    """The same without axes of size 1.

    Args:
        axis_names: which ones; all of them by default.
    Raises:
        ValueError: there is no such axis, or it has another size.
    """
    with name_scope(name, "lt_squeeze", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names = [n for n in x.axes if x.axes[n].size == 1]
        names = names if axis_names is None else list(axis_names)
        for n in names:
            if n not in x.axes:
                raise ValueError(f"axis {n} is not in tensor axes {x.axes!r}")
            if x.axes[n].size != 1:
                raise ValueError(
                    "cannot squeeze axis with size greater than 1: "
                    f"({n}, {x.axes[n]!r})"
                )
        places = [i for i, n in enumerate(x.axes) if n in names]
        found = shape.squeeze(x.tensor, places, name=scope) if places else (
            constants.identity(x.tensor, name=scope)
        )  # fmt: skip
        return LabeledTensor(found, [a for n, a in x.axes.items() if n not in names])


# ------------------------------------------------------------------------ sizes
def tile(labeled_tensor: Any, multiples: Any, name: str | None = None) -> LabeledTensor:
    """Several times along axes without labels.

    Args:
        multiples: dict from names of axes to how often.
    Raises:
        ValueError: there is no such axis, or it has labels.
    """
    with name_scope(name, "lt_tile", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        _check_names(multiples, x, "tile")
        labelled = [n for n in multiples if x.axes[n].labels is not None]
        if labelled:
            raise ValueError(f"cannot tile axes with tick labels: {labelled!r}")
        times = [multiples.get(n, 1) for n in x.axes]
        tensor = joining.tile(x.tensor, times, name=scope)
        dims = zip(x.axes.items(), tensor.get_shape().dims, strict=True)
        return LabeledTensor(
            tensor, [(n, d) if n in multiples else a for (n, a), d in dims]
        )


def _check_names(names: Any, x: LabeledTensor, what: str) -> None:
    if not set(names) <= set(x.axes):
        raise ValueError(
            f"{what} axes {names.keys()!r} are not contained in the set of axis names "
            f"{x.axes!r} on the input labeled tensor"
        )


def pad(
    labeled_tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None
) -> LabeledTensor:
    """More places before and behind along axes.

    Args:
        paddings: dict from names of axes to a pair, of sizes or of lists of labels.
        mode: see tf.pad.
    Raises:
        ValueError: there is no such axis.
    """
    with name_scope(name, "lt_pad", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        _check_names(paddings, x, "pad")
        counts, axes = [], []
        for n, axis in x.axes.items():
            before, after = paddings.get(n, (0, 0))
            sides = [p if isinstance(p, int) else len(p) for p in (before, after)]
            counts.append(sides)
            plain = isinstance(before, int) or isinstance(after, int)
            if n not in paddings:
                axes.append(axis)
            elif plain or axis.labels is None:
                axes.append(Axis(n, axis.dimension + sum(sides)))
            else:
                axes.append(Axis(n, [*before, *axis.labels, *after]))
        return LabeledTensor(
            padding.pad(x.tensor, counts, mode, name=scope), Axes(axes)
        )


def random_crop(
    labeled_tensor: Any, shape_map: Any, seed: Any = None, name: str | None = None
) -> LabeledTensor:
    """A part at a random place.

    Args:
        shape_map: dict from names of axes to sizes; they lose their labels.
    Raises:
        ValueError: there is no such axis.
    """
    with name_scope(name, "lt_random_crop", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        for n in shape_map:
            if n not in x.axes:
                raise ValueError(f"Selection axis {n} not in axes {x.axes!r}")
        axes = [(n, shape_map[n]) if n in shape_map else a for n, a in x.axes.items()]
        made = Axes(axes)
        sizes = [a.size for a in made.values()]
        return LabeledTensor(choice.random_crop(x.tensor, sizes, seed, scope), made)


# ------------------------------------------------------------------------ values
def constant(
    value: Any, dtype: Any = None, axes: Any = None, name: str | None = None
) -> LabeledTensor:
    """A constant with axes.

    Args:
        value, dtype: see tf.constant. axes: names, Axis objects or pairs; their sizes
            are its shape where all are known.
    Example:
        lt = tf.contrib.labeled_tensor
        lt.constant(7, axes=[("x", 2)]).tensor  # [7, 7]
    """
    with name_scope(name, "lt_constant") as scope:
        axes = [] if axes is None else axes
        listed = axes.values() if isinstance(axes, Axes) else axes
        sized = None
        if listed and not any(isinstance(a, str) for a in listed):
            sized = [as_axis(a).size for a in listed]
        found = constants.constant(value, dtype, sized, name=scope)
        return LabeledTensor(found, axes)


def _of_each(op_name: str, make: Callable) -> Callable:
    def op(labeled_tensor: Any, argument: Any, name: str | None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            return LabeledTensor(make(x.tensor, argument, scope), x.axes)

    return op


_zeros_like = _of_each("zeros_like", lambda t, d, s: creation.zeros_like(t, d, s))
_ones_like = _of_each("ones_like", lambda t, d, s: creation.ones_like(t, d, s))
_cast = _of_each("cast", lambda t, d, s: constants.cast(t, d or t.dtype, name=s))
_finite = _of_each(
    "verify_tensor_all_finite",
    lambda t, m, s: numbers.verify_tensor_all_finite(t, m, name=s),
)


def zeros_like(
    labeled_tensor: Any, dtype: Any = None, name: str | None = None
) -> LabeledTensor:
    """Zeros with the same axes, and the same dtype if none is given."""
    return _zeros_like(labeled_tensor, dtype, name)


def ones_like(
    labeled_tensor: Any, dtype: Any = None, name: str | None = None
) -> LabeledTensor:
    """Ones with the same axes, and the same dtype if none is given."""
    return _ones_like(labeled_tensor, dtype, name)


def cast(
    labeled_tensor: Any, dtype: Any = None, name: str | None = None
) -> LabeledTensor:
    """The same numbers in another dtype."""
    return _cast(labeled_tensor, dtype, name)


def verify_tensor_all_finite(
    labeled_tensor: Any, message: str, name: str | None = None
) -> LabeledTensor:
    """The same, if all numbers are finite; see tf.verify_tensor_all_finite."""
    return _finite(labeled_tensor, message, name)


class ReshapeCoder:
    """Puts axes together, and takes them apart again.

    Args:
        existing_axis_names, new_axes: see `reshape`.
    Example:
        lt = tf.contrib.labeled_tensor
        x = lt.LabeledTensor(tf.ones([2, 3]), ["row", "column"])
        coder = lt.ReshapeCoder(["row", "column"], ["place"])
        coder.decode(coder.encode(x) * 2.).shape  # (2, 3)
    """

    def __init__(
        self, existing_axis_names: Any, new_axes: Any, name: str | None = None
    ) -> None:
        self._names, self._new, self._name = existing_axis_names, new_axes, name
        self._before: Any = None

    def encode(self, labeled_tensor: Any) -> LabeledTensor:
        """The tensor with the new axes."""
        with name_scope(self._name, "lt_reshape_encode", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            self._before = [x.axes[n] for n in self._names if n in x.axes]
            return reshape(x, self._names, self._new, name=scope)

    def decode(self, labeled_tensor: Any) -> LabeledTensor:
        """A tensor with the new axes, with those of the one that was encoded last.

        Raises:
            ValueError: none was.
        """
        if self._before is None:
            raise ValueError("decode called before encode")
        names = [a if isinstance(a, str) else as_axis(a).name for a in self._new]
        with name_scope(self._name, "lt_reshape_decode", [labeled_tensor]) as scope:
            return reshape(labeled_tensor, names, self._before, name=scope)

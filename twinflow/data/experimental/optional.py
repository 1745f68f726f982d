"""tf.data.experimental.Optional: an element, or that there is none."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.tensor import Tensor
from twinflow.data import structure as nested
from twinflow.data.iterators.handles import EagerIterator
from twinflow.data.structure import Structure
from twinflow.data.value_structures import OptionalStructure, ValueStructure
from twinflow.eager.tensor import wrap
from twinflow.ops.core.constant import convert_to_tensor

_END = object()


def boxed(components):
    """The array that holds the arrays of an element, or None."""
    box = np.empty((), object)
    box[()] = None if components is None else tuple(components)
    return box


def _next(iterator, output_types, output_shapes):
    try:
        return boxed(iterator.take())
    except errors.OutOfRangeError:
        return boxed(None)


IteratorGetNextAsOptional = define(
    "IteratorGetNextAsOptional",
    infer=lambda iterator, output_types, output_shapes: (),
    kernel=lambda xp: _next,
    stateful=True,
    host=True,
)

OptionalFromValue = define(
    "OptionalFromValue",
    infer=lambda components: (),
    kernel=lambda xp: boxed,
    host=True,
)

OptionalNone = define(
    "OptionalNone",
    infer=lambda: (),
    kernel=lambda xp: lambda: boxed(None),
    host=True,
)


def _has_value(box):
    return np.bool_(np.asarray(box, object)[()] is not None)


OptionalHasValue = define(
    "OptionalHasValue",
    infer=lambda optional: (),
    kernel=lambda xp: _has_value,
    host=True,
)


def _value(box, output_types, output_shapes):
    found = np.asarray(box, object)[()]
    if found is None:
        raise errors.invalid("The given optional does not have a value.")
    return found


OptionalGetValue = define(
    "OptionalGetValue(optional: variant) -> (components: *Tout)"
    "; output_types=None, output_shapes=None",
    infer=None,
    kernel=lambda xp: _value,
    host=True,
)


class Optional:
    """An element of a dataset that may be there or not.

    Example:
        iterator = tf.data.Dataset.range(5, 6).make_one_shot_iterator()
        element = tf.data.experimental.get_next_as_optional(iterator)
        sess = tf.Session()
        sess.run([element.has_value(), element.get_value()])  # [True, 5]
    """

    def __init__(self, variant: Any, value_structure: ValueStructure) -> None:
        self._variant, self._value_structure = variant, value_structure
        self._structure = value_structure.structure

    @staticmethod
    def from_value(value: Any) -> "Optional":
        """The Optional that has `value`, a tensor or a structure of tensors.

        Raises:
            TypeError: it cannot be an element.
        """
        value = nested.with_tensors(value)
        flat = [_tensor(v) for v in nested.flatten(value)]
        types, shapes = [t.dtype for t in flat], [t._shape for t in flat]
        structure = Structure(nested.template_of(value), types, shapes)
        if dispatch.current_mode().eager:
            variant = wrap(boxed([t._a for t in flat]), dtypes.variant)
        else:
            variant = apply(OptionalFromValue, (flat,), None, "optional")
        return Optional(variant, ValueStructure.of(structure))

    @staticmethod
    def none_from_structure(value_structure: Any) -> "Optional":
        """The Optional without a value.

        Args:
            value_structure: the `value_structure` of another one.
        """
        if not isinstance(value_structure, ValueStructure):
            raise TypeError(
                "Expected the `value_structure` of an Optional, got "
                f"{value_structure!r}."
            )
        return Optional(apply(OptionalNone, ()), value_structure)

    @property
    def value_structure(self) -> ValueStructure:
        """What the value looks like, for `none_from_structure`."""
        return self._value_structure

    def has_value(self, name: str | None = None) -> Tensor:
        """bool[]: whether there is a value."""
        return apply(OptionalHasValue, (self._variant,), None, name)

    def get_value(self, name: str | None = None) -> Any:
        """The value, in its form.

        Raises:
            InvalidArgumentError (at run time): there is none.
        """
        structure, mode = self._structure, dispatch.current_mode()
        if mode.eager:
            flat = _value(self._variant._a, structure.types, structure.shapes)
            return structure.pack([wrap(a, d) for a, d in zip(flat, structure.types)])
        attrs = {"output_types": structure.types, "output_shapes": structure.shapes}
        specs = list(zip(structure.types, structure.shapes))
        args, name = [mode.tensor(self._variant)], name or "OptionalGetValue"
        node = mode.append_node(OptionalGetValue, args, attrs, name, specs)
        return structure.pack(node.outputs)

    def __repr__(self):
        return f"<Optional of {self._structure}>"


OptionalStructure.make = Optional
ValueStructure.further.append((Optional, OptionalStructure.from_value))


def _tensor(value):
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Could not build a structure for {value!r}: {error}") from None


def get_next_as_optional(iterator: Any) -> Optional:
    """The next element as an Optional, which has no value after the last one.

    Args:
        iterator: an Iterator, of either mode.
    Returns:
        An Optional. In a graph each run of it moves the iterator on by one.
    Raises:
        TypeError: it is no iterator. FailedPreconditionError (at run time): it has not
            been initialised.
    """
    structure = getattr(iterator, "_structure", None)
    if not isinstance(structure, Structure):
        raise TypeError(
            f"Expected an iterator over a dataset, got {iterator!r}. Pass what "
            "dataset.make_one_shot_iterator() or iter(dataset) gives."
        )
    if isinstance(iterator, EagerIterator) and dispatch.current_mode().eager:
        found = next(iterator._cell.elements, None)
        box = wrap(boxed(found), dtypes.variant)
        return Optional(box, ValueStructure.of(structure))
    attrs = {"output_types": structure.types, "output_shapes": structure.shapes}
    variant = apply(IteratorGetNextAsOptional, (iterator._handle,), attrs)
    return Optional(variant, ValueStructure.of(structure))

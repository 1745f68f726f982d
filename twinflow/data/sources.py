"""What datasets start from: components given by the user, and Python generators."""

import traceback

import numpy as np

from twinflow.base import errors
from twinflow.base.advice import advised
from twinflow.base.convert import to_array
from twinflow.base.depth import too_deep
from twinflow.base.shapes import TensorShape
from twinflow.data.functions import is_tensor
from twinflow.data.pipeline import stages, windows
from twinflow.data.structure import (
    Structure,
    compatible,
    flatten,
    template_of,
    with_tensors,
)
from twinflow.data.structure import flatten_up_to as up_to
from twinflow.ops.core.constant import convert_to_tensor, has_tensor


def components(value):
    """The components of a structure as arrays of our own, or tensors.

    Returns:
        (list of arrays and tensors, Structure)
    """
    try:
        value = with_tensors(value)
    except RecursionError as error:
        raise too_deep(error, value) from None
    found = [_component(v) for v in flatten(value)]
    types = [dtype for _, dtype, _ in found]
    shapes = [shape for _, _, shape in found]
    return [v for v, _, _ in found], Structure(template_of(value), types, shapes)


def _component(value):
    if is_tensor(value) or has_tensor(value):
        t = convert_to_tensor(value)
        return t, t.dtype, t._shape
    array, dtype = to_array(value)
    return array, dtype, array.shape


def row_structure(structure):
    """The Structure of the rows of components.

    Raises:
        ValueError: a component is a scalar, or they are not equally long.
    """
    if not structure.is_plain:
        return structure.unbatched()
    length = None
    for shape in structure.shapes:
        if shape == ():
            raise ValueError(
                "Dataset.from_tensor_slices() cuts tensors along their first axis, but "
                "got a scalar. Use Dataset.from_tensors() for a single element."
            )
        if shape is None or shape[0] is None:
            continue
        if length is not None and length != shape[0]:
            raise advised(
                ValueError, f"Dimensions {length} and {shape[0]} are not compatible"
            )
        length = shape[0]
    return structure.with_shapes([s if s is None else s[1:] for s in structure.shapes])


def rows(arrays, leaves):
    """The source of the rows of arrays, checked now that their shapes are known."""
    if any(leaf for leaf, _ in leaves):
        parts = [
            windows.sparse_rows(*arrays[at]) if leaf else stages.slices(arrays[at])
            for leaf, at in leaves
        ]
        return stages.zipped(parts)
    if any(np.ndim(a) == 0 for a in arrays):
        raise errors.invalid("All components must be at least 1-dimensional")
    lengths = [len(a) for a in arrays]
    if len(set(lengths)) > 1:
        raise errors.invalid(f"Components must be equally long, got lengths {lengths}.")
    return stages.slices(arrays)


def yielded(generator, args, structure):
    """The source of what `generator(*args)` yields, as arrays of `structure`."""
    return stages.generated(lambda: _Yielded(generator, args, structure))


class _Yielded:
    """Elements from a Python generator; its errors become those of the family."""

    def __init__(self, generator, args, structure):
        self.generator, self.args, self.structure = generator, args, structure
        self.values = None

    def __iter__(self):
        return self

    def __next__(self):
        try:
            if self.values is None:
                self.values = iter(self.generator(*self.args))
            return _converted(next(self.values), self.structure)
        except StopIteration:
            raise
        except Exception as error:
            raise as_op_error(error) from error


def _converted(value, structure):
    try:
        flat = up_to(structure.template, value)
    except TypeError:
        raise advised(
            TypeError,
            "`generator` yielded an element that did not match the expected structure. "
            f"The expected structure was {structure.output_types}, but the yielded "
            f"element was {value}.",
        ) from None
    parts = zip(flat, structure.types, structure.shapes)
    return [_array(v, dtype, shape) for v, dtype, shape in parts]


def _array(value, dtype, shape):
    try:
        if dtype.np.kind == "O":
            found = to_array(value, dtype)[0]
        else:
            found = np.array(value, dtype.np)
    except (TypeError, ValueError):
        raise advised(
            TypeError,
            "`generator` yielded an element that could not be converted to the "
            f"expected type. The expected type was {dtype.name}, but the yielded "
            f"element was {value}.",
        ) from None
    if not compatible(shape, found.shape):
        raise advised(
            ValueError,
            f"`generator` yielded an element of shape {found.shape} where an element "
            f"of shape {TensorShape(shape)} was expected.",
        )
    return found


_KINDS = {
    ValueError: errors.InvalidArgumentError,
    TypeError: errors.InvalidArgumentError,
    MemoryError: errors.ResourceExhaustedError,
    NotImplementedError: errors.UnimplementedError,
}


def as_op_error(error):
    """An error of the user's Python as one of tf.errors; the text has its traceback."""
    if isinstance(error, errors.OpError):
        return error
    kinds = (k for cls, k in _KINDS.items() if isinstance(error, cls))
    kind = next(kinds, errors.UnknownError)
    where = "".join(traceback.format_exception(error))
    return kind(None, None, f"{type(error).__name__}: {error}\n{where}")

"""tensorflow.python.data.experimental.ops.map_defun: functions of rows."""

from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.graph.map_fn import map_fn
from twinflow.ops.core.constant import convert_to_tensor


def map_defun(fn, elems, output_dtypes, output_shapes):
    """What a function gives for the rows of tensors, stacked.

    Args:
        fn: a Defun. elems: a list of tensors with first axes of one length.
        output_dtypes, output_shapes: lists of what it gives for a row.
    Returns:
        A list of tensors.
    Raises:
        ValueError: an argument is no list, or a tensor has no rows.
    """
    for name, value, what in [
        ("elems", elems, "tensors"),
        ("output_dtypes", output_dtypes, "types"),
        ("output_shapes", output_shapes, "shapes"),
    ]:
        if not isinstance(value, list):
            raise ValueError(f"`{name}` must be a list of {what}.")
    elems = [convert_to_tensor(e) for e in elems]
    if any(e.shape.ndims == 0 for e in elems):
        raise ValueError("Inputs must have rank at least 1.")

    def row(parts):
        found = fn(*parts)
        return tuple(found) if isinstance(found, list | tuple) else (found,)

    types = tuple(map(as_dtype, output_dtypes))
    found = map_fn(row, tuple(elems), dtype=types)
    for tensor, shape in zip(found, output_shapes, strict=True):
        if shape is not None and tensor.symbolic:
            rows = elems[0].shape[:1] if elems else [None]
            tensor.set_shape(TensorShape(rows).concatenate(shape))
    return list(found)

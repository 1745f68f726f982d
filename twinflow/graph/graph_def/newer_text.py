"""What text layers of TensorFlow 2 use: letters in lower case, rows made dense.

Rules as those of graph.graph_def.newer_built.
"""

import string
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.formats import attr_values
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.elementwise import add, maximum
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.strings.rewrite import regex_replace


def _ragged_to_tensor(
    node_def: Any, sizes: Any, values: Any, default: Any, *parts: Any
) -> list:
    """The rows of values in a tensor, cut off or filled up to its sizes."""
    said = node_def.attr["row_partition_types"]
    kinds = list(attr_values.from_proto(said, "list(string)"))
    lengths = _lengths(kinds, parts)
    whole = cast(sizes, dtypes.int32)
    if whole._shape == ():  # -1: no size is given
        whole = stack([whole, whole])
    rows = _size(whole, 0, shape(lengths)[0])
    width = _size(whole, 1, reduce_max(concat([lengths, zeros([1], dtypes.int32)], 0)))
    missing = maximum(rows - shape(lengths)[0], 0)
    lengths = concat([lengths, zeros([missing], dtypes.int32)], 0)[:rows]
    columns = expand_dims(numbers(width), 0)
    there = less(columns, expand_dims(lengths, 1))
    places = add(expand_dims(cumsum(lengths, exclusive=True), 1), columns)
    count = shape(values)
    fill = broadcast_to(default, concat([[1], count[1:]], 0))
    behind = broadcast_to(count[0], shape(places))
    return [gather(concat([values, fill], 0), where(there, places, behind))]


def _size(sizes: Any, at: int, own: Any) -> Any:
    """The size that is asked for, or that of the rows where it is -1."""
    return where(less(sizes[at], 0), own, sizes[at])


def _lengths(kinds: list, parts: tuple) -> Any:
    """How long the rows are."""
    parts = tuple(cast(p, dtypes.int32) for p in parts)
    if kinds == ["ROW_SPLITS"]:
        return parts[0][1:] - parts[0][:-1]
    if kinds == ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]:
        return unsorted_segment_sum(ones_like(parts[1]), parts[1], parts[0])
    raise ValueError(f"RaggedTensorToTensor of {kinds} has no counterpart here.")


def _in_case(letters: str, wanted: str) -> Callable:
    """The ASCII letters of strings in another case, one letter after the other."""

    def rule(node_def: Any, text: Any) -> list:
        if "encoding" in node_def.attr and node_def.attr["encoding"].s:
            raise ValueError(f"{node_def.op} of UTF-8 has no counterpart here.")
        for old, new in zip(letters, wanted, strict=True):
            text = regex_replace(text, old, new)
        return [text]

    return rule


RULES: dict[str, Callable] = {
    "RaggedTensorToTensor": _ragged_to_tensor,
    "StringLower": _in_case(string.ascii_uppercase, string.ascii_lowercase),
    "StringUpper": _in_case(string.ascii_lowercase, string.ascii_uppercase),
}

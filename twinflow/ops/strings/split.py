"""Strings split into words: a sparse matrix with a row per string."""

import re
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import rank_of, text
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.strings.arrays import filled, flat, one


def _infer_split(input, delimiter, **_):
    rank_of(input, 1, "input")
    rank_of(delimiter, 0, "delimiter")
    return [(None, 2), (None,), (2,)]


def _checked(input, delimiter, word):
    if np.ndim(input) != 1:
        raise invalid(f"input must be a vector, got shape: {text(np.shape(input))}")
    if np.ndim(delimiter):
        raise invalid(
            f"{word} must be a scalar, got shape: {text(np.shape(delimiter))}"
        )
    return flat(input), one(delimiter)


def _ragged(rows):
    """Rows of different lengths as indices, values and the dense shape."""
    lengths = np.array([len(r) for r in rows], np.int64)
    indices = np.empty((int(lengths.sum()), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), lengths)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    indices[:, 1] = np.arange(len(indices)) - starts
    values = filled([v for row in rows for v in row], (len(indices),))
    return indices, values, np.array([len(rows), lengths.max(initial=0)], np.int64)


def _split_kernel(input, delimiter, skip_empty):
    values, delimiter = _checked(input, delimiter, "delimiter")
    if delimiter:
        one_of = re.compile(b"[" + b"".join(map(_escaped, delimiter)) + b"]")
        rows = [one_of.split(v) if v else [] for v in values]
    else:
        rows = [[bytes((c,)) for c in v] for v in values]
    if skip_empty:
        rows = [[w for w in row if w] for row in rows]
    return _ragged(rows)


def _escaped(byte):
    return b"\\x%02x" % byte


StringSplit = define("StringSplit", infer=_infer_split, host=_split_kernel, strict=True)


def string_split(
    source: Any, delimiter: TensorValue = " ", skip_empty: bool = True
) -> SparseTensor:
    """Each string split at any of the characters of `delimiter`.

    Args:
        source: string[n].
        delimiter: string scalar; each of its bytes splits; "" = between all bytes.
        skip_empty: leave out empty words.
    Returns:
        A SparseTensor of string[n, most words].
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): `source` is no vector.
    Example:
        tf.string_split(["a b", "c"]).values  # [b"a", b"b", b"c"]
    """
    delimiter = convert_to_tensor(delimiter, dtypes.string)
    source = convert_to_tensor(source, dtypes.string)
    attrs = {"skip_empty": skip_empty}
    return SparseTensor(*apply(StringSplit, (source, delimiter), attrs))


def _split_v2_kernel(input, sep, maxsplit):
    values, sep = _checked(input, sep, "sep")
    return _ragged([_words(v, sep, maxsplit) for v in values])


def _words(value, sep, maxsplit):
    """As bytes.split, but no split at all leaves the string as it is."""
    return [value] if maxsplit == 0 else value.split(sep or None, maxsplit)


StringSplitV2 = define(
    "StringSplitV2", infer=_infer_split, host=_split_v2_kernel, strict=True
)


def string_split_v2(
    source: Any, sep: TensorValue | None = None, maxsplit: int = -1
) -> SparseTensor:
    """Each string split at `sep`, as Python's str.split does.

    Args:
        source: string[n].
        sep: string scalar, a whole separator; None or "" = runs of white space, and
            none at the ends.
        maxsplit: split at most so often; -1 = everywhere.
    Returns:
        A SparseTensor of string[n, most words].
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): `source` is no vector.
    Example:
        tf.strings.split(["1<>2", "<>4"], "<>").values  # [b"1", b"2", b"", b"4"]
    """
    sep = convert_to_tensor("" if sep is None else sep, dtypes.string)
    source = convert_to_tensor(source, dtypes.string)
    attrs = {"maxsplit": maxsplit}
    return SparseTensor(*apply(StringSplitV2, (source, sep), attrs))

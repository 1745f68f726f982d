"""Rows and columns of a matrix of a checkpoint, as other vocabularies order them."""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.formats import checkpoint_v2
from twinflow.ops.core.infer import attr_at_least, rank_of
from twinflow.ops.strings.arrays import as_text, one
from twinflow.ops.tables.files import LINE_NUMBER, WHOLE_LINE, read_columns

_COLUMNS = [(WHOLE_LINE, dtypes.string), (LINE_NUMBER, dtypes.int64)]


# ---------------------------------------------------------------------- words
def places_of(new, old, offset, count, old_size):
    """Where the words of some lines of one file are in another one.

    Args:
        new, old: paths. offset, count: which lines of the new one.
        old_size: how many lines of the old one count; -1 = all.
    Returns:
        int64[count]: line numbers, -1 for words that are not there.
    """
    for kind, path in ("new", new), ("old", old):
        if not path:
            raise invalid(f"{kind} vocab filename cannot be empty.")
    places: dict = {}
    for word, place in zip(*read_columns(old, _COLUMNS, old_size)):
        if places.setdefault(word, place) != place:
            raise errors.FailedPreconditionError(
                None, None,
                "HashTable has different value for same key. Key "
                f"{as_text(word)} has {places[word]} and trying to add value {place}",
            )  # fmt: skip
    words = read_columns(new, _COLUMNS)[0]
    if len(words) < offset + count:
        raise invalid(
            "lookup table size must be larger than last new vocab entry's line"
        )
    wanted = words[offset : offset + count]
    return np.array([places.get(w, -1) for w in wanted], np.int64)


def _remap(new_vocab_file, old_vocab_file, new_vocab_offset, num_new_vocab,
           old_vocab_size):  # fmt: skip
    new, old = (as_text(one(f)) for f in (new_vocab_file, old_vocab_file))
    found = places_of(new, old, new_vocab_offset, num_new_vocab, old_vocab_size)
    return found, np.array((found >= 0).sum(), np.int32)


def _infer_remap(new_vocab_file, old_vocab_file, new_vocab_offset, num_new_vocab,
                 old_vocab_size):  # fmt: skip
    rank_of(new_vocab_file, 0, "new_vocab_file")
    rank_of(old_vocab_file, 0, "old_vocab_file")
    given = {"new_vocab_offset": new_vocab_offset, "num_new_vocab": num_new_vocab}
    for name, number in given.items():
        attr_at_least(0, "GenerateVocabRemapping", name, number)
    return [(num_new_vocab,), ()]


GenerateVocabRemapping = define(
    "GenerateVocabRemapping", infer=_infer_remap, host=_remap
)


def generate_vocab_remapping(
    new_vocab_file, old_vocab_file, new_vocab_offset, num_new_vocab, old_vocab_size=-1,
    name=None,
):  # fmt: skip
    """Where the words of one vocabulary are in another one.

    Args:
        new_vocab_file, old_vocab_file: string[], text files with a word in each line.
        new_vocab_offset: the first line of the new one. num_new_vocab: how many lines.
        old_vocab_size: how many lines of the old one count; -1 = all.
        name: of the node in a graph.
    Returns:
        (int64[num_new_vocab]: line numbers, -1 for words that are not there;
        int32[]: how many are there).
    Raises:
        InvalidArgumentError: a file has too few lines, or an empty one.
        FailedPreconditionError: a word is twice in the old one.
    """
    attrs = {
        "new_vocab_offset": new_vocab_offset, "num_new_vocab": num_new_vocab,
        "old_vocab_size": old_vocab_size,
    }  # fmt: skip
    inputs = (new_vocab_file, old_vocab_file)
    return apply(GenerateVocabRemapping, inputs, attrs, name)


# ---------------------------------------------------------------------- matrices
def _load(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values,
          num_rows, num_cols, max_rows_in_memory):  # fmt: skip
    name, by_column = as_text(one(old_tensor_name)), len(col_remapping) > 0
    _check_count("row", row_remapping, num_rows, "")
    _check_unique(row_remapping)
    if by_column:
        _check_count("col", col_remapping, num_cols, "Provided col_remapping, but its ")
        _check_unique(col_remapping)
    old = _matrix(as_text(np.ravel(ckpt_path)[0]), name)
    if not by_column and old.shape[1] != num_cols:
        raise invalid(
            f"Tensor {name} has shape [{old.shape[0]},{old.shape[1]}], where the size "
            f"of its 2nd dimension is {old.shape[1]} instead of being equal to "
            f"num_cols={num_cols}"
        )
    cols = np.asarray(col_remapping) if by_column else np.arange(num_cols)
    rows = np.asarray(row_remapping)
    for axis, places in enumerate((rows, cols)):
        if places.size and places.max() >= old.shape[axis]:
            raise invalid(
                f"Row or column {places.max()} is wanted of tensor {name}, which has "
                f"shape {old.shape}"
            )
    out = np.empty((num_rows, num_cols), np.float32)
    there = np.ix_(rows >= 0, cols >= 0)
    out[there] = old[np.ix_(rows[rows >= 0], cols[cols >= 0])]
    lacking = (rows < 0)[:, None] | (cols < 0)
    _check_values(initializing_values, int(lacking.sum()))
    out[lacking] = np.ravel(initializing_values)
    return out


def _matrix(prefix, name):
    """A matrix of a checkpoint.

    Raises:
        NotFoundError: there is none. InvalidArgumentError: it is no float matrix.
    """
    opened = checkpoint_v2.Bundle(prefix)
    kind = opened.dtype(name)
    if kind is not dtypes.float32:
        raise invalid(
            f"Tensor {name} has invalid type {dtypes.cpp_name(kind)} instead "
            "of expected type float"
        )
    shape = opened.shape(name)
    if len(shape) != 2:
        text = ",".join(map(str, shape))
        raise invalid(
            f"Tensor {name} has shape [{text}] of invalid rank {len(shape)} instead of "
            "expected shape of rank 2."
        )
    return opened.read(name)


def _check_count(kind, remapping, count, start):
    if len(remapping) != count:
        start = start or f"Size of {kind}_remapping "
        size = "size " if "Provided" in start else ""
        axis = "rows" if kind == "row" else "cols"
        raise invalid(
            f"{start}{size}is {len(remapping)} instead of being equal to "
            f"num_{axis}={count}"
        )


def _check_unique(remapping):
    seen: dict = {}
    for new, old in enumerate(np.asarray(remapping).tolist()):
        if old >= 0 and seen.setdefault(old, new) != new:
            raise errors.UnimplementedError(
                None, None,
                f"Old ID {old} is mapped to both new ID {seen[old]} and {new}, which "
                "is not supported.",
            )  # fmt: skip


def _check_values(values, wanted):
    given = np.size(values)
    if given < wanted:
        raise invalid(
            f"initializing_values contained {given} elements, but more missing values "
            "remain."
        )
    if given > wanted:
        raise invalid(
            f"initializing_values contained {given} elements, but only {wanted} "
            "elements were used to fill in missing values."
        )


def _infer_load(
    ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values,
    num_rows, num_cols, max_rows_in_memory,
):  # fmt: skip
    rank_of(old_tensor_name, 0, "old_tensor_name")
    rank_of(row_remapping, 1, "row_remapping")
    rank_of(col_remapping, 1, "col_remapping")
    return num_rows, num_cols


LoadAndRemapMatrix = define(
    "LoadAndRemapMatrix",
    infer=_infer_load,
    host=_load,
    stateful=True,
)


def load_and_remap_matrix(
    ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values,
    num_rows, num_cols, max_rows_in_memory=-1, name=None,
):  # fmt: skip
    """A matrix of a checkpoint with its rows and columns in another order.

    Args:
        ckpt_path: one string, a prefix. old_tensor_name: string[], of a matrix there.
        row_remapping: int64[num_rows]: the old row for each new one; -1 = none.
        col_remapping: int64[num_cols]: the same for columns; empty = as they are.
        initializing_values: float[values that no old row and column has], row by row.
        num_rows, num_cols: of the new matrix. max_rows_in_memory: accepted.
        name: of the node in a graph.
    Returns:
        float[num_rows, num_cols].
    Raises:
        NotFoundError: there is no such checkpoint or matrix.
        InvalidArgumentError: sizes do not fit. UnimplementedError: an old row or column
        is wanted twice.
    """
    inputs = (
        ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values
    )  # fmt: skip
    attrs = {
        "num_rows": num_rows, "num_cols": num_cols,
        "max_rows_in_memory": max_rows_in_memory,
    }  # fmt: skip
    return apply(LoadAndRemapMatrix, inputs, attrs, name)

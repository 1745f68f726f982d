"""Variables whose rows or columns are words, started from another vocabulary's."""

import collections
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.random.initializers_plain import TruncatedNormal, Zeros
from twinflow.ops.tables.vocabularies import (
    generate_vocab_remapping,
    load_and_remap_matrix,
    places_of,
)


class VocabInfo(
    collections.namedtuple(
        "VocabInfo",
        ["new_vocab", "new_vocab_size", "num_oov_buckets", "old_vocab",
         "old_vocab_size", "backup_initializer", "axis"],
    )
):  # fmt: skip
    """The vocabularies of a matrix, before and now; see tf.train.warm_start.

    Args:
        new_vocab: a text file with a word in each line, for the matrix of the graph.
        new_vocab_size: how many lines of it count.
        num_oov_buckets: rows (columns) behind those of the words.
        old_vocab: such a file for the matrix of the checkpoint.
        old_vocab_size: how many lines of it count; -1 = all.
        backup_initializer: of what has no old value; zeros by default.
        axis: 0: words are rows. 1: they are columns.
    Raises:
        ValueError: another axis.
    """

    def __new__(
        cls, new_vocab: Any, new_vocab_size: Any, num_oov_buckets: Any, old_vocab: Any,
        old_vocab_size: Any = -1, backup_initializer: Any = None, axis: Any = 0,
    ):  # fmt: skip
        if axis not in (0, 1):
            raise ValueError(
                "The only supported values for the axis argument are 0 and 1.  "
                f"Provided axis: {axis}"
            )
        return super().__new__(
            cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size,
            backup_initializer, axis,
        )  # fmt: skip


def remapped(shape, prefix, name, vocab):
    """The first value of a variable by its VocabInfo.

    Args:
        shape: the static shape of the variable. prefix: of the checkpoint.
        name: of the matrix there. vocab: the VocabInfo.
    Returns:
        float[shape].
    Raises:
        ValueError: the shape is no matrix, or a file is not told.
    """
    if not (vocab.new_vocab and vocab.new_vocab_size and vocab.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, "
            "current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    if len(shape) != 2:
        raise ValueError(
            f"Only matrices are started from another vocabulary, got shape {shape} for "
            f"{name}. Start it without, from tf.train.load_variable."
        )
    sizes, side = list(shape), ("row", "col")[vocab.axis]
    sizes[vocab.axis] = vocab.new_vocab_size
    options = {
        f"old_{side}_vocab_file": vocab.old_vocab,
        f"new_{side}_vocab_file": vocab.new_vocab,
        f"num_{side}_oov_buckets": vocab.num_oov_buckets,
    }
    load = load_and_remap_matrix_initializer(
        prefix, name, *sizes, vocab.old_vocab_size if side == "row" else -1,
        initializer=vocab.backup_initializer, **options,
    )  # fmt: skip
    return load(shape)


def load_and_remap_matrix_initializer(
    ckpt_path: Path, old_tensor_name: str, new_row_vocab_size: Any,
    new_col_vocab_size: Any, old_row_vocab_size: int = -1,
    old_row_vocab_file: str | None = None, new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None, new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0, num_col_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable:  # fmt: skip
    """An initialiser that loads a matrix of a checkpoint for other vocabularies.

    Args:
        ckpt_path: a prefix. old_tensor_name: the float matrix there.
        new_row_vocab_size, new_col_vocab_size: rows and columns without buckets.
        old_row_vocab_size: how many lines of the old rows' file count; -1 = all.
        old_row_vocab_file, new_row_vocab_file, old_col_vocab_file, new_col_vocab_file:
            text files with a word in each line; both of a pair, or neither.
        num_row_oov_buckets, num_col_oov_buckets: rows and columns behind the words.
        initializer: of what has no old value; zeros by default.
        max_rows_in_memory: accepted.
    Returns:
        A function from a shape to float[shape].
    Raises:
        TypeError: `initializer` is no function. ValueError (in use): sizes do not fit.
    """
    fill = Zeros() if initializer is None else initializer
    if not callable(fill):
        raise TypeError(
            f"initializer must be callable, instead of being {fill} of type "
            f"{type(fill)}."
        )
    _check_pairs(old_row_vocab_file, new_row_vocab_file, "row")
    _check_pairs(old_col_vocab_file, new_col_vocab_file, "col")
    row_files, col_files = (
        (new_row_vocab_file, old_row_vocab_file),
        (new_col_vocab_file, old_col_vocab_file),
    )

    def load(shape, dtype=dtypes.float32, partition_info=None):
        buckets = num_row_oov_buckets, num_col_oov_buckets
        _check_shape(shape, (new_row_vocab_size, new_col_vocab_size), buckets)
        behind = max(0, shape[0] - new_row_vocab_size)
        count = shape[0] - behind
        rows, rows_there = _places(
            row_files, count, old_row_vocab_size, list(range(count))
        )
        cols, cols_there = _places(col_files, new_col_vocab_size, -1, [])
        lacking = count * new_col_vocab_size - rows_there * cols_there
        found = load_and_remap_matrix(
            ckpt_path, old_tensor_name, rows, cols, fill([lacking, 1]), count,
            new_col_vocab_size,
        )  # fmt: skip
        if behind:
            found = concat([found, fill([behind, new_col_vocab_size])], 0)
        if num_col_oov_buckets:
            found = concat([found, fill([shape[0], num_col_oov_buckets])], 1)
        return found

    return load


def load_embedding_initializer(
    ckpt_path: Path, embedding_tensor_name: str, new_vocab_size: Any,
    embedding_dim: Any, old_vocab_file: str, new_vocab_file: str,
    old_vocab_size: int = -1, num_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable:  # fmt: skip
    """`load_and_remap_matrix_initializer` for an embedding, whose rows are words.

    Args:
        initializer: of words without an old row; normal with stddev
            1 / sqrt(embedding_dim), cut at two of it, by default.
    """
    fill = initializer or TruncatedNormal(stddev=embedding_dim**-0.5)
    return load_and_remap_matrix_initializer(
        ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim, old_vocab_size,
        old_vocab_file, new_vocab_file, num_row_oov_buckets=num_oov_buckets,
        initializer=fill, max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip


def _places(files, count, old_size, without):
    """(the old place of each new row or column, how many have one)

    How many is known when the graph is made, since initialisers want a shape.
    """
    if not files[0]:
        return convert_to_tensor(without, dtypes.int64), count
    there = int((places_of(*files, 0, count, old_size) >= 0).sum())
    return generate_vocab_remapping(*files, 0, count, old_size)[0], there


def _check_pairs(old, new, kind):
    if bool(old) != bool(new):
        raise ValueError(
            f"old_{kind}_vocab_file and new_{kind}_vocab_file must both be specified "
            f"or left unspecified. old_{kind}_vocab_file='{old}', "
            f"new_{kind}_vocab_file='{new}'"
        )


def _check_shape(shape, sizes, buckets):
    if len(shape) != 2:
        raise ValueError(f"Expected 2-dim shape, but received: {shape}")
    rows, cols = (n + more for n, more in zip(sizes, buckets, strict=True))
    if shape[0] > rows:
        raise ValueError(
            f"Trying to initialize {shape[0]} additional rows after 0 rows have "
            "already been initialized, which would exceed expected total row count of "
            f"new_row_vocab_size ({sizes[0]}) + num_row_oov_buckets ({buckets[0]}) = "
            f"{rows}."
        )
    if shape[1] != cols:
        raise ValueError(
            f"Expected second dim of shape to be new_col_vocab_size ({sizes[1]}) + "
            f"num_col_oov_buckets ({buckets[1]}) = {cols}, got {shape[1]}."
        )

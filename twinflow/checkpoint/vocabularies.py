"""Variables whose rows or columns are words, started from another vocabulary's."""

from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.core.partitioned import PartitionInfo
from twinflow.ops.random.initializers_plain import TruncatedNormal, Zeros
from twinflow.ops.tables.vocabularies import (
    generate_vocab_remapping,
    load_and_remap_matrix,
    places_of,
)


class VocabInfo(
    NamedTuple(
        "VocabInfo",
        [("new_vocab", Any), ("new_vocab_size", Any), ("num_oov_buckets", Any),
         ("old_vocab", Any), ("old_vocab_size", Any), ("backup_initializer", Any),
         ("axis", Any)],
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


def remapped(part, rows, prefix, name, vocab):
    """The first value of a variable, or of a part of one, by its VocabInfo.

    Args:
        part: the variable. rows: of all of its parts. prefix: of the checkpoint.
        name: of the matrix there. vocab: the VocabInfo.
    Returns:
        float[shape of the part].
    Raises:
        ValueError: the shape is no matrix, or a file is not told.
    """
    if not (vocab.new_vocab and vocab.new_vocab_size and vocab.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, "
            "current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    shape, info = part.shape.as_list(), part._get_save_slice_info()
    if len(shape) != 2:
        raise ValueError(
            f"Only matrices are started from another vocabulary, got shape {shape} for "
            f"{name}. Start it without, from tf.train.load_variable."
        )
    sizes, side = [rows, shape[1]], ("row", "col")[vocab.axis]
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
    where = None if info is None else PartitionInfo(info.full_shape, info.var_offset)
    return load(shape, partition_info=where)


def load_and_remap_matrix_initializer(
    ckpt_path: Path, old_tensor_name: str, new_row_vocab_size: Any,
    new_col_vocab_size: Any, old_row_vocab_size: int = -1,
    old_row_vocab_file: str | None = None, new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None, new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0, num_col_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:  # fmt: skip
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
        raise advised(
            TypeError,
            f"initializer must be callable, instead of being {fill} of type "
            f"{type(fill)}.",
        )
    _check_pairs(old_row_vocab_file, new_row_vocab_file, "row")
    _check_pairs(old_col_vocab_file, new_col_vocab_file, "col")
    names = old_row_vocab_file, new_row_vocab_file
    names += old_col_vocab_file, new_col_vocab_file

    def load(shape, dtype=dtypes.float32, partition_info=None):
        buckets = num_row_oov_buckets, num_col_oov_buckets
        start = partition_info.single_offset(shape) if partition_info else 0
        sizes = new_row_vocab_size, new_col_vocab_size
        _check_shape(shape, start, sizes, buckets, dtype)
        behind = min(shape[0], max(0, start + shape[0] - new_row_vocab_size))
        return _load_and_remap_matrix(
            ckpt_path, old_tensor_name, min(start, new_row_vocab_size),
            shape[0] - behind, new_col_vocab_size, fill, old_row_vocab_size, *names,
            behind, num_col_oov_buckets, max_rows_in_memory,
        )  # fmt: skip

    return load


def _load_and_remap_matrix(
    ckpt_path, old_tensor_name, new_row_vocab_offset, num_rows_to_load,
    new_col_vocab_size, initializer, old_row_vocab_size=-1, old_row_vocab_file=None,
    new_row_vocab_file=None, old_col_vocab_file=None, new_col_vocab_file=None,
    num_row_oov_buckets=0, num_col_oov_buckets=0, max_rows_in_memory=-1,
):  # fmt: skip
    """Some rows of a matrix of a checkpoint, with rows of buckets behind them."""
    for kind, number in ("row", num_row_oov_buckets), ("col", num_col_oov_buckets):
        if number < 0:
            raise ValueError(
                f"num_{kind}_oov_buckets must be >= 0, but received {number}"
            )
    by_row, by_col = (
        (new_row_vocab_file, old_row_vocab_file),
        (new_col_vocab_file, old_col_vocab_file),
    )
    _check_pairs(*reversed(by_row), "row")
    _check_pairs(*reversed(by_col), "col")
    if not (new_row_vocab_file or new_col_vocab_file):
        raise ValueError(
            "Must provide either row or column vocab files. If no remapping is "
            "necessary, consider using `tf.contrib.framework.init_from_checkpoint` "
            "instead."
        )
    first, count, width = new_row_vocab_offset, num_rows_to_load, new_col_vocab_size
    unchanged = list(range(first, first + count))
    rows, rows_there = _places(by_row, first, count, old_row_vocab_size, unchanged)
    cols, cols_there = _places(by_col, 0, width, -1, [])
    lacking = count * width - rows_there * cols_there
    found = load_and_remap_matrix(
        ckpt_path, old_tensor_name, rows, cols, initializer([lacking, 1]), count, width,
        max_rows_in_memory,
    )  # fmt: skip
    if num_row_oov_buckets:
        found = concat([found, initializer([num_row_oov_buckets, width])], 0)
    if num_col_oov_buckets:
        rest = [count + num_row_oov_buckets, num_col_oov_buckets]
        found = concat([found, initializer(rest)], 1)
    return found


def load_embedding_initializer(
    ckpt_path: Path, embedding_tensor_name: str, new_vocab_size: Any,
    embedding_dim: Any, old_vocab_file: str, new_vocab_file: str,
    old_vocab_size: int = -1, num_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:  # fmt: skip
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


def load_linear_multiclass_bias_initializer(
    ckpt_path: Path, bias_tensor_name: str, new_class_vocab_size: Any,
    old_class_vocab_file: str, new_class_vocab_file: str,
    num_class_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:  # fmt: skip
    """`load_and_remap_matrix_initializer` for a bias with a row for each class.

    Args:
        initializer: of classes without an old row; zeros by default.
    """
    return load_and_remap_matrix_initializer(
        ckpt_path, bias_tensor_name, new_class_vocab_size, 1,
        old_row_vocab_file=old_class_vocab_file,
        new_row_vocab_file=new_class_vocab_file,
        num_row_oov_buckets=num_class_oov_buckets, initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip


def load_variable_slot_initializer(
    ckpt_path: Path, old_tensor_name: str, primary_partition_info: Any,
    new_row_vocab_size: Any, new_col_vocab_size: Any,
    old_row_vocab_file: str | None = None, new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None, new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0, num_col_oov_buckets: int = 0, initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:  # fmt: skip
    """`load_and_remap_matrix_initializer` for a slot variable of an optimizer.

    Args:
        primary_partition_info: which part the variable is that the slot belongs to.
    """
    load = load_and_remap_matrix_initializer(
        ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, -1,
        old_row_vocab_file, new_row_vocab_file, old_col_vocab_file, new_col_vocab_file,
        num_row_oov_buckets, num_col_oov_buckets, initializer, max_rows_in_memory,
    )  # fmt: skip

    def load_part(shape, dtype=dtypes.float32, partition_info=None):
        return load(shape, dtype, partition_info=primary_partition_info)

    return load_part


def _places(files, start, count, old_size, without):
    """(the old place of each new row or column, how many have one)

    How many is known when the graph is made, since initialisers want a shape.
    """
    if not files[0]:
        return convert_to_tensor(without, dtypes.int64), count
    there = int((places_of(*files, start, count, old_size) >= 0).sum())
    return generate_vocab_remapping(*files, start, count, old_size)[0], there


def _check_pairs(old, new, kind):
    if bool(old) != bool(new):
        raise ValueError(
            f"old_{kind}_vocab_file and new_{kind}_vocab_file must both be specified "
            f"or left unspecified. old_{kind}_vocab_file='{old}', "
            f"new_{kind}_vocab_file='{new}'"
        )


def _check_shape(shape, start, sizes, buckets, dtype):
    if dtype is not dtypes.float32:
        raise TypeError(
            f"Currently, only float32 is supported. Received dtype: {dtype}"
        )
    if len(shape) != 2:
        raise ValueError(f"Expected 2-dim shape, but received: {shape}")
    if shape[0] <= 0:
        raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: "
                         f"{shape}")  # fmt: skip
    rows, cols = (n + more for n, more in zip(sizes, buckets, strict=True))
    if shape[1] != cols:
        raise ValueError(
            f"Expected 2nd dim of shape to be new_col_vocab_size ({sizes[1]}) + "
            f"num_col_oov_buckets ({buckets[1]}) = {cols}, but received shape: {shape}"
        )
    if start + shape[0] > rows:
        raise ValueError(
            f"Trying to initialize {shape[0]} additional rows after {start} rows have "
            "already been initialized, which would exceed expected total row count of "
            f"new_row_vocab_size ({sizes[0]}) + num_row_oov_buckets ({buckets[0]}) = "
            f"{rows}."
        )

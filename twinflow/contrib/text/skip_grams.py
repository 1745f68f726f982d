"""Skip-grams of tokens: pairs of a token and one of its neighbours."""

import csv
from typing import Any

from twinflow.base import dtypes
from twinflow.base.files import GFile
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import greater_equal, less_equal, logical_and, not_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.shape import shape
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.skip_gram import SkipGramGenerateCandidates
from twinflow.ops.random.streams import draw
from twinflow.ops.tables.initialized import (
    HashTable,
    InitializableLookupTableBase,
    TextFileInitializer,
)
from twinflow.train.batching import batch


def skip_gram_sample(
    input_tensor: Any, min_skips: Any = 1, max_skips: Any = 5, start: Any = 0,
    limit: Any = -1, emit_self_as_target: bool = False, vocab_freq_table: Any = None,
    vocab_min_count: Any = None, vocab_subsampling: Any = None, corpus_size: Any = None,
    batch_size: int | None = None, batch_capacity: int | None = None,
    seed: int | None = None, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Pairs of tokens and neighbours; the width of each window is drawn.

    Args:
        input_tensor: T[n], the tokens. min_skips, max_skips: ints, the widths.
        start, limit: which tokens: `limit` of them from `start` on, -1 = all.
        emit_self_as_target: whether a token is a neighbour of itself.
        vocab_freq_table: a table from tokens to counts; others are left out.
        vocab_min_count: tokens with smaller counts are left out.
        vocab_subsampling, corpus_size: from which share of the number of all tokens on
            a token is left out at times; both or none.
        batch_size, batch_capacity: batch the pairs by a queue of that capacity.
        seed: of what is drawn. name: the name scope.
    Returns:
        (tokens T[pairs], labels T[pairs])
    Raises:
        ValueError: settings of the vocabulary without a table, or one of two.
        InvalidArgumentError: the widths are negative, or turned.
    Example:
        tf.contrib.text.skip_gram_sample([1, 2, 3], 1, 1)  # [1, 2, 2, 3], [2, 1, 3, 2]
    """
    given = (vocab_min_count, vocab_subsampling, corpus_size)
    if vocab_freq_table is None and any(v is not None for v in given):
        raise ValueError(
            "vocab_freq_table is not provided, but vocab_min_count={}, "
            "vocab_subsampling={}, or corpus_size={} is not None. These settings are "
            "useless without a vocab_freq_table.".format(*given)
        )
    with name_scope(name, "skip_gram_sample", [input_tensor]):
        tokens = filter_input(input_tensor, vocab_freq_table, *given, seed)
        how = (min_skips, max_skips, start, limit, emit_self_as_target)
        pairs = draw(SkipGramGenerateCandidates, (tokens, *how), {}, seed)
        if batch_size is None:
            return tuple(pairs)
        capacity = 100 * batch_size if batch_capacity is None else batch_capacity
        return tuple(
            batch(list(pairs), batch_size, capacity=capacity, enqueue_many=True)
        )


def filter_input(
    input_tensor: Any, vocab_freq_table: Any, vocab_min_count: Any,
    vocab_subsampling: Any, corpus_size: Any, seed: int | None,
) -> Tensor:  # fmt: skip
    """The tokens that are in a vocabulary, often enough, and not dropped by chance."""
    tokens = convert_to_tensor(input_tensor)
    if vocab_freq_table is None:
        return tokens
    if not isinstance(vocab_freq_table, InitializableLookupTableBase):
        raise ValueError(
            "vocab_freq_table must be a subclass of InitializableLookupTableBase (such "
            f"as HashTable) instead of type {type(vocab_freq_table)}."
        )
    with name_scope(None, "filter_vocab"):
        counts = vocab_freq_table.lookup(tokens)
        kept = not_equal(counts, vocab_freq_table.default_value)
        if vocab_min_count is not None:
            least = cast(vocab_min_count, counts.dtype)
            kept = logical_and(kept, greater_equal(counts, least))
        tokens, counts = boolean_mask(tokens, kept), boolean_mask(counts, kept)
    if (vocab_subsampling is None) != (corpus_size is None):
        raise ValueError(
            f"vocab_subsampling is {vocab_subsampling} while corpus_size is "
            f"{corpus_size} - both must be provided in order for subsampling to work."
        )
    if vocab_subsampling is None:
        return tokens
    return _subsampled(tokens, counts, vocab_subsampling, corpus_size, seed)


def _subsampled(tokens: Any, counts: Any, share: Any, size: Any, seed: Any) -> Tensor:
    with name_scope(None, "subsample_vocab"):
        size, counts, share = (cast(v, dtypes.float64) for v in (size, counts, share))
        often = sqrt(counts / (share * size)) + 1.0
        stays = often * ((share * size) / counts)
        drawn = random_uniform(shape(stays), dtype=dtypes.float64, seed=seed)
        return boolean_mask(tokens, less_equal(drawn, stays))


def skip_gram_sample_with_text_vocab(
    input_tensor: Any, vocab_freq_file: str, vocab_token_index: int = 0,
    vocab_token_dtype: Any = dtypes.string, vocab_freq_index: int = 1,
    vocab_freq_dtype: Any = dtypes.float64, vocab_delimiter: str = ",",
    vocab_min_count: Any = 0, vocab_subsampling: Any = None, corpus_size: Any = None,
    min_skips: Any = 1, max_skips: Any = 5, start: Any = 0, limit: Any = -1,
    emit_self_as_target: bool = False, batch_size: int | None = None,
    batch_capacity: int | None = None, seed: int | None = None, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`skip_gram_sample` with the counts of the tokens in a file.

    Args:
        vocab_freq_file: a path; each line has a token and its count among its columns.
        vocab_token_index, vocab_freq_index: the columns. vocab_token_dtype,
            vocab_freq_dtype: their dtypes. vocab_delimiter: what stands between.
        vocab_subsampling: see `skip_gram_sample`. corpus_size: the number of all
            tokens, the sum of the counts if not given.
        input_tensor, vocab_min_count, min_skips, max_skips, start, limit,
            emit_self_as_target, batch_size, batch_capacity, seed, name: see
            `skip_gram_sample`.
    Returns:
        (tokens T[pairs], labels T[pairs])
    Raises:
        ValueError: columns that are not there, or other settings out of range.
    """
    _check_columns(vocab_token_index, vocab_freq_index, vocab_delimiter)
    total = _total(
        vocab_freq_file, vocab_token_index, vocab_freq_index,
        dtypes.as_dtype(vocab_freq_dtype), vocab_delimiter,
    )  # fmt: skip
    if vocab_subsampling is not None and not 0 <= vocab_subsampling <= 1:
        raise ValueError(
            f"Invalid vocab_subsampling={vocab_subsampling} - it should be within "
            "range [0, 1]."
        )
    if corpus_size and corpus_size < total:
        raise ValueError(
            f"`corpus_size`={corpus_size} must be greater than or equal to the sum of "
            f"all the frequency counts ({total}) of `vocab_freq_file` "
            f"({vocab_freq_file})."
        )
    if vocab_subsampling and not corpus_size:
        corpus_size = total
    initializer = TextFileInitializer(
        vocab_freq_file, key_dtype=vocab_token_dtype, key_index=vocab_token_index,
        value_dtype=vocab_freq_dtype, value_index=vocab_freq_index,
        delimiter=vocab_delimiter,
    )  # fmt: skip
    return skip_gram_sample(
        input_tensor, min_skips, max_skips, start, limit, emit_self_as_target,
        HashTable(initializer, -1), vocab_min_count, vocab_subsampling or None,
        corpus_size, batch_size, batch_capacity, seed, name,
    )  # fmt: skip


def _check_columns(token: int, count: int, delimiter: str) -> None:
    if token < 0 or count < 0:
        raise ValueError(
            f"vocab_token_index={token} and vocab_freq_index={count} must both be >= 0."
        )
    if token == count:
        raise ValueError(
            "vocab_token_index and vocab_freq_index should be different, but are both "
            f"{token}."
        )


def _total(path: str, token: int, count: int, dtype: Any, delimiter: str) -> Any:
    """The sum of the counts in a file."""
    with GFile(path) as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    for row in rows:
        if max(token, count) >= len(row):
            raise ValueError(
                f"Row in vocab file only has {len(row)} columns, so "
                f"vocab_token_index={token} or vocab_freq_index={count} is out of "
                f"bounds. Row content: {row}"
            )
    return sum(dtype.as_numpy_dtype(row[count]) for row in rows)

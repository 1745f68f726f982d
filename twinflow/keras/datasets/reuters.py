"""tf.keras.datasets.reuters."""

from typing import Any

import numpy as np

from twinflow.keras.datasets.npz import arrays_of
from twinflow.keras.datasets.word_indices import (
    ORIGIN,
    as_objects,
    mixed,
    prepared,
    word_count,
    word_index,
)
from twinflow.keras.utils.data_files import get_file


def load_data(
    path: str = "reuters.npz", num_words: Any = None, skip_top: Any = 0,
    maxlen: Any = None, test_split: Any = 0.2, seed: int | None = 113,
    start_char: Any = 1, oov_char: Any = 2, index_from: Any = 3, **kwargs: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """News and their topics, from ~/.keras/datasets; see imdb.load_data.

    Args:
        test_split: the share to test with.
    Returns:
        ((lists of ints, int64[...]), (lists of ints, int64[...]))
    Raises:
        NotFoundError: the file is not there. ValueError: it is damaged.
    """
    num_words = word_count(num_words, kwargs)
    x, y = arrays_of(get_file(path, ORIGIN + path), "x", "y")
    x, y = mixed(x, y, np.random.RandomState(seed))
    xs, ys = prepared(
        x, num_words, skip_top, maxlen, y, oov_char, start_char, index_from
    )
    at, ys = int(len(xs) * (1 - test_split)), np.array(ys)
    return (as_objects(xs[:at]), ys[:at]), (as_objects(xs[at:]), ys[at:])


def get_word_index(path: str = "reuters_word_index.json") -> Any:
    """{word: its number}, from ~/.keras/datasets."""
    return word_index(path)

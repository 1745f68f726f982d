"""tf.keras.datasets.imdb."""

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
    path: str = "imdb.npz", num_words: Any = None, skip_top: int = 0,
    maxlen: Any = None, seed: int | None = 113, start_char: int | None = 1,
    oov_char: int | None = 2, index_from: int | None = 3, **kwargs: Any,
) -> tuple[tuple[Any, ...], ...]:  # fmt: skip
    """Reviews of films and whether they are good, from ~/.keras/datasets.

    Args:
        path: the name of the file. num_words: only the most frequent words are kept.
        skip_top: and the very most frequent ones are not. maxlen: longer texts are
            left out. seed: of the shuffling. start_char: the number a text begins with.
        oov_char: stands for words left out. index_from: the number of the first word.
    Returns:
        ((lists of ints, int64[...]), (lists of ints, int64[...]))
    Raises:
        NotFoundError: the file is not there. ValueError: it is damaged.
    """
    num_words = word_count(num_words, kwargs)
    names = ("x_train", "y_train", "x_test", "y_test")
    *train, x_test, y_test = arrays_of(get_file(path, ORIGIN + path), *names)
    test = x_test, y_test
    rng = np.random.RandomState(seed)
    train, test = mixed(*train, rng), mixed(*test, rng)
    xs, ys = prepared(
        [*train[0], *test[0]], num_words, skip_top, maxlen,
        np.concatenate([train[1], test[1]]), oov_char, start_char, index_from,
    )  # fmt: skip
    at = len(train[0])
    ys = np.array(ys)
    return (as_objects(xs[:at]), ys[:at]), (as_objects(xs[at:]), ys[at:])


def get_word_index(path: str = "imdb_word_index.json") -> Any:
    """{word: its number}, from ~/.keras/datasets."""
    return word_index(path)

"""Texts as numbers of words, as the files of imdb and reuters have them."""

import json
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.base.damage import reported
from twinflow.keras.utils.data_files import get_file

ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


def word_count(num_words: Any, kwargs: Any) -> Any:
    """`num_words`, or what its older name was given.

    Raises:
        TypeError: there are other arguments.
    """
    if "nb_words" in kwargs:
        logging.warning(
            "The `nb_words` argument in `load_data` has been renamed `num_words`."
        )
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
    return num_words


def word_index(path: Any) -> Any:
    """{word: its number} of a file of the cache."""
    path = get_file(path, ORIGIN + path)
    with reported(path), open(path) as file:
        return json.load(file)


def prepared(
    xs: Any, num_words: Any, skip_top: Any, maxlen: Any, labels: Any, oov_char: Any,
    start_char: Any, index_from: Any,
) -> Any:  # fmt: skip
    """(texts, labels) with marks, without rare and frequent words, and not too long.

    Raises:
        ValueError: no text is short enough.
    """
    if start_char is not None:
        xs = [[start_char] + [w + index_from for w in x] for x in xs]
    elif index_from:
        xs = [[w + index_from for w in x] for x in xs]
    if maxlen:
        kept = [i for i, x in enumerate(xs) if len(x) < maxlen]
        xs, labels = [xs[i] for i in kept], [labels[i] for i in kept]
        if not xs:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no "
                "sequence was kept. Increase maxlen."
            )
    num_words = num_words or max(max(x) for x in xs)
    if oov_char is not None:
        xs = [[w if skip_top <= w < num_words else oov_char for w in x] for x in xs]
    else:
        xs = [[w for w in x if skip_top <= w < num_words] for x in xs]
    return xs, labels


def as_objects(xs: Any) -> Any:
    """Lists of different lengths as an array of objects."""
    found = np.empty(len(xs), object)
    for i, x in enumerate(xs):  # found[:] = xs fails where all lengths are equal
        found[i] = x
    return found


def mixed(x: Any, y: Any, rng: Any) -> Any:
    """Both in one random order."""
    order = np.arange(len(x))
    rng.shuffle(order)
    return x[order], y[order]

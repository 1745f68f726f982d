"""tf.keras.datasets.reuters."""

import json

import numpy as np

from twinflow.base import logging
from twinflow.keras.datasets.words import as_objects, mixed, prepared
from twinflow.keras.files import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


def load_data(
    path="reuters.npz", num_words=None, skip_top=0, maxlen=None, test_split=0.2,
    seed=113, start_char=1, oov_char=2, index_from=3, **kwargs,
):  # fmt: skip
    """News and their topics, from ~/.keras/datasets; see imdb.load_data.

    Args:
        test_split: the share to test with.
    Returns:
        ((lists of ints, int64[...]), (lists of ints, int64[...]))
    Raises:
        NotFoundError: the file is not there.
    """
    if "nb_words" in kwargs:
        logging.warning(
            "The `nb_words` argument in `load_data` has been renamed `num_words`."
        )
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
    with np.load(get_file(path, _ORIGIN + path), allow_pickle=True) as f:
        x, y = mixed(f["x"], f["y"], np.random.RandomState(seed))
    xs, ys = prepared(
        x, num_words, skip_top, maxlen, y, oov_char, start_char, index_from
    )
    at, ys = int(len(xs) * (1 - test_split)), np.array(ys)
    return (as_objects(xs[:at]), ys[:at]), (as_objects(xs[at:]), ys[at:])


def get_word_index(path="reuters_word_index.json"):
    """{word: its number}, from ~/.keras/datasets."""
    with open(get_file(path, _ORIGIN + path)) as file:
        return json.load(file)

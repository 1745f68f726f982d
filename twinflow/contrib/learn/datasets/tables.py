"""Sets of examples in files of comma-separated values; iris and boston are here.

The flowers are those of R. A. Fisher (1936), the houses those of D. Harrison and
D. L. Rubinfeld (1978).
"""

import csv
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import files

_HERE = Path(__file__).parent


class Dataset(NamedTuple):
    """Examples and what is to be predicted, each an array with a row an example."""

    data: Any
    target: Any


class Datasets(NamedTuple):
    """The parts of a set of examples, for training, validation and testing."""

    train: Any
    validation: Any
    test: Any


def _rows(filename):
    with files.GFile(os.fspath(filename)) as file:
        return list(csv.reader(file))


def _split(rows, features_dtype, target_dtype, column):
    """The Dataset of rows, of which one column is the target."""
    targets = [row.pop(column) for row in rows]
    data = np.array([np.asarray(row, dtype=features_dtype) for row in rows])
    return data, np.array(targets, dtype=target_dtype)


def load_csv_with_header(
    filename: Any, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    """The examples of a file whose first line says how many there are.

    Args:
        filename: the file; its first line is `examples,features,...`.
        target_dtype, features_dtype: of the arrays.
        target_column: which column is the target.
    Returns:
        Dataset: data[examples, features] and target[examples].
    Raises:
        ValueError: an entry is no number of the dtype. NotFoundError: no such file.
    """
    head, *rows = _rows(filename)
    n, features = int(head[0]), int(head[1])
    data = np.zeros((n, features), dtype=features_dtype)
    target = np.zeros((n,), dtype=target_dtype)
    for i, row in enumerate(rows):
        target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
        data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(
    filename: Any, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    """The examples of a file in which each line is one.

    Args:
        filename: the file. target_dtype, features_dtype: of the arrays.
        target_column: which column is the target.
    Returns:
        Dataset: data[examples, features] and target[examples].
    """
    return Dataset(
        *_split(_rows(filename), features_dtype, target_dtype, target_column)
    )


def shrink_csv(filename: str, ratio: int) -> None:
    """Write every ratio-th line of NAME.csv, from the first on, to NAME_small.csv."""
    with files.GFile(filename) as file:
        lines = list(file)
    with files.GFile(filename.replace(".", "_small."), mode="w") as small:
        for line in lines[::ratio]:
            small.write(line)


def load_iris(data_path: Any = None) -> Dataset:
    """The flowers of Fisher: four lengths in centimetres, and which of three species.

    Args:
        data_path: a file to take in place of the one that is here.
    Returns:
        Dataset: float64[150, 4] and int64[150].
    Example:
        tf.contrib.learn.datasets.load_iris().data.shape  # (150, 4)
    """
    return load_csv_with_header(data_path or _HERE / "iris.txt", np.int64, np.float64)


def load_boston(data_path: Any = None) -> Dataset:
    """Parts of Boston: thirteen numbers each, and the median price of a house.

    Args:
        data_path: a file to take in place of the one that is here.
    Returns:
        Dataset: float64[506, 13] and float64[506], in thousands of dollars.
    Example:
        tf.contrib.learn.datasets.load_boston().target.shape  # (506,)
    """
    path = data_path or _HERE / "boston.txt"
    return load_csv_with_header(path, np.float64, np.float64)

"""Data of tables: pandas and dask."""

from typing import Any

import numpy as np

_NUMBERS = "biuf"


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.startswith("pandas.")


def _is_dask(data: Any) -> bool:
    return type(data).__module__.startswith("dask.")


def extract_pandas_data(data: Any) -> Any:
    """A DataFrame as an array of numbers; others stay.

    Args:
        data: a DataFrame whose columns are all of numbers.
    Raises:
        ValueError: a column is not.
    """
    if not (_is_pandas(data) and data.ndim == 2):
        return data
    bad = [f"'{c}' type={t}" for c, t in data.dtypes.items() if t.kind not in _NUMBERS]
    if bad:
        raise ValueError(
            "Data types for extracting pandas data must be int, float, or bool. Found: "
            + ", ".join(bad)
        )
    return data.values.astype("float")


def extract_pandas_matrix(data: Any) -> Any:
    """A DataFrame as its array; others stay."""
    return data.values if _is_pandas(data) and data.ndim == 2 else data


def setup_processor_data_feeder(x: Any) -> Any:
    """Documents as preprocessing takes them: a DataFrame becomes its array.

    Args:
        x: an iterable of documents, or a DataFrame of pandas.
    """
    return extract_pandas_matrix(x)


def extract_pandas_labels(labels: Any) -> Any:
    """A DataFrame of one column, or a Series, as its array; others stay.

    Raises:
        ValueError: there are several columns, or they are of no numbers.
    """
    if not (_is_pandas(labels) and labels.ndim == 2):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    if any(t.kind not in _NUMBERS for t in labels.dtypes):
        raise ValueError("Data types for labels must be int, float, or bool.")
    return labels.values


def extract_dask_data(data: Any) -> Any:
    """A dask DataFrame or Series, computed; others stay."""
    return data.compute() if _is_dask(data) else data


def extract_dask_labels(labels: Any) -> Any:
    """A dask Series, or DataFrame of one column, computed; others stay.

    Raises:
        ValueError: there are several columns.
    """
    if _is_dask(labels) and np.ndim(labels) == 2 and len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    return extract_dask_data(labels)

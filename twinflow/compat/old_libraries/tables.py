"""pandas before 1.0: `ix`, `as_matrix`, `get_value`, and `append`, until 2.0."""

import numpy as np

from twinflow.compat.old_libraries.changing import Change


class _Ix:
    """`frame.ix[rows, columns]`: by label, or by place where labels are no integers."""

    def __init__(self, table):
        self.table = table

    def __getitem__(self, key):
        try:
            return self.table.loc[key]
        except (KeyError, TypeError):
            return self.table.iloc[self._places(key)]

    def __setitem__(self, key, value):
        self.table.loc[key] = value

    def _places(self, key):
        """`key` with the labels of columns as places."""
        if not isinstance(key, tuple):
            return key
        rows, columns = key
        if isinstance(columns, str | list):
            columns = self.table.columns.get_indexer_for(np.atleast_1d(columns))
            columns = columns[0] if isinstance(key[1], str) else columns
        return rows, columns


def pandas(module):
    """What DataFrames and Series have lost, and `pandas.np`."""

    def append(self, other, ignore_index=False, verify_integrity=False, sort=False):
        if isinstance(other, dict):
            other = module.DataFrame([other])
        elif isinstance(other, module.Series) and self.ndim == 2:
            other = other.to_frame().T
        others = list(other) if isinstance(other, list | tuple) else [other]
        return module.concat(
            [self, *others], ignore_index=ignore_index,
            verify_integrity=verify_integrity, sort=sort,
        )  # fmt: skip

    def as_matrix(self, columns=None):
        return (self if columns is None else self[columns]).to_numpy()

    both = {"append": append, "as_matrix": as_matrix, "ix": property(_Ix)}
    cells = {
        "get_value": lambda self, index, col, takeable=False: self.at[index, col],
        "set_value": lambda self, i, c, value: self.at.__setitem__((i, c), value),
    }
    return [
        Change(module, {"np": np}),
        Change(module.DataFrame, both | cells),
        Change(module.Series, both),
    ]

"""What nodes of datasets begin with: op type -> (known, *inputs) -> Dataset."""

from twinflow.base import dtypes, errors
from twinflow.data import readers
from twinflow.data import sources as rows_of
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.csv_dataset import CsvDataset
from twinflow.data.experimental.lmdb_files import LMDBDataset
from twinflow.data.experimental.sql import SqlDataset
from twinflow.data.functions import Env
from twinflow.data.pipeline import stages, windows
from twinflow.data.pipeline.stages import Staged
from twinflow.data.pipeline.stateful_stages import Words
from twinflow.data.structure import Structure


def seeds_of(seed, seed2):
    """Two seeds; both None where they are to be drawn."""
    return (seed, seed2) if seed or seed2 else (None, None)


def _one(known, parts):
    return Dataset("TensorDataset", known.form, lambda env: stages.once(parts))


def _rows(known, parts):
    leaves = known.form.leaves
    start = lambda env: rows_of.rows(parts, leaves)
    return Dataset("TensorSliceDataset", known.form, start)


def _sparse_rows(known, indices, values, shape):
    types = dtypes.int64, dtypes.from_numpy(values.dtype), dtypes.int64
    form = Structure((None,) * 3, types, (None,) * 3)
    start = lambda env: windows.sparse_rows(indices, values, shape)
    return Dataset("SparseTensorSliceDataset", form, start)


def _words(known, *seeds):
    start = lambda env: lambda: Staged(Words(seeds_of(*seeds)))
    return Dataset("RandomDataset", known.form, start)


def _generated(known, *args):
    """What a function gives, of a state that another one begins with."""
    names = "init_func", "next_func", "finalize_func"
    functions = list(map(known.function, args, names))

    def start(env):
        def elements():
            begin, follow, end = (f.start(Env({}, env.cell_of)) for f in functions)
            state = begin([])
            try:
                while True:
                    yield follow(state)
            except errors.OutOfRangeError:
                end(state)

        return stages.generated(elements)

    return Dataset("GeneratorDataset", known.form, start)


def _csv(known, names, compression, size, header, delimiter, quotes, na, columns, rest):
    return CsvDataset(
        names, list(rest), compression_type=compression, buffer_size=size,
        header=header, field_delim=delimiter, use_quote_delim=quotes, na_value=na,
        select_cols=[int(c) for c in columns] or None,
    )  # fmt: skip


TABLE = {
    "TensorDataset": _one,
    "TensorSliceDataset": _rows,
    "SparseTensorSliceDataset": _sparse_rows,
    "RangeDataset": lambda known, *bounds: Dataset.range(*bounds),
    "RandomDataset": _words,
    "GeneratorDataset": _generated,
    "TextLineDataset": lambda known, *args: readers.TextLineDataset(*args),
    "TFRecordDataset": lambda known, *args: readers.TFRecordDataset(*args),
    "FixedLengthRecordDataset": lambda known, names, header, size, footer, buffer: (
        readers.FixedLengthRecordDataset(names, size, header, footer, buffer)
    ),
    "SqlDataset": lambda known, *texts: SqlDataset(*texts, known.form.types),
    "ExperimentalCSVDataset": _csv,
    "ExperimentalLMDBDataset": lambda known, names: LMDBDataset(names),
}

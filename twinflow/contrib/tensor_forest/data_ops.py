"""What programs give a forest as examples and labels, as its ops take them."""

from typing import Any

from twinflow.base import dtypes, logging
from twinflow.contrib.tensor_forest.tensor_forest_ops import reinterpret_string_to_float
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.parts import sparse_concat
from twinflow.ops.sparse.tensor import SparseTensor

__all__ = [
    "DATA_CATEGORICAL",
    "DATA_FLOAT",
    "DTYPE_TO_FTYPE",
    "CastToFloat",
    "DataColumn",
    "DataColumnCollection",
    "GetColumnName",
    "ParseDataTensorOrDict",
    "ParseLabelTensorOrDict",
    "TensorForestDataSpec",
]  # fmt: skip

DATA_FLOAT = 0
DATA_CATEGORICAL = 1
DTYPE_TO_FTYPE = {
    dtypes.string: DATA_CATEGORICAL, dtypes.int32: DATA_CATEGORICAL,
    dtypes.int64: DATA_CATEGORICAL, dtypes.float32: DATA_FLOAT,
    dtypes.float64: DATA_FLOAT,
}  # fmt: skip


def CastToFloat(tensor: Any) -> Any:
    """A tensor as float32; strings as the floats of their hashes."""
    if tensor.dtype == dtypes.string:
        return reinterpret_string_to_float(tensor)
    return cast(tensor, dtypes.float32)


class DataColumn:
    """A column: its name, its type (DATA_FLOAT or DATA_CATEGORICAL) and size."""

    def __init__(self) -> None:
        self.name, self.original_type, self.size = "", "", 0

    def SerializeToString(self) -> str:
        """The text that an `input_spec` holds of it."""
        return (
            f"name: {self.name} original_type: {self.original_type} size: {self.size}"
        )


class DataColumnCollection:
    """Columns, in `cols`."""

    def __init__(self) -> None:
        self.cols: list[DataColumn] = []

    def add(self) -> DataColumn:
        """A new column, after the others."""
        self.cols.append(DataColumn())
        return self.cols[-1]

    def size(self) -> int:
        """How many columns there are."""
        return len(self.cols)

    def SerializeToString(self) -> str:
        """The text that an `input_spec` holds of them."""
        return "".join("{" + c.SerializeToString() + "}" for c in self.cols)


class TensorForestDataSpec:
    """The columns of examples, `dense` and `sparse`, and how many dense numbers."""

    def __init__(self) -> None:
        self.sparse, self.dense = DataColumnCollection(), DataColumnCollection()
        self.dense_features_size = 0

    def SerializeToString(self) -> str:
        """The `input_spec` of the ops."""
        return (
            f"dense_features_size: {self.dense_features_size} "
            f"dense: [{self.dense.SerializeToString()}] "
            f"sparse: [{self.sparse.SerializeToString()}]"
        )


def GetColumnName(column_key: Any, col_num: int) -> str:
    """The name of a column: its key, that of a feature column, or its number."""
    if isinstance(column_key, str):
        return column_key
    return getattr(column_key, "column_name", str(col_num))


def _add(columns: DataColumnCollection, name: str, kind: int, size: int) -> None:
    column = columns.add()
    column.name, column.original_type, column.size = name, kind, size  # type: ignore


def ParseDataTensorOrDict(data: Any) -> tuple:
    """What the ops of a forest take of features.

    Args:
        data: number[n, features], a SparseTensor, or a dict of them by names; sparse
            float32 columns of a dict are left out, as in TensorFlow.
    Returns:
        dense: float32[n, features], or None. sparse: a SparseTensor, or None.
        spec: a TensorForestDataSpec.
    """
    spec = TensorForestDataSpec()
    if isinstance(data, dict):
        return _parse_columns(data, spec)
    if isinstance(data, SparseTensor):
        _add(spec.sparse, "sparse_features", DTYPE_TO_FTYPE[data.dtype], -1)
        return None, data, spec
    data = convert_to_tensor(data)
    size = data.get_shape()[1].value
    _add(spec.dense, "dense_features", DTYPE_TO_FTYPE[data.dtype], size)
    spec.dense_features_size = size
    return CastToFloat(data), None, spec


def _parse_columns(data: dict, spec: TensorForestDataSpec) -> tuple:
    """As ParseDataTensorOrDict, of a dict."""
    dense, sparse = [], []
    for name in sorted(data):
        value = data[name]
        if isinstance(value, SparseTensor):
            if value.dtype == dtypes.float32:
                logging.info("TensorForest does not support sparse continuous.")
                continue
            if not sparse:
                _add(spec.sparse, "all_sparse", DATA_CATEGORICAL, -1)
            values = CastToFloat(value.values)
            sparse.append(SparseTensor(value.indices, values, value.dense_shape))
            continue
        value = convert_to_tensor(value)
        kind = DTYPE_TO_FTYPE[value.dtype]
        if value.shape.ndims == 1:
            value = expand_dims(value, 1)
        size = value.shape[1].value
        _add(spec.dense, GetColumnName(name, len(dense)), kind, size)
        spec.dense_features_size += size
        dense.append(CastToFloat(value))
    found = concat(dense, 1) if dense else None
    return found, sparse_concat(1, sparse) if sparse else None, spec


def ParseLabelTensorOrDict(labels: Any) -> Any:
    """Labels as float32; those of a dict side by side, by their names.

    Args:
        labels: number[n] or [n, outputs], a SparseTensor, or a dict of them.
    """
    if isinstance(labels, dict):
        return cast(concat([_dense(labels[k]) for k in sorted(labels)], 1),
                    dtypes.float32)  # fmt: skip
    return cast(_dense(labels), dtypes.float32)


def _dense(labels: Any) -> Any:
    if isinstance(labels, SparseTensor):
        return sparse_tensor_to_dense(labels, default_value=-1)
    return convert_to_tensor(labels)

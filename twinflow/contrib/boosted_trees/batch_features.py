"""The features of a batch, as the ops of trees take them."""

import collections
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.layers.column_layers import (
    input_from_feature_columns,
    transform_features,
)
from twinflow.contrib.layers.dense_columns import _EmbeddingColumn
from twinflow.feature_column.layers import _transform_features
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.joining import unstack
from twinflow.ops.core.shape import reshape
from twinflow.ops.sparse.tensor import SparseTensor


def _transformed(features, columns, use_core_columns):
    """{name: tensor}, one for each column."""
    if use_core_columns:
        made = _transform_features(features, columns)
        return {column.name: tensor for column, tensor in made.items()}
    found = collections.OrderedDict()
    for column in columns:
        if isinstance(column, _EmbeddingColumn):
            found[column.name] = input_from_feature_columns(features, [column])
        else:
            found[column.name] = transform_features(features, [column])[column]
    return found


def _refused(kind, tensor):
    return ValueError(
        f"Unsupported {kind} feature {tensor.name} with dtype {tensor.dtype!r}."
    )


def _dense_columns(name, tensor):
    """[(name, float32[batch, 1])] of a dense feature, one for each number of a row."""
    if tensor.dtype != dtypes.float32:
        raise _refused("dense", tensor)
    known = tensor.shape
    if known.ndims is None or known.ndims < 2:
        return [(name, tensor)]
    if known[1].value is None or known[1].value <= 1:
        return [(name, tensor)]
    parts = unstack(tensor, axis=1)
    return [(f"{name}_{i}", reshape(x, [-1, 1])) for i, x in enumerate(parts)]


def extract_features(
    features: dict, feature_columns: Any, use_core_columns: bool
) -> tuple:
    """Features by kind.

    Args:
        features: {name: tensor or SparseTensor}. feature_columns: columns that are made
            of them first, or None. use_core_columns: whether they are those of
            tf.feature_column, not of tf.contrib.layers.
    Returns:
        (names; dense tensors float32[batch, 1]; indices, values and shapes of sparse
        float32 features, a list each; the same of sparse int64 features)
    Raises:
        ValueError: there are none, or one has another dtype.
    """
    if not features:
        raise ValueError("Features dictionary must be specified.")
    if feature_columns:
        with name_scope("gbdt"):
            features = _transformed(dict(features), feature_columns, use_core_columns)
    dense, floats, ids = [], [], []
    for name in sorted(features):
        tensor = features[name]
        if not isinstance(tensor, SparseTensor):
            dense += _dense_columns(name, tensor)
        elif tensor.values.dtype == dtypes.float32:
            floats.append((name, tensor))
        elif tensor.values.dtype == dtypes.int64:
            ids.append((name, tensor))
        else:
            raise _refused("sparse", tensor.values)
    names = [name for name, _ in (*dense, *floats, *ids)]
    return names, [x for _, x in dense], *_parts(floats), *_parts(ids)


def _parts(columns):
    """The indices, values and shapes of SparseTensors."""
    tensors = [x for _, x in columns]
    return (
        [x.indices for x in tensors], [x.values for x in tensors],
        [x.dense_shape for x in tensors],
    )  # fmt: skip

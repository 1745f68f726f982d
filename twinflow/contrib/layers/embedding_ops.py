"""Look-ups of contrib.layers: each id once, and numbers shared by hashes."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core import creation
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.joining import concat, tile
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.size import size
from twinflow.ops.math.segment_sparse import (
    sparse_segment_mean,
    sparse_segment_sqrt_n,
    sparse_segment_sum,
)
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.embedding_sparse import embedding_lookup_sparse
from twinflow.ops.sparse.cross import sparse_feature_cross
from twinflow.ops.sparse.fill import sparse_fill_empty_rows
from twinflow.ops.sparse.tensor import SparseTensor

_COMBINERS = {
    "sum": sparse_segment_sum,
    "mean": sparse_segment_mean,
    "sqrtn": sparse_segment_sqrt_n,
}


def _scope(name, default):
    return dispatch.current_mode().name_scope(name or default)


def embedding_lookup_unique(
    params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None
) -> Any:
    """As tf.nn.embedding_lookup, where each id is looked up once.

    Args:
        params: a tensor or variable [rows, ...], or a list of its parts.
        ids: ints of any shape. partition_strategy: see tf.nn.embedding_lookup.
        name: the name scope.
    Example:
        table = tf.constant([[1.], [2.], [3.]])
        tf.contrib.layers.embedding_lookup_unique(table, [2, 2])  # [[3.], [3.]]
    """
    with _scope(name, "EmbeddingLookupUnique"):
        ids = convert_to_tensor(ids)
        sizes = shape_of(ids)
        known, places = unique(reshape(ids, [-1]))
        rows = embedding_lookup(params, known, partition_strategy)
        found = gather(rows, places)
        whole = reshape(found, concat([sizes, shape_of(rows)[1:]], 0))
        if whole.symbolic and rows._shape is not None and ids._shape is not None:
            whole.set_shape((*ids._shape, *rows._shape[1:]))
        return whole


def embedding_lookup_sparse_with_distributed_aggregation(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod",
    name: str | None = None, combiner: Any = None, max_norm: Any = None,
) -> Any:  # fmt: skip
    """As tf.nn.embedding_lookup_sparse."""
    return embedding_lookup_sparse(
        params, sp_ids, sp_weights, partition_strategy, name, combiner, max_norm
    )


def scattered_embedding_lookup(
    params: Any, values: Any, dimension: Any, name: str | None = None,
    hash_key: Any = None,
) -> Any:  # fmt: skip
    """For each value `dimension` of the numbers in `params`, chosen by its hash.

    Args:
        params: a variable or tensor float[n], or a list of parts.
        values: strings or ints of any shape. dimension: how many numbers each gets.
        name: the name scope. hash_key: see sparse_feature_cross.
    Returns:
        float[shape of values, dimension]
    Raises:
        ValueError: there is no dimension, or it is not positive.
    """
    if dimension is None:
        raise ValueError("You must specify dimension.")
    return _sampled_scattered_embedding_lookup(
        params, values, dimension, hash_key=hash_key, name=name
    )


def _sampled_scattered_embedding_lookup(
    params: Any, values: Any, dimension: Any = None, sampled_candidates: Any = None,
    hash_key: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """See `scattered_embedding_lookup`; of the numbers only some, by their places."""
    params = list(params) if isinstance(params, list | tuple) else [params]
    if dimension is None and sampled_candidates is None:
        raise ValueError("You must specify either dimension or sampled_candidates.")
    if dimension is not None and dimension < 1:
        raise ValueError(f"Dimension must be >0. Given is {dimension}")
    with _scope(name, "scattered_embedding_lookup"):
        values = convert_to_tensor(values)
        if values.dtype.is_integer:
            values = cast(values, dtypes.int64)
        flat = expand_dims(reshape(values, [-1]), 1)
        if sampled_candidates is None:
            places = expand_dims(creation.range(0, dimension), 0)
            places = tile(places, [size(values), 1])
        else:
            places = convert_to_tensor(sampled_candidates)
            _check_places(places, values)
            dimension = places._shape[-1] or shape_of(places)[-1]
            places = reshape(places, [-1, dimension])
        ids = _hashed(places, flat, _check_parts(params), hash_key)
        found = embedding_lookup(params, ids, "div")
        return reshape(found, concat([shape_of(values), [dimension]], 0))


def _hashed(places, values, count, hash_key):
    """A number below `count` for each place of each value: int64[n]."""
    crossed = sparse_feature_cross(
        [cast(places, dtypes.int64), values], True, count, hash_key=hash_key
    )
    return crossed.values


def _check_places(places, values):
    if not places.get_shape()[:-1].is_compatible_with(values.get_shape()):
        raise ValueError(
            f"The shape of sampled_candidates: {places.get_shape()} does not match the "
            f"shape of values: {values.get_shape()}"
        )


def _check_parts(params):
    """How many numbers there are in all parts, which are as even as can be."""
    counts = [p.get_shape()[0].value for p in params]
    whole, n = sum(counts), len(params)
    for i, count in enumerate(counts):
        expected = whole // n + (i < whole % n)
        if count != expected:
            raise ValueError(
                f"Tensor {i} in params has size {count}, expected {expected}."
            )
    return whole


def scattered_embedding_lookup_sparse(
    params: Any, sparse_values: Any, dimension: Any, combiner: Any = None,
    default_value: Any = None, name: str | None = None, hash_key: Any = None,
) -> Any:  # fmt: skip
    """As `scattered_embedding_lookup`, combined over the values of each row.

    Args:
        params: a variable or tensor float[n], or a list of parts.
        sparse_values: a SparseTensor of strings or ints. dimension: see there.
        combiner: "mean" (the default), "sum" or "sqrtn".
        default_value: what stands in an empty row.
        name: the name scope. hash_key: see sparse_feature_cross.
    Returns:
        float[rows, dimension]
    Raises:
        TypeError: the values are not sparse. ValueError: there is no such combiner.
    """
    combiner = combiner or "mean"
    params = list(params) if isinstance(params, list | tuple) else [params]
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError("sparse_values must be SparseTensor")
    if combiner not in _COMBINERS:
        raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'.")
    with _scope(name, "scattered_embedding_lookup_sparse") as scope:
        if default_value is None:
            words = sparse_values.dtype == dtypes.string
            default_value = "6ZxWzWOHxZ" if words else -1
        filled, _ = sparse_fill_empty_rows(sparse_values, default_value)
        rows = cast(filled.indices[:, 0], dtypes.int32)
        values, places = unique(filled.values)
        found = scattered_embedding_lookup(params, values, dimension, hash_key=hash_key)
        return _COMBINERS[combiner](found, places, rows, name=scope or None)


def _sampled_scattered_embedding_lookup_sparse(
    params: Any, sp_values: Any, dimension: Any = None, sampled_candidates: Any = None,
    hash_key: Any = None, with_sign_hash: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The sum over each row of values, which may get signs by their hashes."""
    if not isinstance(sp_values, SparseTensor):
        raise TypeError("sp_values must be SparseTensor")
    with _scope(name, "sampled_scattered_embedding_lookup_sparse"):
        rows = cast(sp_values.indices[:, 0], dtypes.int32)
        if sampled_candidates is not None:
            sampled_candidates = gather(sampled_candidates, rows)
        which = sp_values.values, dimension, sampled_candidates, hash_key
        found = _sampled_scattered_embedding_lookup(params, *which, "values_lookup")
        if with_sign_hash:
            ends = convert_to_tensor([-1.0, 1.0])
            signs = _sampled_scattered_embedding_lookup(ends, *which, "signs_lookup")
            found = multiply(signs, found, name="signs_hash")
        count = cast(sp_values.dense_shape[0], dtypes.int32)
        return unsorted_segment_sum(found, rows, count)

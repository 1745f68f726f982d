"""What the columns of tf.contrib.layers have in common.

They are older than tf.feature_column, whose layers take most of them too: they answer
its protocol (`_transform_feature`, `_get_dense_tensor`) besides their own.
"""

import math
from typing import Any, NamedTuple

from twinflow.base import dtypes, logging
from twinflow.base.dispatch import current_mode
from twinflow.checkpoint.starting import init_from_checkpoint
from twinflow.contrib.framework.variables import model_variable
from twinflow.contrib.layers.embedding_ops import scattered_embedding_lookup_sparse
from twinflow.feature_column.columns import _FeatureColumn as _CoreColumn
from twinflow.graph.scopes import add_to_collection, get_collection
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.tensor import SparseTensor


class _LinearEmbeddingLookupArguments(NamedTuple):
    """What a linear model looks up for a column."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: Any
    initializer: Any
    combiner: Any


class _DeepEmbeddingLookupArguments(NamedTuple):
    """What a layer of embeddings looks up for a column."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: Any
    initializer: Any
    combiner: Any
    dimension: Any
    shared_embedding_name: Any
    hash_key: Any
    max_norm: Any
    trainable: Any


class _LazyBuilderByColumnsToTensor:
    """A dict of features and what columns make of them, as a _LazyBuilder.

    Args:
        columns_to_tensors: the dict, to which it adds.
    """

    def __init__(self, columns_to_tensors: Any) -> None:
        self._columns_to_tensors = columns_to_tensors

    def get(self, key: Any) -> Any:
        """A feature by its key, or what a column makes of the features.

        Raises:
            ValueError: there is no such feature. TypeError: the key is something else.
        """
        if key in self._columns_to_tensors:
            return self._columns_to_tensors[key]
        if isinstance(key, str):
            raise ValueError(f"features dictionary doesn't contain key ({key})")
        if not isinstance(key, _FeatureColumn):
            raise TypeError(
                f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}'
            )
        key.insert_transformed_feature(self._columns_to_tensors)
        return self._columns_to_tensors[key]


class _FeatureColumn(_CoreColumn):
    """A column of tf.contrib.layers; each is a namedtuple besides."""

    _fields: tuple

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        raise NotImplementedError(f"No config for column {self}.")

    @property
    def key(self) -> str:
        """The text by which columns are sorted and told apart."""
        return f"{self}"

    @property
    def _parse_example_spec(self) -> dict:
        return self.config

    def insert_transformed_feature(self, columns_to_tensors: dict) -> None:
        """Add to a dict what the column makes of the features in it."""
        builder = _LazyBuilderByColumnsToTensor(columns_to_tensors)
        columns_to_tensors[self] = self._transform_feature(builder)

    def _checkpoint_path(self) -> Any:
        """(checkpoint, name in it) of the table, or None."""
        return None

    def _key_without_properties(self, properties: Any) -> str:
        kept = [
            f"{name}={getattr(self, name)}"
            for name in self._fields
            if name not in properties
        ]
        return f"{type(self).__name__}({', '.join(kept)})"

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        raise NotImplementedError(
            f"No deep embedding lookup arguments for column {self}."
        )

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        raise NotImplementedError(
            f"No wide embedding lookup arguments for column {self}."
        )

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Any:  # fmt: skip
        raise ValueError("Calling an abstract method.")


# ------------------------------------------------------------------ shapes
def inner_flatten(t: Any, output_rank: int) -> Any:
    """A tensor or SparseTensor whose last axes are joined, so that it has this rank.

    Raises:
        ValueError: it has fewer axes.
    """
    rank = t.get_shape().ndims
    if rank is not None and rank < output_rank:
        raise ValueError(
            f"Inputs has rank less than new_rank. inputs: {t}. new_rank: {output_rank}."
        )
    if rank == output_rank:
        current_mode().leave_ids(15 * isinstance(t, SparseTensor))
        return t
    if isinstance(t, SparseTensor):
        outer = t.dense_shape[: output_rank - 1]
        rest = reduce_prod(t.dense_shape[output_rank - 1 :], keepdims=True)
        return sparse_reshape(t, concat([outer, rest], 0))
    sizes = t.get_shape().as_list() if rank is not None else None
    found = reshape(t, concat([shape_of(t)[: output_rank - 1], [-1]], 0))
    if sizes is not None and found.symbolic:
        inner = sizes[output_rank - 1 :]
        last = None if None in inner else math.prod(inner)
        found.set_shape([*sizes[: output_rank - 1], last])
    return found


def one_deeper(t: Any) -> Any:
    """A tensor or SparseTensor with one more axis, of size 1, at its end."""
    if isinstance(t, SparseTensor):
        return sparse_reshape(t, concat([t.dense_shape, [1]], 0))
    return expand_dims(t, -1, name="expand_dims")


def _reshape_real_valued_tensor(
    input_tensor: Any, output_rank: int, column_name: str | None = None
) -> Any:
    """Numbers with `output_rank` axes."""
    rank = input_tensor.get_shape().ndims
    about = f"Error while processing column {column_name}. " if column_name else ""
    about += (
        f"Rank of input Tensor ({rank}) should be the same as output_rank "
        f"({output_rank}). For example, sequence data should typically be 3 "
        "dimensional (rank 3) while non-sequence data is typically 2 dimensional "
        "(rank 2)."
    )
    if rank is not None and rank < output_rank - 1:
        raise ValueError(about)
    if rank == output_rank - 1:
        logging.warning(
            "Rank of input Tensor (%s) should be the same as output_rank (%s) for "
            "column. Will attempt to expand dims. It is highly recommended that you "
            "resize your input, as this behavior may change.", rank, output_rank,
        )  # fmt: skip
        return one_deeper(input_tensor)
    return inner_flatten(input_tensor, output_rank)


# ------------------------------------------------------------------ tables
def _maybe_restore_from_checkpoint(checkpoint_path: Any, variable: Any) -> None:
    """Let a variable start with a value of a checkpoint, if there is one."""
    if checkpoint_path is not None:
        path, name = checkpoint_path
        init_from_checkpoint(path, {name: variable})


def _shared(args, weight_collections, trainable):
    """The table of columns that share one."""
    where = "SHARED_EMBEDDING_COLLECTION_" + args.shared_embedding_name.upper()
    found, size = get_collection(where), [args.vocab_size, args.dimension]
    if len(found) > 1:
        raise ValueError(
            f"Collection {where} can only contain one (partitioned) variable."
        )
    if not found:
        table = model_variable(
            args.shared_embedding_name, size, dtypes.float32, args.initializer,
            trainable=trainable, collections=weight_collections,
        )  # fmt: skip
        add_to_collection(where, table)
        return table
    if found[0].get_shape().as_list() != size:
        raise ValueError(
            f"The embedding variable with name {args.shared_embedding_name} already "
            "exists, but its shape does not match required embedding shape here. "
            "Please make sure to use different shared_embedding_name for different "
            "shared embeddings."
        )
    return found[0]


def _embeddings_from_arguments(
    column: Any, args: Any, weight_collections: Any, trainable: Any,
    output_rank: int = 2,
) -> Any:  # fmt: skip
    """The rows of a table that _DeepEmbeddingLookupArguments of a column ask for."""
    ids, weights = inner_flatten(args.input_tensor, output_rank), None
    if args.weight_tensor is not None:
        weights = inner_flatten(args.weight_tensor, output_rank)
    trained = trainable and args.trainable
    options = {"trainable": trained, "collections": weight_collections}
    if args.hash_key:
        table = model_variable(
            "weights", [args.vocab_size], dtypes.float32, args.initializer, **options
        )
        return scattered_embedding_lookup_sparse(
            table, ids, args.dimension, args.combiner, name="lookup",
            hash_key=args.hash_key,
        )  # fmt: skip
    if args.shared_embedding_name is not None:
        table = _shared(args, weight_collections, trained)
    else:
        size = [args.vocab_size, args.dimension]
        table = model_variable(
            "weights", size, dtypes.float32, args.initializer, **options
        )
    _maybe_restore_from_checkpoint(column._checkpoint_path(), table)
    return safe_embedding_lookup_sparse(
        table, ids, weights, args.combiner, name=f"{column.name}weights",
        max_norm=args.max_norm,
    )  # fmt: skip

"""What columns of numbers compute, whichever protocol they are asked in.

See Note [Two protocols] in categorical_kinds.
"""

from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes
from twinflow.base.shapes import TensorShape
from twinflow.feature_column.categorical_kinds import IdWeightPair
from twinflow.feature_column.tensors import ids_of_buckets, rank_of, sequence_length
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import cast, to_float
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.math.counting import bucketize
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse
from twinflow.ops.parsing.features import FixedLenFeature
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.parts import sparse_slice
from twinflow.ops.sparse.select import sparse_merge
from twinflow.ops.sparse.tensor import is_sparse


class TensorSequenceLengthPair(NamedTuple):
    """The numbers of a batch of sequences, and how long each of them is."""

    dense_tensor: Any
    sequence_length: Any


class Numeric:
    """Numbers as they are."""

    key: Any
    shape: Any
    default_value: Any
    dtype: Any
    normalizer_fn: Any

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.key

    def _spec(self):
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def _made(self, way):
        t = way.get(self.key)
        if is_sparse(t):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. "
                f"SparseTensor is not supported. key: {self.key}"
            )
        return to_float(t if self.normalizer_fn is None else self.normalizer_fn(t))

    def _size(self):
        return TensorShape(self.shape)

    def _dense(self, way):
        return way.get(self)


class Bucketized:
    """Between which boundaries numbers lie, as ones among zeros or as ids."""

    source_column: Any
    boundaries: Any
    _way: Any

    @property
    def name(self) -> str:
        """The name of the source, and `_bucketized`."""
        return f"{self.source_column.name}_bucketized"

    def _spec(self):
        return self._way.spec(self.source_column)

    def _made(self, way):
        return bucketize(way.get(self.source_column), self.boundaries)

    def _size(self):
        count = len(self.boundaries) + 1
        return TensorShape((*self.source_column.shape, count))

    def _buckets(self):
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def _dense(self, way):
        places = cast(way.get(self), dtypes.int64)
        return one_hot(places, len(self.boundaries) + 1, 1.0, 0.0)

    def _ids(self, way):
        size, count = self.source_column.shape[0], len(self.boundaries) + 1
        return IdWeightPair(ids_of_buckets(way.get(self), size, count), None)


class OfCategories:
    """A column of numbers that is made of one of categories."""

    categorical_column: Any
    _way: Any
    _title: str

    def _spec(self):
        return self._way.spec(self.categorical_column)

    def _no_sequence(self):
        kind = self._way.sequence.__name__
        if isinstance(self.categorical_column, self._way.sequence):
            raise ValueError(
                f"In {self._title}: {self.name}. categorical_column must not be of "
                f"type {kind}. Suggested fix A: If you wish to use input_layer, use a "
                "non-sequence categorical_column_with_*. Suggested fix B: If you wish "
                "to create sequence input, use sequence_input_layer instead of "
                f"input_layer. Given (type {type(self.categorical_column)}): "
                f"{self.categorical_column}"
            )

    def _just_sequence(self):
        kind = self._way.sequence.__name__
        if not isinstance(self.categorical_column, self._way.sequence):
            raise ValueError(
                f"In {self._title}: {self.name}. categorical_column must be of type "
                f"{kind} to use sequence_input_layer. Suggested fix: Use one of "
                "sequence_categorical_column_with_*. Given (type "
                f"{type(self.categorical_column)}): {self.categorical_column}"
            )

    @property
    def name(self) -> str:
        """The name of the other column, and what it is made into."""
        return f"{self.categorical_column.name}_{self._title.removesuffix('_column')}"


class Indicator(OfCategories):
    """How often each category is there."""

    _title = "indicator_column"

    def _made(self, way):
        ids, weights = way.any_ids(self.categorical_column)
        size = self._size()[-1].value
        if weights is not None:
            return weights_by_id(ids, weights, size)
        places = sparse_tensor_to_dense(ids, -1)
        return reduce_sum(one_hot(places, size, 1.0, 0.0), [-2])

    def _size(self):
        return TensorShape([1, self._way.buckets(self.categorical_column)])

    def _dense(self, way):
        self._no_sequence()
        return way.get(self)

    def _sequence(self, way):
        self._just_sequence()
        numbers = way.get(self)
        ids = way.any_ids(self.categorical_column).id_tensor
        return TensorSequenceLengthPair(numbers, sequence_length(ids))


def weights_by_id(ids: Any, weights: Any, size: int) -> Any:
    """The weight of each id of each row: float[batch, size]."""
    merged = sparse_merge(ids, weights, size)
    kept = sparse_slice(merged, [0, 0], merged.dense_shape)  # without the ids -1
    found = sparse_tensor_to_dense(kept)
    if found.symbolic and ids.get_shape().ndims == 2:
        found.set_shape([ids.get_shape()[0], size])
    return found


class Embedded(OfCategories):
    """Rows of a table, combined."""

    _title = "embedding_column"
    dimension: Any
    combiner: Any
    max_norm: Any

    def _made(self, way):
        return way.get(self.categorical_column)

    def _size(self):
        return TensorShape([self.dimension])

    def _looked_up(self, way):
        ids, weights = way.any_ids(self.categorical_column)
        return safe_embedding_lookup_sparse(
            self._table(way), ids, weights, self.combiner,
            name=f"{self.name}_weights", max_norm=self.max_norm,
        )  # fmt: skip

    def _dense(self, way):
        self._no_sequence()
        return self._looked_up(way)

    def _sequence(self, way):
        self._just_sequence()
        numbers = self._looked_up(way)
        ids = way.any_ids(self.categorical_column).id_tensor
        return TensorSequenceLengthPair(numbers, sequence_length(ids))


class SharedEmbedded(Embedded):
    """Rows of a table that several columns have."""

    @property
    def name(self) -> str:
        """The name of the other column, and `_shared_embedding`."""
        return f"{self.categorical_column.name}_shared_embedding"

    def _looked_up(self, way):
        with dispatch.current_mode().name_scope(self.name):
            return super()._looked_up(way)


class Sequence:
    """A column of categories whose places are steps of sequences."""

    categorical_column: Any
    _way: Any

    @property
    def name(self) -> str:
        """The name of the other column."""
        return self.categorical_column.name

    def _spec(self):
        return self._way.spec(self.categorical_column)

    def _made(self, way):
        return way.made(self.categorical_column)

    def _buckets(self):
        return self._way.buckets(self.categorical_column)

    def _ids(self, way):
        ids, weights = way.ids(self.categorical_column)
        ids = self._deeper(ids, "ID", "id_tensor shape: ", " ")
        if weights is not None:
            weights = self._deeper(weights, "weight", "weight_tensor shape:", "")
        return IdWeightPair(ids, weights)

    def _deeper(self, sp, what, shown, end):
        """With one more axis of size 1 at the end."""
        whole = shape_of(sp)
        message = f"Column {self.name} expected {what} tensor of rank 2.{end}"
        check = assert_equal(
            rank_of(sp), 2, data=[message, shown, whole], message=message
        )
        with control_dependencies([] if check is None else [check]):
            return sparse_reshape(sp, concat([whole, [1]], 0))

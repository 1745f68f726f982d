"""Dual coordinate ascent for models of feature columns."""

from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.layers.column_layers import _Transformer
from twinflow.contrib.layers.dense_columns import _BucketizedColumn, _RealValuedColumn
from twinflow.contrib.layers.sparse_columns import (
    _CrossedColumn,
    _SparseColumn,
    _WeightedSparseColumn,
)
from twinflow.contrib.linear_optimizer.sdca_model import SdcaModel
from twinflow.contrib.linear_optimizer.sparse_feature_column import SparseFeatureColumn
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.shape import reshape, shape

_OF_IDS = (_BucketizedColumn, _SparseColumn, _WeightedSparseColumn, _CrossedColumn)


class SDCAOptimizer:
    """Trains linear models of feature columns by `SdcaModel`, for tf.contrib.learn.

    Args:
        example_id_column: the key of string[n], which example is which.
        num_loss_partitions, num_table_shards, symmetric_l1_regularization,
        symmetric_l2_regularization, adaptive: see SdcaModel.
        partitioner: of the variables.
    Example:
        column = tf.contrib.layers.sparse_column_with_hash_bucket("words", 8)
        optimizer = tf.contrib.linear_optimizer.SDCAOptimizer("id")
        model = tf.contrib.learn.LinearClassifier(
            [column], "./sdca", optimizer=optimizer)
        def few():
            words = tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1])
            names = tf.constant(["1", "2"])
            return dict(id=names, words=words), tf.constant([[0], [1]])
        model = model.fit(input_fn=few, steps=5)
    """

    def __init__(
        self, example_id_column: str, num_loss_partitions: int = 1,
        num_table_shards: int | None = None, symmetric_l1_regularization: float = 0.0,
        symmetric_l2_regularization: float = 1.0, adaptive: bool = True,
        partitioner: Any = None,
    ) -> None:  # fmt: skip
        self.example_id_column = example_id_column
        self.num_loss_partitions = num_loss_partitions
        self.num_table_shards = num_table_shards
        self.symmetric_l1_regularization = symmetric_l1_regularization
        self.symmetric_l2_regularization = symmetric_l2_regularization
        self.adaptive, self.partitioner = adaptive, partitioner

    def get_name(self) -> str:
        """The name."""
        return "SDCAOptimizer"

    def get_train_step(
        self, columns_to_variables: dict[Any, Any], weight_column_name: Any,
        loss_type: str, features: dict[Any, Any], targets: Any, global_step: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        """The model of some columns, and the op of a step.

        Args:
            columns_to_variables: {column: its weights}, see
                tf.contrib.layers.weighted_sum_from_feature_columns.
            weight_column_name: the key of the examples' weights, or None.
            loss_type: see SdcaModel. features: {key: tensor}.
            targets: [n] or [n, 1], the labels. global_step: the variable of steps.
        Returns:
            (an SdcaModel, the op)
        Raises:
            ValueError: a column is of another kind.
        """
        labels = reshape(cast(targets, dtypes.float32), [-1])
        dense: list = []
        sparse: list = []
        transformer = _Transformer(dict(features))
        for column in sorted(columns_to_variables, key=lambda c: c.key):
            weights = columns_to_variables[column]
            one = weights[0] if len(weights) == 1 else weights
            tensor = transformer.transform(column)
            if isinstance(column, _RealValuedColumn):
                rows = column._to_dense_tensor(tensor)
                dense.append((reshape(rows, [shape(labels)[0], -1]), one))
            elif isinstance(column, _OF_IDS):
                args = column._wide_embedding_lookup_arguments(tensor)
                sparse.append((_sparse_column(args), one))
            else:
                kind = type(column).__name__
                raise ValueError(f"SDCAOptimizer does not support column type {kind}.")
        return self._model(dense, sparse, features, labels, weight_column_name,
                           loss_type, global_step)  # fmt: skip

    def _model(self, dense, sparse, features, labels, weights, loss_type, step):
        if weights:
            given = reshape(cast(features[weights], dtypes.float32), [-1])
        else:
            given = ones([shape(labels)[0]])
        examples = {
            "sparse_features": [c for c, _ in sparse],
            "dense_features": [d for d, _ in dense], "example_labels": labels,
            "example_weights": given,
            "example_ids": reshape(features[self.example_id_column], [-1]),
        }  # fmt: skip
        variables = {
            "sparse_features_weights": [w for _, w in sparse],
            "dense_features_weights": [w for _, w in dense],
        }
        options = {
            "symmetric_l1_regularization": self.symmetric_l1_regularization,
            "symmetric_l2_regularization": self.symmetric_l2_regularization,
            "adaptive": self.adaptive, "num_loss_partitions": self.num_loss_partitions,
            "num_table_shards": self.num_table_shards, "loss_type": loss_type,
        }  # fmt: skip
        model = SdcaModel(examples, variables, options)
        return model, model.minimize(global_step=step)


def _sparse_column(args: Any) -> SparseFeatureColumn:
    """The features of a column of categories, without those that it does not know."""
    ids = args.input_tensor
    known = greater_equal(ids.values, 0)
    values = args.weight_tensor.values if args.weight_tensor is not None else None
    if values is None:
        values = ones([shape(ids.values)[0]])
    return SparseFeatureColumn(
        boolean_mask(ids.indices[:, 0], known),
        boolean_mask(cast(ids.values, dtypes.int64), known),
        boolean_mask(cast(convert_to_tensor(values), dtypes.float32), known),
    )  # fmt: skip

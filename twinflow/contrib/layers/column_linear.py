"""Linear models of columns, of tf.contrib.layers."""

import contextlib
from typing import Any

from twinflow.base import dtypes, logging
from twinflow.base.errors import UsageError
from twinflow.contrib.framework.variables import model_variable
from twinflow.contrib.layers.column_base import _maybe_restore_from_checkpoint
from twinflow.contrib.layers.column_layers import (
    _add_variable_collection,
    _maybe_reshape_input_tensor,
    _ordered,
    _tensors,
    _Transformer,
    check_feature_columns,
)
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.partitioned import PartitionedVariable
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse
from twinflow.ops.random.initializers import Zeros
from twinflow.ops.sparse.parts import sparse_concat
from twinflow.ops.sparse.tensor import SparseTensor


def weighted_sum_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, num_outputs: int,
    weight_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """The weighted sum of what columns say, plus a bias.

    Args:
        columns_to_tensors: a dict from keys to tensors and SparseTensors.
        feature_columns: columns of numbers as they are, or of categories.
        num_outputs: how many sums there are.
        weight_collections: collections that variables join.
        trainable: whether variables are trained. scope: the variable scope.
    Returns:
        (float32[batch, num_outputs]; dict from columns to lists of their weights; the
        bias).
    Raises:
        ValueError: a column is of another kind, or is there twice.
    """
    made = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    name = "weighted_sum_from_feature_columns"
    with variable_scope(scope, name, _tensors(made)):
        sums, variables, transformer = [], {}, _Transformer(made)
        for column in _ordered(feature_columns):
            found, weights = _sum_of(
                column, transformer.transform(column), made, num_outputs,
                weight_collections, trainable,
            )  # fmt: skip
            sums.append(reshape(found, (-1, num_outputs)))
            variables[column] = weights
            _log_variable(weights)
            _maybe_restore_from_checkpoint(column._checkpoint_path(), weights[0])
        total = add_n(sums)
        bias = _bias(num_outputs, weight_collections, trainable)
        return bias_add(total, bias), variables, bias


def _sum_of(column, made, features, num_outputs, weight_collections, trainable):
    """(what a column adds, [its weights])."""
    where = _add_variable_collection(weight_collections)
    try:
        args = column._wide_embedding_lookup_arguments(made)
    except NotImplementedError:
        args = None
    except ValueError as error:
        raise ValueError(
            f"Error creating weighted sum for column: {column.name}.\n{error}"
        ) from error
    if args is not None:
        weights, found = _create_embedding_lookup(
            column, features, args, num_outputs, trainable, where
        )
        return found, weights
    with variable_scope(None, column.name, _tensors(features)):
        numbers = column._to_dense_tensor(made)
        numbers = _maybe_reshape_input_tensor(numbers, column.name, 2)
        weight = model_variable(
            "weight", [numbers.get_shape()[1], num_outputs], initializer=Zeros(),
            trainable=trainable, collections=where,
        )  # fmt: skip
        return matmul(numbers, weight, name="matmul"), _parts(weight)


def _create_embedding_lookup(
    column: Any, columns_to_tensors: Any, embedding_lookup_arguments: Any,
    num_outputs: int, trainable: bool, weight_collections: Any,
) -> tuple:  # fmt: skip
    """([the weights], what a column of categories adds to a linear model)."""
    args = embedding_lookup_arguments
    with variable_scope(None, column.name, _tensors(columns_to_tensors)):
        weights = model_variable(
            "weights", [args.vocab_size, num_outputs], dtypes.float32,
            args.initializer, trainable=trainable, collections=weight_collections,
        )  # fmt: skip
        found = safe_embedding_lookup_sparse(
            weights, args.input_tensor, args.weight_tensor, args.combiner,
            name=f"{column.name}_weights",
        )  # fmt: skip
        return _parts(weights), found


def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, num_outputs: int,
    weight_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """As `weighted_sum_from_feature_columns`, with one variable for all columns.

    Args: see there; all columns are of categories without weights.
    Returns:
        (float32[batch, num_outputs]; [the weights]; the bias).
    Raises:
        NotImplementedError: a column is of numbers.
        ValueError: a column is there twice, or its combiner is not "sum".
    """
    made = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    name = "joint_weighted_sum_from_feature_columns"
    with variable_scope(scope, name, _tensors(made)):
        transformer, arguments = _Transformer(made), []
        for column in _ordered(feature_columns):
            found = transformer.transform(column)
            with contextlib.suppress(NotImplementedError):
                arguments.append(column._wide_embedding_lookup_arguments(found))
                continue
            raise NotImplementedError(
                "Real-valued columns are not supported. Use "
                "weighted_sum_from_feature_columns instead, or bucketize these "
                "columns."
            )
        weights, total = _create_joint_embedding_lookup(
            made, arguments, num_outputs, trainable, weight_collections
        )
        _log_variable(weights)
        bias = _bias(num_outputs, weight_collections, trainable)
        return bias_add(total, bias), weights, bias


def _create_joint_embedding_lookup(
    columns_to_tensors: Any, embedding_lookup_arguments: Any, num_outputs: int,
    trainable: bool, weight_collections: Any,
) -> tuple:  # fmt: skip
    """([the weights of all columns], what they add to a linear model)."""
    advice = "Please use weighted_sum_from_feature_columns instead."
    parts, size = [], 0
    for args in embedding_lookup_arguments:
        if args.weight_tensor is not None:
            raise UsageError(
                f"Joint sums for weighted sparse columns are not supported. {advice}"
            )
        if args.combiner != "sum":
            raise UsageError(
                f"Combiners other than sum are not supported for joint sums. {advice}"
            )
        ids = args.input_tensor
        values = cast(ids.values, dtypes.int64)
        shifted = values + convert_to_tensor(size, dtypes.int64)
        parts.append(SparseTensor(ids.indices, shifted, ids.dense_shape))
        size += args.vocab_size
    if not parts:
        raise UsageError("At least one column must be in the model.")
    with variable_scope(None, "linear_weights", _tensors(columns_to_tensors)):
        weights = model_variable(
            "weights", [size, num_outputs], dtypes.float32, Zeros(),
            trainable=trainable,
            collections=_add_variable_collection(weight_collections),
        )  # fmt: skip
        together = parts[0] if len(parts) == 1 else sparse_concat(1, parts)
        found = safe_embedding_lookup_sparse(
            weights, together, None, "sum", name="_weights"
        )
        return _parts(weights), found


def _bias(num_outputs, weight_collections, trainable):
    where = _add_variable_collection(weight_collections)
    bias = model_variable(
        "bias_weight", [num_outputs], initializer=Zeros(), trainable=trainable,
        collections=where,
    )  # fmt: skip
    _log_variable(_parts(bias))
    return bias


def _parts(variable):
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _log_variable(variables: Any) -> None:
    for v in variables:
        logging.info("Created variable %s, with device=%s", v.name, v.device)

"""The layers of tf.contrib.layers that take columns."""

import functools
from typing import Any

from twinflow.base import logging, nest
from twinflow.contrib.layers.column_base import (
    _embeddings_from_arguments,
    inner_flatten,
    one_deeper,
)
from twinflow.contrib.layers.column_makers import (
    _create_sequence_feature_spec_for_parsing,
    create_feature_spec_for_parsing,
    real_valued_column,
)
from twinflow.contrib.layers.dense_columns import (
    _BucketizedColumn,
    _EmbeddingColumn,
    _OneHotColumn,
    _RealValuedColumn,
    _RealValuedVarLenColumn,
    _ScatteredEmbeddingColumn,
)
from twinflow.contrib.layers.sparse_columns import (
    _CrossedColumn,
    _WeightedSparseColumn,
)
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.parsing.public import parse_example, parse_single_sequence_example
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.variables.collections import GraphKeys


class _Transformer:
    """What columns make of features, each once.

    Args:
        columns_to_tensors: a dict of features, to which it adds.
    """

    def __init__(self, columns_to_tensors: Any) -> None:
        self._columns_to_tensors = columns_to_tensors

    def transform(self, feature_column: Any) -> Any:
        """What a column makes of the features.

        Raises:
            ValueError: it makes nothing.
        """
        logging.debug("Transforming feature_column %s", feature_column)
        known = self._columns_to_tensors
        if feature_column not in known:
            feature_column.insert_transformed_feature(known)
        if feature_column not in known:
            raise ValueError(f"Column {feature_column.name} is not supported.")
        return known[feature_column]


def check_feature_columns(feature_columns: Any) -> None:
    """Raise ValueError where columns are a dict, or two have one key.

    Args:
        feature_columns: a list of columns.
    """
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    known = set()
    for column in feature_columns:
        if column.key in known:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This "
                "usually means that the column is almost identical to another column, "
                "and one must be discarded."
            )
        known.add(column.key)


def _ordered(columns):
    return sorted(set(columns), key=lambda column: column.key)


def _tensors(features):
    return [t for t in features.values() if hasattr(t, "graph")]


def transform_features(features: Any, feature_columns: Any) -> dict[Any, Any]:
    """What each column makes of the features.

    Args:
        features: a dict from keys to tensors and SparseTensors.
        feature_columns: a list of columns.
    Returns:
        dict from columns to what they make
    """
    check_feature_columns(feature_columns)
    made = dict(features)
    transformer = _Transformer(made)
    return {c: transformer.transform(c) for c in _ordered(feature_columns)}


def infer_real_valued_columns(features: Any) -> list[Any]:
    """A column of numbers for each of the features.

    Args:
        features: a tensor of numbers [batch, ...], or a dict of them.
    Raises:
        ValueError: one is sparse, or not of numbers.
    """
    if not isinstance(features, dict):
        return [_infer_real_valued_column_for_tensor("", features)]
    return [
        _infer_real_valued_column_for_tensor(name, features[name])
        for name in sorted(features)
    ]


def _infer_real_valued_column_for_tensor(name: str, tensor: Any) -> Any:
    """The column of numbers for a tensor."""
    advice = "Please define corresponding FeatureColumn for tensor {} {}."
    if isinstance(tensor, SparseTensor):
        text = f"SparseTensor is not supported for auto detection. {advice}"
        raise ValueError(text.format(name, tensor))
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        text = "Non integer or non floating types are not supported for auto detection."
        raise ValueError(f"{text} {advice}", name, tensor)
    size = 1
    for n in tensor.get_shape().as_list()[1:]:
        size *= n
    return real_valued_column(name, size, dtype=tensor.dtype)


# ------------------------------------------------------------------ dense layers
def input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True, scope: Any = None, cols_to_outs: Any = None,
) -> Any:  # fmt: skip
    """The numbers of columns beside each other, in the order of their keys.

    Args:
        columns_to_tensors: a dict from keys to tensors and SparseTensors.
        feature_columns: columns of numbers.
        weight_collections: collections that variables join.
        trainable: whether variables are trained. scope: the variable scope.
        cols_to_outs: a dict that gets the numbers of each column.
    Returns:
        float32[batch, sum of the sizes of the columns]
    Raises:
        ValueError: a column is no column of numbers, or is there twice.
    Example:
        price = tf.contrib.layers.real_valued_column("price")
        features = {"price": tf.constant([[1.], [5.]])}
        with tf.Graph().as_default(), tf.Session() as sess:
            features = {"price": tf.constant([[1.], [5.]])}
            y = tf.contrib.layers.input_from_feature_columns(features, [price])
            found = sess.run(y)
        found  # [[1.], [5.]]
    """
    return _input_from_feature_columns(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 2,
        "input_from_feature_columns", cols_to_outs,
    )  # fmt: skip


def _input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Any,
    trainable: bool, scope: Any, output_rank: int, default_name: str,
    cols_to_outs: Any = None,
) -> Any:  # fmt: skip
    """See `input_from_feature_columns`; `output_rank` is 3 for sequences."""
    made = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    where = _add_variable_collection(weight_collections)
    plan = _Transformer(made), where, trainable, output_rank
    with variable_scope(scope, default_name, _tensors(made)):
        rows = []
        for column in _ordered(feature_columns):
            with variable_scope(None, column.name, _tensors(made)):
                rows.append(_of_column(column, *plan))
            if cols_to_outs is not None:
                cols_to_outs[column] = rows[-1]
        return concat(rows, output_rank - 1)


def _of_column(column, transformer, where, trainable, output_rank):
    made = transformer.transform(column)
    if output_rank == 3:
        fit = functools.partial(
            _maybe_reshape_input_tensor, column_name=column.name, output_rank=3
        )
        made = nest.map_structure(fit, made)
    try:
        arguments = column._deep_embedding_lookup_arguments(made)
    except NotImplementedError as none:
        try:
            return column._to_dnn_input_layer(made, where, trainable, output_rank)
        except ValueError as error:
            raise ValueError(
                f"Error creating input layer for column: {column.name}.\n{error}, "
                f"{none}"
            ) from error
    return _embeddings_from_arguments(column, arguments, where, trainable, output_rank)


def _maybe_reshape_input_tensor(tensor: Any, column_name: str, output_rank: int) -> Any:
    """A tensor with `output_rank` axes, if need be one of size 1.

    Raises:
        ValueError: it has still fewer, or an unknown number.
    """
    rank = tensor.get_shape().ndims
    about = f"Error while processing column {column_name}. Rank of input Tensor "
    if rank is None:
        raise ValueError(f"{about}can not be None.")
    if rank == output_rank - 1:
        return one_deeper(tensor)
    if rank < output_rank:
        raise ValueError(
            f"{about}({rank}) should be the same as output_rank ({output_rank}). For "
            "example, sequence data should typically be 3 dimensional (rank 3) while "
            "non-sequence data is typically 2 dimensional (rank 2)."
        )
    return inner_flatten(tensor, output_rank)


def _add_variable_collection(weight_collections: Any) -> Any:
    """Collections with that of all variables among them; None for none."""
    if not weight_collections:
        return weight_collections
    return list(dict.fromkeys([*weight_collections, GraphKeys.GLOBAL_VARIABLES]))


# ------------------------------------------------------------------ sequences
_FOR_SEQUENCES = (
    _OneHotColumn, _EmbeddingColumn, _RealValuedColumn, _RealValuedVarLenColumn,
)  # fmt: skip
_NOT_FOR_SEQUENCES = _BucketizedColumn, _CrossedColumn, _ScatteredEmbeddingColumn


def sequence_input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """As `input_from_feature_columns`, of features of steps of sequences.

    Args:
        columns_to_tensors: a dict from keys to tensors and SparseTensors
            [batch, steps, n].
        feature_columns: columns of numbers: real_valued, one_hot or embedding columns.
        weight_collections, trainable, scope: see `input_from_feature_columns`.
    Returns:
        float32[batch, steps, sum of the sizes of the columns]
    Raises:
        ValueError: a column is of another kind.
    """
    _check_supported_sequence_columns(feature_columns)
    _check_forbidden_sequence_columns(feature_columns)
    return _input_from_feature_columns(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 3,
        "sequence_input_from_feature_columns",
    )  # fmt: skip


def _check_supported_sequence_columns(feature_columns: Any) -> None:
    for column in feature_columns:
        if not isinstance(column, _FOR_SEQUENCES):
            raise ValueError(
                f"FeatureColumn type {type(column).__name__} is not currently "
                "supported for sequence data."
            )


def _get_parent_columns(feature_column: Any) -> list:
    """The columns that a column is made of."""
    if isinstance(
        feature_column, _WeightedSparseColumn | _OneHotColumn | _EmbeddingColumn
    ):
        return [feature_column.sparse_id_column]
    if isinstance(feature_column, _BucketizedColumn):
        return [feature_column.source_column]
    if isinstance(feature_column, _CrossedColumn):
        return list(feature_column.columns)
    return []


def _gather_feature_columns(feature_columns: Any) -> list:
    """Columns with all that they are made of."""
    found = list(feature_columns)
    for column in found:  # grows
        found += [p for p in _get_parent_columns(column) if p not in found]
    return found


def _check_forbidden_sequence_columns(feature_columns: Any) -> None:
    for column in _gather_feature_columns(feature_columns):
        if isinstance(column, _NOT_FOR_SEQUENCES):
            raise ValueError(
                f"Column {column.name} is of type {type(column).__name__}, which is "
                "not currently supported for sequences."
            )


# ------------------------------------------------------------------ parsing
def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Any, name: str | None = None,
    example_names: Any = None,
) -> dict[Any, Any]:  # fmt: skip
    """The features of serialized examples, and what columns make of them.

    Args:
        serialized: string[batch], tf.Examples. feature_columns: a list of columns.
        name: the name scope. example_names: string[batch], for errors.
    Returns:
        dict from keys and columns to tensors and SparseTensors
    """
    check_feature_columns(feature_columns)
    spec = create_feature_spec_for_parsing(feature_columns)
    found = parse_example(serialized, spec, name, example_names)
    transformer = _Transformer(found)
    for column in _ordered(feature_columns):
        transformer.transform(column)
    return found


def parse_feature_columns_from_sequence_examples(
    serialized: Any, context_feature_columns: Any, sequence_feature_columns: Any,
    name: str | None = None, example_name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """The features of a serialized example of a sequence.

    Args:
        serialized: string scalar, a tf.SequenceExample.
        context_feature_columns: columns of the whole sequence, or None.
        sequence_feature_columns: columns of its steps, or None.
        name: the name scope. example_name: string scalar, for errors.
    Returns:
        (dict of features of the whole, dict of features of steps)
    Raises:
        ValueError: there are several examples.
    """
    serialized = convert_to_tensor(serialized)
    try:
        serialized.get_shape().assert_has_rank(0)
    except ValueError as e:
        raise ValueError(
            "serialized must contain as single sequence example. Batching must be done "
            f"after parsing for sequence examples. Error: {e}"
        ) from e
    context, steps = context_feature_columns or [], sequence_feature_columns or []
    check_feature_columns(context)
    return parse_single_sequence_example(
        serialized, create_feature_spec_for_parsing(context),
        _create_sequence_feature_spec_for_parsing(steps), example_name, name,
    )  # fmt: skip

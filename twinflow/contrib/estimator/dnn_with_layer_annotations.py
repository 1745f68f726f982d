"""DNN Estimators whose graphs say which tensors the columns take and give."""

import contextlib
import pickle
from collections.abc import Callable
from typing import Any

from google.protobuf import any_pb2

from twinflow.base.annotations import Path
from twinflow.estimator.canned import dnn
from twinflow.estimator.canned.binary_head import binary_logistic_or_multi_class_head
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.estimator.estimator import Estimator
from twinflow.export.signatures import build_tensor_info
from twinflow.feature_column.layers import input_layer
from twinflow.graph.scopes import add_to_collection
from twinflow.losses.weighting import Reduction
from twinflow.ops.nn.activation import relu
from twinflow.ops.sparse.tensor import convert_to_tensor_or_sparse_tensor


class LayerAnnotationsCollectionNames:
    """The collections of a graph that annotations go to."""

    UNPROCESSED_FEATURES = "layer_annotations/unprocessed_features"
    PROCESSED_FEATURES = "layer_annotatons/processed_features"
    FEATURE_COLUMNS = "layer_annotations/feature_columns"

    @classmethod
    def keys(cls, collection_name: str) -> str:
        """The collection of the names."""
        return f"{collection_name}/keys"

    @classmethod
    def values(cls, collection_name: str) -> str:
        """The collection of the tensors."""
        return f"{collection_name}/values"


def serialize_feature_column(feature_column: Any) -> bytes:
    """A column as bytes that pickle reads; functions that it cannot are left out."""
    with contextlib.suppress(Exception):
        return pickle.dumps(feature_column)
    known = feature_column._asdict()
    for name in ("layer_creator", "initializer", "normalizer_fn"):
        if name in known:
            known[name] = None
    return pickle.dumps((type(feature_column).__name__, repr(known)))


def _annotate(collection, name, tensor):
    info = any_pb2.Any()
    info.Pack(build_tensor_info(tensor))
    names = LayerAnnotationsCollectionNames
    add_to_collection(names.keys(collection), name)
    add_to_collection(names.values(collection), info)


def make_input_layer_with_layer_annotations(original_input_layer: Callable) -> Callable:
    """A function like tf.feature_column.input_layer, which annotates the graph."""

    def annotated(
        features, feature_columns, weight_collections=None, trainable=True,
        cols_to_vars=None, cols_to_output_tensors=None,
    ):  # fmt: skip
        found = {} if cols_to_output_tensors is None else cols_to_output_tensors
        tensors = {
            key: convert_to_tensor_or_sparse_tensor(value)
            for key, value in features.items()
        }
        numbers = original_input_layer(
            tensors, feature_columns, weight_collections, trainable, cols_to_vars,
            cols_to_output_tensors=found,
        )  # fmt: skip
        names = LayerAnnotationsCollectionNames
        for key, tensor in tensors.items():
            _annotate(names.UNPROCESSED_FEATURES, key, tensor)
        for column, tensor in found.items():
            _annotate(names.PROCESSED_FEATURES, column.name, tensor)
            add_to_collection(names.FEATURE_COLUMNS, serialize_feature_column(column))
        return numbers

    return annotated


def _estimator(head, hidden_units, feature_columns, model_dir, config, warm, *options):
    layer = make_input_layer_with_layer_annotations(input_layer)
    optimizer, activation_fn, dropout, partitioner = options
    model_fn = dnn.model_fn_of(
        head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
        partitioner, False, layer,
    )  # fmt: skip
    return Estimator(model_fn, model_dir, config, warm_start_from=warm)


def DNNClassifierWithLayerAnnotations(
    hidden_units: Any, feature_columns: Any, model_dir: Path | None = None,
    n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
    optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = relu,
    dropout: float | None = None, input_layer_partitioner: Any = None,
    config: Any = None, warm_start_from: Any = None,
    loss_reduction: str = Reduction.SUM,
) -> Estimator:  # fmt: skip
    """A DNNClassifier whose graph has collections of its features and columns.

    Args: see tf.estimator.DNNClassifier.
    Example:
        x = tf.feature_column.numeric_column("x")
        make = tf.contrib.estimator.DNNClassifierWithLayerAnnotations
        data = {"x": [[2.0], [6.0]]}, [[0], [1]]
        make([4], [x]).train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """
    head = binary_logistic_or_multi_class_head(
        n_classes, weight_column, label_vocabulary, loss_reduction
    )
    return _estimator(
        head, hidden_units, feature_columns, model_dir, config, warm_start_from,
        optimizer, activation_fn, dropout, input_layer_partitioner,
    )  # fmt: skip


def DNNRegressorWithLayerAnnotations(
    hidden_units: Any, feature_columns: Any, model_dir: Path | None = None,
    label_dimension: int = 1, weight_column: Any = None, optimizer: Any = "Adagrad",
    activation_fn: Callable[..., Any] = relu, dropout: float | None = None,
    input_layer_partitioner: Any = None, config: Any = None,
    warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
) -> Estimator:  # fmt: skip
    """A DNNRegressor whose graph has collections of its features and columns.

    Args: see tf.estimator.DNNRegressor.
    Example:
        x = tf.feature_column.numeric_column("x")
        make = tf.contrib.estimator.DNNRegressorWithLayerAnnotations
        data = {"x": [[2.0], [6.0]]}, [[1.0], [3.0]]
        make([4], [x]).train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """
    head = RegressionHead(label_dimension, weight_column, loss_reduction)
    return _estimator(
        head, hidden_units, feature_columns, model_dir, config, warm_start_from,
        optimizer, activation_fn, dropout, input_layer_partitioner,
    )  # fmt: skip

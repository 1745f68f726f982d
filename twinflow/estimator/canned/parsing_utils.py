"""How the Examples of a canned Estimator are parsed: features, label and weight."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.feature_column.columns import _NumericColumn
from twinflow.feature_column.makers import make_parse_example_spec, numeric_column
from twinflow.ops.parsing.features import FixedLenFeature


def classifier_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: DTypeValue = dtypes.int64,
    label_default: Any = None, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """The features that tf.parse_example reads for a classifier.

    Args:
        feature_columns: columns of tf.feature_column. label_key: the name of the label.
        label_dtype: int64, or string for classes by name.
        label_default: of Examples without a label.
        weight_column: the name of a feature, or a numeric column: weights of examples.
    Returns:
        Dict from names to features.
    Raises:
        ValueError: the label or the weight is a feature as well.
    Example:
        x = tf.feature_column.numeric_column("x")
        sorted(tf.estimator.classifier_parse_example_spec([x], "y"))  # ['x', 'y']
    """
    spec = make_parse_example_spec(feature_columns)
    label = FixedLenFeature((1,), label_dtype, label_default)
    return _with_label_and_weight(spec, label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: DTypeValue = dtypes.float32,
    label_default: Any = None, label_dimension: int = 1, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """The features that tf.parse_example reads for a regressor.

    Args:
        label_dimension: how many numbers a label has.
        The others: see classifier_parse_example_spec.
    Returns:
        Dict from names to features.
    Raises:
        ValueError: the label or the weight is a feature as well.
    Example:
        x = tf.feature_column.numeric_column("x")
        spec = tf.estimator.regressor_parse_example_spec([x], "y", label_dimension=3)
        spec["y"].shape  # (3,)
    """
    spec = make_parse_example_spec(feature_columns)
    label = FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with_label_and_weight(spec, label_key, label, weight_column)


def _with_label_and_weight(spec, label_key, label, weight_column):
    if label_key in spec:
        raise ValueError(
            f"label should not be used as feature. label_key: {label_key}, features: "
            f"{spec.keys()}"
        )
    spec[label_key] = label
    if weight_column is None:
        return spec
    if isinstance(weight_column, str):
        weight_column = numeric_column(weight_column)
    if not isinstance(weight_column, _NumericColumn):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column. "
            f"Given type: {type(weight_column)} value: {weight_column}"
        )
    if weight_column.key in spec:
        raise ValueError(
            "weight_column should not be used as feature. weight_column: "
            f"{weight_column.key}, features: {spec.keys()}"
        )
    spec.update(weight_column._parse_example_spec)
    return spec

"""The weights of examples, taken from the features."""

from twinflow.estimator.canned.shapes import check_weights
from twinflow.feature_column.columns import _LazyBuilder, _NumericColumn
from twinflow.feature_column.makers import numeric_column
from twinflow.feature_column.v2.columns import (
    FeatureTransformationCache,
    NumericColumn,
)
from twinflow.graph.scopes import name_scope


def weights_of(features, weight_column, logits, allow_per_logit_weights=False):
    """The weights, checked against the logits; 1 without a weight column.

    Raises:
        TypeError: the column is neither a name nor a numeric column.
        ValueError: its values are no numbers.
    """
    with name_scope(None, "weights", (*features.values(), logits)):
        if weight_column is None:
            return 1.0
        weights = _values(features, weight_column)
        if not (weights.dtype.is_floating or weights.dtype.is_integer):
            raise ValueError(
                "Weight column should be castable to float. Given dtype: "
                f"{weights.dtype}"
            )
        return check_weights(weights, logits, allow_per_logit_weights)


def _values(features, weight_column):
    """The values of the column, as they are given."""
    if isinstance(weight_column, str):
        weight_column = numeric_column(key=weight_column, shape=(1,))
    if isinstance(weight_column, NumericColumn):
        return weight_column.get_dense_tensor(FeatureTransformationCache(features), None)
    if isinstance(weight_column, _NumericColumn):
        return weight_column._get_dense_tensor(_LazyBuilder(features))
    raise TypeError(
        "Weight column must be either a string or _NumericColumn. Given type: "
        f"{type(weight_column)}."
    )

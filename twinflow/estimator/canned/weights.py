"""The weights of examples, taken from the features."""

from twinflow.estimator.canned.shapes import check_weights
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.shape import expand_dims


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
    if isinstance(weight_column, str):
        if weight_column not in features:
            raise ValueError(
                f"Feature {weight_column} is not in features dictionary."
            )
        found = convert_to_tensor(features[weight_column])
        return expand_dims(found, -1) if found.shape.ndims == 1 else found
    raise TypeError(
        "Weight column must be either a string or _NumericColumn. Given type: "
        f"{type(weight_column)}."
    )

"""The features of boosted trees: buckets and indicators, one int32[batch] each."""

import itertools

from twinflow.base import dtypes
from twinflow.feature_column.columns import (
    _BucketizedColumn,
    _IndicatorColumn,
    _VocabularyListCategoricalColumn,
)
from twinflow.feature_column.layers import _transform_features
from twinflow.ops.core.constant import cast
from twinflow.ops.core.joining import unstack
from twinflow.ops.core.shape import squeeze

_INDICATOR_BUCKETS = 2


def _check(column):
    if not isinstance(column, _BucketizedColumn | _IndicatorColumn):
        raise ValueError(
            "For now, only bucketized_column and indicator_column is supported but "
            f"got: {column}"
        )


def _widths(columns):
    """How many features each column gives."""
    for column in columns:
        _check(column)
        wide = isinstance(column, _IndicatorColumn)
        yield column, column._variable_shape.num_elements() if wide else 1


def calculate_num_features(sorted_feature_columns):
    """How many features the columns give."""
    return sum(width for _, width in _widths(sorted_feature_columns))


def generate_feature_name_mapping(sorted_feature_columns):
    """The name of each feature."""
    names: list[str] = []
    for column, width in _widths(sorted_feature_columns):
        if isinstance(column, _IndicatorColumn):
            found = _categories(column.categorical_column, width)
            names += [f"{column.name}:{category}" for category in found]
        else:
            names.append(column.name)
    return names


def _categories(column, width):
    """What stands for the categories of a column in names."""
    if isinstance(column, _VocabularyListCategoricalColumn):
        return column.vocabulary_list
    if isinstance(column, _BucketizedColumn):
        ends = ["-inf", *column.boundaries, "inf"]
        return [f"({low}, {high})" for low, high in itertools.pairwise(ends)]
    return range(width)


def group_features_by_num_buckets(sorted_feature_columns):
    """The numbers of buckets, in order, and the features that have so many.

    Raises:
        ValueError: there is no column, or one of another kind.
    """
    if not sorted_feature_columns:
        raise ValueError("feature_columns must not be empty.")
    groups: dict[int, list[int]] = {}
    first = 0
    for column, width in _widths(sorted_feature_columns):
        if isinstance(column, _IndicatorColumn):
            buckets = _INDICATOR_BUCKETS
        else:
            buckets = len(column.boundaries) + 1
        groups.setdefault(buckets, []).extend(range(first, first + width))
        first += width
    sizes = sorted(groups)
    return sizes, [groups[size] for size in sizes]


def get_transformed_features(features, sorted_feature_columns):
    """int32[batch] for each feature.

    Raises:
        ValueError: a column is of another kind, or has more than one number.
    """
    made = _transform_features(features, sorted_feature_columns)
    found = []
    for column in sorted_feature_columns:
        _check(column)
        if isinstance(column, _IndicatorColumn):
            found += unstack(cast(made[column], dtypes.int32, name="ToInt32"), axis=1)
        else:
            found.append(squeeze(made[column], axis=1))
    return found

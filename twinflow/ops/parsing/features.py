"""What parse_example is told about features, and how it is written for the ops."""

import math
from typing import Any, NamedTuple

from twinflow.base import dtypes, logging
from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.shape import reshape


class VarLenFeature(NamedTuple("VarLenFeature", [("dtype", Any)])):
    """As many values as there are: a SparseTensor of `dtype`."""


class SparseFeature(
    NamedTuple(
        "SparseFeature",
        [
            ("index_key", Any),
            ("value_key", Any),
            ("dtype", Any),
            ("size", Any),
            ("already_sorted", Any),
        ],
    )
):
    """A SparseTensor whose indices and values are features of their own.

    Args:
        index_key: the feature of the indices, or a list of them, one for each axis.
        value_key: the feature of the values. dtype: theirs. size: of the axis (axes).
        already_sorted: the indices ascend.
    """

    def __new__(
        cls, index_key: Any, value_key: Any, dtype: Any, size: Any,
        already_sorted: bool = False,
    ):  # fmt: skip
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class FixedLenFeature(
    NamedTuple(
        "FixedLenFeature", [("shape", Any), ("dtype", Any), ("default_value", Any)]
    )
):
    """As many values as `shape` has: a dense tensor.

    Args:
        shape: of the values. dtype: theirs.
        default_value: where there are none; without it that is an error.
    """

    def __new__(cls, shape: Any, dtype: Any, default_value: Any = None):
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(
    NamedTuple(
        "FixedLenSequenceFeature",
        [
            ("shape", Any),
            ("dtype", Any),
            ("allow_missing", Any),
            ("default_value", Any),
        ],
    )
):
    """Rows of one shape, as many as there are: a dense tensor, filled up in a batch.

    Args:
        shape: of a row. dtype: of its values. allow_missing: there may be none.
        default_value: what batches are filled up with; 0 and "" by default.
    """

    def __new__(
        cls, shape: Any, dtype: Any, allow_missing: bool = False,
        default_value: Any = None,
    ):  # fmt: skip
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class FeaturePlan(NamedTuple):
    """The arguments of a parsing op.

    Attributes:
        sparse: {key: DType}, sorted by key. dense: {key: (DType, shape, default)}; the
            first axis of a shape may be None. joined: {name: SparseFeature}.
    """

    sparse: dict
    dense: dict
    joined: dict


_KINDS = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def plan(features, kinds=_KINDS):
    """The FeaturePlan of a dict of features.

    Raises:
        ValueError: a feature is none of `kinds`, lacks its dtype or shape, or two read
            one key with different types.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    sparse, dense, joined = {}, {}, {}
    for key in sorted(features):
        feature = features[key]
        if not isinstance(feature, kinds):
            raise ValueError(f"Invalid feature {key}:{feature}.")
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}.")
        dtype = dtypes.as_dtype(feature.dtype)
        if isinstance(feature, VarLenFeature):
            _add(sparse, key, dtype)
        elif isinstance(feature, SparseFeature):
            _add_joined(sparse, joined, key, feature, dtype)
        else:
            dense[key] = _dense(key, feature, dtype)
    _check_types([*sparse.values()], "sparse_types")
    _check_types([d for d, _, _ in dense.values()], "Tdense")
    return FeaturePlan(dict(sorted(sparse.items())), dense, joined)


def _add(sparse, key, dtype):
    if sparse.setdefault(key, dtype) != dtype:
        raise ValueError(
            f"Conflicting type {sparse[key].name} vs {dtype.name} for feature {key}."
        )


def _add_joined(sparse, joined, name, feature, dtype):
    if not feature.index_key:
        raise ValueError(f"Missing index_key for SparseFeature {feature}.")
    if not feature.value_key:
        raise ValueError(f"Missing value_key for SparseFeature {feature}.")
    keys = feature.index_key
    keys = [keys] if isinstance(keys, str) else list(keys)
    if len(keys) > 1:
        logging.warning(
            "SparseFeature is a complicated feature config and should only be used "
            "after careful consideration of VarLenFeature."
        )
    for key in sorted(keys):
        _add(sparse, key, dtypes.int64)
    _add(sparse, feature.value_key, dtype)
    joined[name] = feature


def _dense(key, feature, dtype):
    """(DType, shape, default tensor or None) of a dense feature."""
    sequence = isinstance(feature, FixedLenSequenceFeature)
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}.")
    shape = TensorShape(feature.shape).tuple
    if not sequence and shape and shape[0] is None:
        raise ValueError(
            f"First dimension of shape for feature {key} unknown. Consider using "
            "FixedLenSequenceFeature."
        )
    if None in shape[1 if not sequence else 0 :]:
        raise ValueError(
            f"All dimensions of shape for feature {key} need to be known but received "
            f"{TensorShape(shape)}."
        )
    if not sequence:
        return dtype, shape, _default(feature.default_value, dtype, shape)
    if not feature.allow_missing:
        raise ValueError(
            "Unsupported: FixedLenSequenceFeature requires allow_missing to be True."
        )
    fill = feature.default_value
    fill = ("" if dtype == dtypes.string else 0) if fill is None else fill
    return dtype, (None, *shape), reshape(convert_to_tensor(fill, dtype), [])


def _default(value, dtype, shape):
    if value is None:
        return None
    return reshape(convert_to_tensor(value, dtype), shape)


def none_of(dtype):
    """What stands for a default that is not there: no values."""
    return constant([], dtype)


def _check_types(found, attr):
    allowed = (dtypes.float32, dtypes.int64, dtypes.string)
    for dtype in found:
        if dtype not in allowed:
            raise advised(
                ValueError,
                f"Value for attr '{attr}' of {dtype.name} is not in the list of "
                "allowed values: float, int64, string",
            )


def size_of(shape):
    """How many values a row of a shape has."""
    return math.prod(shape)

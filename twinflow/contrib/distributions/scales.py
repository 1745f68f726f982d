"""Scales of vectors as LinearOperators, and the shapes that they give with a shift."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.distributions.known import (
    constant_value,
    dimension_size,
    prefer_static_broadcast_shape,
)
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.debugging.checks import assert_none_equal
from twinflow.ops.debugging.checks import assert_positive as positive
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.linear_operator.base import LinearOperator
from twinflow.ops.linear_operator.dense import (
    LinearOperatorDiag,
    LinearOperatorLowerTriangular,
)
from twinflow.ops.linear_operator.identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import matrix_diag_part, matrix_set_diag


def _checked(x, diagonal, validate_args, assert_positive):
    """`x`, once its diagonal is known to be positive, or not to be 0."""
    if not validate_args:
        return x
    if assert_positive:
        check = positive(diagonal, message="diagonal part must be positive")
    else:
        text = "diagonal part must be non-zero"
        check = assert_none_equal(diagonal, zeros([], x.dtype), message=text)
    return with_dependencies([check], x)


def make_tril_scale(
    loc: Any = None, scale_tril: Any = None, scale_diag: Any = None,
    scale_identity_multiplier: Any = None, shape_hint: Any = None,
    validate_args: bool = False, assert_positive: bool = False, name: str | None = None,
    dtype: Any = None,
) -> LinearOperator:  # fmt: skip
    """The LinearOperator c I + diag(d) + T.

    Args:
        loc: float[..., k], of which the size is taken. scale_tril: float[..., k, k], T.
        scale_diag: float[..., k], d. scale_identity_multiplier: float[...], c.
        shape_hint: k, where nothing else says it.
        validate_args: whether to check the diagonal: that it is not 0, or, with
            `assert_positive`, that it is positive. name: the name scope in a graph.
        dtype: that of the operator, where no part has one.
    Raises:
        ValueError: nothing says k.
    """
    if scale_tril is None:
        return make_diag_scale(
            loc, scale_diag, scale_identity_multiplier, shape_hint, validate_args,
            assert_positive, name, dtype,
        )  # fmt: skip
    given = [loc, scale_tril, scale_diag, scale_identity_multiplier]
    with name_scope(name, "make_tril_scale", values=given):
        tril = convert_to_tensor(scale_tril, name="scale_tril", dtype=dtype)
        tril = matrix_band_part(tril, -1, 0)
        diag = matrix_diag_part(tril)
        if scale_identity_multiplier is not None:
            diag += expand_dims(convert_to_tensor(scale_identity_multiplier), -1)
        if scale_diag is not None:
            diag += convert_to_tensor(scale_diag, name="scale_diag")
        tril = matrix_set_diag(tril, diag)
        return LinearOperatorLowerTriangular(
            tril=_checked(tril, diag, validate_args, assert_positive),
            is_non_singular=True, is_self_adjoint=False,
            is_positive_definite=assert_positive,
        )  # fmt: skip


def make_diag_scale(
    loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
    shape_hint: Any = None, validate_args: bool = False, assert_positive: bool = False,
    name: str | None = None, dtype: Any = None,
) -> LinearOperator:  # fmt: skip
    """The LinearOperator c I + diag(d); see `make_tril_scale`."""
    with name_scope(
        name, "make_diag_scale", values=[loc, scale_diag, scale_identity_multiplier]
    ):
        if dtype is None:
            found = [
                t for t in (loc, scale_diag, scale_identity_multiplier) if t is not None
            ]
            kinds = [t.dtype for t in found if hasattr(t, "dtype")]
            dtype = dtypes.as_dtype(kinds[0]).base_dtype if kinds else dtypes.float32
        loc = _tensor(loc, "loc", dtype)
        d = _tensor(scale_diag, "scale_diag", dtype)
        c = _tensor(scale_identity_multiplier, "scale_identity_multiplier", dtype)
        if d is not None:
            if c is not None:
                d += expand_dims(c, -1)
            return LinearOperatorDiag(
                diag=_checked(d, d, validate_args, assert_positive),
                is_non_singular=True, is_self_adjoint=True,
                is_positive_definite=assert_positive,
            )  # fmt: skip
        if loc is None and shape_hint is None:
            raise ValueError(
                "Cannot infer `event_shape` unless `loc` or `shape_hint` is specified."
            )
        rows = dimension_size(loc, -1) if shape_hint is None else shape_hint
        if c is None:
            return LinearOperatorIdentity(
                num_rows=rows, dtype=dtype, is_self_adjoint=True,
                is_positive_definite=True, assert_proper_shapes=validate_args,
            )  # fmt: skip
        return LinearOperatorScaledIdentity(
            num_rows=rows, multiplier=_checked(c, c, validate_args, assert_positive),
            is_non_singular=True, is_self_adjoint=True,
            is_positive_definite=assert_positive, assert_proper_shapes=validate_args,
        )  # fmt: skip


def _tensor(value, name, dtype):
    return None if value is None else convert_to_tensor(value, name=name, dtype=dtype)


def shapes_from_loc_and_scale(
    loc: Any, scale: Any, name: str | None = "shapes_from_loc_and_scale"
) -> tuple[Any, Any]:
    """(batch shape, event shape) of scale @ x + loc.

    Args:
        loc: float[..., k] or None. scale: a LinearOperator.
        name: the name scope in a graph.
    Returns:
        TensorShapes, or int32 vectors where they are not known.
    Raises:
        ValueError: the sizes of loc and scale differ.
    """
    if loc is not None and loc.shape.ndims == 0:
        loc = None
    parents = scale.graph_parents
    with name_scope(name, values=[*([] if loc is None else [loc]), *parents]):
        event_size = scale.range_dimension_tensor()
        known = constant_value(event_size)
        loc_size = None if loc is None else loc.shape[-1].value
        if None not in (loc_size, known) and loc_size not in (1, int(known)):
            raise ValueError(
                f"Event size of 'scale' ({int(known)}) could not be broadcast up to "
                f"that of 'loc' ({loc_size})."
            )
        batch = scale.batch_shape
        batch = batch if batch.is_fully_defined() else scale.batch_shape_tensor()
        if loc is not None:
            lead = loc.shape.with_rank_at_least(1)[:-1]
            if loc.shape.ndims is None or not lead.is_fully_defined():
                lead = shape(loc)[:-1]
            batch = prefer_static_broadcast_shape(batch, lead)
        if known is None:
            return batch, event_size[None]
        return batch, TensorShape([int(known)])


def get_broadcast_shape(*tensors: Any) -> Any:
    """The shape of the broadcast of tensors: an array where it is known."""
    result = (
        shape(tensors[0])
        if not tensors[0].shape.is_fully_defined()
        else (tensors[0].shape)
    )
    for t in tensors[1:]:
        own = t.shape if t.shape.is_fully_defined() else shape(t)
        result = prefer_static_broadcast_shape(result, own)
    return result


def is_diagonal_scale(scale: Any) -> bool:
    """Whether a LinearOperator is known to be diagonal.

    Raises:
        TypeError: it is no LinearOperator.
    """
    if not isinstance(scale, LinearOperator):
        raise TypeError(
            "Expected argument 'scale' to be instance of LinearOperator. Found: "
            f"{scale}"
        )
    kinds = (LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorDiag)
    return isinstance(scale, kinds)

"""Affine bijectors: of numbers, and of vectors by matrices that are known by parts."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.distributions.scales import make_tril_scale
from twinflow.distributions.bijector import Bijector
from twinflow.distributions.known import dimension_size
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import log
from twinflow.ops.debugging.checks import assert_none_equal
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.linear_operator.base import LinearOperator
from twinflow.ops.linear_operator.low_rank import LinearOperatorLowRankUpdate


class AffineScalar(Bijector):
    """y = scale x + shift, for numbers.

    Args:
        shift: float, 0 if None. scale: float, not 0, 1 if None.
        validate_args: whether to check that scale is not 0. name: the scope of its ops.
    Example:
        tf.contrib.distributions.bijectors.AffineScalar(1.0, 2.0).forward(3.0)  # 7.0
    """

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False,
        name: str = "affine_scalar",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[scale, shift]):
            self._shift, self._scale = shift, scale
            if shift is not None:
                self._shift = convert_to_tensor(shift, name="shift")
            if scale is not None:
                self._scale = convert_to_tensor(scale, name="scale")
                if validate_args:
                    check = assert_none_equal(self._scale, zeros_like(self._scale))
                    self._scale = with_dependencies([check], self._scale)
        super().__init__(
            forward_min_event_ndims=0, is_constant_jacobian=True,
            validate_args=validate_args, name=name,
        )  # fmt: skip

    shift = property(attrgetter("_shift"), doc="The shift, or None.")
    scale = property(attrgetter("_scale"), doc="The scale, or None.")

    def _forward(self, x):
        y = identity(x)
        if self.scale is not None:
            y *= self.scale
        if self.shift is not None:
            y += self.shift
        return y

    def _inverse(self, y):
        x = identity(y)
        if self.shift is not None:
            x -= self.shift
        if self.scale is not None:
            x /= self.scale
        return x

    def _forward_log_det_jacobian(self, x):
        if self.scale is None:
            return constant(0.0, dtype=x.dtype.base_dtype)
        return log(absolute(self.scale))


class AffineLinearOperator(Bijector):
    """y = scale @ x + shift, for vectors.

    Args:
        shift: float[..., k], 0 if None. scale: a LinearOperator, the identity if None.
        validate_args: whether to check that scale has an inverse.
        name: the scope of its ops.
    Raises:
        TypeError: scale is no LinearOperator, or the dtypes differ.
        ValueError: scale is said to be singular.
    """

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False,
        name: str = "affine_linear_operator",
    ) -> None:  # fmt: skip
        parents = []
        with name_scope(name, values=[shift]):
            dtype = None
            if shift is not None:
                shift = convert_to_tensor(shift, name="shift")
                parents.append(shift)
                dtype = shift.dtype.base_dtype
            self._shift = shift
            if scale is not None:
                _check_operator(scale, dtype, shift)
                dtype = scale.dtype.base_dtype
                parents += scale.graph_parents
            self._scale = scale
        super().__init__(
            forward_min_event_ndims=1, graph_parents=parents,
            is_constant_jacobian=True, dtype=dtype, validate_args=validate_args,
            name=name,
        )  # fmt: skip

    shift = property(attrgetter("_shift"), doc="The shift, or None.")
    scale = property(attrgetter("_scale"), doc="The LinearOperator, or None.")

    def _forward(self, x):
        y = x
        if self.scale is not None:
            with control_dependencies(self._checks()):
                y = self.scale.matvec(y)
        if self.shift is not None:
            y += self.shift
        return y

    def _inverse(self, y):
        x = y
        if self.shift is not None:
            x -= self.shift
        if self.scale is not None:
            with control_dependencies(self._checks()):
                x = self.scale.solvevec(x)
        return x

    def _forward_log_det_jacobian(self, x):
        if self.scale is None:
            return constant(0, dtype=x.dtype.base_dtype)
        with control_dependencies(self._checks()):
            return self.scale.log_abs_determinant()

    def _checks(self):
        """What fails where the scale has no inverse."""
        return [self.scale.assert_non_singular()] if self.validate_args else []


def _check_operator(scale, dtype, shift):
    if not isinstance(scale, LinearOperator):
        raise TypeError("scale is not an instance of tf.LinearOperator")
    if shift is not None and dtype != scale.dtype.base_dtype:
        raise TypeError(
            f"shift.dtype({dtype}) is incompatible with "
            f"scale.dtype({scale.dtype.base_dtype})."
        )
    if scale.is_non_singular is False:
        raise ValueError("Scale matrix must be non-singular.")


class Affine(Bijector):
    """y = (c I + diag(d) + T + U diag(e) U^T) @ x + shift, for vectors.

    Args:
        shift: float[..., k], 0 if None. scale_identity_multiplier: float[...], c.
        scale_diag: float[..., k], d. scale_tril: float[..., k, k], T, of which the
            lower triangle is read. scale_perturb_factor: float[..., k, r], U.
        scale_perturb_diag: float[..., r], e, 1 if None.
        validate_args: whether to check values. name: the scope of its ops.
    Raises:
        ValueError: scale_perturb_diag without scale_perturb_factor.
        TypeError: the dtypes differ.
    Example:
        bijectors = tf.contrib.distributions.bijectors
        affine = bijectors.Affine([1.0, 1.0], scale_diag=[2.0, 3.0])
        affine.forward([1.0, 1.0])  # [3, 4]
    """

    def __init__(
        self, shift: Any = None, scale_identity_multiplier: Any = None,
        scale_diag: Any = None, scale_tril: Any = None,
        scale_perturb_factor: Any = None, scale_perturb_diag: Any = None,
        validate_args: bool = False, name: str = "affine",
    ) -> None:  # fmt: skip
        parts = [scale_diag, scale_tril, scale_perturb_factor]
        self._is_only_identity_multiplier = all(p is None for p in parts)
        given = [shift, scale_identity_multiplier, *parts, scale_perturb_diag]
        with name_scope(name, values=given):
            if scale_perturb_diag is not None and scale_perturb_factor is None:
                raise ValueError(
                    "When scale_perturb_diag is specified, scale_perturb_factor must "
                    "be specified."
                )
            dtype = _common_float(given)
            words = (
                "shift", "scale_identity_multiplier", "scale_diag", "scale_tril",
                "scale_perturb_factor", "scale_perturb_diag",
            )  # fmt: skip
            shift, *parts = (
                None if t is None else convert_to_tensor(t, dtype=dtype, name=word)
                for t, word in zip(given, words, strict=True)
            )
            self._shift = shift
            if self._is_only_identity_multiplier:
                self._scale = _multiplier(parts[0], dtype, validate_args)
                parents = [self._scale]
            else:
                self._scale = _operator(*parts, shift, validate_args)
                parents = self._scale.graph_parents
            parents = [*parents, *([] if shift is None else [shift])]
        super().__init__(
            forward_min_event_ndims=1, graph_parents=parents,
            is_constant_jacobian=True, dtype=dtype, validate_args=validate_args,
            name=name,
        )  # fmt: skip

    shift = property(attrgetter("_shift"), doc="The shift, or None.")
    scale = property(
        attrgetter("_scale"), doc="The LinearOperator, or the one multiplier."
    )

    def _forward(self, x):
        if self._is_only_identity_multiplier:
            y = x * self._scale
        else:
            y = self._scale.matvec(x)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y):
        x = y if self.shift is None else y - self.shift
        if self._is_only_identity_multiplier:
            return x / self._scale
        return self._scale.solvevec(x)

    def _forward_log_det_jacobian(self, x):
        if not self._is_only_identity_multiplier:
            return self._scale.log_abs_determinant()
        size = cast(dimension_size(x, -1), x.dtype)
        return log(absolute(self._scale)) * size


def _common_float(values):
    """The dtype of the first that has one; float32 if none has."""
    for v in values:
        dtype = getattr(v, "dtype", None)
        if dtype is not None:
            return dtypes.as_dtype(dtype).base_dtype
    return dtypes.float32


def _multiplier(multiplier, dtype, validate_args):
    if multiplier is None:
        return convert_to_tensor(1.0, dtype=dtype)
    if not validate_args:
        return multiplier
    text = "identity_multiplier should be non-zero."
    check = assert_none_equal(multiplier, zeros([], multiplier.dtype), message=text)
    return with_dependencies([check], multiplier)


def _operator(multiplier, diag, tril, factor, update, shift, validate_args):
    """The LinearOperator of the sum of all parts."""
    hint = None
    if factor is not None:
        hint = dimension_size(factor, axis=-2)
    elif tril is not None:
        hint = dimension_size(tril, axis=-1)
    elif diag is not None:
        hint = dimension_size(diag, axis=-1)
    base = make_tril_scale(
        loc=shift, scale_tril=tril, scale_diag=diag,
        scale_identity_multiplier=multiplier, validate_args=validate_args,
        assert_positive=factor is not None and tril is None, shape_hint=hint,
        dtype=(factor if factor is not None else diag if tril is None else tril).dtype,
    )  # fmt: skip
    if factor is None:
        return base
    return LinearOperatorLowRankUpdate(
        base, u=factor, diag_update=update, is_diag_update_positive=update is None,
        is_non_singular=True, is_self_adjoint=True, is_positive_definite=True,
        is_square=True,
    )  # fmt: skip

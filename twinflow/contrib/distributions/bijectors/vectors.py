"""Bijectors of vectors: permutations, simplices and ordered vectors."""

from operator import attrgetter

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.distributions.arrays import pad
from twinflow.distributions.bijector import Bijector
from twinflow.distributions.known import constant_value
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import exp, log
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_sum
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import invert_permutation
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_greater,
    assert_positive,
)
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.nn.softmax import softmax

_NOT_ONE_EACH = (
    "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."
)


class Permute(Bijector):
    """y = x with the elements of its last axis in another order.

    Args:
        permutation: int[k], each of 0 ... k - 1 once.
        validate_args: whether to check a permutation that is not known yet.
        name: the scope of its ops.
    Raises:
        TypeError: another dtype. ValueError: it is no permutation.
    Example:
        permute = tf.contrib.distributions.bijectors.Permute([2, 0, 1])
        permute.forward([5, 6, 7])  # [7, 5, 6]
    """

    def __init__(
        self, permutation: TensorValue, validate_args: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "permute", values=[permutation]):
            permutation = convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                raise TypeError(
                    f"permutation.dtype ({permutation.dtype.name}) should be "
                    "`int`-like."
                )
            known = constant_value(permutation)
            if known is not None:
                if set(known) != set(np.arange(known.size)):
                    raise ValueError(_NOT_ONE_EACH)
            elif validate_args:
                n = size(permutation)
                ordered = top_k(-permutation, k=n, sorted=True).values
                wanted = range_of(0, -n, -1)
                check = assert_equal(ordered, wanted, message=_NOT_ONE_EACH)
                permutation = with_dependencies([check], permutation)
            self._permutation = permutation
            super().__init__(
                forward_min_event_ndims=1, is_constant_jacobian=True,
                validate_args=validate_args, name=name or "permute",
            )  # fmt: skip

    permutation = property(attrgetter("_permutation"), doc="The order, int[k].")

    def _forward(self, x):
        return gather(x, self.permutation, axis=-1)

    def _inverse(self, y):
        return gather(y, invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y):
        return constant(0.0, dtype=y.dtype.base_dtype)

    def _forward_log_det_jacobian(self, x):
        return constant(0.0, dtype=x.dtype.base_dtype)


class _ChangesSize(Bijector):
    """A bijector whose y has some elements more than x along the last axis."""

    _more = 0

    def _forward_event_shape(self, input_shape):
        if input_shape.ndims is None or input_shape[-1].value is None:
            return input_shape
        return TensorShape([input_shape[-1].value + self._more])

    def _forward_event_shape_tensor(self, input_shape):
        return (input_shape[-1] + self._more)[None]

    def _inverse_event_shape(self, output_shape):
        if output_shape.ndims is None or output_shape[-1].value is None:
            return output_shape
        if output_shape[-1] <= 1:
            raise ValueError(f"output_shape[-1] = {output_shape[-1]} <= 1")
        return TensorShape([output_shape[-1].value - self._more])

    def _inverse_event_shape_tensor(self, output_shape):
        if self.validate_args:
            text = "Need last dimension greater than 1."
            check = assert_greater(output_shape[-1], 1, message=text)
            output_shape = with_dependencies([check], output_shape)
        return (output_shape[-1] - self._more)[None]


class SoftmaxCentered(_ChangesSize):
    """y = softmax([x, 0]): from vectors of k numbers to simplices of k + 1.

    Args:
        validate_args: whether to check shapes. name: the scope of its ops.
    Example:
        bijector = tf.contrib.distributions.bijectors.SoftmaxCentered()
        bijector.forward([0.0])  # [0.5, 0.5]
    """

    _more = 1

    def __init__(
        self, validate_args: bool = False, name: str = "softmax_centered"
    ) -> None:
        super().__init__(
            forward_min_event_ndims=1, validate_args=validate_args, name=name
        )

    def _forward(self, x):
        y = pad(x, axis=-1, back=True)
        if x.shape.ndims is not None:
            last = x.shape[-1].value
            last = None if last is None else last + 1
            y.set_shape(x.shape[:-1].concatenate([last]))
        return softmax(y)

    def _inverse(self, y):
        logs = log(y)
        x = logs[..., :-1] - logs[..., -1:]
        if y.shape.ndims is not None:
            last = y.shape[-1].value
            last = None if last is None else last - 1
            x.set_shape(y.shape[:-1].concatenate([last]))
        return x

    def _inverse_log_det_jacobian(self, y):
        """-sum(log y): det(diag(y) - y y^T) of all but the last is prod y."""
        return -reduce_sum(log(y), axis=-1)

    def _forward_log_det_jacobian(self, x):
        n = cast(shape(x)[-1] + 1, x.dtype)
        total = reduce_logsumexp(pad(x, axis=-1, back=True), axis=-1)
        return reduce_sum(x, axis=-1) - n * total


class Ordered(_ChangesSize):
    """x = [y_0, y_0 + exp(y_1), ...]: its inverse gives increasing vectors.

    Args:
        validate_args: whether to check that x increases. name: the scope of its ops.
    """

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(
            forward_min_event_ndims=1, validate_args=validate_args, name=name
        )

    def _forward_event_shape(self, input_shape):
        if input_shape.ndims is None or input_shape[-1].value is None:
            return input_shape
        return TensorShape([input_shape[-1].value])

    def _forward(self, x):
        x = self._maybe_assert_valid_x(x)
        return concat([x[..., :1], log(x[..., 1:] - x[..., :-1])], axis=-1)

    def _inverse(self, y):
        return cumsum(concat([y[..., :1], exp(y[..., 1:])], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y):
        return reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x):
        x = self._maybe_assert_valid_x(x)
        return -reduce_sum(log(x[..., 1:] - x[..., :-1]), axis=-1)

    def _maybe_assert_valid_x(self, x):
        if not self.validate_args:
            return x
        text = "Forward transformation input must be strictly increasing."
        return with_dependencies(
            [assert_positive(x[..., 1:] - x[..., :-1], message=text)], x
        )

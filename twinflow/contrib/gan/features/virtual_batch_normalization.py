"""Batch normalisation by a batch that stays the same."""

from typing import Any

from twinflow.base.dtypes import float32
from twinflow.base.shapes import TensorShape
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.constant import (
    cast,
    convert_to_tensor,
    stop_gradient,
    to_float,
)
from twinflow.ops.core.elementwise import square
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import reshape, shape, squeeze
from twinflow.ops.nn.moments import batch_normalization
from twinflow.ops.random.initializers_plain import Ones, Zeros

_ZEROS, _ONES = Zeros(), Ones()


def _static_or_dynamic_batch_size(tensor, batch_axis):
    known = tensor.shape.as_list()[batch_axis]
    return shape(tensor)[batch_axis] if known is None else known


def _statistics(x, axes, keepdims=False):
    """The means of x and of its square over some axes.

    Args:
        keepdims: whether the axes stay, of size 1.
    """
    y = cast(x, float32)
    # From a value near the mean: it is exact where the numbers are large.
    near = stop_gradient(reduce_mean(y, axes, keepdims=True))
    mean = reduce_mean(y - near, axes, keepdims=True) + near
    mean_of_square = reduce_mean(square(y), axes, keepdims=True)
    found = mean, mean_of_square
    if not keepdims:
        found = tuple(squeeze(t, list(axes)) for t in found)
    return tuple(cast(t, x.dtype) for t in found)


def _validate_init_input_and_get_axis(reference_batch, axis):
    rank = reference_batch.shape.ndims
    if rank is None:
        raise ValueError("`reference_batch` has unknown dimensions.")
    used = axis + rank if axis < 0 else axis
    if not 0 <= used < rank:
        raise ValueError(
            f"Value of `axis` argument {used} is out of range for input with rank "
            f"{rank}"
        )
    return used


def _validate_call_input(tensors, batch_dim):
    """Check that tensors differ in nothing but their batches."""
    shapes = [t.shape.as_list() for t in tensors]
    for sizes in shapes:
        del sizes[batch_dim]
    first = TensorShape(shapes[0])
    for sizes in shapes[1:]:
        first.assert_is_compatible_with(sizes)


class VBN:
    """Batch normalisation of each example, with a batch that stays the same.

    What comes out for an example depends on it and on the reference batch, not on the
    others of its batch.

    Args:
        reference_batch: float[batch, ...]. axis: the axis that keeps its sizes, of the
            features. epsilon: is added to the variance.
        center, scale: whether there is a variable `beta`, `gamma`; with
        beta_initializer, gamma_initializer, beta_regularizer, gamma_regularizer.
        trainable: of the variables. name: of the scope. batch_axis: of the examples.
    Raises:
        ValueError: the rank of the batch is not known, or the axes do not fit.
    Reference: Salimans et al., Improved techniques for training GANs (2016).
    Example:
        normalize = tf.contrib.gan.features.VBN(tf.random_normal([8, 3]))
        normalize(tf.random_normal([2, 3]))  # float32[2, 3]
    """

    def __init__(
        self, reference_batch: Any, axis: int = -1, epsilon: float = 1e-3,
        center: bool = True, scale: bool = True, beta_initializer: Any = _ZEROS,
        gamma_initializer: Any = _ONES, beta_regularizer: Any = None,
        gamma_regularizer: Any = None, trainable: bool = True, name: str | None = None,
        batch_axis: int = 0,
    ) -> None:  # fmt: skip
        axis = _validate_init_input_and_get_axis(reference_batch, axis)
        self._epsilon, self._batch_axis = epsilon, batch_axis
        if axis == batch_axis:
            raise ValueError("`axis` and `batch_axis` cannot be the same.")
        rank = reference_batch.shape.ndims
        self._axis, self._reference = axis, reference_batch
        self._axes = [i for i in range(rank) if i not in (axis, batch_axis)]
        with variable_scope(name, "VBN", [reference_batch]) as scope:
            self._scope = scope
            self._means = _statistics(
                reference_batch, sorted([*self._axes, batch_axis]), keepdims=True
            )
            examples = _static_or_dynamic_batch_size(reference_batch, batch_axis)
            self._example_weight = 1.0 / (to_float(examples) + 1.0)
            self._reference_weight = 1.0 - self._example_weight
            sizes = [reference_batch.shape[axis].value]
            dtype = reference_batch.dtype
            self._beta = self._gamma = None
            if center:
                self._beta = get_variable(
                    "beta", sizes, dtype, beta_initializer, beta_regularizer, trainable
                )
            if scale:
                self._gamma = get_variable(
                    "gamma", sizes, dtype, gamma_initializer, gamma_regularizer,
                    trainable,
                )  # fmt: skip

    def _normalized(self, x, means):
        mean, mean_of_square = means
        return batch_normalization(
            x, mean, mean_of_square - square(mean), self._placed(self._beta),
            self._placed(self._gamma), self._epsilon,
        )  # fmt: skip

    def _placed(self, v):
        """A variable along its axis."""
        if v is None:
            return None
        sizes = [1] * self._reference.shape.ndims
        sizes[self._axis] = -1
        return reshape(convert_to_tensor(v), sizes)

    def reference_batch_normalization(self) -> Any:
        """The reference batch, normalised by itself."""
        with name_scope(self._scope.name):
            return self._normalized(self._reference, self._means)

    def __call__(self, inputs: Any) -> Any:
        """`inputs` normalised, each example with the reference batch.

        Args:
            inputs: float[batch, ...], like the reference batch, of any batch size.
        Raises:
            ValueError: it is not.
        """
        with name_scope(self._scope.name):
            _validate_call_input([inputs, self._reference], self._batch_axis)
            own = _statistics(inputs, self._axes, keepdims=True)
            weights = self._example_weight, self._reference_weight
            means = [
                cast(weights[0], x.dtype) * x + cast(weights[1], x.dtype) * reference
                for x, reference in zip(own, self._means, strict=True)
            ]
            return self._normalized(inputs, means)

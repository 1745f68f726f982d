"""Generalized divisive normalization, of tf.contrib.layers."""

from typing import Any

import numpy as np

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base import dtypes
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.engine.scoped_layer import Layer
from twinflow.layers.scoping import function_of
from twinflow.ops.core.compare import greater_equal, less, logical_or
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import maximum, sqrt, square
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.contraction import tensordot


def _at_least(value, bound):
    """The larger one; its gradient also lets a value that is below the bound rise."""

    @custom_gradient
    def bounded(x):
        limit = convert_to_tensor(bound, x.dtype)

        def grad(dy):
            kept = logical_or(greater_equal(x, limit), less(dy, 0))
            return cast(kept, dy.dtype) * dy

        return maximum(x, limit), grad

    return bounded(value)


class GDN(Layer):
    """y_i = x_i / sqrt(beta_i + sum_j gamma_ij x_j^2), over the channels.

    Args:
        inverse: multiply by the root in place of dividing by it.
        beta_min: the smallest beta.
        gamma_init: gamma is this times the identity at first.
        reparam_offset: the smallest root of what the variables stand for.
        data_format: "channels_last" or "channels_first".
        activity_regularizer, trainable, name, kwargs: see tf.layers.Layer.
    Raises:
        ValueError: data_format is something else.
    Reference: Balle et al., Density modeling of images using a generalized
        normalization transformation (ICLR 2016).
    """

    def __init__(
        self, inverse: bool = False, beta_min: float = 1e-6, gamma_init: float = 0.1,
        reparam_offset: float = 2**-18, data_format: str = "channels_last",
        activity_regularizer: Any = None, trainable: bool = True,
        name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=activity_regularizer,
            **kwargs,
        )  # fmt: skip
        if data_format not in ("channels_first", "channels_last"):
            raise ValueError(f"Unsupported `data_format` for GDN layer: {data_format}.")
        self.inverse, self.data_format = inverse, data_format
        self._beta_min, self._gamma_init = beta_min, gamma_init
        self._reparam_offset = reparam_offset
        self.input_spec = InputSpec(min_ndim=3)

    def _axis(self):
        return -1 if self.data_format == "channels_last" else 1

    def build(self, input_shape: Any) -> None:
        """Make the variables.

        Raises:
            ValueError: the number of channels is not known.
        """
        count = input_shape[self._axis()].value
        if count is None:
            raise ValueError(
                "The channel dimension of the inputs to `GDN` must be defined."
            )
        pedestal = self._reparam_offset**2
        beta = np.full([count], np.sqrt(1.0 + pedestal))
        gamma = np.sqrt(self._gamma_init * np.eye(count) + pedestal)
        self._own_beta = self._made("reparam_beta", beta)
        self._own_gamma = self._made("reparam_gamma", gamma)
        self.input_spec = InputSpec(min_ndim=3, axes={self._axis(): count})
        self.built = True

    def _made(self, name, first):
        dtype = dtypes.as_dtype(self.dtype or "float32")

        def initial(shape, dtype=dtype, partition_info=None):
            return convert_to_tensor(first.astype(dtype.as_numpy_dtype), dtype)

        return self.add_variable(name, first.shape, dtype, initializer=initial)

    def _squared(self, variable, bound):
        pedestal = self._reparam_offset**2
        return square(_at_least(variable, bound)) - pedestal

    @property
    def beta(self) -> Any:
        """What is added: float[channels]."""
        least = (self._beta_min + self._reparam_offset**2) ** 0.5
        return self._squared(self._own_beta, least)

    @property
    def gamma(self) -> Any:
        """The factors of the squares: float[channels, channels]."""
        return self._squared(self._own_gamma, self._reparam_offset)

    def call(self, inputs: Any) -> Any:
        """The normalized inputs."""
        x, first = convert_to_tensor(inputs), self._axis() == 1
        if first:
            order = [0, *range(2, len(x._shape)), 1]
            x = transpose(x, order)
        root = sqrt(tensordot(square(x), self.gamma, 1) + self.beta)
        y = x * root if self.inverse else truediv(x, root)
        if first:
            y = transpose(y, [0, len(x._shape) - 1, *range(1, len(x._shape) - 1)])
        if y.symbolic:
            y.set_shape(inputs.get_shape())
        return y

    def compute_output_shape(self, input_shape: Any) -> Any:
        """That of the input."""
        return input_shape


gdn = function_of(GDN, reuse=None)
gdn.__doc__ = """The output of a new tf.contrib.layers.GDN.

    Args:
        inputs: a tensor of at least three axes.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
        The rest: see tf.contrib.layers.GDN.
    """

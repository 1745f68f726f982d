"""The simple layers: Dense, Dropout, Activation, Masking, ActivityRegularization."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras import activations
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.constructors import settings
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import chosen, static_training
from twinflow.keras.regularizers import L1L2
from twinflow.keras.saving.config import names_of
from twinflow.ops.core.compare import not_equal
from twinflow.ops.core.constant import cast, identity
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_any
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.dropout import dropout


class Elementwise(Layer):
    """A layer whose output has the shape of its input."""

    supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        return TensorShape(input_shape)


class Dense(Layer):
    """activation(x @ kernel + bias).

    Args:
        units: the size of the output.
        activation: a name or function; none by default.
        use_bias: whether to add a bias.
        kernel_initializer, bias_initializer: names or functions.
        kernel_regularizer, bias_regularizer: functions from a variable to a loss.
        activity_regularizer: a function from the output to a loss (graph mode).
        kernel_constraint, bias_constraint: functions from the updated value to the one
            to keep.
        kwargs: `name`, `dtype`, `trainable`, `input_shape`.
    Raises:
        ValueError: the last axis of the input has no known size.
    Example:
        tf.keras.layers.Dense(10, activation="relu")(tf.ones([2, 3]))  # float32[2, 10]
    """

    supports_masking = True

    def __init__(
        self, units: Any, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.use_bias = int(units), use_bias
        self._keep_of(locals())
        self.input_spec = InputSpec(min_ndim=2)

    config = names_of(__init__)

    def build(self, input_shape: Any) -> None:
        size = TensorShape(input_shape).as_list()[-1]
        if size is None:
            raise advised(
                ValueError,
                "The last dimension of the inputs to `Dense` should be defined. Found "
                "`None`.",
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self._add_own("kernel", [size, self.units])
        self._add_own_bias([self.units])
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        s = inputs._shape
        if s is not None and len(s) == 2:
            y = matmul(inputs, self.kernel)
        else:
            with current_mode().counted(25 if s is None or None in s else 11):
                y = self._along_last(inputs, s)
        if self.bias is not None:
            y = bias_add(y, self.bias)
        activation = self.activation
        if activation is None or activation is activations.linear:
            return y
        return activation(y)

    def _along_last(self, x, s):
        """x @ kernel along the last of any number of axes."""
        rows = reshape(x, (-1, self.kernel._shape[0]))
        y = matmul(rows, self.kernel)
        if s is not None and None not in s:
            return reshape(y, (*s[:-1], self.units))
        y = reshape(y, concat([shape(x)[:-1], [self.units]], 0))
        if s is not None:
            y.set_shape((*s[:-1], self.units))
        return y

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).with_rank_at_least(2).as_list()
        if dims[-1] is None:
            raise ValueError(
                "The innermost dimension of input_shape must be defined, but saw: "
                f"{TensorShape(input_shape)}"
            )
        return TensorShape([*dims[:-1], self.units])


@settings("activation")
class Activation(Elementwise):
    """activation(x).

    Args:
        activation: a name or function. kwargs: `name`, `dtype` ...
    Raises:
        ValueError: there is no activation of this name.
    Example:
        tf.keras.layers.Activation("relu")(tf.constant([-1., 1.]))  # [0., 1.]
    """

    def call(self, inputs: Any) -> Tensor:
        return self.activation(inputs)


@settings("rate", noise_shape=None, seed=None)
class Dropout(Elementwise):
    """While training: x / (1 - rate) with probability 1 - rate, else 0, for each entry.

    Args:
        rate: the share of entries to drop, in [0, 1).
        noise_shape: int32[rank of x], 1 along axes whose entries are dropped together.
        seed: an int; see tf.set_random_seed. kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.Dropout(0.5)(tf.ones([2, 3]), training=True)  # zeros and twos
    Reference: Srivastava et al., Dropout: a simple way to prevent neural networks from
    overfitting (JMLR 2014).
    """

    def call(self, inputs: Any, training: Any = None) -> Tensor:
        return chosen(
            static_training(training),
            lambda: dropout(inputs, 1 - self.rate, self._sizes(inputs), self.seed),
            lambda: identity(inputs),
        )

    def _sizes(self, x):
        """The shape of the noise; None in an axis = as in x."""
        if self.noise_shape is None or not isinstance(self.noise_shape, list | tuple):
            return self.noise_shape
        if None not in self.noise_shape:
            return self.noise_shape
        now = shape(x)
        return [now[i] if d is None else d for i, d in enumerate(self.noise_shape)]


@settings(mask_value=0.0)
class Masking(Elementwise):
    """Marks the steps of sequences all of whose entries are `mask_value` as absent.

    Their entries become 0, and layers that know masks pass over them.

    Args:
        mask_value: a number. kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.Masking(0.)(tf.ones([2, 3, 4]))
    """

    def compute_mask(self, inputs: Any, mask: Any = None) -> Tensor:
        """bool[batch, steps]: which steps are there."""
        return reduce_any(not_equal(inputs, self.mask_value), -1)

    def call(self, inputs: Any) -> Tensor:
        there = reduce_any(not_equal(inputs, self.mask_value), -1, keepdims=True)
        return multiply(inputs, cast(there, inputs.dtype))


class ActivityRegularization(Elementwise):
    """x, whose size adds to the losses: l1 * sum(|x|) + l2 * sum(x^2).

    Args:
        l1, l2: the weights of the two terms. kwargs: `name`, `dtype` ...
    """

    config = ("l1", "l2")

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2

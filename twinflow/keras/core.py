"""The simple layers: Dense, Dropout, Activation, Flatten, Reshape."""

import math

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.keras import activations, initializers
from twinflow.keras.arguments import chosen, data_format_of, static_training
from twinflow.keras.base_layer import Layer
from twinflow.keras.input_spec import InputSpec
from twinflow.ops.arrays.basic import concat
from twinflow.ops.arrays.constant import identity
from twinflow.ops.arrays.shape import reshape, shape, transpose
from twinflow.ops.matrix.product import matmul
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.dropout import dropout


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

    config = (
        "units", "activation", "use_bias", "kernel_initializer", "bias_initializer",
        "kernel_regularizer", "bias_regularizer", "activity_regularizer",
        "kernel_constraint", "bias_constraint",
    )  # fmt: skip

    def __init__(
        self, units, activation=None, use_bias=True,
        kernel_initializer="glorot_uniform", bias_initializer="zeros",
        kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
        kernel_constraint=None, bias_constraint=None, **kwargs,
    ):  # fmt: skip
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.use_bias = int(units), use_bias
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer
        self.kernel_constraint = kernel_constraint
        self.bias_constraint = bias_constraint
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape):
        size = TensorShape(input_shape).as_list()[-1]
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found "
                "`None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight(
            "kernel", [size, self.units], None, self.kernel_initializer,
            self.kernel_regularizer, True, self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [self.units], None, self.bias_initializer,
                self.bias_regularizer, True, self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs):
        s = inputs._shape
        if s is not None and len(s) == 2:
            y = matmul(inputs, self.kernel)
        else:
            y = self._along_last(inputs, s)
        if self.bias is not None:
            y = bias_add(y, self.bias)
        return y if self.activation is activations.linear else self.activation(y)

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

    def compute_output_shape(self, input_shape):
        dims = TensorShape(input_shape).as_list()
        if dims[-1] is None:
            raise ValueError(
                "The innermost dimension of input_shape must be defined, but saw: "
                f"{input_shape}"
            )
        return TensorShape([*dims[:-1], self.units])


class Activation(Layer):
    """activation(x).

    Args:
        activation: a name or function. kwargs: `name`, `dtype` ...
    Raises:
        ValueError: there is no activation of this name.
    Example:
        tf.keras.layers.Activation("relu")(tf.constant([-1., 1.]))  # [0., 1.]
    """

    config = ("activation",)

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.activation = activations.get(activation)

    def call(self, inputs):
        return self.activation(inputs)

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


class Dropout(Layer):
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

    config = ("rate", "noise_shape", "seed")

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=None):
        return chosen(
            static_training(training),
            lambda: dropout(inputs, 1 - self.rate, self.noise_shape, self.seed),
            lambda: identity(inputs),
        )

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


class Flatten(Layer):
    """All axes but the first as one.

    Args:
        data_format: "channels_last" or "channels_first" (channels are moved to the end
            first). kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.Flatten()(tf.ones([2, 3, 4]))  # float32[2, 12]
    """

    config = ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(min_ndim=2)

    def call(self, inputs):
        s = inputs._shape
        if self.data_format == "channels_first" and len(s) > 2:
            inputs = transpose(inputs, (0, *range(2, len(s)), 1))
        rest = None if s is None or None in s[1:] else math.prod(s[1:])
        batch = None if s is None else s[0]
        if rest is None or (batch is None and not rest):
            batch = shape(inputs)[0] if batch is None else batch
        return _reshaped(inputs, batch, (-1 if rest is None else rest,))

    def compute_output_shape(self, input_shape):
        dims = TensorShape(input_shape).as_list()
        rest = None if None in dims[1:] else math.prod(dims[1:])
        return TensorShape([dims[0], rest])


class Reshape(Layer):
    """x in another shape; the first axis (the batch) stays.

    Args:
        target_shape: ints without the batch; one may be -1. kwargs: `name`, `dtype` ...
    Raises:
        tf.errors.InvalidArgumentError (eager) or ValueError (graph): the sizes differ.
    Example:
        tf.keras.layers.Reshape([2, -1])(tf.ones([5, 6]))  # float32[5, 2, 3]
    """

    config = ("target_shape",)

    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = tuple(int(d) for d in nest.flatten(list(target_shape)))

    def call(self, inputs):
        s = inputs._shape
        batch = None if s is None else s[0]
        if batch is None and -1 in self.target_shape:
            batch = shape(inputs)[0]
        return _reshaped(inputs, batch, self.target_shape)

    def compute_output_shape(self, input_shape):
        dims = TensorShape(input_shape).as_list()
        target = list(self.target_shape)
        if -1 in target:
            total = None if None in dims[1:] else math.prod(dims[1:])
            known = -math.prod(target)
            if total is not None and (not known or total % known):
                raise ValueError("total size of new array must be unchanged")
            target[target.index(-1)] = None if total is None else total // known
        return TensorShape([dims[0], *target])


def _reshaped(x, batch, rest):
    """Reshape to (batch, *rest); a batch of None is whatever is left."""
    y = reshape(x, (-1 if batch is None else batch, *rest))
    if y.symbolic and not isinstance(batch, int | None):
        y.set_shape(
            (x._shape[0] if x._shape else None, *[None if d < 0 else d for d in rest])
        )
    return y

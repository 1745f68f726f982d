"""Transposed convolutions of tf.contrib.layers."""

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.convolutional import NAMES, keras_format
from twinflow.contrib.layers.initializers import xavier_initializer
from twinflow.contrib.layers.outputs import finished, layer_scope, note
from twinflow.layers.convolutional import Conv2DTranspose, Conv3DTranspose
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers import Zeros

_XAVIER, _ZEROS = xavier_initializer(), Zeros()


def _of_rank(n, cls, formats):
    def transpose(
        inputs, num_outputs, kernel_size, stride=1, padding="SAME",
        data_format=formats[0], activation_fn=relu, normalizer_fn=None,
        normalizer_params=None, weights_initializer=_XAVIER, weights_regularizer=None,
        biases_initializer=_ZEROS, biases_regularizer=None, reuse=None,
        variables_collections=None, outputs_collections=None, trainable=True,
        scope=None,
    ):  # fmt: skip
        if data_format not in formats:
            raise ValueError(
                f"data_format has to be either {formats[1]} or {formats[0]}."
            )
        with layer_scope(scope, f"Conv{n}d_transpose", inputs, reuse, NAMES) as sc:
            inputs = convert_to_tensor(inputs)
            layer = cls(
                filters=num_outputs, kernel_size=kernel_size, strides=stride,
                padding=padding, data_format=keras_format(data_format), activation=None,
                use_bias=not normalizer_fn and biases_initializer is not None,
                kernel_initializer=weights_initializer,
                bias_initializer=biases_initializer,
                kernel_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name,
                dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse,
            )  # fmt: skip
            y = layer.apply(inputs)
            note(layer.kernel, variables_collections, "weights")
            note(layer.bias, variables_collections, "biases")
            return finished(
                y, sc, normalizer_fn, normalizer_params, activation_fn,
                outputs_collections,
            )  # fmt: skip

    transpose.__name__ = transpose.__qualname__ = f"convolution{n}d_transpose"
    transpose.__doc__ = (
        f"The transpose of convolution{n}d, which enlarges its inputs.\n\n"
        f'Args: see convolution and fully_connected; the scope is "Conv{n}d_transpose"'
        " by default."
    )
    return add_arg_scope(transpose)


convolution2d_transpose = _of_rank(2, Conv2DTranspose, ("NHWC", "NCHW"))
convolution3d_transpose = _of_rank(3, Conv3DTranspose, ("NDHWC", "NCDHW"))

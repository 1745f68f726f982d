"""Fully connected layers."""

import functools
from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.initializers import xavier_initializer
from twinflow.contrib.layers.outputs import finished, layer_scope, note
from twinflow.graph.scopes import add_to_collections
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.layers.core import Dense
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.activation import elu as _elu
from twinflow.ops.nn.activation import relu as _relu
from twinflow.ops.nn.activation import relu6 as _relu6
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.initializers import Zeros
from twinflow.ops.variables.collections import GraphKeys

_NAMES = {"bias": "biases", "kernel": "weights"}
_XAVIER, _ZEROS = xavier_initializer(), Zeros()


@add_arg_scope
def fully_connected(
    inputs: Any, num_outputs: Any, activation_fn: Any = _relu,
    normalizer_fn: Any = None, normalizer_params: Any = None,
    weights_initializer: Any = _XAVIER, weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS, biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """activation_fn(inputs @ weights + biases), along the last axis.

    Args:
        inputs: float[..., size]. num_outputs: an int.
        activation_fn: a function of a tensor; None = none.
        normalizer_fn: a function used in place of the biases, with `normalizer_params`.
        weights_*, biases_*: initializer and regularizer; without an initializer there
            are no biases.
        reuse, scope: see tf.variable_scope; the scope is "fully_connected" by default.
        variables_collections: collections for the variables: a list, or a dict of
            lists by their names. outputs_collections: those for the output.
        trainable: whether the variables are trained.
    Raises:
        ValueError: num_outputs is no int, or the size of the last axis is not known.
    Example:
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.contrib.layers.fully_connected(x, 10, activation_fn=tf.nn.tanh)
        y.shape.as_list()  # [None, 10]
    """
    if not isinstance(num_outputs, int) and not hasattr(num_outputs, "__index__"):
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    with layer_scope(scope, "fully_connected", inputs, reuse, _NAMES) as sc:
        inputs = convert_to_tensor(inputs)
        layer = Dense(
            units=num_outputs, activation=None,
            use_bias=not normalizer_fn and biases_initializer is not None,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            activity_regularizer=None, trainable=trainable, name=sc.name,
            dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse,
        )  # fmt: skip
        y = layer.apply(inputs)
        note(layer.kernel, variables_collections, "weights")
        note(layer.bias, variables_collections, "biases")
        return finished(
            y, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections
        )


relu = functools.partial(fully_connected, activation_fn=_relu)
relu6 = functools.partial(fully_connected, activation_fn=_relu6)
elu = functools.partial(fully_connected, activation_fn=_elu)
linear = functools.partial(fully_connected, activation_fn=None)


@add_arg_scope
def legacy_fully_connected(
    x: Any, num_output_units: Any, activation_fn: Any = None,
    weight_init: Any = _XAVIER, bias_init: Any = _ZEROS, name: str | None = None,
    weight_collections: Any = ("weights",), bias_collections: Any = ("biases",),
    output_collections: Any = ("activations",), trainable: bool = True,
    weight_regularizer: Any = None, bias_regularizer: Any = None,
) -> Any:  # fmt: skip
    """activation_fn(x @ weights + bias), with variables of the names of its time.

    Args:
        x: float[..., size]. num_output_units: an int.
        activation_fn: a function of a tensor; None = none.
        weight_init, bias_init: initializers; without the latter there is no bias.
        name: of the variable scope, "fully_connected" by default.
        weight_collections, bias_collections, output_collections: names of collections.
        trainable: whether the variables are trained.
        weight_regularizer, bias_regularizer: functions of a variable, or None.
    Raises:
        ValueError: x has less than two axes, or the size of the last is not known.
    """
    with variable_scope(name, "fully_connected", [x]):
        x = convert_to_tensor(x)
        sizes = x.shape.as_list() if x.shape.dims is not None else None
        if sizes is None:
            raise ValueError("dims of x must be known but is None")
        if len(sizes) < 2:
            raise ValueError(f"rank of x must be at least 2 not: {len(sizes)}")
        if sizes[-1] is None:
            raise ValueError("last dimension of x must be known but is None")
        rows = x if len(sizes) == 2 else reshape(x, [-1, sizes[-1]])
        weights = _legacy_variable(
            "weights", [sizes[-1], num_output_units], x, weight_init,
            weight_regularizer, trainable, weight_collections,
        )  # fmt: skip
        y = matmul(rows, weights)
        if bias_init is not None:
            bias = _legacy_variable(
                "bias", [num_output_units], x, bias_init, bias_regularizer, trainable,
                bias_collections,
            )  # fmt: skip
            y = bias_add(y, bias)
        if len(sizes) > 2:
            y = reshape(y, concat([shape(x)[:-1], [num_output_units]], 0))
            if y.symbolic:
                y.set_shape([*sizes[:-1], num_output_units])
        y = y if activation_fn is None else activation_fn(y)
        add_to_collections([*(output_collections or ()), "activations"], y)
        return y


def _legacy_variable(name, sizes, x, first, regularizer, trainable, collections):
    where = [*(collections or ()), GraphKeys.GLOBAL_VARIABLES]
    return get_variable(
        name, sizes, x.dtype.base_dtype, first, regularizer, trainable, where
    )


legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=_relu)

"""The simple functions of tf.contrib.layers."""

from math import prod
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.outputs import (
    collect_named_outputs,
    finished,
    last_dimension,
    layer_scope,
    note,
)
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.layers import core
from twinflow.ops.arrays.grid import meshgrid
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.compare import not_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import linspace
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat
from twinflow.ops.core.joining import stack as stacked
from twinflow.ops.core.reduction import reduce_max, reduce_prod, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn import softmax as nn_softmax
from twinflow.ops.nn.bias import bias_add as _bias_add
from twinflow.ops.random.initializers import Constant, Ones, Zeros
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.tensor import SparseTensor

_ZEROS = Zeros()


@add_arg_scope
def bias_add(
    inputs: Any, activation_fn: Any = None, initializer: Any = _ZEROS,
    regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, data_format: Any = "NHWC",
    scope: Any = None,
) -> Any:  # fmt: skip
    """activation_fn(inputs + biases), a number a channel.

    Args:
        initializer, regularizer: those of the biases.
        The rest: see fully_connected; the scope is "BiasAdd" by default.
    Raises:
        ValueError: data_format is unknown, or the channels have no known size.
    """
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with layer_scope(scope, "BiasAdd", inputs, reuse) as sc:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError("Dims of shape must be known but is None")
        if data_format == "NCHW" and rank != 4:
            raise ValueError("Data format NCHW only supports 4D Tensor")
        size = x.shape[1 if data_format == "NCHW" else -1].value
        if size is None:
            raise ValueError("`C` dimension must be known but is None")
        biases = get_variable(
            "biases", [size], x.dtype.base_dtype, initializer, regularizer, trainable
        )
        note(biases, variables_collections, "biases")
        y = _bias_add(x, biases, data_format)
        return finished(y, sc, None, None, activation_fn, outputs_collections)


@add_arg_scope
def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None,
    is_training: Any = True, outputs_collections: Any = None, scope: Any = None,
    seed: Any = None,
) -> Any:  # fmt: skip
    """While training, entries are kept with probability `keep_prob`, and scaled.

    Args:
        inputs: a float tensor. keep_prob: a number in (0, 1].
        noise_shape, seed: see tf.nn.dropout. is_training: a bool, or a bool tensor.
        outputs_collections, scope: see fully_connected; "Dropout" by default.
    """
    with layer_scope(scope, "Dropout", inputs, None) as sc:
        x = convert_to_tensor(inputs)
        layer = core.Dropout(
            rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name,
            _scope=sc,
        )  # fmt: skip
        y = layer.apply(x, training=is_training)
        return finished(y, sc, None, None, None, outputs_collections)


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Any:
    """All axes but the first as one.

    Args:
        inputs: a tensor. outputs_collections, scope: see fully_connected.
    """
    with current_mode().name_scope(scope or "Flatten") as sc:
        y = core.flatten(convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, sc, y)


def inner_flatten(
    inputs: Any, new_rank: Any, output_collections: Any = None, scope: Any = None
) -> Any:
    """The last axes of a tensor put into one, so that `new_rank` are left.

    Args:
        inputs: a tensor, or a SparseTensor. new_rank: an int.
        output_collections: collections for the output. scope: a name.
    Raises:
        ValueError: the tensor has fewer axes.
    """
    with current_mode().name_scope(scope or "InnerFlatten") as sc:
        if isinstance(inputs, SparseTensor):
            y = _inner_sparse(inputs, new_rank)
        else:
            y = _inner_dense(convert_to_tensor(inputs), new_rank)
    return collect_named_outputs(output_collections, sc, y)


def _inner_dense(x, new_rank):
    rank = x.shape.ndims
    if rank is not None and rank < new_rank:
        raise ValueError(
            f"inputs has rank less than new_rank.  Tensor {x.name} must have rank at "
            f"least {new_rank}.  Received rank {rank}, shape {x.shape}"
        )
    y = reshape(x, concat([shape(x)[: new_rank - 1], [-1]], 0))
    if y.symbolic and rank is not None:
        sizes = x.shape.as_list()
        last = sizes[new_rank - 1 :]
        y.set_shape([*sizes[: new_rank - 1], None if None in last else prod(last)])
    return y


def _inner_sparse(x, new_rank):
    sizes = x.dense_shape
    last = reduce_prod(sizes[new_rank - 1 :], keepdims=True)
    return sparse_reshape(x, concat([sizes[: new_rank - 1], last], 0))


@add_arg_scope
def one_hot_encoding(
    labels: Any, num_classes: Any, on_value: Any = 1.0, off_value: Any = 0.0,
    outputs_collections: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """A vector for each label: `on_value` at its place, `off_value` elsewhere.

    Args: see tf.one_hot.
    """
    with current_mode().name_scope(scope or "OneHotEncoding") as sc:
        labels = convert_to_tensor(labels)
        if labels.dtype.name == "int32":
            labels = cast(labels, "int64")
        y = one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, sc, y)


@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> Any:
    """exp(x) / sum(exp(x)) along the last axis, for any number of axes.

    Args:
        logits: a float tensor. scope: a name; "softmax" by default.
    Raises:
        ValueError: there are less than two axes, or the last one has no known size.
    """
    with current_mode().name_scope(scope or "softmax"):
        logits = convert_to_tensor(logits)
        size = last_dimension(logits.shape, min_rank=2)
        rows = reshape(logits, [-1, size])
        y = reshape(nn_softmax.softmax(rows), shape(logits))
        if y.symbolic:
            y.set_shape(logits.shape)
        return y


@add_arg_scope
def spatial_softmax(
    features: Any, temperature: Any = None, name: str | None = None,
    variables_collections: Any = None, trainable: bool = True,
    data_format: Any = "NHWC",
) -> Any:  # fmt: skip
    """Where the features are: the mean place, weighted by a softmax over places.

    Args:
        features: float[batch, height, width, channels].
        temperature: a tensor, or the first value of a variable; 1 if not given.
        name: a name. variables_collections, trainable: see fully_connected.
        data_format: "NHWC" or "NCHW".
    Returns:
        float[batch, 2 * channels]: for each channel its row and column in [-1, 1]
    """
    with layer_scope(name, "spatial_softmax", features, None):
        x = convert_to_tensor(features)
        if data_format == "NHWC":
            x = transpose(x, (0, 3, 1, 2))
        elif data_format != "NCHW":
            raise ValueError("data_format has to be either NCHW or NHWC.")
        _, channels, height, width = x._shape
        current_mode().leave_ids(12 if temperature is None else 15)
        if not isinstance(temperature, Tensor | ResourceHandle):
            first = Ones() if temperature is None else Constant(temperature)
            temperature = get_variable(
                "temperature", [], "float32", first, trainable=trainable
            )
            note(temperature, variables_collections, "temperature")
        rows, columns = meshgrid(
            linspace(-1.0, 1.0, height), linspace(-1.0, 1.0, width), indexing="ij"
        )
        weights = nn_softmax.softmax(reshape(x, [-1, height * width]) / temperature)
        places = [
            reduce_sum(reshape(p, [-1]) * weights, [1], keepdims=True)
            for p in (rows, columns)
        ]
        y = reshape(concat(places, 1), [-1, channels * 2])
        if y.symbolic:
            y.set_shape([None, channels * 2])
        return y


@add_arg_scope
def maxout(inputs: Any, num_units: Any, axis: Any = -1, scope: Any = None) -> Any:
    """The largest of groups of entries along an axis.

    Args:
        inputs: a float tensor. num_units: the size of the axis of the output.
        axis: the axis. scope: a name.
    Raises:
        ValueError: the size of the axis is not a multiple of num_units.
    """
    with current_mode().name_scope(scope or "MaxOut"):
        x = convert_to_tensor(inputs)
        sizes = list(x._shape)
        size = sizes[axis]
        if size % num_units:
            raise ValueError(
                f"number of features({size}) is not a multiple of "
                f"num_units({num_units})"
            )
        sizes[axis] = num_units
        sizes.append(size // num_units)
        now = shape(x)
        wanted = [now[i] if d is None else d for i, d in enumerate(sizes)]
        current_mode().leave_ids(-1)
        y = reduce_max(reshape(x, stacked(wanted)), -1)
        if y.symbolic:
            y.set_shape(sizes[:-1])
        return y


def repeat(inputs: Any, repetitions: Any, layer: Any, *args: Any, **kwargs: Any) -> Any:
    """The same layer several times, each with variables of its own.

    Args:
        repetitions: how often. layer: a function such as conv2d.
        args, kwargs: its arguments; `scope` is numbered: scope/scope_1 ...
    Raises:
        ValueError: the layer has no name, and no scope is given.
    Example:
        slim = tf.contrib.slim
        x = tf.placeholder(tf.float32, [None, 8, 8, 3])
        y = slim.repeat(x, 3, slim.conv2d, 64, [3, 3], scope="conv1")
        y.shape.as_list()  # [None, 8, 8, 64]
    """
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        x = convert_to_tensor(inputs)
        scope = scope or _name_of(layer, "repeat")
        for i in range(repetitions):
            kwargs["scope"] = f"{scope}_{i + 1}"
            x = layer(x, *args, **kwargs)
        return x


def stack(inputs: Any, layer: Any, stack_args: Any, **kwargs: Any) -> Any:
    """A layer several times, each with arguments of its own.

    Args:
        layer: a function such as fully_connected.
        stack_args: its first arguments, a list for each (or one argument alone).
        kwargs: arguments of all; `scope` is numbered.
    Raises:
        ValueError: the layer has no name, and no scope is given.
    Example:
        slim = tf.contrib.slim
        x = tf.placeholder(tf.float32, [None, 8])
        y = slim.stack(x, slim.fully_connected, [32, 64], scope="fc")
        y.shape.as_list()  # [None, 64]
    """
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Stack", [inputs]):
        x = convert_to_tensor(inputs)
        scope = scope or _name_of(layer, "stack")
        for i, arguments in enumerate(stack_args):
            kwargs["scope"] = f"{scope}_{i + 1}"
            many = isinstance(arguments, list | tuple)
            x = layer(x, *(arguments if many else [arguments]), **kwargs)
        return x


def _name_of(layer, default):
    if hasattr(layer, "__name__"):
        return layer.__name__
    if hasattr(layer, "func") and hasattr(layer.func, "__name__"):
        return layer.func.__name__  # a functools.partial
    return default


@add_arg_scope
def dense_to_sparse(
    tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: Any = None
) -> Any:
    """The entries that are not `eos_token`, as a SparseTensor."""
    with layer_scope(scope, "dense_to_sparse", tensor, None) as sc:
        tensor = convert_to_tensor(tensor)
        places = where(not_equal(tensor, convert_to_tensor(eos_token, tensor.dtype)))
        values = gather_nd(tensor, places)
        found = SparseTensor(places, values, shape(tensor, out_type="int64"))
        return collect_named_outputs(outputs_collections, sc.name, found)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: Any = "NHWC", outputs_collections: Any = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Images as sequences along their width: float[width, batch * height, channels].

    Raises:
        ValueError: data_format is unknown.
    """
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with current_mode().name_scope(scope or "ImagesToSequence") as sc:
        x = convert_to_tensor(inputs)
        if data_format == "NCHW":
            x = transpose(x, (0, 2, 3, 1))
        _, _, width, channels = x._shape
        now = shape(x)
        rows = reshape(x, [now[0] * now[1], now[2], channels])
        y = transpose(rows, (1, 0, 2))
        if y.symbolic:
            y.set_shape([width, None, channels])
        return collect_named_outputs(outputs_collections, sc, y)


@add_arg_scope
def sequence_to_images(
    inputs: Any, height: Any, output_data_format: Any = "channels_last",
    outputs_collections: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """Sequences along the width as images; the opposite of images_to_sequence."""
    with current_mode().name_scope(scope or "SequenceToImages") as sc:
        x = convert_to_tensor(inputs)
        width, _, channels = x._shape
        rows = transpose(x, (1, 0, 2))
        steps = shape(x)[0] if width is None else width
        y = reshape(rows, [-1, height, steps, channels])
        if output_data_format == "channels_first":
            y = transpose(y, (0, 3, 1, 2))
        return collect_named_outputs(outputs_collections, sc, y)

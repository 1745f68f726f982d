"""Every public layer in the uses that formats see: what goes in, and how it is made."""

import numpy as np

import twinflow as tf

L = tf.keras.layers
IMAGE, CUBE, ROWS = (8, 6, 3), (4, 4, 4, 2), (6, 3)
FIRST = {"data_format": "channels_first"}

# {name: (shape of the input, or a list of them; what makes the layer)}
CASES = {
    "dense": (ROWS, lambda: L.Dense(4)),
    "conv1d": (ROWS, lambda: L.Conv1D(4, 3, padding="same")),
    "causal": (ROWS, lambda: L.Conv1D(4, 2, padding="causal", dilation_rate=2)),
    "conv2d": (IMAGE, lambda: L.Conv2D(4, 3, strides=2, padding="same")),
    "conv2d_relu": (IMAGE, lambda: L.Conv2D(4, (1, 2), activation="relu")),
    "dilated": (IMAGE, lambda: L.Conv2D(4, 3, dilation_rate=2, padding="same")),
    "conv3d": (CUBE, lambda: L.Conv3D(3, 2, strides=2, padding="same")),
    "transposed": (
        IMAGE, lambda: L.Conv2DTranspose(4, 3, strides=2, padding="same")
    ),
    "transposed_valid": (IMAGE, lambda: L.Conv2DTranspose(4, 2, strides=3)),
    "transposed3d": (
        CUBE, lambda: L.Conv3DTranspose(3, 3, strides=2, padding="same")
    ),
    "separable": (IMAGE, lambda: L.SeparableConv2D(4, 3, depth_multiplier=2)),
    "separable1d": (ROWS, lambda: L.SeparableConv1D(4, 3, depth_multiplier=2)),
    "depthwise": (IMAGE, lambda: L.DepthwiseConv2D(3, padding="same", strides=2)),
    "conv_first": (IMAGE, lambda: L.Conv2D(4, 3, strides=2, padding="same", **FIRST)),
    "transposed_first": (IMAGE, lambda: L.Conv2DTranspose(4, 3, strides=2, **FIRST)),
    "separable_first": (IMAGE, lambda: L.SeparableConv2D(4, 2, **FIRST)),
    "conv3d_first": (CUBE, lambda: L.Conv3D(3, 2, **FIRST)),
    "max_first": (IMAGE, lambda: L.MaxPooling2D(2, **FIRST)),
    "average3d_first": (CUBE, lambda: L.AveragePooling3D(2, **FIRST)),
    "up_first": (IMAGE, lambda: L.UpSampling2D(2, **FIRST)),
    "pad_first": (IMAGE, lambda: L.ZeroPadding2D((1, 2), **FIRST)),
    "local": (ROWS, lambda: L.LocallyConnected1D(2, 3, strides=2)),
    "local2d": (IMAGE, lambda: L.LocallyConnected2D(2, (3, 2), strides=2)),
    "max": (IMAGE, lambda: L.MaxPooling2D(3, 2, padding="same")),
    "average": (IMAGE, lambda: L.AveragePooling2D(3, 2, padding="same")),
    "max1d": (ROWS, lambda: L.MaxPooling1D(2)),
    "average1d": (ROWS, lambda: L.AveragePooling1D(4, 2, padding="same")),
    "max3d": (CUBE, lambda: L.MaxPooling3D(3, 2, padding="same")),
    "average3d": (CUBE, lambda: L.AveragePooling3D(3, 2, padding="same")),
    **{
        f"global_{kind}{n}d": (
            shape, lambda kind=kind, n=n: getattr(L, f"Global{kind}Pooling{n}D")()
        )
        for kind in ("Average", "Max")
        for n, shape in enumerate((ROWS, IMAGE, CUBE), 1)
    },
    "batch_norm": (IMAGE, lambda: L.BatchNormalization()),
    "batch_norm_dense": ((3,), lambda: L.BatchNormalization(scale=False)),
    "batch_norm_first": (IMAGE, lambda: L.BatchNormalization(axis=1)),
    "lstm": (ROWS, lambda: L.LSTM(4)),
    "lstm_unrolled": (ROWS, lambda: L.LSTM(4, return_sequences=True, unroll=True)),
    "lstm_other": (ROWS, lambda: L.LSTM(
        4, "relu", "sigmoid", unit_forget_bias=False, implementation=2,
        return_state=True)),
    "lstm_stateful": (ROWS, lambda: L.LSTM(4, return_sequences=True, stateful=True)),
    "gru": (ROWS, lambda: L.GRU(4, return_sequences=True)),
    "gru_after": (ROWS, lambda: L.GRU(
        4, reset_after=True, recurrent_activation="sigmoid")),
    "gru_backwards": (ROWS, lambda: L.GRU(4, go_backwards=True, unroll=True)),
    "simple_rnn": ((6, 3), lambda: L.SimpleRNN(4, return_sequences=True)),
    "cudnn_gru": (ROWS, lambda: L.CuDNNGRU(4, return_sequences=True)),
    "cudnn_lstm": (ROWS, lambda: L.CuDNNLSTM(4)),
    "cells": (ROWS, lambda: L.RNN(
        [L.SimpleRNNCell(3), L.GRUCell(4), L.LSTMCell(3)], return_sequences=True)),
    "stacked": (ROWS, lambda: L.RNN(L.StackedRNNCells([L.LSTMCell(3)] * 1))),
    "both_ways": (ROWS, lambda: L.Bidirectional(L.LSTM(4, return_sequences=True))),
    "both_ways_sum": (ROWS, lambda: L.Bidirectional(L.GRU(4), merge_mode="sum")),
    "conv_lstm": ((3, 6, 6, 2), lambda: L.ConvLSTM2D(
        2, 3, padding="same", return_sequences=True)),
    "each_step": (ROWS, lambda: L.TimeDistributed(L.Dense(4))),
    "embedding": ((5,), lambda: L.Embedding(7, 4)),
    "masked": ((5,), lambda: tf.keras.Sequential([
        L.Embedding(7, 4, mask_zero=True, input_length=5), L.LSTM(3)])),
    "masking": (ROWS, lambda: tf.keras.Sequential([
        L.Masking(0.5, input_shape=ROWS), L.GRU(3, return_sequences=True)])),
    **{
        name: ((5,), lambda name=name: L.Activation(name))
        for name in (
            "elu", "exponential", "hard_sigmoid", "linear", "relu", "selu", "sigmoid",
            "softmax", "softplus", "softsign", "tanh",
        ) if name in dir(tf.keras.activations)
    },
    "leaky": ((5,), lambda: L.LeakyReLU()),
    "prelu": ((5,), lambda: L.PReLU()),
    "prelu_shared": (IMAGE, lambda: L.PReLU(shared_axes=[1, 2])),
    "elu_half": ((5,), lambda: L.ELU(0.5)),
    "thresholded": ((5,), lambda: L.ThresholdedReLU()),
    "relu6": ((5,), lambda: L.ReLU(6.0)),
    "relu_slope": ((5,), lambda: L.ReLU(6.0, 0.1, 0.2)),
    "softmax_axis": (ROWS, lambda: L.Softmax(axis=1)),
    "reshape": ((6,), lambda: L.Reshape((-1, 3))),
    "permute": (ROWS, lambda: L.Permute((2, 1))),
    "flatten": (IMAGE, lambda: L.Flatten()),
    "flatten_first": (IMAGE, lambda: L.Flatten("channels_first")),
    "repeat": ((3,), lambda: L.RepeatVector(2)),
    "function": (ROWS, lambda: L.Lambda(lambda x: tf.sqrt(tf.abs(x)) + 1.0)),
    "crop1d": (ROWS, lambda: L.Cropping1D(1)),
    "crop2d": (IMAGE, lambda: L.Cropping2D((1, 2))),
    "crop3d": (CUBE, lambda: L.Cropping3D(1)),
    "pad1d": (ROWS, lambda: L.ZeroPadding1D(1)),
    "pad2d": (IMAGE, lambda: L.ZeroPadding2D((1, 2))),
    "pad3d": (CUBE, lambda: L.ZeroPadding3D(1)),
    "up1d": (ROWS, lambda: L.UpSampling1D(2)),
    "up2d": (IMAGE, lambda: L.UpSampling2D((2, 3))),
    "up3d": (CUBE, lambda: L.UpSampling3D(2)),
    "dropout": ((3,), lambda: L.Dropout(0.5)),
    "dropout1d": (ROWS, lambda: L.SpatialDropout1D(0.5)),
    "dropout2d": (IMAGE, lambda: L.SpatialDropout2D(0.5)),
    "dropout3d": (CUBE, lambda: L.SpatialDropout3D(0.5)),
    "dropout_alpha": ((3,), lambda: L.AlphaDropout(0.5)),
    "dropout_bell": ((3,), lambda: L.GaussianDropout(0.5)),
    "noise": ((3,), lambda: L.GaussianNoise(0.5)),
    "input": ((3,), lambda: L.InputLayer(input_shape=(3,))),
    "add": ([(3,), (3,)], lambda: L.Add()),
    "subtract": ([(3,), (3,)], lambda: L.Subtract()),
    "multiply": ([ROWS, ROWS, ROWS], lambda: L.Multiply()),
    "average_of": ([(3,), (3,)], lambda: L.Average()),
    "maximum": ([(3,), (3,)], lambda: L.Maximum()),
    "minimum": ([(3,), (3,)], lambda: L.Minimum()),
    "concatenate": ([(3,), (2,)], lambda: L.Concatenate()),
    "dot": ([(3,), (3,)], lambda: L.Dot(1)),
    "dot_rows": ([ROWS, ROWS], lambda: L.Dot(2, normalize=True)),
}  # fmt: skip

# What is called in graphs, with an input called x: functions of tf.layers, and a layer.
FUNCTIONS = {
    "ActivityRegularization": (ROWS, lambda f, x: L.ActivityRegularization(0.1)(x)),
    "average_pooling1d": (ROWS, lambda f, x: f(x, 3, 2, "same")),
    "average_pooling2d": (IMAGE, lambda f, x: f(x, 3, 2, "same")),
    "average_pooling3d": (CUBE, lambda f, x: f(x, 2, 2)),
    "batch_normalization": (IMAGE, lambda f, x: f(x)),
    "conv1d": (ROWS, lambda f, x: f(x, 4, 3, padding="same")),
    "conv2d": (IMAGE, lambda f, x: f(x, 4, 3, 2, "same")),
    "conv2d_transpose": (IMAGE, lambda f, x: f(x, 4, 3, 2, "same")),
    "conv3d": (CUBE, lambda f, x: f(x, 4, 3, padding="same")),
    "conv3d_transpose": (CUBE, lambda f, x: f(x, 2, 3, 2, "same")),
    "dense": (ROWS, lambda f, x: f(x, 4, tf.nn.relu)),
    "dropout": (ROWS, lambda f, x: f(x)),
    "flatten": (ROWS, lambda f, x: f(x)),
    "max_pooling1d": (ROWS, lambda f, x: f(x, 3, 2, "same")),
    "max_pooling2d": (IMAGE, lambda f, x: f(x, 3, 2, "same")),
    "max_pooling3d": (CUBE, lambda f, x: f(x, 2, 2)),
    "separable_conv1d": (ROWS, lambda f, x: f(x, 4, 3)),
    "separable_conv2d": (IMAGE, lambda f, x: f(x, 4, 3, padding="same")),
}

_BASES = {L.Layer, L.Wrapper}  # they are there to be derived from


def public_layers() -> dict:
    """{class: a public name} of the layers of tf.keras.layers."""
    found = ((name, getattr(L, name)) for name in L.__all__)
    return {
        value: name for name, value in found
        if isinstance(value, type) and issubclass(value, L.Layer)
        and value not in _BASES
    }  # fmt: skip


def public_functions() -> set:
    """The names of the functions of tf.layers that are layers."""
    names = (name for name in tf.layers.__all__ if name[0].islower())
    return {name for name in names if name != "attach"}


def model_of(name):
    """(a Keras model of one layer with random weights, arrays to call it with)."""
    shapes, make = CASES[name]
    shapes = shapes if isinstance(shapes, list) else [shapes]
    random, layer = np.random.RandomState(0), make()
    words = name in ("embedding", "masked")
    batch = 2 if getattr(layer, "stateful", False) else None
    inputs = [
        L.Input(batch_shape=(batch, *s), dtype="int32" if words else "float32")
        for s in shapes
    ]
    outputs = layer(inputs[0] if len(inputs) == 1 else inputs)
    model = tf.keras.Model(inputs, outputs)
    model.set_weights([_random(w, random) for w in model.weights])
    if words:
        return model, [random.randint(0, 7, (2, *s)).astype("i4") for s in shapes]
    return model, [random.randn(2, *s).astype("f4") for s in shapes]


def _random(weight, random):
    values = random.randn(*weight.shape.as_list()) * 0.3
    return abs(values) if "variance" in weight.name else values


def classes_in(layer) -> set:
    """The classes of a layer, its bases, and of the layers that it is made of."""
    found = set(type(layer).__mro__)
    more = [getattr(layer, n, None) for n in ("cell", "layer", "forward_layer")]
    more += getattr(layer, "layers", []) + getattr(layer, "cells", [])
    for inner in more:
        found |= classes_in(inner) if isinstance(inner, L.Layer) else set()
    return found


def close(found, wanted, tolerance=1e-5):
    """Compare with what is wanted, relative to its largest value."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    largest = np.max(np.abs(wanted), initial=0)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * largest)

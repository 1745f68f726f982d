"""Each Keras layer: onnxruntime and what is read back give what the layer gives."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.onnx.both import both_ways

L = tf.keras.layers
IMAGE, CUBE, ROWS = (8, 6, 3), (4, 4, 4, 2), (6, 3)

CASES = {
    "dense": (ROWS, lambda: L.Dense(4)),
    "conv1d": (ROWS, lambda: L.Conv1D(4, 3, padding="same")),
    "causal": (ROWS, lambda: L.Conv1D(4, 2, padding="causal", dilation_rate=2)),
    "conv2d": (IMAGE, lambda: L.Conv2D(4, 3, strides=2, padding="same")),
    "dilated": (IMAGE, lambda: L.Conv2D(4, 3, dilation_rate=2, padding="same")),
    "conv3d": (CUBE, lambda: L.Conv3D(3, 2)),
    "transposed": (
        IMAGE, lambda: L.Conv2DTranspose(4, 3, strides=2, padding="same")
    ),
    "transposed_valid": (IMAGE, lambda: L.Conv2DTranspose(4, 2, strides=3)),
    "transposed3d": (
        CUBE, lambda: L.Conv3DTranspose(3, 3, strides=2, padding="same")
    ),
    "separable": (IMAGE, lambda: L.SeparableConv2D(4, 3, depth_multiplier=2)),
    "separable1d": (ROWS, lambda: L.SeparableConv1D(4, 3, depth_multiplier=2)),
    "depthwise": (IMAGE, lambda: L.DepthwiseConv2D(3, padding="same")),
    "local": (ROWS, lambda: L.LocallyConnected1D(2, 3)),
    "max": (IMAGE, lambda: L.MaxPooling2D(3, 2, padding="same")),
    "average": (IMAGE, lambda: L.AveragePooling2D(3, 2, padding="same")),
    "max1d": (ROWS, lambda: L.MaxPooling1D(2)),
    "average1d": (ROWS, lambda: L.AveragePooling1D(2)),
    "max3d": (CUBE, lambda: L.MaxPooling3D(2)),
    "average3d": (CUBE, lambda: L.AveragePooling3D(2)),
    **{
        f"global_{kind}{n}d": (
            shape, lambda kind=kind, n=n: getattr(L, f"Global{kind}Pooling{n}D")()
        )
        for kind in ("Average", "Max")
        for n, shape in enumerate((ROWS, IMAGE, CUBE), 1)
    },
    "batch_norm": (IMAGE, lambda: L.BatchNormalization()),
    "batch_norm_dense": ((3,), lambda: L.BatchNormalization()),
    "lstm": (ROWS, lambda: L.LSTM(4)),
    "lstm_unrolled": (ROWS, lambda: L.LSTM(4, return_sequences=True, unroll=True)),
    "gru": (ROWS, lambda: L.GRU(4, return_sequences=True)),
    "gru_backwards": (ROWS, lambda: L.GRU(4, go_backwards=True, unroll=True)),
    "simple_rnn": ((None, 3), lambda: L.SimpleRNN(4, return_sequences=True)),
    "both_ways": (ROWS, lambda: L.Bidirectional(L.LSTM(4, return_sequences=True))),
    "conv_lstm": ((3, 6, 6, 2), lambda: L.ConvLSTM2D(2, 3)),
    "each_step": (ROWS, lambda: L.TimeDistributed(L.Dense(4))),
    "embedding": ((5,), lambda: L.Embedding(7, 4)),
    **{
        name: ((5,), lambda name=name: L.Activation(name))
        for name in (
            "relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid",
            "hard_sigmoid", "softmax", "linear",
        )
    },
    "leaky": ((5,), lambda: L.LeakyReLU()),
    "prelu": ((5,), lambda: L.PReLU()),
    "elu_half": ((5,), lambda: L.ELU(0.5)),
    "thresholded": ((5,), lambda: L.ThresholdedReLU()),
    "relu6": ((5,), lambda: L.ReLU(6.0)),
    "reshape": ((6,), lambda: L.Reshape((-1, 3))),
    "permute": (ROWS, lambda: L.Permute((2, 1))),
    "flatten": (IMAGE, lambda: L.Flatten()),
    "repeat": ((3,), lambda: L.RepeatVector(2)),
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
    "masking": (ROWS, lambda: L.Masking()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_layer(name, eager, tmp_path):
    shape, make = CASES[name]
    random = np.random.RandomState(0)
    layer = make()
    dtype = "int32" if name == "embedding" else None
    first = L.InputLayer(input_shape=shape, dtype=dtype)
    model = tf.keras.Sequential([first, layer])
    weights = [abs(random.randn(*w.shape.as_list())) * 0.3 for w in layer.weights]
    layer.set_weights(weights)
    x = random.randn(2, *[4 if s is None else s for s in shape]).astype("f4")
    x = (abs(x) * 2).astype("i4") % 7 if dtype else x
    both_ways(model, [x], tmp_path)


@pytest.mark.parametrize("kind", ["Add", "Subtract", "Multiply", "Average", "Maximum",
                                  "Minimum", "Concatenate", "Dot"])  # fmt: skip
def test_merge(kind, eager, tmp_path):
    a, b = tf.keras.Input((3,)), tf.keras.Input((3,))
    options = {"axes": 1} if kind == "Dot" else {}
    model = tf.keras.Model([a, b], getattr(L, kind)(**options)([a, b]))
    random = np.random.RandomState(0)
    arrays = [random.randn(2, 3).astype("f4") for _ in range(2)]
    want = model([tf.constant(v) for v in arrays])
    both_ways(model, arrays, tmp_path, want=want)

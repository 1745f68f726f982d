"""The work of every row: its name, its sizes, and the same numbers for everybody."""

import numpy as np

ROWS = {
    "add": "a + b",
    "matmul": "a @ b",
    "tanh": "tanh(a)",
    "add_number": "a + 1.0",
    "sum": "sum(a)",
    "tape_add": "a + b, taped",
    "tape_matmul": "a @ b, taped",
    "tape_tanh": "tanh(a), taped",
    "tape_add_number": "a + 1.0, taped",
    "tape_sum": "sum(a), taped",
    "tape_gradient": "tape + gradient",
    "mlp_eager": "MLP step, eager",
    "mlp_function": "MLP step, function",
    "session_matmul": "Session.run: a @ b",
    "session_ops": "Session.run: 10 ops",
    "session_while": "Session.run: while_loop",
    "session_rnn": "Session.run: LSTM",
    "lstm_eager": "CNN + LSTM step, eager",
    "keras_fit": "Keras fit of a CNN, a step",
    "data_python": "data: Python map",
    "data_numpy": "data: NumPy map, 2 workers",
    "data_processes": "data: heavy Python map, 2 workers",
    "data_jpeg": "data: JPEG files, 1 worker",
    "data_jpeg_2": "data: JPEG files, 2 workers",
    "import": "import",
    "first_step": "first step of a CNN",
}
ALONE = ("import", "first_step")  # rows that need a process that has done nothing yet
LEARNING_RATE = 0.01


def _normal(random, *shape, scale=1.0):
    return (scale * random.standard_normal(shape)).astype(np.float32)


def _layer(random, *shape):
    """A kernel and its bias."""
    scale = np.prod(shape[:-1]) ** -0.5
    return [_normal(random, *shape, scale=scale), np.zeros(shape[-1], np.float32)]


def matrices():
    """float32[4, 4] a and b."""
    random = np.random.default_rng(0)
    return _normal(random, 4, 4), _normal(random, 4, 4)


def affine():
    """float32 x[4, 4], w[4, 4] and b[4] of sum(tanh(x @ w + b))."""
    random = np.random.default_rng(1)
    return _normal(random, 4, 4), _normal(random, 4, 4), _normal(random, 4)


def rnn():
    """An LSTM of 64 units on 50 steps of a batch of 32.

    Returns:
        float32 kernel[128, 256], bias[256], steps[32, 50, 64].
    """
    random = np.random.default_rng(4)
    return *_layer(random, 128, 256), _normal(random, 32, 50, 64)


def mlp():
    """The 64x784x128x10 network: its weights, and one batch.

    Returns:
        [kernel[784, 128], bias[128], kernel[128, 10], bias[10]],
        float32[64, 784], int64[64].
    """
    random = np.random.default_rng(2)
    weights = _layer(random, 784, 128) + _layer(random, 128, 10)
    return weights, _normal(random, 64, 784), random.integers(0, 10, 64)


def cnn():
    """The demo's network for 8x8 digits: its weights, and one batch.

    Returns:
        Kernels (convolutions: [height, width, in, out]) and biases of the layers
        conv 16, conv 32, dense 64, dense 10; float32[64, 8, 8, 1], int64[64].
    """
    random = np.random.default_rng(3)
    weights = [
        *_layer(random, 3, 3, 1, 16),
        *_layer(random, 3, 3, 16, 32),
        *_layer(random, 128, 64),
        *_layer(random, 64, 10),
    ]
    return weights, _normal(random, 64, 8, 8, 1), random.integers(0, 10, 64)


def lines():
    """The seeds' network of two convolutions and an LSTM: its weights, and one batch.

    Returns:
        Kernels and biases of conv 32 and conv 64 (5x5), the LSTM of 64 units (kernel,
        recurrent kernel, bias), dense 10; float32[32, 784], float32[32, 10].
    """
    random = np.random.default_rng(5)
    weights = [
        *_layer(random, 5, 5, 1, 32),
        *_layer(random, 5, 5, 32, 64),
        _normal(random, 49, 256, scale=49**-0.5),
        *_layer(random, 64, 256),
        *_layer(random, 64, 10),
    ]
    labels = np.eye(10, dtype=np.float32)[random.integers(0, 10, 32)]
    return weights, _normal(random, 32, 784), labels


def pictures():
    """The small network of `fit`: its weights, and an epoch of 64 batches.

    Returns:
        Kernels and biases of conv 32 and conv 64 (3x3), dense 10;
        float32[4096, 28, 28, 1], int64[4096].
    """
    random = np.random.default_rng(6)
    weights = [
        *_layer(random, 3, 3, 1, 32),
        *_layer(random, 3, 3, 32, 64),
        *_layer(random, 1600, 10),
    ]
    labels = random.integers(0, 10, 4096)
    return weights, _normal(random, 4096, 28, 28, 1), labels

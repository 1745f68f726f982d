"""The rows that train Keras models compute what they are meant to compute."""

import time

import numpy as np
import pytest

from benchmarks import problem, training
from tests.benchmarks.test_cases import sigmoid, softmax_loss, values

values = values  # the fixture


def conv(x, kernel, bias, pad):
    """A correlation in float64; `pad` zeros on each side of the image."""
    size = kernel.shape[0]
    x = np.pad(x.astype(np.float64), [(0, 0), (pad, pad), (pad, pad), (0, 0)])
    n = x.shape[1] - size + 1
    return bias + sum(
        x[:, i : i + n, j : j + n] @ kernel[i, j].astype(np.float64)
        for i in range(size)
        for j in range(size)
    )


def pool(x):
    """The largest of squares of 2 x 2; what is left over is left out."""
    half = x.shape[1] // 2
    x = x[:, : 2 * half, : 2 * half]
    return x.reshape(len(x), half, 2, half, 2, -1).max((2, 4))


def test_the_step_of_the_lstm_begins_at_its_loss_and_learns(values):
    weights, images, labels = problem.lines()
    k1, b1, k2, b2, kernel, recurrent, bias, dense, last = weights
    x = pool(conv(images.reshape(-1, 28, 28, 1), k1, b1, 2))
    x = pool(conv(x, k2, b2, 2)).reshape(-1, 49, 64).transpose(0, 2, 1)
    h = c = np.zeros((len(x), 64))
    for t in range(64):
        i, f, g, o = np.split(x[:, t] @ kernel + h @ recurrent + bias, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
    loss = softmax_loss(h @ dense + last, labels.argmax(1))[0]
    found = [step[0] for step in values["lstm_eager"]]
    np.testing.assert_allclose(found[0], loss, rtol=1e-5)
    assert found[2] < found[1] < found[0]


def test_the_fit_begins_at_its_loss_and_learns(values):
    (k1, b1, k2, b2, dense, last), images, labels = problem.pictures()
    x = pool(np.maximum(conv(images[:64], k1, b1, 0), 0))
    x = pool(np.maximum(conv(x, k2, b2, 0), 0)).reshape(64, -1)
    first = softmax_loss(x @ dense + last, labels[:64])[0]
    found = [fit[0] for fit in values["keras_fit"]]  # the mean of two steps
    assert found[2] < found[1] < found[0] < 1.5 * first


@pytest.mark.parametrize("seconds", [0.01])
def test_a_fit_is_timed_by_the_step(seconds):
    class Clock:
        def __init__(self):
            self.epochs = []

    class Model:
        def fit(self, x, y, batch_size, epochs, verbose, shuffle, callbacks):
            for i in range(epochs):
                extra = 0.1 if i == 0 else 0.0  # the first epoch does not count
                start = time.perf_counter()
                time.sleep(seconds + extra)
                callbacks[0].epochs.append(time.perf_counter() - start)

    case = training.FitCase(
        "fit()", {"clock": Clock}, warm_up=0, model=Model(), images=[0] * 10,
        labels=[0] * 10, batch=4,
    )  # fmt: skip
    assert seconds / 3 <= case.seconds(repeats=2, least=0.001) < 0.1 / 3

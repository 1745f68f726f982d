"""Each of twinflow's benchmark cases runs and computes what it is meant to compute."""

import functools
import io
import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from benchmarks import images, jpegs, problem
from benchmarks.case import BLOCK, Case
from tests.source_tree import ROOT

ROWS = [row for row in problem.ROWS if row != "import"]
STEPS = 3
ELSEWHERE = ("session_rnn", "lstm_eager", "keras_fit")  # rows with tests of their own


@pytest.fixture(scope="session")
def values():
    """{row: what its case gives}; two modules share it."""
    return _values()


@functools.cache
def _values():
    """The same, from the process that the benchmarks start too."""
    command = [sys.executable, "-m", "benchmarks.measure", "twinflow", *ROWS]
    done = subprocess.run(
        [*command, "--repeats=0"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout.splitlines()[-1])["rows"]
    errors = {
        row: v["error"] for row in rows for v in rows[row].values() if "error" in v
    }
    assert not errors
    return {row: next(iter(rows[row].values()))["values"] for row in ROWS}


def softmax_loss(logits, labels):
    """The mean cross entropy, and its gradient for the logits."""
    rows = np.arange(len(labels))
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[rows, labels]).mean()
    p[rows, labels] -= 1
    return loss, p / len(labels)


def train_mlp(steps):
    """The losses of gradient descent on the dense network, in float64."""
    weights, x, labels = problem.mlp()
    w1, b1, w2, b2 = weights = [w.astype(np.float64) for w in weights]
    losses = []
    for _ in range(steps):
        h = np.maximum(x @ w1 + b1, 0)
        loss, dy = softmax_loss(h @ w2 + b2, labels)
        dh = dy @ w2.T * (h > 0)
        for w, dw in zip(weights, [x.T @ dh, dh.sum(0), h.T @ dy, dy.sum(0)]):
            w -= problem.LEARNING_RATE * dw
        losses.append(loss)
    return losses


def conv_block(x, kernel, bias):
    """3x3 convolution with zeros around, ReLU, 2x2 maximum."""
    n, size = x.shape[:2]
    padded = np.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)])
    y = bias + sum(
        padded[:, i : i + size, j : j + size] @ kernel[i, j]
        for i in range(3)
        for j in range(3)
    )
    return np.maximum(y, 0).reshape(n, size // 2, 2, size // 2, 2, -1).max((2, 4))


def cnn_loss():
    weights, images, labels = problem.cnn()
    k1, b1, k2, b2, w3, b3, w4, b4 = weights
    x = conv_block(conv_block(images, k1, b1), k2, b2).reshape(64, 128)
    return softmax_loss(np.maximum(x @ w3 + b3, 0) @ w4 + b4, labels)[0]


def slopes():
    """Gradients of sum(tanh(x @ w + b)) for w and b, one after the other."""
    x, w, b = problem.affine()
    dy = 1 - np.tanh(x @ w + b) ** 2
    return np.concatenate([np.ravel(x.T @ dy), dy.sum(0)])


def products(a, b, times):
    """tanh(a @ b), again and again."""
    for _ in range(times):
        a = np.tanh(a @ b)
    return a


def lstm_loss(kernel, bias, steps):
    """The mean square of what an LSTM gives, in float64."""
    h = c = np.zeros((len(steps), len(bias) // 4))
    total = 0
    for x in steps.astype(np.float64).transpose(1, 0, 2):
        i, j, f, o = np.split(np.concatenate([x, h], 1) @ kernel + bias, 4, axis=1)
        c = c * sigmoid(f + 1) + sigmoid(i) * np.tanh(j)
        h = np.tanh(c) * sigmoid(o)
        total += (h**2).mean() / steps.shape[1]
    return total


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def resized(image, axis, out):
    """An image of another size along one axis, linearly, in float64."""
    size = image.shape[axis]
    at = np.arange(out) * (size / out)
    low = at.astype(int)
    high = np.minimum(low + 1, size - 1)
    part = np.expand_dims(at - low, tuple({0, 1, 2} - {axis}))
    a, b = (np.take(image, i, axis).astype(float) for i in (low, high))
    return a + (b - a) * part


def jpeg_mean():
    """The mean of all pixels of the pictures, decoded by Pillow."""
    means = []
    for file, (y, x, height, width), _ in zip(*jpegs.load()):
        pixels = np.asarray(Image.open(io.BytesIO(file)))
        part = pixels[y : y + height, x : x + width]
        part = resized(resized(part, 1, jpegs.SIDE), 0, jpegs.SIDE) / 255
        means.append(((part - jpegs.MEAN) / jpegs.DEVIATION).mean())
    return np.mean(means)


def expected(row):
    """What a row computes, from NumPy alone."""
    a, b = problem.matrices()
    operations = {
        "add": a + b, "matmul": a @ b, "tanh": np.tanh(a), "add_number": a + 1,
        "sum": a.sum(), "session_matmul": a @ b, "session_ops": products(a, b, 5),
        "session_while": products(a, b, 100),
    }  # fmt: skip
    if row in ("mlp_eager", "mlp_function"):
        return np.array(train_mlp(STEPS))[:, None]
    if row == "first_step":
        return [[cnn_loss()]]
    if row in images.WORK:
        work = images.WORK[row]
        return [[np.mean([work(image) for image in images.images()])]] * STEPS
    if row in jpegs.ROWS:
        return [[jpeg_mean()]] * STEPS
    single = (
        slopes() if row == "tape_gradient" else operations[row.removeprefix("tape_")]
    )
    return [np.ravel(single)] * STEPS


@pytest.mark.parametrize("row", [row for row in ROWS if row not in ELSEWHERE])
def test_twinflow_computes_what_the_row_says(values, row):
    np.testing.assert_allclose(values[row], expected(row), rtol=1e-5, atol=1e-5)


def test_the_recurrent_network_has_its_loss_and_slopes(values):
    kernel, bias, steps = problem.rnn()
    kernel, bias = kernel.astype(np.float64), bias.astype(np.float64)
    loss, slopes = values["session_rnn"][0][0], values["session_rnn"][0][1:]
    np.testing.assert_allclose(loss, lstm_loss(kernel, bias, steps), rtol=1e-5)
    ways = [np.cos(np.arange(n)) * 1e-4 for n in (kernel.size, bias.size)]
    aside = [way.reshape(w.shape) for way, w in zip(ways, (kernel, bias), strict=True)]
    rise = lstm_loss(kernel + aside[0], bias + aside[1], steps) - lstm_loss(
        kernel - aside[0], bias - aside[1], steps
    )
    np.testing.assert_allclose(
        2 * np.dot(slopes, np.concatenate(ways)), rise, rtol=1e-4
    )


def test_a_taped_case_counts_the_operations_on_its_tape():
    counts = {"tapes": 0, "operations": 0}

    class Tape:
        def __enter__(self):
            counts["tapes"] += 1

        def __exit__(self, *_):
            pass

    def operation():
        counts["operations"] += 1

    names = {"Tape": Tape, "operation": operation}
    case = Case("operation()", names, opening="with Tape():", warm_up=0)
    assert 0 < case.seconds(repeats=1, least=1e-4) < 1e-4
    assert counts["operations"] == BLOCK * counts["tapes"] > 0

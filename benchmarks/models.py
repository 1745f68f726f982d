"""The models: their weights, a batch for each, and their loss in terms of a kit.

A kit has what models are made of, in the names and in the manner of one framework: so
each model is written once, and all train the same one. Weights go by name, those of a
layer begin alike: "dense/kernel", "dense/bias".
"""

import functools
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.ops import Draw

TOLERANCE = 1e-3  # of losses: sums in another order, three steps long
STEPS = 3  # whose losses are compared
FUSED = "BlockLSTM"  # at the end of a variant: an LSTM is one op
WAYS = {  # {row's end: {framework: the variants; each gets a process of its own}}
    "eager": {
        "twinflow": ["GradientTape", f"GradientTape, {FUSED}"],
        "torch": ["eager", "eager, channels_last"],
        "tensorflow": ["GradientTape", f"GradientTape, {FUSED}"],
    },
    "function": {
        "twinflow": ["defun", f"defun, {FUSED}"],
        "torch": ["torch.compile"],
        "tensorflow": ["tf.function", "jit_compile", f"tf.function, {FUSED}"],
        "jax": ["jit"],
    },
    "graph": {
        "twinflow": ["Session", f"Session, {FUSED}"],
        "tensorflow": ["Session", f"Session, {FUSED}"],
    },
}
VOCABULARY, WORDS = 1000, 10_000
BATCH, TIME, WIDTH, HEADS, LAYERS = 8, 128, 256, 4, 4


ON_GPU = "TWINFLOW_BENCH_GPU"  # in the environment of those who train on a GPU


def on_gpu():
    """Whether models are to be trained on the first GPU."""
    return bool(os.environ.get(ON_GPU))


@dataclass(frozen=True)
class Model:
    """A model.

    Args:
        title: its name in the table.
        make: from a Draw the weights {name: array} and the batch, a list of arrays.
        loss: its loss from a kit, the weights and the batch.
        rate: of the gradient descent; so small that rounding does not grow.
        images: whether it is about images, whose axes PyTorch may order in two ways.
        recurrent: whether it has an LSTM, which TensorFlow also has as one op.
        frameworks: those that train it.
    """

    title: str
    make: Callable
    loss: Callable
    rate: float = 0.1
    images: bool = False
    recurrent: bool = False
    frameworks: tuple = ("twinflow", "torch", "tensorflow", "jax")


def _dense(draw, name, rows, columns):
    kernel = draw(rows, columns, scale=rows**-0.5)
    return {f"{name}/kernel": kernel, f"{name}/bias": np.zeros(columns, np.float32)}


def _norm(name, size):
    ones, zeros = np.ones(size, np.float32), np.zeros(size, np.float32)
    return {f"{name}/scale": ones, f"{name}/offset": zeros}


def _conv(draw, name, size, inputs, outputs):
    kernel = draw(size, size, inputs, outputs, scale=(size * size * inputs) ** -0.5)
    return {f"{name}/kernel": kernel, **_norm(name, outputs)}


# Dense networks


def _mlp(sizes, batch):
    def make(draw):
        weights = {}
        for i, (rows, columns) in enumerate(itertools.pairwise(sizes)):
            weights.update(_dense(draw, f"dense{i}", rows, columns))
        return weights, [draw(batch, sizes[0]), draw.below(sizes[-1], batch)]

    def loss(kit, w, x, labels):
        for i in range(len(sizes) - 1):
            x = kit.dense(kit.relu(x) if i else x, w, f"dense{i}")
        return kit.cross_entropy(x, labels)

    return make, loss


# The transformer


def _transformer_make(draw):
    weights = {
        "embedding": draw(VOCABULARY, WIDTH, scale=0.02),
        "positions": draw(TIME, WIDTH, scale=0.02),
    }
    for i in range(LAYERS):
        weights.update(_norm(f"{i}/before", WIDTH))
        weights.update(_dense(draw, f"{i}/qkv", WIDTH, 3 * WIDTH))
        weights.update(_dense(draw, f"{i}/merged", WIDTH, WIDTH))
        weights.update(_norm(f"{i}/between", WIDTH))
        weights.update(_dense(draw, f"{i}/wide", WIDTH, 4 * WIDTH))
        weights.update(_dense(draw, f"{i}/narrow", 4 * WIDTH, WIDTH))
    weights.update(_norm("after", WIDTH))
    weights.update(_dense(draw, "logits", WIDTH, VOCABULARY))
    tokens = draw.below(VOCABULARY, BATCH, TIME + 1)
    return weights, [tokens[:, :-1].copy(), tokens[:, 1:].ravel()]


def _transformer_loss(kit, w, tokens, targets):
    x = kit.lookup(w["embedding"], tokens) + w["positions"]
    x = kit.reshape(x, [BATCH * TIME, WIDTH])
    for i in range(LAYERS):
        y = kit.dense(kit.layer_norm(x, w, f"{i}/before"), w, f"{i}/qkv")
        heads = [kit.reshape(part, [BATCH, TIME, HEADS, WIDTH // HEADS])
                 for part in kit.split(y, 3)]  # fmt: skip
        y = kit.attention(*(kit.swap(part) for part in heads))
        y = kit.reshape(kit.swap(y), [BATCH * TIME, WIDTH])
        x = x + kit.dense(y, w, f"{i}/merged")
        y = kit.dense(kit.layer_norm(x, w, f"{i}/between"), w, f"{i}/wide")
        x = x + kit.dense(kit.relu(y), w, f"{i}/narrow")
    x = kit.dense(kit.layer_norm(x, w, "after"), w, "logits")
    return kit.cross_entropy(x, targets)


# Recurrent networks


def _lstm_make(draw):
    weights = {**_dense(draw, "lstm", 256, 512), **_dense(draw, "logits", 128, 10)}
    return weights, [draw(64, 50, 128), draw.below(10, 64)]


def _lstm_loss(kit, w, x, labels):
    last = kit.last(kit.lstm(x, w, "lstm", unrolled=True))
    return kit.cross_entropy(kit.dense(last, w, "logits"), labels)


def _words_make(draw):
    weights = {
        "embedding": draw(WORDS, 200, scale=0.05),
        **_dense(draw, "lstm", 400, 800),
        **_dense(draw, "logits", 200, WORDS),
    }
    tokens = draw.below(WORDS, 20, 36)
    return weights, [tokens[:, :-1].copy(), tokens[:, 1:].ravel()]


def _words_loss(kit, w, tokens, targets):
    x = kit.lstm(kit.lookup(w["embedding"], tokens), w, "lstm", unrolled=False)
    logits = kit.dense(kit.reshape(x, [20 * 35, 200]), w, "logits")
    return kit.cross_entropy(logits, targets)


# Residual networks


class Residual:
    """A residual network for images.

    Args:
        first: (kernel size, stride, channels) of the first convolution.
        pool: whether a max_pool follows.
        stages: (blocks, channels) of each. bottleneck: blocks of three convolutions.
        batch, size, classes: of the images.
    """

    def __init__(self, first, pool, stages, bottleneck, batch, size, classes):
        self.first, self.pool, self.stages = first, pool, stages
        self.bottleneck, self.images = bottleneck, (batch, size, size, 3)
        self.classes = classes

    def _blocks(self):
        """(name, channels in, channels out, stride) of each block."""
        inputs = self.first[2]
        for i, (count, outputs) in enumerate(self.stages):
            for j in range(count):
                yield f"{i}/{j}", inputs, outputs, 2 if i and not j else 1
                inputs = outputs

    def _convolutions(self, name, inputs, outputs, stride):
        """(name, kernel size, channels in, channels out, stride) of a block."""
        if not self.bottleneck:
            return [(f"{name}/a", 3, inputs, outputs, stride),
                    (f"{name}/b", 3, outputs, outputs, 1)]  # fmt: skip
        thin = outputs // 4
        return [(f"{name}/a", 1, inputs, thin, 1), (f"{name}/b", 3, thin, thin, stride),
                (f"{name}/c", 1, thin, outputs, 1)]  # fmt: skip

    def make(self, draw):
        """The weights and a batch."""
        weights = _conv(draw, "first", self.first[0], 3, self.first[2])
        for name, inputs, outputs, stride in self._blocks():
            for part in self._convolutions(name, inputs, outputs, stride):
                weights.update(_conv(draw, *part[:4]))
            if inputs != outputs:
                weights.update(_conv(draw, f"{name}/short", 1, inputs, outputs))
        weights.update(_dense(draw, "logits", outputs, self.classes))
        return weights, [draw(*self.images), draw.below(self.classes, self.images[0])]

    def loss(self, kit, w, x, labels):
        """The loss of a batch."""
        size, stride, _ = self.first
        x = kit.relu(kit.batch_norm(kit.conv(x, w, "first", size, stride), w, "first"))
        x = kit.max_pool(x) if self.pool else x
        for name, inputs, outputs, stride in self._blocks():
            x = self._block(kit, w, x, name, inputs, outputs, stride)
        return kit.cross_entropy(kit.dense(kit.mean(x), w, "logits"), labels)

    def _block(self, kit, w, x, name, inputs, outputs, stride):
        short = x
        if inputs != outputs:
            key = f"{name}/short"
            short = kit.batch_norm(kit.conv(x, w, key, 1, stride), w, key)
        parts = self._convolutions(name, inputs, outputs, stride)
        for key, size, _, _, step in parts:
            x = kit.batch_norm(kit.conv(x, w, key, size, step), w, key)
            x = kit.relu(x if key != parts[-1][0] else x + short)
        return x


def in_sequence(x1, x2, pairs):
    """What blocks of two functions each give, their activations kept."""
    for f, g in pairs:
        x1 = x1 + f(x2)
        x2 = x2 + g(x1)
    return x1, x2


class Reversible:
    """RevNet-38 for images of 32 x 32.

    Args:
        reverses: whether a kit that can do so computes activations again on the way
            back; the others train it as an ordinary network.
    """

    batch, stages = 32, ((3, 32, 1), (3, 64, 2), (3, 112, 2))

    def __init__(self, reverses):
        self.reverses = reverses

    def make(self, draw):
        """The weights and a batch."""
        weights, inputs = _conv(draw, "first", 3, 3, 32), 32
        for i, (count, outputs, _) in enumerate(self.stages):
            for j in range(count):
                for half in "fg":
                    name, first = f"{i}/{j}/{half}", inputs if half == "f" else outputs
                    weights.update(_norm(f"{name}/before", first // 2))
                    weights.update(
                        _conv(draw, f"{name}/a", 3, first // 2, outputs // 2)
                    )
                    kernel = _conv(draw, f"{name}/b", 3, outputs // 2, outputs // 2)
                    weights[f"{name}/b/kernel"] = kernel[f"{name}/b/kernel"]
                inputs = outputs
        weights.update({**_norm("last", inputs), **_dense(draw, "logits", inputs, 10)})
        return weights, [draw(self.batch, 32, 32, 3), draw.below(10, self.batch)]

    def loss(self, kit, w, x, labels):
        """The loss of a batch."""
        x = kit.relu(kit.batch_norm(kit.conv(x, w, "first", 3, 1), w, "first"))
        x1, x2 = kit.halves(x)
        for i, (count, outputs, stride) in enumerate(self.stages):
            y = self._function(kit, w, f"{i}/0/f", stride, x2)
            x1 = self._small(kit, x1, outputs // 2, stride) + y
            y = self._function(kit, w, f"{i}/0/g", 1, x1)
            x2 = self._small(kit, x2, outputs // 2, stride) + y
            pairs = [
                [functools.partial(self._function, kit, w, f"{i}/{j}/{half}", 1)
                 for half in "fg"]
                for j in range(1, count)
            ]  # fmt: skip
            run = self.reverses and getattr(kit, "reversible", None)
            x1, x2 = (run or in_sequence)(x1, x2, pairs)
        x = kit.relu(kit.batch_norm(kit.joined(x1, x2), w, "last"))
        return kit.cross_entropy(kit.dense(kit.mean(x), w, "logits"), labels)

    def _function(self, kit, w, name, stride, x):
        x = kit.relu(kit.batch_norm(x, w, f"{name}/before"))
        x = kit.batch_norm(kit.conv(x, w, f"{name}/a", 3, stride), w, f"{name}/a")
        return kit.conv(kit.relu(x), w, f"{name}/b", 3, 1)

    def _small(self, kit, x, channels, stride):
        return kit.widened(kit.avg_pool(x) if stride > 1 else x, channels)


_RESNET_20 = Residual((3, 1, 16), False, ((3, 16), (3, 32), (3, 64)), False, 64, 32, 10)
_RESNET_50 = Residual((7, 2, 64), True, ((3, 256), (4, 512), (6, 1024), (3, 2048)),
                      True, 4, 112, 1000)  # fmt: skip
_REVNET, _REVERSED = Reversible(False), Reversible(True)
MODELS = {
    "transformer": Model("transformer, 4 layers of 256, 8x128 tokens",
                         _transformer_make, _transformer_loss),
    "lstm": Model("LSTM of 128, 50 unrolled steps, batch 64", _lstm_make, _lstm_loss,
                  recurrent=True),
    "resnet20": Model("ResNet-20, batch 64 of 32x32",
                      _RESNET_20.make, _RESNET_20.loss, 0.01, True),
    "mlp": Model("MLP 784-512-512-10, batch 128", *_mlp((784, 512, 512, 10), 128)),
    "tiny": Model("MLP 8-32-32-4, batch 1", *_mlp((8, 32, 32, 4), 1)),
    "words": Model("word model: LSTM of 200, dynamic_rnn of 35 steps, batch 20",
                   _words_make, _words_loss, 1.0, recurrent=True),
    "revnet": Model("RevNet-38, ordinary, batch 32 of 32x32",
                    _REVNET.make, _REVNET.loss, 0.01, True),
    "resnet50": Model("ResNet-50, batch 4 of 112x112",
                      _RESNET_50.make, _RESNET_50.loss, 1e-6, True),
    "reversible": Model("RevNet-38, reversible (PyTorch: ordinary)",
                        _REVERSED.make, _REVERSED.loss, 0.01, True,
                        frameworks=("twinflow", "torch")),
}  # fmt: skip
ROWS = {f"{name}@{way}": (name, way) for name in MODELS for way in WAYS}


def title(row):
    """What a row is called in the table."""
    name, way = ROWS[row]
    return f"{MODELS[name].title}, {way}"


def problem(name):
    """(weights, batch) of a model, the same for every framework."""
    seed = "revnet" if name == "reversible" else name
    return MODELS[name].make(Draw(list(MODELS).index(seed)))


def variants(row, framework):
    """The variants of a row that a framework has."""
    name, way = ROWS[row]
    model, found = MODELS[name], WAYS[way].get(framework, [])
    if framework not in model.frameworks:
        return []
    found = [v for v in found if model.images or "channels_last" not in v]
    return [v for v in found if model.recurrent or FUSED not in v]

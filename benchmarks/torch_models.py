"""The models in PyTorch, with its own fused functions."""

import numpy as np
import torch
from torch.nn import functional

from benchmarks import models


@torch.compiler.disable  # 2.13 cannot compile it on a CPU
def _lstm_of(*args):
    return torch.lstm(*args)


class Kit:
    """What models are made of; see models. The channels of images are axis 1."""

    relu, reshape = staticmethod(torch.relu), staticmethod(torch.reshape)

    @staticmethod
    def lookup(table, ids):
        return functional.embedding(ids, table)

    def split(self, x, parts):
        return x.chunk(parts, -1)

    def halves(self, x):
        return x.chunk(2, 1)

    def joined(self, x, y):
        return torch.cat([x, y], 1)

    def dense(self, x, w, name):
        return functional.linear(x, w[f"{name}/kernel"], w[f"{name}/bias"])

    def cross_entropy(self, logits, labels):
        return functional.cross_entropy(logits, labels)

    def layer_norm(self, x, w, name):
        weights = w[f"{name}/scale"], w[f"{name}/offset"]
        return functional.layer_norm(x, x.shape[-1:], *weights, 1e-6)

    def swap(self, x):
        return x.transpose(1, 2)

    def attention(self, q, k, v):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    def lstm(self, x, w, name, unrolled):
        inside, recurrent = w[f"{name}/kernel"], w[f"{name}/recurrent"]
        zeros = x.new_zeros(1, len(x), recurrent.shape[1])
        weights = [inside, recurrent, w[f"{name}/bias"], x.new_zeros(len(inside))]
        state = zeros, zeros
        return _lstm_of(x, state, weights, True, 1, 0.0, True, False, True)[0]

    def last(self, outputs):
        return outputs[:, -1]

    def conv(self, x, w, name, size, stride):
        return functional.conv2d(
            x, w[f"{name}/kernel"], stride=stride, padding=size // 2
        )

    def batch_norm(self, x, w, name):
        weights = w[f"{name}/scale"], w[f"{name}/offset"]
        return functional.batch_norm(x, None, None, *weights, training=True, eps=1e-3)

    def max_pool(self, x):
        return functional.max_pool2d(x, 3, 2, 1)

    def avg_pool(self, x):
        return functional.avg_pool2d(x, 2)

    def mean(self, x):
        return x.mean((2, 3))

    def widened(self, x, channels):
        more = channels - x.shape[1]
        sides = [0, 0, 0, 0, more // 2, more - more // 2]
        return functional.pad(x, sides) if more else x


def _prepared(weights, layout):
    """{name: parameter} in PyTorch's layouts."""
    found = {}
    for key, value in weights.items():
        if key == "lstm/kernel":
            found[key], found["lstm/recurrent"] = _lstm(value)
        elif key == "lstm/bias":
            i, j, f, o = np.split(value, 4)
            found[key] = np.concatenate([i, f + 1, j, o])
        elif key.endswith("kernel"):
            found[key] = value.transpose((1, 0) if value.ndim == 2 else (3, 2, 0, 1))
        else:
            found[key] = value
    tensors = {key: torch.tensor(np.ascontiguousarray(v)) for key, v in found.items()}
    return {
        key: (t.contiguous(memory_format=layout) if t.ndim == 4 else t).requires_grad_()
        for key, t in tensors.items()
    }


def _lstm(kernel):
    """The kernels of the inputs and of the state, with their gates as i, f, g, o."""
    i, j, f, o = np.split(kernel, 4, axis=1)
    ordered = np.concatenate([i, f, j, o], 1).T
    inputs = len(kernel) - kernel.shape[1] // 4
    return ordered[:, :inputs], ordered[:, inputs:]


def start(name, way, variant):
    """A function that does a step and returns its loss."""
    torch.set_default_device("cuda" if models.on_gpu() else "cpu")
    last, model = "channels_last" in variant, models.MODELS[name]
    layout = torch.channels_last if last else torch.contiguous_format
    arrays, batch = models.problem(name)
    weights, batch = _prepared(arrays, layout), [torch.tensor(a) for a in batch]
    if model.images:
        batch[0] = batch[0].permute(0, 3, 1, 2).contiguous(memory_format=layout)
    parameters, kit = list(weights.values()), Kit()

    def forward(*batch):
        return model.loss(kit, weights, *batch)

    if way == "function":
        forward = torch.compile(forward)

    def step():
        loss = forward(*batch)
        loss.backward()
        with torch.no_grad():
            slopes = [parameter.grad for parameter in parameters]
            torch._foreach_add_(parameters, slopes, alpha=-model.rate)
        for parameter in parameters:
            parameter.grad = None
        return loss.item()

    return step

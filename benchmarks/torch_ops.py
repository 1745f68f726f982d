"""The ops at size in PyTorch, eager. Where it has several ways, the fastest counts."""

import functools

import numpy as np
import torch
from torch.nn import functional

from benchmarks import ops
from benchmarks.case import Case

POLYNOMIAL = "a + 0.044715 * torch.pow(a, 3)"
OPERATIONS = {
    "add": ["a + b"],
    "affine": ["a * b + c"],
    "tanh": ["torch.tanh(a)"],
    "exp": ["torch.exp(a)"],
    "sigmoid": ["torch.sigmoid(a)"],
    "relu": ["torch.relu(a)"],
    "gelu": ["functional.gelu(a, approximate='tanh')",
             f"0.5 * a * (1 + torch.tanh(0.7978845608 * ({POLYNOMIAL})))"],
    "sum": ["torch.sum(a)"],
    "sum_0": ["torch.sum(a, 0)"],
    "sum_1": ["torch.sum(a, 1)"],
    "max": ["torch.max(a)", "torch.amax(a)"],
    "argmax": ["torch.argmax(a, 1)"],
    "softmax": ["torch.softmax(a, 1)"],
    "sparse_xent": ["functional.cross_entropy(a, b, reduction='none')"],
    "matmul": ["a @ b"],
    "tensordot": ["a @ b", "torch.tensordot(a, b, 1)"],
    "attention": ["a @ b.transpose(-1, -2)"],
    "transpose": ["a.t().reshape(-1)"],
    "transpose_0213": ["a.permute(0, 2, 1, 3).reshape(-1)"],
    "concat": ["torch.cat([a, b], 1)"],
    "gather": ["a[b]", "torch.index_select(a, 0, b)", "functional.embedding(b, a)",
               "functional.embedding(b, a, sparse=True)"],
    "one_hot": ["functional.one_hot(a, b).float()",
                "torch.zeros(len(a), b).scatter_(1, a[:, None], 1.0)"],
    "conv": ["functional.conv2d(a, b, padding=1)"],
    "conv_1x1": ["functional.conv2d(a, b)"],
    "conv_stride": ["functional.conv2d(a, b, stride=2)"],
    "depthwise": ["functional.conv2d(a, b, padding=1, groups=len(b))"],
    "max_pool": ["functional.max_pool2d(a, 2)"],
    "avg_pool": ["functional.avg_pool2d(a, 2)"],
    "batch_norm":
        ["functional.batch_norm(a, None, None, b, c, training=True, eps=1e-3)"],
    "layer_norm": ["functional.layer_norm(a, (len(b),), b, c, 1e-6)"],
    "sort": ["torch.sort(a)[0]"],
    "top_k": ["torch.topk(a, 100)[0]"],
    "cumsum": ["torch.cumsum(a, 0)"],
    "random_normal": ["torch.randn(a)"],
    "random_uniform": ["torch.rand(a)"],
    "where": ["torch.where(a, b, c)"],
    "cast": ["a.double()"],
    "segment_sum": ["torch.zeros(c, a.shape[1]).index_add_(0, b, a)",
                    "torch.zeros(c, a.shape[1]).index_add(0, b, a)"],
    "pad": ["functional.pad(a, (1, 1, 1, 1))"],
    "svd": ["torch.linalg.svd(a)"],
    "matrix_solve": ["torch.linalg.solve(a, b)"],
    "cholesky": ["torch.linalg.cholesky(a)"],
    "fft": ["torch.fft.fft(a)"],
}  # fmt: skip
LAYOUTS = {
    "NCHW": torch.contiguous_format,
    "channels_last": torch.channels_last,
}
ON_IMAGES = [name for name, op in ops.OPS.items() if op.shapes is ops.IMAGES]
KERNELS = {"conv": (3, 2, 0, 1), "conv_1x1": (3, 2, 0, 1),
           "conv_stride": (3, 2, 0, 1), "depthwise": (2, 3, 0, 1)}  # fmt: skip
TO_IMAGES = (0, 3, 1, 2)


def _order(name, letter):
    """How PyTorch orders the axes of an input, if not as TensorFlow does."""
    if name not in ON_IMAGES or letter not in "ab"[: 1 + (name in KERNELS)]:
        return None
    return TO_IMAGES if letter == "a" else KERNELS[name]


def _input(name, letter, value, layout):
    if isinstance(value, int):
        return value
    order = _order(name, letter)
    if order is None:
        return torch.tensor(value)
    moved = torch.tensor(np.ascontiguousarray(value.transpose(order)))
    return moved.contiguous(memory_format=layout)


def _as_tensorflow(tensor, order):
    """A NumPy array with its axes as TensorFlow has them."""
    if tensor.is_sparse:
        tensor = tensor.to_dense()
    array = tensor.detach().numpy()
    return array if order is None else array.transpose(np.argsort(order))


def _results(name, found):
    """The results in TensorFlow's order, as tensors."""
    if name != "svd":
        return [found]
    left, values, right = found
    return [values, left, right.mT]


def _case(name, size, slopes, text, layout):
    op = ops.OPS[name]
    names = {"torch": torch, "functional": functional}
    for letter, value in op.inputs(size).items():
        names[letter] = _input(name, letter, value, layout)
    if slopes:
        return _slopes(name, names, text)
    order = _order(name, "a")

    def host(found):
        arrays = [_as_tensorflow(part, order) for part in _results(name, found)]
        return np.concatenate([ops.digest(array, op) for array in arrays])

    return Case(text, names, whole=host)


def _slopes(name, names, text):
    """From the inputs to their gradients."""
    op = ops.OPS[name]
    sources = [names[letter].requires_grad_() for letter in op.slopes]
    forward = eval(f"lambda: {text}", names)
    order = _order(name, "a")
    upstream = []
    for result in _results(name, forward()):
        array = op.upstream(_as_tensorflow(result, order))
        moved = array if order is None else np.ascontiguousarray(array.transpose(order))
        empty = torch.empty_like(result.detach())  # has the layout
        upstream.append(empty.copy_(torch.tensor(moved)))

    def slopes():
        return torch.autograd.grad(_results(name, forward()), sources, upstream)

    def host(found):
        orders = [_order(name, letter) for letter in op.slopes]
        arrays = [_as_tensorflow(*pair) for pair in zip(found, orders)]
        return np.concatenate([ops.digest(array, op) for array in arrays])

    return Case("slopes()", {"slopes": slopes}, whole=host)


def _variants(name, size, slopes):
    layouts = LAYOUTS if name in ON_IMAGES else {"": torch.contiguous_format}
    return {
        f"{text} {layout}".strip(): functools.partial(
            _case, name, size, slopes, text, memory
        )
        for text in OPERATIONS[name]
        for layout, memory in layouts.items()
    }


def cases():
    """{row: {variant: a function that makes its Case}}."""
    return {row: _variants(*what) for row, what in ops.ROWS.items()}

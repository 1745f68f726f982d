"""PyTorch's cases: eager. Where it has several ways, each is a variant of the row."""

import numpy as np
import torch
from torch.nn import functional

from benchmarks import problem, torch_images, torch_models, torch_ops
from benchmarks.case import Case

RATE = problem.LEARNING_RATE
VERSION = torch.__version__
start_model = torch_models.start
OPERATIONS = {
    "add": "a + b",
    "matmul": "a @ b",
    "tanh": "a.tanh()",
    "add_number": "a + 1.0",
    "sum": "torch.sum(a)",
}


def _host(result):
    return result.detach().numpy() if isinstance(result, torch.Tensor) else result


def _operation(expression, taped):
    def make():
        a, b = (torch.tensor(m, requires_grad=taped) for m in problem.matrices())
        return Case(expression, {"torch": torch, "a": a, "b": b}, host=_host)

    return make


def _affine():
    x, w, b = map(torch.tensor, problem.affine())
    return x, w.requires_grad_(), b.requires_grad_()


def _tape_backward():
    x, w, b = _affine()

    def slopes():
        w.grad = b.grad = None
        torch.tanh(x @ w + b).sum().backward()
        return w.grad, b.grad

    return Case("slopes()", {"slopes": slopes}, host=_host)


def _tape_grad():
    x, w, b = _affine()

    def slopes():
        return torch.autograd.grad(torch.tanh(x @ w + b).sum(), (w, b))

    return Case("slopes()", {"slopes": slopes}, host=_host)


def _by_hand(weights):
    def update():
        with torch.no_grad():
            for weight in weights:
                weight.sub_(weight.grad, alpha=RATE)
                weight.grad = None

    return update


def _foreach(weights):
    def update():
        with torch.no_grad():
            slopes = [weight.grad for weight in weights]
            torch._foreach_add_(weights, slopes, alpha=-RATE)
        for weight in weights:
            weight.grad = None

    return update


def _optimizer(weights):
    optimizer = torch.optim.SGD(weights, lr=RATE)

    def update():
        optimizer.step()
        optimizer.zero_grad()

    return update


def _parameters(weights):
    """Weights in PyTorch's layouts: dense [out, in], convolutions [out, in, h, w]."""
    orders = {1: (0,), 2: (1, 0), 4: (3, 2, 0, 1)}
    moved = [np.ascontiguousarray(w.transpose(orders[w.ndim])) for w in weights]
    return [torch.tensor(w, requires_grad=True) for w in moved]


def _mlp_logits(x, w1, b1, w2, b2):
    x = functional.relu(functional.linear(x, w1, b1))
    return functional.linear(x, w2, b2)


def _cnn_logits(x, k1, b1, k2, b2, w3, b3, w4, b4):
    x = functional.relu(functional.conv2d(x, k1, b1, padding=1))
    x = functional.max_pool2d(x, 2)
    x = functional.relu(functional.conv2d(x, k2, b2, padding=1))
    x = functional.max_pool2d(x, 2).permute(0, 2, 3, 1).reshape(-1, 128)
    x = functional.relu(functional.linear(x, w3, b3))
    return functional.linear(x, w4, b4)


def _step(logits, weights, make_update):
    weights = _parameters(weights)
    update = make_update(weights)

    def step(x, y):
        loss = functional.cross_entropy(logits(x, *weights), y)
        loss.backward()
        update()
        return loss

    return step


def _mlp(make_update):
    def make():
        weights, x, y = problem.mlp()
        names = {"step": _step(_mlp_logits, weights, make_update)}
        names.update(x=torch.tensor(x), y=torch.tensor(y))
        return Case("step(x, y).item()", names, warm_up=0.2)

    return make


def first_step(weights, images, labels):
    """The loss of the first step of the convolutional network, eager."""
    x = torch.tensor(images).permute(0, 3, 1, 2)
    step = _step(_cnn_logits, weights, _by_hand)
    return step(x, torch.tensor(labels)).item()


CASES = {row: {text: _operation(text, False)} for row, text in OPERATIONS.items()}
for _row, _text in OPERATIONS.items():
    CASES["tape_" + _row] = {_text: _operation(_text, True)}
CASES["tape_gradient"] = {"backward()": _tape_backward, "autograd.grad": _tape_grad}
CASES["mlp_eager"] = {
    "update by hand": _mlp(_by_hand),
    "_foreach_add_": _mlp(_foreach),
    "optim.SGD": _mlp(_optimizer),
}
CASES.update({**torch_images.cases(), **torch_ops.cases()})

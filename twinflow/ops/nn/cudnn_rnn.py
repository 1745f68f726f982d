"""Recurrent networks of several layers as one op, and its gradient; on the host.

The gradient runs the network again. What is dropped between the layers (scaled so that
the mean stays) comes from the reserve space that the op gave beside its results.
"""

import itertools
from typing import Any

import numpy as np
from scipy.special import expit

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import ranked, same_dim
from twinflow.ops.nn.rnn_parameters import Form, form_of, parts_of

_draws = itertools.count()


# ---------------------------------------------------------------------- the cells
# Each takes the parts of the gates that come from the input and from the state, and
# gives the new h and c, and a function from (dh, dc) to the gradients of the two parts,
# of the old h (where it goes around the matrices) and of the old c.
def _lstm(x, s, h, c):
    i, f, g, o = np.split(x + s, 4, -1)
    i, f, g, o = expit(i), expit(f), np.tanh(g), expit(o)
    new = f * c + i * g
    t = np.tanh(new)

    def back(dh, dc):
        dc = dc + dh * o * (1 - t * t)
        parts = dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g)
        d = np.concatenate([*parts, dh * t * o * (1 - o)], -1)
        return d, d, 0, dc * f

    return o * t, new, back


def _gru(x, s, h, c):
    (x_r, x_u, x_c), (s_r, s_u, s_c) = np.split(x, 3, -1), np.split(s, 3, -1)
    r, u = expit(x_r + s_r), expit(x_u + s_u)
    g = np.tanh(x_c + r * s_c)

    def back(dh, dc):
        d_c = dh * (1 - u) * (1 - g * g)
        d_r, d_u = d_c * s_c * r * (1 - r), dh * (h - g) * u * (1 - u)
        from_x = np.concatenate([d_r, d_u, d_c], -1)
        return from_x, np.concatenate([d_r, d_u, d_c * r], -1), dh * u, dc

    return (1 - u) * g + u * h, c, back


def _relu(x, s, h, c):
    y = np.maximum(x + s, 0)
    return y, c, lambda dh, dc: (dh * (y > 0), dh * (y > 0), 0, dc)


def _tanh(x, s, h, c):
    y = np.tanh(x + s)
    return y, c, lambda dh, dc: (dh * (1 - y * y), dh * (1 - y * y), 0, dc)


_CELLS = {"lstm": _lstm, "gru": _gru, "rnn_relu": _relu, "rnn_tanh": _tanh}


class _Side:
    """One direction of one layer.

    Args:
        cell: see above. wholes: the matrices and biases, each of all gates.
    """

    def __init__(self, cell: Any, wholes: list) -> None:
        self.cell, (self.w, self.r, self.b, self.c) = cell, wholes

    def run(self, x: Any, h: Any, c: Any) -> Any:
        """(outputs, last h, last c); what the way back needs is kept."""
        self.x, self.steps, outputs = x, [], []
        for row in x @ self.w.T + self.b:
            old = h
            h, c, back = self.cell(row, h @ self.r.T + self.c, h, c)
            self.steps.append((old, back))
            outputs.append(h)
        return np.stack(outputs), h, c

    def back(self, dy: Any, dh: Any, dc: Any) -> tuple:
        """(dx, dh, dc, [gradients of the matrices and biases])"""
        slopes, d_r, d_c = [], np.zeros_like(self.r), np.zeros_like(self.c)
        for (old, back), dy_t in zip(self.steps[::-1], dy[::-1], strict=True):
            from_x, from_h, around, dc = back(dy_t + dh, dc)
            d_r += from_h.T @ old
            d_c += from_h.sum(0)
            dh = around + from_h @ self.r
            slopes.append(from_x)
        d = np.stack(slopes[::-1])
        flat = d.reshape(-1, d.shape[-1])
        d_w = flat.T @ self.x.reshape(len(flat), -1)
        return d @ self.w, dh, dc, [d_w, d_r, flat.sum(0), d_c]


class _Network:
    """The layers of a Form with their parameters."""

    def __init__(self, form: Form, params: Any) -> None:
        self.form, n = form, form.gates
        parts = parts_of(form, params)
        middle, self.sides = len(parts) // 2, []
        for k in range(form.num_layers * form.num_dirs):
            at = 2 * n * k
            groups = [
                parts[start + at + half : start + at + half + n]
                for start in (0, middle)
                for half in (0, n)
            ]
            wholes = [np.concatenate(g) for g in groups]
            self.sides.append(_Side(_CELLS[form.rnn_mode], wholes))

    def run(self, x: Any, h: Any, c: Any, masks: list) -> tuple:
        """(outputs, last h, last c)"""
        last_h, last_c, dirs = [], [], self.form.num_dirs
        for layer in range(self.form.num_layers):
            x = x * masks[layer - 1] if layer and masks else x
            found = []
            for k in range(layer * dirs, (layer + 1) * dirs):
                turn = -1 if k % dirs else 1
                y, h_k, c_k = self.sides[k].run(x[::turn], h[k], c[k])
                found.append(y[::turn])
                last_h.append(h_k)
                last_c.append(c_k)
            x = np.concatenate(found, -1)
        return x, np.stack(last_h), np.stack(last_c)

    def back(self, dy: Any, dh: Any, dc: Any, masks: list) -> tuple:
        """The gradients of (input, h, c, params), after a run."""
        form, dirs = self.form, self.form.num_dirs
        d_h, d_c, slopes = list(dh), list(dc), [None] * len(self.sides)
        for layer in reversed(range(form.num_layers)):
            parts = np.split(dy, dirs, -1)
            dy = 0
            for k in range(layer * dirs, (layer + 1) * dirs):
                turn, part = (-1 if k % dirs else 1), parts[k % dirs]
                found = self.sides[k].back(part[::turn], d_h[k], d_c[k])
                dy = dy + found[0][::turn]
                d_h[k], d_c[k], slopes[k] = found[1:]
            dy = dy * masks[layer - 1] if layer and masks else dy
        return dy, np.stack(d_h), np.stack(d_c), self._joined(slopes)

    def _joined(self, slopes: list) -> Any:
        """The vector of the gradients: all matrices first."""
        halves = [s[half : half + 2] for half in (0, 2) for s in slopes]
        return np.concatenate([p.ravel() for half in halves for p in half])


# ---------------------------------------------------------------------- the ops
def _network(input, input_h, params, attrs):
    layers = len(input_h) // (1 + (attrs["direction"] == "bidirectional"))
    form = form_of(layers, input_h.shape[-1], input.shape[-1], **attrs)
    if params.size != form.size():
        raise invalid(f"params must have {form.size()} numbers, not {params.size}")
    return _Network(form, params)


def _masks(network, input, reserve):
    """What inputs between layers are multiplied by, from the reserve space."""
    if not reserve.size:
        return []
    form = network.form
    shape = (*input.shape[:2], form.num_units * form.num_dirs)
    return list(reserve.reshape(form.num_layers - 1, *shape))


def _reserve(network, input, dropout, seed, seed2, is_training):
    form = network.form
    count = (form.num_layers - 1) * form.num_units * form.num_dirs
    if not (is_training and dropout and count):
        return np.zeros(0, input.dtype)
    drawn = np.random.default_rng(
        [seed, seed2, next(_draws)] if seed or seed2 else None
    )
    kept = drawn.random(count * input.shape[0] * input.shape[1]) >= dropout
    return kept.astype(input.dtype) / input.dtype.type(1 - dropout)


def _state(input_c, input_h):
    """c, where the mode has one."""
    return input_c if np.size(input_c) else np.zeros_like(input_h)


def _run(input, input_h, input_c, params, dropout, seed, seed2, is_training, **attrs):
    network = _network(input, input_h, params, attrs)
    reserve = _reserve(network, input, dropout, seed, seed2, is_training)
    masks = _masks(network, input, reserve)
    y, h, c = network.run(input, input_h, _state(input_c, input_h), masks)
    return y, h, c if np.size(input_c) else np.zeros(0, y.dtype), reserve


def _run_back(
    input, input_h, input_c, params, output, output_h, output_c, output_backprop,
    output_h_backprop, output_c_backprop, reserve_space, *_, dropout, seed, seed2,
    **attrs,
):  # fmt: skip
    network = _network(input, input_h, params, attrs)
    masks = _masks(network, input, reserve_space)
    c = _state(input_c, input_h)
    network.run(input, input_h, c, masks)
    d_c = output_c_backprop if np.size(output_c_backprop) else np.zeros_like(c)
    dx, dh, dc, d_params = network.back(output_backprop, output_h_backprop, d_c, masks)
    return dx, dh, dc if np.size(input_c) else np.zeros_like(input_c), d_params


def _infer(input, input_h, input_c, params, direction, rnn_mode, **_):
    s, h = ranked(input._shape, 3), ranked(input_h._shape, 3)
    ranked(params._shape, 1)
    dirs = 1 + (direction == "bidirectional")
    batch = same_dim(s[1], h[1])
    width = None if h[2] is None else h[2] * dirs
    state = (h[0], batch, h[2])
    return [(s[0], batch, width), state, state if rnn_mode == "lstm" else (0,), None]


def _infer_back(input, input_h, input_c, params, *_, **__):
    return [t._shape for t in (input, input_h, input_c, params)]


def _rule(
    d_output, d_output_h, d_output_c, input, input_h, input_c, params, output,
    output_h, output_c, reserve_space, rnn_mode, input_mode, direction, dropout, seed,
    seed2,
):  # fmt: skip
    attrs = {
        "rnn_mode": rnn_mode, "input_mode": input_mode, "direction": direction,
        "dropout": dropout, "seed": seed, "seed2": seed2,
    }  # fmt: skip
    results = output, output_h, output_c
    slopes = d_output, d_output_h, d_output_c
    dys = [
        zeros_like(y) if d is None else d for d, y in zip(slopes, results, strict=True)
    ]
    inputs = (input, input_h, input_c, params, *results, *dys, reserve_space)
    return list(apply(CudnnRNNBackprop, inputs, attrs))


def _both(kind, kernel, infer, more):
    """An op, and its second version, with int8 values of cuDNN that are empty here."""
    for version in ("", "V2"):
        outputs, rule = (more, _rule) if kind == "CudnnRNN" else ((), None)
        extra = outputs if version else ()
        yield define(
            kind + version,
            infer=lambda *args, extra=extra, **attrs: [
                *infer(*args, **attrs), *((0,) for _ in extra)
            ],
            host=lambda *args, extra=extra, **attrs: (*kernel(*args, **attrs), *extra),
            stateful=True,
            grad=rule,
            none_ok=True,
        )  # fmt: skip


_NOTHING = (np.zeros(0, np.int8),)
CudnnRNN, CudnnRNNV2 = _both("CudnnRNN", _run, _infer, _NOTHING)
CudnnRNNBackprop, CudnnRNNBackpropV2 = _both(
    "CudnnRNNBackprop", _run_back, _infer_back, ()
)

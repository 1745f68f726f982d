"""Cells with long short-term memory as one op: a step, or a whole sequence.

The columns of w and b are those of i, ci, f, o:

    i, f = sigmoid(. + wci c), sigmoid(. + forget_bias + wcf c), ci = tanh(.)
    c' = clip(i ci + f c), o = sigmoid(. + wco c'), co = tanh(c'), h = o co

As in TensorFlow, the gradient takes no notice of the clipping, nor of gradients of
other outputs than cs and h.
"""

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.dtypes import float16, float32, float64
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import ranked
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape

TYPES = frozenset((float16, float32, float64))


def logistic(xp, x):
    """1 / (1 + exp(-x))"""
    return xp.reciprocal(xp.exp(-x) + x.dtype.type(1))


def once_only(op_type):
    """The gradient rule of a gradient that cannot be differentiated again."""

    def refuse():
        raise LookupError(f"No gradient defined for operation (op type: {op_type})")

    return refuse


def _step(xp, x, c, h, weights, forget_bias, cell_clip, use_peephole):
    """(i, cs, f, o, ci, co, h) of a step."""
    w, wci, wcf, wco, b = weights
    z = xp.matmul(xp.concatenate([x, h], 1), w) + b
    i, ci, f, o = xp.split(z, 4, 1)
    f = f + x.dtype.type(forget_bias)
    if use_peephole:
        i, f = i + wci * c, f + wcf * c
    i, f, ci = logistic(xp, i), logistic(xp, f), xp.tanh(ci)
    cs = i * ci + f * c
    if cell_clip > 0:
        limit = x.dtype.type(cell_clip)
        cs = xp.clip(cs, -limit, limit)
    o = logistic(xp, o + wco * cs if use_peephole else o)
    co = xp.tanh(cs)
    return i, cs, f, o, ci, co, o * co


def _step_back(c, weights, gates, d_c, d_h, use_peephole):
    """(gradient of c, those of i, ci, f and o before their functions)"""
    _, wci, wcf, wco, _ = weights
    i, _, f, o, ci, co, *_ = gates
    d_o = o * (1 - o) * d_h * co
    d_cs = (1 - co * co) * d_h * o + d_c
    if use_peephole:
        d_cs = d_cs + d_o * wco
    d_ci = (1 - ci * ci) * d_cs * i
    d_f = f * (1 - f) * d_cs * c
    d_i = i * (1 - i) * d_cs * ci
    back = d_cs * f
    if use_peephole:
        back = back + d_i * wci + d_f * wcf
    return back, d_i, d_ci, d_f, d_o


def _peep_sums(xp, c, cs, d_i, d_f, d_o, like, use_peephole):
    if not use_peephole:
        return [xp.zeros_like(like)] * 3
    axes = tuple(range(c.ndim - 1))
    return [(d_i * c).sum(axes), (d_f * c).sum(axes), (d_o * cs).sum(axes)]


# ------------------------------------------------------------------ one step
def _infer_cell(x, cs_prev, h_prev, w, wci, wcf, wco, b, **_):
    batch, _ = ranked(x._shape, 2)
    rows, units = ranked(cs_prev._shape, 2)
    return [(batch if rows is None else rows, units)] * 7


def _infer_cell_grad(x, cs_prev, *_, **__):
    batch, units = ranked(cs_prev._shape, 2)
    four = None if units is None else 4 * units
    return [(batch, units), (batch, four), (units,), (units,), (units,)]


@bind_first
def _cell_kernel(xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, **attrs):
    return list(_step(xp, x, cs_prev, h_prev, (w, wci, wcf, wco, b), **attrs))


@bind_first
def _cell_grad_kernel(
    xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad,
    use_peephole,
):  # fmt: skip
    weights, gates = (w, wci, wcf, wco, b), (i, cs, f, o, ci, co)
    back, d_i, d_ci, d_f, d_o = _step_back(
        cs_prev, weights, gates, cs_grad, h_grad, use_peephole
    )
    z = xp.concatenate([d_i, d_ci, d_f, d_o], 1)
    sums = _peep_sums(xp, cs_prev, cs, d_i, d_f, d_o, wci, use_peephole)
    return [back, z, *sums]


LSTMBlockCellGrad = define(
    "LSTMBlockCellGrad",
    infer=_infer_cell_grad,
    kernel=quiet(_cell_grad_kernel),
    types=TYPES,
    grad=once_only("LSTMBlockCellGrad"),
    none_ok=True,
)


def _or_zeros(d, like):
    return zeros_like(like) if d is None else d


def parted(both, *like):
    """The columns of each of `like`, which stand side by side."""
    known = [None if t._shape is None else t._shape[1] for t in like]
    sizes = [shape(t)[1] if n is None else n for n, t in zip(known, like, strict=True)]
    return split(both, sizes, 1, num=len(like))


def _cell_grad(
    x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, d_cs, d_h,
    use_peephole,
):  # fmt: skip
    inputs = (x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co)
    d_cs, d_h = _or_zeros(d_cs, cs), _or_zeros(d_h, cs)
    attrs = {"use_peephole": use_peephole}
    back, z, *peeps = apply(LSTMBlockCellGrad, (*inputs, d_cs, d_h), attrs)
    d_x, d_prev = parted(matmul(z, w, transpose_b=True), x, h_prev)
    d_w = matmul(concat([x, h_prev], 1), z, transpose_a=True)
    return d_x, back, d_prev, d_w, *peeps, reduce_sum(z, [0])


LSTMBlockCell = define(
    "LSTMBlockCell",
    infer=_infer_cell,
    kernel=quiet(_cell_kernel),
    types=TYPES,
    grad=_cell_grad,
    none_ok=True,
)


# ------------------------------------------------------------------ a sequence
def _infer_block(seq_len_max, x, cs_prev, *_, **__):
    ranked(seq_len_max._shape, 0, "seq_len_max must be a scalar, got shape {}")
    time, batch, _ = ranked(x._shape, 3, "x must be 3D")
    rows, units = ranked(cs_prev._shape, 2)
    return [(time, batch if rows is None else rows, units)] * 7


def _infer_block_grad(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, *_, **__):
    ranked(seq_len_max._shape, 0, "seq_len_max must be a scalar, got shape {}")
    return [t._shape for t in (x, cs_prev, h_prev, w, wci, wcf, wco, b)]


def _block_kernel(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, **attrs):
    weights = (w, wci, wcf, wco, b)
    found = [np.zeros((len(x), *cs_prev.shape), x.dtype) for _ in range(7)]
    c, h = cs_prev, h_prev
    for t in range(min(int(seq_len_max), len(x))):
        step = _step(np, x[t], c, h, weights, **attrs)
        for rows, row in zip(found, step, strict=True):
            rows[t] = row
        c, h = step[1], step[-1]
    return found


@bind_first
def _block_in_xla(jax, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, **attrs):
    jnp, weights = jax.numpy, (w, wci, wcf, wco, b)

    def once(before, row):
        t, inputs = row
        step = _step(jnp, inputs, *before, weights, **attrs)
        inside = t < seq_len_max
        step = [jnp.where(inside, s, jnp.zeros_like(s)) for s in step]
        return (step[1], step[-1]), step

    rows = (jnp.arange(x.shape[0]), x)
    return list(jax.lax.scan(once, (cs_prev, h_prev), rows)[1])


def _all_back(xp, x, cs_prev, h_prev, w, steps, z, back, d_h, gates, peephole):
    """The gradients of all inputs from those of the steps before the functions."""
    d_i, _, d_f, d_o = z
    flat = xp.concatenate(z, 2)
    n, width = x.shape[2], flat.shape[2]
    cs, h = gates[1], gates[6]
    before = xp.concatenate([cs_prev[None], cs[:-1]], 0)
    last = xp.concatenate([h_prev[None], h[:-1]], 0)
    inputs = xp.concatenate([x, last], 2)
    d_w = xp.matmul(inputs.reshape(-1, inputs.shape[2]).T, flat.reshape(-1, width))
    peeps = _peep_sums(xp, before, cs, d_i, d_f, d_o, steps, peephole)
    d_x = xp.matmul(flat, w[:n].T)
    return [d_x, back, d_h, d_w, *peeps, flat.sum((0, 1))]


def _block_grad_kernel(
    seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
    cs_grad, h_grad, use_peephole,
):  # fmt: skip
    weights, gates = (w, wci, wcf, wco, b), (i, cs, f, o, ci, co, h)
    z = [np.zeros_like(cs) for _ in range(4)]
    back, d_h = np.zeros_like(cs_prev), np.zeros_like(h_prev)
    recurrent = w[x.shape[2] :].T
    for t in range(min(int(seq_len_max), len(x)) - 1, -1, -1):
        back, *step = _step_back(
            cs[t - 1] if t else cs_prev, weights, [g[t] for g in gates],
            cs_grad[t] + back, h_grad[t] + d_h, use_peephole,
        )  # fmt: skip
        for rows, row in zip(z, step, strict=True):
            rows[t] = row
        d_h = np.matmul(np.concatenate(step, 1), recurrent)
    return _all_back(np, x, cs_prev, h_prev, w, wci, z, back, d_h, gates, use_peephole)


@bind_first
def _block_grad_in_xla(
    jax, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
    cs_grad, h_grad, use_peephole,
):  # fmt: skip
    jnp, weights = jax.numpy, (w, wci, wcf, wco, b)
    gates, recurrent = (i, cs, f, o, ci, co, h), w[x.shape[2] :].T

    def once(after, row):
        t, before, saved, d_cs, d_h = row
        inside = t < seq_len_max
        found = _step_back(
            before, weights, saved, d_cs + after[0], d_h + after[1], use_peephole
        )
        back, *z = [jnp.where(inside, s, jnp.zeros_like(s)) for s in found]
        return (back, jnp.matmul(jnp.concatenate(z, 1), recurrent)), z

    before = jnp.concatenate([cs_prev[None], cs[:-1]], 0)
    rows = (jnp.arange(x.shape[0]), before, gates, cs_grad, h_grad)
    zeros = (jnp.zeros_like(cs_prev), jnp.zeros_like(h_prev))
    (back, d_h), z = jax.lax.scan(once, zeros, rows, reverse=True)
    return _all_back(jnp, x, cs_prev, h_prev, w, wci, z, back, d_h, gates, use_peephole)


BlockLSTMGrad = define(
    "BlockLSTMGrad",
    infer=_infer_block_grad,
    kernel=quiet(lambda xp: _block_grad_kernel),
    lower=_block_grad_in_xla,
    types=TYPES,
    grad=once_only("BlockLSTMGrad"),
    none_ok=True,
)


def _block_grad(
    seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, d_cs,
    d_h, use_peephole,
):  # fmt: skip
    inputs = (
        seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
    )  # fmt: skip
    d_cs, d_h = _or_zeros(d_cs, cs), _or_zeros(d_h, cs)
    attrs = {"use_peephole": use_peephole}
    return (None, *apply(BlockLSTMGrad, (*inputs, d_cs, d_h), attrs))


BlockLSTM = define(
    "BlockLSTM",
    infer=_infer_block,
    kernel=quiet(lambda xp: _block_kernel),
    lower=_block_in_xla,
    types=TYPES,
    grad=_block_grad,
    none_ok=True,
)

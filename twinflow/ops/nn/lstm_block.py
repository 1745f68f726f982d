"""Cells with long short-term memory as one op: a step, or a whole sequence.

The columns of w and b are those of i, ci, f, o:

    i, f = sigmoid(. + wci c), sigmoid(. + forget_bias + wcf c), ci = tanh(.)
    c' = clip(i ci + f c), o = sigmoid(. + wco c'), co = tanh(c'), h = o co

As in TensorFlow, the gradient takes no notice of the clipping, nor of gradients of
other outputs than cs and h.
"""

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.dtypes import float16, float32, float64
from twinflow.base.movement import reshaped
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.base.products import PRODUCTS
from twinflow.base.reductions import add_reduce
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import ranked, size_is
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.nn.lstm_step import step, step_back, stepped, stepped_back
from twinflow.ops.nn.lstm_walk import walked, walked_back

TYPES = frozenset((float16, float32, float64))


def once_only(op_type):
    """The gradient rule of a gradient that cannot be differentiated again."""

    def refuse():
        raise LookupError(f"No gradient defined for operation (op type: {op_type})")

    return refuse


def _peeps(weights, use_peephole):
    return weights[1:4] if use_peephole else None


def _step(xp, x, c, h, weights, forget_bias, cell_clip, use_peephole):
    """(i, cs, f, o, ci, co, h) of a step."""
    z = xp.matmul(xp.concatenate([x, h], 1), weights[0])
    peeps = _peeps(weights, use_peephole)
    if xp is not np:
        return step(xp, z + weights[4], c, peeps, forget_bias, cell_clip)
    found = tuple(np.empty(c.shape, c.dtype) for _ in range(7))
    stepped(z, None, weights[4], c, peeps, forget_bias, cell_clip, found)
    return found


def _peep_sums(xp, c, cs, d_z, like, use_peephole):
    """The gradients of wci, wcf and wco."""
    if not use_peephole:
        return [xp.zeros_like(like)] * 3
    axes = tuple(range(c.ndim - 1))
    d_i, _, d_f, d_o = xp.split(d_z, 4, -1)
    return [(d_i * c).sum(axes), (d_f * c).sum(axes), (d_o * cs).sum(axes)]


# ------------------------------------------------------------------ one step
def _check_weights(batch, inputs, cs_prev, h_prev, weights):
    """(batch, units); InferError where a weight does not fit."""
    w = ranked(weights[0]._shape, 2, "w must be 2D", later=True)
    b = ranked(weights[4]._shape, 1, "b must be 1D", later=True)
    rows, units = states_shape(batch, cs_prev, h_prev)
    four = None if units is None else 4 * units
    whole = None if None in (inputs, units) else inputs + units
    size_is(w[0], whole, "w.dim_size(0) != input_size + cell_size")
    size_is(w[1], four, "w.dim_size(1) != cell_size * 4")
    size_is(b[0], four, "b.dim_size(0) != cell_size * 4")
    for x, what in zip(weights[1:4], ("wci", "wcf", "wco"), strict=True):
        (n,) = ranked(x._shape, 1, f"{what} must be 1D", later=True)
        size_is(n, units, f"{what}.dim_size(0) != cell_size")
    return rows, units


def states_shape(batch, *states):
    """(batch, units) of the states of a cell; InferError where they do not fit.

    Args:
        batch: the size that the inputs have. states: cs_prev and h_prev, or h_prev.
    """
    units, names = None, ("cs_prev", "h_prev")[-len(states) :]
    for state, name in zip(states, names, strict=True):
        s = ranked(state._shape, 2, f"{name} must be 2D", later=True)
        size_is(s[0], batch, f"{name}.dims(0) != batch_size")
        size_is(s[1], units, f"{name}.dims(1) != cell_size")
        batch, units = (p if q is None else q for p, q in zip((batch, units), s))
    return batch, units


def refuse_misfits(arrays, shapes):
    """A kernel's own refusal, quicker than infer, which says it better."""
    if tuple([a.shape for a in arrays]) != shapes:
        raise ValueError("weights or states that do not fit")


def _refuse(batch, inputs, cs_prev, h_prev, weights):
    units = weights[4].size // 4
    state, peep = (batch, units), (units,)
    matrix = inputs + units, 4 * units
    wanted = state, state, matrix, peep, peep, peep, (4 * units,)
    refuse_misfits((cs_prev, h_prev, *weights), wanted)


def _infer_cell(x, cs_prev, h_prev, *weights, **_):
    s = ranked(x._shape, 2)
    return [_check_weights(*s, cs_prev, h_prev, weights)] * 7


def _infer_cell_grad(x, cs_prev, *_, **__):
    batch, units = ranked(cs_prev._shape, 2)
    four = None if units is None else 4 * units
    return [(batch, units), (batch, four), (units,), (units,), (units,)]


@bind_first
def _cell_kernel(xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, **attrs):
    weights = w, wci, wcf, wco, b
    _refuse(*x.shape, cs_prev, h_prev, weights)
    return list(_step(xp, x, cs_prev, h_prev, weights, **attrs))


@bind_first
def _cell_grad_kernel(
    xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad,
    use_peephole,
):  # fmt: skip
    gates, peeps = (i, cs, f, o, ci, co), (wci, wcf, wco) if use_peephole else None
    if xp is np:
        z, back = (
            np.empty_like(cs_prev, shape=(len(i), 4 * i.shape[1])),
            np.empty_like(i),
        )
        slopes = (cs_grad, None), (h_grad, None)
        stepped_back(gates, cs_prev, peeps, *slopes, z, back)
    else:
        back, *z = step_back(cs_prev, peeps, gates, cs_grad, h_grad)
        z = xp.concatenate(z, 1)
    return [back, z, *_peep_sums(xp, cs_prev, cs, z, wci, use_peephole)]


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
    strict=True,
    types=TYPES,
    grad=_cell_grad,
    none_ok=True,
)


# ------------------------------------------------------------------ a sequence
def _infer_block(seq_len_max, x, cs_prev, h_prev, *weights, **_):
    ranked(seq_len_max._shape, 0, "seq_len_max must be a scalar, got shape {}")
    time, *rest = ranked(x._shape, 3, "x must be 3D")
    found = _check_weights(*rest, cs_prev, h_prev, weights)
    return [(time, *found)] * 7


def _infer_block_grad(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, *_, **__):
    ranked(seq_len_max._shape, 0, "seq_len_max must be a scalar, got shape {}")
    return [t._shape for t in (x, cs_prev, h_prev, w, wci, wcf, wco, b)]


def _flat(x):
    """The rows of all steps below each other."""
    return reshaped(x, (x.shape[0] * x.shape[1], x.shape[2]))


def _block_kernel(
    seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias, cell_clip,
    use_peephole,
):  # fmt: skip
    _, batch, inputs = x.shape
    refuse_misfits([seq_len_max], ((),))
    _refuse(batch, inputs, cs_prev, h_prev, (w, wci, wcf, wco, b))
    steps = max(min(int(seq_len_max), len(x)), 0)
    found = [np.empty((len(x), *cs_prev.shape), x.dtype) for _ in range(7)]
    for rows in found:
        rows[steps:] = 0
    z = PRODUCTS[False, False](_flat(x[:steps]), w[:inputs])
    z = z.reshape(steps, x.shape[1], len(b))
    attrs = _peeps((w, wci, wcf, wco, b), use_peephole), forget_bias, cell_clip
    walked(z, b, cs_prev, *attrs, h_prev, w[inputs:], tuple(found))
    return found


@bind_first
def _block_in_xla(jax, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, **attrs):
    jnp, weights = jax.numpy, (w, wci, wcf, wco, b)

    def once(before, row):
        t, inputs = row
        found = _step(jnp, inputs, *before, weights, **attrs)
        inside = t < seq_len_max
        found = [jnp.where(inside, s, jnp.zeros_like(s)) for s in found]
        return (found[1], found[-1]), found

    rows = (jnp.arange(x.shape[0]), x)
    return list(jax.lax.scan(once, (cs_prev, h_prev), rows)[1])


def _all_back(xp, x, cs_prev, h_prev, w, steps, z, back, d_h, gates, peephole):
    """The gradients of all inputs from those of the steps before the functions."""
    n, width = x.shape[2], z.shape[2]
    cs, h = gates[1], gates[6]
    before = xp.concatenate([cs_prev[None], cs[:-1]], 0)
    last = xp.concatenate([h_prev[None], h[:-1]], 0)
    inputs = xp.concatenate([x, last], 2)
    d_w = xp.matmul(inputs.reshape(-1, inputs.shape[2]).T, z.reshape(-1, width))
    peeps = _peep_sums(xp, before, cs, z, steps, peephole)
    d_x = xp.matmul(z, w[:n].T)
    return [d_x, back, d_h, d_w, *peeps, z.sum((0, 1))]


def _steps_back(steps, cs_prev, recurrent, peeps, gates, d_cs, d_h):
    """(those of z at each step, of cs_prev, of h_prev); d_cs may be None."""
    cs, (time, batch, units) = gates[1], gates[1].shape
    z = np.empty_like(cs, shape=(time, batch, 4 * units))
    z[steps:] = 0
    back, below = (np.zeros_like(cs, shape=(batch, units)) for _ in range(2))
    walked_back(gates, cs_prev, peeps, d_cs, d_h, recurrent, z[:steps], back, below)
    return z, back, below


def _block_back(steps, x, cs_prev, h_prev, weights, gates, slopes, peephole, wants_x):
    """The gradients of x (None unless it is wanted) and of all that follows it."""
    w, inputs, cs, h = weights[0], x.shape[2], gates[1], gates[6]
    peeps = _peeps(weights, peephole)
    z, back, below = _steps_back(
        max(min(int(steps), len(x)), 0), cs_prev, w[inputs:], peeps, gates, *slopes
    )
    flat, d_w = _flat(z), np.empty_like(w, order="C")
    PRODUCTS[True, False](_flat(x), flat, d_w[:inputs])
    PRODUCTS[True, False](_flat(h[:-1]), _flat(z[1:]), d_w[inputs:])
    if len(x):
        d_w[inputs:] += PRODUCTS[True, False](h_prev, z[0])
    before = np.concatenate([cs_prev[None], cs[:-1]]) if peephole else cs
    sums = _peep_sums(np, before, cs, z, weights[1], peephole)
    d_x = None
    if wants_x:
        d_x = PRODUCTS[False, True](flat, w[:inputs]).reshape(x.shape)
    return [d_x, back, below, d_w, *sums, np.asarray(add_reduce(flat, 0))]


def _block_grad_kernel(
    seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
    cs_grad, h_grad, use_peephole, spared=(),
):  # fmt: skip
    weights, gates = (w, wci, wcf, wco, b), (i, cs, f, o, ci, co, h)
    ins, slopes = (seq_len_max, x, cs_prev, h_prev), (cs_grad, h_grad)
    return _block_back(*ins, weights, gates, slopes, use_peephole, 0 not in spared)


@bind_first
def _block_grad_in_xla(
    jax, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
    cs_grad, h_grad, use_peephole,
):  # fmt: skip
    jnp, weights = jax.numpy, (w, wci, wcf, wco, b)
    gates, recurrent = (i, cs, f, o, ci, co, h), w[x.shape[2] :].T
    peeps = _peeps(weights, use_peephole)

    def once(after, row):
        t, before, saved, d_cs, d_h = row
        inside = t < seq_len_max
        found = step_back(before, peeps, saved, d_cs + after[0], d_h + after[1])
        back, *z = [jnp.where(inside, s, jnp.zeros_like(s)) for s in found]
        z = jnp.concatenate(z, 1)
        return (back, jnp.matmul(z, recurrent)), z

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
BlockLSTMGrad.np.spares = True  # the gradient of x


def _block_grad(
    seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, d_cs,
    d_h, use_peephole,
):  # fmt: skip
    inputs = (
        seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
    )  # fmt: skip
    if all(type(t) is dispatch.EagerTensor for t in inputs):
        found = _alone_back(inputs, d_cs, d_h, use_peephole)
        if found is not None:
            return found
    d_cs, d_h = _or_zeros(d_cs, cs), _or_zeros(d_h, cs)
    attrs = {"use_peephole": use_peephole}
    return (None, *apply(BlockLSTMGrad, (*inputs, d_cs, d_h), attrs))


def _alone_back(ins, d_cs, d_h, use_peephole):
    """The gradients at once, while nobody looks on: those that somebody waits for."""
    if dispatch.observers is not None or d_h is None:
        return None
    steps, x, cs_prev, h_prev, *rest = (t._a for t in ins)
    slopes = None if d_cs is None else d_cs._a, d_h._a
    found = _block_back(
        steps, x, cs_prev, h_prev, rest[:5], rest[5:], slopes, use_peephole,
        ins[1]._id != 0,
    )  # fmt: skip
    wrapped = [None if a is None else dispatch.wrap(a, ins[1].dtype) for a in found]
    return (None, *wrapped)


BlockLSTM = define(
    "BlockLSTM",
    infer=_infer_block,
    kernel=quiet(lambda xp: _block_kernel),
    lower=_block_in_xla,
    strict=True,
    types=TYPES,
    grad=_block_grad,
    none_ok=True,
)

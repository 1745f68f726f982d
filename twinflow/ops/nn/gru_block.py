"""The gated recurrent unit as one op.

    r, u = split(sigmoid([x, h] w_ru + b_ru)), c = tanh([x, r h] w_c + b_c)
    h' = u h + (1 - u) c

As in TensorFlow, gradients of other outputs than h' count nothing.
"""

from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.infer import ranked, size_is
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.lstm_block import TYPES, once_only, refuse_misfits, states_shape
from twinflow.ops.nn.lstm_step import logistic


def _infer(x, h_prev, w_ru, w_c, b_ru, b_c):
    batch, inputs = ranked(x._shape, 2)
    batch, units = states_shape(batch, h_prev)
    whole = None if None in (inputs, units) else inputs + units
    for w, b, end, many in ((w_ru, b_ru, "ru", 2), (w_c, b_c, "c", 1)):
        rows, columns = ranked(w._shape, 2, f"w_{end} must be 2D", later=True)
        (size,) = ranked(b._shape, 1, f"b_{end} must be 1D", later=True)
        wide = None if units is None else many * units
        name = "cell_size" + " * 2" * (many == 2)
        size_is(rows, whole, f"w_{end}.dim_size(0) != input_size + cell_size")
        size_is(columns, wide, f"w_{end}.dim_size(1) != {name}")
        size_is(size, wide, f"b_{end}.dim_size(0) != {name}")
    return [(batch, units)] * 4


def _infer_grad(x, h_prev, *_):
    h = ranked(h_prev._shape, 2)
    two = None if h[1] is None else 2 * h[1]
    return [ranked(x._shape, 2), h, h, (h[0], two)]


@bind_first
def _kernel(xp, x, h_prev, w_ru, w_c, b_ru, b_c):
    (batch, inputs), units = x.shape, b_c.size
    rows, two = inputs + units, 2 * units
    wanted = (batch, units), (rows, two), (rows, units), (two,), (units,)
    refuse_misfits((h_prev, w_ru, w_c, b_ru, b_c), wanted)
    gates = logistic(xp, xp.matmul(xp.concatenate([x, h_prev], 1), w_ru) + b_ru)
    r, u = xp.split(gates, 2, 1)
    c = xp.tanh(xp.matmul(xp.concatenate([x, r * h_prev], 1), w_c) + b_c)
    return [r, u, c, u * h_prev + (1 - u) * c]


@bind_first
def _grad_kernel(xp, x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h):
    n = x.shape[1]
    d_c = d_h * (1 - u) * (1 - c * c)
    d_u = d_h * (h_prev - c) * u * (1 - u)
    below = xp.matmul(d_c, w_c.T)
    d_rh = below[:, n:]
    d_r = d_rh * h_prev * r * (1 - r)
    d_ru = xp.concatenate([d_r, d_u], 1)
    both = xp.matmul(d_ru, w_ru.T)
    d_x = both[:, :n] + below[:, :n]
    return [d_x, both[:, n:] + d_rh * r + d_h * u, d_c, d_ru]


GRUBlockCellGrad = define(
    "GRUBlockCellGrad",
    infer=_infer_grad,
    kernel=quiet(_grad_kernel),
    types=TYPES,
    grad=once_only("GRUBlockCellGrad"),
    none_ok=True,
)


def _grad(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h):
    inputs = (x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h)
    d_x, d_prev, d_c, d_ru = apply(GRUBlockCellGrad, inputs)
    d_w_ru = matmul(concat([x, h_prev], 1), d_ru, transpose_a=True)
    d_w_c = matmul(concat([x, multiply(r, h_prev)], 1), d_c, transpose_a=True)
    return d_x, d_prev, d_w_ru, d_w_c, reduce_sum(d_ru, [0]), reduce_sum(d_c, [0])


GRUBlockCell = define(
    "GRUBlockCell",
    infer=_infer,
    kernel=quiet(_kernel),
    types=TYPES,
    grad=_grad,
    strict=True,
)

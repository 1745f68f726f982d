"""Rows of ops/nn/gather_tree.py, ops/nn/lstm_block.py and ops/nn/gru_block.py."""

import numpy as np

from tests.support.op_cases.table import case, covered, error, floats

_INT = np.int32
_IDS = np.array(
    [[[1, 2, 3], [2, 3, 4]], [[4, 5, 6], [5, 6, 7]], [[7, 8, 9], [8, 9, 9]]]
)
_PARENTS = np.array([[[0] * 3] * 2, [[0, 1, 1], [1, 2, 0]], [[2, 1, 2], [2, 1, 1]]])


def _walk(ids, parents, lengths, end):
    """Each beam from its last step back."""
    found = np.full(ids.shape, end, ids.dtype)
    for b in range(ids.shape[1]):
        for k in range(ids.shape[2]):
            beam = k
            for t in range(min(lengths[b], len(ids)) - 1, -1, -1):
                found[t, b, k] = ids[t, b, beam]
                beam = parents[t, b, beam]
            over = np.flatnonzero(found[:, b, k] == end)
            if len(over):
                found[over[0] :, b, k] = end
    return found


def _tree(lengths, end, parents=_PARENTS):
    return (
        _IDS.astype(_INT), parents.astype(_INT), np.array(lengths, _INT),
        np.array(end, _INT),
    )  # fmt: skip


for _lengths, _end in (([3, 3], 10), ([2, 3], 0), ([3, 9], 6), ([0, 1], 9)):
    case("GatherTree", *_tree(_lengths, _end), reference=_walk, errors=[
        error(*_tree([3, 3], 0, _PARENTS - 1), text="parent id -1 at (batch, time, "),
        error(*_tree([3, 3], 0, _PARENTS[:2]), text="step_ids.shape must match parent"),
        error(*_tree([[3, 3]], 0), text="max_sequence_lengths must be a vector, saw "),
        error(*_tree([3, 3], [0]), text="end_token must be a scalar, saw shape: [1]"),
    ])  # fmt: skip


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _lstm(x, c, h, w, wci, wcf, wco, b, forget_bias, cell_clip, use_peephole):
    """The equations of Sak et al. (2014), with the order of TensorFlow's outputs."""
    parts = np.split(np.hstack([x, h]) @ w + b, 4, 1)
    peeps = (wci, wcf, wco) if use_peephole else (0, 0, 0)
    i, f = _sigmoid(parts[0] + peeps[0] * c), parts[2] + forget_bias + peeps[1] * c
    f, ci = _sigmoid(f), np.tanh(parts[1])
    new = i * ci + f * c
    new = np.clip(new, -cell_clip, cell_clip) if cell_clip > 0 else new
    o, co = _sigmoid(parts[3] + peeps[2] * new), np.tanh(new)
    return [i, new, f, o, ci, co, o * co]


def _lstms(n, x, c, h, *weights, **attrs):
    found = [np.zeros((len(x), *c.shape), x.dtype) for _ in range(7)]
    for t in range(min(n, len(x))):
        step = _lstm(x[t], c, h, *weights, **attrs)
        for rows, row in zip(found, step, strict=True):
            rows[t] = row
        c, h = step[1], step[6]
    return found


def _gru(x, h, w_ru, w_c, b_ru, b_c):
    r, u = np.split(_sigmoid(np.hstack([x, h]) @ w_ru + b_ru), 2, 1)
    c = np.tanh(np.hstack([x, r * h]) @ w_c + b_c)
    return [r, u, c, u * h + (1 - u) * c]


_STATES = floats(3, 4), floats(3, 4), floats(6, 16), *[floats(4)] * 3, floats(16)
_LOOSE = {"tol": {"float32": 1e-5}, "reason": "long sums in another order", "grad": ()}
for _attrs in (
    {"forget_bias": 1.0, "cell_clip": -1.0, "use_peephole": False},
    {"forget_bias": 0.5, "cell_clip": 0.4, "use_peephole": True},
):
    case(
        "LSTMBlockCell", floats(3, 2), *_STATES, attrs=_attrs, reference=_lstm, **_LOOSE
    )
    for _n in (5, 3):
        case("BlockLSTM", np.array(_n), floats(5, 3, 2), *_STATES, attrs=_attrs,
             reference=_lstms, **_LOOSE)  # fmt: skip
case("GRUBlockCell", floats(3, 2), floats(3, 4), floats(6, 8), floats(6, 4), floats(8),
     floats(4), reference=_gru, **_LOOSE)  # fmt: skip
for _op in ("LSTMBlockCellGrad", "BlockLSTMGrad", "GRUBlockCellGrad"):
    covered(_op, by="tests/ops/test_recurrent_blocks.py")

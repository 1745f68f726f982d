"""What does not fit its op is refused in the words of TensorFlow 1.12's kernels.

Each call works with the sizes that stand first; a change of one of them is refused with
the text that a run of 1.12 gave, or ends 1.12 (`ENDS`), and has our own error here.
"""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.base.op_lookup import load_all

load_all()

CELL = {"x": (3, 2), "cs": (3, 4), "h": (3, 4), "w": (6, 16), "p": (4,), "b": (16,)}
BLOCK = {**CELL, "x": (5, 3, 2), "steps": np.int64(3)}
GRU = {"x": (3, 2), "h": (3, 4), "ru": (6, 8), "c": (6, 4), "bru": (8,), "bc": (4,)}
PEEPS = {"forget_bias": 1.0, "cell_clip": -1.0, "use_peephole": True}
CALLS = {
    "LSTMBlockCell": (CELL, "x cs h w p p p b", PEEPS),
    "BlockLSTM": (BLOCK, "steps x cs h w p p p b", PEEPS),
    "GRUBlockCell": (GRU, "x h ru c bru bc", {}),
    "NearestNeighbors": ({"points": (5, 3), "centers": (4, 3), "k": 2},
                         "points centers k", {}),
    "MaskedMatmul": ({"a": (3, 4), "b": (4, 5), "mask": np.array([[0, 1]]),
                      "left": np.False_, "right": np.False_},
                     "a b mask left right", {}),
    "MirrorPadGrad": ({"x": (3, 4), "paddings": [[0, 1], [1, 1]]}, "x paddings",
                      {"mode": "SYMMETRIC"}),
    "NcclReduce": ({"both": [np.ones(3, "f"), np.ones(3, "f")]}, "both",
                   {"reduction": "sum"}),
    "CropAndResizeGradImage": (
        {"grads": (3, 3, 4, 2), "boxes": (3, 4), "ind": np.zeros(3, np.int32),
         "size": [2, 5, 7, 2]}, "grads boxes ind size",
        {"method": "bilinear", "T": tf.float32}),
}  # fmt: skip
MISFITS = [
    ("LSTMBlockCell", "cs", (1, 4), "cs_prev.dims(0) != batch_size: 1 vs. 3"),
    ("LSTMBlockCell", "h", (1, 4), "h_prev.dims(0) != batch_size: 1 vs. 3"),
    ("LSTMBlockCell", "h", (3, 1), "h_prev.dims(1) != cell_size: 1 vs. 4"),
    ("LSTMBlockCell", "w", (5, 16), "w.dim_size(0) != input_size + cell_size: 5 vs. 6"),
    ("LSTMBlockCell", "w", (6, 8), "w.dim_size(1) != cell_size * 4: 8 vs. 16"),
    ("LSTMBlockCell", "b", (4,), "b.dim_size(0) != cell_size * 4: 4 vs. 16"),
    ("BlockLSTM", "x", (5, 3), "x must be 3D|Shape must be rank 3"),
    ("BlockLSTM", "cs", (1, 3, 4), "cs_prev must be 2D"),
    ("BlockLSTM", "h", (1, 4), "h_prev.dims(0) != batch_size: 1 vs. 3"),
    ("BlockLSTM", "w", (5, 16), "w.dim_size(0) != input_size + cell_size: 5 vs. 6"),
    ("BlockLSTM", "w", (6,), "w must be 2D"),
    ("BlockLSTM", "steps", np.array([3]),
     "seq_len_max must be a scalar, got shape [1]|Shape must be rank 0"),
    ("BlockLSTM", "b", (1, 16), "b must be 1D"),
    ("GRUBlockCell", "h", (1, 4), "h_prev.dims(0) != batch_size: 1 vs. 3"),
    ("GRUBlockCell", "ru", (5, 8),
     "w_ru.dim_size(0) != input_size + cell_size: 5 vs. 6"),
    ("GRUBlockCell", "ru", (6, 5), "w_ru.dim_size(1) != cell_size * 2: 5 vs. 8"),
    ("GRUBlockCell", "c", (6, 3), "w_c.dim_size(1) != cell_size: 3 vs. 4"),
    ("GRUBlockCell", "bru", (3,), "b_ru.dim_size(0) != cell_size * 2: 3 vs. 8"),
    ("GRUBlockCell", "bc", (3,), "b_c.dim_size(0) != cell_size: 3 vs. 4"),
    ("NearestNeighbors", "points", (5, 1),
     "Expected point_dimensions == center_dimensions: 1 vs. 3"),
    ("NearestNeighbors", "points", (1, 5, 3), "Input points should be a matrix."),
    ("NearestNeighbors", "centers", (3,), "Input centers should be a matrix."),
    ("MaskedMatmul", "a", (3,), "Input a should be a matrix."),
    ("MaskedMatmul", "mask", np.array([[0, 1, 2, 3]]),
     "mask_indices should be a matrix of shape [nnz 2]"),
    ("MaskedMatmul", "left", np.array([True, False]),
     "Input transpose_a should be a scalar."),
    ("MirrorPadGrad", "paddings", [[-1, 1], [1, 1]],
     "Paddings must be non-negative: -1, 1"),
    ("CropAndResizeGradImage", "size", [2, 5, 0, 2],
     "image dimensions must be positive"),
    ("CropAndResizeGradImage", "size", [2, 5, 7, 3],
     "image_size and grads are incompatible"),
]  # fmt: skip
ENDS = [
    ("LSTMBlockCell", "p", (), "wci must be 1D"),
    ("NearestNeighbors", "k", -3, "Input k should not be negative, got -3"),
    ("MirrorPadGrad", "paddings", [[0, 2], [1, 1]], "the output dimension size"),
    ("NcclReduce", "both", [np.ones(3, "f"), np.ones(2, "f")], "must be equal"),
]


def _call(kind, changes):
    sizes, order, attrs = CALLS[kind]
    given = {
        k: tf.ones(v) if isinstance(v, tuple) else v
        for k, v in (sizes | changes).items()
    }
    return apply(registry[kind], [given[k] for k in order.split()], attrs)


@pytest.mark.parametrize("kind", CALLS)
def test_what_fits_works(kind):
    assert _call(kind, {}) is not None


@pytest.mark.parametrize("kind, what, size, text", MISFITS + ENDS)
@pytest.mark.parametrize("way", ["eager", "function", "session"])
def test_misfits_are_refused(way, kind, what, size, text):
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)) as found:
        ways.run(way, lambda: lambda: _call(kind, {what: size}))
    assert any(t in str(found.value) for t in text.split("|")), found.value

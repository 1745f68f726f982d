"""Rows of ops.matrix: diagonal, band and tensor_diag: parts of matrices."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.base.errors import InvalidArgumentError
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import eye, trace

_HALF = ("float16", "bfloat16", "float32", "float64")


# ------------------------------------------------------------------ diagonals
def _diag(d):
    return d[..., None] * np.eye(d.shape[-1])


case(
    "MatrixDiag", floats(3), reference=np.diag, dtypes=_HALF,
    errors=[error(3.0, text="input must be at least 1-dim, received shape: []")],
)  # fmt: skip
case("MatrixDiag", floats(2, 3), reference=_diag)
case("MatrixDiag", np.array([True, True]), reference=np.eye(2, dtype=bool))
case("MatrixDiag", np.zeros((2, 0)), reference=np.zeros((2, 0, 0)), grad=())
case(
    "MatrixDiag",
    np.array([np.inf, np.nan]),
    reference=np.array([[np.inf, 0], [0, np.nan]]),
    grad=(),
)


def _part(x):
    return np.diagonal(x, 0, -2, -1)


for _shape in (3, 3), (2, 4), (2, 4, 3):
    case("MatrixDiagPart", floats(*_shape), reference=_part, dtypes=_HALF)
case(
    "MatrixDiagPart", np.arange(4).reshape(2, 2), reference=np.array([0, 3]),
    errors=[error(np.zeros(3), text="input must be at least 2-dim, received shape")],
)  # fmt: skip
case(trace, floats(2, 3, 3), reference=lambda x: np.trace(x, axis1=-2, axis2=-1))
case(trace, np.arange(6).reshape(2, 3), reference=np.array(4))


def _set_diag(x, d):
    out = x.copy()
    k = np.arange(d.shape[-1])
    out[..., k, k] = d
    return out


_TEXT = (
    "must have diagonal.shape == input.shape[:-2] + min(input.shape[-2:]), but "
    "received input shape: {} and diagonal shape: {}"
)
_ERRORS = [
    error(np.zeros((3, 3)), np.zeros(2), text=_TEXT.format("[3,3]", "[2]")),
    error(np.zeros((2, 3, 3)), np.zeros(3), text=_TEXT.format("[2,3,3]", "[3]")),
    error(np.zeros((2, 3, 3)), np.zeros((3, 3)), text=_TEXT.format("[2,3,3]", "[3,3]")),
    error(np.zeros(3), np.zeros(3), text="input must be at least 2-dim"),
]
for _shape in (3, 3), (2, 4), (2, 4, 3):
    _diagonal = floats(*_shape[:-2], min(_shape[-2:]))
    case(
        "MatrixSetDiag", floats(*_shape), _diagonal, reference=_set_diag, dtypes=_HALF,
        errors=_ERRORS,
    )  # fmt: skip
case(
    "MatrixSetDiag", np.zeros((3, 0)), np.zeros(0), reference=np.zeros((3, 0)), grad=()
)


# ------------------------------------------------------------------ bands
def _band(x, low, up):
    m, n = x.shape[-2:]
    below = np.arange(m)[:, None] - np.arange(n)
    return x * ((low < 0) | (below <= low)) * ((up < 0) | (-below <= up))


_M = np.zeros((3, 3))
_BAD_BANDS = [
    error(
        _M, 4, 1, text="num_lower must be negative or less or equal to number of rows "
        "(3) got: 4",
    ),
    error(
        _M, 1, 4, text="num_upper must be negative or less or equal to number of "
        "columns (3) got: 4",
    ),
    error(np.zeros(3), 1, 1, text="input must be at least 2-dim, received shape: [3]"),
    error(_M, [1, 2], 0, text="num_lower must be scalar, got shape [2]"),
]  # fmt: skip
for _bounds in (0, -1), (-1, 0), (1, 2), (3, 0), (-5, -5):
    case(
        "MatrixBandPart", floats(2, 3, 4), *map(np.int64, _bounds), reference=_band,
        dtypes=_HALF, errors=_BAD_BANDS,
    )  # fmt: skip
case(matrix_band_part, floats(4, 3), np.int32(1), 0, reference=_band)

# ------------------------------------------------------------------ identities
case(eye, 3, reference=np.eye(3, dtype=np.float32))
case(
    eye, 2, reference=np.stack([np.eye(2, 3, dtype=int)] * 2).astype(np.int32),
    attrs={"num_columns": 3, "batch_shape": [2], "dtype": "int32"},
)  # fmt: skip
case(eye, np.int32(2), 3, reference=np.eye(2, 3, dtype=np.float32))
case(
    eye, 2, reference=np.ones((2, 1, 1, 1), np.float32) * np.eye(2, dtype=np.float32),
    attrs={"batch_shape": np.array([2, 1])},
)  # fmt: skip


# ------------------------------------------------------------------ tensors
case(
    "Diag", floats(3), reference=np.diag, dtypes=_HALF,
    errors=[error(3.0, text="Input must be at least rank 1, got 0")],
)  # fmt: skip
case("Diag", floats(2, 3), reference=lambda d: np.diag(d.ravel()).reshape(2, 3, 2, 3))
case("DiagPart", floats(3, 3), reference=np.diag, dtypes=_HALF)
case(
    "DiagPart", floats(2, 3, 2, 3),
    reference=lambda x: np.diag(x.reshape(6, 6)).reshape(2, 3),
    errors=[
        error(_M[0], text="even and positive, got shape [3]"),
        error(
            np.zeros((3, 2)),
            text="Invalid shape [3,2]: dimensions 0 and 1 do not match.",
        ),
    ],
)  # fmt: skip

_CROSSES = [
    error(np.zeros(2), np.zeros(2), text="only defined for 3-element vectors."),
    error(
        np.zeros((1, 3)), np.zeros((2, 3)), type=InvalidArgumentError,
        text="Both inputs must be of same shape: [1,3] vs. [2,3]",
    ),
]  # fmt: skip
case("Cross", floats(3), floats(3), reference=np.cross, dtypes=_HALF, errors=_CROSSES)
case("Cross", floats(2, 4, 3), floats(2, 4, 3), reference=np.cross)
case("Cross", np.array([1, 2, 3]), np.array([4, 5, 6]), reference=np.cross)

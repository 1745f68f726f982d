"""Rows of ops.math.factorization, ops.math.hyperplanes and ops.variables.sdca."""

import itertools

import numpy as np

from tests.support.op_cases.table import case, covered, error

_RNG = np.random.RandomState(0)
A, B = (_RNG.randn(*s).astype(np.float32) for s in ((3, 4), (4, 5)))
MASK = np.array([[0, 1], [2, 4], [1, 1]])

for a, b, t in ((A, B, False), (A.T.copy(), B.T.copy(), True)):
    case(
        "MaskedMatmul", a, b, MASK, np.bool_(t), np.bool_(t),
        reference=(A @ B)[tuple(MASK.T)], grad=(), dtypes=["float32"],
        errors=[] if t else [
            error(A, B.T, MASK, False, False, text="shapes are incompatible"),
            error(A, B, [[3, 1]], False, False, text="row index 3 is out of bounds"),
            error(A, B, [[0, 7]], False, False, text="column index 7 is out of bounds"),
        ],
    )  # fmt: skip

FACTORS, COLUMN_WEIGHTS = A[:, :2], np.float32([0.5, 1, 2])
AT, VALUES = np.array([[0, 1], [0, 2], [2, 0]]), np.float32([1, 2, 3])
NONE = np.zeros(0, np.float32)


def sums(factors, by_column, w0, by_row, at, values, by_entry, count, transposed):
    """The sums of weighted products, entry by entry."""
    size = factors.shape[1]
    lhs, rhs = np.zeros((count, size, size)), np.zeros((count, size))
    for n, (i, j) in enumerate(at[:, ::-1] if transposed else at):
        w = by_entry[n] if len(by_entry) else by_row[i] * by_column[j]
        lhs[i] += w * np.outer(factors[j], factors[j])
        rhs[i] += (w + w0) * values[n] * factors[j]
    return lhs, rhs


for by_row, by_column, by_entry, turned in (
    (np.float32([1, 2, 3]), COLUMN_WEIGHTS, NONE, False),
    (NONE, NONE, np.float32([1, 2, 3]), True),
):
    given = (
        FACTORS, by_column, np.float32(0.5), by_row, AT[:, ::-1] if turned else AT,
        VALUES, by_entry, np.int64(3), np.bool_(turned),
    )  # fmt: skip
    case(
        "WALSComputePartialLhsAndRhs", *given, reference=sums, grad=(),
        dtypes=["float32"],
        errors=[] if turned else [
            error(*given[:6], VALUES, *given[7:], text="but not both"),
            error(VALUES, *given[1:], text="Input factors should be a matrix."),
            error(*given[:4], AT + 3, *given[5:], text="is not in [0, 3)"),
        ],
    )  # fmt: skip

POINTS = np.array([[-1.18, -0.03, 0.43, 0.07, 0.3, -0.63]], np.float32)


def buckets(products, tables, planes, count):
    """The buckets of a point, by trying all sets of planes."""
    rows = []
    for point in products.reshape(len(products), tables, planes):
        found = []
        for t, x in enumerate(point):
            for flips in itertools.product([0, 1], repeat=planes):
                bits = (x >= 0) ^ np.array(flips, bool)
                far = (x * x * flips).sum() if any(flips) else -1 + t / 100
                found.append((far, int("".join(str(int(b)) for b in bits), 2), t))
        rows.append(sorted(found)[:count])
    found = np.array([[entry[1:] for entry in row] for row in rows], np.int32)
    return found[..., 0], found[..., 1]


for count in (1, 3, 16):
    case(
        "HyperplaneLSHProbes", POINTS, 2, 3, count, reference=buckets, grad=(),
        dtypes=["float32", "float64"],
        errors=[] if count > 1 else [
            error(POINTS[0], 2, 3, 1, text="Need a two-dimensional products tensor"),
            error(POINTS, 2, 2, 1, text="Expected number of hyperplanes is 4"),
            error(POINTS, 0, 3, 1, text="num_tables must be at least 1 but got 0."),
            error(POINTS, 2, 3, 0, text="num_probes must be at least 1."),
            error(POINTS, 2, 3, 17, text="Failed to get probe number 16"),
        ],
    )  # fmt: skip

for _op in ("SdcaOptimizer", "SdcaFprint", "SdcaShrinkL1"):
    covered(_op, by="tests/contrib/test_linear_optimizer.py")

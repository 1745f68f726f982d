"""Entries of products, and the sums of weighted alternating least squares."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.ops.core.infer import ranked

_DENSE = 4  # the whole product is made where at most this many entries are left out
_FEW = 64  # entries of a row: below, the outer products of many rows are made at once
_BLOCK = 1 << 22  # elements of the outer products that are made at once


def _matrix_sizes(x, transpose):
    s = x._shape
    if s is None or len(s) != 2:
        return None, None
    return (s[1], s[0]) if transpose else s


def _infer_masked(a, b, mask_indices, transpose_a, transpose_b):
    s = mask_indices._shape
    for x, what in ((a, "a"), (b, "b"), (mask_indices, "mask_indices")):
        ranked(x._shape, 2, f"Input {what} should be a matrix.", later=True)
    for x, what in ((transpose_a, "transpose_a"), (transpose_b, "transpose_b")):
        ranked(x._shape, 0, f"Input {what} should be a scalar.", later=True)
    if s is not None and s[1] not in (2, None):
        raise InferError(
            "mask_indices should be a matrix of shape [nnz 2], where nnz is the number "
            "of non-zero elements.",
            later=True,
        )
    return (None if s is None else s[0],)


def _masked(a, b, mask_indices, transpose_a, transpose_b):
    a = a.T if transpose_a else a
    b = b if transpose_b else b.T
    if a.shape[1] != b.shape[1]:
        raise invalid(
            "Matrix shapes are incompatible: a has shape "
            f"[{a.shape[0]},{a.shape[1]}], while b has shape "
            f"[{b.shape[1]},{b.shape[0]}]."
        )
    rows, columns = np.asarray(mask_indices).T
    for at, limit, what in ((rows, len(a), "row"), (columns, len(b), "column")):
        if at.size and not 0 <= at.min() <= at.max() < limit:
            i = int(np.flatnonzero((at < 0) | (at >= limit))[0])
            raise invalid(
                f"In mask_indices[{i}, :], the {what} index {at[i]} is out of bounds "
                f"[0, {limit})."
            )
    if len(a) * len(b) <= _DENSE * len(rows):
        return (a @ b.T)[rows, columns]
    out, step = np.empty(len(rows), np.float32), max(1, _BLOCK // max(a.shape[1], 1))
    for i in range(0, len(rows), step):
        some = slice(i, i + step)
        np.einsum("ij,ij->i", a[rows[some]], b[columns[some]], out=out[some])
    return out


MaskedMatmul = define("MaskedMatmul", infer=_infer_masked, host=_masked)


def _infer_wals(factors, factor_weights, unobserved_weights, input_weights,
                input_indices, input_values, entry_weights, input_block_size,
                input_is_transpose):  # fmt: skip
    rank = None if factors._shape is None else len(factors._shape)
    if rank not in (None, 2):
        raise InferError("Input factors should be a matrix.", later=True)
    size = None if rank is None else factors._shape[1]
    rows = None if input_block_size is None else int(input_block_size)
    return [(rows, size, size), (rows, size)]


def _wals(
    factors, factor_weights, unobserved_weights, input_weights, input_indices,
    input_values, entry_weights, input_block_size, input_is_transpose,
):  # fmt: skip
    """For each row i: sum_j w_ij f_j f_j^T, and sum_j (w_ij + w_0) x_ij f_j.

    w_ij is the weight of the entry, or that of the row times that of the factor.
    """
    _check_ranks(
        factors=factors, factor_weights=factor_weights, input_weights=input_weights,
        input_indices=input_indices, input_values=input_values,
        entry_weights=entry_weights, unobserved_weights=unobserved_weights,
        input_is_transpose=input_is_transpose,
    )  # fmt: skip
    _check_weights(factor_weights, input_weights, entry_weights)
    rows, columns = np.asarray(input_indices).T[:: -1 if input_is_transpose else 1]
    count = int(input_block_size)
    for at, limit, what in ((rows, count, "row"), (columns, len(factors), "column")):
        if at.size and not 0 <= at.min() <= at.max() < limit:
            raise invalid(f"A {what} index of the input is not in [0, {limit}).")
    if len(entry_weights):
        weights = np.asarray(entry_weights)
    else:
        for at, of, what in (
            (rows, input_weights, "input_weights"),
            (columns, factor_weights, "factor_weights"),
        ):
            if at.size and at.max() >= len(of):
                raise invalid(f"{what} has {len(of)} elements, but {at.max()} is read.")
        weights = input_weights[rows] * factor_weights[columns]
    order = np.argsort(rows, kind="stable")
    rows, columns, weights = rows[order], columns[order], weights[order]
    pull = (weights + unobserved_weights) * np.asarray(input_values)[order]
    starts = np.searchsorted(rows, np.arange(count + 1))
    size = factors.shape[1]
    lhs = np.zeros((count, size, size), np.float32)
    rhs = np.zeros((count, size), np.float32)
    lengths = np.diff(starts)
    for i in np.flatnonzero(lengths >= _FEW):
        some = slice(starts[i], starts[i + 1])
        own = factors[columns[some]]
        np.matmul(own.T * weights[some], own, out=lhs[i])
        np.matmul(pull[some], own, out=rhs[i])
    for length in np.unique(lengths[(lengths > 0) & (lengths < _FEW)]):
        step = max(1, _BLOCK // (int(length) * size))
        alike = np.flatnonzero(lengths == length)
        for first in range(0, len(alike), step):
            chosen = alike[first : first + step]
            at = starts[chosen][:, None] + np.arange(length)
            own = factors[columns[at]]  # [rows, length, size]
            weighted = own * weights[at][..., None]
            lhs[chosen] = weighted.transpose(0, 2, 1) @ own
            rhs[chosen] = (pull[at][:, None, :] @ own)[:, 0]
    return lhs, rhs


_RANKS = {"unobserved_weights": 0, "input_is_transpose": 0, "factors": 2,
          "input_indices": 2}  # fmt: skip


def _check_ranks(**inputs):
    for name, value in inputs.items():
        rank, found = _RANKS.get(name, 1), np.shape(value)
        if len(found) != rank:
            kind = ("scalar", "vector", "matrix")[rank]
            raise invalid(f"Input {name} should be a {kind}. It has shape {found}.")
    pairs, count = np.shape(inputs["input_indices"]), len(inputs["input_values"])
    if pairs != (count, 2):
        what = f"{(count, 2)} for {count} values, but has {pairs}"
        raise invalid(f"Input input_indices should have the shape {what}.")
    if len(inputs["entry_weights"]) not in (0, count):
        raise invalid(
            f"Input entry_weights should have none or {count} elements, as "
            f"input_values, but has {len(inputs['entry_weights'])}."
        )


def _check_weights(factor_weights, input_weights, entry_weights):
    by_entry = len(entry_weights) > 0
    if (len(factor_weights) > 0) == by_entry or (len(input_weights) > 0) == by_entry:
        raise invalid(
            "To specify the weights for observed entries, either (1) entry_weights "
            "must be set or (2) input_weights and factor_weights must be set, but not "
            "both."
        )


WALSComputePartialLhsAndRhs = define(
    "WALSComputePartialLhsAndRhs",
    on_host="input_block_size",
    infer=_infer_wals,
    host=_wals,
    strict=True,
)

"""Rows of indices: their order, and what is wrong with them.

The arrays here are int64[n, ndims], the places of a SparseTensor, in NumPy.
"""

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import INDEX, bind_first, define
from twinflow.ops.core.index_vectors import last_places
from twinflow.ops.core.infer import ints, length, ranked, same_dim, text

_FITS = 2**62
_PARTS = (("indices", 2, "matrix"), ("values", 1, "vector"), ("shape", 1, "vector"))


def fit(indices, values, shape, place=""):
    """InferError unless these can be the parts of a sparse tensor.

    Args:
        indices, values, shape: as `infer` sees them; the shape may be a host value.
        place: words that say which tensor it is.
    """
    known = shape._shape if hasattr(shape, "_shape") else (length(shape),)
    found = indices._shape, values._shape, known
    (n, depth), (count,), (ndims,) = (
        ranked(
            s, rank, f"Input {name} should be a {what} but received shape {{}}{place}"
        )
        for (name, rank, what), s in zip(_PARTS, found, strict=True)
    )
    same_dim(
        n,
        count,
        "indices and values rows (indexing dimension) must match. (indices = "
        f"{n}, values = {count})",
    )
    same_dim(
        depth, ndims, f"Index rank ({depth}) and shape rank ({ndims}) do not match"
    )


def fit_all(indices, values, shapes):
    """As `fit`, of lists of parts."""
    for i, parts in enumerate(zip(indices, values, shapes, strict=True)):
        fit(*parts, f" at position {i}")


def order(xp, indices):
    """The stable permutation that sorts rows."""
    n, depth = indices.shape
    if depth == 0:
        return xp.arange(n)
    return xp.lexsort(tuple(indices[:, i] for i in range(depth - 1, -1, -1)))


def keys(*parts):
    """One int64 per row, of several sets of rows, in the order of the rows."""
    whole = np.concatenate(parts).astype(np.int64, copy=False)
    if whole.shape[1] == 1:
        found = whole[:, 0]
    elif not whole.size:
        found = np.zeros(len(whole), np.int64)
    else:
        found = _joint(whole)
    return np.split(found, np.cumsum([len(p) for p in parts])[:-1])


def _joint(rows):
    low, high = rows.min(axis=0), rows.max(axis=0)
    spans = [p - q + 1 for p, q in zip(high.tolist(), low.tolist(), strict=True)]
    strides, total = [], 1
    for span in reversed(spans):
        strides.append(total)
        total *= span
    if total < _FITS:
        return (rows - low) @ np.array(strides[::-1], np.int64)
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def ascending(*parts):
    """Whether every key is greater than the one before, in each of `parts`."""
    return all(bool(np.all(p[1:] > p[:-1])) for p in parts)


def strides_of(shape):
    """How far apart neighbours along each axis are, row-major."""
    out, total = [], 1
    for d in reversed(shape):
        out.append(total)
        total *= d
    return out[::-1]


def row_text(row):
    """`[0,1]`."""
    return f"[{','.join(map(str, np.asarray(row).tolist()))}]"


def inside(xp, indices, shape):
    """For each row whether it lies inside `shape`."""
    last = xp.asarray(last_places(shape, indices.dtype), indices.dtype)
    return xp.all((indices >= 0) & (indices <= last), axis=1)


def increasing(xp, indices):
    """For each row but the first, whether it comes after the row before."""
    later, earlier = indices[1:], indices[:-1]
    n, depth = later.shape
    after, equal = xp.zeros(n, bool), xp.ones(n, bool)
    for i in range(depth):
        after = after | (equal & (later[:, i] > earlier[:, i]))
        equal = equal & (later[:, i] == earlier[:, i])
    return after


def first_invalid(indices, shape):
    """What is wrong with the first bad row: out of bounds, out of order, repeated."""
    good = inside(np, indices, shape)
    later = increasing(np, indices)
    fine = good.copy()
    fine[1:] &= later
    bad = np.flatnonzero(~fine)
    if not len(bad):
        return None
    n = int(bad[0])
    label = f"indices[{n}] = {row_text(indices[n])}"
    if not good[n]:
        return f"{label} is out of bounds: need 0 <= index < {text(shape)}"
    same = n and np.array_equal(indices[n], indices[n - 1])
    return f"{label} is {'repeated' if same else 'out of order'}"


# ------------------------------------------------------------------ matching rows
def _match(a, b):
    """Where each row of `a` is in `b`, or -1; by binary search, else row by row."""
    ka, kb = keys(a, b)
    if not ascending(kb):
        places = {k: i for i, k in reversed(list(enumerate(kb.tolist())))}
        return np.array([places.get(k, -1) for k in ka.tolist()], np.int64)
    at = np.searchsorted(kb, ka)
    found = at < len(kb)
    found[found] = kb[at[found]] == ka[found]
    return np.where(found, at, -1)


SparseMatch = define(
    "TwinSparseMatch(a: int64, b: int64) -> (place: int64)",
    infer=lambda a, b: None if a._shape is None else a._shape[:1],
    host=_match,
)


def match(a, b):
    """Where each row of `a` stands in `b`, int64[n]; -1 where it does not."""
    return apply(SparseMatch, (a, b))


@bind_first
def _places_kernel(xp, indices, shape, dense):
    whole, part = ints(shape), ints(dense)
    kept = indices[:, len(whole) - len(part) :]
    return kept * xp.asarray([d != 1 for d in part], indices.dtype)


SparsePlaces = define(
    "TwinSparsePlaces(indices: T, shape: host int64, dense: host int64) -> (place: T)",
    infer=lambda indices, shape, dense: (
        None if indices._shape is None else indices._shape[0],
        None if dense is None else len(ints(dense)),
    ),
    kernel=_places_kernel,
    types=INDEX,
)


def places_in(indices, shape, dense):
    """The places of rows of `shape` in a tensor that is broadcast to it.

    Args:
        indices: int64[n, ndims]. shape: the sparse shape. dense: the tensor's shape.
    """
    return apply(SparsePlaces, (indices, shape, dense))

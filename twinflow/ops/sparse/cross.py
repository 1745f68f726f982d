"""Crosses of features: every combination of the values that rows have."""

import functools
import itertools
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast
from twinflow.ops.core.fingerprint import farm64
from twinflow.ops.core.infer import attr_at_least, ranked
from twinflow.ops.sparse.rows import fit_all
from twinflow.ops.sparse.tensor import SparseTensor, is_sparse, sparse_input

_KEY = SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 0xDECAFCAFFE
_MUL, _MASK, _LARGEST = 0xC6A4A7935BD1E995, 2**64 - 1, 2**63 - 1


# ------------------------------------------------------------------ the kernel


def _features(values, hashed):
    """What is crossed: texts, or numbers below 2**64."""
    flat = values.ravel().tolist()
    if not hashed:
        return [v if isinstance(v, bytes) else str(v).encode() for v in flat]
    if values.dtype == object:
        return farm64(flat).tolist()
    return [v & _MASK for v in flat]


def _by_row(indices, values, batch, hashed):
    rows: list = [[] for _ in range(batch)]
    features = _features(values, hashed)
    for row, feature in zip(indices[:, 0].tolist(), features, strict=True):
        rows[row].append(feature)
    return rows


def _shift_mix(v):
    return v ^ (v >> 47)


def _hash(key, features, num_buckets):
    """The features' fingerprints joined one after the other, as FarmHash does."""
    out = key
    for f in features:
        out ^= _MUL
        out ^= _shift_mix(f * _MUL & _MASK) * _MUL & _MASK
        out = out * _MUL & _MASK
        out = _shift_mix(_shift_mix(out) * _MUL & _MASK)
    return out % (num_buckets or _LARGEST)


def _older_hash(_, features, num_buckets):
    """The features' fingerprints mixed by shifts, which collide more often."""
    out = _KEY
    for f in features:
        right = (out - (out >> 63 << 64)) >> 4  # the sign goes with it
        out ^= (f + 0x9E3779B97F4A7800 + (out << 10) + right) & _MASK
    return out % (num_buckets or _LARGEST)


def _crosser(hash_of):
    """The kernel of an op with this function from features to a number."""

    def kernel(
        indices, values, shapes, dense, hashed_output, num_buckets, out_type,
        internal_type, hash_key=None,
    ):  # fmt: skip
        found = _cross(indices, values, shapes, dense, hashed_output)
        places, crossed, size = found
        if hashed_output:
            hashes = [hash_of(hash_key, f, num_buckets) for f in crossed]
            return [places, np.array(hashes, np.int64), size]
        out = np.empty(len(crossed), object)
        out[:] = [b"_X_".join(f) for f in crossed]
        return [places, out, size]

    return kernel


def _cross(indices, values, shapes, dense_inputs, hashed_output):
    """(indices, tuples of features, dense shape) of every combination of a row."""
    batch = int(shapes[0][0]) if shapes else dense_inputs[0].shape[0]
    columns = [_by_row(i, v, batch, hashed_output) for i, v in zip(indices, values)]
    for dense in dense_inputs:
        flat, n = _features(dense, hashed_output), dense.shape[1]
        columns.append([flat[i * n : (i + 1) * n] for i in range(batch)])
    rows: list = []
    found: list = []
    longest = 0
    for row in range(batch):
        crossed = list(itertools.product(*(c[row] for c in columns)))
        longest = max(longest, len(crossed))
        rows += [(row, i) for i in range(len(crossed))]
        found += crossed
    places = np.array(rows, np.int64).reshape(-1, 2)
    return places, found, np.array([batch, longest], np.int64)


def _check(indices, values, shapes, dense, **_):
    sizes = [int(s[0]) for s in shapes] + [d.shape[0] for d in dense]
    for s in shapes:
        if len(s) != 2:
            return f"shape should imply a 2D tensor, but got {len(s)} axes"
    for i, n in enumerate(sizes):
        if n != sizes[0]:
            return f"Expected batch size {sizes[0]}, got {n} at position {i}"
    for rows, n in zip(indices, sizes, strict=False):
        if np.any((rows[:, 0] < 0) | (rows[:, 0] >= n)):
            return f"indices are out of bounds: need 0 <= index < {n}"
    return None


def _infer(
    kind, indices, values, shapes, dense, num_buckets, hashed_output, out_type, **_
):
    attr_at_least(0, kind, "num_buckets", num_buckets)
    fit_all(indices, values, shapes)
    for s in shapes:
        if s._shape not in (None, (None,), (2,)):
            raise InferError(
                f"shape should imply a 2D tensor, but got {s._shape[0]} axes"
            )
    if hashed_output != (out_type is dtypes.int64):
        raise InferError(
            "Hashed crosses are of type int64, others strings: hashed_output is "
            f"{hashed_output}, out_type {out_type.name}"
        )
    for d in dense:
        ranked(d._shape, 2, "Dense inputs should be a matrix but received shape {}")
    return [(None, 2), (None,), (2,)]


def _define(kind, hash_of):
    infer = functools.partial(_infer, kind)
    return define(kind, infer=infer, host=_crosser(hash_of), check=_check)


SparseCross = _define("SparseCross", _hash)
SparseFeatureCrossV2 = _define("SparseFeatureCrossV2", _hash)
SparseFeatureCross = _define("SparseFeatureCross", _older_hash)


# ------------------------------------------------------------------ public
def _crossed(inputs, attrs, name, op=SparseCross):
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(is_sparse(i) or isinstance(i, Tensor) for i in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [sparse_input(i) for i in inputs if is_sparse(i)]
    dense = [_wide(i) for i in inputs if not is_sparse(i)]
    values = [_wide(sp.values) for sp in sparse]
    indices, shapes = [s.indices for s in sparse], [s.dense_shape for s in sparse]
    kind = dtypes.int64 if attrs.get("hashed_output") else dtypes.string
    attrs = {**attrs, "out_type": kind, "internal_type": kind}
    return SparseTensor(*apply(op, (indices, values, shapes, dense), attrs, name))


def _wide(t: Any):
    return t if t.dtype is dtypes.string else cast(t, dtypes.int64)


def sparse_cross(inputs: TensorValue, name: str | None = None) -> SparseTensor:
    """Every combination of the features of a row, as texts joined with `_X_`.

    Args:
        inputs: a list of SparseTensors and dense tensors [batch, n] of strings or ints.
        name: the name of the node in a graph.
    Returns:
        A SparseTensor string[batch, most combinations]; the last input goes fastest.
    Example:
        tf.sparse.cross([tf.constant([["a", "b"]]), tf.constant([["c"]])])
    """
    attrs = {"hashed_output": False, "num_buckets": 0, "hash_key": 0}
    return _crossed(inputs, attrs, name)


def sparse_cross_hashed(
    inputs: TensorValue, num_buckets: Any = 0, hash_key: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As tf.sparse.cross, but each combination as its hash.

    Args:
        inputs: a list of SparseTensors and dense tensors [batch, n] of strings or ints.
        num_buckets: the hash is below it; 0 = any non-negative int64.
        hash_key: where the hash begins. name: the name of the node in a graph.
    Returns:
        A SparseTensor int64[batch, most combinations].
    """
    attrs = {
        "hashed_output": True,
        "num_buckets": num_buckets,
        "hash_key": hash_key or _KEY,
    }
    return _crossed(inputs, attrs, name)


def sparse_feature_cross(
    inputs: Any, hashed_output: bool = False, num_buckets: int = 0,
    name: str | None = None, hash_key: Any = None,
) -> SparseTensor:  # fmt: skip
    """Every combination of the features of a row, as texts or hashes.

    Args:
        inputs: a list of SparseTensors and dense tensors [batch, n] of strings or ints.
        hashed_output: whether the combinations are hashes.
        num_buckets: hashes are below it; 0 = any non-negative int64.
        name: the name of the node in a graph.
        hash_key: where the hash begins; without it an older function is taken, which
            collides more often.
    Raises:
        TypeError: the inputs are something else.
    """
    attrs = {"hashed_output": hashed_output, "num_buckets": num_buckets}
    if hash_key:
        attrs["hash_key"] = hash_key
        return _crossed(inputs, attrs, name, SparseFeatureCrossV2)
    return _crossed(inputs, attrs, name, SparseFeatureCross)

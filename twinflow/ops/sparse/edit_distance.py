"""The Levenshtein distance between sequences held in sparse tensors."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ints, same_dim, text
from twinflow.ops.sparse.rows import fit, row_text


def _infer_distance(*parts, normalize):
    hypothesis_shape, truth_shape = parts[2], parts[5]
    fit(*parts[:3], " of hypothesis")
    fit(*parts[3:], " of truth")
    if hypothesis_shape is None or truth_shape is None:
        return None
    h, t = ints(hypothesis_shape), ints(truth_shape)
    for kind, s in (("truth", t), ("hypothesis", h)):
        if len(s) < 2:
            raise InferError(
                f"Input SparseTensors must have rank at least 2, but {kind}_shape rank "
                f"is: {len(s)}"
            )
    start = "Expected hypothesis.shape.rank == truth.shape.rank, got"
    same_dim(len(h), len(t), f"{start} {len(h)} and {len(t)}")
    pairs = zip(h[:-1], t[:-1], strict=True)
    return tuple(None if None in p else max(p) for p in pairs)


def _sequences(indices, values):
    """The values of each sequence, by the place of the sequence."""
    found: dict = {}
    for place, value in zip(indices[:, :-1].tolist(), values.tolist(), strict=True):
        found.setdefault(tuple(place), []).append(value)
    return found


def levenshtein(a, b):
    """How few elements must be put in, left out or changed to make `b` of `a`."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            changed = above + (x != y)
            above = row[j]
            row[j] = min(changed, above + 1, row[j - 1] + 1)
    return row[-1]


def _check_places(*parts, normalize):
    sides = (parts[0], parts[2]), (parts[3], parts[5])
    for rows, shape in sides:
        bad = np.any((rows < 0) | (rows >= np.array(ints(shape))), 1)
        if bad.any():
            i = int(np.argmax(bad))
            return (
                f"indices[{i}] = {row_text(rows[i])} is out of bounds: need 0 <= index "
                f"< {text(ints(shape))}"
            )
    return None


def _distance_kernel(
    hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices,
    truth_values, truth_shape, normalize,
):  # fmt: skip
    sizes = zip(ints(hypothesis_shape)[:-1], ints(truth_shape)[:-1], strict=True)
    out = np.zeros([max(p) for p in sizes], np.float32)
    found = _sequences(hypothesis_indices, hypothesis_values)
    wanted = _sequences(truth_indices, truth_values)
    for place in found.keys() | wanted.keys():
        a, b = found.get(place, []), wanted.get(place, [])
        d = levenshtein(a, b)
        if normalize:
            d = d / len(b) if b else np.inf
        out[place] = d
    return out


EditDistance = define(
    "EditDistance",
    on_host="hypothesis_shape truth_shape",
    infer=_infer_distance,
    check=_check_places,
    host=_distance_kernel,
)


def edit_distance(
    hypothesis: Any, truth: Any, normalize: bool = True,
    name: str | None = "edit_distance",
) -> Tensor:  # fmt: skip
    """The Levenshtein distances between the sequences of two sparse tensors.

    A sequence is what lies along the last axis.

    Args:
        hypothesis, truth: SparseTensors of one dtype and rank, at least 2.
        normalize: divide by the length of the truth; nothing wanted gives infinity.
        name: the name of the node in a graph.
    Returns:
        float32[...], the shape without the last axis.
    Raises:
        TypeError: something else than SparseTensors is given.
    Example:
        a = tf.SparseTensor([[0, 0]], ["a"], [1, 1])
        b = tf.SparseTensor([[0, 0], [0, 1]], ["a", "b"], [1, 2])
        tf.edit_distance(a, b)  # [0.5]
    """
    parts = [*_parts(hypothesis, "Hypothesis"), *_parts(truth, "Truth")]
    return apply(EditDistance, parts, {"normalize": normalize}, name)


def _parts(x, what):
    parts = [getattr(x, f, None) for f in ("indices", "values", "dense_shape")]
    if any(p is None for p in parts):
        raise TypeError(f"{what} must be a SparseTensor.")
    return parts

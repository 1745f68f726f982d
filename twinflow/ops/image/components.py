"""The parts of images that hang together, and greedy pairs of rows and columns."""

import numpy as np
from scipy import ndimage

from twinflow.base import native
from twinflow.base.op import define
from twinflow.ops.core.infer import ranked


def _labelled(image):
    """Each pixel the number of the first pixel of its part, from 1; 0 where it is 0."""
    images = np.asarray(image)
    found = _labelled_in_c(images)
    return _labelled_in_python(images) if found is None else found


def _labelled_in_c(images):
    """By native/sampling.c, or None: strings, and where there is no C module."""
    kind, plain = images.dtype.kind, images.ndim == 3 and images.size
    if kind not in "biuf" or not plain or not hasattr(native.fast, "components"):
        return None
    if kind == "f" and images.itemsize < 4:
        images = images.astype(np.float32)
    images, out = np.ascontiguousarray(images), np.empty(images.shape, np.int64)
    native.fast.components(images, out, *images.shape[1:], images.itemsize, kind == "f")
    return out


def _labelled_in_python(images):
    out = np.zeros(images.shape, np.int64)
    size = int(np.prod(images.shape[1:]))
    for i, one in enumerate(images):
        for value in np.unique(one):
            if value in (0, b""):
                continue
            parts, count = ndimage.label(one == value)
            first = np.zeros(count + 1, np.int64)
            found, places = np.unique(parts, return_index=True)
            first[found] = places + 1 + i * size
            first[0] = 0
            out[i] += first[parts]
    return out


ImageConnectedComponents = define(
    "ImageConnectedComponents", infer=lambda image: image._shape, host=_labelled,
    strict=True,
)  # fmt: skip


def _valid_rows(distances, num_valid_rows):
    """How many rows take part: all for numbers below 0, none for those of no int32."""
    found = np.ravel(num_valid_rows)[0]
    if not found >= 0:
        return len(distances)
    return int(found) if found < 2**31 else 0


def _check_matched(distance_mat, num_valid_rows, top_k):
    if np.size(num_valid_rows) != 1:
        return (
            "num_valid_rows argument should be a tensor with 1 element, but got "
            f"{np.size(num_valid_rows)}"
        )
    rows, valid = len(distance_mat), _valid_rows(distance_mat, num_valid_rows)
    if valid > rows:
        return (
            f"There should be at least {valid} rows in distance_mat, but only got "
            f"{rows} rows."
        )
    return None


def _ascending(distances):
    """Places of float32 numbers from the least on, NaN at the end; of equal ones the
    first comes first. A sort of what has the place in its low bits is not stable, but
    five times as fast as one that is.
    """
    flat = np.ravel(distances) + np.float32(0)  # no -0.0
    bits = flat.view(np.int32)
    keys = np.where(bits < 0, bits ^ 0x7FFFFFFF, bits).astype(np.int64)
    keys[np.isnan(flat)] = 0x7FFFFFFF
    return np.sort(keys << 32 | np.arange(keys.size)) & 0xFFFFFFFF


def _matched(distance_mat, num_valid_rows, top_k):
    distances = np.array(distance_mat, np.float32)
    rows, columns = distances.shape
    valid = _valid_rows(distances, num_valid_rows)
    count = min(valid, columns)
    count = count if top_k <= 0 else min(count, top_k)
    row_to, column_to = np.full(rows, -1, np.int32), np.full(columns, -1, np.int32)
    for place in _ascending(distances[:valid]):
        if count == 0:
            break
        i, j = divmod(int(place), columns)
        if row_to[i] < 0 and column_to[j] < 0:
            row_to[i], column_to[j], count = j, i, count - 1
    return row_to, column_to


def _infer_matched(distance_mat, num_valid_rows, top_k):
    message = "distance_mat should be 2-dimensional, but got {}"
    rows, columns = ranked(distance_mat._shape, 2, message)
    return [(rows,), (columns,)]


BipartiteMatch = define(
    "BipartiteMatch", infer=_infer_matched, host=_matched, check=_check_matched
)

"""The parts of images that hang together, and greedy pairs of rows and columns."""

import numpy as np
from scipy import ndimage

from twinflow.base.op import define


def _labelled(image):
    """Each pixel the number of the first pixel of its part, from 1; 0 where it is 0."""
    images = np.asarray(image)
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


def _matched(distance_mat, num_valid_rows, top_k):
    distances = np.array(distance_mat, np.float32)
    rows, columns = distances.shape
    valid = np.ravel(num_valid_rows)[0]
    valid = rows if valid < 0 else min(int(valid), rows)
    count = min(valid, columns)
    count = count if top_k < 0 else min(count, top_k)
    row_to, column_to = np.full(rows, -1, np.int32), np.full(columns, -1, np.int32)
    order = np.argsort(distances[:valid], axis=None, kind="stable")
    for place in order:
        if count == 0:
            break
        i, j = divmod(int(place), columns)
        if row_to[i] < 0 and column_to[j] < 0:
            row_to[i], column_to[j], count = j, i, count - 1
    return row_to, column_to


def _infer_matched(distance_mat, num_valid_rows, top_k):
    s = distance_mat._shape or (None, None)
    return [(s[0],), (s[1],)]


BipartiteMatch = define(
    "BipartiteMatch", infer=_infer_matched, host=_matched, strict=True
)

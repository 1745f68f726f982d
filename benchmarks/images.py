"""The work of the rows about input pipelines: images, and what is done to each.

No framework is imported here: worker processes of all of them find the functions.
"""

import zlib

import numpy as np

BATCH, EPOCH = 64, 50  # images in a batch, batches in an epoch
SIDE, LEVELS = 28, 32


def images():
    """float32[3200, 28, 28] in [0, 1)."""
    random = np.random.default_rng(5)
    return random.random((BATCH * EPOCH, SIDE, SIDE), np.float32)


def _key(image):
    """A number that stands for chance, the same for an image each time."""
    return zlib.crc32(image[SIDE // 2])


def augmented(image):
    """A usual augmentation: flipped, shifted by up to two pixels, standardised."""
    key = _key(image)
    if key & 1:
        image = image[:, ::-1]
    padded = np.zeros((SIDE + 4, SIDE + 4), np.float32)
    padded[2:-2, 2:-2] = image
    y, x = (key >> 1) % 5, (key >> 4) % 5
    image = padded[y : y + SIDE, x : x + SIDE]
    return (image - np.float32(0.5)) / (image.std() + np.float32(1e-3))


def denoised(image):
    """Heavy in NumPy: without its small singular values."""
    u, s, v = np.linalg.svd(image)
    least = 1 + np.float32(_key(image) % 4)
    return (u * np.maximum(s - least, 0)) @ v


def equalized(image):
    """Heavy in Python: all levels of grey equally often, a loop over the pixels."""
    levels = [int(v * LEVELS) for v in image.ravel().tolist()]
    counts = [0] * LEVELS
    for level in levels:
        counts[level] += 1
    total, ranks = 0, []
    for count in counts:
        total += count
        ranks.append(total / len(levels))
    found = np.array([ranks[level] for level in levels], np.float32)
    return found.reshape(SIDE, SIDE)


WORK = {"data_python": augmented, "data_numpy": denoised, "data_processes": equalized}


def epoch(batches):
    """The mean of all pixels of the next epoch of an endless iterator of batches."""
    return np.mean([np.asarray(next(batches)).mean() for _ in range(EPOCH)])

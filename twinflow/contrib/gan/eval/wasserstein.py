"""The sliced Wasserstein distance of images, at each of some scales."""

from typing import Any

import numpy as np

from twinflow.base.dtypes import int32
from twinflow.ops.arrays.padding import pad
from twinflow.ops.arrays.space_batch import batch_to_space
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.constant import constant, convert_to_tensor, to_float
from twinflow.ops.core.creation import range, zeros
from twinflow.ops.core.elementwise import rsqrt, sqrt, square
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.svd import svd
from twinflow.ops.nn.conv_separable import depthwise_conv2d
from twinflow.ops.nn.moments import moments
from twinflow.ops.random.draws import random_normal, random_uniform

_BINOMIAL = np.array([1, 4, 6, 4, 1], np.float32)
_GAUSSIAN_FILTER = (np.outer(_BINOMIAL, _BINOMIAL) / 256.0).reshape(5, 5, 1, 1)


def _blurred(batch, gain):
    """The Gaussian filter over each channel, the edges mirrored."""
    padded = pad(batch, [[0, 0], [2, 2], [2, 2], [0, 0]], "REFLECT")
    kernel = constant(_GAUSSIAN_FILTER * np.float32(gain))
    kernel = tile(kernel, [1, 1, batch.shape.as_list()[-1], 1])
    return depthwise_conv2d(padded, kernel, [1, 1, 1, 1], "VALID")


def _larger(batch):
    """Images of twice the size, blurred."""
    n, height, width, channels = (shape(batch)[i] for i in (0, 1, 2, 3))
    empty = zeros(stack([3 * n, height, width, channels]))
    spread = batch_to_space(concat([batch, empty], 0), [[0, 0], [0, 0]], 2)
    spread.set_shape([None, None, None, batch.shape[3]])
    return _blurred(spread, 4)


def _laplacian_pyramid(batch: Any, num_levels: int) -> list:
    """Images of ever half the size, but the last without what the next one shows.

    Args:
        batch: number[batch, height, width, channels].
    Returns:
        `num_levels` tensors, the largest images first.
    """
    pyramid = [to_float(convert_to_tensor(batch))]
    pyramid[0].shape.with_rank(4)
    while len(pyramid) < num_levels:
        pyramid.append(_blurred(pyramid[-1], 1)[:, ::2, ::2])
        pyramid[-2] = pyramid[-2] - _larger(pyramid[-1])
    return pyramid


def _batch_to_patches(batch: Any, patches_per_image: int, patch_size: int) -> Any:
    """Squares out of images, drawn: float[batch * patches, size, size, channels]."""
    sizes = shape(batch)
    count = sizes[0] * patches_per_image
    image = tile(range(sizes[0]), [patches_per_image])
    corners = [
        random_uniform([count], 0, sizes[i] - patch_size + 1, dtype=int32)
        for i in (1, 2)
    ]
    along = np.arange(patch_size, dtype=np.int32)
    grids = np.meshgrid(along, along, indexing="ij")
    places = [
        reshape(start, [-1, 1, 1]) + steps
        for start, steps in zip([image, *corners], [0 * grids[0], *grids], strict=True)
    ]
    patches = gather_nd(batch, stack(places, -1))
    patches.set_shape([None, patch_size, patch_size, batch.shape.as_list()[3]])
    return patches


def _normalize_patches(patches: Any) -> Any:
    """Each patch as a row with mean 0 and variance 1."""
    mean, variance = moments(patches, [1, 2, 3], keep_dims=True)
    rows = (patches - mean) / sqrt(variance)
    return reshape(rows, [shape(rows)[0], -1])


def _sort_rows(matrix: Any, num_rows: Any) -> Any:
    """Each column of a matrix in falling order."""
    return transpose(top_k(transpose(matrix, [1, 0]), num_rows)[0], [1, 0])


def _difference(a, b, directions):
    """The mean distance of what is seen in each direction."""
    rows = shape(a)[0]
    seen = [_sort_rows(matmul(x, directions), rows) for x in (a, b)]
    return reduce_mean(abs(seen[0] - seen[1]))


def _sliced_wasserstein(
    a: Any, b: Any, random_sampling_count: int, random_projection_dim: int
) -> Any:
    """The distance of the rows of two matrices, in directions that are drawn."""
    found = []
    for _ in [None] * random_sampling_count:
        drawn = random_normal([shape(a)[1], random_projection_dim])
        drawn *= rsqrt(reduce_sum(square(drawn), 0, keepdims=True))
        found.append(_difference(a, b, drawn))
    return reduce_mean(found)


def _sliced_wasserstein_svd(a: Any, b: Any) -> Any:
    """The distance of the rows of two matrices, in the directions of their SVD."""
    _, _, v = svd(concat([a, b], 0))
    return _difference(a, b, v)


def sliced_wasserstein_distance(
    real_images: Any, fake_images: Any, resolution_min: int = 16,
    patches_per_image: int = 64, patch_size: int = 7, random_sampling_count: int = 1,
    random_projection_dim: int = 147, use_svd: bool = False,
) -> list[Any]:  # fmt: skip
    """How far patches of generated images are from those of real ones, at each scale.

    Args:
        real_images, fake_images: number[batch, size, size, 3].
        resolution_min: the size of the smallest images. patches_per_image,
        patch_size: of the squares that are drawn from each image.
        random_sampling_count, random_projection_dim: how often how many directions are
            drawn. use_svd: take the directions of their SVD instead.
    Returns:
        Pairs, the largest images first: float scalars, the distance of real images from
        real ones, and from the others.
    Raises:
        ValueError: the images are not square, or both are not of a size.
    Reference: Karras et al., Progressive growing of GANs (2017).
    """
    height = real_images.shape.as_list()[1]
    real_images.shape.assert_is_compatible_with([None, None, height, 3])
    fake_images.shape.assert_is_compatible_with(real_images.shape)
    levels = 1
    while height >> levels >= resolution_min:
        levels += 1
    images = real_images, real_images, fake_images
    pyramids = [_laplacian_pyramid(x, levels) for x in images]
    distances = []
    for scale in zip(*pyramids, strict=True):
        real, again, fake = (
            _normalize_patches(_batch_to_patches(x, patches_per_image, patch_size))
            for x in scale
        )
        measure = _sliced_wasserstein_svd if use_svd else _sliced_wasserstein
        drawn = () if use_svd else (random_sampling_count, random_projection_dim)
        distances.append((measure(real, again, *drawn), measure(real, fake, *drawn)))
    return distances

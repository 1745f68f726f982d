"""Rows of ops.image: flip, place and quality."""

import numpy as np

from tests.support.op_cases.table import away_from_zero, case, error, floats
from twinflow.ops.image import flip as image_flip
from twinflow.ops.image import place as image_place
from twinflow.ops.image import quality as image_quality
from twinflow.ops.image.place import ResizeMethod

_F = np.float32
RANKS = "'image' must have either 3 or 4 dimensions."
BAD = [
    error(np.zeros((2, 3)), type=ValueError, text="at least three-dimensional"),
    error(np.zeros((1, 1, 2, 3, 1)), type=ValueError, text=RANKS),
    error(np.zeros((0, 3, 1)), type=ValueError, text="must be > 0: (0, 3, 1)"),
]
for lead in ((), (2,)):
    shape, n = (*lead, 4, 5, 2), len(lead)
    one = {"needs": "rank" if lead else ""}  # what has an unknown rank is one image
    case(
        image_flip.flip_left_right, floats(*shape), errors=BAD, **one,
        reference=lambda x, n=n: np.flip(x, n + 1),
    )  # fmt: skip
    case(
        image_flip.flip_up_down, floats(*shape), errors=BAD, **one,
        reference=lambda x, n=n: np.flip(x, n),
    )  # fmt: skip
    case(
        image_flip.transpose_image, floats(*shape), errors=BAD, **one,
        reference=lambda x, n=n: np.swapaxes(x, n, n + 1),
    )  # fmt: skip
    for k in (0, 1, 2, 3, -1):
        case(
            image_flip.rot90, floats(*shape), k, errors=BAD, **one,
            reference=lambda x, k, n=n: np.rot90(x, k, (n, n + 1)),
        )  # fmt: skip
case(
    image_flip.rot90, floats(3, 4, 1), np.int32(3),
    reference=lambda x, k: np.rot90(x, k),
)  # fmt: skip


# ------------------------------------------------------------------ places
def padded(x, top, left, height, width):
    """The image with zeros around."""
    h, w = x.shape[-3:-1]
    borders = [(top, height - top - h), (left, width - left - w), (0, 0)]
    return np.pad(x, [(0, 0)] * (x.ndim - 3) + borders)


def fitted(x, height, width):
    """The middle of the image in the middle of zeros."""
    for axis, wanted in ((x.ndim - 3, height), (x.ndim - 2, width)):
        have = x.shape[axis]
        cut = max(have - wanted, 0) // 2
        x = np.moveaxis(np.moveaxis(x, axis, 0)[cut : cut + wanted], 0, axis)
        before = max(wanted - have, 0) // 2
        border = [(0, 0)] * x.ndim
        border[axis] = (before, wanted - min(have, wanted) - before)
        x = np.pad(x, border)
    return x


for lead in ((), (2,)):
    shape = (*lead, 5, 8, 2)
    one = {"needs": "rank" if lead else ""}
    case(
        image_place.central_crop, floats(*shape), 0.5,
        needs="rank", reference=lambda x, f: x[..., 1:4, 2:6, :], errors=[
            error(np.zeros((2, 2, 1)), 0.0, type=ValueError, text="within (0, 1]"),
            error(np.zeros((2, 2)), 0.5, type=ValueError, text="three-dimensional"),
        ],
    )  # fmt: skip
    case(
        image_place.crop_to_bounding_box, floats(*shape), 1, 2, 3, 4,
        **one, reference=lambda x, *_: x[..., 1:4, 2:6, :], errors=[
            error(np.zeros((5, 8, 1)), *at, type=ValueError, text=text)
            for at, text in (
                ((-1, 0, 2, 2), "offset_height must be >= 0."),
                ((0, -1, 2, 2), "offset_width must be >= 0."),
                ((0, 0, 0, 2), "target_height must be > 0."),
                ((0, 0, 2, 0), "target_width must be > 0."),
                ((4, 0, 2, 2), "height must be >= target + offset."),
                ((0, 7, 2, 2), "width must be >= target + offset."),
            )
        ],
    )  # fmt: skip
    case(
        image_place.pad_to_bounding_box, floats(*shape), 1, 2, 8, 12, reference=padded,
        **one,
        errors=[
            error(np.zeros((5, 8, 1)), *at, type=ValueError, text=text)
            for at, text in (
                ((-1, 0, 9, 9), "offset_height must be >= 0"),
                ((0, -1, 9, 9), "offset_width must be >= 0"),
                ((0, 0, 9, 7), "width must be <= target - offset"),
                ((0, 0, 4, 9), "height must be <= target - offset"),
            )
        ],
    )  # fmt: skip
    for size in ((3, 4), (8, 13), (4, 11), (5, 8)):
        case(
            image_place.resize_image_with_crop_or_pad, floats(*shape), *size,
            reference=fitted, **one,
            errors=[error(np.zeros((2, 2)), 1, 1, type=ValueError, text=RANKS)],
        )  # fmt: skip
    case(
        image_place.resize_images, floats(*shape), [5, 8], reference=lambda x, *_: x,
        needs="rank",
        errors=[
            error(np.zeros((2, 2)), [1, 1], type=ValueError, text="3 or 4 dimensions"),
            error(np.zeros((2, 2, 1)), 3, type=ValueError, text="Tensor of 2 elements"),
            error(np.zeros((2, 2, 1)), "x", type=ValueError, text="1-D int32 Tensor"),
            error(
                np.zeros((2, 2, 1)), [1, 1], method=7, type=ValueError,
                text="Resize method is not implemented.",
            ),
        ],
    )  # fmt: skip
    case(
        image_place.resize_images, floats(*shape), [10, 16], attrs={
            "method": ResizeMethod.NEAREST_NEIGHBOR,
        }, needs="rank", reference=lambda x, *_, **__: x.repeat(2, -3).repeat(2, -2),
    )  # fmt: skip
    case(
        image_place.resize_images, floats(*shape), [10, 40], attrs={
            "method": ResizeMethod.NEAREST_NEIGHBOR, "preserve_aspect_ratio": True,
        }, needs="rank", reference=lambda x, *_, **__: x.repeat(2, -3).repeat(2, -2),
    )  # fmt: skip
    case(
        image_place.resize_image_with_pad, floats(*shape), 12, 16, **one,
        attrs={"method": ResizeMethod.NEAREST_NEIGHBOR},
        reference=lambda x, *_, **__: padded(
            x.repeat(2, -3).repeat(2, -2), 1, 0, 12, 16
        ),
    )  # fmt: skip


# ------------------------------------------------------------------ quality
def neighbours(x):
    """The differences of each pixel to those below and to the right."""
    down, right = np.zeros_like(x), np.zeros_like(x)
    down[:, :-1], right[:, :, :-1] = np.diff(x, axis=1), np.diff(x, axis=2)
    return [down, right]


def sobel(x):
    """Sums of products with the two kernels, borders mirrored."""
    smooth, steps = np.array([1, 2, 1]), np.array([-1, 0, 1])
    p = np.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)], "reflect")
    h, w = x.shape[1:3]
    kernels = np.outer(steps, smooth), np.outer(smooth, steps)
    return np.stack([
        sum(k[i, j] * p[:, i : i + h, j : j + w] for i in range(3) for j in range(3))
        for k in kernels
    ], -1)  # fmt: skip


case(
    image_quality.image_gradients, floats(2, 3, 4, 2), reference=neighbours,
    needs="rank",
    errors=[error(np.zeros((2, 2, 1)), type=ValueError, text="expects a 4D tensor")],
)  # fmt: skip
case(
    image_quality.sobel_edges, floats(2, 4, 5, 3), reference=sobel,
    tol={"float64": 1e-11, "float32": 3e-6}, reason="sums of six products",
)  # fmt: skip
STEEP = np.cumsum(np.random.RandomState(0).uniform(0.3, 1, (4, 5, 2)), 0).cumsum(1)
case(
    image_quality.total_variation, STEEP, needs="rank",
    reference=lambda x: np.abs(np.diff(x, axis=0)).sum()
    + np.abs(np.diff(x, axis=1)).sum(),
    errors=[error(np.zeros((2, 2)), type=ValueError, text="3 or 4-dimensional.")],
)  # fmt: skip
case(
    image_quality.total_variation, np.stack([STEEP, -STEEP]), needs="rank",
    reference=lambda x: np.abs(np.diff(x, axis=1)).sum((1, 2, 3))
    + np.abs(np.diff(x, axis=2)).sum((1, 2, 3)),
)  # fmt: skip
case(
    image_quality.psnr, floats(2, 4, 5, 3), away_from_zero(2, 4, 5, 3), 2.0, grad=(),
    dtypes=("float32",), tol={"float32": 3e-6}, reason="logarithms in float32",
    reference=lambda a, b, top: (
        20 * np.log10(top) - 10 * np.log10(((a - b) ** 2).mean((1, 2, 3)))
    ),
    errors=[error(np.zeros((2, 2, 1)), np.zeros((2, 3, 1)), 1.0, text="Incompatible")],
)  # fmt: skip


def parts(a, b, top):
    """(SSIM, contrast and structure) of each channel, window by window."""
    x = np.arange(11) - 5.0
    g = np.exp(-np.add.outer(x**2, x**2) / 4.5)
    g = (g / g.sum())[:, :, None]
    c1, c2 = (0.01 * top) ** 2, (0.03 * top) ** 2
    found = []
    for i in range(a.shape[0] - 10):
        for j in range(a.shape[1] - 10):
            p, q = (v[i : i + 11, j : j + 11].astype(np.float64) for v in (a, b))
            m, n = (g * p).sum((0, 1)), (g * q).sum((0, 1))
            v, w = (g * p * p).sum((0, 1)) - m * m, (g * q * q).sum((0, 1)) - n * n
            both = (g * p * q).sum((0, 1)) - m * n
            cs = (2 * both + c2) / (v + w + c2)
            found.append(((2 * m * n + c1) / (m * m + n * n + c1) * cs, cs))
    return np.mean(found, 0)


def halved(x):
    """The means of 2x2 pixels, an odd last one repeated."""
    h, w, c = x.shape
    x = np.pad(x, [(0, h % 2), (0, w % 2), (0, 0)], "edge")
    return x.reshape(-(-h // 2), 2, -(-w // 2), 2, c).mean((1, 3))


def multiscale(a, b, top, powers):
    """The reference of ssim_multiscale, for one image."""
    total = 1.0
    for k, power in enumerate(powers):
        a, b = (halved(v) if k else v for v in (a, b))
        whole, cs = parts(a, b, top)
        total = total * np.maximum(whole if k == len(powers) - 1 else cs, 0) ** power
    return np.asarray(total.mean())


_random = np.random.RandomState(3)
PHOTO = _random.uniform(0, 1, (25, 26, 2)).astype(_F)
NOISY = np.clip(PHOTO + _random.normal(0, 0.1, PHOTO.shape), 0, 1).astype(_F)
CLOSE = {"float32": 1e-5}
case(
    image_quality.ssim, PHOTO, NOISY, 1.0, grad=(), tol=CLOSE,
    reference=lambda a, b, top: np.asarray(parts(a, b, top)[0].mean(), _F),
    reason="differences of means of squares",
    errors=[error(PHOTO[:9], NOISY[:9], 1.0, text="Expected")],
)  # fmt: skip
case(
    image_quality.ssim, PHOTO[None], PHOTO[None], 1.0, grad=(), tol=CLOSE,
    reference=np.ones(1, _F), reason="differences of means of squares",
)  # fmt: skip
case(
    image_quality.ssim_multiscale, PHOTO, NOISY, 1.0, (0.4, 0.6), grad=(), tol=CLOSE,
    reference=lambda *args: multiscale(*args).astype(_F),
    reason="differences of means of squares",
)  # fmt: skip

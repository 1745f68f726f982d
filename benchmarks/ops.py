"""The ops at size: what each works on, and how its results are compared."""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SIZES = ("1e3", "1e5", "1e6")  # numbers in the first input, about
GRADIENT = "_gradient"  # what the name of a gradient's row ends with
SAMPLES = 16

FLAT = [(1000,), (100_000,), (1_000_000,)]
TABLES = [(10, 100), (100, 1000), (1000, 1000)]
CLASSES = [(10, 100), (50, 2000), (128, 10_000)]
MATRICES = [(32,), (316,), (1000,)]
SOLVED = [(32,), (150,), (500,)]
TOKENS = [(2, 8, 64), (8, 50, 256), (64, 128, 256)]
HEADS = [(1, 2, 8, 64), (2, 6, 128, 64), (8, 8, 128, 64)]
MOVED = [(2, 8, 8, 8), (4, 50, 8, 64), (16, 128, 8, 64)]
ROWS_TAKEN = [(40, 64, 16), (2000, 256, 400), (10_000, 256, 4096)]
SEGMENTS = [(16, 64, 4), (100, 1000, 25), (4096, 1000, 1000)]
IMAGES = [(1, 8, 8, 16), (2, 28, 28, 64), (32, 32, 32, 64)]


class Draw:
    """Random inputs, the same for every framework.

    Args:
        seed: what they depend on.
    """

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def __call__(self, *shape, scale=1.0):
        """float32 normal numbers."""
        return (scale * self.random.standard_normal(shape)).astype(np.float32)

    def below(self, end, *shape):
        """int64 in [0, end)."""
        return self.random.integers(0, end, shape)

    def distinct(self, *shape):
        """float32 between -1 and 1, none of them twice, in any order."""
        size = int(np.prod(shape))
        numbers = self.random.permutation(size).reshape(shape)
        return (2 * numbers / size - 1).astype(np.float32)

    def kernel(self, height, width, *channels):
        """float32 weights of a convolution."""
        return self(height, width, *channels, scale=(height * width * 8) ** -0.5)

    def separated(self, n):
        """A matrix [n, n] whose singular values are well apart."""
        left, right = (np.linalg.qr(self(n, n))[0] for _ in range(2))
        return (left * np.linspace(1, n, n) @ right).astype(np.float32)

    def positive(self, n):
        """A matrix [n, n] that is symmetric and positive definite."""
        half = self(n, n)
        return half @ half.T / n + np.eye(n, dtype=np.float32)

    def complex(self, n):
        """complex64[n]."""
        return self(n) + 1j * self(n)


@dataclass(frozen=True)
class Op:
    """An op, or some that belong together.

    Args:
        title: its name in the table.
        shapes: what `make` gets for each of SIZES.
        make: makes the inputs `a`, `b`, ... from a Draw and a shape.
        slopes: the letters of the inputs whose gradients are taken; "" for none.
        tolerance: how much results may differ.
        random: whether only the mean and the spread of its results are compared.
    """

    title: str
    shapes: list
    make: Callable
    slopes: str = ""
    tolerance: float = 1e-4
    random: bool = False

    def inputs(self, size):
        """{letter: array, or an int} for one of SIZES."""
        made = self.make(Draw(SIZES.index(size)), *self.shapes[SIZES.index(size)])
        return dict(zip("abcdef", made))

    def upstream(self, result):
        """The gradient that comes from above: random, but for the sign of a vector."""
        result = np.asarray(result)
        found = Draw(8)(*result.shape).astype(result.dtype)
        return found * result if self.title.startswith("svd") else found


def _flat(d, n):
    return (d(n),)


def _table(d, m, n):
    return (d(m, n),)


def _images(d, *shape):
    return (d(*shape),)


OPS = {
    "add": Op("a + b", FLAT, lambda d, n: (d(n), d(n)), "ab"),
    "affine": Op("a * row + row", TABLES, lambda d, m, n: (d(m, n), d(n), d(n)), "abc"),
    "tanh": Op("tanh", FLAT, _flat, "a"),
    "exp": Op("exp", FLAT, _flat, "a"),
    "sigmoid": Op("sigmoid", FLAT, _flat, "a"),
    "relu": Op("relu", FLAT, _flat, "a"),
    "gelu": Op("gelu, tanh form", FLAT, _flat, "a"),
    "sum": Op("reduce_sum", TABLES, _table, "a"),
    "sum_0": Op("reduce_sum, axis 0", TABLES, _table, "a"),
    "sum_1": Op("reduce_sum, axis 1", TABLES, _table, "a"),
    "max": Op("reduce_max", TABLES, lambda d, m, n: (d.distinct(m, n),), "a"),
    "argmax": Op("argmax, axis 1", TABLES, lambda d, m, n: (d.distinct(m, n),)),
    "softmax": Op("softmax", TABLES, _table, "a"),
    "sparse_xent": Op("sparse softmax cross entropy", CLASSES,
                      lambda d, m, n: (d(m, n), d.below(n, m)), "a"),
    "matmul": Op("matmul", MATRICES, lambda d, n: (d(n, n), d(n, n)), "ab"),
    "tensordot": Op("tensordot", TOKENS,
                    lambda d, *s: (d(*s), d(s[-1], s[-1])), "ab"),
    "attention": Op("attention's QK^T", HEADS, lambda d, *s: (d(*s), d(*s)), "ab"),
    "transpose": Op("transpose, 2-D, reshaped", TABLES, _table, "a"),
    "transpose_0213": Op("transpose, 0213, reshaped", MOVED, _images, "a"),
    "concat": Op("concat, axis 1", TABLES, lambda d, m, n: (d(m, n), d(m, n)), "ab"),
    "gather": Op("gather of rows", ROWS_TAKEN,
                 lambda d, m, n, k: (d(m, n), d.below(m, k)), "a"),
    "one_hot": Op("one_hot", CLASSES, lambda d, m, n: (d.below(n, m), n)),
    "conv": Op("conv2d 3x3", IMAGES,
               lambda d, *s: (d(*s), d.kernel(3, 3, s[-1], s[-1])), "ab"),
    "conv_1x1": Op("conv2d 1x1", IMAGES,
                   lambda d, *s: (d(*s), d.kernel(1, 1, s[-1], s[-1])), "ab"),
    "conv_stride": Op("conv2d 3x3, stride 2", IMAGES,
                      lambda d, *s: (d(*s), d.kernel(3, 3, s[-1], s[-1])), "ab"),
    "depthwise": Op("depthwise 3x3", IMAGES,
                    lambda d, *s: (d(*s), d.kernel(3, 3, s[-1], 1)), "ab"),
    "max_pool": Op("max_pool 2x2", IMAGES, lambda d, *s: (d.distinct(*s),), "a"),
    "avg_pool": Op("avg_pool 2x2", IMAGES, _images, "a"),
    "batch_norm": Op("fused_batch_norm, training", IMAGES,
                     lambda d, *s: (d(*s), d(s[-1]), d(s[-1])), "abc"),
    "layer_norm": Op("layer norm", TOKENS,
                     lambda d, *s: (d(*s), d(s[-1]), d(s[-1])), "abc"),
    "sort": Op("sort", FLAT, lambda d, n: (d.distinct(n),), "a"),
    "top_k": Op("top_k 100", FLAT, lambda d, n: (d.distinct(n),), "a"),
    "cumsum": Op("cumsum", FLAT, _flat, "a", tolerance=1e-3),
    "random_normal": Op("random_normal", FLAT, lambda d, n: (n,), random=True),
    "random_uniform": Op("random_uniform", FLAT, lambda d, n: (n,), random=True),
    "where": Op("where", FLAT, lambda d, n: (d(n) > 0, d(n), d(n)), "bc"),
    "cast": Op("cast to float64", FLAT, _flat, "a"),
    "segment_sum": Op("unsorted_segment_sum", SEGMENTS,
                      lambda d, m, n, k: (d(m, n), d.below(k, m), k), "a"),
    "pad": Op("pad of images", IMAGES, _images, "a"),
    "svd": Op("svd", [(32,), (100,), (200,)], lambda d, n: (d.separated(n),), "a",
              tolerance=1e-2),
    "matrix_solve": Op("matrix_solve", SOLVED,
                       lambda d, n: (d.positive(n), d(n, n)), "ab"),
    "cholesky": Op("cholesky", SOLVED, lambda d, n: (d.positive(n),), "a"),
    "fft": Op("fft", FLAT, lambda d, n: (d.complex(n),), "a"),
}  # fmt: skip


def _rows():
    """{row: (name, size, whether it is a gradient's)}, for example "relu@1e6"."""
    found = {}
    for size in SIZES:
        for name, op in OPS.items():
            found[f"{name}@{size}"] = name, size, False
            if op.slopes:
                found[f"{name}{GRADIENT}@{size}"] = name, size, True
    return found


ROWS = _rows()


def title(row):
    """What a row is called in the table."""
    name, size, slopes = ROWS[row]
    shape = "x".join(map(str, OPS[name].shapes[SIZES.index(size)]))
    return f"{OPS[name].title}{', gradient' * slopes}, {shape}"


def digest(array, op):
    """Some numbers that change when one element of an array does.

    Args:
        array: a result. op: its Op.
    Returns:
        float64: the norm, what two patterns of signs sum to and samples, in units of
        the norm; of random results, whether they look as they should.
    """
    flat = np.ravel(array)
    if np.iscomplexobj(flat):
        flat = np.stack([flat.real, flat.imag], 1).ravel()
    flat = flat.astype(np.float64)
    if op.random:
        return np.array([_looks_random(flat, op)])
    if op.title.startswith("svd"):
        flat = np.abs(flat)  # each pair of vectors may be turned around
    signs, chosen = _patterns(len(flat))
    norm = np.linalg.norm(flat)
    unit = norm or 1.0
    samples = flat[chosen]
    scaled = samples / (unit / len(flat) ** 0.5)
    return np.concatenate([[norm], signs @ flat / unit, scaled])


@functools.lru_cache(maxsize=4)
def _patterns(size):
    """float64 signs[2, size], and indices of samples."""
    random = np.random.default_rng(size)
    signs = random.integers(0, 2, (2, size), np.int8) * 2.0 - 1
    return signs, random.integers(0, size, SAMPLES)


def _looks_random(flat, op):
    """1.0 where the mean and the spread are within five standard errors."""
    if "normal" in op.title:
        mean, spread = 0.0, 1.0
    else:
        mean, spread = 0.5, 12**-0.5
    error = 5 * spread / len(flat) ** 0.5
    near = abs(flat.mean() - mean) < error and abs(flat.std() - spread) < error
    return float(near and len(np.unique(flat)) > 0.5 * len(flat))


def names_of(row):
    """How a row may be chosen without its size: "relu" is its gradient, too."""
    name = row.partition("@")[0]
    return {name, name.removesuffix(GRADIENT)}

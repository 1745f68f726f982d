"""The C module's sums, softmax and normalisation: NumPy's numbers, on any threads.

TWINFLOW_CASES=50000 draws more cases, as `make sanitize` is to be run now and then.
"""

import hashlib
import os

import numpy as np
import pytest

import twinflow as tf
from tests.children import words_of
from twinflow.base import native, reductions
from twinflow.base.reductions import add_reduce
from twinflow.ops.nn import loss, normal, normalized, rows, softmax
from twinflow.ops.nn.batch_norm import FusedBatchNorm, FusedBatchNormGrad

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "normal_rows"), reason="no C module, or Windows"
)
CASES = int(os.environ.get("TWINFLOW_CASES", "210"))
ODD = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e38, -3e38, 104.0]
REDUCERS = {
    "add": (reductions.add_reduce, np.add.reduce, ()),
    "fmax": (reductions.fmax_reduce, np.fmax.reduce, (-np.inf,)),
    "fmin": (reductions.fmin_reduce, np.fmin.reduce, (np.inf,)),
}
SIZES = [1, 2, 3, 5, 8, 15, 16, 17, 31, 48, 63, 64, 65, 100, 257, 1000, 2049, 5000]


def numbers(random, shape):
    """float32 of several sizes; now and then with a few odd ones."""
    x = random.standard_normal(shape) * 10.0 ** random.integers(-2, 3)
    x = (x + random.integers(-3, 4)).astype(np.float32)
    if random.random() < 0.3 and x.size:
        places = random.integers(0, x.size, random.integers(1, 4))
        x.ravel()[places] = random.choice(ODD, places.size)
    return x


def large_shape(random, axes):
    """A shape of that many axes, most often large enough for the C module."""
    shape = [int(random.choice(SIZES)) for _ in range(axes)]
    while np.prod(shape) < 16384 and random.random() < 0.9:
        shape[random.integers(axes)] += int(random.integers(1, 600))
    while np.prod(shape) > 400000:
        place = int(np.argmax(shape))
        shape[place] = max(shape[place] // 2, 1)
    return tuple(shape)


def assert_close(found, wanted, terms, what, scale=None):
    """Within what sums of so many terms of this size lose; infinities and NaN alike."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype == np.float32, what
    with np.errstate(all="ignore"):
        wanted = wanted.astype(np.float32)
        finite = np.isfinite(wanted)
        size = np.abs(wanted).astype(float) if scale is None else scale
        room = 4e-7 * (2 + np.log2(terms)) * np.where(np.isfinite(size), size, 0)
    room = np.broadcast_to(room, wanted.shape)
    np.testing.assert_array_equal(found[~finite], wanted[~finite], str(what))
    apart = np.abs(found[finite].astype(float) - wanted[finite])
    assert (apart <= room[finite] + 1e-36).all(), what


def reduction_case(random):
    x = numbers(random, large_shape(random, int(random.integers(1, 5))))
    count = int(random.integers(1, x.ndim + 1))
    axes = tuple(int(a) for a in random.permutation(x.ndim)[:count])
    axes = None if count == x.ndim and random.random() < 0.5 else axes
    keep, name = bool(random.random() < 0.5), random.choice(list(REDUCERS))
    ours, numpys, first = REDUCERS[name]
    if random.random() < 0.1:
        x = x[..., ::2]
    what = (x.shape, axes, keep, name)
    with np.errstate(all="ignore"):
        found = ours(x, axes, None, None, keep, *first)
        if name == "add":
            wanted = numpys(x.astype(float), axes, None, None, keep)
            scale = np.add.reduce(np.abs(x.astype(float)), axes, None, None, keep)
            with_inf = np.abs(wanted) > 1e38  # sums that may overflow on the way
            wanted = np.where(with_inf, numpys(x, axes, None, None, keep), wanted)
            found = np.where(with_inf & np.isfinite(wanted), wanted, found)
        else:
            wanted = numpys(x, axes, None, None, keep, *first)
            scale = 0.0
    found = np.asarray(found, np.float32)
    assert_close(found, wanted, x.size, what, scale)


def place_case(random):
    x = numbers(random, large_shape(random, int(random.integers(1, 4))))
    x = np.round(x) if random.random() < 0.5 else x
    for largest, key in ((True, -np.inf), (False, np.inf)):
        keys = np.where(np.isnan(x), np.float32(key), x)
        wanted = keys.argmax(-1) if largest else keys.argmin(-1)
        found = reductions.places(x, largest)
        if x.size >= reductions.LARGE:
            np.testing.assert_array_equal(found, wanted, str(x.shape))


def by_numpy(kernel, *arrays):
    """What a kernel makes of them without the C module, in float64 but if huge."""
    floats = [a for a in arrays if a.dtype == np.float32 and a.size]
    huge = any((np.abs(np.where(np.isfinite(a), a, 0)) > 1e37).any() for a in floats)
    with np.errstate(all="ignore"):
        if huge:  # differences overflow
            gaps = [np.repeat(a, 2, -1)[..., ::2] for a in arrays]
            return kernel(*gaps)
        wide = [a.astype(float) if a.dtype == np.float32 else a for a in arrays]
        return kernel(*wide)


def largest(x):
    """The size of the largest finite number, at least 1."""
    return float(np.abs(np.where(np.isfinite(x), x, 0)).max()) + 1


def softmax_case(random):
    x = numbers(random, large_shape(random, int(random.integers(1, 4))))
    dy = numbers(random, x.shape)
    n, what = x.shape[-1], x.shape
    for kind, op in ((0, softmax.Softmax), (1, softmax.LogSoftmax)):
        with np.errstate(all="ignore"):
            y, wanted = rows.softmax(kind, x), by_numpy(op.np, x)
        if y is None:
            assert x.size < 4096
            return
        with np.errstate(all="ignore"):
            size = (kind + np.abs(wanted).astype(float)) * largest(x)
        assert_close(y, wanted, n, (what, kind), size)
        d, p = dy.astype(float), y.astype(float)
        with np.errstate(all="ignore"):
            if kind == 0:
                along = np.sum(d * p, -1, keepdims=True)
                dx, size = (d - along) * p, np.sum(np.abs(d * p), -1, keepdims=True)
            else:
                along, p = np.sum(d, -1, keepdims=True), np.exp(p)
                dx, size = d - along * p, np.sum(np.abs(d), -1, keepdims=True)
            size = (np.abs(d) + size) * (1 + np.abs(p))
        found = rows.softmax(kind + 2, dy, y)
        far = np.abs(size).max() > 1e37 or not np.isfinite(dx).all()
        if not far:
            assert_close(found, dx, n, (what, kind, "gradient"), size)


def entropy_case(random):
    shape = large_shape(random, 2)
    x = numbers(random, shape)
    if random.random() < 0.5:
        op, kind = loss.SparseSoftmaxCrossEntropyWithLogits, random.choice(["i4", "i8"])
        labels = random.integers(0, shape[1], shape[0]).astype(kind)
    else:
        op = loss.SoftmaxCrossEntropyWithLogits
        labels = np.abs(random.standard_normal(shape)).astype(np.float32)
        labels[random.random(shape) < 0.3] = 0
    found = rows.cross_entropy(x, labels)
    if found is None:
        assert x.size < 4096
        return
    wanted = by_numpy(op.np, x, labels)
    slack = largest(x)
    weight = np.sum(labels, 1, float) if labels.ndim == 2 else 1.0
    assert_close(found[0], wanted[0], shape[1], shape, 2 * slack * (1 + weight))
    size = 1 + np.abs(wanted[1]).astype(float)
    assert_close(found[1], wanted[1], shape[1], shape, slack * size)


def normal_case(random):
    shape = large_shape(random, int(random.integers(1, 5)))
    x = random.standard_normal(shape).astype(np.float32) * 3 + random.integers(-9, 9)
    x = x.astype(np.float32)
    count = int(random.integers(1, x.ndim + 1))
    first = bool(random.random() < 0.5)
    axes = tuple(range(count)) if first else tuple(range(x.ndim - count, x.ndim))
    terms = x.size
    found = normal.moments(x, axes)
    if found is None:
        assert x.size < normal.LARGE
        return
    wide = x.astype(float)
    assert_close(found[0], wide.mean(axes), terms, shape, np.abs(wide).mean(axes))
    spread = ((wide - wide.mean(axes, keepdims=True)) ** 2).mean(axes)
    # Means of blocks are rounded, which counts by how far the blocks are apart.
    largest_mean = np.abs(wide).max()
    scale = spread + largest_mean * (1e-6 + 0.02 * np.sqrt(spread))
    assert_close(found[1], spread, terms, shape, scale)


def batch_case(random):
    c = int(random.choice([s for s in SIZES if s < 2000]))
    lines, width = (int(v) for v in random.integers(1, 40, 2))
    n = int(random.integers(1, 1 + max(1, 300000 // (c * lines * width))))
    x, dy = random.standard_normal((2, n, lines, width, c)).astype(np.float32)
    x += np.float32(random.integers(-9, 9))
    scale, offset = random.standard_normal((2, c)).astype(np.float32)
    training = bool(random.random() < 0.6)
    given = np.zeros((2, 0), np.float32)
    if not training:
        given = np.abs(random.standard_normal((2, c))).astype(np.float32) + 0.1
    found = normal.batch_norm(x, scale, offset, *given, 0.01, training)
    if found is None:
        assert x.size < normal.LARGE
        return
    attrs = {"epsilon": 0.01, "data_format": "NHWC", "is_training": training}
    ins = (x, scale, offset, *given)
    wanted = by_numpy(lambda *a: FusedBatchNorm.np(*a, **attrs), *ins)
    entries = n * lines * width
    for y, w in zip(found, wanted, strict=True):
        assert_close(y, w, entries, x.shape, np.abs(w) + 20 * np.abs(w).max())
    moments = found[3:]
    found = normal.batch_norm_back(dy, x, scale, *moments, 0.01, training)
    wanted = by_numpy(
        lambda *a: FusedBatchNormGrad.np(*a, **attrs), dy, x, scale, *moments
    )
    for y, w, count in zip(found, wanted, (1, entries, entries)):
        assert_close(y, w, entries, x.shape, 10 * np.abs(w).max() + 10 * count**0.5)


def layer_case(random):
    shape = large_shape(random, int(random.integers(2, 5)))
    x, dy = random.standard_normal((2, *shape)).astype(np.float32)
    by_rows = bool(random.random() < 0.6)
    kept = (*shape[:-1], 1) if by_rows else (*(1,) * (len(shape) - 1), shape[-1])
    mean = random.standard_normal(kept).astype(np.float32)
    variance = np.abs(random.standard_normal(kept)).astype(np.float32) + np.float32(0.1)
    offset, scale = random.standard_normal((2, shape[-1])).astype(np.float32)
    ins = (x, mean, variance, offset, scale)
    found = normal.normalized(*ins, 0.01)
    if found is None:
        assert x.size < normal.LARGE
        return
    wanted = by_numpy(lambda *a: normalized.Normalized.np(*a, epsilon=0.01), *ins)
    assert_close(found, wanted, 4, shape, np.abs(wanted) + 10)
    x, dy, mean, variance, offset, scale = (
        a.astype(float) for a in (x, dy, mean, variance, offset, scale)
    )
    rate = 1 / np.sqrt(variance + 0.01)
    slope, h = dy * scale * rate, (x - mean) * rate

    def total(a, like):
        axes = tuple(range(a.ndim - like.ndim))
        a = a.sum(axes)
        more = tuple(i for i, d in enumerate(like.shape) if d == 1)
        return a.sum(more, keepdims=True)

    grads = (
        (slope, x), (-slope, mean), (-0.5 * slope * h * rate, variance),
        (dy, offset), (dy * h, scale),
    )  # fmt: skip
    found = normal.normalized_back(dy.astype(np.float32), *ins, 0.01)
    if by_rows:
        found = (slope_by_way(found, slope, h, rate, shape), *found[1:])
    for y, (g, like) in zip(found, grads, strict=True):
        assert_close(y, total(g, like), x.size, shape, total(np.abs(g), like) + 10)


def slope_by_way(found, slope, h, rate, shape):
    """The gradient of x without what comes by way of moments; that with it is right."""
    ahead, n = found[0], shape[-1]
    part = ahead.tensor().numpy()
    assert not ahead.brings(ahead._due[:3]) and ahead.brings(ahead._due)
    assert not ahead.brings(ahead._due)
    p, q = slope.sum(-1, keepdims=True), (slope * h).sum(-1, keepdims=True)
    mean = lambda a: np.abs(a).mean(-1, keepdims=True)
    size = np.abs(slope) + mean(slope) + np.abs(h) * mean(slope * h)
    whole = slope - p / n - h * q / n
    assert_close(ahead.tensor().numpy(), whole, n, shape, size + 10)
    return part


KINDS = {
    "reductions": reduction_case,
    "places": place_case,
    "softmax": softmax_case,
    "entropies": entropy_case,
    "moments": normal_case,
    "batch norm": batch_case,
    "layer norm": layer_case,
}


@pytest.mark.parametrize("kind", KINDS)
def test_random_cases(kind):
    for case in range(CASES // len(KINDS) + 1):
        KINDS[kind](np.random.default_rng([case, len(kind)]))


CHILD = """
from tests.ops import test_rows as t
for kind in t.KINDS:
    for case in range(6):
        t.KINDS[kind](t.np.random.default_rng([case, 7]))
print(t.digest())
"""


def digest():
    """A checksum of what the kernels give."""
    random = np.random.default_rng(5)
    x, dy = random.standard_normal((2, 517, 1001)).astype(np.float32)
    labels = random.integers(0, 1001, 517)
    found = [reductions.add_reduce(x, axis) for axis in (None, 0, 1)]
    found += [rows.softmax(kind, x, dy) for kind in range(4)]
    found += rows.cross_entropy(x, labels)
    found += [a for axes in ([0], [1], [0, 1]) for a in normal.moments(x, axes)]
    moments = normal.moments(x, [0])
    found += normal.batch_norm_back(dy, x, x[0], *moments, 0.1, True)
    by_rows = [a[:, None] for a in normal.moments(x, [1])]
    dx, *others = normal.normalized_back(dy, x, *by_rows, x[0], x[1], 0.1)
    assert dx.brings(dx._due)
    found += [dx.tensor().numpy(), *others]
    return hashlib.sha256(b"".join(np.asarray(a).tobytes() for a in found)).hexdigest()


def test_the_result_does_not_depend_on_the_number_of_threads():
    one, three = (words_of(CHILD, OPENBLAS_NUM_THREADS=n) for n in "13")
    assert one == three


@pytest.mark.parametrize("floats", ["4", "8"])
def test_narrower_vectors_compute_the_same(floats):
    assert words_of(CHILD, TWINFLOW_VECTOR=floats)


@pytest.mark.parametrize("place", [0, 3, 8, 9, 39])
def test_nan_is_passed_over_wherever_it_is(place):
    x = np.full((40, 500), 2, np.float32)
    x[20], x[30] = 1, 3
    x[place] = np.nan
    for axis, turned in ((0, x), (1, x.T.copy()), (None, x)):
        found = reductions.fmax_reduce(turned, axis, None, None, False, -np.inf)
        assert (found == 3).all()
        found = reductions.fmin_reduce(turned, axis, None, None, False, np.inf)
        assert (found == 1).all()


def _layer_norm(x, scale, offset):
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)


def test_layers_are_normalized_as_in_graphs(eager):
    random = np.random.default_rng(3)
    shapes = (9, 40, 50), (50,), (50,)
    values = [random.standard_normal(s).astype("f") for s in shapes]

    def loss_of(ins, like):
        return tf.reduce_sum(_layer_norm(*ins) * like)

    ins, like = [tf.constant(v) for v in values], tf.constant(values[0][::-1].copy())
    with tf.GradientTape() as outer:
        outer.watch(ins)
        with tf.GradientTape() as tape:
            tape.watch(ins)
            found = loss_of(ins, like)
        first = tape.gradient(found, ins)
        bend = tf.reduce_sum(first[0] ** 2)
    second = outer.gradient(bend, ins[1])
    with tf.Graph().as_default(), tf.Session() as session:
        held = [tf.constant(v) for v in values]
        value = loss_of(held, tf.constant(values[0][::-1].copy()))
        slopes = tf.gradients(value, held)
        slope = tf.gradients(tf.reduce_sum(slopes[0] ** 2), held[1])[0]
        wanted = session.run([value, *slopes, slope])
    for a, b in zip([found, *first, second], wanted, strict=True):
        np.testing.assert_allclose(a.numpy(), b, 1e-3, 1e-3)


def test_moments_have_gradients_one_by_one(eager):
    values = np.random.default_rng(3).standard_normal((300, 70)).astype("f")
    x = tf.constant(values)
    for place, wanted in ((0, np.full_like(values, 1 / 300)),
                          (1, (values - values.mean(0)) * 2 / 300)):  # fmt: skip
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = tf.nn.moments(x, [0])[place]
        np.testing.assert_allclose(tape.gradient(found, x), wanted, 1e-4, 1e-6)


def test_what_does_not_fit_is_left_alone():
    x = np.ones((200, 100), np.float32)
    assert rows.cross_entropy(x, np.full(200, 100)) is None
    assert rows.cross_entropy(x, np.full(200, -1)) is None
    assert rows.cross_entropy(x, np.zeros(199, int)) is None
    fast = native.fast
    for wrong in (x[:, ::2], x.astype(float), x[:0], x.astype(">f4")):
        assert fast.softmax(0, wrong, None) is None
        assert fast.moments(wrong, 1, False) is None
        assert fast.scaled((wrong, *x[:3])) is None
    assert fast.scaled((x, x[0], x[0], x[0, :99])) is None
    assert fast.back((x, x[1:], x[0], x[0], x[0], x[0])) is None
    assert fast.normal_rows((x, x[:, 0].copy(), x[:, 0].copy(), x[0], x[0, 1:])) is None
    with pytest.raises(ValueError, match="sizes"):
        fast.moments(x, 3, False)
    with pytest.raises(ValueError):
        reductions.add_reduce(x, (0, 0))
    with pytest.raises(np.exceptions.AxisError):
        reductions.add_reduce(x, 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 23, 64, 126, 128, 129])
def test_sums_of_short_arrays_are_the_bits_of_numpy(n, dtype):
    random = np.random.default_rng(n)
    spread = (random.standard_normal(n) * 10 ** random.uniform(-3, 3, n)).astype(dtype)
    with_nan = np.where(np.arange(n) == n // 2, np.nan, spread).astype(dtype)
    for vector in spread, with_nan, np.full(n, -0.0, dtype), spread[::-1]:
        cases = [(vector, axis) for axis in (None, 0, -1, (0,))]
        cases += [(vector.reshape(1, n), None), (vector.reshape(n, 1), None)]
        for x, axis in cases:
            found = add_reduce(x, axis, x.dtype, None, False)
            want = np.add.reduce(x, axis, x.dtype, None, False)
            assert type(found) is type(want) and found.tobytes() == want.tobytes()
    for axis in 1, (1,), -2:
        with pytest.raises(np.exceptions.AxisError):
            add_reduce(spread, axis, spread.dtype)


def test_the_mean_of_a_vector_checks_its_axis():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        axis = tf.placeholder(tf.int32, [1])
        mean = tf.reduce_mean(x, axis)
        for a in 0, -1:
            assert session.run(mean, {x: [1.0, 2.0, 6.0], axis: [a]}) == 3.0
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(mean, {x: [1.0, 2.0], axis: [1]})

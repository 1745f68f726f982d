"""Families of tf.contrib: numbers, images, losses and distributions.

A case makes what it works on from a `Tools`, and returns a function: it is called once
in a graph, whose results a Session then computes again and again, or each time.
"""

import importlib

import numpy as np

from benchmarks.family_tools import row


# ---------------------------------------------------------------------- numbers
@row("nearest neighbors")
def _neighbors(t):
    ops = importlib.import_module(
        "tensorflow.contrib.factorization.python.ops.gen_clustering_ops"
    )
    points, centers = t.normal(t.many(2000), 64), t.normal(t.many(500), 64)
    return lambda: ops.nearest_neighbors(points, centers, t.tf.constant(5, t.tf.int64))


@row("k-means++")
def _first_centers(t):
    ops = importlib.import_module(
        "tensorflow.contrib.factorization.python.ops.gen_clustering_ops"
    )
    points, numbers = (
        t.normal(t.many(2000), 64),
        [t.given(n, t.tf.int64) for n in (20, 3, 2)],
    )
    return lambda: ops.kmeans_plus_plus_initialization(points, *numbers)


@row("hyperplane LSH", eager=False)
def _hyperplanes(t):
    ops = importlib.import_module(
        "tensorflow.contrib.nearest_neighbor.python.ops.nearest_neighbor_ops"
    )
    products = t.normal(t.many(1000), 128)
    return lambda: ops.hyperplane_lsh_probes(products, 8, 16, 16)


@row("sdca_fprint")
def _fingerprints(t):
    ops = importlib.import_module("tensorflow.python.ops.gen_sdca_ops")
    texts = t.given([str(i * 7919) * (1 + i % 5) for i in range(t.many(5000))])
    return lambda: ops.sdca_fprint(texts)


def _quantized(t, *shape):
    return t.given(t.random.randint(0, 255, shape), t.tf.uint8)


def _bitcast(t, x):
    return t.tf.bitcast(x, t.tf.quint8)


@row("quantized conv", eager=False)
def _quantized_conv(t):
    x, w = _quantized(t, 8, 28, 28, 32), _quantized(t, 3, 3, 32, 32)
    return lambda: t.tf.nn.quantized_conv2d(
        _bitcast(t, x), _bitcast(t, w), -1.0, 1.0, -1.0, 1.0, [1, 1, 1, 1], "SAME"
    )


@row("quantized product", eager=False)
def _quantized_product(t):
    ops = importlib.import_module("tensorflow.python.ops.gen_math_ops")
    a, b = _quantized(t, 256, 512), _quantized(t, 512, 256)
    return lambda: ops.quantized_mat_mul(
        _bitcast(t, a), _bitcast(t, b), -1.0, 1.0, -1.0, 1.0
    )


@row("fake_quant, gradient")
def _fake_quant(t):
    quant = t.tf.fake_quant_with_min_max_vars
    low, high = t.given(np.float32(-2)), t.given(np.float32(2))
    return t.slopes(
        lambda *a: t.tf.reduce_sum(quant(*a)), t.normal(t.many(200000)), low, high
    )


@row("sparsemax, gradient")
def _sparsemax(t):
    sparsemax = t.tf.contrib.sparsemax.sparsemax
    return t.slopes(lambda x: t.tf.reduce_max(sparsemax(x)), t.normal(256, 100))


@row("resampler, gradient")
def _resampler(t):
    warp = t.given((t.random.rand(4, t.many(2000), 2) * 60).astype(np.float32))
    resample = t.tf.contrib.resampler.resampler
    return t.slopes(
        lambda *a: t.tf.reduce_sum(resample(*a)), t.normal(4, 64, 64, 8), warp
    )


@row("periodic_resample", eager=False)
def _periodic(t):
    resample = t.tf.contrib.periodic_resample.periodic_resample
    x = t.normal(16, 32, 32, 64)
    return lambda: resample(x, [16, 64, 64, None])


# ---------------------------------------------------------------------- images
def _images(t):
    return t.given(t.random.rand(8, 64, 64, 3).astype(np.float32))


@row("image.rotate", eager=False)
def _rotate(t):
    x = _images(t)
    return lambda: t.tf.contrib.image.rotate(x, 0.3, "BILINEAR")


@row("image.transform, gradient", eager=False)
def _transform(t):
    by = [1.0, 0.2, 3.0, -0.1, 0.9, 2.0, 0.001, 0.0]
    transform = t.tf.contrib.image.transform
    return t.slopes(lambda x: t.tf.reduce_sum(transform(x, by, "BILINEAR")), _images(t))


@row("image.dense_image_warp")
def _dense_warp(t):
    x, flow = _images(t), t.normal(8, 64, 64, 2)
    return lambda: t.tf.contrib.image.dense_image_warp(x, flow)


@row("image.interpolate_spline", eager=False)
def _spline(t):
    at, value, query = t.normal(2, 40, 2), t.normal(2, 40, 3), t.normal(2, 1000, 2)
    return lambda: t.tf.contrib.image.interpolate_spline(at, value, query, 2)


@row("image.random_hsv_in_yiq")
def _hsv(t):
    image = importlib.import_module(
        "tensorflow.contrib.image.python.ops.distort_image_ops"
    )
    x = t.given(t.random.rand(64, 64, 3).astype(np.float32))
    return lambda: image.adjust_hsv_in_yiq(x, 0.2, 0.8, 1.1)


@row("image.connected_components")
def _components(t):
    x = t.given((t.random.rand(4, 128, 128) > 0.5).astype(np.int32))
    return lambda: t.tf.contrib.image.connected_components(x)


@row("image.bipartite_match")
def _bipartite(t):
    x = t.given(t.random.rand(60, 80).astype(np.float32))
    image = importlib.import_module("tensorflow.contrib.image.python.ops.image_ops")
    return lambda: image.bipartite_match(x, 50)


# ---------------------------------------------------------------------- losses
def _labels(t, count, classes):
    return t.given(t.random.randint(0, classes, count).astype(np.int32))


@row("triplet_semihard_loss, gradient")
def _triplets(t):
    labels, loss = _labels(t, 64, 8), t.tf.contrib.losses.metric_learning
    return t.slopes(lambda x: loss.triplet_semihard_loss(labels, x), t.normal(64, 32))


@row("npairs_loss, gradient")
def _npairs(t):
    labels, loss = _labels(t, 64, 8), t.tf.contrib.losses.metric_learning
    return t.slopes(
        lambda x, y: loss.npairs_loss(labels, x, y), t.normal(64, 32), t.normal(64, 32)
    )


@row("lifted_struct_loss, gradient")
def _lifted(t):
    labels, loss = _labels(t, 64, 8), t.tf.contrib.losses.metric_learning
    return t.slopes(lambda x: loss.lifted_struct_loss(labels, x), t.normal(64, 32))


@row("contrastive_loss, gradient")
def _contrastive(t):
    labels, loss = _labels(t, 64, 2), t.tf.contrib.losses.metric_learning
    return t.slopes(
        lambda x, y: loss.contrastive_loss(t.tf.to_float(labels), x, y),
        t.normal(64, 32), t.normal(64, 32),
    )  # fmt: skip


@row("crf_log_likelihood, gradient", eager=False)
def _crf(t):
    tags = t.given(t.random.randint(0, 9, (32, 20)).astype(np.int32))
    lengths = t.given(t.random.randint(5, 20, 32).astype(np.int32))
    likelihood = t.tf.contrib.crf.crf_log_likelihood
    return t.slopes(
        lambda x, w: t.tf.reduce_mean(likelihood(x, tags, lengths, w)[0]),
        t.normal(32, 20, 9), t.normal(9, 9),
    )  # fmt: skip


@row("crf_decode", eager=False)
def _decode(t):
    lengths = t.given(t.random.randint(5, 20, 32).astype(np.int32))
    x, w = t.normal(32, 20, 9), t.normal(9, 9)
    return lambda: t.tf.contrib.crf.crf_decode(x, w, lengths)


@row("labeled_tensor", eager=False)
def _labeled(t):
    lt = t.tf.contrib.labeled_tensor
    a = lt.LabeledTensor(t.normal(64, 32), ["a", "b"])
    b = lt.LabeledTensor(t.normal(32, 16), ["b", "c"])
    return lambda: lt.reduce_sum(lt.slice(lt.matmul(a, b), {"c": slice(0, 8)}), "a")


# ------------------------------------------------------------------ distributions
FAMILIES = {
    "Normal": (0.5, 1.5), "Gamma": (2.0, 1.5), "Beta": (2.0, 1.5),
    "Laplace": (0.5, 1.5), "StudentT": (4.0, 0.5, 1.5), "Uniform": (-1.0, 1.5),
    "Exponential": (1.5,), "Poisson": (3.0,), "Bernoulli": (0.3,),
    "Logistic": (0.5, 1.5),
}  # fmt: skip


def _distribution(name, parameters):
    def log_prob(t):
        numbers = [t.given(np.float32(p)) for p in parameters]
        x = t.random.rand(t.many(20000)).astype(np.float32) * 0.9 + 0.05
        x = t.given(np.round(x) if name in ("Poisson", "Bernoulli") else x)
        kind = getattr(t.tf.contrib.distributions, name)
        return lambda: kind(*numbers).log_prob(x)

    def sample(t):
        numbers = [t.given(np.float32(p)) for p in parameters]
        kind = getattr(t.tf.contrib.distributions, name)
        return lambda: kind(*numbers).sample(t.many(20000), seed=1)

    row(name + ".log_prob")(log_prob)
    row(name + ".sample")(sample)


for _name, _parameters in FAMILIES.items():
    _distribution(_name, _parameters)


def _bijector(name, make):
    def both(t):
        bijectors = t.tf.contrib.distributions.bijectors
        rows = t.many(2000)
        x = t.given((t.random.rand(rows, 8) * 0.5 + 0.45).astype(np.float32))
        return lambda: [
            make(bijectors).forward(x), make(bijectors).inverse_log_det_jacobian(x, 1),
            make(bijectors).inverse(x), make(bijectors).forward_log_det_jacobian(x, 1),
        ]  # fmt: skip

    row("bijector " + name)(both)


_bijector("Affine", lambda b: b.Affine([1.0] * 8, scale_diag=[2.0] * 8))
_bijector("Softplus", lambda b: b.Softplus())
_bijector("SinhArcsinh", lambda b: b.SinhArcsinh(0.3, 1.2))
_bijector("Exp", lambda b: b.Exp())
_bijector("Sigmoid", lambda b: b.Sigmoid())
_bijector("PowerTransform", lambda b: b.PowerTransform(0.3))
_bijector("SoftmaxCentered", lambda b: b.SoftmaxCentered())
_bijector("Permute", lambda b: b.Permute([1, 0, 3, 2, 5, 4, 7, 6]))
_bijector("Chain", lambda b: b.Chain([b.Exp(), b.Softsign()]))

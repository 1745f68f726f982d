"""The work of families of tf.contrib, for twinflow and for TensorFlow 1.12 (Python 3.6).

    python benchmarks/family_cases.py twinflow graph

reads names of rows from standard input, one a line, and answers each with a line of JSON.
A case makes what it works on from a `Tools`, and returns a function: it is called once in
a graph, whose results a Session then computes again and again, or each time, eagerly.
"""

import gc
import importlib
import json
import os
import sys
import time

import numpy as np

LOOPS, LEAST, LONGEST = 30, 0.002, 1.0  # how many; seconds of one; seconds of all
CASES = {}  # {row: (its case, whether it runs eagerly too)}


def row(name, eager=True):
    """Register a case."""

    def register(make):
        CASES[name] = make, eager
        return make

    return register


class Tools:
    """What cases are made with.

    Args:
        tf: the module. eager: whether the mode is eager.
    """

    def __init__(self, tf, eager):
        self.tf, self.eager, self.random = tf, eager, np.random.RandomState(0)

    def given(self, value, dtype=None):
        """A tensor that no graph folds."""
        if self.eager:
            return self.tf.constant(value, dtype)
        made = self.tf.constant(value, dtype)
        return self.tf.get_variable("v%d" % self.random.randint(1e9), initializer=made,
                                    trainable=False).read_value()  # fmt: skip

    def normal(self, *shape):
        """float32 numbers."""
        return self.given(self.random.randn(*shape).astype(np.float32))

    def slopes(self, function, *sources):
        """A function: the result of `function` and its gradients."""
        tf = self.tf

        def run():
            if not self.eager:
                found = function(*sources)
                return [found] + tf.gradients(found, list(sources))
            with tf.GradientTape() as tape:
                for source in sources:
                    tape.watch(source)
                found = function(*sources)
            return [found] + tape.gradient(found, list(sources))

        return run


# ---------------------------------------------------------------------- numbers
@row("nearest neighbors")
def _neighbors(t):
    ops = importlib.import_module(
        "tensorflow.contrib.factorization.python.ops.gen_clustering_ops"
    )
    points, centers = t.normal(2000, 64), t.normal(500, 64)
    return lambda: ops.nearest_neighbors(points, centers, t.tf.constant(5, t.tf.int64))


@row("k-means++")
def _first_centers(t):
    ops = importlib.import_module(
        "tensorflow.contrib.factorization.python.ops.gen_clustering_ops"
    )
    points, numbers = t.normal(2000, 64), [t.given(np.int64(n)) for n in (20, 3, 2)]
    return lambda: ops.kmeans_plus_plus_initialization(points, *numbers)


@row("hyperplane LSH", eager=False)
def _hyperplanes(t):
    ops = importlib.import_module(
        "tensorflow.contrib.nearest_neighbor.python.ops.nearest_neighbor_ops"
    )
    products = t.normal(1000, 128)
    return lambda: ops.hyperplane_lsh_probes(products, 8, 16, 16)


@row("sdca_fprint")
def _fingerprints(t):
    ops = importlib.import_module("tensorflow.python.ops.gen_sdca_ops")
    texts = t.given([("%d" % (i * 7919)) * (1 + i % 5) for i in range(5000)])
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
    return t.slopes(lambda *a: t.tf.reduce_sum(quant(*a)), t.normal(200000), low, high)


@row("sparsemax, gradient")
def _sparsemax(t):
    sparsemax = t.tf.contrib.sparsemax.sparsemax
    return t.slopes(lambda x: t.tf.reduce_max(sparsemax(x)), t.normal(256, 100))


@row("resampler, gradient")
def _resampler(t):
    warp = t.given((t.random.rand(4, 2000, 2) * 60).astype(np.float32))
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


@row("image.rotate")
def _rotate(t):
    x = _images(t)
    return lambda: t.tf.contrib.image.rotate(x, 0.3, "BILINEAR")


@row("image.transform, gradient")
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
    "Exponential": (1.5,), "Poisson": (3.0,), "Bernoulli": (0.3,), "Logistic": (0.5, 1.5),
}  # fmt: skip


def _distribution(name, parameters):
    def log_prob(t):
        numbers = [t.given(np.float32(p)) for p in parameters]
        x = t.random.rand(20000).astype(np.float32) * 0.9 + 0.05
        x = t.given(np.round(x) if name in ("Poisson", "Bernoulli") else x)
        kind = getattr(t.tf.contrib.distributions, name)
        return lambda: kind(*numbers).log_prob(x)

    def sample(t):
        numbers = [t.given(np.float32(p)) for p in parameters]
        kind = getattr(t.tf.contrib.distributions, name)
        return lambda: kind(*numbers).sample(20000, seed=1)

    row(name + ".log_prob")(log_prob)
    row(name + ".sample")(sample)


for _name, _parameters in FAMILIES.items():
    _distribution(_name, _parameters)


def _bijector(name, make, *shape):
    def both(t):
        bijectors = t.tf.contrib.distributions.bijectors
        x = t.normal(*shape)
        return lambda: [
            make(bijectors).forward(x), make(bijectors).inverse_log_det_jacobian(x, 1)
        ]  # fmt: skip

    row("bijector " + name)(both)


_bijector("Affine", lambda b: b.Affine([1.0] * 8, scale_diag=[2.0] * 8), 2000, 8)
_bijector("Softplus", lambda b: b.Softplus(), 2000, 8)
_bijector("SinhArcsinh", lambda b: b.SinhArcsinh(0.3, 1.2), 2000, 8)
_bijector("Chain", lambda b: b.Chain([b.Exp(), b.Softsign()]), 2000, 8)


# ---------------------------------------------------------------------- training
def _optimizer(name, *arguments):
    def step(t):
        tf = t.tf
        w = tf.get_variable(
            "w", initializer=t.random.randn(200, 200).astype(np.float32)
        )
        x = t.normal(50, 200)
        made = getattr(tf.contrib.opt, name)(*arguments)
        loss = lambda: tf.reduce_sum(tf.square(tf.matmul(x, w)))  # noqa: E731
        return lambda: made.minimize(loss())

    row("opt." + name, eager=False)(step)


for _name, *_arguments in (
    ("PowerSignOptimizer", 0.1), ("AddSignOptimizer", 0.1), ("AdaMaxOptimizer",),
    ("NadamOptimizer",), ("LazyAdamOptimizer",), ("GGTOptimizer",),
    ("AdamWOptimizer", 0.01), ("MomentumWOptimizer", 0.01, 0.1, 0.9),
    ("ShampooOptimizer",),
):  # fmt: skip
    _optimizer(_name, *_arguments)


@row("gan step", eager=False)
def _gan(t):
    tf = t.tf
    layers, gan = tf.contrib.layers, tf.contrib.gan
    model = gan.gan_model(
        lambda z: layers.fully_connected(layers.fully_connected(z, 64), 100),
        lambda x, _: layers.linear(layers.fully_connected(x, 64), 1),
        t.normal(64, 100), t.normal(64, 16),
    )  # fmt: skip
    ops = gan.gan_train_ops(
        model, gan.gan_loss(model, add_summaries=False),
        tf.train.AdamOptimizer(), tf.train.AdamOptimizer(),
        check_for_unused_update_ops=False,
    )  # fmt: skip
    return lambda: [ops.generator_train_op, ops.discriminator_train_op]


@row("model_pruning step", eager=False)
def _pruning(t):
    tf = t.tf
    pruning = importlib.import_module("tensorflow.contrib.model_pruning.python.pruning")
    layers = importlib.import_module(
        "tensorflow.contrib.model_pruning.python.layers.layers"
    )
    settings = pruning.get_pruning_hparams().parse(
        "begin_pruning_step=0,pruning_frequency=1"
    )
    y = layers.masked_fully_connected(
        t.normal(64, 128), 128, weights_initializer=tf.constant_initializer(0.1)
    )
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y), step)
    prune = pruning.Pruning(settings, global_step=step)
    update = prune.conditional_mask_update_op()
    return lambda: [train, update]


@row("specs conv net", eager=False)
def _specs(t):
    specs = importlib.import_module("tensorflow.contrib.specs.python.specs")
    x = t.normal(8, 28, 28, 1)
    return lambda: specs.create_net(
        "net = Cr(16, [5, 5]) | Mp([2, 2]) | Cr(32, [5, 5]) | Flat | Fl(10)", x
    )


@row("grid_rnn", eager=False)
def _grid(t):
    cell = t.tf.contrib.grid_rnn.Grid2LSTMCell(32, use_peepholes=True)
    x = [t.normal(16, 32) for _ in range(5)]
    return lambda: t.tf.nn.static_rnn(cell, x, dtype=t.tf.float32)[0]


@row("recurrent, gradient", eager=False)
def _recurrent(t):
    tf = t.tf
    functional = importlib.import_module(
        "tensorflow.contrib.recurrent.python.ops.recurrent"
    )
    nest = {"w": t.normal(32, 32)}

    def cell(theta, state, inputs):
        return {"h": tf.tanh(tf.matmul(state["h"], theta["w"]) + inputs["x"])}, {}

    def whole(x):
        first = {"h": tf.zeros([16, 32])}
        return tf.reduce_sum(functional.Recurrent(nest, first, {"x": x}, cell)[0]["h"])

    return t.slopes(whole, t.normal(20, 16, 32))


@row("beam search", eager=False)
def _beams(t):
    tf, seq2seq = t.tf, t.tf.contrib.seq2seq
    cell, embedding = tf.nn.rnn_cell.GRUCell(32), t.normal(50, 32)
    decoder = seq2seq.BeamSearchDecoder(
        cell, embedding, tf.fill([8], 1), 2, seq2seq.tile_batch(tf.zeros([8, 32]), 4), 4,
        tf.layers.Dense(50, use_bias=False),
    )  # fmt: skip
    return lambda: (
        seq2seq.dynamic_decode(decoder, maximum_iterations=12)[0].predicted_ids
    )


# ---------------------------------------------------------------------- measuring
def _flat(found):
    if isinstance(found, (list, tuple)):
        return [one for part in found for one in _flat(part)]
    return [] if found is None else [getattr(found, "tensor", found)]


def _numbers(found):
    """What tells whether two computed the same: sums of sizes."""
    arrays = [np.asarray(a) for a in _flat(found) if a is not None]
    return [float(np.abs(a.astype(float)).sum()) for a in arrays if a.dtype != object]


def _runner(tools, name):
    make, _ = CASES[name]
    if tools.eager:
        function = make(tools)
        return function, _numbers([x.numpy() for x in _flat(function())])
    tf = tools.tf
    tf.set_random_seed(1)
    results = _flat(make(tools)())
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    values = session.run(results)
    # A group would let 1.12 drop the work; ops alone would not wait for XLA's.
    return session.make_callable(results), _numbers(values)


def measure(function, clock):
    """The smallest seconds, and how much larger the middle ones were."""
    function()
    gc.collect()
    gc.disable()
    count, found, begin = 1, [], time.time()
    while _loop(function, count, clock) < LEAST:
        count *= 2
    while len(found) < LOOPS and (len(found) < 3 or time.time() - begin < LONGEST):
        found.append(_loop(function, count, clock) / count)
    gc.enable()
    return min(found), sorted(found)[len(found) // 2] / min(found) - 1


def _loop(function, count, clock):
    start = clock()
    for _ in range(count):
        function()
    return clock() - start


def answer(tf, name, eager, clock):
    """What is found of a row, or its error."""
    try:
        if eager:
            function, values = _runner(Tools(tf, True), name)
            seconds, spread = measure(function, clock)
        else:
            with tf.Graph().as_default():
                function, values = _runner(Tools(tf, False), name)
                seconds, spread = measure(function, clock)
        return {"seconds": seconds, "spread": spread, "values": values}
    except Exception as error:
        return {"error": type(error).__name__ + ": " + str(error)[:300]}


def main(framework, mode, clock="perf_counter"):
    if framework == "twinflow":
        importlib.import_module("twinflow.compat.tensorflow")
    tf = importlib.import_module("tensorflow")
    tf.logging.set_verbosity(tf.logging.ERROR)
    if mode == "eager":
        tf.enable_eager_execution()
    for line in sys.stdin:
        found = answer(tf, line.strip(), mode == "eager", getattr(time, clock))
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    main(*sys.argv[1:])

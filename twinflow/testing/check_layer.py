"""Runs a row of layer_rows through every way of using a layer.

`check_layer(row, golden)` builds the layer, calls it eagerly, in a function and in a
graph whose batch has no known size, takes gradients and one training step, makes an
equal layer from its settings, and holds all of it against TensorFlow 1.12's numbers.
"""

import json

import numpy as np

import twinflow as tf
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.graph.defaults import get_default_graph
from twinflow.testing.layer_rows import inputs_of, made, weights_of

_TOLERANCE = 2e-5  # relative to the largest entry: sums over some dozens of products


class Golden:
    """The numbers and facts of TensorFlow 1.12 for one row."""

    def __init__(self, facts, arrays):
        self.facts, self.arrays = facts, arrays

    def several(self, key):
        """The arrays `key0`, `key1`, ..."""
        found = []
        while f"{key}{len(found)}" in self.arrays:
            found.append(self.arrays[f"{key}{len(found)}"])
        return found


def load(folder):
    """{name of a row: Golden} from layers.json and layers.npz in a folder (a Path)."""
    facts = json.loads((folder / "layers.json").read_text())
    data, place, found = np.load(folder / "layers.npz")["data"], 0, {}
    for name, entry in facts.items():
        arrays = {}
        for key, shape in entry["arrays"]:
            size = int(np.prod(shape))
            arrays[key] = data[place : place + size].reshape(shape)
            place += size
        found[name] = Golden(entry, arrays)
    return found


def _close(found, wanted, what):
    found, wanted = np.asarray(found, np.float32), np.asarray(wanted, np.float32)
    if found.shape != wanted.shape:
        raise AssertionError(f"{what}: shape {found.shape}, expected {wanted.shape}")
    scale = max(1.0, float(np.abs(wanted).max(initial=0.0)))
    np.testing.assert_allclose(
        found / scale, wanted / scale, atol=_TOLERANCE, rtol=0, err_msg=what
    )


def _equal(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {found}, expected {wanted}")


def _fresh():
    get_default_graph().state.pop("keras_uids", None)


def _call(layer, row, xs):
    """Call a layer on the inputs of a row; a list of outputs."""
    options = {k: row[4][k] for k in ("training",) if k in row[4]}
    if row[1] == "LSTM" and len(xs) > 1:
        options["initial_state"], xs = xs[1:], xs[:1]
    ys = layer(xs[0] if len(xs) == 1 else xs, **options)
    return ys if isinstance(ys, list) else [ys]


def _total(ys):
    return tf.add_n([tf.reduce_sum(y * y + y) for y in ys])


def _weights(layer):
    names = [w.name for w in layer.weights]
    return weights_of([w.shape.as_list() for w in layer.weights], names)


def check_layer(row, golden):
    """Hold one row against TensorFlow 1.12 in every way of using a layer.

    Args:
        row: an entry of layer_rows.ROWS. golden: its Golden.
    Raises:
        AssertionError: something differs.
    """
    if "graph" not in row[4]:  # activity regularizers are refused eagerly
        with dispatch.entered(MODE):
            _fresh()
            _check_eager(row, golden)
    with tf.Graph().as_default(), tf.Session() as session:
        _check_graph(row, golden, session)


def _check_eager(row, golden):
    layer = made(tf.keras.layers, row[1], row[2])
    xs = [tf.constant(a) for a in inputs_of(row)]
    _call(layer, row, xs)
    layer.set_weights(_weights(layer))
    floats = [x for x in xs if x.dtype.is_floating]
    with tf.GradientTape() as tape:
        for x in floats:
            tape.watch(x)
        ys = _call(layer, row, xs)
        total = _total(ys)
    _compare("eager", ys, golden)
    trained = layer.trainable_weights
    slopes = tape.gradient(total, trained + floats)
    _compare_slopes("eager", slopes, golden)
    layer.set_weights(_weights(layer))
    function = tf.contrib.eager.defun(lambda *xs: _call(layer, row, list(xs)))
    _compare("function", function(*xs), golden)
    layer.set_weights(_weights(layer))
    for v, dv in zip(trained, slopes, strict=False):
        v.assign_sub(0.1 * tf.convert_to_tensor(dv))
    _close(_total(_call(layer, row, xs)), golden.arrays["after"], "eager, trained")
    copy = type(layer).from_config(layer.get_config())
    _call(copy, row, xs)
    copy.set_weights(_weights(copy))
    _compare("eager, made from its settings", _call(copy, row, xs), golden)


def _compare(what, ys, golden):
    wanted = golden.several("out")
    _equal(len(ys), len(wanted), f"{what}: number of outputs")
    for i, (y, w) in enumerate(zip(ys, wanted, strict=True)):
        _close(y, w, f"{what}: output {i}")


def _compare_slopes(what, slopes, golden):
    for i, (dv, w) in enumerate(zip(slopes, golden.several("grad"), strict=True)):
        dv = np.zeros(()) if dv is None else tf.convert_to_tensor(dv).numpy()
        _close(dv, w, f"{what}: gradient {i}")


def _shapes(value):
    if isinstance(value, list):
        return [_shapes(v) for v in value]
    return tf.TensorShape(value).as_list()


def _plain(value):
    return json.loads(json.dumps(value))


def _check_graph(row, golden, session):
    arrays = inputs_of(row)
    xs = [tf.placeholder(a.dtype, (None, *a.shape[1:])) for a in arrays]
    layer = made(tf.keras.layers, row[1], row[2])
    ys = _call(layer, row, xs)
    facts = golden.facts
    _equal([_shapes(y.shape) for y in ys], facts["static"], "static shapes")
    named = [[w.name, w.shape.as_list()] for w in layer.weights]
    _equal(named, facts["weights"], "weights")
    trained = layer.trainable_weights
    _equal([w.name for w in trained], facts["trainable"], "trainable weights")
    _equal(_plain(layer.get_config()), facts["config"], "config")
    full = [tf.TensorShape([None, *s]) for s in row[3]]
    full = full[:1] if row[1] == "LSTM" else full
    out = layer.compute_output_shape(full[0] if len(full) == 1 else full)
    _equal(_shapes(out), facts["output_shape"], "compute_output_shape")
    total = _total(ys)
    floats = [x for x in xs if x.dtype.is_floating]
    slopes = tf.gradients(total, trained + floats)
    slopes = [tf.zeros(()) if g is None else tf.convert_to_tensor(g) for g in slopes]
    session.run(tf.global_variables_initializer())
    values = _weights(layer)
    layer.set_weights(values)
    feed = dict(zip(xs, arrays, strict=True))
    found, grads, losses = session.run([ys, slopes, layer.losses], feed)
    _compare("graph", found, golden)
    for i, (dv, w) in enumerate(zip(grads, golden.several("grad"), strict=True)):
        _close(dv, w, f"graph: gradient {i}")
    _close(losses, golden.arrays["losses"], "graph: losses")
    by_name = dict(zip((w.name for w in layer.weights), values, strict=True))
    for v, dv in zip(trained, grads, strict=False):
        by_name[v.name] = by_name[v.name] - 0.1 * dv
    layer.set_weights([by_name[w.name] for w in layer.weights])
    _close(session.run(total, feed), golden.arrays["after"], "graph, trained")
    _equal(len(layer.updates), facts["updates"], "number of updates")
    if layer.updates:
        session.run(layer.updates, feed)
        moved = [v.ravel() for v in session.run(layer.non_trainable_weights)]
        _close(np.concatenate(moved), golden.arrays["moved"], "moved averages")

"""Runs a row of layers through every way of using a layer.

`check_layer(row, golden)` builds the layer, calls it eagerly, in a function and in a
graph whose batch has no known size, takes gradients and training steps, makes an equal
layer from its settings and from saved files (layer_saving), and holds all of it against
TensorFlow 1.12's numbers.
"""

import json

import numpy as np

import twinflow as tf
from tests.support import (
    layer_rows,
    layer_rows_recurrent,
    layer_rows_scoped,
    layer_saving,
)
from tests.support.layer_making import (
    called,
    custom,
    dims_of,
    fed,
    inputs_of,
    made,
    own_inputs,
    targets_of,
    total_of,
    weights_of,
)
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.graph.defaults import get_default_graph

ROWS = [*layer_rows.ROWS, *layer_rows_recurrent.ROWS, *layer_rows_scoped.ROWS]
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


# ------------------------------------------------------------------ comparing
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


def _compare(what, ys, wanted):
    _equal(len(ys), len(wanted), f"{what}: number of outputs")
    for i, (y, w) in enumerate(zip(ys, wanted, strict=True)):
        _close(y, w, f"{what}: output {i}")


def _compare_slopes(what, slopes, golden):
    for i, (dv, w) in enumerate(zip(slopes, golden.several("grad"), strict=True)):
        _close(dv, w, f"{what}: gradient {i}")


# ------------------------------------------------------------------ one layer
def _fresh():
    get_default_graph().state.pop("keras_uids", None)


def _weights(layer):
    names = [w.name for w in layer.weights]
    return weights_of([w.shape.as_list() for w in layer.weights], names)


def _set(layer):
    """Give a layer the values of its row; a stateful one forgets its states."""
    layer.set_weights(_weights(layer))
    if layer.stateful:
        layer.reset_states()


def check_layer(row, golden):
    """Hold one row against TensorFlow 1.12 in every way of using a layer.

    Args:
        row: an entry of ROWS. golden: its Golden.
    Raises:
        AssertionError: something differs.
    """
    with tf.keras.utils.custom_object_scope(custom(tf)):
        if "graph" not in row[4]:  # activity regularizers are refused eagerly
            with dispatch.entered(MODE):
                _fresh()
                _check_eager(row, golden)
                _check_model("eager", row, golden)
        with tf.Graph().as_default(), tf.Session() as session:
            _check_graph(row, golden, session)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.keras.backend.set_session(session)
            _check_model("graph", row, golden)


def _check_eager(row, golden):
    layer = made(tf, row[1], row[2])
    xs = [tf.constant(a) for a in inputs_of(row)]
    called(tf, layer, row, xs)
    _set(layer)
    floats = [x for x in xs if x.dtype.is_floating]
    with tf.GradientTape() as tape:
        for x in floats:
            tape.watch(x)
        ys = called(tf, layer, row, xs)
        total = total_of(tf, ys)
    wanted = golden.several("out")
    _compare("eager", ys, wanted)
    trained = layer.trainable_weights
    slopes = tape.gradient(total, trained + floats)
    slopes = [tf.zeros(()) if g is None else tf.convert_to_tensor(g) for g in slopes]
    _compare_slopes("eager", slopes, golden)
    if layer.stateful:
        again = called(tf, layer, row, xs)
        _compare("eager, second batch", again, golden.several("again"))
    _set(layer)
    function = tf.contrib.eager.defun(lambda *xs: called(tf, layer, row, list(xs)))
    _compare("function", function(*xs), wanted)
    if layer.stateful:
        _compare("function, second batch", function(*xs), golden.several("again"))
    _set(layer)
    for v, dv in zip(trained, slopes, strict=False):
        v.assign_sub(0.1 * dv)
    after = total_of(tf, called(tf, layer, row, xs))
    _close(after, golden.arrays["after"], "eager, trained")
    if "lossy" in row[4]:
        return
    copy = type(layer).from_config(layer.get_config())
    called(tf, copy, row, xs)
    _set(copy)
    _compare("eager, made from its settings", called(tf, copy, row, xs), wanted)


def _check_graph(row, golden, session):
    tf.keras.backend.set_session(session)
    arrays, xs = inputs_of(row), fed(tf, row)
    layer = made(tf, row[1], row[2])
    ys = called(tf, layer, row, xs)
    _check_facts(row, golden.facts, layer, ys)
    total = total_of(tf, ys)
    trained = layer.trainable_weights
    floats = [x for x in xs if x.dtype.is_floating]
    slopes = tf.gradients(total, trained + floats)
    slopes = [tf.zeros(()) if g is None else tf.convert_to_tensor(g) for g in slopes]
    session.run(tf.global_variables_initializer())
    values = _weights(layer)
    _set(layer)
    feed = dict(zip(xs, arrays, strict=True))
    found, grads, losses = session.run([ys, slopes, layer.losses], feed)
    _compare("graph", found, golden.several("out"))
    _compare_slopes("graph", grads, golden)
    _close(losses, golden.arrays["losses"], "graph: losses")
    if layer.stateful:
        session.run(layer.updates, feed)
        again = session.run(ys, feed)
        _compare("graph, second batch", again, golden.several("again"))
        layer.reset_states()
    by_name = dict(zip((w.name for w in layer.weights), values, strict=True))
    for v, dv in zip(trained, grads, strict=False):
        by_name[v.name] = by_name[v.name] - 0.1 * dv
    layer.set_weights([by_name[w.name] for w in layer.weights])
    _close(session.run(total, feed), golden.arrays["after"], "graph, trained")
    if layer.non_trainable_weights:
        session.run(layer.updates, feed)
        moved = [v.ravel() for v in session.run(layer.non_trainable_weights)]
        _close(np.concatenate(moved), golden.arrays["moved"], "moved averages")


# ------------------------------------------------------------------ facts
def _shapes(value):
    if isinstance(value, list):
        return [_shapes(v) for v in value]
    return tf.TensorShape(value).as_list()


def _plain(config):
    """Settings as JSON keeps them, without code."""
    found = json.loads(json.dumps(config, default=str))
    return {k: v for k, v in found.items() if k not in ("function", "module")}


def _check_facts(row, facts, layer, ys):
    """Names, shapes and settings, in a graph."""
    _equal([_shapes(y.shape) for y in ys], facts["static"], "static shapes")
    named = [[w.name, w.shape.as_list()] for w in layer.weights]
    _equal(named, facts["weights"], "weights")
    trained = [w.name for w in layer.trainable_weights]
    _equal(trained, facts["trainable"], "trainable weights")
    _equal(_plain(layer.get_config()), facts["config"], "config")
    _equal(len(layer.updates), facts["updates"], "number of updates")
    if facts["output_shape"] is None:
        return
    full = [tf.TensorShape(s) for s in dims_of(row)][: own_inputs(row)]
    out = layer.compute_output_shape(full[0] if len(full) == 1 else full)
    _equal(_shapes(out), facts["output_shape"], "compute_output_shape")


# ------------------------------------------------------------------ models
def _check_model(mode, row, golden):
    """Save and restore the layer; train a model that holds it by a real optimizer."""
    layer_saving.check_checkpoint(row, _set)
    if "mask" in row[4]:  # no tensor of its own for the mask
        return
    layer_saving.check_weights(row, _set)
    if "fitted" not in golden.arrays:
        return
    model, layer = layer_saving.model_of(row)
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    layer.set_weights(_weights(layer))
    data = (inputs_of(row), *targets_of([w.shape for w in golden.several("out")]))
    steps = [model.train_on_batch(*data) for _ in range(2)]
    found = [np.ravel(s)[0] for s in steps]
    _close(found, golden.arrays["fitted"], f"{mode}: losses of two steps of SGD")

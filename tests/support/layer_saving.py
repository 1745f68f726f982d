"""Saving the layer of a row and restoring it into an equal one, in either mode."""

import os
import tempfile

import numpy as np

import twinflow as tf
from tests.support.layer_making import called, fed, inputs_of, made
from twinflow.keras.saving import hdf5


def model_of(row):
    """(a model that holds the layer of a row alone, the layer)."""
    xs = fed(tf, row, ends=True)
    layer = made(tf, row[1], row[2])
    return tf.keras.Model(xs, called(tf, layer, row, xs)), layer


def _same(found, wanted, what):
    for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
        np.testing.assert_array_equal(a, b, err_msg=f"{what}: output {i}")


def check_checkpoint(row, prepare):
    """A tf.train.Checkpoint of the layer, restored into a fresh one.

    Args:
        row: see layer_rows. prepare: gives a built layer the values of its row.
    Raises:
        AssertionError: the outputs differ, or a value was not found or not used.
    """
    xs = [tf.constant(a) for a in inputs_of(row)]
    layer, other = made(tf, row[1], row[2]), made(tf, row[1], row[2])
    ys = _built(layer, row, xs)
    prepare(layer)
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(layer=layer).save(os.path.join(folder, "ckpt"))
        wanted = _run(layer, row, xs, ys)  # which may move averages
        ys = _built(other, row, xs)
        status = tf.train.Checkpoint(layer=other).restore(path)
        status.assert_consumed()
        status.run_restore_ops()
    if other.stateful:
        other.reset_states()
    _same(_run(other, row, xs, ys), wanted, "restored from a Checkpoint")


def _built(layer, row, xs):
    """The outputs, all variables being made and (in a graph) initialised."""
    ys = called(tf, layer, row, xs)
    if not tf.executing_eagerly():
        tf.get_default_session().run(tf.global_variables_initializer())
    return ys


def _run(layer, row, xs, ys):
    """The outputs as arrays; those of the graph are `ys`."""
    if not tf.executing_eagerly():
        return tf.get_default_session().run(ys)
    return [y.numpy() for y in called(tf, layer, row, xs)]


def check_weights(row, prepare):
    """save_weights and load_weights of a model, in both formats.

    Args: see check_checkpoint.
    Raises:
        AssertionError: the outputs differ.
    """
    arrays = inputs_of(row)
    model, layer = model_of(row)
    prepare(layer)
    for end in [".tf"] if hdf5.h5py is None else [".tf", ".h5"]:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f"weights{end}")
            model.save_weights(path)
            other, _ = model_of(row)
            other.load_weights(path)
        wanted = _predicted(model, arrays)
        model.reset_states()
        _same(_predicted(other, arrays), wanted, f"weights from a file *{end}")


def _predicted(model, arrays):
    found = model.predict_on_batch(arrays)
    return found if isinstance(found, list) else [found]

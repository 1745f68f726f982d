"""Restorations that wait for objects: they keep nothing alive, and end with them."""

import gc
import weakref

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager
from twinflow.base import trackable

__all__ = ["eager"]

X = np.ones([1, 3], np.float32)


class Net(tf.keras.Model):
    """A model with layers in a list and beside it."""

    def __init__(self):
        super().__init__()
        self.parts = [tf.keras.layers.Dense(2)]
        self.last = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.last(self.parts[0](x))


def saved(tmp_path):
    """A model, and where it was saved with something that no other program has."""
    model = Net()
    model(X)
    more = tf.contrib.eager.Variable(1.0)
    return model, tf.train.Checkpoint(m=model, more=more).save(str(tmp_path / "c"))


def restored(path):
    """A model of its own checkpoint object, which is gone on return."""
    model = Net()
    tf.train.Checkpoint(m=model).restore(path)
    return model


def test_a_model_is_restored_when_it_is_called_though_its_checkpoint_is_gone(
    tmp_path, eager
):
    model, path = saved(tmp_path)
    other = restored(path)
    gc.collect()
    np.testing.assert_array_equal(other(X), model(X))
    for a, b in zip(other.variables, model.variables, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_what_waits_keeps_nothing_alive(tmp_path, eager):
    """Part of the checkpoint has no object, so that it waits as long as it can."""
    _, path = saved(tmp_path)
    before = len(trackable.pending)
    models = [restored(path) for _ in range(3)]
    for model in models:
        model(X)
    seen = [weakref.ref(x) for m in models for x in (m, m.last, m.variables[0])]
    assert len(trackable.pending) == before + 3
    del models, model
    gc.collect()
    assert not any(ref() for ref in seen)
    restored(path)  # which looks at those that wait
    gc.collect()
    assert len(trackable.pending) <= before + 1
    tf.contrib.checkpoint.List([tf.contrib.eager.Variable(1.0)])


def test_a_status_keeps_its_objects(tmp_path, eager):
    model, path = saved(tmp_path)
    status = tf.train.Checkpoint(m=model).restore(path)
    gc.collect()
    status.assert_existing_objects_matched()


@pytest.mark.parametrize("built", [True, False])
def test_what_fails_is_not_tried_again_by_objects_made_later(tmp_path, eager, built):
    """A value that is damaged stops what asks for it, and nothing else."""
    _, path = saved(tmp_path)
    for data in tmp_path.glob("*.data-*"):
        values = 40  # bytes, before the names of the objects
        data.write_bytes(bytes(values) + data.read_bytes()[values:])
    later = Net()
    if built:
        later(X)
    checkpoint = tf.train.Checkpoint(m=later)
    with pytest.raises(tf.errors.DataLossError):
        checkpoint.restore(path)
        later(X)
    Net()(X)
    assert later is checkpoint.m and not trackable.pending


def test_a_key_that_is_missing_names_the_file(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, name="v")
        session.run(v.initializer)
        path = tf.train.Saver([v]).save(session, f"{tmp_path}/model")
        w = tf.Variable(1.0, name="w")
        with pytest.raises(tf.errors.NotFoundError, match="Key w not found") as raised:
            tf.train.Saver([v, w]).restore(session, path)
    assert f"{path}.index" in "".join(raised.value.__notes__)

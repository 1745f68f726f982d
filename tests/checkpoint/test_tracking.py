"""Objects of programs with parts; what is stated here TensorFlow 1.12 does."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.base.trackable import NotCheckpointable
from twinflow.checkpoint import tracking

__all__ = ["eager", "graph"]
tfe = tf.contrib.eager


class Net(tfe.Checkpointable):
    pass


def test_parts_and_their_names():
    net, inner = Net(), Net()
    net.inner, net.number = inner, 3
    net.plain = tf.contrib.checkpoint.NoDependency([inner])
    assert [(r.name, r.ref) for r in net._checkpoint_dependencies] == [("inner", inner)]
    assert net._lookup_dependency("inner") is inner and net.plain == [inner]
    with pytest.raises(TypeError, match="passed type <class 'int'>, not a Checkpoint"):
        net._track_checkpointable(3, "x")
    with pytest.raises(ValueError, match="a Checkpointable with this name is already"):
        net._track_checkpointable(Net(), "inner")
    assert tf.contrib.checkpoint.list_objects(net) == [net, inner]
    del net.inner
    assert net._checkpoint_dependencies == []


def _net():
    net = Net()
    ones = tf.ones_initializer()
    return net, tracking.add_variable(net, "v", [2], initializer=ones)


def _check(path, value, folder):
    (node,) = tracking.object_metadata(path).nodes[1:]
    assert node.attributes[0].checkpoint_key == "v/.ATTRIBUTES/VARIABLE_VALUE"
    assert path == str(folder / "a-5")
    np.testing.assert_array_equal(value, [1.0, 1.0])


def test_saved_and_restored_eagerly(tmp_path, eager):
    net, v = _net()
    saver = tfe.CheckpointableSaver(net)
    path = saver.save(str(tmp_path / "a"), 5)
    v.assign([7.0, 7.0])
    saver.restore(path).assert_consumed()
    _check(path, v.numpy(), tmp_path)


def test_saved_and_restored_in_a_graph(tmp_path, graph):
    net, v = _net()
    saver = tfe.CheckpointableSaver(net)
    with tf.Session() as session:
        session.run(tracking.gather_initializers(net))
        path = saver.save(str(tmp_path / "a"), 5, session)
        v.load([7.0, 7.0], session)
        saver.restore(path).assert_consumed().run_restore_ops(session)
        _check(path, session.run(v), tmp_path)
        frozen = tracking.frozen_saver(net)
        again = frozen.save(session, str(tmp_path / "frozen"))
        v.load([7.0, 7.0], session)
        saver.restore(again).assert_consumed().run_restore_ops(session)
        assert session.run(v).tolist() == [1.0, 1.0]


def test_what_cannot_be_saved(tmp_path):
    class Functional(Net, NotCheckpointable):
        pass

    with pytest.raises(NotImplementedError):
        tfe.CheckpointableSaver(Functional()).save(str(tmp_path / "a"))

"""tfe.Saver and restore_variables_on_create."""

import numpy as np
import pytest

import twinflow as tf

tfe = tf.contrib.eager


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.dense(x)


@pytest.fixture
def saved(tmp_path, eager):
    """(a model, the path of its checkpoint)"""
    net = Net()
    net(tf.ones([1, 3]))
    return net, tfe.Saver(net.variables).save(str(tmp_path / "m"), global_step=7)


def test_savers_need_no_session(saved):
    net, path = saved
    assert path.endswith("m-7")
    kernel = net.dense.kernel.numpy()
    net.dense.kernel.assign(tf.zeros([3, 2]))
    tfe.Saver({v.name[:-2]: v for v in net.variables}).restore(path)
    np.testing.assert_array_equal(net.dense.kernel.numpy(), kernel)


def test_savers_are_for_eager_execution():
    with (
        tf.Graph().as_default(),
        pytest.raises(RuntimeError, match="when building graphs"),
    ):
        tfe.Saver([tf.Variable(1.0)])


def test_variables_start_with_the_values_of_a_checkpoint(saved):
    net, path = saved
    first = net.dense.kernel.name.partition("/")[0]
    other = Net()
    names = dict(zip(["kernel", "bias"], [v.name[:-2] for v in net.variables]))
    with tfe.restore_variables_on_create(path, lambda n: names[n.rpartition("/")[2]]):
        other(tf.ones([1, 3]))
    np.testing.assert_array_equal(other.dense.kernel.numpy(), net.dense.kernel.numpy())
    assert other.dense.kernel.name.partition("/")[0] != first
    with (
        tfe.restore_variables_on_create(path),
        pytest.raises(tf.errors.NotFoundError, match="zz not found in checkpoint"),
    ):
        tf.get_variable("zz", [2])
    with tfe.restore_variables_on_create(None):
        assert float(tf.Variable(2.0)) == 2
    with pytest.raises(ValueError, match="map_func must be callable"):
        tfe.restore_variables_on_create(path, 3).__enter__()


def test_creators_make_the_weights_of_keras_layers(eager):
    def counted(next_creator, **kwargs):
        made.append(kwargs["name"])
        return next_creator(**kwargs)

    made = []
    with tf.variable_creator_scope(counted):
        layer = tf.keras.layers.Dense(2)
        layer(tf.ones([1, 3]))
    assert made == ["kernel", "bias"]
    assert isinstance(layer.kernel, tfe.Variable)

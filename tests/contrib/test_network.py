"""tfe.Network and tfe.Sequential, and what they are called."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eagerly, in_graph
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer

tfe = tf.contrib.eager


class Dense(tf.keras.layers.Dense, ScopedLayer):
    """tf.layers.Dense."""


class Dropout(tf.keras.layers.Dropout, ScopedLayer):
    """tf.layers.Dropout."""


def names(network):
    return [v.name for v in network.variables]


@pytest.fixture(params=[eagerly, in_graph])
def run(request):
    tf.get_default_graph().state.pop("variable_scopes", None)
    return request.param


class Two(tfe.Network):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.one = self.track_layer(Dense(16, input_shape=(8,)))
        self.two = self.track_layer(Dense(1, input_shape=(16,)))

    def call(self, x):
        return self.two(self.one(x))


PARTS = ["dense/kernel:0", "dense/bias:0", "dense_1/kernel:0", "dense_1/bias:0"]


def prefixed(prefix):
    return [f"{prefix}/{part}" for part in PARTS]


# ------------------------------------------------------------------ names
def test_variables_and_layers(run):
    def build():
        net = Two("net")
        assert net.name == "net" and names(net) == []
        y = net(tf.ones([1, 8]))
        assert names(net) == prefixed("net") and net.built and net.trainable
        assert [layer.name for layer in net.layers] == ["dense", "dense_1"]
        assert net.trainable_weights == net.variables and net.losses == []
        return y, net(tf.ones([1, 8]))

    first, second = run(build)
    assert first.shape == (1, 1) and first == second


def test_names_must_be_unique(run):
    def build():
        first = Two("net")(tf.ones([1, 8]))
        with pytest.raises(ValueError) as raised:
            Two("net")(tf.ones([1, 8]))
        assert str(raised.value) == (
            "A Network named 'net' already exists (or a variable_scope was created "
            "with this name). Names must be unique."
        )
        with pytest.raises(
            ValueError, match=r"Forward slashes \('/'\) are not allowed"
        ):
            Two("a/b")
        return first

    run(build)


def test_names_are_made_at_the_first_call(run):
    def build():
        net, other = Two(), Two()
        with pytest.raises(ValueError, match="does not yet have a final name"):
            net.name
        y = net(tf.ones([1, 8])) + other(tf.ones([1, 8]))
        assert (net.name, other.name) == ("two", "two_1")
        assert names(net) == prefixed("two") and names(other) == prefixed("two_1")
        return y

    run(build)


def test_names_inside_a_variable_scope(run):
    def build():
        with tf.variable_scope("around"):
            net = Two()
        y = net(tf.ones([1, 8]))
        assert net.name == net.scope_name == "around/two"
        assert names(net) == prefixed("around/two")
        return y

    run(build)


class Outer(tfe.Network):
    def __init__(self, inner=None):
        super().__init__()
        self.a, self.b = (self.track_layer(Two(inner)) for _ in range(2))
        self.d = self.track_layer(Dense(2, name="explicit"))

    def call(self, x):
        return self.d(tf.concat([self.b(x), self.a(x)], 1))


def test_networks_in_networks(run):
    def build():
        net = Outer()
        y = net(tf.ones([1, 8]))
        assert [layer.name for layer in net.layers] == ["two", "two_1", "explicit"]
        last = ["outer/explicit/kernel:0", "outer/explicit/bias:0"]
        inner = prefixed("outer/two") + prefixed("outer/two_1")
        assert names(net) == inner + last
        return y

    assert run(build).shape == (1, 2)


def test_two_layers_of_one_name():
    with pytest.raises(ValueError) as raised:
        Outer(inner="same")
    text = "Attempt to add two Layers with the name 'same' to the same Network."
    assert str(raised.value) == text


def test_a_shared_layer_keeps_its_variables(run):
    shared = Dense(3, name="shared")

    class Sharing(tfe.Network):
        def __init__(self, name):
            super().__init__(name)
            self.track_layer(shared)

        def call(self, x):
            return shared(x)

    def build():
        a, b = Sharing("A"), Sharing("B")
        found = a(tf.ones([1, 2])) - b(tf.ones([1, 2]))
        assert names(a) == names(b) == ["A/shared/kernel:0", "A/shared/bias:0"]
        return found

    assert not run(build).any()


# ------------------------------------------------------------------ refusals
def test_get_layer():
    net = Two()
    assert net.get_layer("dense") is net.one and net.get_layer(index=1) is net.two
    for arguments, text in [
        ({}, "Provide either a layer name or layer index."),
        ({"name": "nope"}, "No such layer: nope"),
        ({"index": 7}, "Was asked to retrieve layer at index 7 but model only has 2"),
        ({"name": "dense", "index": 0}, "Exactly one of 'index' or 'name' must be"),
    ]:
        with pytest.raises(ValueError, match=text):
            net.get_layer(**arguments)


def test_what_networks_refuse():
    net = Two()
    with pytest.raises(RuntimeError, match="add_variable not supported in Network"):
        net.add_variable("w", [1])
    with pytest.raises(RuntimeError, match="add_loss is not supported in Network"):
        net.add_loss(1.0)
    with pytest.raises(AttributeError, match="cannot mark Network as not trainable"):
        net.trainable = False
    with pytest.raises(TypeError, match=r"passed type <class 'int'>, not a tf.layers"):
        net.track_layer(3)
    assert net.track_layer(net.one) is net.one and len(net.layers) == 2

    class Forgetful(tfe.Network):
        def __init__(self):
            self.track_layer(Dense(1))

    with pytest.raises(RuntimeError, match=r"Need to call Network.__init__ before"):
        Forgetful()


# ------------------------------------------------------------------ rows
def test_sequential(run):
    def build():
        net = tfe.Sequential(
            [
                Dense(3, kernel_initializer=tf.ones_initializer()),
                Dropout(0.5),
                tf.nn.relu,
                Dense(2),
            ]
        )
        y = net(tf.ones([1, 2]))
        assert names(net) == prefixed("sequential")
        assert [x.name for x in net.layers] == ["dense", "dropout", "dense_1"]
        return y, net(tf.ones([100, 2]), training=True)

    y, dropped = run(build)
    assert y.shape == (1, 2) and len(np.unique(dropped[:, 0])) > 1
    with pytest.raises(TypeError, match=r"takes only tf.layers.Layer objects or call"):
        tfe.Sequential([3])


def test_variables_of_optimizers(run):
    def build():
        optimizer, v = tf.train.AdamOptimizer(0.1), tfe.Variable([1.0], name="v")
        assert tfe.get_optimizer_variables(optimizer) == []
        optimizer.apply_gradients([(tf.constant([1.0]), v)])
        found = [x.name for x in tfe.get_optimizer_variables(optimizer)]
        assert found == ["beta1_power:0", "beta2_power:0", "v/Adam:0", "v/Adam_1:0"]
        return tf.constant(0.0)

    run(build)


# ------------------------------------------------------------------ checkpoints
def test_checkpoints_leave_the_name_of_the_network_out(run, tmp_path):
    def build():
        net = Two("net")
        net(tf.ones([1, 8]))
        starts = [
            np.full(v.shape.as_list(), i + 1.0) for i, v in enumerate(net.variables)
        ]
        tf.keras.backend.batch_set_value(zip(net.variables, starts, strict=True))
        path = tfe.save_network_checkpoint(net, tmp_path / "saved", global_step=3)
        assert path.endswith("saved-3")
        found = [name for name, _ in tf.train.list_variables(path)]
        assert found == sorted(part[:-2] for part in PARTS)
        other = Two("other")
        tfe.restore_network_checkpoint(other, path)  # before there are variables
        other(tf.ones([1, 8]))
        values = tf.keras.backend.batch_get_value(other.variables)
        for value, start in zip(values, starts, strict=True):
            np.testing.assert_array_equal(value, start)
        with pytest.raises(ValueError, match="resulted in two variables named 'x'"):
            tfe.save_network_checkpoint(net, path, map_func=lambda name: "x")
        return tf.constant(0)

    run(build)


def test_nothing_to_save(run):
    def build():
        with pytest.raises(ValueError, match="before it was first called"):
            tfe.save_network_checkpoint(Two(), "x")
        return tf.constant(0)

    run(build)

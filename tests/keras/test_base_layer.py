"""The protocol of layers: building, variables, names, losses, updates, copies."""

import copy
import pickle

import numpy as np
import pytest

from tests.modes import both
from twinflow.autodiff.tape import GradientTape
from twinflow.base.dimension import Dimension
from twinflow.base.shapes import TensorShape
from twinflow.execute.function import defun
from twinflow.execute.session import Session
from twinflow.keras import backend, layers, regularizers
from twinflow.keras.layers import Layer
from twinflow.ops.core.constant import constant
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.activation import relu
from twinflow.ops.variables.collections import global_variables_initializer
from twinflow.ops.variables.resource import ResourceVariable as Variable

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


class MySimpleLayer(Layer):
    """The layer of the eager guide, with its Dimension in a shape."""

    def __init__(self, output_units):
        super().__init__()
        self.output_units = output_units

    def build(self, input_shape):
        self.built_with = input_shape
        self.kernel = self.add_variable("kernel", [input_shape[-1], self.output_units])

    def call(self, input):
        return matmul(input, self.kernel)


@both
def test_the_guides_layer(run):
    def build():
        layer = MySimpleLayer(3)
        assert not layer.built and layer.variables == []
        y = layer(constant(X))
        assert layer.built
        assert isinstance(layer.built_with, TensorShape)
        assert isinstance(layer.built_with[-1], Dimension)
        assert [v.name for v in layer.variables] == ["my_simple_layer/kernel:0"]
        return y

    assert run(build).shape == (2, 3)


def test_build_runs_once_and_may_be_called_by_hand(eager):
    calls = []

    class Counted(Layer):
        def build(self, input_shape):
            calls.append(input_shape)
            super().build(input_shape)

    layer = Counted()
    layer.build([2, 2])
    assert layer.built
    layer(constant(X))
    layer(constant(X))
    assert len(calls) == 1
    dense = layers.Dense(2)
    dense.build((None, 2))
    assert [v.name for v in dense.variables] == ["kernel:0", "bias:0"]
    dense(constant(X))
    assert len(dense.variables) == 2


@both
def test_variables_in_init_and_in_order(run):
    class Early(Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.w = self.add_variable("w", [2, 2])

        def build(self, input_shape):
            self.k = self.add_weight("k", shape=(input_shape[-1], 3))
            self.b = self.add_weight("b", (), initializer="zeros", trainable=False)
            self.n = self.add_weight(shape=(2,), initializer="ones")

    def build():
        layer = Early()
        assert [v.name for v in layer.variables] == ["w:0"]
        layer(constant(X))
        names = [v.name for v in layer.variables]
        assert names == ["w:0", "early/k:0", "early/Variable:0", "early/b:0"]
        assert [v.name for v in layer.non_trainable_variables] == ["early/b:0"]
        assert layer.weights == layer.variables
        assert layer.dtype == "float32"
        double = Early(dtype="float64")
        double(constant(X))
        assert {v.dtype.name for v in double.variables} == {"float64"}
        return constant(0.0)

    run(build)


@both
def test_names(run):
    def build():
        made = [
            layers.Dense(3), layers.Dense(3), layers.Conv2D(3, 3), layers.MaxPool2D(),
            layers.BatchNormalization(), layers.GlobalAveragePooling2D(),
        ]  # fmt: skip
        assert [layer.name for layer in made] == [
            "dense", "dense_1", "conv2d", "max_pooling2d", "batch_normalization",
            "global_average_pooling2d",
        ]  # fmt: skip
        made[1](constant(X))
        assert [v.name for v in made[1].variables] == [
            "dense_1/kernel:0", "dense_1/bias:0",
        ]  # fmt: skip
        return constant(0.0)

    run(build)


def test_equal_names_are_numbered_in_graphs_only(eager):
    def names():
        pair = [layers.Dense(3, name="foo") for _ in range(2)]
        for layer in pair:
            layer(constant(X))
        assert [layer.name for layer in pair] == ["foo", "foo"]
        return [layer.kernel.name for layer in pair]

    assert names() == ["foo/kernel:0", "foo/kernel:0"]


def test_equal_names_are_numbered_in_a_graph(graph):
    pair = [layers.Dense(3, name="foo") for _ in range(2)]
    for layer in pair:
        layer(constant(X))
    assert [layer.kernel.name for layer in pair] == ["foo/kernel:0", "foo_1/kernel:0"]


def test_nodes_lie_in_the_scope_of_their_layer(graph):
    layer = layers.Dense(2, activation="relu")
    assert layer(constant(X)).name == "dense/Relu:0"
    assert layer(constant(X)).name == "dense_1/Relu:0"
    assert len(graph.get_collection("trainable_variables")) == 2
    with graph.name_scope("outer"):
        inner = layers.Dense(2)
        inner(constant(X))
    assert inner.kernel.name == "outer/dense_1/kernel:0"


def test_snake_case():
    for name, wanted in (
        ("Dense", "dense"), ("Conv2D", "conv2d"), ("MaxPooling2D", "max_pooling2d"),
        ("LSTM", "lstm"), ("MyNet", "my_net"), ("MNISTModel", "mnist_model"),
        ("_Part", "private__part"),
    ):  # fmt: skip
        assert backend.snake_case(name) == wanted


def test_clear_session_counts_anew(eager):
    assert layers.Dense(2).name == "dense"
    assert (backend.get_uid("a"), backend.get_uid("a")) == (1, 2)
    backend.set_learning_phase(1)
    assert backend.learning_phase() == 1
    backend.clear_session()
    assert layers.Dense(2).name == "dense"
    assert backend.get_uid("a") == 1
    assert backend.learning_phase() == 0
    with pytest.raises(ValueError, match="Expected learning phase to be 0 or 1"):
        backend.set_learning_phase(3)


def test_layers_built_in_a_function_outlive_it(eager):
    layer = layers.Dense(3)
    apply = defun(lambda x: layer(x))
    y = apply(constant(X))
    assert [v.name for v in layer.variables] == ["dense/kernel:0", "dense/bias:0"]
    np.testing.assert_allclose(layer(constant(X)).numpy(), y.numpy(), rtol=1e-6)
    with GradientTape() as tape:
        total = reduce_sum(apply(constant(X)))
    d_kernel, d_bias = tape.gradient(total, layer.trainable_variables)
    np.testing.assert_allclose(d_kernel.numpy(), [[4, 4, 4], [6, 6, 6]])
    np.testing.assert_allclose(d_bias.numpy(), [2, 2, 2])


# ------------------------------------------------------------------ tracking
@both
def test_layers_inside_layers(run):
    class Outer(Layer):
        def __init__(self):
            super().__init__()
            self.d = layers.Dense(2)
            self.v = Variable(3.0, name="v")
            self.rows = [layers.Dense(3), {"last": layers.Dense(4)}]
            self.sizes = (1, 2)

        def call(self, x):
            x = self.rows[0](self.d(x)) * self.v
            return self.rows[1]["last"](x)

    def build():
        outer = Outer()
        y = outer(constant(X))
        assert [v.name for v in outer.variables] == [
            "v:0", "outer/dense/kernel:0", "outer/dense/bias:0",
            "outer/dense_1/kernel:0", "outer/dense_1/bias:0", "outer/dense_2/kernel:0",
            "outer/dense_2/bias:0",
        ]  # fmt: skip
        assert [name for name, _ in outer._children()] == ["d", "v", "rows"]
        outer.d = None
        assert len(outer.variables) == 5
        outer.rows.append(outer.rows[0])
        assert len(outer.variables) == 5
        return y

    assert run(build).shape == (2, 4)


def test_settings_are_no_parts(eager):
    norm = layers.BatchNormalization()
    norm(constant(X))
    assert [name for name, _ in norm._children()] == [
        "gamma", "beta", "moving_mean", "moving_variance"
    ]  # fmt: skip
    fast = layers.CuDNNGRU(2)
    fast(constant(np.ones([1, 2, 3], np.float32)))
    names = [name for name, _ in fast._children()]
    assert names == ["kernel", "recurrent_kernel", "bias"]
    both = layers.Bidirectional(layers.GRU(2))
    assert {name for name, _ in both._children()} == {
        "forward_layer", "backward_layer"
    }  # fmt: skip


def test_trainable(eager):
    layer = layers.Dense(2, trainable=False)
    layer(constant(X))
    assert layer.trainable_variables == []
    assert len(layer.non_trainable_variables) == len(layer.variables) == 2
    layer.trainable = True
    assert len(layer.trainable_variables) == 2
    assert layer.count_params() == 6
    with pytest.raises(ValueError, match="isn't built"):
        layers.Dense(2).count_params()


def test_weights_in_and_out(eager):
    layer = layers.Dense(2)
    assert layer.get_weights() == []
    layer(constant(X))
    layer.set_weights([np.ones([2, 2]), np.ones(2)])
    assert layer(constant(X)).numpy().tolist() == [[4, 4], [8, 8]]
    assert [w.tolist() for w in layer.get_weights()] == [[[1, 1], [1, 1]], [1, 1]]
    with pytest.raises(ValueError, match="expecting 2 weights"):
        layer.set_weights([1])
    with pytest.raises(ValueError, match=r"Layer weight shape \(2, 2\) not compatible"):
        layer.set_weights([np.ones([2, 3]), np.ones(2)])


def test_weights_in_and_out_of_a_session(graph):
    layer = layers.Dense(2)
    y = layer(constant(X))
    assert [w.shape for w in layer.get_weights()] == [(2, 2), (2,)]  # Keras's session
    with Session() as session:
        session.run(global_variables_initializer())
        layer.set_weights([np.ones([2, 2]), np.ones(2)])
        assert session.run(y).tolist() == [[4, 4], [8, 8]]
        assert layer.get_weights()[1].tolist() == [1, 1]


# ------------------------------------------------------------------ losses, updates
def test_losses_of_a_graph(graph):
    class Net(Layer):
        def call(self, x):
            self.add_loss(reduce_sum(x), inputs=[x])
            self.add_loss(constant(1.0))
            return x

    x, layer = constant(X), Net()
    layer(x)
    assert [t.name for t in layer.get_losses_for(x)] == ["net/Sum:0"]
    assert len(layer.get_losses_for(None)) == 1
    assert len(layer.losses) == 2
    dense = layers.Dense(
        2, kernel_regularizer=reduce_sum, activity_regularizer=reduce_sum
    )
    dense(x)
    assert [t.name for t in dense.get_losses_for(x)] == [
        "dense/ActivityRegularizer/Sum:0"
    ]
    assert len(dense.get_losses_for(None)) == 1


def test_losses_eagerly(eager):
    layer = layers.Dense(2, kernel_regularizer=reduce_sum)
    layer(constant(X))
    layer.set_weights([np.ones([2, 2]), np.ones(2)])
    assert [float(x) for x in layer.losses] == [4.0]
    with pytest.raises(RuntimeError, match="not supported when executing eagerly"):
        layer.add_loss(constant(1.0), inputs=[constant(1.0)])
    for call in (lambda: layer.get_losses_for(None), lambda: layer.updates):
        with pytest.raises(RuntimeError, match="not supported in Eager mode"):
            call()


def test_updates_of_a_graph(graph):
    class Counter(Layer):
        def build(self, input_shape):
            self.count = self.add_weight("c", (), initializer="zeros", trainable=False)
            self.total = self.add_weight("t", (), initializer="zeros", trainable=False)

        def call(self, x):
            self.add_update([self.count.assign_add(1.0)])
            self.add_update(self.total.assign_add(reduce_sum(x)), inputs=x)
            return x

    x, layer = constant(X), Counter()
    layer(x)
    with Session() as session:
        session.run(global_variables_initializer())
        session.run(layer.get_updates_for(None))
        assert session.run([layer.count, layer.total]) == [1, 0]
        session.run(layer.get_updates_for(x))
        assert session.run([layer.count, layer.total]) == [1, 10]
    layer.trainable = False
    assert layer.updates == layer.get_updates_for(x) == []


# ------------------------------------------------------------------ copies, errors
@pytest.mark.parametrize("activation", [None, "relu", relu, "softmax"])
def test_copies_have_variables_of_their_own(eager, activation):
    layer = layers.Dense(3, activation=activation)
    y = layer(constant(X)).numpy()
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert np.array_equal(twin(constant(X)).numpy(), y)
        assert twin.activation is layer.activation
        twin.kernel.assign(twin.kernel * 2.0)
        assert np.array_equal(layer(constant(X)).numpy(), y)
        with GradientTape() as tape:
            total = reduce_sum(twin(constant(X)))
        assert None not in tape.gradient(total, twin.trainable_variables)


def test_unbuilt_layers_are_copied(eager):
    layer = pickle.loads(pickle.dumps(layers.Conv2D(2, 3, name="c")))
    assert layer(constant(np.ones([1, 4, 4, 1], "f"))).shape.as_list() == [1, 2, 2, 2]
    assert layer.kernel.name == "c/kernel:0"


def test_arrays_and_numbers_are_taken(eager):
    y = layers.Dense(2)(np.ones([2, 3], np.float32))
    assert y.dtype.name == "float32"
    assert layers.Dense(2)(np.ones([2, 3])).dtype.name == "float64"


def test_bad_arguments(eager):
    with pytest.raises(TypeError, match="Keyword argument not understood"):
        layers.Dense(3, foo=1)
    layer = Layer(name="x")
    with pytest.raises(TypeError, match="Unknown keyword argument"):
        layer.add_weight("w", [2], foo=3)
    with pytest.raises(ValueError, match="An initializer for variable w of type"):
        layer.add_weight("w", [2], dtype="string")
    assert layer.add_weight("w", [2], dtype="int32").numpy().tolist() == [0, 0]


class Doubled(Layer):
    def __init__(self, regularizer):
        super().__init__()
        self.activity_regularizer = regularizers.get(regularizer)

    def call(self, x):
        return x * 2.0


def test_a_layer_of_the_program_sets_its_activity_regularizer(graph):
    layer = Doubled(regularizers.l1(0.5))
    layer(constant(np.ones([2, 3], np.float32)))
    with Session() as session:
        assert session.run(layer.losses) == [6.0]
    assert Doubled(None).activity_regularizer is None


def test_which_no_eager_call_can_use(eager):
    with pytest.raises(ValueError, match="activity_regularizer currently unsupported"):
        Doubled("l2")(X)

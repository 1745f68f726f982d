"""The ops of cuDNN's recurrent networks, against the layers of tf.contrib.cudnn_rnn."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, eager  # noqa: F401 - a fixture
from twinflow.base.dispatch import apply
from twinflow.compat.door import generated
from twinflow.contrib.cudnn_rnn.networks import run_network
from twinflow.ops.nn import cudnn_rnn
from twinflow.ops.nn.rnn_parameters import Form

LAYERS, UNITS, SIZE = 2, 3, 4
FORMS = [
    (mode, direction)
    for mode in ("lstm", "gru", "rnn_tanh", "rnn_relu")
    for direction in ("unidirectional", "bidirectional")
]


def _function(name):
    return generated.function("python.ops.gen_cudnn_rnn_ops", name)


def _inputs(mode, direction):
    form = Form(mode, LAYERS, UNITS, SIZE, direction)
    draw, sides = np.random.RandomState(0).randn, form.num_dirs
    state = (LAYERS * sides, 2, UNITS)
    c = draw(*state) if mode == "lstm" else np.zeros(0)
    arrays = draw(5, 2, SIZE), draw(*state), c, draw(form.size()) / 2
    return form, [tf.constant(a) for a in arrays]


def _slopes(results, inputs):
    loss = tf.add_n([tf.reduce_sum(tf.sin(y)) for y in results])
    return tf.gradients(loss, inputs)


@pytest.mark.parametrize("mode, direction", FORMS)
def test_results_and_gradients_are_those_of_the_layers(mode, direction):
    with tf.Graph().as_default(), tf.Session() as session:
        form, (x, h, c, params) = _inputs(mode, direction)
        attrs = {"rnn_mode": mode, "direction": direction}
        ours = _function("cudnn_rnn")(x, h, c, params, **attrs)[:3]
        state = c if mode == "lstm" else None
        layers = run_network(form, params, x, h, state)
        count = 3 if mode == "lstm" else 2
        inputs = [x, h, params, c][: count + 1]
        found = [*ours[:count], *_slopes(ours[:count], inputs)]
        want = [*layers[:count], *_slopes(layers[:count], inputs)]
        for a, b in zip(*session.run([found, want]), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@both
def test_parameters_go_apart_and_together(run):
    def build():
        _, (*_, params) = _inputs("gru", "bidirectional")
        attrs = {"rnn_mode": "gru", "direction": "bidirectional"}
        sizes = (LAYERS, UNITS, SIZE)
        weights, biases = _function("cudnn_rnn_params_to_canonical")(
            *sizes, params, 24, **attrs
        )
        join = _function("cudnn_rnn_canonical_to_params")
        again = join(*sizes, weights, biases, **attrs)
        size = _function("cudnn_rnn_params_size")(*sizes, tf.float64, tf.int32, **attrs)
        return [params, again, size, weights[12], biases[0]]

    params, again, size, weight, bias = run(build)
    assert params.tolist() == again.tolist()
    assert size.tolist() == [len(params)]
    assert weight.shape == (UNITS, 2 * UNITS) and bias.shape == (UNITS,)


def test_what_is_dropped_is_dropped_on_the_way_back(eager):  # noqa: F811
    _, (x, h, c, params) = _inputs("lstm", "unidirectional")
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = _function("cudnn_rnnv2")(x, h, c, params, dropout=0.5, seed=1)
        loss = tf.reduce_sum(found[0])
    reserve = found[3].numpy()
    assert set(reserve.tolist()) == {0.0, 2.0}
    slope = tape.gradient(loss, x).numpy()
    step, masks = 1e-6, [reserve.reshape(5, 2, UNITS)]

    def total(z):
        network = cudnn_rnn._Network(Form("lstm", LAYERS, UNITS, SIZE), params.numpy())
        return network.run(z, h.numpy(), c.numpy(), masks)[0].sum()

    moved = x.numpy().copy()
    moved[1, 0, 2] += step
    assert abs((total(moved) - total(x.numpy())) / step - slope[1, 0, 2]) < 1e-4


def test_refusals(eager):  # noqa: F811
    _, (x, h, c, params) = _inputs("lstm", "unidirectional")
    with pytest.raises(tf.errors.InvalidArgumentError, match="params must have"):
        _function("cudnn_rnn")(x, h, c, params[1:])
    with pytest.raises(tf.errors.InvalidArgumentError, match="skip_input"):
        _function("cudnn_rnn")(x, h, c, params, input_mode="skip_input")


def test_layers_have_gradients_eagerly(eager):  # noqa: F811
    form, (x, h, c, params) = _inputs("lstm", "unidirectional")
    with tf.GradientTape() as tape:
        tape.watch(params)
        loss = tf.reduce_sum(run_network(form, params, x, h, c)[0])
    assert tape.gradient(loss, params).shape == params.shape
    assert apply(cudnn_rnn.CudnnRNN, (x, h, c, params), {
        "rnn_mode": "lstm", "input_mode": "linear_input", "seed": 0, "seed2": 0,
        "direction": "unidirectional", "dropout": 0.0, "is_training": False,
    })[3].shape == (0,)  # fmt: skip

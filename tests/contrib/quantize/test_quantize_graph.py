"""Graphs rewritten for quantised training: names and numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf

X = np.sin(np.arange(2 * 8 * 8 * 3, dtype=np.float32)).reshape(2, 8, 8, 3)
LAYERS = [
    "c1/weights_quant", "c1/act_quant", "d1/weights_quant", "d1/act_quant",
    "c2/weights_quant", "c2/act_quant", "post_activation_bypass_quant",
    "fc/weights_quant", "fc/act_quant",
]  # fmt: skip
LOSS = 0.48741892
SLOPES = {
    "c1/weights": [-0.00202, 0.00208, -0.00012],
    "c1/BatchNorm/beta": [0.00019, -0.00259, -0.10584],
    "c1/BatchNorm/gamma": [-0.00405, 0.00158, 0.00751],
    "d1/depthwise_weights": [0.00219, 0.00441, -0.00802],
    "d1/BatchNorm/gamma": [-0.15981, -0.13036, -0.36483],
    "c2/weights": [-0.20375, 0.0225, -0.02756],
    "fc/weights": [-1.4982, 0.0, -3.72221],
}


def network(training, fused):
    slim = tf.contrib.slim
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name="x")
    params = {"fused": fused, "is_training": training, "decay": 0.9, "scale": True}
    with slim.arg_scope(
        [slim.conv2d, slim.separable_conv2d], normalizer_fn=slim.batch_norm,
        normalizer_params=params, activation_fn=tf.nn.relu6,
    ):  # fmt: skip
        y = slim.conv2d(x, 4, 3, scope="c1")
        y = slim.separable_conv2d(y, None, 3, 1, scope="d1")
    y = tf.reduce_mean(y + slim.conv2d(y, 4, 1, scope="c2"), [1, 2])
    return slim.fully_connected(y, 2, activation_fn=None, scope="fc")


def load(session):
    """Set the variables of layers to patterns."""
    for variable in tf.trainable_variables():
        shape = variable.shape.as_list()
        pattern = 0.2 + 0.5 * np.sin(np.arange(int(np.prod(shape))) * 1.7)
        variable.load(pattern.reshape(shape), session)


def trained(fused, **options):
    """(the loss, slopes by name, names of variables) of a training graph."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        loss = tf.reduce_sum(tf.square(network(True, fused) - 1.0))
        before = set(tf.global_variables())
        tf.contrib.quantize.experimental_create_training_graph(graph, **options)
        variables = tf.trainable_variables()
        slopes = tf.gradients(loss, variables)
        session.run(tf.global_variables_initializer())
        load(session)
        loss, slopes = session.run([loss, slopes], {"x:0": X})
        names = {v.op.name for v in tf.global_variables() if v not in before}
    return loss, {v.op.name: s for v, s in zip(variables, slopes)}, names


@pytest.mark.parametrize("fused", [True, False])
def test_losses_and_slopes_are_those_of_tensorflow(fused):
    loss, slopes, names = trained(fused)
    assert loss == pytest.approx(LOSS, rel=1e-4)
    for name, expected in SLOPES.items():
        np.testing.assert_allclose(
            slopes[name].ravel()[:3], expected, rtol=2e-3, atol=1e-4, err_msg=name
        )
    assert {n for n in names if n.count("/") < 3 and "/m" in n} == {
        f"{layer}/{bound}" for layer in LAYERS for bound in ("min", "max")
    }


def test_rounding_waits_and_statistics_stop():
    plain, *_ = trained(True, quant_delay=0)
    later, slopes, names = trained(True, quant_delay=5, freeze_bn_delay=3)
    assert "fake_quantization_step" in names
    assert later == pytest.approx(plain, rel=0.2) and later != plain
    assert all(np.isfinite(slope).all() for slope in slopes.values())


def test_layers_of_one_scope_alone():
    _, _, names = trained(True, scope="c2")
    assert {n for n in names if n.endswith("_quant/min")} == {
        "c2/weights_quant/min", "c2/act_quant/min", "post_activation_bypass_quant/min",
    }  # fmt: skip


def test_trained_ranges_are_exported(tmp_path):
    """Train for quantised inference, evaluate, freeze, and run what was exported."""
    prefix = str(tmp_path / "model")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        loss = tf.reduce_sum(tf.square(network(True, True) - 1.0))
        tf.contrib.quantize.create_training_graph(graph)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            step = tf.train.GradientDescentOptimizer(0.02).minimize(loss)
        session.run(tf.global_variables_initializer())
        losses = [session.run([loss, step], {"x:0": X})[0] for _ in range(8)]
        tf.train.Saver().save(session, prefix)
    assert losses[-1] < losses[0] / 2

    with tf.Graph().as_default() as graph, tf.Session() as session:
        output = network(False, True)
        tf.contrib.quantize.create_eval_graph(graph)
        tf.train.Saver().restore(session, prefix)
        quantised = graph.get_tensor_by_name("fc/act_quant/FakeQuantWithMinMaxVars:0")
        expected = session.run(quantised, {"x:0": X})
        frozen = tf.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), [quantised.op.name]
        )
        assert expected != pytest.approx(session.run(output, {"x:0": X}), abs=1e-6)
    with tf.Graph().as_default(), tf.Session() as session:
        (found,) = tf.import_graph_def(frozen, return_elements=[quantised.name])
        np.testing.assert_allclose(
            session.run(found, {"import/x:0": X}), expected, atol=1e-6
        )


def test_separable_convolutions_and_first_ranges():
    """Both halves are rounded; ranges begin as TensorFlow 1.12 lets them."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
        y = tf.layers.separable_conv2d(x, 4, 3, activation=tf.nn.relu, name="s")
        y = tf.layers.dense(tf.reduce_mean(y, [1, 2]), 2, name="d")
        tf.nn.softmax(y)
        tf.contrib.quantize.create_eval_graph(graph)
        session.run(tf.global_variables_initializer())
        ranges = {
            v.op.name: session.run(v) for v in tf.global_variables()
            if v.op.name.rpartition("/")[2] in ("min", "max")
        }  # fmt: skip
    starts = {"weights_quant": (-6.0, 6.0), "act_quant": (0.0, 6.0)}
    for layer in ("s", "s/separable_conv2d", "d"):
        for kind, (low, high) in starts.items():
            assert ranges[f"{layer}/{kind}/min"] == low
            assert ranges[f"{layer}/{kind}/max"] == high
    assert len(ranges) == 12

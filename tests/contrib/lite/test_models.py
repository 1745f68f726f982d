"""Whole models: what LiteRT gives is what the session gives."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.layer_cases import CASES
from tests.interchange.lite.models import kinds, off, run, written

pytestmark = pytest.mark.exchange
QUANTIZED = tf.lite.constants.QUANTIZED_UINT8
STATEFUL = {"lstm_stateful"}  # the batch has to be known, and the state stays
BOTH = ("conv2d", "separable", "batch_norm", "lstm_unrolled", "dense", "transposed")
SOME = (
    *BOTH, "causal", "dilated", "conv3d", "transposed_first", "transposed3d",
    "depthwise", "conv_first", "average3d_first", "max3d", "local2d",
    "batch_norm_first", "lstm",
    "gru_after", "both_ways", "conv_lstm", "masked", "embedding", "prelu", "crop2d",
    "pad_first", "up2d", "up3d", "permute", "repeat", "dot_rows", "concatenate",
)  # fmt: skip


def shapes_of(name):
    shape = CASES[name][0]
    return shape if isinstance(shape, list) else [shape]


def array_of(name, shape):
    random = np.random.RandomState(0)
    if name in ("embedding", "masked"):
        return random.randint(0, 3, (1, *shape)).astype("f4")
    return random.rand(1, *shape).astype("f4")


def layers_of(names):
    """(a function of one tensor for each input of the layers, arrays for it)"""
    arrays = [array_of(n, shape) for n in names for shape in shapes_of(n)]

    def call(*xs):
        tf.keras.backend.set_learning_phase(0)
        rest, found = list(xs), []
        for name in names:
            count = len(shapes_of(name))
            given, rest = rest[:count], rest[count:]
            made = CASES[name][1]()(given if count > 1 else given[0])
            found += tf.contrib.framework.nest.flatten(made)
        return [tf.identity(t, name="end") for t in found]

    return call, arrays


def check_layers(names):
    call, arrays = layers_of(names)
    model, want = written(call, arrays)
    found = run(model, arrays)
    assert max(off(a, b) for a, b in zip(found, want, strict=True)) < 1e-5


def test_layers():
    check_layers(SOME)


@pytest.mark.interop
def test_all_layers():
    check_layers([name for name in CASES if name not in STATEFUL])


def small(x):
    y = tf.layers.conv2d(x, 16, 3, padding="same", use_bias=False)
    y = tf.nn.relu6(tf.layers.batch_normalization(y))
    y = tf.layers.separable_conv2d(y, 32, 3, strides=2, activation=tf.nn.relu)
    y = tf.layers.dense(tf.reduce_mean(y, [1, 2]), 64, activation=tf.nn.relu)
    return tf.nn.softmax(tf.layers.dense(y, 10), name="probs")


X = np.random.RandomState(0).randint(0, 256, (1, 8, 8, 3)).astype("u1")
REAL = ((X.astype("f4") - 128) / 127).astype("f4")


def rounded(x):
    y = small(x)
    tf.contrib.quantize.create_eval_graph()
    return y


def test_factors_biases_and_activations_are_joined():
    model, want = written(small, [REAL])
    assert kinds(model) == [
        "CONV_2D", "DEPTHWISE_CONV_2D", "CONV_2D", "MEAN", "FULLY_CONNECTED",
        "FULLY_CONNECTED", "SOFTMAX",
    ]  # fmt: skip  # as toco of 1.12 writes them
    assert off(run(model, [REAL])[0], want[0]) < 1e-5


def test_steps_of_a_loop_share_their_weights():
    def call(x):
        cell = tf.nn.rnn_cell.BasicLSTMCell(32)
        return tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0]

    x = np.random.RandomState(0).rand(1, 8, 32).astype("f4")
    model, want = written(call, [x])
    assert kinds(model).count("FULLY_CONNECTED") == 8
    assert len(model) < 2 * 4 * 64 * 4 * 32
    assert off(run(model, [x])[0], want[0]) < 1e-5


def test_weights_of_8_bits():
    whole, want = written(small, [REAL])
    model, _ = written(small, [REAL], post_training_quantize=True)
    same, _ = written(small, [REAL], optimizations=[tf.lite.Optimize.DEFAULT])
    assert len(model) < 0.7 * len(whole) and model == same
    assert off(run(model, [REAL])[0], want[0]) < 0.02


def test_a_graph_with_rounding_in_floats():
    model, want = written(rounded, [REAL])
    assert kinds(model).count("FAKE_QUANT") == 5
    assert off(run(model, [REAL])[0], want[0]) < 1e-5


def quantized(**more):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
        y = rounded(x)
        session.run(tf.global_variables_initializer())
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [y])
        converter.inference_type = QUANTIZED
        converter.quantized_input_stats = {"x": (128.0, 127.0)}
        for name, value in more.items():
            setattr(converter, name, value)
        return converter.convert(), session.run(y, {x: REAL})


# of each tensor: (scale, zero point), as toco of 1.12 gives them for this network
SCALES = {
    "x": (0.007874016, 128), "Relu6": (0.023529412, 0), "Mean": (0.023529412, 0),
    "separable_conv2d/separable_conv2d/depthwise": (0.023529412, 0),
    "separable_conv2d/Relu": (0.023529412, 0), "dense/Relu": (0.023529412, 0),
    "dense_1/BiasAdd": (0.023529412, 0), "probs": (0.00390625, 0),
}  # fmt: skip


def test_whole_numbers():
    model, want = quantized()
    found = run(model, [X])[0]
    assert found.dtype == np.uint8
    assert np.abs(found / 256 - want).max() < 2 / 256
    lite = tf.lite.Interpreter(model_content=model)
    scales = {d["name"]: d["quantization"] for d in lite.get_tensor_details()}
    for name, (scale, zero) in SCALES.items():
        assert scales[name] == (pytest.approx(scale, rel=1e-6), zero), name
    weights = [d for d in lite.get_tensor_details() if "kernel" in d["name"]]
    assert {d["dtype"] for d in weights} == {np.uint8}
    assert {d["quantization"][1] for d in weights} == {128}


def test_whole_numbers_within_floats():
    model, want = quantized(inference_input_type=tf.lite.constants.FLOAT)
    assert np.abs(run(model, [REAL])[0] / 256 - want).max() < 2 / 256
    options = {"quantized_input_stats": {"x0": (128.0, 127.0)}}
    model, want = written(small, [REAL], inference_input_type=QUANTIZED, **options)
    assert np.abs(run(model, [X])[0] - want[0]).max() < 1e-5


def test_default_ranges():
    options = {"quantized_input_stats": {"x0": (128.0, 127.0)}}
    with pytest.raises(ValueError, match="is lacking min/max data"):
        written(small, [REAL], inference_type=QUANTIZED, **options)
    options["default_ranges_stats"] = (0, 6)
    model, _ = written(small, [REAL], inference_type=QUANTIZED, **options)
    assert run(model, [X])[0].dtype == np.uint8
    with pytest.raises(tf.errors.UnimplementedError, match="'EXP' of TensorFlow Lite"):
        written(tf.exp, [REAL], inference_type=QUANTIZED, **options)


def test_concatenation_and_residuals_in_whole_numbers():
    def call(x):
        fake = lambda t, high: tf.fake_quant_with_min_max_args(t, -high, high)
        a, b = fake(x * 1.0, 1.0), fake(tf.nn.relu(x), 2.0)
        return fake(tf.concat([a, b, fake(a + b, 3.0)], -1), 3.0)

    options = {"quantized_input_stats": {"x0": (128.0, 127.0)}}
    model, want = written(call, [REAL], inference_type=QUANTIZED, **options)
    found = run(model, [X])[0].astype("f4")
    assert np.abs((found - 128) * 6 / 255 - want[0]).max() < 0.06


def mobilenet(x, depth=0.25):
    """MobileNet v1 as slim's examples have it, with its first layers."""
    slim = tf.contrib.slim
    norm = {"normalizer_fn": slim.batch_norm, "activation_fn": tf.nn.relu6}
    params = {"is_training": False, "center": True, "scale": True, "decay": 0.99}
    layers = [slim.conv2d, slim.separable_conv2d]
    with slim.arg_scope(layers, normalizer_params=params, **norm):
        y = slim.conv2d(x, int(32 * depth), 3, stride=2)
        for channels, stride in ((64, 1), (128, 2), (128, 1), (256, 2)):
            y = slim.separable_conv2d(y, None, 3, 1, stride=stride)
            y = slim.conv2d(y, int(channels * depth), 1)
    y = slim.avg_pool2d(y, y.shape.as_list()[1:3])
    y = slim.conv2d(y, 10, 1, activation_fn=None)
    return slim.softmax(tf.squeeze(y, [1, 2]))


def test_networks_of_slim():
    x = np.random.RandomState(0).rand(1, 32, 32, 3).astype("f4")
    model, want = written(mobilenet, [x])
    assert kinds(model)[:9] == ["CONV_2D", *["DEPTHWISE_CONV_2D", "CONV_2D"] * 4]
    assert off(run(model, [x])[0], want[0]) < 1e-5
    resnet = tf.contrib.slim.nets.resnet_v2
    blocks = [resnet.resnet_v2_block("block1", base_depth=2, num_units=2, stride=2)]
    call = lambda x: resnet.resnet_v2(x, blocks, 5, is_training=False)[0]
    model, want = written(call, [x])
    assert off(run(model, [x])[0], want[0]) < 1e-5


@pytest.mark.interop
@pytest.mark.parametrize("version", ["tf112_python", "tf221_python"])
def test_in_the_interpreter_of_tensorflow(version, tmp_path, request):
    python = request.getfixturevalue(version)
    call, arrays = layers_of(BOTH)
    cases = [(*written(call, arrays), arrays), (*written(rounded, [REAL]), [REAL])]
    model, _ = quantized()
    cases.append((model, run(model, [X]), [X]))
    for i, (model, _, given) in enumerate(cases):
        (tmp_path / f"{i}.tflite").write_bytes(model)
        parts = {f"x{j}": a for j, a in enumerate(given)}
        np.savez(tmp_path / f"{i}.npz", **parts)
    script = str(Path(__file__).with_name("run_elsewhere.py"))
    subprocess.run(
        [python, script, str(tmp_path), str(len(cases))], check=True, timeout=240
    )
    for i, (_, want, _) in enumerate(cases):
        with np.load(tmp_path / f"{i}_out.npz") as file:
            found = [file[f"y{j}"] for j in range(len(want))]
        if want[0].dtype == np.uint8:
            assert max(np.abs(a.astype(int) - b) for a, b in zip(found, want)).max() < 3
        else:
            assert max(off(a, b) for a, b in zip(found, want)) < 1e-5

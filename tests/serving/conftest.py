"""Models to be served, and servers in threads at free ports."""

import contextlib
import threading

import numpy as np
import pytest

import twinflow as tf
from twinflow.serving.configs import of_folder
from twinflow.serving.server import Server
from twinflow.serving.settings import Settings

CLASSIFY, REGRESS = "tensorflow/serving/classify", "tensorflow/serving/regress"


def save_half(folder, times=2.0):
    """y = times * x + 0.5, and signatures for two inputs, strings and a scalar."""
    signature = tf.saved_model.signature_def_utils.predict_signature_def
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None], name="x")
        y = x * tf.Variable(times) + 0.5
        n = tf.placeholder(tf.int32, [None, 2], name="n")
        s = tf.placeholder(tf.string, [None], name="s")
        m = tf.placeholder(tf.float32, [None, None], name="m")
        checked = tf.check_numerics(m, "not a number")
        sess.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(str(folder))
        builder.add_meta_graph_and_variables(
            sess, ["serve"], signature_def_map={
                "serving_default": signature({"x": x}, {"y": y}),
                "two": signature({"x": x, "n": n}, {"sum": x + tf.to_float(n[:, 0]),
                                                    "n": n}),
                "strings": signature({"s": s}, {"text": s, "raw_bytes": s}),
                "total": signature({"x": x}, {"total": tf.reduce_sum(x)}),
                "checked": signature({"m": m}, {"m": checked}),
                "classify": _of_examples(CLASSIFY),
                "regress": _of_examples(REGRESS),
            })  # fmt: skip
        builder.save()


def _of_examples(method):
    texts = tf.placeholder(tf.string, [None])
    a = tf.parse_example(texts, {"a": tf.FixedLenFeature([1], tf.float32)})["a"]
    outputs = {"outputs": a}
    if method == CLASSIFY:
        labels = tf.tile(tf.constant([["no", "yes"]]), [tf.shape(a)[0], 1])
        outputs = {"classes": labels, "scores": tf.concat([1.0 - a, a], 1)}
    info = tf.saved_model.utils.build_tensor_info
    return tf.saved_model.signature_def_utils.build_signature_def(
        {"inputs": info(texts)}, {k: info(t) for k, t in outputs.items()}, method
    )


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """The folder of a model with the version 1."""
    folder = tmp_path_factory.mktemp("half")
    save_half(folder / "1")
    return folder


@contextlib.contextmanager
def served(config, **settings):
    """A Server in a thread, ready."""
    server = Server(config, Settings(rest_port=0, grpc_port=0, **settings))
    thread = threading.Thread(target=server.run, args=(False,))
    thread.start()
    try:
        assert server.ready.wait(60)
        yield server
    finally:
        server.stop()
        thread.join(60)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def server(half):
    """A server of `half`."""
    with served(of_folder(str(half), "half"), max_bytes=100_000) as found:
        yield found


def halves(values, times=2.0):
    """What `half` gives."""
    return (np.asarray(values, np.float32) * np.float32(times) + 0.5).tolist()

"""Readers of graphs."""

from pathlib import Path

from google.protobuf import text_format
from google.protobuf.message import DecodeError

import twinflow as tf
from tests.fuzz.readers import reader
from twinflow.formats import protos


def _small_graph():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3, 2])
    y = tf.nn.relu(tf.matmul(x, w) + tf.constant([1.0, 2.0]), name="y")
    i = tf.constant([[1, 2], [3, 4]])
    tf.cond(tf.reduce_sum(y) > 0, lambda: tf.reduce_sum(i), lambda: tf.constant(1))
    tf.while_loop(lambda n: n < 3, lambda n: n + 1, [tf.constant(0)])
    tf.py_func(lambda v: v, [x], tf.float32)
    tf.concat([tf.as_string(i), tf.constant([[b"a", b"b"]])], 0, name="text")
    return x, y


def _graph_def(as_text):
    def make(folder):
        with tf.Graph().as_default() as graph:
            _small_graph()
            proto = graph.as_graph_def()
        data = proto.SerializeToString()
        if as_text:
            data = text_format.MessageToString(proto).encode()
        (folder / "graph").write_bytes(data)
        return [folder / "graph"]

    return make


def _imported(graph_def):
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")


@reader(_graph_def(False), names_file=False, message=tf.GraphDef)
def graph_def(folder):
    try:
        proto = tf.GraphDef.FromString((folder / "graph").read_bytes())
    except DecodeError:
        return  # said by the library of protocol buffers to the user who called it
    _imported(proto)


@reader(_graph_def(True), names_file=False)
def graph_def_text(folder):
    data = (folder / "graph").read_bytes()
    try:
        proto = text_format.Parse(data.decode(), tf.GraphDef())
    except (text_format.ParseError, UnicodeDecodeError):
        return
    _imported(proto)


def _meta_graph(as_text):
    def make(folder):
        with tf.Graph().as_default():
            _, y = _small_graph()
            tf.add_to_collection("fetch", y)
            tf.train.Saver()
            tf.train.export_meta_graph(str(folder / "model.meta"), as_text=as_text)
        return [folder / "model.meta"]

    return make


def _meta(folder):
    with tf.Graph().as_default():
        tf.train.import_meta_graph(str(folder / "model.meta"))


@reader(_meta_graph(False), message=protos.MetaGraphDef)
def meta_graph(folder):
    _meta(folder)


@reader(_meta_graph(True))
def meta_graph_text(folder):
    _meta(folder)


def _saved_model(as_text):
    def make(folder):
        with tf.Graph().as_default(), tf.Session() as session:
            x, y = _small_graph()
            session.run(tf.global_variables_initializer())
            builder = tf.saved_model.builder.SavedModelBuilder(f"{folder}/saved")
            (folder / "words").write_text("a\nb\n")
            tf.add_to_collection(
                tf.GraphKeys.ASSET_FILEPATHS, tf.constant(f"{folder}/words")
            )
            signature = tf.saved_model.signature_def_utils.predict_signature_def(
                {"x": x}, {"y": y}
            )
            builder.add_meta_graph_and_variables(
                session, ["serve"], {"serving_default": signature},
                assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
                main_op=tf.saved_model.main_op.main_op(),
            )  # fmt: skip
            path = builder.save(as_text)
        return [Path(path.decode())]

    return make


def _load_saved(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], f"{folder}/saved")


@reader(_saved_model(False), message=protos.SavedModel)
def saved_model(folder):
    _load_saved(folder)


@reader(_saved_model(True))
def saved_model_text(folder):
    _load_saved(folder)

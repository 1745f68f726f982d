"""The readers of files: how each of them makes a file, and reads it to its end.

A reader is `make(folder) -> paths of files to be damaged`, and `read(folder)`. Files
with checksums come twice: as they are, and with checksums that fit what was changed,
for somebody who wants to be read sees to that.
"""

import contextlib
import gzip
import io
import json
import pickle
import sqlite3
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import numpy as np
from google.protobuf import text_format
from google.protobuf.message import DecodeError
from PIL import Image

import twinflow as tf
from twinflow.base import bundle, dispatch, protos, records, slices, sorted_table
from twinflow.compat.tutorials import mnist_data
from twinflow.eager.mode import MODE
from twinflow.keras.datasets import cifar, npz

K = tf.keras


class Reader(NamedTuple):
    """How a kind of file is made and read.

    Attributes:
        make: function of a folder. read: function of a folder.
        names_file: whether the reader knows the file, so that its errors name it.
        unpacked, packed: functions between the bytes of a file and those that are
            changed, where checksums or compression would hide all changes.
        message: the class of the protocol buffer in it, whose fields are changed, too.
    """

    make: Any
    read: Any
    names_file: bool = True
    unpacked: Any = None
    packed: Any = None
    message: Any = None


READERS: dict[str, Reader] = {}


def reader(make, **options):
    """Register a function as the reader of what `make` writes, by its name."""

    def register(read):
        READERS[read.__name__] = Reader(make, read, **options)
        return read

    return register


def eagerly(read):
    def run(folder):
        with dispatch.entered(MODE):
            return read(folder)

    run.__name__ = read.__name__
    return run


# ------------------------------------------------------------------ checksums
def record_payloads(data):
    """The records of a TFRecord file, joined by a mark."""
    return b"\n--record--\n".join(d for _, d in records.records_in(io.BytesIO(data)))


def as_records(payload):
    return b"".join(map(records.framed, payload.split(b"\n--record--\n")))


def table_rows(data):
    """The rows of a table, joined by marks."""
    rows = sorted_table.read_table(data, "")
    return b"\n--row--\n".join(k + b"\n--value--\n" + v for k, v in rows.items())


def as_table(text):
    rows = {}
    for row in text.split(b"\n--row--\n"):
        key, _, value = row.partition(b"\n--value--\n")
        rows[key] = value
    return sorted_table.table(sorted(rows.items()))


# ------------------------------------------------------------------ checkpoints
def _variables():
    return {
        "w": np.arange(12, dtype=np.float32).reshape(3, 4), "n": np.int64(3),
        "s": np.array([b"ab", b"", b"c" * 40], object), "h": np.ones(5, np.float16),
    }  # fmt: skip


def _write_v2(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        found = [tf.Variable(v, name=k) for k, v in _variables().items()]
        found.append(tf.get_variable("p", [6, 2], partitioner=None))
        session.run(tf.global_variables_initializer())
        tf.train.Saver(found).save(session, f"{folder}/model")


def _index(folder):
    _write_v2(folder)
    return [folder / "model.index"]


def _data(folder):
    _write_v2(folder)
    return [folder / "model.data-00000-of-00001"]


def _read_checkpoint(folder):
    opened = tf.train.load_checkpoint(f"{folder}/model")
    opened.get_variable_to_dtype_map()
    opened.debug_string()
    for name in opened.get_variable_to_shape_map():
        opened.get_tensor(name)


@reader(_index)
def checkpoint_index(folder):
    _read_checkpoint(folder)


@reader(_index, unpacked=table_rows, packed=as_table)
def checkpoint_rows(folder):
    _read_checkpoint(folder)


@reader(_data)
def checkpoint_data(folder):
    _read_checkpoint(folder)


def _restored(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        found = [tf.Variable(v, name=k) for k, v in _variables().items()]
        tf.train.Saver(found).restore(session, f"{folder}/model")


@reader(_index, unpacked=table_rows, packed=as_table)
def restore_by_name(folder):
    _restored(folder)


def _v1(folder):
    slices.write_slices(
        f"{folder}/model", [(k, np.asarray(v), None) for k, v in _variables().items()]
    )
    return [folder / "model"]


@reader(_v1)
def checkpoint_v1(folder):
    _read_checkpoint(folder)


@reader(_v1, unpacked=table_rows, packed=as_table)
def checkpoint_v1_rows(folder):
    _read_checkpoint(folder)


def _objects():
    model = K.Sequential([K.layers.Dense(2, input_shape=(3,))])
    return model, tf.train.AdamOptimizer()


def _object_checkpoint(folder):
    with dispatch.entered(MODE):
        model, optimizer = _objects()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.ones([1, 3])))
        grads = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(grads, model.variables))
        tf.train.Checkpoint(model=model, optimizer=optimizer).write(f"{folder}/model")
    return [folder / "model.index"]


@eagerly
def _restore_objects(folder):
    model, optimizer = _objects()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    checkpoint.restore(f"{folder}/model")
    model(tf.ones([1, 3]))


@reader(_object_checkpoint, unpacked=table_rows, packed=as_table)
def object_checkpoint(folder):
    _restore_objects(folder)


def _rewritten(folder, key):
    """A checkpoint like that of `folder` with the string of its file `string`."""
    opened = bundle.Bundle(f"{folder}/model")
    rows = [(n, opened.read(n), None) for n in opened.entries if n != key]
    value = np.empty((), object)
    value[()] = (folder / "string").read_bytes()
    (folder / "again").mkdir(exist_ok=True)
    bundle.write_bundle(f"{folder}/again/model", [*rows, (key, value, None)])
    return folder / "again"


_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def _object_graph(folder):
    _object_checkpoint(folder)
    graph = tf.train.load_checkpoint(f"{folder}/model").get_tensor(_GRAPH_KEY)
    (folder / "string").write_bytes(graph)
    return [folder / "string"]


@reader(_object_graph, names_file=False, message=protos.CheckpointableObjectGraph)
def object_graph(folder):
    _restore_objects(_rewritten(folder, _GRAPH_KEY))


def _pipeline():
    data = tf.data.Dataset.range(20).map(lambda x: (x, tf.as_string(x)))
    return iter(data.shuffle(4, seed=1).batch(3))


_STATE_KEY = "run/.ATTRIBUTES/ITERATOR_STATE"


def _iterator(folder):
    with dispatch.entered(MODE):
        run = _pipeline()
        next(run)
        tf.train.Checkpoint(run=run).write(f"{folder}/model")
    state = tf.train.load_checkpoint(f"{folder}/model").get_tensor(_STATE_KEY)
    (folder / "string").write_bytes(state)
    return [folder / "string"]


@reader(_iterator, names_file=False)
@eagerly
def iterator_state(folder):
    run = _pipeline()
    again = _rewritten(folder, _STATE_KEY)
    tf.train.Checkpoint(run=run).restore(f"{again}/model")
    for _ in run:
        pass


def _state(folder):
    _write_v2(folder)
    return [folder / "checkpoint"]


@reader(_state)
def checkpoint_state(folder):
    tf.train.get_checkpoint_state(str(folder))
    tf.train.latest_checkpoint(str(folder))


# ------------------------------------------------------------------ records
def _records(packer=lambda data: data):
    def make(folder):
        rows = [b"", b"one", b"two" * 100, bytes(range(256))]
        (folder / "data").write_bytes(packer(b"".join(map(records.framed, rows))))
        return [folder / "data"]

    return make


def _iterated(folder, compression):
    options = tf.python_io.TFRecordOptions(compression) if compression else None
    for _ in tf.python_io.tf_record_iterator(str(folder / "data"), options):
        pass


@eagerly
def _from_dataset(dataset):
    for _ in dataset():
        pass


@reader(_records())
def tfrecord(folder):
    _iterated(folder, "")


@reader(_records(gzip.compress))
def tfrecord_gzip(folder):
    _iterated(folder, "GZIP")


@reader(_records(zlib.compress))
def tfrecord_zlib(folder):
    _iterated(folder, "ZLIB")


@reader(_records(gzip.compress), unpacked=gzip.decompress, packed=gzip.compress)
def tfrecord_inside_gzip(folder):
    _iterated(folder, "GZIP")


@reader(_records())
def tfrecord_dataset(folder):
    _from_dataset(lambda: tf.data.TFRecordDataset(str(folder / "data")))


@reader(_records(gzip.compress))
def text_lines_gzip(folder):
    path = str(folder / "data")
    _from_dataset(lambda: tf.data.TextLineDataset(path, compression_type="GZIP"))


@reader(_records())
def record_reader(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        files = tf.train.string_input_producer([str(folder / "data")], num_epochs=1)
        key, value = tf.TFRecordReader().read(files)
        session.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        try:
            for _ in range(9):
                session.run([key, value])
        except tf.errors.OutOfRangeError:
            pass
        finally:
            coord.request_stop()
            coord.join(threads, stop_grace_period_secs=5)


def _events(folder):
    with dispatch.entered(MODE):
        writer = tf.contrib.summary.create_file_writer(str(folder))
        tf.train.create_global_step()
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            for i in range(4):
                tf.contrib.summary.scalar("loss", float(i), step=i)
                tf.contrib.summary.histogram("w", tf.ones([9]), step=i)
        writer.flush()
    path = next(folder.glob("events*"))
    return [path.rename(folder / "events")]


@reader(_events)
def events(folder):
    list(tf.train.summary_iterator(str(folder / "events")))


@reader(_events, unpacked=record_payloads, packed=as_records)
def events_inside(folder):
    list(tf.train.summary_iterator(str(folder / "events")))


# ------------------------------------------------------------------ graphs
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


# ------------------------------------------------------------------ Keras
def _network():
    model = K.Sequential(
        [
            K.layers.Dense(4, "relu", input_shape=(3,), name="a"),
            K.layers.BatchNormalization(name="b"), K.layers.Dense(2, name="c"),
        ]
    )  # fmt: skip
    model.compile("adam", "mse", metrics=["mae"])
    return model


class _Model:
    """Made once: building it takes longer than reading."""

    model: Any = None

    @classmethod
    def get(cls):
        cls.model = cls.model or _network()
        return cls.model


def _weights(folder):
    _Model.get().save_weights(str(folder / "w.h5"))
    return [folder / "w.h5"]


@reader(_weights)
def hdf5_weights(folder):
    _Model.get().load_weights(str(folder / "w.h5"))


@reader(_weights)
def hdf5_weights_by_name(folder):
    _Model.get().load_weights(str(folder / "w.h5"), by_name=True)


def _whole_model(folder):
    model = _Model.get()
    model.fit(np.ones([4, 3]), np.ones([4, 2]), verbose=0)
    model.save(str(folder / "m.h5"))
    return [folder / "m.h5"]


@reader(_whole_model)
def hdf5_model(folder):
    K.backend.clear_session()
    with tf.Graph().as_default():
        K.models.load_model(str(folder / "m.h5"))


def _matrix(folder):
    with h5py.File(folder / "x.h5", "w") as file:
        file["x"] = np.arange(60.0).reshape(20, 3)
    return [folder / "x.h5"]


@reader(_matrix)
def hdf5_matrix(folder):
    path = str(folder / "x.h5")
    K.utils.HDF5Matrix.refs.pop(path, None)
    K.utils.HDF5Matrix(path, "x")[2:9]


def _json(folder):
    (folder / "m.json").write_text(_Model.get().to_json())
    return [folder / "m.json"]


@reader(_json, names_file=False)
def model_json(folder):
    text = (folder / "m.json").read_bytes().decode("utf-8", "replace")
    with tf.Graph().as_default():
        K.models.model_from_json(text)


def _tokenizer(folder):
    words = K.preprocessing.text.Tokenizer()
    words.fit_on_texts(["some text", "more text"])
    (folder / "t.json").write_text(words.to_json())
    return [folder / "t.json"]


@reader(_tokenizer, names_file=False)
def tokenizer_json(folder):
    text = (folder / "t.json").read_bytes().decode("utf-8", "replace")
    K.preprocessing.text.tokenizer_from_json(text)


def _hparams(folder):
    (folder / "h").write_text('{"a": 1, "b": [1.5, 2.0], "c": "x"}')
    return [folder / "h"]


@reader(_hparams, names_file=False)
def hparams_json(folder):
    text = (folder / "h").read_bytes().decode("utf-8", "replace")
    with contextlib.suppress(KeyError):  # as it says, for a name that is not there
        tf.contrib.training.HParams(a=1, b=[1.0], c="y").parse_json(text)


def _npz(compressed):
    def make(folder):
        texts = np.empty(3, object)
        for i, value in enumerate([[1, 2], [3], [4, 5, 6]]):
            texts[i] = value
        save = np.savez_compressed if compressed else np.savez
        save(folder / "a.npz", x=np.arange(20, dtype=np.int32), y=texts)
        return [folder / "a.npz"]

    return make


@reader(_npz(False))
def npz_arrays(folder):
    npz.arrays_of(str(folder / "a.npz"), "x", "y")


@reader(_npz(True))
def npz_compressed(folder):
    npz.arrays_of(str(folder / "a.npz"), "x", "y")


def _one_npy(folder):
    file = io.BytesIO()
    texts = np.empty(2, object)
    texts[0], texts[1] = [1, 2], [3]
    np.save(file, texts)
    (folder / "x.npy").write_bytes(file.getvalue())
    return [folder / "x.npy"]


@reader(_one_npy, names_file=False)
def npz_objects(folder):
    with zipfile.ZipFile(folder / "a.npz", "w") as archive:
        archive.writestr("x.npy", (folder / "x.npy").read_bytes())
    npz.arrays_of(str(folder / "a.npz"), "x")


def _cifar(folder):
    batch = {b"data": np.zeros((2, 3072), np.uint8), b"labels": [1, 2]}
    (folder / "b").write_bytes(pickle.dumps(batch, 2))
    return [folder / "b"]


@reader(_cifar)
def cifar_batch(folder):
    cifar.load_batch(str(folder / "b"))


# ------------------------------------------------------------------ pictures
def _picture(form, mode="RGB", **options):
    def make(folder):
        numbers = np.random.RandomState(0).randint(0, 255, (9, 7, 4), np.uint8)
        image = Image.fromarray(numbers, "RGBA").convert(mode)
        if form == "GIF":
            options.update(save_all=True, append_images=[image.rotate(90)])
        image.save(folder / "picture", form, **options)
        return [folder / "picture"]

    return make


@eagerly
def _decoded(folder):
    data = (folder / "picture").read_bytes()
    if data.startswith(b"BM"):
        tf.image.decode_bmp(data)
    tf.image.decode_image(data)


def _deep_png(folder):
    with dispatch.entered(MODE):
        image = tf.constant(np.arange(60, dtype=np.uint16).reshape(5, 4, 3) * 999)
        (folder / "picture").write_bytes(tf.image.encode_png(image).numpy())
    return [folder / "picture"]


def _bare_chunks(data):
    """A PNG file without the checksums of its chunks."""
    out, at = [data[:8]], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        out.append(data[at : at + 8 + size])
        at += 12 + size
    return b"".join(out)


def _with_sums(data):
    out, at = [data[:8]], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        chunk = data[at : at + 8 + size]
        out.append(chunk + zlib.crc32(chunk[4:]).to_bytes(4, "big"))
        at += 8 + size
    return b"".join(out)


for _name, _make, _options in (
    ("png", _picture("PNG"), {}), ("jpeg", _picture("JPEG"), {}),
    ("gif", _picture("GIF", "P"), {}), ("bmp", _picture("BMP"), {}),
    ("png_chunks", _picture("PNG", "P"), {"unpacked": _bare_chunks, "packed": _with_sums}),
    ("png_deep", _deep_png, {}),
    ("png_deep_chunks", _deep_png, {"unpacked": _bare_chunks, "packed": _with_sums}),
):  # fmt: skip
    READERS[_name] = Reader(_make, _decoded, False, **_options)


@reader(_picture("PNG"))
def load_img(folder):
    K.preprocessing.image.load_img(str(folder / "picture"))


# ------------------------------------------------------------------ texts and protos
def _csv(folder):
    lines = ["a,b,c", '1,2.5,"x, y"', '2,-1,"say ""no"""', "3,1e3,z"]
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    return [folder / "t.csv"]


@reader(_csv)
def csv_dataset(folder):
    kinds = [tf.int32, tf.float32, tf.string]
    path = str(folder / "t.csv")
    _from_dataset(lambda: tf.contrib.data.CsvDataset(path, kinds, header=True))


@reader(_csv)
def csv_batches(folder):
    path = str(folder / "t.csv")
    make = tf.contrib.data.make_csv_dataset
    _from_dataset(lambda: make(path, 2, shuffle=False, num_epochs=1))


@reader(_csv, names_file=False)
@eagerly
def csv_lines(folder):
    lines = (folder / "t.csv").read_bytes().split(b"\n")[1:]
    for line in filter(None, lines):
        tf.decode_csv([line], [[0], [0.0], [""]])


def _example(folder):
    feature = {
        "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2])),
        "b": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5])),
        "c": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x", b"y"])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=feature))
    (folder / "e").write_bytes(example.SerializeToString())
    return [folder / "e"]


@reader(_example, names_file=False, message=tf.train.Example)
@eagerly
def example(folder):
    data = (folder / "e").read_bytes()
    features = {
        "a": tf.FixedLenFeature([2], tf.int64), "b": tf.FixedLenFeature([], tf.float32),
        "c": tf.VarLenFeature(tf.string),
    }  # fmt: skip
    for parse in (tf.parse_single_example, lambda d, f: tf.parse_example([d], f)):
        parse(data, features)


@reader(_example, names_file=False)
@eagerly
def sequence_example(folder):
    data = (folder / "e").read_bytes()
    tf.parse_single_sequence_example(
        data, {"a": tf.VarLenFeature(tf.int64)}, {"b": tf.VarLenFeature(tf.float32)}
    )


def _example_json(folder):
    text = {"features": {"feature": {"a": {"int64List": {"value": [1, 2]}}}}}
    (folder / "e").write_text(json.dumps(text))
    return [folder / "e"]


@reader(_example_json, names_file=False)
@eagerly
def example_json(folder):
    tf.decode_json_example([(folder / "e").read_bytes()])


def _tensors(folder):
    paths = []
    for i, value in enumerate(_variables().values()):
        paths.append(folder / f"t{i}")
        paths[-1].write_bytes(tf.make_tensor_proto(value).SerializeToString())
    return paths


@reader(_tensors, names_file=False, message=protos.TensorProto)
@eagerly
def tensor_proto(folder):
    for path in sorted(folder.glob("t?")):
        data = path.read_bytes()
        for kind in (tf.float32, tf.int64, tf.string, tf.float16):
            try:
                tf.parse_tensor(data, kind)
            except tf.errors.InvalidArgumentError:
                pass
        try:
            proto = protos.TensorProto.FromString(data)
        except DecodeError:
            continue
        tf.make_ndarray(proto)


def _compressed(folder):
    (folder / "z").write_bytes(zlib.compress(b"text" * 50))
    return [folder / "z"]


@reader(_compressed, names_file=False)
@eagerly
def decode_compressed(folder):
    tf.decode_compressed([(folder / "z").read_bytes()], "ZLIB")


def _vocabulary(folder):
    (folder / "v").write_text("a\t1\nb\t2\nc\t3\n")
    return [folder / "v"]


@reader(_vocabulary)
@eagerly
def lookup_table(folder):
    table = tf.contrib.lookup.HashTable(
        tf.contrib.lookup.TextFileInitializer(
            str(folder / "v"), tf.string, 0, tf.int64, 1
        ), -1,
    )  # fmt: skip
    table.lookup(tf.constant(["a"]))


def _fixed(folder):
    (folder / "f").write_bytes(bytes(range(100)))
    return [folder / "f"]


@reader(_fixed)
def fixed_length(folder):
    path = str(folder / "f")
    _from_dataset(lambda: tf.data.FixedLengthRecordDataset(path, 10))


def _mnist(folder):
    head = b"\0\0\x08\x03" + b"".join(n.to_bytes(4, "big") for n in (2, 28, 28))
    path = folder / "train-images-idx3-ubyte.gz"
    path.write_bytes(gzip.compress(head + bytes(2 * 28 * 28)))
    return [path]


@reader(_mnist)
def mnist_images(folder):
    mnist_data._read(str(next(folder.glob("*.gz"))), False)


@reader(_mnist, unpacked=gzip.decompress, packed=gzip.compress)
def mnist_images_inside(folder):
    mnist_images(folder)


def _sql(folder):
    with sqlite3.connect(folder / "d.sqlite") as file:
        file.execute("create table t (a integer, b text)")
        file.executemany(
            "insert into t values (?, ?)", [(i, "x" * i) for i in range(30)]
        )
    return [folder / "d.sqlite"]


@reader(_sql)
def sql_dataset(folder):
    make = tf.contrib.data.SqlDataset
    path, kinds = str(folder / "d.sqlite"), (tf.int64, tf.string)
    _from_dataset(lambda: make("sqlite", path, "select a, b from t", kinds))

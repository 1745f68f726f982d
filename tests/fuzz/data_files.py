"""Readers of texts, protocol buffers and tables."""

import gzip
import json
import sqlite3
import zlib

from google.protobuf.message import DecodeError

import twinflow as tf
from tests.fuzz.readers import eagerly, read_dataset, reader, values
from twinflow.contrib.learn.datasets import digits as mnist_data
from twinflow.formats import protos


def _csv(folder):
    lines = ["a,b,c", '1,2.5,"x, y"', '2,-1,"say ""no"""', "3,1e3,z"]
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    return [folder / "t.csv"]


@reader(_csv)
def csv_dataset(folder):
    kinds = [tf.int32, tf.float32, tf.string]
    path = str(folder / "t.csv")
    read_dataset(lambda: tf.contrib.data.CsvDataset(path, kinds, header=True))


@reader(_csv)
def csv_batches(folder):
    path = str(folder / "t.csv")
    make = tf.contrib.data.make_csv_dataset
    read_dataset(lambda: make(path, 2, shuffle=False, num_epochs=1))


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
    for i, value in enumerate(values().values()):
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
    read_dataset(lambda: tf.data.FixedLengthRecordDataset(path, 10))


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
    read_dataset(lambda: make("sqlite", path, "select a, b from t", kinds))

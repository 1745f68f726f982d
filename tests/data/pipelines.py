"""One small pipeline for each way to make or change a dataset: what can be saved."""

import contextlib
import gzip
import operator
import os
import sqlite3
import time

import numpy as np

import twinflow as tf
from twinflow.data.experimental.stats import bytes_produced_stats
from twinflow.formats.tf_record import framed

X = tf.data.experimental
D = tf.data.Dataset
FOLDER: list = [None]  # where the files are: set by the test


def path(name):
    """The path of a file of the test."""
    return os.path.join(FOLDER[0], name)


def files():
    """Write the files that pipelines read."""
    for name in "ab":
        with open(path(f"{name}.txt"), "wb") as file:
            file.write(b"".join(b"%s%d\r\n" % (name.encode(), i) for i in range(4)))
        records = b"".join(framed(b"%s%d" % (name.encode(), i)) for i in range(4))
        with open(path(f"{name}.records"), "wb") as file:
            file.write(records)
        with gzip.open(path(f"{name}.gz"), "wb") as file:
            file.write(records)
        with open(path(f"{name}.fixed"), "wb") as file:
            file.write(b"head" + bytes(range(12)) + b"foot!")
        with open(path(f"{name}.csv"), "w") as file:
            file.write("".join(f"{i},{name}{i}\n" for i in range(4)))
    with open(path("examples"), "wb") as file:
        file.write(b"".join(framed(example(i)) for i in range(5)))
    with contextlib.closing(sqlite3.connect(path("numbers.db"))) as database:
        database.execute("CREATE TABLE t (n INTEGER)")
        database.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(5)])
        database.commit()


def examples():
    """Serialized Examples of the numbers 0 to 4."""
    return tf.data.TFRecordDataset(path("examples"))


def example(i):
    """A serialized Example of one number."""
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[i]))
    features = tf.train.Features(feature={"n": feature})
    return tf.train.Example(features=features).SerializeToString()


def both(kind):
    """The paths of the two files of one kind."""
    return [path(f"a.{kind}"), path(f"b.{kind}")]


def numbers():
    """0 ... 9, as rows of an array."""
    return D.from_tensor_slices(np.arange(10))


def doubled(n=10):
    """0, 2, ... through a map."""
    return D.range(n).map(lambda i: i * 2)


def slow(i):
    """A function that takes its time, so that threads work."""
    return tf.py_func(lambda x: time.sleep(0.001) or x + 1, [i], tf.int64)


def sparse():
    """A sparse tensor of 4 rows."""
    return tf.SparseTensor([[0, 1], [1, 0], [3, 2]], [1, 2, 3], [4, 3])


def dense(element):
    """A sparse element as one that is compared."""
    return tf.sparse_tensor_to_dense(element)


def ragged():
    """Rows of different lengths."""
    return D.range(1, 9).map(lambda i: tf.fill([i % 3 + 1], i))


def count(n):
    """A generator."""
    for i in range(n):
        yield i, [i] * 2


def windows():
    """Windows that overlap."""
    return D.range(9).window(3, 2)


def choices():
    """Numbers of two datasets, in turns."""
    return D.range(8).map(lambda i: i % 2)


def scanned():
    """Sums so far."""
    return doubled().apply(X.scan(np.int64(0), lambda s, x: (s + x, s + x)))


def reducer():
    """Sums by key."""
    zero, more = lambda key: np.int64(0), lambda state, x: state + x
    return X.Reducer(zero, more, lambda state: state * 2)


def key(i):
    """The remainder by 3."""
    return i % 3


def lengths(row):
    """The length of a row."""
    return tf.size(row)


def drawn(i):
    """An element and a random number from a seed of its own."""
    return i, tf.random_uniform([], seed=3)


def drawn_slowly(i):
    """The same, by threads."""
    return slow(i), tf.random_uniform([], seed=3)


def next_number(i):
    """What a worker process computes."""
    return tf.py_func(operator.index, [i + 1], tf.int64)


def measured(change):
    """A pipeline that an aggregator watches."""
    watch = X.set_stats_aggregator(X.StatsAggregator())
    return doubled().apply(change).apply(watch)


SEEDED = {
    "from_tensors": lambda: D.from_tensors((1, [2, 3])),
    "from_tensor_slices": lambda: D.from_tensor_slices(
        {"a": np.arange(5), "b": [b"x"] * 5}
    ),
    "sparse slices": lambda: D.from_tensor_slices(sparse()).map(dense),
    "from_sparse_tensor_slices": lambda: D.from_sparse_tensor_slices(sparse()),
    "from_generator": lambda: D.from_generator(count, (tf.int64, tf.int32), args=(5,)),
    "range": lambda: D.range(9, 0, -2),
    "list_files": lambda: D.list_files(path("*.txt"), seed=1),
    "zip rows": lambda: D.zip((numbers(), numbers().skip(3))),
    "zip": lambda: D.zip((doubled(), numbers())),
    "map": doubled,
    "map of rows": lambda: numbers().map(lambda i: i + 1),
    "parallel map": lambda: numbers().map(lambda i: i + 1, 3),
    "parallel slow map": lambda: D.range(30).map(slow, 3),
    "random slow map": lambda: D.range(30).map(drawn_slowly, 3).repeat(2),
    "random map": lambda: D.range(6).map(drawn).repeat(2),
    "filter": lambda: doubled().filter(lambda i: i % 3 > 0),
    "flat_map": lambda: D.range(4).flat_map(lambda i: D.range(i).map(lambda x: x + i)),
    "flat_map of shuffles": lambda: D.range(3).flat_map(
        lambda i: D.range(6).shuffle(4, seed=7).repeat(2)
    ),
    "interleave": lambda: D.range(5).interleave(
        lambda i: doubled(4).map(lambda x: x + i), 3, 2
    ),
    "batch": lambda: doubled().batch(3),
    "batch of rows": lambda: numbers().batch(3, True),
    "sparse batch": lambda: D.from_tensor_slices(sparse()).batch(3),
    "padded_batch": lambda: ragged().padded_batch(3, [None]),
    "shuffle": lambda: doubled().shuffle(4, seed=5),
    "shuffled rows": lambda: numbers().shuffle(4, seed=5),
    "epochs": lambda: doubled().shuffle(4, seed=5).repeat(3),
    "epochs of rows": lambda: numbers().shuffle(20, seed=5).repeat(3).batch(4),
    "epochs alike": lambda: doubled().shuffle(4, 5, False).repeat(2),
    "epochs of epochs": lambda: doubled(4).shuffle(3, 5).repeat(2).batch(3).repeat(2),
    "shuffled windows": lambda: windows().shuffle(3, 5).flat_map(lambda w: w.batch(2)),
    "two shuffles": lambda: D.range(3).concatenate(doubled(5).shuffle(3, 1)).repeat(3),
    "repeat forever": lambda: doubled(3).repeat().take(8),
    "take": lambda: doubled().take(4),
    "skip": lambda: doubled().skip(4),
    "shard": lambda: doubled().shard(3, 1),
    "concatenate": lambda: doubled(3).concatenate(numbers()),
    "cache": lambda: doubled(4).shuffle(3, 2).cache().repeat(3),
    "cache and take": lambda: doubled(4).shuffle(3, 2).cache().take(3).repeat(3),
    "window": lambda: windows().flat_map(lambda w: w.batch(3)),
    "prefetch": lambda: doubled().shuffle(3, 1).repeat(3).prefetch(3).prefetch(2),
    "lines": lambda: tf.data.TextLineDataset(both("txt")).repeat(2),
    "lines of a dataset": lambda: tf.data.TextLineDataset(
        D.list_files(path("*.txt"), False)
    ),
    "records": lambda: tf.data.TFRecordDataset(both("records")),
    "records in turns": lambda: tf.data.TFRecordDataset(
        both("records"), num_parallel_reads=2
    ),
    "packed records": lambda: tf.data.TFRecordDataset(both("gz"), "GZIP"),
    "packed lines": lambda: tf.data.TextLineDataset(both("gz"), "GZIP"),
    "pieces": lambda: tf.data.FixedLengthRecordDataset(both("fixed"), 3, 4, 5),
    "options": lambda: doubled().with_options(tf.data.Options()),
    # experimental
    "Counter": lambda: X.Counter(3, -2).take(5),
    "RandomDataset": lambda: X.RandomDataset(4).take(9),
    "enumerate": lambda: doubled().apply(X.enumerate_dataset()),
    "map_and_batch": lambda: numbers().apply(X.map_and_batch(lambda i: i + 1, 3, 2)),
    "dense_to_sparse": lambda: ragged().apply(X.dense_to_sparse_batch(3, [4])),
    "unbatch": lambda: doubled().batch(3).apply(X.unbatch()),
    "unbatch sparse": lambda: D.from_tensors(sparse()).apply(X.unbatch()),
    "sliding": lambda: doubled().apply(tf.contrib.data.sliding_window_batch(3)),
    "shuffle_and_repeat": lambda: doubled().apply(X.shuffle_and_repeat(4, 2, 6)),
    "parallel_interleave": lambda: D.range(4).apply(
        X.parallel_interleave(lambda i: D.range(i), 2)
    ),
    "choose": lambda: X.choose_from_datasets(
        [doubled(), numbers().shuffle(3, 1)], choices()
    ),
    "sample": lambda: X.sample_from_datasets([doubled(), numbers()], [0.3, 0.7], 4),
    "resample": lambda: D.range(40).apply(
        X.rejection_resample(lambda i: i % 2, [0.8, 0.2], seed=2)
    ),
    "scan": scanned,
    "unique": lambda: doubled().map(key).apply(X.unique()),
    "unique strings": lambda: D.from_tensor_slices(["a", "b", "a", "c"]).apply(
        X.unique()
    ),
    "ignore_errors": lambda: D.range(8).map(lambda i: 12 // i).apply(X.ignore_errors()),
    "copy_to_device": lambda: doubled().apply(X.copy_to_device("/cpu:0")),
    "prefetch_to_device": lambda: doubled().apply(X.prefetch_to_device("/cpu:0")),
    "group_by_window": lambda: doubled().apply(
        X.group_by_window(key, lambda k, w: w.shuffle(2, 3), 3)
    ),
    "buckets": lambda: ragged().apply(
        X.bucket_by_sequence_length(lengths, [2, 3], [2, 2, 2])
    ),
    "group_by_reducer": lambda: doubled().apply(X.group_by_reducer(key, reducer())),
    "CsvDataset": lambda: X.CsvDataset(both("csv"), [tf.int64, tf.string]).repeat(2),
    "latency_stats": lambda: measured(X.latency_stats("a")),
    "bytes_produced_stats": lambda: measured(bytes_produced_stats("a")),
    "make_csv_dataset": lambda: X.make_csv_dataset(
        both("csv"),
        3,
        ["n", "text"],
        [tf.int64, tf.string],
        header=False,
        shuffle_seed=2,
        num_epochs=2,
    ),
    "SqlDataset": lambda: X.SqlDataset(
        "sqlite", path("numbers.db"), "SELECT n FROM t", tf.int64
    ),
    "parse_example_dataset": lambda: (
        examples()
        .batch(2)
        .apply(X.parse_example_dataset({"n": tf.FixedLenFeature([], tf.int64)}))
    ),
    "make_batched_features_dataset": lambda: X.make_batched_features_dataset(
        path("examples"),
        2,
        {"n": tf.FixedLenFeature([], tf.int64)},
        num_epochs=2,
        shuffle_seed=3,
    ),
    "process map": lambda: D.range(30).map(next_number, 2, workers="process"),
}

UNSEEDED = {
    "shuffle": lambda: doubled(6).shuffle(4).repeat(3),
    "shuffled rows": lambda: numbers().shuffle(4).repeat(3),
    "shuffle and cache": lambda: doubled(6).shuffle(4).cache().repeat(3),
    "RandomDataset": lambda: X.RandomDataset().take(9),
    "list_files": lambda: D.list_files(path("*")).repeat(2),
    "sample": lambda: X.sample_from_datasets([numbers(), numbers()]),
    "parallel": lambda: D.range(20).shuffle(9).repeat(2).map(slow, 3).prefetch(2),
}

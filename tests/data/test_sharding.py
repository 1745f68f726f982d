"""Shares of datasets for several workers."""

import os

import pytest

import twinflow as tf
from twinflow.data.sharding import auto_shard_dataset

FILES, RECORDS = 6, 3
EACH = {b"%d-%d" % (f, r) for f in range(FILES) for r in range(RECORDS)}


@pytest.fixture
def folder(tmp_path):
    for f in range(FILES):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"{f}.tfrecord")) as writer:
            for r in range(RECORDS):
                writer.write(b"%d-%d" % (f, r))
    return str(tmp_path)


def paths(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def listed(folder, **options):
    return tf.data.Dataset.list_files(os.path.join(folder, "*"), **options)


read = tf.data.TFRecordDataset
MAKERS = {
    "names": lambda folder: read(paths(folder)),
    "names in turns": lambda folder: read(paths(folder), num_parallel_reads=2),
    "a dataset of names": lambda folder: read(listed(folder, shuffle=False)),
    "interleave": lambda folder: listed(folder, shuffle=False).interleave(read, 3),
    "flat_map": lambda folder: listed(folder, shuffle=False).flat_map(read),
    "shuffled anew": lambda folder: listed(folder).interleave(read, 2),
    "parallel": lambda folder: listed(folder).apply(
        tf.data.experimental.parallel_interleave(read, 2, sloppy=True)
    ),
    "repeated": lambda folder: listed(folder).repeat(1).flat_map(read).shuffle(9),
    "inner map": lambda folder: listed(folder).flat_map(
        lambda path: read(path).map(tf.identity)
    ),
    "joined": lambda folder: read(paths(folder)[:3]).concatenate(
        read(paths(folder)[3:])
    ),
}  # fmt: skip


def values(dataset):
    return [x.numpy() for x in dataset]


@pytest.mark.parametrize("kind", MAKERS)
def test_each_worker_reads_its_own_files(kind, folder):
    dataset = MAKERS[kind](folder)
    shares = [values(auto_shard_dataset(dataset, 3, i)) for i in range(3)]
    assert sorted(x for share in shares for x in share) == sorted(EACH)
    files = [{x.split(b"-")[0] for x in share} for share in shares]
    assert [len(f) for f in files] == [2, 2, 2]  # whole files, none twice


def test_what_follows_the_reader_stays(folder):
    dataset = read(paths(folder)).map(tf.strings.length).batch(4)
    (batch, *_) = auto_shard_dataset(dataset, 2, 1)
    assert batch.numpy().tolist() == [3, 3, 3, 3]


def test_elements_are_shared_out_where_no_files_are_read(folder):
    dataset = tf.data.Dataset.range(7)
    shares = [values(auto_shard_dataset(dataset, 2, i)) for i in range(2)]
    assert shares == [[0, 2, 4, 6], [1, 3, 5]]


def test_elements_are_shared_out_where_files_are_too_few(folder):
    dataset = read(paths(folder)[:2])
    shares = [values(auto_shard_dataset(dataset, 3, i)) for i in range(3)]
    assert [len(share) for share in shares] == [2, 2, 2]


def test_the_share_of_one_worker_is_the_dataset():
    dataset = tf.data.Dataset.range(3)
    assert auto_shard_dataset(dataset, 1, 0) is dataset


def test_numbers_that_cannot_be():
    with pytest.raises(ValueError, match="got index=2 and num_shards=2"):
        auto_shard_dataset(tf.data.Dataset.range(3), 2, 2)


def test_a_sloppy_order_loses_nothing(folder):
    d = listed(folder, shuffle=False).apply(
        tf.data.experimental.parallel_interleave(
            read, 4, block_length=2, sloppy=True, buffer_output_elements=2,
            prefetch_input_elements=2,
        )
    )  # fmt: skip
    assert sorted(values(d)) == sorted(EACH)


def test_only_the_files_of_a_cycle_are_open(folder, tmp_path):
    more = tmp_path / "many"
    more.mkdir()
    for i in range(200):
        with tf.python_io.TFRecordWriter(str(more / f"{i:03d}")) as writer:
            writer.write(b"%d" % i)
            writer.write(b"%d" % i)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    pass_over = iter(listed(str(more), shuffle=False).interleave(read, 5))
    most = 0
    for _ in range(400):
        next(pass_over)
        if before:
            most = max(most, len(os.listdir("/proc/self/fd")) - before)
    assert most <= 6

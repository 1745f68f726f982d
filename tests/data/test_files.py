"""Datasets of files, caches in files, and what goes wrong with them."""

import os
import re

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.formats.tf_record import framed

D = tf.data.Dataset


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def values(dataset):
    return [x.numpy() for x in dataset]


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "r"
    path.write_bytes(b"".join(framed(b"rec%d" % i) for i in range(3)))
    return path


def test_a_cut_off_record_loses_nothing_before_it(records):
    records.write_bytes(records.read_bytes()[:-1])
    seen = []
    with pytest.raises(
        tf.errors.DataLossError, match=rf"truncated record at 40 of {records}"
    ):
        for x in tf.data.TFRecordDataset(str(records)):
            seen.append(x.numpy())
    assert seen == [b"rec0", b"rec1"]


def test_a_changed_byte_is_noticed(records):
    data = bytearray(records.read_bytes())
    data[14] ^= 1
    records.write_bytes(data)
    with pytest.raises(tf.errors.DataLossError, match="corrupted record at 12 of"):
        values(tf.data.TFRecordDataset(str(records)))


@pytest.mark.parametrize("kind", ["GZIP", "ZLIB"])
def test_compressed_files(tmp_path, kind):
    path = str(tmp_path / "r")
    options = tf.python_io.TFRecordOptions(
        getattr(tf.python_io.TFRecordCompressionType, kind)
    )
    with tf.python_io.TFRecordWriter(path, options) as writer:
        writer.write(b"a\nb")
    assert values(tf.data.TFRecordDataset(path, kind)) == [b"a\nb"]
    lines = values(tf.data.TextLineDataset(path, kind))
    assert lines[-2].endswith(b"a")


def test_long_lines_cross_pieces(tmp_path):
    lines = [b"x" * n for n in (1 << 20, 3, (1 << 21) + 5)]
    (tmp_path / "a").write_bytes(b"\n".join(lines))
    assert values(tf.data.TextLineDataset(str(tmp_path / "a"))) == lines


def test_files_of_a_dataset_of_names(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(f"{name}1\n{name}2\n")
    names = D.from_tensor_slices([str(tmp_path / name) for name in "ab"])
    found = values(tf.data.TextLineDataset(names))
    assert found == [b"a1", b"a2", b"b1", b"b2"]
    with pytest.raises(TypeError, match="of strings"):
        tf.data.TextLineDataset(D.range(3))


def test_missing_files_are_named(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="nope; No such file"):
        values(tf.data.TextLineDataset(str(tmp_path / "nope")))
    patterns = [str(tmp_path / "*.no"), str(tmp_path / "*.nor")]
    nothing = rf"\[No files matched pattern: {', '.join(map(re.escape, patterns))}\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=nothing):
        D.list_files(patterns)
    with tf.Graph().as_default(), tf.Session() as session:
        later = D.list_files(patterns).make_initializable_iterator()
        with pytest.raises(tf.errors.InvalidArgumentError, match=nothing):
            session.run(later.initializer)
        once = D.list_files(patterns).make_one_shot_iterator()
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(once.get_next())
    with pytest.raises(tf.errors.NotFoundError, match="nope; No such file"):
        values(D.list_files(str(tmp_path / "nope" / "*")))


def test_pieces_must_divide_the_file(tmp_path):
    (tmp_path / "f").write_bytes(bytes(20))
    text = "which is not an exact multiple of the record length .6 bytes"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        values(tf.data.FixedLengthRecordDataset(str(tmp_path / "f"), 6, 3, 2))


def test_list_files_shuffles_unless_told_not_to(tmp_path):
    for i in range(20):
        (tmp_path / f"{i:02d}").touch()
    pattern = str(tmp_path / "*")
    ordered = values(D.list_files(pattern, shuffle=False))
    shuffled = values(D.list_files(pattern, seed=1))
    assert ordered == sorted(shuffled) != shuffled


def test_a_cache_in_files_is_there_for_the_next_program(tmp_path):
    calls, prefix = [], str(tmp_path / "cache")

    def made():
        calls.append(1)
        yield from range(3)

    def dataset():
        return (
            D.from_generator(made, tf.int64, [])
            .map(lambda x: (x, tf.as_string(x)))
            .cache(prefix)
        )

    expected = [(i, str(i).encode()) for i in range(3)]
    for _ in range(2):
        assert [(int(x), s.numpy()) for x, s in dataset()] == expected
    assert len(calls) == 1
    assert sorted(os.listdir(tmp_path)) == ["cache.data-00000-of-00001", "cache.index"]


def test_a_pass_that_is_left_caches_nothing(tmp_path):
    prefix = str(tmp_path / "cache")
    for x in D.range(3).cache(prefix):
        if int(x) == 1:
            break
    del x
    assert not [f for f in os.listdir(tmp_path) if f.endswith("index")]
    found = D.range(3).cache()
    next(iter(found))
    assert [int(x) for x in found] == [0, 1, 2]


def test_two_writers_of_a_cache_are_refused(tmp_path):
    prefix = str(tmp_path / "cache")
    first = iter(D.range(3).cache(prefix))
    next(first)
    with pytest.raises(
        tf.errors.AlreadyExistsError, match="concurrent caching iterator"
    ):
        values(D.range(3).cache(prefix))
    assert [int(x) for x in first] == [1, 2]


def test_windows_and_sparse_elements_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as sess:
        windows = D.range(5).window(3, 1).flat_map(lambda w: w.batch(3))
        x = windows.make_one_shot_iterator().get_next()
        sparse = tf.SparseTensor([[0, 1]], [2.0], [2, 2])
        it = D.from_tensors(sparse).batch(1).make_initializable_iterator()
        s = it.get_next()
        sess.run(it.initializer)
        assert sess.run(x).tolist() == [0, 1, 2] and sess.run(x).tolist() == [1, 2, 3]
        found = sess.run(s)
        assert found.indices.tolist() == [[0, 0, 1]]
        assert found.dense_shape.tolist() == [1, 2, 2]
        one = tf.data.experimental.get_single_element(D.range(6).batch(6))
        np.testing.assert_array_equal(sess.run(one), np.arange(6))

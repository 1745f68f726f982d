"""Lengths of records that lie, with checksums that are right."""

import struct
import tracemalloc

import pytest

import twinflow as tf
from twinflow.formats import tf_record
from twinflow.formats.crc32c import masked_crc32c


def head(length):
    data = struct.pack("<Q", length)
    return data + struct.pack("<I", masked_crc32c(data))


@pytest.mark.parametrize("length", [6, 1 << 20, 1 << 31, 1 << 40, (1 << 64) - 1])
@pytest.mark.parametrize("kind", ["", "ZLIB", "GZIP"])
def test_a_record_longer_than_its_file(tmp_path, length, kind):
    path = str(tmp_path / "r")
    options = tf.python_io.TFRecordOptions(kind)
    with tf.python_io.TFRecordWriter(path, options) as writer:
        writer.write(b"first")
        file = writer._open_file()
        file.write(writer._packed(head(length) + b"12345"))
    tracemalloc.start()
    found = []
    with pytest.raises(
        tf.errors.DataLossError, match=f"truncated record at 21 of {path}"
    ):
        for record in tf.python_io.tf_record_iterator(path, options):
            found.append(record)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [b"first"] and peak < 64 << 20


def test_large_records_come_whole(tmp_path):
    path, record = str(tmp_path / "r"), bytes(range(256)) * (1 << 17)
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(record)
    assert list(tf_record.tf_record_iterator(path)) == [record]

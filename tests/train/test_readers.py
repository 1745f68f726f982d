"""Readers: records from the files of a queue, and the TFRecord files they read."""

import gzip
import os
import re
import zlib

import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.formats import tf_record
from twinflow.formats.crc32c import crc32c, masked_crc32c


@pytest.fixture
def read(sess, tmp_path):
    """Reads files, given as bytes, to their end: what came, and the reader."""

    def run(reader, *contents, together=0):
        for i, data in enumerate(contents):
            if data is not None:
                (tmp_path / str(i)).write_bytes(data)
        queue = tf.FIFOQueue(9, tf.string, [()])
        names = [str(tmp_path / str(i)) for i in range(len(contents))]
        sess.run(queue.enqueue_many([names]))
        sess.run(queue.close())
        pair = reader.read_up_to(queue, together) if together else reader.read(queue)
        found: list = []
        while True:
            try:
                found.append(sess.run(pair))
            except tf.errors.OutOfRangeError:
                return found
            except tf.errors.OpError as error:
                if found and isinstance(found[-1], str):
                    return found  # the second error in a row
                found.append(error.message.partition("\n")[0])

    return run


def short(found):
    """Pairs with the last part of their keys, errors with that of their file."""
    return [
        os.path.basename(f) if isinstance(f, str) else
        (os.path.basename(f[0].decode()), f[1]) for f in found
    ]  # fmt: skip


# ---------------------------------------------------------------------- lines
def test_lines(sess, read):
    reader = tf.TextLineReader()
    found = short(read(reader, b"a\r\n\nb", b"", b"c\n"))
    assert found == [("0:1", b"a"), ("0:2", b""), ("0:3", b"b"), ("2:1", b"c")]
    counts = [reader.num_records_produced(), reader.num_work_units_completed()]
    assert sess.run(counts) == [4, 3]
    sess.run(reader.reset())
    assert sess.run(counts) == [0, 0]
    with pytest.raises(tf.errors.UnimplementedError, match="Reader SerializeState"):
        sess.run(reader.serialize_state())


def test_lines_without_headers_several_at_once(read):
    reader = tf.TextLineReader(skip_header_lines=1)
    found = read(reader, b"h\n1\n2\n3\n", b"h\n4\n", together=2)
    assert [f.values.tolist() for f in found] == [[b"1", b"2"], [b"3"], [b"4"]]
    assert found[0].keys.shape == (2,)


def test_a_file_that_is_not_there_is_passed_over(read):
    found = short(read(tf.TextLineReader(), None, b"x"))
    assert found == ["0; No such file or directory", ("1:1", b"x")]


# ---------------------------------------------------------------------- whole files
def test_whole_files_and_names(sess, read):
    assert short(read(tf.WholeFileReader(), b"a\nb", b"")) == [
        ("0", b"a\nb"),
        ("1", b""),
    ]
    ((key, value),) = read(tf.IdentityReader(), b"")
    assert key == value and key.endswith(b"/0")


def test_states_can_be_saved(sess, read):
    reader = tf.IdentityReader()
    assert reader.supports_serialize and not tf.TextLineReader().supports_serialize
    read(reader, b"", b"")
    state = sess.run(reader.serialize_state())
    count = reader.num_records_produced()
    sess.run(reader.reset())
    assert sess.run(count) == 0
    sess.run(reader.restore_state(state))
    assert sess.run(count) == 2
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Could not parse state for"
    ):
        sess.run(reader.restore_state(b"abc"))


# ---------------------------------------------------------------------- fixed length
DATA = b"HHabcdefghFFF"


@pytest.mark.parametrize(
    "lengths, wanted",
    [
        ((2, 2, 3), [b"ab", b"cd", b"ef", b"gh"]),
        ((4, 2, 3, 2), [b"abcd", b"cdef", b"efgh"]),
        ((3, 1, 0, 5), [b"Hab", b"efg"]),
        ((5, 1, 1, 2), [b"Habcd", b"bcdef", b"defgh", b"fghFF"]),
        ((3, 0, 20), []),
        ((100,), []),
    ],
)
@pytest.mark.parametrize("encoding", ["", "ZLIB", "GZIP"])
def test_fixed_lengths(read, lengths, wanted, encoding):
    pack = {"": bytes, "ZLIB": zlib.compress, "GZIP": gzip.compress}[encoding]
    reader = tf.FixedLengthRecordReader(*lengths, encoding=encoding)
    found = short(read(reader, pack(DATA)))
    assert found == [(f"0:{i}", w) for i, w in enumerate(wanted)]


def test_lengths_below_zero(read):
    reader = tf.FixedLengthRecordReader(1, footer_bytes=-1)
    assert read(reader, b"")[0] == "footer_bytes must be >= 0 not -1"


# ---------------------------------------------------------------------- TFRecords
RECORDS = [b"", b"rec1rec1", b"x" * 3000]
KINDS = tf.python_io.TFRecordCompressionType


def written(path, kind):
    """The bytes of a TFRecord file of RECORDS."""
    options = tf.python_io.TFRecordOptions(kind)
    with tf.python_io.TFRecordWriter(path, options) as writer:
        for record in RECORDS:
            writer.write(record)
        writer.flush()
    return path.read_bytes()


@pytest.mark.parametrize("kind", [KINDS.NONE, KINDS.ZLIB, KINDS.GZIP])
def test_records(read, tmp_path, kind):
    data = written(tmp_path / "r", kind)
    options = tf.python_io.TFRecordOptions(kind)
    found = short(read(tf.TFRecordReader(options=options), data))
    assert found == list(zip(["0:0", "0:16", "0:40"], RECORDS))
    assert list(tf.python_io.tf_record_iterator(tmp_path / "r", options)) == RECORDS


def test_the_bytes_of_a_record():
    wanted = b"\4\0\0\0\0\0\0\0BER\x04rec0Z\xe2\xa4\xd9"  # of TensorFlow 1.12
    assert tf_record.framed(b"rec0") == wanted


@pytest.mark.parametrize(
    "damage, text",
    [
        (lambda b: b[:-3], "truncated record at 40"),
        (lambda b: b[:30] + b"!" + b[31:], "corrupted record at 28"),
        (lambda b: b"!" + b[1:], "corrupted record at 0"),
        (gzip.compress, "corrupted record at 0"),
    ],
)
def test_damaged_records(read, tmp_path, damage, text):
    data = damage(written(tmp_path / "r", KINDS.NONE))
    found = read(tf.TFRecordReader(), data)
    assert re.fullmatch(f"{text} of /.+", found[-1])
    (tmp_path / "r").write_bytes(data)
    with pytest.raises(tf.errors.DataLossError, match=text):
        list(tf.python_io.tf_record_iterator(str(tmp_path / "r")))


def test_other_compression(read):
    found = read(tf.TFRecordReader(options="ZLIB"), b"not compressed")
    text = r"inflate\(\) failed with error -3: incorrect header check in /.+"
    assert len(found) == 1 and re.fullmatch(text, found[0])
    with pytest.raises(ValueError, match='Not a valid compression_type: "foo"'):
        tf.python_io.TFRecordOptions("foo")


def test_writers_say_what_is_wrong(tmp_path):
    with pytest.raises(tf.errors.NotFoundError):
        tf.python_io.TFRecordWriter(tmp_path / "no" / "r")
    writer = tf.python_io.TFRecordWriter(tmp_path / "r")
    with pytest.raises(TypeError, match="expected bytes, str found"):
        writer.write("text")
    writer.close()
    writer.close()
    with pytest.raises(tf.errors.FailedPreconditionError, match="previously closed"):
        writer.write(b"late")


def bit_by_bit(data):
    """CRC-32C as its definition has it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_checksums():
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4
    data = bytes(i * i % 251 for i in range(1600))
    for n in (0, 1, 3, 4, 511, 512, 513, 1027, 1600):
        assert crc32c(data[:n]) == bit_by_bit(data[:n])
    assert masked_crc32c(b"") == 0xA282EAD8


# ---------------------------------------------------------------------- refusals
def test_queues_without_names_of_files(sess):
    reader = tf.IdentityReader()
    numbers = tf.FIFOQueue(2, tf.int32)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="has components of dtypes"
    ):
        sess.run(reader.read(numbers))
    vectors = tf.FIFOQueue(2, tf.string)
    sess.run(vectors.enqueue([["a", "b"]]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="to be a scalar, got"):
        sess.run(reader.read(vectors))


def test_readers_are_for_graphs():
    problem = pytest.raises(RuntimeError, match="Readers are not supported when eager")
    with dispatch.entered(MODE), problem:
        tf.TextLineReader()

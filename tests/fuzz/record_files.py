"""Readers of records and event files."""

import gzip
import zlib

import twinflow as tf
from tests.fuzz.readers import as_records, read_dataset, reader, record_payloads
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.formats import tf_record


def _records(packer=lambda data: data):
    def make(folder):
        rows = [b"", b"one", b"two" * 100, bytes(range(256))]
        (folder / "data").write_bytes(packer(b"".join(map(tf_record.framed, rows))))
        return [folder / "data"]

    return make


def _iterated(folder, compression):
    options = tf.python_io.TFRecordOptions(compression) if compression else None
    for _ in tf.python_io.tf_record_iterator(str(folder / "data"), options):
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
    read_dataset(lambda: tf.data.TFRecordDataset(str(folder / "data")))


@reader(_records(gzip.compress))
def text_lines_gzip(folder):
    path = str(folder / "data")
    read_dataset(lambda: tf.data.TextLineDataset(path, compression_type="GZIP"))


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
        tf.train.get_or_create_global_step()
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

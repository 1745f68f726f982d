"""tf.pywrap_tensorflow, statuses and tf.contrib.stat_summarizer."""

import pytest

import twinflow as tf
from twinflow.formats import protos

C = tf.pywrap_tensorflow


def test_records_one_by_one(tmp_path):
    path = str(tmp_path / "a.tfrecord").encode()
    status = C.TF_NewStatus()
    options = C.RecordWriterOptions_CreateRecordWriterOptions("ZLIB")
    writer = C.PyRecordWriter_New(path, options, status)
    for record in (b"one", b"two"):
        writer.WriteRecord(record, status)
    writer.Close(status)
    reader = C.PyRecordReader_New(path, 0, "ZLIB", status)
    found = []
    reader.GetNext(status)
    while C.TF_GetCode(status) == 0:
        found.append(reader.record())
        reader.GetNext(status)
    reader.Close()
    assert found == [b"one", b"two"] and reader.offset() == 2 * (16 + 3)
    assert C.TF_GetCode(status) == tf.errors.OUT_OF_RANGE and C.TF_Message(status)
    with pytest.raises(tf.errors.NotFoundError):
        C.PyRecordReader_New(b"not there")


def test_a_status_is_raised_at_the_end_of_its_block():
    with tf.errors.raise_exception_on_not_ok_status() as status:
        assert C.TF_GetCode(status) == tf.errors.OK
    with (
        pytest.raises(tf.errors.NotFoundError, match="nowhere"),
        tf.errors.raise_exception_on_not_ok_status() as status,
    ):
        C.TF_SetStatus(status, tf.errors.NOT_FOUND, "nowhere")


def test_facts_of_the_machine():
    first = protos.DeviceAttributes.FromString(C.list_devices()[0])
    assert first.device_type == "CPU" and C.TF_Version() == tf.VERSION
    ops = protos.OpList.FromString(C.TF_GetAllOpList()).op
    assert {"MatMul", "Add"} <= {op.name for op in ops}
    with pytest.raises(tf.errors.UnimplementedError, match="There is no C library"):
        C.TF_NewSession()


def test_times_of_ops_are_summed_up():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2, 2])
        y = tf.matmul(x, x, name="product")
        summarizer = C.NewStatSummarizer(graph.as_graph_def().SerializeToString())
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        for _ in range(2):
            metadata = tf.RunMetadata()
            session.run(y, {x: [[1, 2], [3, 4]]}, options, metadata)
            stats = metadata.step_stats.SerializeToString()
            summarizer.ProcessStepStatsStr(stats)
    text = summarizer.GetOutputString()
    for part in ("Run Order", "Top by Computation Time", "Summary by node type",
                 "product", "MatMul", "count=2"):  # fmt: skip
        assert part in text

"""Contract J: summaries."""

import io
import re
import wave

import numpy as np
import pytest
from google.protobuf import json_format

import twinflow as tf
from tests.modes import fresh
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.formats import protos

summary = tf.contrib.summary


def events(folder):
    """The events of the one file in a folder, after the version."""
    (path,) = folder.iterdir()
    first, *rest = tf.train.summary_iterator(str(path))
    assert (first.file_version, first.step) == ("brain.Event:2", 0)
    return rest


def tags(folder):
    """(step, tag) of what was recorded."""
    return [(e.step, v.tag) for e in events(folder) for v in e.summary.value]


def test_eager_summaries_are_recorded_where_recording_is_on(tmp_path, eager):
    writer = summary.create_file_writer(str(tmp_path), flush_millis=10000)
    step = tf.train.get_or_create_global_step()
    with writer.as_default():
        summary.scalar("before", 1.0)
        with summary.record_summaries_every_n_global_steps(2):
            for _ in range(4):
                summary.scalar("loss", tf.constant(0.5))
                step.assign_add(1)
        with summary.always_record_summaries(), summary.never_record_summaries():
            summary.scalar("never", 1.0)
        with summary.always_record_summaries(), tf.name_scope("train"):
            summary.scalar("a", 1, step=9)
            summary.scalar("b", 1, family="f", step=9)
            summary.histogram("h", [1.0, 2.0], step=9)
            summary.image("i", tf.zeros([2, 3, 3, 1]), step=9)
    assert tags(tmp_path) == [
        (0, "loss"), (2, "loss"), (9, "train/a"), (9, "f/train/f/b"), (9, "train/h"),
        (9, "train/i/image/0"), (9, "train/i/image/1"),
    ]  # fmt: skip


def test_without_a_writer_nothing_happens(eager):
    with summary.always_record_summaries():
        assert summary.scalar("a", 1.0) is None
    with summary.create_file_writer(None).as_default():
        assert summary.scalar("a", 1.0) is None
    assert not summary.should_record_summaries()


def test_functions_record(tmp_path, eager):
    step = tf.train.get_or_create_global_step()

    @tf.contrib.eager.defun
    def f(x):
        summary.scalar("total", tf.reduce_sum(x))

    writer = summary.create_file_writer(str(tmp_path))
    every = summary.record_summaries_every_n_global_steps(2, step)
    with writer.as_default(), every:
        for _ in range(4):
            step.assign_add(1)
            f(tf.ones([2]))
    assert tags(tmp_path) == [(2, "total"), (4, "total")]


def test_graphs_record(tmp_path, graph):
    step = tf.train.create_global_step()
    writer = summary.create_file_writer(str(tmp_path), name="writer")
    with writer.as_default(), summary.record_summaries_every_n_global_steps(2):
        with tf.name_scope("s"):
            op = summary.scalar("a", 3.0)
        assert summary.all_summary_ops() == [op]
        with tf.Session() as sess:
            sess.run(step.initializer)
            with pytest.raises(tf.errors.NotFoundError, match="writer has no file"):
                sess.run(op)
            summary.initialize(graph=tf.get_default_graph())
            for _ in range(4):
                sess.run(summary.all_summary_ops())
                sess.run(tf.assign_add(step, 1))
            sess.run(writer.close())
    first = protos.GraphDef.FromString(events(tmp_path)[0].graph_def)
    assert "global_step" in {node.name for node in first.node}
    assert tags(tmp_path) == [(0, "s/a"), (2, "s/a")]


def merged(sess):
    """The values of all summaries of the graph, by their tags."""
    found = protos.Summary.FromString(sess.run(tf.summary.merge_all()))
    return {value.tag: value for value in found.value}


def test_tf_summary_writes_merged_summaries(tmp_path, graph):
    tf.summary.scalar("a b", 2.0, family="f")
    with tf.name_scope("sc"):
        tf.summary.scalar("x", 3)
    tf.summary.text("t", tf.constant(["hi", "there"]))
    with tf.Session() as sess:
        values = merged(sess)
        data = sess.run(tf.summary.merge_all())
        with tf.summary.FileWriter(str(tmp_path), sess.graph) as writer:
            for step in 7, 8:
                writer.add_summary(data, step)
            writer.add_run_metadata(protos.RunMetadata(), "run", 8)
            with pytest.raises(ValueError, match="tag was already used"):
                writer.add_run_metadata(protos.RunMetadata(), "run", 9)
    assert list(values) == ["f/f/a_b", "sc/x", "t"]
    assert values["sc/x"].simple_value == 3
    kinds = [(e.step, e.WhichOneof("what")) for e in events(tmp_path)]
    assert kinds == [
        (0, "graph_def"), (0, "meta_graph_def"), (7, "summary"), (8, "summary"),
        (8, "tagged_run_metadata"),
    ]  # fmt: skip
    shown = [v.HasField("metadata") for e in events(tmp_path) for v in e.summary.value]
    assert shown == [False, False, True, False, False, False]  # once for a tag


def test_histograms_have_the_buckets_of_tensorflow(graph):
    tf.summary.histogram("i", np.array([1, 1, 2, -5, 0]))
    with tf.Session() as sess:
        histo = merged(sess)["i"].histo
    assert (histo.min, histo.max, histo.num, histo.sum) == (-5, 2, 5, -1)
    assert histo.sum_squares == 31
    np.testing.assert_allclose(list(histo.bucket_limit), [
        -5.099814079160488, -4.636194617418625, 0, 1e-12, 0.917246389039776,
        1.0089710279437536, 1.9661990955585713, 2.1628190051144287,
        1.7976931348623157e308,
    ], rtol=1e-15)  # fmt: skip
    assert list(histo.bucket) == [0, 1, 0, 1, 0, 2, 0, 1, 0]


def test_images_are_scaled_and_sounds_are_wav(graph):
    image = np.array([[[[-1.0], [0.0]], [[0.5], [np.nan]]]], np.float32)
    sound = np.array([[[0.5, -1.0], [1.0, 0.0]]], np.float32)
    tf.summary.image("im", image, max_outputs=1)
    tf.summary.audio("au", sound, 8000.0, max_outputs=1)
    with tf.Session() as sess:
        values = merged(sess)
        png = values["im/image"].image.encoded_image_string
        pixels = sess.run(tf.image.decode_png(png))
    assert pixels[..., 0].tolist() == [[1, 128], [191, 255]]
    with wave.open(io.BytesIO(values["au/audio"].audio.encoded_audio_string)) as file:
        assert (file.getframerate(), file.getnchannels()) == (8000, 2)
        samples = np.frombuffer(file.readframes(2), "<i2")
    assert samples.tolist() == [16384, -32768, 32767, 0]


@pytest.mark.parametrize("make, text", [
    (lambda: tf.summary.histogram("q", [np.nan]), "Nan in summary histogram for: q"),
    (lambda: tf.summary.histogram("q", [np.inf]), "Infinity in summary histogram"),
    (lambda: tf.summary.scalar("q", [1.0]), "tags and values not the same shape"),
    (lambda: tf.summary.merge([tf.summary.scalar("a", 1.0)] * 2), "Duplicate tag a"),
    (lambda: tf.summary.image("q", tf.zeros([3])), "Tensor must be 4-D"),
])  # fmt: skip
def test_what_cannot_be_shown_is_refused(graph, make, text):
    with (
        tf.Session() as sess,
        pytest.raises(tf.errors.InvalidArgumentError, match=text),
    ):
        sess.run(make())


def test_modes_that_do_not_fit(tmp_path, eager):
    for call in lambda: tf.summary.FileWriter(str(tmp_path)), tf.summary.merge_all:
        with pytest.raises(RuntimeError, match=r"Use tf\.contrib\.summary instead"):
            call()
    with pytest.raises(RuntimeError, match="only supported in graph mode"):
        summary.summary_writer_initializer_op()


# ------------------------------------------------------------------ in both modes
class Recorder:
    """A program with a writer to a folder, in one of the modes."""

    def __init__(self, mode, folder):
        self.mode, self.folder = mode, folder
        self.step = tf.train.get_or_create_global_step()
        self.writer = summary.create_file_writer(str(folder))

    def steps(self, count, record):
        """Call `record()` at each of so many steps (graph: run what it makes)."""
        if self.mode == "eager":
            for _ in range(count):
                record()
                self.step.assign_add(1)
            self.writer.flush()
            return
        record()
        more = tf.assign_add(self.step, 1)
        with tf.Session() as sess:
            sess.run(self.step.initializer)
            sess.run(summary.summary_writer_initializer_op())
            for _ in range(count):
                sess.run(summary.all_summary_ops())
                sess.run(more)
            sess.run(self.writer.flush())


@pytest.fixture(params=["eager", "graph"])
def recorder(request, tmp_path):
    if request.param == "eager":
        with dispatch.entered(MODE):
            fresh()
            yield Recorder("eager", tmp_path)
    else:
        with tf.Graph().as_default():
            yield Recorder("graph", tmp_path)


def found(folder):
    """(step, tag, the Summary.Value) of all summaries."""
    return [(e.step, v.tag, v) for e in events(folder) for v in e.summary.value]


@pytest.mark.parametrize("default", ["block", "for good"])
def test_j01_a_writer_is_the_default_one(recorder, default):
    record = lambda: summary.scalar("loss", 0.5)
    if default == "block":
        with recorder.writer.as_default(), summary.always_record_summaries():
            recorder.steps(2, record)
        assert not summary.should_record_summaries()
    else:
        with summary.create_file_writer(None).as_default():  # what is there after it
            recorder.writer.set_as_default()
            with summary.always_record_summaries():
                recorder.steps(2, record)
    values = [(step, tag, v.simple_value) for step, tag, v in found(recorder.folder)]
    assert values == [(0, "loss", 0.5), (1, "loss", 0.5)]


@pytest.mark.parametrize("given", [False, True])
def test_j02_j03_values_are_written_every_n_steps(recorder, given):
    every = summary.record_summaries_every_n_global_steps
    args = (100, recorder.step) if given else (100,)
    with recorder.writer.as_default():
        summary.scalar("outside", 1.0)  # recording is off here
        with every(*args):
            recorder.steps(
                250,
                lambda: (
                    summary.scalar("loss", recorder.step.value() * 2),
                    summary.scalar("numpy", np.float32(0.25)),
                ),
            )
    values = [(step, tag, v.simple_value) for step, tag, v in found(recorder.folder)]
    assert values == [
        (n, tag, value)
        for n in (0, 100, 200)
        for tag, value in [("loss", 2 * n), ("numpy", 0.25)]
    ]


def test_j04_tensorboard_reads_the_file(recorder):
    with recorder.writer.as_default(), summary.always_record_summaries():
        recorder.steps(3, lambda: summary.scalar("loss", 0.5))
    (path,) = recorder.folder.iterdir()
    assert re.match(r"events\.out\.tfevents\.\d{10}\..+\.v2$", path.name)
    first = next(iter(tf.train.summary_iterator(str(path))))
    assert first.file_version == "brain.Event:2" and first.wall_time > 1e9
    accumulators = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator"
    )
    read = accumulators.EventAccumulator(str(recorder.folder)).Reload()
    assert [(e.step, e.value) for e in read.Scalars("loss")] == [
        (0, 0.5), (1, 0.5), (2, 0.5)
    ]  # fmt: skip


NUMBERS = np.float32([[0.0, 0.5], [1.0, 2.0]])
J05 = {
    "histogram": lambda: summary.histogram("it", NUMBERS),
    "image": lambda: summary.image("it", NUMBERS.reshape(1, 2, 2, 1)),
    "audio": lambda: summary.audio("it", NUMBERS.reshape(2, 2) / 2, 8000, 1),
    "generic": lambda: summary.generic("it", NUMBERS),
}


def check_histogram(value):
    assert (value.histo.num, value.histo.sum, value.histo.max) == (4, 3.5, 2)


def check_image(value):
    assert (value.image.height, value.image.width) == (2, 2)
    assert value.image.encoded_image_string.startswith(b"\x89PNG")


def check_audio(value):
    with wave.open(io.BytesIO(value.audio.encoded_audio_string)) as file:
        assert (file.getframerate(), file.getnframes()) == (8000, 2)


def check_generic(value):
    np.testing.assert_array_equal(tf.make_ndarray(value.tensor), NUMBERS)


@pytest.mark.parametrize("name", J05)
def test_j05_values_of_each_kind_are_read_back(recorder, name):
    with recorder.writer.as_default(), summary.always_record_summaries():
        recorder.steps(1, J05[name])
        with summary.never_record_summaries():
            recorder.steps(1, J05[name])  # always_... and never_...
    (step, tag, value), *others = found(recorder.folder)
    assert step == 0 and tag.startswith("it")
    assert recorder.mode == "graph" or not others
    globals()[f"check_{name}"](value)


def test_j05_graphs_and_imported_events(recorder):
    event = protos.Event(step=7, wall_time=5.0)
    event.summary.value.add(tag="imported", simple_value=1.5)
    shown = protos.GraphDef()
    shown.node.add(name="only", op="NoOp")
    data = [event.SerializeToString(), shown.SerializeToString()]
    with recorder.writer.as_default(), summary.always_record_summaries():
        if recorder.mode == "eager":
            summary.import_event(data[0])
            summary.graph(shown, step=3)
            summary.flush()
        else:
            ops = [
                summary.import_event(tf.constant(data[0])),
                summary.graph(tf.constant(data[1]), step=3),
            ]
            with tf.Session() as sess:
                sess.run(recorder.step.initializer)
                summary.initialize(graph=shown, session=sess)
                sess.run(ops)
                sess.run(summary.flush())
    *given, first, second = sorted(events(recorder.folder), key=lambda e: e.step)
    assert second.step == 7 and second.wall_time == 5.0
    assert second.summary.value[0].simple_value == 1.5
    assert first.step == 3 and first.graph_def == data[1]
    assert [e.graph_def for e in given] == [data[1]] * (recorder.mode == "graph")


def test_j05_ops_are_of_graphs_only(recorder):
    with recorder.writer.as_default(), summary.always_record_summaries():
        op = summary.scalar("a", 1.0)
        if recorder.mode == "graph":
            assert summary.all_summary_ops() == [op]
            assert len(summary.summary_writer_initializer_op()) == 1
            return
    assert summary.all_summary_ops() is None and summary.initialize() is None
    with pytest.raises(RuntimeError, match="only supported in graph mode"):
        summary.summary_writer_initializer_op()
    summary.flush(recorder.writer)
    assert [tag for _, tag, _ in found(recorder.folder)] == ["a"]


def test_the_description_of_a_tensor_summary_is_read():
    node = protos.NodeDef(op="TensorSummary")
    node.attr["description"].s = b'{"typeHint": "scalar"}'
    assert tf.summary.get_summary_description(node).type_hint == "scalar"
    node.attr["description"].s = b"plain"
    with pytest.raises(json_format.ParseError, match="Failed to load JSON"):
        tf.summary.get_summary_description(node)
    with pytest.raises(ValueError, match="of op type NoOp"):
        tf.summary.get_summary_description(protos.NodeDef(op="NoOp"))

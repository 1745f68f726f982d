"""A full disk at any write: a clear error, and what was there stays readable."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import process
from tests.full_disk import Disk
from tests.modes import eager, graph

__all__ = ["eager", "graph"]

tfe = tf.contrib.eager
ERRORS = (tf.errors.ResourceExhaustedError, OSError)


def listing(folder):
    """The files below a folder, and what is in them."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def fills(folder, monkeypatch, write, check, most=60):
    """Call `write()` with room for 0, 1, 2 ... writes, until it succeeds.

    Each failure must name a file below the folder and what is wrong with it, and leave
    no temporary file; then `check(files before, files now)` is called.
    """
    for room in range(most):
        before = listing(folder)
        disk = Disk(folder, room)
        with monkeypatch.context() as patch:
            disk.install(patch)
            try:
                write()
            except ERRORS as error:
                text = str(error)
            else:
                assert disk.refused == 0, "a write failed, and nobody was told"
                assert room > 0
                return room
        assert "No space left on device" in text, text
        assert os.path.basename(str(folder)) in text, text
        after = listing(folder)
        left = [name for name in after if re.search(r"te?mp|\.part|former", name)]
        assert not left, (room, left)
        check(before, after)
    raise AssertionError("it never succeeds")


def unchanged(*names):
    """A check that files of a pattern are what they were."""

    def check(before, after):
        for name, data in before.items():
            if any(re.search(n, name) for n in names):
                assert after[name] == data, name

    return check


# ------------------------------------------------------------------ checkpoints
def test_an_eager_saver(tmp_path, monkeypatch, eager):
    v = tfe.Variable(np.arange(3000.0))
    saver, folder = tf.train.Saver([v]), str(tmp_path)
    first = saver.save(None, f"{folder}/m", global_step=1)
    v.assign(v + 1)

    def check(before, after):
        unchanged("m-1|^checkpoint")(before, after)
        assert tf.train.latest_checkpoint(folder) == first
        assert tf.train.load_variable(first, "Variable")[0] == 0

    room = fills(
        tmp_path, monkeypatch, lambda: saver.save(None, f"{folder}/m", global_step=2),
        check,
    )  # fmt: skip
    assert room >= 4
    assert tf.train.latest_checkpoint(folder) == f"{folder}/m-2"
    assert saver.last_checkpoints == [first, f"{folder}/m-2"]


@pytest.mark.parametrize("sharded", [False, True])
def test_a_saver_of_a_graph(tmp_path, monkeypatch, graph, sharded):
    w = tf.get_variable("w", initializer=np.arange(2000.0))
    folder, saver = str(tmp_path), tf.train.Saver(sharded=sharded, max_to_keep=1)
    with tf.Session() as sess:
        sess.run(w.initializer)
        first = saver.save(sess, f"{folder}/m", 1)
        sess.run(w.assign_add(w))

        def check(before, after):
            last = tf.train.latest_checkpoint(folder)
            number = last.rpartition("-")[2]
            factor = {"1": 1, "2": 2}[number]  # only the MetaGraph may be missing
            assert tf.train.load_variable(last, "w")[1999] == 1999 * factor
            if number == "1":
                unchanged("m-1|^checkpoint")(before, after)

        fills(
            tmp_path, monkeypatch, lambda: saver.save(sess, f"{folder}/m", 2), check
        )  # fmt: skip
        assert tf.train.latest_checkpoint(folder) == f"{folder}/m-2"
    assert not os.path.exists(first + ".index")


def test_a_checkpoint_manager(tmp_path, monkeypatch, eager):
    v, folder = tfe.Variable([1.0] * 2000), str(tmp_path)
    manager = tf.train.CheckpointManager(tfe.Checkpoint(v=v), folder, max_to_keep=1)
    first = manager.save()
    v.assign(v * 2.0)

    def check(before, after):
        unchanged("ckpt-1|^checkpoint")(before, after)
        assert tf.train.latest_checkpoint(folder) == first == manager.latest_checkpoint
        assert manager.checkpoints == [first]
        other = tfe.Variable([0.0] * 2000)
        tfe.Checkpoint(v=other).restore(first).assert_existing_objects_matched()
        assert other.numpy()[0] == 1

    fills(tmp_path, monkeypatch, manager.save, check)
    last = manager.latest_checkpoint
    assert tf.train.latest_checkpoint(folder) == last != first
    assert manager.checkpoints == [last] and not os.path.exists(first + ".index")


def test_a_checkpoint(tmp_path, monkeypatch, eager):
    v, folder = tfe.Variable([1.0] * 2000), str(tmp_path)
    checkpoint = tfe.Checkpoint(v=v)
    first = checkpoint.save(f"{folder}/c")

    def check(before, after):
        unchanged("c-1|^checkpoint")(before, after)
        assert tf.train.latest_checkpoint(folder) == first

    fills(tmp_path, monkeypatch, lambda: checkpoint.save(f"{folder}/c"), check)
    assert tf.train.latest_checkpoint(folder) != first


def test_weights_of_keras(tmp_path, monkeypatch, eager):
    model = tf.keras.Sequential([tf.keras.layers.Dense(300, input_shape=(3,))])
    path = str(tmp_path / "w")
    model.save_weights(path)
    before_all = [w * 2 for w in model.get_weights()]
    old = model.get_weights()
    model.set_weights(before_all)

    def check(before, after):
        other = tf.keras.Sequential([tf.keras.layers.Dense(300, input_shape=(3,))])
        other.load_weights(path)
        found = other.get_weights()[0]
        assert any((found == x).all() for x in (old[0], before_all[0]))
        assert tf.train.latest_checkpoint(str(tmp_path)) == path

    fills(tmp_path, monkeypatch, lambda: model.save_weights(path), check)


# ------------------------------------------------------------------ graphs and models
@pytest.mark.parametrize("as_text", [True, False])
def test_graph_files(tmp_path, monkeypatch, graph, as_text):
    for i in range(100):
        tf.constant(float(i), name=f"a_number_{i}")
    folder, name = str(tmp_path), "graph.pbtxt"
    tf.train.write_graph(tf.Graph(), folder, name, as_text)
    fills(
        tmp_path, monkeypatch,
        lambda: tf.train.write_graph(graph, folder, name, as_text), unchanged(name),
    )  # fmt: skip
    assert len(listing(folder)[name]) > 1000


def test_a_saved_model(tmp_path, monkeypatch, graph):
    x, w = tf.placeholder(tf.float32, [3]), tf.get_variable("w", [3])
    with tf.Session() as sess:
        sess.run(w.initializer)
        path = str(tmp_path / "model")

        def check(before, after):
            assert not after  # so that the next attempt finds its folder free

        fills(
            tmp_path, monkeypatch,
            lambda: tf.saved_model.simple_save(sess, path, {"x": x}, {"y": x * w}),
            check,
        )  # fmt: skip
    assert tf.saved_model.loader.maybe_saved_model_directory(path)


# ------------------------------------------------------------------ events, records
def test_event_files(tmp_path, monkeypatch, graph):
    def write():
        writer = tf.summary.FileWriter(str(tmp_path))
        try:
            for step in range(20):
                summary = tf.Summary()
                summary.value.add(tag="t" * 50, simple_value=step)
                writer.add_summary(summary, step)
                if step % 5 == 4:
                    writer.flush()
        finally:
            writer.close()

    def check(before, after):
        for name, data in after.items():
            steps = [e.step for e in readable(str(tmp_path / name)) if data]
            assert steps[1:] == list(range(len(steps) - 1))
            os.remove(tmp_path / name)

    assert fills(tmp_path, monkeypatch, write, check) >= 4


def readable(path):
    """The events of a file up to where it was cut off."""
    found = []
    try:
        for event in tf.train.summary_iterator(path):
            found.append(event)
    except tf.errors.DataLossError as error:
        assert "truncated record" in str(error)
    return found


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_records(tmp_path, monkeypatch, kind):
    path = str(tmp_path / "data")
    random = np.random.RandomState(0)
    records = [random.bytes(900) for _ in range(20)]
    options = tf.python_io.TFRecordOptions(
        {"": 0, "GZIP": 2}[kind]
    )  # as of TFRecordCompressionType

    def write():
        with tf.python_io.TFRecordWriter(path, options) as writer:
            for record in records:
                writer.write(record)

    def check(before, after):
        if kind:
            return
        found = []
        try:
            for record in tf.python_io.tf_record_iterator(path, options):
                found.append(record)
        except tf.errors.DataLossError:
            pass
        assert found == records[: len(found)]

    assert fills(tmp_path, monkeypatch, write, check) >= 3
    assert list(tf.python_io.tf_record_iterator(path, options)) == records


def test_a_cache_of_a_dataset(tmp_path, monkeypatch, eager):
    path = str(tmp_path / "cache")
    data = tf.data.Dataset.range(3000).map(lambda x: x * 2).cache(path)

    def write():
        assert [int(x) for x in data][-1] == 5998

    def check(before, after):
        assert not [name for name in after if "lock" in name]
        assert not os.path.exists(path + ".index")

    fills(tmp_path, monkeypatch, write, check, most=200)
    assert [int(x) for x in data][:2] == [0, 2]


# ------------------------------------------------------------------ a real limit
LIMITED = """
import os, resource, signal, sys
import numpy as np
import twinflow as tf

tf.enable_eager_execution()
tfe, K, folder = tf.contrib.eager, tf.keras, sys.argv[1]
v = tfe.Variable(np.zeros(5000))
model = K.Sequential([K.layers.Dense(100, input_shape=(100,))])
model.compile(K.optimizers.SGD(), "mse")

def records():
    with tf.python_io.TFRecordWriter(folder + "/m") as writer:
        for _ in range(100):
            writer.write(b"x" * 1000)

def events():
    writer = tf.contrib.summary.create_file_writer(folder + "/m")
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        tf.contrib.summary.generic("t", np.zeros(9000), step=1)
        tf.contrib.summary.flush()

write = {{
    "saver": lambda: tf.train.Saver([v]).save(None, folder + "/m"),
    "checkpoint": lambda: tfe.Checkpoint(v=v).save(folder + "/m"),
    "weights": lambda: model.save_weights(folder + "/m"),
    "weights.h5": lambda: model.save_weights(folder + "/m.h5"),
    "model.h5": lambda: model.save(folder + "/m.h5"),
    "records": records,
    "events": events,
}}[{0!r}]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if {1}:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
try:
    write()
    print("written")
except (OSError, tf.errors.ResourceExhaustedError) as error:
    print(type(error).__name__, error)
"""
KINDS = ["saver", "checkpoint", "weights", "weights.h5", "model.h5", "records",
         "events"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_may_not_grow(tmp_path, kind):
    """RLIMIT_FSIZE: the system itself refuses to write on."""
    if kind.endswith(".h5"):
        pytest.importorskip("h5py")
    first = process(LIMITED.format(kind, False), arguments=[str(tmp_path)])
    assert first == "written\n"
    before = listing(tmp_path)
    second = process(LIMITED.format(kind, True), arguments=[str(tmp_path)])
    assert "File too large" in second and str(tmp_path) in second, second
    after = listing(tmp_path)
    if kind not in ("records", "events"):  # those replace or begin a file
        assert after == before
    else:
        assert not [n for n in after if "tmp" in n or ".part" in n]


# ------------------------------------------------------------------ training
def model_fn(features, labels, mode):
    w = tf.get_variable("w", [500], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.square(w * features - labels))
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op)


def input_fn():
    return tf.data.Dataset.from_tensors((np.float32(2), np.float32(6))).repeat()


def test_an_estimator_stops_and_goes_on_once_there_is_room(tmp_path, monkeypatch):
    """The disk is full at any of the writes of two steps, then there is room again."""
    config = tf.estimator.RunConfig(str(tmp_path), save_checkpoints_steps=1)
    estimator = tf.estimator.Estimator(model_fn, config=config)
    estimator.train(input_fn, steps=1)
    failed = 0
    for room in (0, 1, 2, 4, 7, 11, 16, 22, 30):
        tf.summary.FileWriterCache.clear()
        before = int(estimator.get_variable_value("global_step"))
        disk = Disk(tmp_path, room)
        with monkeypatch.context() as patch:
            disk.install(patch)
            try:
                estimator.train(input_fn, steps=2)
            except ERRORS as error:
                failed += 1
                text = str(error)
                assert "No space left on device" in text and str(tmp_path) in text
            else:
                assert not disk.refused
        disk.room = 10**9  # for files that are still open
        step = int(estimator.get_variable_value("global_step"))
        assert step in (before, before + 1, before + 2)
        assert estimator.get_variable_value("w").shape == (500,)
        assert not [n for n in listing(tmp_path) if "tmp" in n or "_temp_" in n]
    assert failed >= 5
    estimator.train(input_fn, steps=2)
    assert int(estimator.get_variable_value("global_step")) == step + 2
    tf.summary.FileWriterCache.clear()

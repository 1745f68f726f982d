"""Checkpoints, events, SavedModels and models of estimators in a store."""

import uuid

import fsspec
import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch, errors, stores
from twinflow.eager.mode import MODE

names = tf.gfile.ListDirectory


@pytest.fixture
def root():
    yield f"memory://{uuid.uuid4().hex}"
    fsspec.filesystem("memory").store.clear()


def session_of(value):
    variable = tf.get_variable("v", initializer=value)
    session = tf.Session()
    session.run(variable.initializer)
    return variable, session


@pytest.mark.parametrize("options", [
    {}, {"sharded": True}, {"write_version": tf.train.SaverDef.V1},
], ids=["V2", "sharded", "V1"])  # fmt: skip
@pytest.mark.parametrize("folder", ["", "/deep/er"])
def test_a_saver_saves_and_restores(root, options, folder):
    with tf.Graph().as_default():
        v, session = session_of(3.0)
        saver = tf.train.Saver(max_to_keep=2, **options)
        prefix = root + folder + "/model.ckpt"
        for step in range(3):
            saver.save(session, prefix, global_step=step)
        session.run(v.assign(0.0))
        last = tf.train.latest_checkpoint(root + folder)
        assert last == prefix + "-2"
        saver.restore(session, last)
        assert session.run(v) == 3.0
        assert not tf.train.checkpoint_exists(prefix + "-0")
        assert len(tf.train.get_checkpoint_mtimes([prefix + "-1"])) == 1
        assert not any("temp" in n for n in names(root + folder))
        session.close()


def test_a_replaced_checkpoint_is_the_old_one_until_its_index_moves(root, monkeypatch):
    """A writer that stops half way loses nothing; the next one tidies up."""
    prefix = root + "/ckpt"
    with tf.Graph().as_default():
        v, session = session_of(1.0)
        saver = tf.train.Saver()
        saver.save(session, prefix)
        session.run(v.assign(2.0))
        move = stores.replace

        def dies(old, new):
            if new.endswith(".index"):
                raise KeyboardInterrupt
            move(old, new)

        with monkeypatch.context() as patched:
            patched.setattr(stores, "replace", dies)
            patched.setattr("twinflow.formats.checkpoint_v2._put_back", lambda p: None)
            with pytest.raises(KeyboardInterrupt):
                saver.save(session, prefix)
        saver.restore(session, prefix)
        assert session.run(v) == 1.0
        session.run(v.assign(5.0))
        saver.save(session, prefix)
        saver.restore(session, prefix)
        assert session.run(v) == 5.0
        assert not any("former" in n for n in names(root))
        session.close()


def test_a_damaged_checkpoint_is_found_out(root):
    with tf.Graph().as_default():
        _, session = session_of([1.0, 2.0])
        saver = tf.train.Saver()
        saver.save(session, root + "/c")
        data = root + "/c.data-00000-of-00001"
        with tf.gfile.GFile(data, "wb") as file:
            file.write(b"1234")
        with pytest.raises(errors.DataLossError, match="is cut off"):
            saver.restore(session, root + "/c")
        session.close()


def test_objects_and_their_manager(root):
    with dispatch.entered(MODE):
        v = tf.contrib.eager.Variable(1.0)
        manager = tf.contrib.checkpoint.CheckpointManager(
            tf.train.Checkpoint(v=v), root + "/objects", max_to_keep=2
        )
        for i in range(3):
            v.assign(float(i))
            manager.save()
        v.assign(9.0)
        tf.train.Checkpoint(v=v).restore(manager.latest_checkpoint)
        assert v.numpy() == 2.0 and len(manager.checkpoints) == 2


def input_fn():
    x = np.arange(8, dtype=np.float32)[:, None]
    return tf.data.Dataset.from_tensor_slices(({"x": x}, 2 * x)).repeat().batch(4)


def test_an_estimator_trains_goes_on_exports_and_writes_events(root):
    config = tf.estimator.RunConfig(save_checkpoints_steps=3, keep_checkpoint_max=2)
    model = tf.estimator.LinearRegressor(
        [tf.feature_column.numeric_column("x")], root + "/model", config=config
    )
    model.train(input_fn, steps=4)
    model.train(input_fn, steps=3)
    assert model.evaluate(input_fn, steps=1)["global_step"] == 7
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(
        {"x": tf.FixedLenFeature([1], tf.float32)}
    )
    folder = model.export_savedmodel(root + "/export", receiver).decode()
    assert names(root + "/export") == [folder.rpartition("/")[2]]
    with tf.Graph().as_default(), tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], folder)
    events = [n for n in names(root + "/model") if "tfevents" in n]
    steps = {
        event.step
        for name in events
        for event in tf.train.summary_iterator(f"{root}/model/{name}")
        if event.summary.value
    }
    assert steps >= {1, 5}  # the first step of each training


def test_events_go_up_when_flushed(root):
    with tf.Graph().as_default():
        writer = tf.summary.FileWriter(root + "/logs", max_queue=1)
        (name,) = names(root + "/logs")
        read = lambda: len(list(tf.train.summary_iterator(f"{root}/logs/{name}")))
        for step in range(3):
            summary = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=step)])
            writer.add_summary(summary, step)
        before = read()
        writer.flush()
        assert (before, read()) == (1, 4)
        writer.close()

"""Iterators in checkpoints: a restored one gives what was still to come."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.data.programs import drained, plain
from twinflow.base import dispatch
from twinflow.base.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    OutOfRangeError,
)
from twinflow.eager.mode import MODE
from twinflow.graph.graph_def import revived

make_saveable = tf.data.experimental.make_saveable_from_iterator


def pipeline():
    """Epochs in random order, some of it waiting in buffers."""
    squares = tf.data.Dataset.range(10).map(lambda i: i * i)
    return squares.shuffle(4, seed=3).batch(3).repeat(3).prefetch(2)


def whole():
    return [plain(x) for x in pipeline()]


@pytest.fixture
def expected():
    return whole()


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def taken(session, element, count):
    return [plain(session.run(element)) for _ in range(count)]


# ---------------------------------------------------------------------- Saver
def built():
    """(iterator, element, Saver) in the current graph, as programs write it."""
    iterator = pipeline().make_initializable_iterator()
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, make_saveable(iterator))
    return iterator, iterator.get_next(), tf.train.Saver()


def test_saver_with_variables(expected, graph, tmp_path):
    tf.Variable(7.0, name="v")
    iterator, element, saver = built()
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), iterator.initializer])
        assert taken(session, element, 5) == expected[:5]
        path = saver.save(session, str(tmp_path / "m"))
        taken(session, element, 3)
        saver.restore(session, path)
        assert drained(session, element) == expected[5:]
        saver.restore(session, path)  # also after the end
        assert taken(session, element, 1) == expected[5:6]
    names = dict(tf.train.list_variables(path))
    assert names == {"IteratorV2:0-state": [], "v": []}
    state = tf.train.load_variable(path, "IteratorV2:0-state")
    assert bytes(np.asarray(state)[()]).startswith(b"twinflow iterator")


@pytest.mark.parametrize("initialize", [True, False])
def test_saver_in_another_program(expected, tmp_path, initialize):
    with tf.Graph().as_default(), tf.Session() as session:
        iterator, element, saver = built()
        session.run(iterator.initializer)
        taken(session, element, 5)
        path = saver.save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        iterator, element, saver = built()
        if initialize:
            session.run(iterator.initializer)
        saver.restore(session, path)
        assert drained(session, element) == expected[5:]
        session.run(iterator.initializer)
        assert drained(session, element) == expected


def test_saver_with_a_one_shot_iterator(expected, graph, tmp_path):
    iterator = pipeline().make_one_shot_iterator()
    saver, element = tf.train.Saver([make_saveable(iterator)]), iterator.get_next()
    with tf.Session() as session:
        taken(session, element, 2)
        path = saver.save(session, str(tmp_path / "m"))
    with tf.Session() as session:
        saver.restore(session, path)
        assert drained(session, element) == expected[2:]


@pytest.fixture
def elsewhere(monkeypatch):
    """As in another process, which has not the datasets that were saved."""
    monkeypatch.setattr(revived, "of_token", lambda token: None)


def test_placeholders_need_the_initializer(graph, tmp_path, elsewhere):
    size = tf.placeholder(tf.int64, [], name="size")
    iterator = tf.data.Dataset.range(size).make_initializable_iterator()
    saver, element = tf.train.Saver([make_saveable(iterator)]), iterator.get_next()
    with tf.Session() as session:
        with pytest.raises(FailedPreconditionError, match=r"Save\(\) failed because"):
            saver.save(session, str(tmp_path / "m"))
        session.run(iterator.initializer, {size: 4})
        taken(session, element, 1)
        path = saver.save(session, str(tmp_path / "m"))
    with tf.Session() as session:
        with pytest.raises(FailedPreconditionError, match="needs the placeholder size"):
            saver.restore(session, path)
        session.run(iterator.initializer, {size: 4})
        saver.restore(session, path)
        assert drained(session, element) == [1, 2, 3]


def test_reinitializable_iterators_need_their_initializer(graph, tmp_path, elsewhere):
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    starts = [iterator.make_initializer(tf.data.Dataset.range(n)) for n in (3, 5)]
    saver, element = tf.train.Saver([make_saveable(iterator)]), iterator.get_next()
    with tf.Session() as session:
        session.run(starts[1])
        taken(session, element, 2)
        path = saver.save(session, str(tmp_path / "m"))
        session.run(starts[0])
        with pytest.raises(InvalidArgumentError, match="there 5 rows, here 3"):
            saver.restore(session, path)
        assert taken(session, element, 1) == [0]  # nothing has changed
    with tf.Session() as session:
        with pytest.raises(FailedPreconditionError, match="it has 2 initializers"):
            saver.restore(session, path)
        session.run(starts[1])
        saver.restore(session, path)
        assert drained(session, element) == [2, 3, 4]


def test_other_pipelines_are_refused(graph, tmp_path, elsewhere):
    iterator, _, saver = built()
    with tf.Session() as session:
        session.run(iterator.initializer)
        path = saver.save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = pipeline().take(4).make_initializable_iterator()
        saver = tf.train.Saver([make_saveable(iterator)])
        session.run(iterator.initializer)
        with pytest.raises(InvalidArgumentError) as caught:
            saver.restore(session, path)
        assert "mismatch between the current graph" in str(caught.value)
        assert "belongs to another input pipeline" in str(caught.value)


def test_saver_in_eager_mode(expected, tmp_path):
    iterator = pipeline().make_one_shot_iterator()
    saver = tf.train.Saver([make_saveable(iterator)])
    [next(iterator) for _ in range(4)]
    path = saver.save(None, str(tmp_path / "m"))
    again = iter(pipeline())
    tf.train.Saver([make_saveable(again)]).restore(None, path)
    assert [plain(x) for x in again] == expected[4:]


def test_what_is_no_iterator(graph):
    with pytest.raises(TypeError, match="Expected an iterator over a dataset, got 3"):
        make_saveable(3)


def test_names_of_contrib():
    names = "make_saveable_from_iterator", "CheckpointInputPipelineHook"
    for name in names:
        found = getattr(tf.contrib.data, name)
        assert found is getattr(tf.data.experimental, name)


# ---------------------------------------------------------------------- Checkpoint
KINDS = [iter, lambda d: d.make_one_shot_iterator(), tf.contrib.eager.Iterator]


@pytest.mark.parametrize("kind", KINDS)
def test_checkpoints_eagerly(expected, tmp_path, kind):
    v, iterator = tf.Variable(1.0), kind(pipeline())
    checkpoint = tf.train.Checkpoint(iterator=iterator, v=v)
    assert [plain(next(iterator)) for _ in range(5)] == expected[:5]
    path = checkpoint.save(str(tmp_path / "c"))
    [next(iterator) for _ in range(2)]
    v.assign(2.0)
    checkpoint.restore(path).assert_consumed()
    assert float(v) == 1.0
    assert [plain(x) for x in iterator] == expected[5:]
    assert "iterator/.ATTRIBUTES/ITERATOR_STATE" in dict(tf.train.list_variables(path))


def test_an_iterator_that_is_made_later(expected, tmp_path):
    iterator = iter(pipeline())
    [next(iterator) for _ in range(3)]
    path = tf.train.Checkpoint(input={"train": iterator}).save(str(tmp_path / "c"))
    later = tf.train.Checkpoint()
    status = later.restore(path)
    later.input = {"train": iter(pipeline())}
    status.assert_consumed()
    assert [plain(x) for x in later.input["train"]] == expected[3:]


@pytest.mark.parametrize("initialize", [True, False])
def test_checkpoints_in_graphs(expected, graph, tmp_path, initialize):
    v = tf.Variable(1.0, use_resource=True)
    iterator = pipeline().make_initializable_iterator()
    checkpoint = tf.train.Checkpoint(iterator=iterator, v=v)
    element = iterator.get_next()
    with tf.Session() as session:
        session.run([v.initializer, iterator.initializer])
        taken(session, element, 4)
        path = checkpoint.save(str(tmp_path / "c"), session)
        taken(session, element, 1)
        checkpoint.restore(path).assert_consumed().run_restore_ops(session)
        assert drained(session, element) == expected[4:]
    with tf.Session() as session:
        if initialize:
            session.run(iterator.initializer)
        checkpoint.restore(path).initialize_or_restore(session)
        assert drained(session, element) == expected[4:]
        assert session.run(v) == 1.0


def test_saved_in_one_mode_restored_in_the_other(expected, tmp_path):
    iterator = iter(pipeline())
    [next(iterator) for _ in range(5)]
    path = tf.train.Checkpoint(it=iterator).save(str(tmp_path / "e"))
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = pipeline().make_one_shot_iterator()
        element, checkpoint = iterator.get_next(), tf.train.Checkpoint(it=iterator)
        checkpoint.restore(path).run_restore_ops(session)
        assert taken(session, element, 2) == expected[5:7]
        path = checkpoint.save(str(tmp_path / "g"), session)
    with dispatch.entered(MODE):
        iterator = iter(pipeline())
        tf.train.Checkpoint(it=iterator).restore(path)
        assert [plain(x) for x in iterator] == expected[7:]


def test_a_state_of_another_pipeline_changes_nothing(expected, tmp_path):
    path = tf.train.Checkpoint(it=iter(pipeline())).save(str(tmp_path / "c"))
    other = iter(tf.data.Dataset.range(3))
    next(other)
    with pytest.raises(InvalidArgumentError, match="another input pipeline"):
        tf.train.Checkpoint(it=other).restore(path)
    assert [int(x) for x in other] == [1, 2]


def test_states_of_tensorflow_are_named(expected, tmp_path, monkeypatch, caplog):
    kind = type(iter(pipeline()))
    with monkeypatch.context() as patch:  # the name that TensorFlow gives them
        patch.setattr(kind, "_checkpoint_attribute", "ITERATOR")
        path = tf.train.Checkpoint(it=iter(pipeline())).save(str(tmp_path / "c"))
    iterator = iter(pipeline())
    next(iterator)
    tf.train.Checkpoint(it=iterator).restore(path)
    assert "state of an iterator of TensorFlow" in caplog.text
    assert [plain(x) for x in iterator] == expected[1:]


# ---------------------------------------------------------------------- Estimator
TRAINING = """
import os, signal, sys, time
import numpy as np
import twinflow as tf

folder, kill_at, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
seconds = float(sys.argv[4])

def input_fn():
    data = tf.data.Dataset.range(20).map(lambda i: i * 10)
    return data.shuffle(7, seed=1).repeat().batch(3)

def note(batch, step):
    print("batch", int(step), *batch, flush=True)
    time.sleep(seconds / 10)
    if step == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return np.float32(0)

def model_fn(features, labels, mode):
    w, step = tf.get_variable("w", []), tf.train.get_global_step()
    seen = tf.py_func(note, [features, step], tf.float32)
    seen.set_shape([])
    loss = w * w + seen
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

when = {"save_checkpoints_secs": seconds} if seconds else {"save_checkpoints_steps": 4}
config = tf.estimator.RunConfig(**when)
estimator = tf.estimator.Estimator(model_fn, folder, config)
hook = tf.data.experimental.CheckpointInputPipelineHook(estimator)
if seconds:  # its own clock never says it
    hook._hook._timer = tf.train.SecondOrStepTimer(every_steps=10**9)
estimator.train(input_fn, hooks=[hook], max_steps=steps)
"""


def trained(folder, kill_at, steps, seconds=0):
    """The batches of one program, by their steps; saved every 4 steps or by time."""
    args = [sys.executable, "-c", TRAINING]
    args += map(str, (folder, kill_at, steps, seconds))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run(args, capture_output=True, text=True, env=env, timeout=120)
    killed = found.returncode == -signal.SIGKILL
    assert killed == (0 <= kill_at < steps), found.stderr
    lines = [x.split() for x in found.stdout.splitlines() if x.startswith("batch")]
    return {int(x[1]): list(map(int, x[2:])) for x in lines}


def test_training_that_was_killed_goes_on_with_the_next_batch(tmp_path):
    expected = trained(tmp_path / "whole", -1, 14)
    first = trained(tmp_path / "m", 10, 14)
    assert first == {step: expected[step] for step in range(11)}
    second = trained(tmp_path / "m", -1, 12)
    assert second == {step: expected[step] for step in range(8, 12)}
    third = trained(tmp_path / "m", -1, 14)
    assert third == {step: expected[step] for step in range(12, 14)}
    assert (tmp_path / "m" / "checkpoint_input").exists()
    assert not list((tmp_path / "m").glob("input*.meta"))


def test_the_input_is_saved_whenever_the_model_is(tmp_path):
    expected = trained(tmp_path / "whole", -1, 30)
    trained(tmp_path / "m", 26, 30, 0.3)
    second = trained(tmp_path / "m", -1, 30)
    assert 0 < min(second) <= 26  # where the model was saved
    assert second == {step: expected[step] for step in range(min(second), 30)}


def test_the_hook_needs_an_iterator(graph, tmp_path):
    estimator = tf.estimator.Estimator(lambda features: None, str(tmp_path))
    hook = tf.data.experimental.CheckpointInputPipelineHook(estimator)
    with pytest.raises(ValueError, match="found no iterator to save"):
        hook.begin()


# ---------------------------------------------------------------------- graphs
def test_graphs_with_saveables_are_exported(graph, tmp_path):
    iterator, _, saver = built()
    with tf.Session() as session:
        session.run(iterator.initializer)
        saver.save(session, str(tmp_path / "m"))
    exported = graph.as_graph_def()
    kinds = {n.name: n.op for n in exported.node}
    assert kinds["SerializeIterator"] == "Const"
    assert kinds["save/DeserializeIterator"] == "NoOp"
    assert not any(op.startswith("Twin") for op in kinds.values())


def test_graphs_with_iterators_are_saved_and_read_again(expected, graph, tmp_path):
    path = str(tmp_path / "model")
    iterator = pipeline().make_initializable_iterator()
    element = iterator.get_next()
    tf.add_to_collection("element", element)
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, make_saveable(iterator))
    with tf.Session() as session:
        session.run(iterator.initializer)
        seen = taken(session, element, 1)
        tf.train.Saver().save(session, path)
    for _ in range(3):
        with tf.Graph().as_default(), tf.Session() as session:
            saver = tf.train.import_meta_graph(path + ".meta")
            saver.restore(session, path)
            seen += taken(session, *tf.get_collection("element"), 1)
            saver.save(session, path)
    assert seen == expected[:4]


def test_iterators_are_in_their_collection(graph):
    a = pipeline().make_initializable_iterator()
    b = pipeline().make_one_shot_iterator()
    fed = tf.placeholder(tf.string, [])
    tf.data.Iterator.from_string_handle(fed, tf.int64)
    found = tf.get_collection("iterators")
    assert found == [a._iterator_resource, b._iterator_resource]


def test_the_end_is_saved_too(graph, tmp_path):
    iterator, element, saver = built()
    with tf.Session() as session:
        session.run(iterator.initializer)
        drained(session, element)
        path = saver.save(session, str(tmp_path / "m"))
    with tf.Session() as session:
        saver.restore(session, path)
        with pytest.raises(OutOfRangeError, match="End of sequence"):
            session.run(element)
